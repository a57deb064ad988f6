//! The chunks of an answer.

use super::wire::{CallDelta, Choice, Chunk, Usage};
use crate::model::server::decode::{CallSoFar, Heard, Reported};
use crate::model::server::dialect::{Decode, Delta, Take};
use crate::model::server::mould::Mould;
use crate::model::server::refusal;
use crate::model::{Fault, Finish};
use serde_json::Value;
use std::borrow::Cow;

/// Fill a chunk up, so that its length tells nothing.
const FREE: [&str; 1] = ["obfuscation"];

/// Takes the chunks of one response.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    mould: Option<Mould>,
}

impl Decode for Decoder {
    fn event(&mut self, data: &str, heard: &mut Heard, take: &mut Take<'_>) -> Result<bool, Fault> {
        if let Some(content) = self.mould.as_ref().and_then(|mould| mould.content(data)) {
            heard.tell(Delta::Content(&content), take);
            return Ok(true);
        }
        if data.trim() == "[DONE]" {
            heard.done = true;
            return Ok(true);
        }
        let Ok(chunk) = Chunk::of(data) else {
            return Ok(false);
        };
        let mould = lent_alone(&chunk).and_then(|content| Mould::of(data, content, &FREE));
        self.mould = mould.or(self.mould.take());
        take_chunk(chunk, heard, take)?;
        Ok(true)
    }

    fn whole(&mut self, body: &str, heard: &mut Heard, take: &mut Take<'_>) -> Result<bool, Fault> {
        let Ok(chunk) = Chunk::of(body) else {
            return Ok(false);
        };
        let is_answer = chunk.choices.0.is_some();
        take_chunk(chunk, heard, take)?;
        Ok(is_answer)
    }
}

/// The content of a chunk that has no other meaning.
fn lent_alone<'a>(chunk: &Chunk<'a>) -> Option<&'a str> {
    let Choice {
        delta: Some(delta),
        message: None,
        finish_reason: None,
        ..
    } = chunk.choices.0.as_ref()?
    else {
        return None;
    };
    let others = [&delta.reasoning_content, &delta.reasoning, &delta.refusal];
    let alone = others.iter().all(|other| other.is_none()) && delta.tool_calls.is_none();
    let Cow::Borrowed(content) = delta.content.as_ref()?.0 else {
        return None;
    };
    (alone && chunk.usage.is_none() && chunk.error.is_none()).then_some(content)
}

fn take_chunk(chunk: Chunk<'_>, heard: &mut Heard, take: &mut Take<'_>) -> Result<(), Fault> {
    if let Some(error) = &chunk.error {
        return Err(refusal::within_stream(error));
    }
    if let Some(usage) = chunk.usage {
        heard.usage = reported(usage);
    }
    let Some(Choice {
        delta,
        message,
        finish_reason,
        ..
    }) = chunk.choices.0
    else {
        return Ok(());
    };
    if let Some(delta) = delta.or(message) {
        if let Some(thought) = &delta.reasoning_content {
            note(&thought.0, heard);
        }
        for reasoning in [&delta.reasoning_content, &delta.reasoning]
            .into_iter()
            .flatten()
            .take(1)
        {
            heard.tell(Delta::Reasoning(&reasoning.0), take);
        }
        if let Some(content) = &delta.content {
            heard.tell(Delta::Content(&content.0), take);
        }
        if let Some(refusal) = delta.refusal {
            heard.refuse(&refusal.0);
        }
        for call in delta.tool_calls.into_iter().flatten() {
            take_call(call, heard);
        }
    }
    if let Some(reason) = finish_reason.filter(|reason| !reason.0.is_empty()) {
        heard.finish = Some(match &*reason.0 {
            "length" | "max_tokens" => Finish::Length,
            "content_filter" => Finish::Filtered,
            _ => Finish::Stop,
        });
    }
    Ok(())
}

/// `DeepSeek` and others who call their reasoning so want it back with the calls.
fn note(thought: &str, heard: &mut Heard) {
    match &mut heard.echo {
        Some(Value::String(noted)) => noted.push_str(thought),
        _ if thought.is_empty() => {}
        echo => *echo = Some(thought.into()),
    }
}

fn reported(usage: Usage) -> Reported {
    let read = usage.prompt_tokens_details;
    Reported {
        input: usage.prompt_tokens,
        output: usage.completion_tokens,
        cache_written: read.and_then(|details| details.cache_written),
        cached: read
            .and_then(|details| details.cached_tokens)
            .or(usage.prompt_cache_hit_tokens),
        reasoning: usage
            .completion_tokens_details
            .and_then(|details| details.reasoning_tokens),
    }
}

/// Servers differ: some leave out the index, some the id, some send every call as
/// number 0, some repeat the name with each piece.
fn take_call(delta: CallDelta<'_>, heard: &mut Heard) {
    let id = delta.id.map(|id| id.0).unwrap_or_default();
    let (name, arguments) = match delta.function {
        Some(function) => (function.name, function.arguments),
        None => (None, None),
    };
    let name = name.map(|name| name.0).unwrap_or_default();
    let same = |call: &CallSoFar| {
        let other_id = !id.is_empty() && !call.id.is_empty() && id != call.id;
        let begins = !name.is_empty() && !call.name.is_empty() && call.is_complete();
        let repeats = !id.is_empty() && id == call.id;
        !other_id && (repeats || !begins)
    };
    let calls = &heard.calls;
    let place = match delta.index {
        Some(index) => calls.iter().rposition(|call| call.index == Some(index)),
        None if id.is_empty() => calls.len().checked_sub(1),
        None => calls.iter().rposition(|call| call.id == id),
    };
    let place = place.filter(|place| calls.get(*place).is_some_and(same));
    let place = place.unwrap_or_else(|| heard.call(delta.index, "", ""));
    if let Some(call) = heard.calls.get_mut(place) {
        if call.id.is_empty() {
            call.id = id.into_owned();
        }
        if call.name.is_empty() {
            call.name = name.into_owned();
        }
    }
    let arguments = arguments.map(|text| text.0).unwrap_or_default();
    heard.argue(place, &arguments);
}
