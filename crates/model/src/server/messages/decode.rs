//! Decodes the events of a Messages response.

use crate::server::decoded_response::DecodedResponse;
use crate::server::dialect::Decode;
use crate::server::json::{self, Fields};
use crate::server::refusal;
use crate::{Fault, Finish};
use gloss_durable::json::put;
use serde_json::Value;

#[derive(Debug, Default)]
pub(super) struct Decoder {
    /// Blocks of the model's thinking, which are sent back unchanged, with their positions in the
    /// reply.
    thought: Vec<(Option<u32>, Value)>,
    /// The input tokens outside of the cache. Anthropic counts cached tokens separately.
    fresh: Option<u32>,
}

impl Decode for Decoder {
    fn event(&mut self, event: &Value, heard: &mut DecodedResponse) -> Result<bool, Fault> {
        match event.text("type") {
            "content_block_delta" => {
                self.go_on(event.number("index"), event.at("delta"), heard);
            }
            "content_block_start" => {
                self.begin(event.number("index"), event.at("content_block"), heard);
            }
            "message_start" => self.count(event.at("message").at("usage"), heard),
            "message_delta" => {
                self.count(event.at("usage"), heard);
                self.end(event.at("delta").text("stop_reason"), heard);
            }
            "message_stop" => heard.done = true,
            "error" => return Err(refusal::within_stream(event.at("error"))),
            "" => return Ok(false),
            _ => {}
        }
        Ok(true)
    }

    fn whole(&mut self, message: &Value, heard: &mut DecodedResponse) -> Result<bool, Fault> {
        match message.text("type") {
            "message" => {}
            "error" => return Err(refusal::within_stream(message.at("error"))),
            _ => return Ok(false),
        }
        for (index, block) in (0..).zip(message.list("content")) {
            self.begin(Some(index), block, heard);
        }
        self.count(message.at("usage"), heard);
        self.end(message.text("stop_reason"), heard);
        Ok(true)
    }
}

impl Decoder {
    /// Handles the beginning of a block. In a body that is not streamed, the block is already
    /// complete.
    fn begin(&mut self, index: Option<u32>, block: &Value, heard: &mut DecodedResponse) {
        match block.text("type") {
            "text" => heard.say(block.text("text")),
            "tool_use" => {
                let place = heard.call(index, block.text("id"), block.text("name"));
                let input = block.at("input");
                // In a stream, the input is empty at the beginning of the block, and follows in
                // deltas.
                if matches!(input, Value::Object(fields) if !fields.is_empty()) {
                    heard.argue(place, &json::arguments(input));
                }
            }
            "thinking" | "redacted_thinking" => {
                heard.think(block.text("thinking"));
                self.thought.push((index, block.clone()));
            }
            _ => {}
        }
    }

    fn go_on(&mut self, index: Option<u32>, delta: &Value, heard: &mut DecodedResponse) {
        match delta.text("type") {
            "text_delta" => heard.say(delta.text("text")),
            "input_json_delta" => {
                let place = heard.calls.iter().rposition(|call| call.index == index);
                if let Some(place) = place {
                    heard.argue(place, delta.text("partial_json"));
                }
            }
            "thinking_delta" | "signature_delta" => {
                heard.think(delta.text("thinking"));
                let block = self.thought.iter_mut().rfind(|(at, _)| *at == index);
                if let Some((_, block)) = block {
                    extend(block, "thinking", delta.text("thinking"));
                    extend(block, "signature", delta.text("signature"));
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, reason: &str, heard: &mut DecodedResponse) {
        heard.finish = match reason {
            "" => heard.finish,
            "max_tokens" | "model_context_window_exceeded" => Some(Finish::Length),
            "refusal" => Some(Finish::Declined),
            _ => Some(Finish::Stop),
        };
        // The server rejects thinking without a signature.
        let is_whole = |block: &&Value| {
            block.text("type") != "thinking" || !block.text("signature").is_empty()
        };
        let thought = self.thought.iter().map(|(_, block)| block);
        let thought: Vec<Value> = thought.filter(is_whole).cloned().collect();
        heard.echo = (!thought.is_empty()).then(|| thought.into());
    }

    /// Reads a usage report. Each report covers the whole response so far.
    fn count(&mut self, usage: &Value, heard: &mut DecodedResponse) {
        let reported = &mut heard.usage;
        self.fresh = usage.number("input_tokens").or(self.fresh);
        let read = usage.number("cache_read_input_tokens");
        reported.cached = read.or(reported.cached);
        let written = usage.number("cache_creation_input_tokens");
        reported.cache_written = written.or(reported.cache_written);
        let parts = [self.fresh, reported.cached, reported.cache_written];
        reported.input = parts.into_iter().flatten().reduce(u32::saturating_add);
        reported.output = usage.number("output_tokens").or(reported.output);
        let details = usage.at("output_tokens_details");
        reported.reasoning = details.number("thinking_tokens").or(reported.reasoning);
    }
}

/// Adds text to a field of a block.
fn extend(block: &mut Value, field: &str, text: &str) {
    match block.get_mut(field) {
        Some(Value::String(so_far)) => so_far.push_str(text),
        _ => put(block, field, text.into()),
    }
}
