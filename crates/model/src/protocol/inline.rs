//! Streams an answer that a model writes inside a JSON object.
//!
//! Example: the reply so far is `{"thought": "…", "final_answer": "Two tides`. The user
//! already reads "Two tides", although the object is incomplete. An answer is recognised by its
//! field name, or by an `action` such as `"respond"`. If the object contains tool calls before the
//! answer, the object is treated as a call without an answer.

use super::json_repairer::{Event, JsonRepairer};
use serde_json::Value;

/// Fields that contain an answer.
pub(super) const FIELDS: [&str; 2] = ["final_answer", "response"];
/// Names that models write in place of a tool's name when they answer.
const NAMES: [&str; 6] = [
    "final_answer",
    "answer",
    "respond",
    "response",
    "finish",
    "none",
];
/// Returns true if a name stands for an answer and not for a tool. Case and spaces are ignored.
pub(super) fn answers(name: &str) -> bool {
    let name = name.trim().to_ascii_lowercase().replace(' ', "_");
    NAMES.contains(&name.as_str())
}

/// Fields that contain the arguments of a call. If the action is an answer and such a field
/// contains text, this text is the answer.
pub(super) const ARGUMENTS: [&str; 6] = [
    "arguments",
    "action_input",
    "parameters",
    "args",
    "input",
    "params",
];

/// Finds the answer in one streamed JSON object. The time per byte is bounded.
#[derive(Debug, Default)]
pub(super) struct Inline {
    mender: JsonRepairer,
    /// The number of events of `mender` that were already handled.
    events: usize,
    /// The end of the part of the answer that was shown, as a byte offset in the repaired text.
    at: usize,
    /// The last key of the outermost object.
    key: String,
    /// True if the `action` of the outermost object stands for an answer.
    answers: bool,
    /// True if nothing more will be shown: the object is a call, or the answer is complete.
    done: bool,
    /// The part of the answer that was shown to the user.
    shown: String,
    /// In an object without an `action`: the part of a call that was found, either the name or the
    /// arguments.
    half: Option<Half>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The name of an action.
    Action,
    /// The field `name`, which may contain the name of a tool.
    Name,
    Answer,
    Other,
}

/// The two parts of a call without an `action`. The object is a call only if it has both parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Half {
    Name,
    Arguments,
}

impl Inline {
    /// Makes an instance that shows nothing, for an object that contains no answer.
    pub(super) fn closed() -> Self {
        Self {
            done: true,
            ..Self::default()
        }
    }

    /// Reads the next part of the object, and shows the new text of its answer.
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

    /// Returns the part of the answer that was shown to the user.
    pub(super) fn shown(&self) -> &str {
        &self.shown
    }

    fn look(&mut self, show: &mut impl FnMut(&str)) {
        while !self.done
            && let Some(event) = self.mender.events().get(self.events).copied()
        {
            self.events += 1;
            let within = |from: usize, to| self.mender.mended().get(from..to).unwrap_or_default();
            match event {
                Event::Opens(bracket) => {
                    let calls = match bracket {
                        '{' => ["action", "function"],
                        _ => ["tool_calls", "toolCalls"],
                    };
                    self.done |= calls.contains(&self.key.as_str());
                }
                Event::Key(from, to) => {
                    let key = within(from, to).to_owned();
                    if ARGUMENTS.contains(&key.as_str()) {
                        self.half(Half::Arguments);
                    }
                    self.key = key;
                }
                Event::Text(from, to) => {
                    let text = within(from.max(self.at), to);
                    let answers = answers(text);
                    match self.part() {
                        Part::Action => {
                            self.answers = answers;
                            self.done |= !answers;
                        }
                        Part::Name if !answers => self.half(Half::Name),
                        Part::Answer => {
                            show_unescaped(text, show);
                            self.done = true;
                        }
                        Part::Name | Part::Other => {}
                    }
                }
            }
        }
        if let Some(from) = self.mender.open_text()
            && !self.done
            && self.part() == Part::Answer
        {
            let mended = self.mender.mended();
            show_unescaped(mended.get(from.max(self.at)..).unwrap_or_default(), show);
            self.at = mended.len();
        }
    }

    /// Records that the object has a name or arguments. An object that has both is a call.
    fn half(&mut self, half: Half) {
        let other = self.half.replace(half);
        self.done |= other.is_some_and(|other| other != half);
    }

    fn part(&self) -> Part {
        let key = self.key.as_str();
        match key {
            "action" | "tool" | "tool_name" => Part::Action,
            "name" => Part::Name,
            _ if FIELDS.contains(&key) => Part::Answer,
            _ if self.answers && ARGUMENTS.contains(&key) => Part::Answer,
            _ => Part::Other,
        }
    }
}

/// Unescapes and shows a part of a JSON string. The part must not end within an escape.
fn show_unescaped(text: &str, show: &mut impl FnMut(&str)) {
    if !text.is_empty() && !text.contains('\\') {
        return show(text);
    }
    let plain: Value = serde_json::from_str(&format!("\"{text}\"")).unwrap_or_default();
    match plain.as_str() {
        None | Some("") => {}
        Some(plain) => show(plain),
    }
}
#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    /// The texts that are shown, in order, if the reply arrives in parts of `size` characters.
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
