//! Calls and answers that a model wrote as text, in SPEC §2's order: fenced JSON, a
//! bare JSON object, XML-style tags. What begins with a mark of its own is read by that.

use super::inline::{ARGUMENTS, FIELDS, answers};
use super::named;
use super::pythonic::{self, Python};
use super::react;
use super::repair::{self, End};
use super::signs::{Form, MARK};
use super::tagged::tagged;
use super::{REASONING, control};
use crate::model::{Calling, Control, ToolCall, ToolDefinition, Tools};
use crate::phrase::Said;
use serde_json::{Map, Value};

/// What is known while a text is read.
pub(super) struct Reading {
    pub(super) calling: Calling,
    pub(super) tools: Tools,
}

/// What a text said.
#[derive(Default)]
pub(super) struct Found {
    pub(super) calls: Vec<ToolCall>,
    pub(super) control: Control,
    pub(super) answer: Option<String>,
    /// A part of it cannot be read, or is cut off within a string.
    pub(super) is_cut: bool,
}

impl Found {
    /// Half an answer is one; half a call would be another call.
    fn is_something(&self) -> bool {
        if self.calls.is_empty() {
            self.answer.is_some()
        } else {
            !self.is_cut
        }
    }

    /// The value that `text` begins with, and how many bytes it takes.
    pub(super) fn read(&mut self, text: &str) -> Option<(Value, usize)> {
        Some(self.keep(repair::value(text)?))
    }

    /// The value that `text` begins with, which ends with a fence after `inside` bytes if
    /// that is no part of it.
    fn read_fenced(&mut self, text: &str, inside: usize) -> Option<(Value, usize)> {
        let within = text.get(..inside).and_then(repair::value);
        let read = match within {
            // A text of it has fences of its own, or it just ends in the middle of one.
            Some(read) if read.end == End::CutOff => {
                let whole = repair::value(text).filter(|it| it.end == End::Whole);
                whole.unwrap_or(read)
            }
            within => within.or_else(|| repair::value(text))?,
        };
        Some(self.keep(read))
    }

    fn keep(&mut self, read: repair::Read) -> (Value, usize) {
        self.is_cut |= read.end == End::CutOff;
        (read.value, read.length)
    }
}

const FENCE: &str = "```";

/// The calls or the answer that `text` holds; `None` if it holds neither.
pub(super) fn find(text: &str, reading: &Reading) -> Option<Found> {
    // What a mark or a tag says to be a call is one, whatever its arguments are named.
    let ways: &[fn(&str, &Reading) -> Found] = match Form::of(text, reading.tools.known()) {
        Form::Marked => &[marked],
        Form::React => &[react::read],
        Form::Python => &[pythonic],
        Form::Tagged => &[tagged, fenced, bare],
        Form::Json => &[fenced, bare, tagged],
    };
    ways.iter().find_map(|way| {
        let found = way(text, reading);
        found.is_something().then_some(found)
    })
}

/// Whether `text` looks like a call that went wrong.
pub(super) fn is_attempt(text: &str, reading: &Reading) -> bool {
    match Form::of(text, reading.tools.known()) {
        Form::React => return react::is_attempt(text),
        Form::Python => return matches!(pythonic::read(text), Python::Unread),
        Form::Marked => return is_marked_attempt(text, reading),
        Form::Tagged | Form::Json => {}
    }
    let signs = [
        "\"action\"",
        "tool_call",
        "toolCalls",
        "\"arguments\"",
        "<function",
        "<invoke",
        "<action>",
    ];
    signs.iter().any(|sign| text.contains(sign))
}

/// Whether a call follows Mistral's mark, or its beginning: an answer may speak of the mark.
fn is_marked_attempt(text: &str, reading: &Reading) -> bool {
    let rest = text.split_once(MARK).map_or("", |(_, rest)| rest);
    let rest = rest.trim_start();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
    let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let (name, behind) = rest.split_at_checked(end).unwrap_or_default();
    let ends = behind.trim().is_empty() && (name.is_empty() || reading.knows(name));
    ends || behind.starts_with(['[', '{'])
}

/// The object that `text` begins with, fenced or not, and what stands behind it.
pub(super) fn object(text: &str) -> Option<(Map<String, Value>, &str)> {
    let is_fenced = text.starts_with(FENCE);
    let begins = match text.split_once('\n') {
        Some((_, inside)) if is_fenced => inside.trim_start(),
        _ => text.trim_start(),
    };
    let read = repair::value(begins).filter(|read| read.end == End::Whole)?;
    let behind = begins.get(read.length..)?.trim();
    let closing = if is_fenced { FENCE } else { "" };
    match read.value {
        Value::Object(fields) => Some((fields, behind.strip_prefix(closing)?.trim_start())),
        _ => None,
    }
}

fn fenced(text: &str, reading: &Reading) -> Found {
    let mut found = Found::default();
    let mut rest = text;
    while let Some((_, fenced)) = rest.split_once(FENCE) {
        let inside = fenced.find(FENCE).unwrap_or(fenced.len());
        let begins = fenced.find(['{', '[']).filter(|at| *at < inside);
        let read = begins.and_then(|at| {
            let (value, length) = found.read_fenced(fenced.get(at..)?, inside - at)?;
            Some((value, at + length))
        });
        let end = read.as_ref().map_or(inside, |(_, end)| *end);
        if let Some((value, _)) = read {
            reading.take(&value, &mut found);
        }
        // Behind the fence that closes it.
        let behind = fenced.get(end..).unwrap_or_default();
        rest = behind.split_once(FENCE).map_or("", |(_, after)| after);
    }
    found
}

fn bare(text: &str, reading: &Reading) -> Found {
    let mut found = Found::default();
    let mut rest = text;
    // Each object costs its length once: what could not be read ends the search.
    while let Some(object) = rest.find('{').and_then(|at| rest.get(at..)) {
        let Some((value, length)) = found.read(object) else {
            break;
        };
        reading.take(&value, &mut found);
        rest = object.get(length..).unwrap_or_default();
    }
    found
}

/// Mistral's forms: a list of JSON behind the mark, or the name of each call before its
/// arguments, as in `[TOOL_CALLS]find_in_page[ARGS]{"query": "tide"}`.
fn marked(text: &str, reading: &Reading) -> Found {
    let mut found = Found::default();
    let mut rest = text;
    while let Some(call) = rest.trim_start().strip_prefix(MARK) {
        let call = call.trim_start();
        let begins = call
            .find(['[', '{'])
            .and_then(|at| call.split_at_checked(at));
        let (name, behind) = begins.unwrap_or((call, ""));
        let behind = match behind.strip_prefix("[CALL_ID]") {
            Some(id) => id.find("[ARGS]").and_then(|at| id.get(at..)).unwrap_or(id),
            None => behind,
        };
        let json = behind.strip_prefix("[ARGS]").unwrap_or(behind);
        let json = json.trim_start();
        let Some((value, length)) = found.read(json) else {
            found.is_cut = true;
            break;
        };
        if name.is_empty() {
            reading.take(&value, &mut found);
        } else {
            reading.call(name, value, &Map::new(), &mut found);
        }
        rest = json.get(length..).unwrap_or_default();
    }
    found
}

fn pythonic(text: &str, reading: &Reading) -> Found {
    let mut found = Found::default();
    if let Python::Calls(calls) = pythonic::read(text) {
        for (name, arguments) in calls {
            reading.call(name, arguments, &Map::new(), &mut found);
        }
    }
    found
}

impl Reading {
    pub(super) fn take(&self, value: &Value, found: &mut Found) {
        self.take_named("", value, found);
    }

    /// `name` stood before the object, as in `find_in_page {"query": …}`.
    pub(super) fn take_named(&self, name: &str, value: &Value, found: &mut Found) {
        let fields = match value {
            Value::Array(values) => return values.iter().for_each(|v| self.take(v, found)),
            Value::Object(fields) => fields,
            _ => return,
        };
        control::read(fields, &mut found.control);
        let listed = ["tool_calls", "toolCalls"].iter();
        let listed = listed.filter_map(|name| fields.get(*name)?.as_array());
        let listed: Vec<&Value> = listed.flatten().collect();
        for call in &listed {
            self.take(call, found);
        }
        let nested = fields.get("function").or_else(|| fields.get("action"));
        if let Some(inner @ Value::Object(_)) = nested {
            self.take(inner, found);
        } else if let Some(called) = called(fields).filter(|_| listed.is_empty()) {
            // Beside a list an `action` says only that tools are called.
            let arguments = ARGUMENTS.iter().find_map(|name| fields.get(*name));
            self.call(
                called,
                arguments.cloned().unwrap_or_default(),
                fields,
                found,
            );
        } else if !name.is_empty() && self.knows(name) {
            self.call(name, value.clone(), &Map::new(), found);
        }
        let inline = FIELDS.iter().find_map(|name| fields.get(*name)?.as_str());
        if let Some(answer) = inline.filter(|answer| !answer.trim().is_empty()) {
            found.answer.get_or_insert_with(|| answer.to_owned());
        }
    }

    pub(super) fn call(
        &self,
        name: &str,
        arguments: Value,
        fields: &Map<String, Value>,
        found: &mut Found,
    ) {
        let name = name.trim().trim_matches('"');
        let arguments = match arguments {
            Value::String(text) => match found.read(text.trim()) {
                Some((value, _)) => value,
                None => Value::String(text),
            },
            other => other,
        };
        if answers(name) && !self.knows(name) {
            let answer = match &arguments {
                Value::String(text) => Some(text.clone()),
                other => ["final_answer", "answer", "response", "text", "content"]
                    .iter()
                    .find_map(|field| Some(other.get(field)?.as_str()?.to_owned())),
            };
            found.answer = found.answer.take().or(answer);
            return;
        }
        let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
        if !is_name || (self.calling == Calling::Native && !self.knows(name)) {
            return;
        }
        let text = |field: &str| Some(fields.get(field)?.as_str()?.to_owned());
        let place = found.calls.len();
        let mut call = native_call(place, text("id"), name, arguments, self.tools.known());
        let why = text(REASONING).filter(|why| !why.trim().is_empty());
        call.reasoning = why.map(|why| Said::words(&why)).or(call.reasoning);
        call.after = text("after").or(call.after);
        if found.calls.iter().any(|other| other.id == call.id) {
            call.id = format!("call_{place}");
        }
        found.calls.push(call);
    }

    pub(super) fn knows(&self, name: &str) -> bool {
        named::is_known(name, self.tools.known())
    }
}

/// The tool that an object names. A bare `name` is one only beside arguments: objects
/// with names are common.
fn called(fields: &Map<String, Value>) -> Option<&str> {
    let action = ["action", "tool", "tool_name"]
        .iter()
        .find_map(|name| fields.get(*name)?.as_str());
    action.or_else(|| {
        let name = fields.get("name")?.as_str()?;
        ARGUMENTS
            .iter()
            .any(|field| fields.contains_key(*field))
            .then_some(name)
    })
}

pub(super) fn canonical(name: &str) -> &str {
    match name {
        "search_web_for_info" => "web_search",
        other => other,
    }
}

fn declares(tool: &ToolDefinition, field: &str) -> bool {
    let properties = tool.parameters.get("properties");
    properties.is_some_and(|properties| properties.get(field).is_some())
}

/// A call as a provider's own form gives it: its reasoning comes among the arguments.
pub(in crate::model) fn native_call(
    place: usize,
    id: Option<String>,
    name: &str,
    mut arguments: Value,
    tools: &[ToolDefinition],
) -> ToolCall {
    let name = canonical(name).to_owned();
    let tool = tools.iter().find(|tool| tool.name == name);
    let mut reasoning = None;
    let mut after = None;
    if arguments.is_null() {
        arguments = Value::Object(Map::new());
    }
    if let Value::Object(fields) = &mut arguments {
        let mut ours = |field: &str| {
            let own = tool.is_some_and(|tool| declares(tool, field));
            let taken = if own { None } else { fields.remove(field) }?;
            taken
                .as_str()
                .map(str::to_owned)
                .filter(|text| !text.trim().is_empty())
        };
        reasoning = ours(REASONING).map(|why| Said::words(&why));
        after = ours("after");
    }
    ToolCall {
        id: id
            .filter(|id| !id.is_empty())
            .unwrap_or_else(|| format!("call_{place}")),
        name,
        arguments,
        reasoning,
        after,
    }
}
