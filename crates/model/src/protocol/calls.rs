//! Converts parsed JSON to tool calls. Finds the fields that contain a tool's name, its arguments,
//! or an answer.
//!
//! Example: `{"action": "find_in_page", "action_input": {"query": "tide"}}` is a call;
//! `{"action": "respond", "input": "Two tides."}` is an answer.

use super::inline::{ARGUMENTS, FIELDS, answers};
use super::repair::{self, End};
use super::{REASONING, control};
use crate::phrase::DisplayText;
use crate::{Calling, Control, ToolCall, ToolDefinition, Tools};
use serde_json::{Map, Value};

/// The run's tools, and the format in which the model calls them.
pub(super) struct ParseContext {
    pub(super) calling: Calling,
    pub(super) tools: Tools,
}

/// The parsed content of a text: tool calls, control fields and an answer.
#[derive(Default)]
pub(super) struct ParsedCalls {
    pub(super) calls: Vec<ToolCall>,
    pub(super) control: Control,
    pub(super) answer: Option<String>,
    /// True if the text ends within a string or before a value, or if one of its calls can't be
    /// read.
    pub(super) is_cut: bool,
}

impl ParsedCalls {
    /// Returns true if the content can be used. An incomplete answer can be shown. An incomplete
    /// call can't be made, because the rest of its arguments is unknown.
    pub(super) fn is_something(&self) -> bool {
        if self.calls.is_empty() {
            self.answer.is_some()
        } else {
            !self.is_cut
        }
    }

    /// Reads the JSON value at the beginning of `text`, and returns it with its length in bytes.
    pub(super) fn read(&mut self, text: &str) -> Option<(Value, usize)> {
        Some(self.keep(repair::value(text)?))
    }

    /// Reads the JSON value at the beginning of `text`, inside a code block. `inside` is the offset
    /// of the next code fence. The value ends before that fence, unless the fence is part of the
    /// value, for example of a string.
    pub(super) fn read_fenced(&mut self, text: &str, inside: usize) -> Option<(Value, usize)> {
        let within = text.get(..inside).and_then(repair::value);
        let within = within.filter(|read| read.end == End::Whole);
        // A string of the value contains the fence, or the reply ends within a string.
        Some(self.keep(within.or_else(|| repair::value(text))?))
    }

    fn keep(&mut self, read: repair::Read) -> (Value, usize) {
        self.is_cut |= read.end == End::CutOff;
        (read.value, read.length)
    }
}

impl ParseContext {
    /// Collects the tool calls, the answer and the control fields of a JSON value.
    pub(super) fn take(&self, value: &Value, found: &mut ParsedCalls) {
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
            // In an object with a list of calls, the field `action` only says that tools are
            // called.
            let arguments = ARGUMENTS.iter().find_map(|name| fields.get(*name));
            self.call(
                called,
                arguments.cloned().unwrap_or_default(),
                fields,
                found,
            );
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
        found: &mut ParsedCalls,
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
        call.reasoning = why.map(|why| DisplayText::words(&why)).or(call.reasoning);
        call.after = text("after").or(call.after);
        if found.calls.iter().any(|other| other.id == call.id) {
            call.id = format!("call_{place}");
        }
        found.calls.push(call);
    }

    pub(super) fn knows(&self, name: &str) -> bool {
        is_known(name, self.tools.known())
    }
}

/// Returns the name of the tool that a JSON object calls. The field `name` counts only together
/// with arguments, because many other objects have a field `name`.
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

/// Returns true if one of `tools` has this name.
pub(super) fn is_known(name: &str, tools: &[ToolDefinition]) -> bool {
    let name = canonical(name);
    tools.iter().any(|tool| tool.name == name)
}

fn declares(tool: &ToolDefinition, field: &str) -> bool {
    let properties = tool.parameters.get("properties");
    properties.is_some_and(|properties| properties.get(field).is_some())
}

/// Makes a tool call from a call in a provider's format. The argument `reasoning` becomes the
/// call's reason, and the argument `after` names the call to wait for.
pub(crate) fn native_call(
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
        reasoning = ours(REASONING).map(|why| DisplayText::words(&why));
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
