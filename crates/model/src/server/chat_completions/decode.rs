//! Decodes the events of a Chat Completions response, which are called chunks.

use crate::server::decoded_response::{CallSoFar, DecodedResponse, Reported};
use crate::server::dialect::Decode;
use crate::server::json::Fields;
use crate::server::refusal;
use crate::{Fault, Finish};
use serde_json::Value;
use std::borrow::Cow;

#[derive(Debug)]
pub(super) struct Decoder;

impl Decode for Decoder {
    fn event(&mut self, chunk: &Value, heard: &mut DecodedResponse) -> Result<bool, Fault> {
        let is_ours = matches!(chunk.at("choices"), Value::Null | Value::Array(_));
        if is_ours {
            take_chunk(chunk, heard)?;
        }
        Ok(is_ours)
    }

    fn whole(&mut self, body: &Value, heard: &mut DecodedResponse) -> Result<bool, Fault> {
        Ok(self.event(body, heard)? && choice(body).is_some())
    }
}

/// Returns the first choice of a chunk. Gloss requests only one choice.
fn choice(chunk: &Value) -> Option<&Value> {
    let is_first = |it: &&Value| it.is_object() && it.number("index").unwrap_or(0) == 0;
    chunk.list("choices").iter().find(is_first)
}

/// Reads a text in any form that servers use: a string, a list of parts with texts, or an object.
/// An object is returned as JSON.
fn text(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Null | Value::Bool(_) => Cow::Borrowed(""),
        Value::String(text) => Cow::Borrowed(text),
        Value::Array(parts) => {
            let parts = parts.iter().map(|part| text(part.at("text")));
            Cow::Owned(parts.collect())
        }
        Value::Number(_) | Value::Object(_) => value.to_string().into(),
    }
}

fn take_chunk(chunk: &Value, heard: &mut DecodedResponse) -> Result<(), Fault> {
    if chunk.has("error") {
        return Err(refusal::within_stream(chunk.at("error")));
    }
    if chunk.at("usage").is_object() {
        heard.usage = reported(chunk.at("usage"));
    }
    let Some(choice) = choice(chunk) else {
        return Ok(());
    };
    // A response that is not streamed has the field `message` in place of `delta`.
    let delta = match choice.at("delta") {
        delta @ Value::Object(_) => delta,
        _ => choice.at("message"),
    };
    let thought = text(delta.at("reasoning_content"));
    note(&thought, heard);
    let thought = match &*thought {
        "" => text(delta.at("reasoning")),
        _ => thought,
    };
    heard.think(&thought);
    heard.say(&text(delta.at("content")));
    heard.refuse(&text(delta.at("refusal")));
    for field in ["tool_calls", "toolCalls"] {
        let calls = delta.list(field).iter();
        calls
            .filter(|it| it.is_object())
            .for_each(|it| take_call(it, heard));
    }
    heard.finish = match &*text(choice.at("finish_reason")) {
        "" => heard.finish,
        "length" | "max_tokens" => Some(Finish::Length),
        "content_filter" => Some(Finish::Filtered),
        _ => Some(Finish::Stop),
    };
    Ok(())
}

/// Collects the reasoning, which is sent back together with the calls. `DeepSeek` and other servers
/// that use this field require it.
fn note(thought: &str, heard: &mut DecodedResponse) {
    match &mut heard.echo {
        Some(Value::String(noted)) => noted.push_str(thought),
        _ if thought.is_empty() => {}
        echo => *echo = Some(thought.into()),
    }
}

fn reported(usage: &Value) -> Reported {
    let read = usage.at("prompt_tokens_details");
    let from_cache = read.number("cached_tokens");
    Reported {
        input: usage.number("prompt_tokens"),
        output: usage.number("completion_tokens"),
        // `OpenAI` reports cache writes for models that charge for them (from GPT-5.6 on).
        // `OpenRouter` reports cache writes for all models.
        cache_written: read.number("cache_write_tokens"),
        // `DeepSeek` has another name for the field.
        cached: from_cache.or_else(|| usage.number("prompt_cache_hit_tokens")),
        reasoning: usage
            .at("completion_tokens_details")
            .number("reasoning_tokens"),
    }
}

/// Adds a delta to the call to which it belongs. Some servers omit the index, and some omit the id.
/// Some give the index 0 to every call, and some repeat the name in each delta.
fn take_call(delta: &Value, heard: &mut DecodedResponse) {
    let (index, function) = (delta.number("index"), delta.at("function"));
    let (id, name) = (text(delta.at("id")), text(function.at("name")));
    let same = |call: &CallSoFar| {
        let other_id = !id.is_empty() && !call.id.is_empty() && id != call.id;
        let begins = !name.is_empty() && !call.name.is_empty() && call.is_complete();
        let repeats = !id.is_empty() && id == call.id;
        !other_id && (repeats || !begins)
    };
    let calls = &heard.calls;
    let place = match index {
        Some(index) => calls.iter().rposition(|call| call.index == Some(index)),
        None if id.is_empty() => calls.len().checked_sub(1),
        None => calls.iter().rposition(|call| call.id == id),
    };
    let place = place.filter(|place| calls.get(*place).is_some_and(same));
    let place = place.unwrap_or_else(|| heard.call(index, "", ""));
    if let Some(call) = heard.calls.get_mut(place) {
        if call.id.is_empty() {
            call.id = id.into_owned();
        }
        if call.name.is_empty() {
            call.name = name.into_owned();
        }
    }
    heard.argue(place, &text(function.at("arguments")));
}
