//! Builds a [`Reply`] from the decoded response and the parsed text.

use super::decoded_response::{CallSoFar, DecodedResponse};
use crate::phrase::DisplayText;
use crate::protocol::{ParsedReply, native_call};
use crate::{Api, Echo, Finish, Reply, ToolCall, ToolDefinition, Tools, Usage};
use gloss_text::tokens::estimate;
use serde_json::{Map, Value};

/// The data of a response without its parsed text.
pub(crate) struct Beside<'a> {
    pub(crate) heard: DecodedResponse,
    /// The API and the model of the response. They are recorded together with the data to be sent
    /// back.
    pub(crate) by: (Api, &'a str),
    /// The body of the request, from which the input tokens are estimated.
    pub(crate) body: &'a str,
    pub(crate) tools: &'a Tools,
}

/// Builds the reply. If the reply calls tools and has no thought yet, its text becomes the model's
/// thought.
pub(crate) fn reply(speech: ParsedReply, beside: Beside<'_>) -> Reply {
    let Beside {
        mut heard,
        by: (api, model),
        body,
        tools,
    } = beside;
    let echo = heard.echo.take().map(|value| Echo {
        api,
        model: model.to_owned(),
        value,
    });
    let mut reply = Reply {
        text: speech.text,
        calls: speech.calls,
        control: speech.control,
        usage: usage(&heard, body),
        finish: finish(&heard),
        reasoning: [heard.reasoning, speech.reasoning]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join("\n\n"),
        malformed: heard.malformed.take().or(speech.malformed),
        written: speech.written,
        echo: None,
    };
    // If the run has no tools, calls are ignored and the text stays the answer.
    if !heard.calls.is_empty() && !tools.known().is_empty() {
        reply.calls.clear();
        take_calls(heard.calls, tools.known(), &mut reply);
    }
    // If the model may not call tools now, the text of the reply stays the answer.
    if !reply.calls.is_empty() && !tools.are_withheld() {
        reply.echo = echo;
        let beside = std::mem::take(&mut reply.text);
        let said = beside.trim();
        if reply.control.thought.is_none() && !said.is_empty() && reply.malformed.is_none() {
            reply.control.thought = Some(DisplayText::words(said));
        }
    }
    if !heard.refusal.is_empty() {
        reply.text.push_str(&heard.refusal);
    }
    reply
}

fn take_calls(calls: Vec<CallSoFar>, tools: &[ToolDefinition], reply: &mut Reply) {
    let mut unread = Vec::new();
    for (place, call) in calls.into_iter().enumerate() {
        if call.name.is_empty() {
            reply.malformed = Some("a call names no tool".to_owned());
            unread.push(call.arguments);
            continue;
        }
        let Some(arguments) = arguments(&call.arguments) else {
            reply.malformed = Some(format!(
                "the arguments of the call of {} are not a JSON object",
                call.name
            ));
            unread.push(format!("{} {}", call.name, call.arguments));
            continue;
        };
        let mut call: ToolCall = native_call(place, Some(call.id), &call.name, arguments, tools);
        let mut next = place;
        while reply.calls.iter().any(|other| other.id == call.id) {
            call.id = format!("call_{next}");
            next += 1;
        }
        reply.calls.push(call);
    }
    // The next request contains this text, so that the model sees the call that it wrote.
    if !unread.is_empty() {
        reply.written = unread.join("\n");
    }
}

/// Parses the arguments of a call as a JSON object. An empty text gives an empty object. `None` if
/// the arguments can't be read.
fn arguments(text: &str) -> Option<Value> {
    let text = text.trim();
    if text.is_empty() || text == "null" {
        return Some(Value::Object(Map::new()));
    }
    let read = match serde_json::from_str::<Value>(text) {
        // Some servers encode the arguments twice, so the value is a string that contains JSON.
        Ok(Value::String(inner)) => crate::protocol::repaired(&inner),
        Ok(value) => Some(value),
        Err(_) => crate::protocol::repaired(text),
    };
    read.filter(Value::is_object)
}

fn finish(heard: &DecodedResponse) -> Finish {
    if heard.refusal.is_empty() {
        heard.finish.unwrap_or_default()
    } else {
        Finish::Declined
    }
}

/// The usage that the provider reports. Counts that the provider does not report are estimated as
/// in SPEC §9.
pub(super) fn usage(heard: &DecodedResponse, body: &str) -> Usage {
    let reported = heard.usage;
    let written = || {
        let calls = heard.calls.iter();
        let calls: u32 = calls
            .map(|c| estimate(&c.name) + estimate(&c.arguments))
            .sum();
        let texts = [&heard.content, &heard.reasoning, &heard.refusal];
        calls + texts.map(|text| estimate(text)).iter().sum::<u32>()
    };
    let counted = |tokens: Option<u32>| tokens.filter(|tokens| *tokens > 0);
    let input_tokens = counted(reported.input).unwrap_or_else(|| estimate(body));
    let output_tokens = counted(reported.output).unwrap_or_else(written);
    Usage {
        input_tokens,
        output_tokens,
        // Cached tokens are part of the input tokens, so their count is limited to the input.
        cached_tokens: reported.cached.unwrap_or(0).min(input_tokens),
        cache_written_tokens: reported.cache_written.unwrap_or(0).min(input_tokens),
        reasoning_tokens: reported.reasoning.unwrap_or(0).min(output_tokens),
    }
}
