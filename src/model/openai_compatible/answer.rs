//! From what was gathered and heard to a [`Reply`].

use super::decode::{CallSoFar, Gathered};
use crate::model::protocol::{Speech, native_call};
use crate::model::{Finish, Reply, ToolCall, ToolDefinition, Usage};
use crate::phrase::Said;
use crate::text::tokens::estimate;
use serde_json::{Map, Value};

/// What stands beside the speech.
pub(super) struct Beside<'a> {
    pub(super) gathered: Gathered,
    pub(super) reasoning: String,
    /// All that was written as content, for an estimate.
    pub(super) content_tokens: u32,
    /// The request's body, for another.
    pub(super) body: &'a str,
    pub(super) tools: &'a [ToolDefinition],
}

/// The reply. Content beside native calls is their thought.
pub(super) fn reply(speech: Speech, beside: Beside<'_>) -> Reply {
    let Beside {
        gathered,
        reasoning,
        content_tokens,
        body,
        tools,
    } = beside;
    let mut reply = Reply {
        text: speech.text,
        calls: speech.calls,
        control: speech.control,
        usage: usage(&gathered, &reasoning, content_tokens, body),
        finish: finish(&gathered),
        reasoning: [reasoning, speech.reasoning]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join("\n\n"),
        malformed: speech.malformed,
    };
    // What was not offered is no call, and takes no text's place.
    if !gathered.calls.is_empty() && !tools.is_empty() {
        reply.calls.clear();
        take_calls(gathered.calls, tools, &mut reply);
    }
    if !reply.calls.is_empty() {
        let beside = std::mem::take(&mut reply.text);
        let said = beside.trim();
        if reply.control.thought.is_none() && !said.is_empty() && reply.malformed.is_none() {
            reply.control.thought = Some(Said::words(said));
        }
    }
    if !gathered.refusal.is_empty() {
        reply.text.push_str(&gathered.refusal);
    }
    reply
}

fn take_calls(calls: Vec<CallSoFar>, tools: &[ToolDefinition], reply: &mut Reply) {
    for (place, call) in calls.into_iter().enumerate() {
        if call.name.is_empty() {
            reply.malformed = Some("a call names no tool".to_owned());
            continue;
        }
        let Some(arguments) = arguments(&call.arguments) else {
            reply.malformed = Some(format!(
                "the arguments of the call of {} are not a JSON object",
                call.name
            ));
            continue;
        };
        let mut call: ToolCall = native_call(place, Some(call.id), &call.name, arguments, tools);
        if reply.calls.iter().any(|other| other.id == call.id) {
            call.id = format!("call_{place}");
        }
        reply.calls.push(call);
    }
}

/// Arguments as an object; none at all are an empty one.
fn arguments(text: &str) -> Option<Value> {
    let text = text.trim();
    if text.is_empty() || text == "null" {
        return Some(Value::Object(Map::new()));
    }
    let replaced = super::surrogates::replaced(text);
    let text = replaced.as_deref().unwrap_or(text);
    let read = match serde_json::from_str::<Value>(text) {
        // Some servers quote the JSON twice.
        Ok(Value::String(inner)) => crate::model::protocol::repaired(&inner),
        Ok(value) => Some(value),
        Err(_) => crate::model::protocol::repaired(text),
    };
    read.filter(Value::is_object)
}

fn finish(gathered: &Gathered) -> Finish {
    match gathered.finish_reason.as_deref() {
        _ if !gathered.refusal.is_empty() => Finish::Declined,
        Some("length" | "max_tokens") => Finish::Length,
        Some("content_filter") => Finish::Filtered,
        _ => Finish::Stop,
    }
}

/// The provider's count, or where it gives none SPEC §9's estimate.
fn usage(gathered: &Gathered, reasoning: &str, content_tokens: u32, body: &str) -> Usage {
    let reported = gathered.usage;
    let written = || {
        let calls = gathered.calls.iter();
        let calls: u32 = calls
            .map(|c| estimate(&c.name) + estimate(&c.arguments))
            .sum();
        content_tokens + calls + estimate(reasoning) + estimate(&gathered.refusal)
    };
    Usage {
        input_tokens: reported
            .and_then(|usage| usage.prompt_tokens)
            .filter(|tokens| *tokens > 0)
            .unwrap_or_else(|| estimate(body)),
        output_tokens: reported
            .and_then(|usage| usage.completion_tokens)
            .filter(|tokens| *tokens > 0)
            .unwrap_or_else(written),
    }
}
