//! Decodes the events of a Messages response.

use crate::server::decoded_response::{DecodedResponse, Delta, Incoming};
use crate::server::dialect::Decode;
use crate::server::json::{self, Fields};
use crate::server::refusal;
use crate::{Fault, Finish};
use serde_json::{Value, json};

#[derive(Debug, Default)]
pub(super) struct Decoder {
    thought: Vec<Thought>,
    counted: Counted,
}

/// A block of the model's thinking, which is sent back unchanged.
#[derive(Debug)]
enum Thought {
    /// A block with a signature. `index` is the position of the block in the reply.
    Signed {
        index: Option<u32>,
        text: String,
        signature: String,
    },
    Redacted {
        data: String,
    },
}

/// The input tokens, which Anthropic reports in three separate counts.
#[derive(Debug, Default)]
struct Counted {
    fresh: Option<u32>,
    from_cache: Option<u32>,
    into_cache: Option<u32>,
}

impl Decode for Decoder {
    fn only_content<'e>(&self, event: &'e Value) -> Option<&'e str> {
        let is_delta = event.text("type") == "content_block_delta";
        let content = event.at("delta").at("text").as_str();
        content.filter(|_| is_delta)
    }

    fn event(&mut self, event: &Value, heard: &mut Incoming<'_>) -> Result<bool, Fault> {
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

    fn whole(&mut self, message: &Value, heard: &mut Incoming<'_>) -> Result<bool, Fault> {
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
    fn begin(&mut self, index: Option<u32>, block: &Value, heard: &mut Incoming<'_>) {
        match block.text("type") {
            "text" => heard.tell(Delta::Content(block.text("text"))),
            "tool_use" => {
                let place = heard.call(index, block.text("id"), block.text("name"));
                let input = block.at("input");
                // In a stream, the input is empty at the beginning of the block, and follows in
                // deltas.
                if matches!(input, Value::Object(fields) if !fields.is_empty()) {
                    heard.argue(place, &json::arguments(input));
                }
            }
            "thinking" => {
                heard.tell(Delta::Reasoning(block.text("thinking")));
                self.thought.push(Thought::Signed {
                    index,
                    text: block.text("thinking").to_owned(),
                    signature: block.text("signature").to_owned(),
                });
            }
            "redacted_thinking" => self.thought.push(Thought::Redacted {
                data: block.text("data").to_owned(),
            }),
            _ => {}
        }
    }

    fn go_on(&mut self, index: Option<u32>, delta: &Value, heard: &mut Incoming<'_>) {
        match delta.text("type") {
            "text_delta" => heard.tell(Delta::Content(delta.text("text"))),
            "input_json_delta" => {
                let place = heard.calls.iter().rposition(|call| call.index == index);
                if let Some(place) = place {
                    heard.argue(place, delta.text("partial_json"));
                }
            }
            "thinking_delta" | "signature_delta" => {
                heard.tell(Delta::Reasoning(delta.text("thinking")));
                let of = |it: &&mut Thought| matches!(it, Thought::Signed { index: i, .. } if *i == index);
                if let Some(Thought::Signed {
                    text, signature, ..
                }) = self.thought.iter_mut().rfind(of)
                {
                    text.push_str(delta.text("thinking"));
                    signature.push_str(delta.text("signature"));
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
        let thought: Vec<Value> = self.thought.iter().filter_map(Thought::value).collect();
        heard.echo = (!thought.is_empty()).then(|| thought.into());
    }

    /// Reads a usage report. Each report covers the whole response so far.
    fn count(&mut self, usage: &Value, heard: &mut DecodedResponse) {
        let Counted {
            fresh,
            from_cache,
            into_cache,
        } = &mut self.counted;
        *fresh = usage.number("input_tokens").or(*fresh);
        *from_cache = usage.number("cache_read_input_tokens").or(*from_cache);
        *into_cache = usage.number("cache_creation_input_tokens").or(*into_cache);
        let parts = [*fresh, *from_cache, *into_cache];
        let reported = &mut heard.usage;
        reported.input = parts.into_iter().flatten().reduce(u32::saturating_add);
        reported.cached = *from_cache;
        reported.cache_written = *into_cache;
        reported.output = usage.number("output_tokens").or(reported.output);
        let details = usage.at("output_tokens_details");
        reported.reasoning = details.number("thinking_tokens").or(reported.reasoning);
    }
}

impl Thought {
    /// Returns the block in the form in which it is sent back. `None` for a block without a
    /// signature, because the server rejects such blocks.
    fn value(&self) -> Option<Value> {
        match self {
            Self::Signed { signature, .. } if signature.is_empty() => None,
            Self::Signed {
                text, signature, ..
            } => Some(json!({ "type": "thinking", "thinking": text, "signature": signature })),
            Self::Redacted { data } => Some(json!({ "type": "redacted_thinking", "data": data })),
        }
    }
}
