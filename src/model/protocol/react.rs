//! `ReAct`'s own form, which small models write from memory (Yao et al. 2023).
//!
//! Driving example: `Thought: I look it up.` and, a line each, `Action: find_in_page` and
//! `Action Input: {"query": "tide"}`. An action may be a call as Python or JSON, too. What stands
//! behind `Observation:` the model made up. A line that begins so and names no tool that there
//! is, is words.

use super::calls::{Found, Reading, canonical};
use super::named;
use super::pythonic::{self, Python};
use super::signs::Sign;
use crate::model::ToolDefinition;
use crate::phrase::Said;
use serde_json::{Map, Value};

/// What a line says to be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    Thought,
    Action,
    Input,
    Observation,
    Answer,
}

/// The longer before what it begins with.
const LABELS: [(Label, &str); 5] = [
    (Label::Thought, "Thought"),
    (Label::Input, "Action Input"),
    (Label::Action, "Action"),
    (Label::Observation, "Observation"),
    (Label::Answer, "Final Answer"),
];

/// What stands around a name.
const QUOTES: [char; 4] = ['`', '"', '\'', '*'];

/// Whether a line begins with a label.
pub(super) enum Labelled {
    /// It does, and the label takes so many bytes.
    With(Label, usize),
    /// It may come to.
    Unknown,
    Not,
}

/// Whether `line` begins with one of the labels `of`, bold or not.
pub(super) fn labelled(line: &str, of: &[Label]) -> Labelled {
    let bare = line.trim_start_matches('*');
    let stars = line.len() - bare.len();
    if stars > 2 {
        return Labelled::Not;
    }
    let mut unknown = false;
    for (label, word) in LABELS.iter().filter(|(label, _)| of.contains(label)) {
        let Some(rest) = bare.strip_prefix(word) else {
            unknown |= word.starts_with(bare);
            continue;
        };
        let rest = rest.trim_start_matches('*');
        let Some(behind) = rest.strip_prefix([':', '：']) else {
            unknown |= rest.is_empty();
            continue;
        };
        let inside = behind.trim_start_matches('*');
        let behind = if stars > 0 { inside } else { behind };
        if stars > 0 && behind.is_empty() {
            return Labelled::Unknown;
        }
        return Labelled::With(*label, line.len() - behind.len());
    }
    if unknown {
        Labelled::Unknown
    } else {
        Labelled::Not
    }
}

/// Whether a line begins an action that names one of these tools.
pub(super) fn sign(line: &str, tools: &[ToolDefinition]) -> Sign {
    if tools.is_empty() {
        return Sign::Nothing;
    }
    match labelled(line, &[Label::Action]) {
        Labelled::With(_, length) => acts(line.get(length..).unwrap_or_default(), tools),
        Labelled::Unknown => Sign::Unknown,
        Labelled::Not => Sign::Nothing,
    }
}

/// Whether what stands behind the label names a tool, and nothing but its input behind it.
fn acts(text: &str, tools: &[ToolDefinition]) -> Sign {
    let Some(body) = unfenced(text.trim_start()) else {
        return Sign::Unknown;
    };
    if body.starts_with('{') {
        return named::sign(body, tools);
    }
    let (name, behind) = name(body);
    if behind.is_empty() {
        return named::begun(name, tools);
    }
    if !named::is_known(name, tools) {
        return Sign::Nothing;
    }
    let behind = behind.trim_start_matches(QUOTES);
    match behind.trim_start_matches([' ', '\t']).chars().next() {
        None => Sign::Unknown,
        Some('\n' | '\r' | '(' | '{' | '<') => Sign::Call,
        Some(_) => match labelled(behind.trim_start(), &[Label::Input]) {
            Labelled::With(..) => Sign::Call,
            Labelled::Unknown => Sign::Unknown,
            Labelled::Not => Sign::Nothing,
        },
    }
}

/// A text without the line that opens a fence before it; `None` while that line goes on.
fn unfenced(text: &str) -> Option<&str> {
    match text.strip_prefix("```") {
        Some(after) => Some(after.split_once('\n')?.1.trim_start()),
        None => Some(text),
    }
}

/// The name that a text begins with, and what stands behind it.
fn name(text: &str) -> (&str, &str) {
    let text = text.trim_start_matches(QUOTES);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or_default()
}

/// Whether an object that begins behind `before` is the input of an action.
pub(super) fn holds_arguments(before: &str) -> bool {
    let Labelled::With(_, length) = labelled(before, &[Label::Action]) else {
        return false;
    };
    let named = before.get(length..).unwrap_or_default().trim();
    !matches!(named.trim_start_matches('`').trim(), "" | "json")
}

/// The parts of a text, each behind its label, up to what the model made up.
fn parts(text: &str) -> Vec<(Label, &str)> {
    const ALL: [Label; 5] = [
        Label::Thought,
        Label::Action,
        Label::Input,
        Label::Observation,
        Label::Answer,
    ];
    let mut parts = Vec::new();
    let mut open: Option<(Label, usize)> = None;
    let mut line = 0;
    loop {
        let rest = text.get(line..).unwrap_or_default();
        // Bold that nothing follows is a label all the same.
        if let Labelled::With(label, length) = labelled(rest, &ALL) {
            if let Some((label, from)) = open {
                parts.push((label, text.get(from..line).unwrap_or_default()));
            }
            open = Some((label, line + length));
            if label == Label::Observation {
                return parts;
            }
            // On the same line, as some write it.
            if label == Label::Action
                && let Some(at) = input_on_the_line(text, line + length)
            {
                line = at;
                continue;
            }
        }
        let Some(end) = rest.find('\n') else { break };
        line += end + 1;
    }
    if let Some((label, from)) = open {
        parts.push((label, text.get(from..).unwrap_or_default()));
    }
    parts
}

/// Where an action's input begins on its own line.
fn input_on_the_line(text: &str, from: usize) -> Option<usize> {
    let line = text.get(from..)?.lines().next()?;
    let at = line.find("Action Input")?;
    let begins = matches!(
        labelled(line.get(at..)?, &[Label::Input]),
        Labelled::With(..)
    );
    begins.then_some(from + at)
}

/// The calls, the thought and the answer of a text that begins with an action.
pub(super) fn read(text: &str, reading: &Reading) -> Found {
    let mut found = Found::default();
    let mut parts = parts(text).into_iter().peekable();
    while let Some((label, body)) = parts.next() {
        let body = body.trim();
        match label {
            Label::Thought if !body.is_empty() => {
                let thought = &mut found.control.thought;
                *thought = thought.take().or_else(|| Some(Said::words(body)));
            }
            Label::Answer if !body.is_empty() => found.answer = Some(body.to_owned()),
            Label::Action => {
                let input = parts.next_if(|(label, _)| *label == Label::Input);
                let input = input.map(|(_, input)| input.trim());
                reading.act(body, input, &mut found);
            }
            Label::Thought | Label::Answer | Label::Input | Label::Observation => {}
        }
    }
    found
}

/// Whether a call was meant that [`read`] can't read: not where words follow the name.
pub(super) fn is_attempt(text: &str) -> bool {
    let parts = parts(text);
    let Some((_, body)) = parts.iter().find(|(label, _)| *label == Label::Action) else {
        return false;
    };
    let body = unfenced(body.trim()).unwrap_or_default();
    let (_, behind) = name(body);
    match behind.trim_start_matches(QUOTES).trim().chars().next() {
        Some('(') => matches!(pythonic::read(bare(body)), Python::Unread),
        Some('{' | '<') | None => true,
        Some(_) => body.starts_with('{'),
    }
}

/// A text without the marks that set it off.
fn bare(text: &str) -> &str {
    text.trim_matches(QUOTES).trim()
}

impl Reading {
    /// What an action says, with its input where that stands apart.
    fn act(&self, body: &str, input: Option<&str>, found: &mut Found) {
        let body = unfenced(body).unwrap_or(body);
        if body.starts_with('{') {
            match found.read(body) {
                Some((value, _)) => self.take(&value, found),
                None => found.is_cut = true,
            }
            return;
        }
        let (called, behind) = name(body);
        let behind = behind.trim_start_matches(QUOTES).trim();
        let json = behind.starts_with('{').then_some(behind);
        if behind.starts_with('(') {
            match pythonic::read(bare(body)) {
                Python::Calls(calls) => {
                    for (name, arguments) in calls {
                        self.call(name, arguments, &Map::new(), found);
                    }
                }
                Python::Unread => found.is_cut = true,
                Python::Words => {}
            }
        } else if let Some(input) = input.or(json).map(|input| input.trim_matches('*').trim()) {
            match self.input(called, input, found) {
                Some(arguments) => self.call(called, arguments, &Map::new(), found),
                None => found.is_cut = true,
            }
        } else if behind.is_empty() || behind.starts_with('<') {
            self.call(called, Value::Null, &Map::new(), found);
        }
    }

    /// An input: an object, or the text of the one argument that the tool needs.
    fn input(&self, called: &str, input: &str, found: &mut Found) -> Option<Value> {
        let body = unfenced(input).unwrap_or(input);
        if body.starts_with('{') {
            return Some(found.read(body)?.0);
        }
        let words = bare(body);
        if matches!(words, "" | "None" | "null" | "[]") {
            return Some(Value::Null);
        }
        let called = canonical(called);
        let tool = self.tools.known().iter().find(|tool| tool.name == called)?;
        let name = only_text(tool)?;
        Some(Value::Object(Map::from_iter([(
            name.to_owned(),
            Value::from(words),
        )])))
    }
}

/// The one argument of a tool that is needed, or the only one there is, if it is a text.
fn only_text(tool: &ToolDefinition) -> Option<&str> {
    let properties = tool.parameters.get("properties")?.as_object()?;
    let needed = tool.parameters.get("required").and_then(Value::as_array);
    let name = match (needed.map(Vec::as_slice), properties.len()) {
        (Some([one]), _) => one.as_str()?,
        (_, 1) => properties.keys().next()?,
        _ => return None,
    };
    let is_text = properties.get(name)?.get("type")? == "string";
    is_text.then_some(name)
}
