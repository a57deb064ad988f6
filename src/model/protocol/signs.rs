//! By what it is told where a block, a thought or a call begins.

use super::calls::Reading;
use crate::model::Calling;

pub(super) const GLOSS: &str = "<gloss>";
const THINK: &str = "<think>";
/// A call begins so wherever it stands.
const CALLS: [&str; 4] = ["<tool_call", "<function_call", "<function=", "<invoke"];
/// And so at the start of a line, where calls are written as text.
const LINES: [&str; 6] = [
    "<action>",
    "<response>",
    "<final_answer>",
    "<thinking>",
    "{",
    "[{",
];
/// Names after a fence whose JSON may be a call.
const FENCES: [&str; 5] = ["", "json", "tool_call", "tool_code", "tool"];

/// A tag of ours.
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

/// What a piece of text begins with.
#[derive(Clone, Copy)]
pub(super) enum Sign {
    Nothing,
    Unknown,
    Opens(Tag),
    Call,
}

impl Reading {
    /// What `rest` begins with.
    pub(super) fn sign(&self, rest: &str, begins_line: bool, first: bool) -> Sign {
        let by_text = self.calling == Calling::Text;
        let may_call = by_text || !self.tools.is_empty();
        // What a reply begins with may be an answer in JSON, whether or not there are tools.
        let lines = begins_line && (by_text || first);
        // Further on, a tag of ours is what the answer speaks of.
        let tags = [Tag::Gloss, Tag::Think]
            .map(|tag| (tag.open(), Sign::Opens(tag)))
            .into_iter()
            .filter(|_| first);
        let calls = CALLS
            .map(|sign| (sign, Sign::Call))
            .into_iter()
            .filter(|_| may_call);
        let lines_only = LINES
            .map(|sign| (sign, Sign::Call))
            .into_iter()
            .filter(|_| lines);
        let begun = |(sign, found): (&str, Sign)| {
            let whole = rest.starts_with(sign);
            let half = !rest.is_empty() && sign.starts_with(rest);
            whole.then_some(found).or(half.then_some(Sign::Unknown))
        };
        let mut signs = tags.chain(calls).chain(lines_only);
        signs
            .find_map(begun)
            .unwrap_or_else(|| if lines { fence(rest) } else { Sign::Nothing })
    }
}

/// A fence whose content begins like JSON.
fn fence(rest: &str) -> Sign {
    let Some(after) = rest.strip_prefix("```") else {
        let half = !rest.is_empty() && "```".starts_with(rest);
        return if half { Sign::Unknown } else { Sign::Nothing };
    };
    let Some((name, body)) = after.split_once('\n') else {
        let known = FENCES.iter().any(|name| name.starts_with(after.trim()));
        return if known { Sign::Unknown } else { Sign::Nothing };
    };
    if !FENCES.contains(&name.trim()) {
        return Sign::Nothing;
    }
    match body.trim_start().chars().next() {
        None => Sign::Unknown,
        Some('{' | '[') => Sign::Call,
        Some(_) => Sign::Nothing,
    }
}

/// The length of the longest end of `text` that `sign` begins with.
pub(super) fn overlap(text: &str, sign: &str) -> usize {
    let longest = sign.len().min(text.len());
    let begins = |length: &usize| text.ends_with(sign.get(..*length).unwrap_or("\0"));
    (1..=longest).rev().find(begins).unwrap_or(0)
}
