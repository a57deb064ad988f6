//! The answer inside a JSON object, as it is written.
//!
//! Driving example: of `{"thought": "…", "final_answer": "Two tides` a person reads "Two
//! tides" before the object is over. What is an answer is told by its field, or by an
//! `action` that is none but answering; calls that come first mean that it is none.

use super::mender::Mender;

/// Fields that hold an answer.
pub(super) const FIELDS: [&str; 2] = ["final_answer", "response"];
/// Names for answering that models take for tools.
const NAMES: [&str; 6] = [
    "final_answer",
    "answer",
    "respond",
    "response",
    "finish",
    "none",
];
/// Whether a name is one for answering, however it is written.
pub(super) fn answers(name: &str) -> bool {
    let name = name.trim().to_ascii_lowercase().replace(' ', "_");
    NAMES.contains(&name.as_str())
}

/// Fields that hold the arguments of such a call; its answer, if they are a text.
pub(super) const ARGUMENTS: [&str; 6] = [
    "arguments",
    "action_input",
    "parameters",
    "args",
    "input",
    "params",
];

/// Watches one object for its answer. Each byte is looked at a bounded number of times.
#[derive(Debug, Default)]
pub(super) struct Inline {
    mender: Mender,
    /// How much of what was mended has been looked at.
    at: usize,
    depth: usize,
    /// The text at hand: where it begins, and what it is.
    text: Option<(usize, Part)>,
    /// The last key of the outermost object.
    key: String,
    /// A key of the outermost object comes next.
    key_next: bool,
    /// The outermost object says that it answers.
    answers: bool,
    /// It calls, or the answer is over.
    done: bool,
    /// What of the answer was shown.
    shown: String,
    /// The half of a call without an action that has come.
    half: Option<Half>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Key,
    /// What is to be done.
    Action,
    /// A name, of whatever it may be.
    Name,
    Answer,
    Other,
}

/// A bare name is a call only beside arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Half {
    Name,
    Arguments,
}

impl Inline {
    /// Watches nothing: the object holds no answer.
    pub(super) fn closed() -> Self {
        Self {
            done: true,
            ..Self::default()
        }
    }

    /// The object goes on; what of its answer has come is shown.
    pub(super) fn push(&mut self, delta: &str, show: &mut impl FnMut(&str)) {
        if self.done {
            return;
        }
        let ended = self.mender.push(delta).is_some();
        let mut shown = std::mem::take(&mut self.shown);
        self.look(&mut |text| {
            shown.push_str(text);
            show(text);
        });
        self.shown = shown;
        self.done |= ended;
    }

    /// What of the answer was shown.
    pub(super) fn shown(&self) -> &str {
        &self.shown
    }

    fn look(&mut self, show: &mut impl FnMut(&str)) {
        while let Some((from, part)) = self.next() {
            let mended = self.mender.mended();
            let rest = mended.get(from..).unwrap_or_default();
            match closing(rest) {
                Ok(end) => {
                    let text = rest.get(..end).unwrap_or_default();
                    self.at = from + end + 1;
                    match part {
                        Part::Key => {
                            let key = text.to_owned();
                            if ARGUMENTS.contains(&key.as_str()) {
                                self.half(Half::Arguments);
                            }
                            self.key = key;
                        }
                        Part::Action => {
                            self.answers = answers(text);
                            self.done |= !self.answers;
                        }
                        Part::Name if !answers(text) => self.half(Half::Name),
                        Part::Answer => {
                            told(text, show);
                            self.done = true;
                            return;
                        }
                        Part::Name | Part::Other => {}
                    }
                    self.text = None;
                    if self.done {
                        return;
                    }
                }
                Err(end) => {
                    let text = rest.get(..end).unwrap_or_default();
                    if part == Part::Answer {
                        told(text, show);
                    }
                    if matches!(part, Part::Answer | Part::Other) {
                        self.text = Some((from + end, part));
                    }
                    return;
                }
            }
        }
    }

    /// One half of a call has come; with the other it is one.
    fn half(&mut self, half: Half) {
        let other = self.half.replace(half);
        self.done |= other.is_some_and(|other| other != half);
    }

    /// Where the text begins that is to be read next.
    fn next(&mut self) -> Option<(usize, Part)> {
        if self.text.is_some() {
            return self.text;
        }
        let rest = self.mender.mended().get(self.at..).unwrap_or_default();
        for (place, byte) in rest.bytes().enumerate() {
            match byte {
                b'{' => {
                    self.depth += 1;
                    self.key_next = self.depth == 1;
                    let calls = matches!(self.key.as_str(), "action" | "function");
                    self.done |= self.depth == 2 && calls;
                }
                b'[' => {
                    self.depth += 1;
                    let calls = matches!(self.key.as_str(), "tool_calls" | "toolCalls");
                    self.done |= self.depth == 2 && calls;
                }
                b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                b',' => self.key_next = self.depth == 1,
                b'"' => {
                    let from = self.at + place + 1;
                    self.at = from;
                    self.text = Some((from, self.part()));
                    self.key_next = false;
                    return self.text;
                }
                _ => {}
            }
            if self.done {
                return None;
            }
        }
        self.at += rest.len();
        None
    }

    fn part(&self) -> Part {
        let key = self.key.as_str();
        match self.depth {
            1 if self.key_next => Part::Key,
            1 if FIELDS.contains(&key) => Part::Answer,
            1 if matches!(key, "action" | "tool" | "tool_name") => Part::Action,
            1 if key == "name" => Part::Name,
            1 if self.answers && ARGUMENTS.contains(&key) => Part::Answer,
            _ => Part::Other,
        }
    }
}

/// Where a text ends; else how much of it can be read before more comes.
fn closing(rest: &str) -> Result<usize, usize> {
    let bytes = rest.as_bytes();
    let mut at = 0;
    while let Some(found) = bytes
        .get(at..)
        .and_then(|rest| memchr::memchr2(b'"', b'\\', rest))
    {
        let place = at + found;
        if bytes.get(place) == Some(&b'"') {
            return Ok(place);
        }
        // The mender writes short escapes, and `\u00..` for control characters alone.
        let length = if bytes.get(place + 1) == Some(&b'u') {
            6
        } else {
            2
        };
        if place + length > bytes.len() {
            return Err(place);
        }
        at = place + length;
    }
    Err(rest.len())
}

/// A piece of a strict JSON text, in which no escape is cut.
fn told(text: &str, show: &mut impl FnMut(&str)) {
    if memchr::memchr(b'\\', text.as_bytes()).is_none() {
        if !text.is_empty() {
            show(text);
        }
        return;
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('\\') {
        plain.push_str(before);
        let (length, meant) = match escape.bytes().next() {
            Some(b'n') => (1, '\n'),
            Some(b't') => (1, '\t'),
            Some(b'r') => (1, '\r'),
            Some(b'u') => {
                let hex = escape.get(1..5).unwrap_or_default();
                let code = u32::from_str_radix(hex, 16).ok();
                (5, code.and_then(char::from_u32).unwrap_or('\u{fffd}'))
            }
            // A quote, a backslash.
            _ => (1, escape.chars().next().unwrap_or_default()),
        };
        plain.push(meant);
        rest = escape.get(length..).unwrap_or_default();
    }
    plain.push_str(rest);
    show(&plain);
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    /// What is shown of a reply that comes in pieces of this many characters.
    fn shown(reply: &str, size: usize) -> Vec<String> {
        let letters: Vec<char> = reply.chars().collect();
        let mut inline = Inline::default();
        let mut shown = Vec::new();
        for piece in letters.chunks(size.max(1)) {
            let piece: String = piece.iter().collect();
            inline.push(&piece, &mut |text| shown.push(text.to_owned()));
        }
        shown
    }

    #[test]
    fn an_answer_is_shown_as_it_is_written() {
        for (reply, answer) in [
            (
                r#"{"final_answer": "Two \"tides\"\n a day"}"#,
                "Two \"tides\"\n a day",
            ),
            (
                r#"{"thought": "Two", "response": "Zwei 潮 \ud83c\udf0a"}"#,
                "Zwei 潮 🌊",
            ),
            (
                r#"{"action": "final_answer", "action_input": "Two"}"#,
                "Two",
            ),
            ("{action: 'answer', input: 'It\\'s two', }", "It's two"),
            (
                r#"{"final_answer": "Two, and it is cut"#,
                "Two, and it is cut",
            ),
            (
                r#"{"x": {"response": "inner"}, "response": "outer"}"#,
                "outer",
            ),
            (r#"{"tool_calls": [{"name": "a"}], "response": "no"}"#, ""),
            (r#"{"action": "find_in_page", "action_input": "no"}"#, ""),
            (r#"{"action_input": "no", "action": "final_answer"}"#, ""),
            (r#"{"action": "find_in_page", "response": "no"}"#, ""),
            (r#"{"tool": "find_in_page", "final_answer": "no"}"#, ""),
            (r#"{"tool_name": "a", "tool": "answer", "input": "no"}"#, ""),
            (r#"{"action": {"name": "a"}, "response": "no"}"#, ""),
            (r#"{"function": {"name": "a"}, "response": "no"}"#, ""),
            (r#"{"name": "a", "arguments": {}, "response": "no"}"#, ""),
            (r#"{"arguments": {}, "name": "a", "response": "no"}"#, ""),
            (r#"{"name": "Brest", "response": "Two"}"#, "Two"),
            (r#"{"action": " answer ", "response": "Two"}"#, "Two"),
            (r#"{"query": "no"}"#, ""),
        ] {
            for size in 1..6 {
                assert_eq!(shown(reply, size).concat(), answer, "{reply}");
            }
        }
        let pieces = shown(r#"{"final_answer": "Two tides a day"}"#, 4);
        assert!(pieces.len() > 3, "{pieces:?}");
    }

    quickcheck! {
        fn what_is_shown_is_the_field_in_any_pieces(before: String, answer: String, size: usize) -> bool {
            let reply = serde_json::json!({ "before": before, "final_answer": answer });
            shown(&reply.to_string(), 1 + size % 9).concat() == answer
        }
    }
}
