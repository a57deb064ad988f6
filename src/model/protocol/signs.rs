//! By what it is told where a block, a thought or a call begins.

use super::calls::Reading;
use super::react::{self, Label, Labelled};
use super::{elements, named, pythonic};
use crate::model::{Calling, ToolDefinition};

pub(super) const GLOSS: &str = "<gloss>";
const THINK: &str = "<think>";
/// What Mistral's models write before calls.
pub(super) const MARK: &str = "[TOOL_CALLS]";
/// A call begins so wherever it stands, but in code.
const CALLS: [&str; 7] = [
    "<tool_call",
    "<function_call",
    "<function=",
    "<function name=",
    "<invoke",
    "<minimax:tool_call",
    MARK,
];
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

/// Names after a fence whose call may be one if nothing stands before it.
const FIRST_FENCES: [&str; 3] = ["xml", "python", "py"];

/// How a text that is held back is to be read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Behind Mistral's mark.
    Marked,
    /// As `ReAct` has it.
    React,
    /// As Python.
    Python,
    /// In tags that mean calls.
    Tagged,
    /// As JSON, or in other tags.
    Json,
}

impl Form {
    pub(super) fn of(text: &str, tools: &[ToolDefinition]) -> Self {
        let inside = match text.split_once('\n') {
            Some((_, inside)) if text.starts_with("```") => inside.trim_start(),
            _ => text,
        };
        if inside.starts_with(MARK) {
            Self::Marked
        } else if let Labelled::With(..) = react::labelled(inside, &[Label::Action]) {
            Self::React
        } else if let Sign::Call = pythonic::sign(inside, tools) {
            Self::Python
        } else if CALLS.iter().any(|sign| inside.starts_with(sign)) {
            Self::Tagged
        } else {
            Self::Json
        }
    }

    /// Whether an object that begins behind `before` is made of arguments, whatever they are
    /// named.
    pub(super) fn holds_arguments(self, before: &str) -> bool {
        match self {
            Self::Marked | Self::Python => true,
            Self::React => react::holds_arguments(before),
            Self::Json => false,
            Self::Tagged => elements::next(before).is_some() || before.contains("<arg_key>"),
        }
    }
}

/// What a piece of text begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Begins {
    Nothing,
    Line,
    /// What is for the person: nothing stands before it.
    Text,
}

/// Where a piece of text stands.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) begins: Begins,
    /// It is code in an answer, which quotes it.
    pub(super) is_code: bool,
    /// A thought by `ReAct` stands before it.
    pub(super) is_thought: bool,
}

impl Place {
    fn begins_line(self) -> bool {
        self.begins != Begins::Nothing
    }

    fn is_first(self) -> bool {
        self.begins == Begins::Text
    }
}

/// Follows backticks, to tell what is code.
#[derive(Clone, Copy, Default)]
pub(super) struct Ticks {
    /// So many stand right before.
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

    /// A paragraph ends.
    #[must_use]
    pub(super) fn broken(self) -> Self {
        Self { run: 0, ..self }
    }

    /// Whether what comes next is code.
    pub(super) fn are_open(self) -> bool {
        self.fenced || matches!(self.run, 1 | 2)
    }
}

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
    /// A thought by `ReAct`.
    Thinks,
    /// The answer, behind a label of so many bytes.
    Answers(usize),
}

impl Reading {
    /// What `rest` begins with.
    pub(super) fn sign(&self, rest: &str, place: Place) -> Sign {
        let by_text = self.calling == Calling::Text;
        let tools = self.tools.known();
        let may_call = (by_text || !tools.is_empty()) && !place.is_code;
        // What a reply begins with may be an answer in JSON, whether or not there are tools.
        let lines = place.begins_line() && (by_text || place.is_first());
        // Further on, a tag of ours is what the answer speaks of.
        let tags = [Tag::Gloss, Tag::Think]
            .map(|tag| (tag.open(), Sign::Opens(tag)))
            .into_iter()
            .filter(|_| place.is_first());
        let calls = CALLS
            .map(|sign| (sign, Sign::Call))
            .into_iter()
            .filter(|_| may_call);
        let lines_only = LINES
            .map(|sign| (sign, Sign::Call))
            .into_iter()
            .filter(|_| lines);
        let mut signs = tags.chain(calls).chain(lines_only);
        let found = signs.find_map(|(sign, found)| begun(rest, sign, found));
        found.unwrap_or_else(|| match self.label(rest, place) {
            Sign::Nothing if lines => match pythonic::sign(rest, tools) {
                Sign::Nothing => self.fence(rest, place.is_first()),
                _ if !may_call => Sign::Nothing,
                sign => sign,
            },
            Sign::Nothing if place.begins_line() && may_call => self.object(rest),
            sign => sign,
        })
    }

    /// A label of `ReAct`.
    fn label(&self, rest: &str, place: Place) -> Sign {
        let tools = self.tools.known();
        if tools.is_empty() || !place.begins_line() || place.is_code {
            return Sign::Nothing;
        }
        let labels: &[Label] = match place {
            Place {
                begins: Begins::Text,
                ..
            } => &[Label::Thought, Label::Answer],
            Place {
                is_thought: true, ..
            } => &[Label::Answer],
            _ => &[],
        };
        match react::labelled(rest, labels) {
            Labelled::With(Label::Answer, length) => Sign::Answers(length),
            Labelled::With(..) => Sign::Thinks,
            Labelled::Unknown => Sign::Unknown,
            Labelled::Not => react::sign(rest, tools),
        }
    }

    /// An object behind words, fenced or not, of a model that calls by its provider's means:
    /// only a call is held back.
    fn object(&self, rest: &str) -> Sign {
        let body = match rest.strip_prefix("```") {
            Some(after) => match after.split_once('\n') {
                Some((name, body)) if FENCES.contains(&name.trim()) => body.trim_start(),
                Some(_) => return Sign::Nothing,
                None => return fence_name(after, &mut FENCES.iter()),
            },
            None if !rest.is_empty() && "```".starts_with(rest) => return Sign::Unknown,
            None => rest,
        };
        let body = body.strip_prefix('[').map_or(body, str::trim_start);
        match body.chars().next() {
            None => Sign::Unknown,
            Some('{') => named::sign(body, self.tools.known()),
            Some(_) => Sign::Nothing,
        }
    }

    /// A fence whose content begins like a call, or like JSON.
    fn fence(&self, rest: &str, is_first: bool) -> Sign {
        let Some(after) = rest.strip_prefix("```") else {
            let half = !rest.is_empty() && "```".starts_with(rest);
            return if half { Sign::Unknown } else { Sign::Nothing };
        };
        let first_only = FIRST_FENCES.iter().filter(|_| is_first);
        let mut names = FENCES.iter().chain(first_only);
        let Some((name, body)) = after.split_once('\n') else {
            return fence_name(after, &mut names);
        };
        if !names.any(|known| *known == name.trim()) {
            return Sign::Nothing;
        }
        let body = body.trim_start();
        match body.chars().next() {
            None => return Sign::Unknown,
            Some('{' | '[') if FENCES.contains(&name.trim()) => return Sign::Call,
            Some(_) => {}
        }
        let mut calls = CALLS.iter().filter(|_| !self.tools.known().is_empty());
        let tag = calls.find_map(|sign| begun(body, sign, Sign::Call));
        tag.unwrap_or_else(|| pythonic::sign(body, self.tools.known()))
    }
}

/// Whether the name of a fence that goes on may become one of these.
fn fence_name<'a>(so_far: &str, names: &mut impl Iterator<Item = &'a &'static str>) -> Sign {
    let so_far = so_far.trim();
    if names.any(|name| name.starts_with(so_far)) {
        Sign::Unknown
    } else {
        Sign::Nothing
    }
}

/// Whether `rest` begins with a sign, or may come to.
fn begun(rest: &str, sign: &str, found: Sign) -> Option<Sign> {
    let whole = rest.starts_with(sign);
    let half = !rest.is_empty() && sign.starts_with(rest);
    whole.then_some(found).or(half.then_some(Sign::Unknown))
}

/// The length of the longest end of `text` that `sign` begins with.
pub(super) fn overlap(text: &str, sign: &str) -> usize {
    let longest = sign.len().min(text.len());
    let begins = |length: &usize| text.ends_with(sign.get(..*length).unwrap_or("\0"));
    (1..=longest).rev().find(begins).unwrap_or(0)
}
