//! Finds the beginning of a control block (`<gloss>`), a thought (`<think>`) or a tool call.

use super::calls::ParseContext;
use super::forms::{FORMS, Form, Position};
use super::tool_names;
use crate::Calling;

pub(super) const GLOSS: &str = "<gloss>";
const THINK: &str = "<think>";
/// The languages of code blocks whose JSON may be a call. The empty string means no language.
const FENCES: [&str; 5] = ["", "json", "tool_call", "tool_code", "tool"];

/// The position in the reply at which a text begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Begins {
    Nothing,
    Line,
    /// At the start of the text for the user. Only thoughts and control blocks came before.
    Text,
}

/// Counts backticks, to recognise code spans and code blocks.
#[derive(Clone, Copy, Default)]
pub(super) struct Ticks {
    /// The number of backticks directly before the next character.
    run: usize,
    fenced: bool,
}

impl Ticks {
    #[must_use]
    pub(super) fn after(self, c: char) -> Self {
        let run = if c == '`' { self.run + 1 } else { 0 };
        Self {
            run,
            fenced: self.fenced != (run == 3),
        }
    }

    /// Returns the state after the end of a paragraph. A code span never continues in the next
    /// paragraph.
    #[must_use]
    pub(super) fn broken(self) -> Self {
        Self { run: 0, ..self }
    }

    /// Returns true if the next character is inside code.
    pub(super) fn are_open(self) -> bool {
        self.fenced || matches!(self.run, 1 | 2)
    }
}

/// A tag that separates a part of the reply from the text for the user.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    Gloss,
    Think,
}

impl Tag {
    pub(super) fn open(self) -> &'static str {
        match self {
            Self::Gloss => GLOSS,
            Self::Think => THINK,
        }
    }

    pub(super) fn close(self) -> &'static str {
        match self {
            Self::Gloss => "</gloss>",
            Self::Think => "</think>",
        }
    }
}

/// The kind of a text, judged by its beginning. `Nothing` is text for the user. `Unknown` means
/// that the text is too short to be classified.
#[derive(Clone, Copy)]
pub(super) enum Sign {
    Nothing,
    Unknown,
    Opens(Tag),
    Call,
}

impl ParseContext {
    /// Classifies `rest` by its beginning. Inside code, a call is only an example for the user, so
    /// it does not count as a call.
    pub(super) fn sign(&self, rest: &str, begins: Begins, is_code: bool) -> Sign {
        let (is_first, begins_line) = (begins == Begins::Text, begins != Begins::Nothing);
        let by_text = self.calling == Calling::Text;
        let tools = self.tools.known();
        let may_call = (by_text || !tools.is_empty()) && !is_code;
        // At the start of the text for the user, JSON may be an answer, even if there are no tools.
        // Such JSON is classified as a call for now. At the end of the reply, `classify_end`
        // decides whether the JSON is a call or an answer.
        let lines = begins_line && (by_text || is_first);
        // A tag counts only at the start of the text for the user. After that, the answer merely
        // mentions the tag.
        let tags = [Tag::Gloss, Tag::Think]
            .map(|tag| (tag.open(), Sign::Opens(tag)))
            .into_iter()
            .filter(|_| is_first);
        let counts = |form: &&Form| match form.place {
            Position::Anywhere => may_call,
            Position::Line => lines,
        };
        let forms = FORMS.iter().filter(counts);
        let forms = forms.map(|form| (form.opens, Sign::Call));
        let found = tags
            .chain(forms)
            .find_map(|(sign, found)| begun(rest, sign, found));
        let may_begin = lines || (begins_line && may_call);
        found.unwrap_or_else(|| {
            if may_begin {
                self.block(rest, lines)
            } else {
                Sign::Nothing
            }
        })
    }

    /// Classifies a code block or a JSON object by its beginning. In the middle of an answer, a
    /// model with native calls may show JSON to the user. At that position, JSON counts as a call
    /// only if it names a known tool.
    fn block(&self, rest: &str, is_any_json: bool) -> Sign {
        let body = match rest.strip_prefix("```") {
            Some(after) => match after.split_once('\n') {
                Some((name, body)) if FENCES.contains(&name.trim()) => body.trim_start(),
                Some(_) => return Sign::Nothing,
                None => return fence_name(after),
            },
            None if !rest.is_empty() && "```".starts_with(rest) => return Sign::Unknown,
            None if is_any_json => return Sign::Nothing,
            None => rest,
        };
        let object = body.strip_prefix('[').map_or(body, str::trim_start);
        match (body.chars().next(), object.chars().next()) {
            (Some('{' | '['), _) if is_any_json => Sign::Call,
            (_, None) => Sign::Unknown,
            (_, Some('{')) => tool_names::detect(object, self.tools.known()),
            _ if is_any_json => {
                let mut forms = FORMS.iter();
                let found = forms.find_map(|form| begun(body, form.opens, Sign::Call));
                found.unwrap_or(Sign::Nothing)
            }
            _ => Sign::Nothing,
        }
    }
}

/// Returns `Unknown` if more text may complete the language of the code block to one of [`FENCES`].
fn fence_name(so_far: &str) -> Sign {
    let so_far = so_far.trim();
    if FENCES.iter().any(|name| name.starts_with(so_far)) {
        Sign::Unknown
    } else {
        Sign::Nothing
    }
}

/// Returns `found` if `rest` begins with `sign`. Returns `Unknown` if more text may complete `rest`
/// to `sign`.
fn begun(rest: &str, sign: &str, found: Sign) -> Option<Sign> {
    let whole = rest.starts_with(sign);
    let half = !rest.is_empty() && sign.starts_with(rest);
    whole.then_some(found).or(half.then_some(Sign::Unknown))
}

/// Returns the length of the longest suffix of `text` that is a prefix of `sign`.
pub(super) fn overlap(text: &str, sign: &str) -> usize {
    let longest = sign.len().min(text.len());
    let begins = |length: &usize| text.ends_with(sign.get(..*length).unwrap_or("\0"));
    (1..=longest).rev().find(begins).unwrap_or(0)
}
