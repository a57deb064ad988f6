//! Decodes the events of a Chat Completions response, which are called chunks.

use crate::server::decode::{CallSoFar, DecodedResponse, Reported};
use crate::server::dialect::{Decode, Delta, Take};
use crate::server::event_template::EventTemplate;
use crate::server::json::{self, Fields};
use crate::server::refusal;
use crate::{Fault, Finish};
use serde_json::Value;
use std::borrow::Cow;

/// A field with random padding, which hides the length of the text from eavesdroppers. Its value is
/// ignored.
const FREE: [&str; 1] = ["obfuscation"];

#[derive(Debug, Default)]
pub(super) struct Decoder {
    mould: Option<EventTemplate>,
}

impl Decode for Decoder {
    fn event(
        &mut self,
        data: &str,
        heard: &mut DecodedResponse,
        take: &mut Take<'_>,
    ) -> Result<bool, Fault> {
        if let Some(content) = self.mould.as_ref().and_then(|mould| mould.content(data)) {
            heard.tell(Delta::Content(&content), take);
            return Ok(true);
        }
        if data.trim() == "[DONE]" {
            heard.done = true;
            return Ok(true);
        }
        let Some(chunk) = read(data) else {
            return Ok(false);
        };
        let mould =
            only_content(&chunk).and_then(|content| EventTemplate::of(data, content, &FREE));
        self.mould = mould.or(self.mould.take());
        take_chunk(&chunk, heard, take)?;
        Ok(true)
    }

    fn whole(
        &mut self,
        body: &str,
        heard: &mut DecodedResponse,
        take: &mut Take<'_>,
    ) -> Result<bool, Fault> {
        let Some(chunk) = read(body) else {
            return Ok(false);
        };
        take_chunk(&chunk, heard, take)?;
        Ok(choice(&chunk).is_some())
    }
}

/// Parses a chunk of a stream, or a whole completion.
fn read(data: &str) -> Option<Value> {
    let has_choices = |chunk: &Value| matches!(chunk.at("choices"), Value::Null | Value::Array(_));
    json::object(data).filter(has_choices)
}

/// The first choice of a chunk. Gloss requests only one.
fn choice(chunk: &Value) -> Option<&Value> {
    let is_first = |it: &&Value| it.is_object() && it.number("index").unwrap_or(0) == 0;
    chunk.list("choices").iter().find(is_first)
}

/// The content of a chunk; `None` if the chunk contains anything else that matters.
fn only_content(chunk: &Value) -> Option<&str> {
    const OTHERS: [&str; 5] = [
        "reasoning_content",
        "reasoning",
        "refusal",
        "tool_calls",
        "toolCalls",
    ];
    let choice = choice(chunk)?;
    let delta = choice.at("delta");
    let alone = !OTHERS.iter().any(|other| delta.has(other))
        && !["message", "finish_reason"].iter().any(|it| choice.has(it))
        && !["usage", "error"].iter().any(|it| chunk.has(it));
    delta.at("content").as_str().filter(|_| alone)
}

/// A text in any form that servers use: a string, a list of parts with texts, or an object, which
/// is converted to JSON.
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

fn take_chunk(
    chunk: &Value,
    heard: &mut DecodedResponse,
    take: &mut Take<'_>,
) -> Result<(), Fault> {
    if chunk.has("error") {
        return Err(refusal::within_stream(chunk.at("error")));
    }
    if chunk.at("usage").is_object() {
        heard.usage = reported(chunk.at("usage"));
    }
    let Some(choice) = choice(chunk) else {
        return Ok(());
    };
    // A completion that is not streamed has `message` instead of `delta`.
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
    heard.tell(Delta::Reasoning(&thought), take);
    heard.tell(Delta::Content(&text(delta.at("content"))), take);
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

/// Collects the reasoning to be sent back with the calls. `DeepSeek` and other servers that use
/// this field require it.
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
        // `OpenAI` charges for cache writes from GPT-5.6 on; `OpenRouter` reports them for all
        // models.
        cache_written: read.number("cache_write_tokens"),
        // `DeepSeek` has another name for the field.
        cached: from_cache.or_else(|| usage.number("prompt_cache_hit_tokens")),
        reasoning: usage
            .at("completion_tokens_details")
            .number("reasoning_tokens"),
    }
}

/// Adds a delta to the call to which it belongs. Some servers omit the index, some omit the id,
/// some number every call 0, and some repeat the name in each delta.
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
