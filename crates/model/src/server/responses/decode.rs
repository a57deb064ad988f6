//! Decodes the events of a Responses API response.

use crate::server::decoded_response::{CallSoFar, DecodedResponse};
use crate::server::dialect::Decode;
use crate::server::json::{self, Fields};
use crate::server::refusal;
use crate::{Fault, Finish};
use serde_json::Value;

#[derive(Debug, Default)]
pub(super) struct Decoder {
    /// Items of reasoning, which are sent back unchanged.
    thought: Vec<Value>,
}

impl Decode for Decoder {
    fn event(&mut self, event: &Value, heard: &mut DecodedResponse) -> Result<bool, Fault> {
        let index = event.number("output_index");
        let delta = event.text("delta");
        match event.text("type") {
            "response.output_text.delta" => heard.say(delta),
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                heard.think(delta);
            }
            // Each part of the summary becomes a paragraph.
            "response.reasoning_summary_part.added" if event.number("summary_index") > Some(0) => {
                heard.think("\n\n");
            }
            "response.refusal.delta" => heard.refuse(delta),
            "response.function_call_arguments.delta" => argue(index, delta, heard),
            "response.output_item.added" => begin(index, event.at("item"), heard),
            "response.output_item.done" => self.done(index, event.at("item"), heard),
            "response.completed" | "response.incomplete" => {
                end(event.at("response"), heard);
                heard.done = true;
            }
            "response.failed" => return Err(failed(event.at("response").at("error"))),
            "error" if event.has("error") => return Err(failed(event.at("error"))),
            "error" => return Err(failed(event)),
            "" => return Ok(false),
            _ => {}
        }
        Ok(true)
    }

    fn whole(&mut self, response: &Value, heard: &mut DecodedResponse) -> Result<bool, Fault> {
        if response.has("error") {
            return Err(failed(response.at("error")));
        }
        if response.text("object") != "response" {
            return Ok(false);
        }
        for (index, item) in (0..).zip(response.list("output")) {
            for part in item.list("content") {
                heard.say(part.text("text"));
                heard.refuse(part.text("refusal"));
            }
            for part in item.list("summary") {
                heard.think(part.text("text"));
            }
            self.done(Some(index), item, heard);
        }
        end(response, heard);
        Ok(true)
    }
}

impl Decoder {
    /// Handles a complete item of the response.
    fn done(&mut self, index: Option<u32>, item: &Value, heard: &mut DecodedResponse) {
        match item.text("type") {
            "function_call" => {
                begin(index, item, heard);
                let calls = &heard.calls;
                let bare = |call: &CallSoFar| call.index == index && call.arguments.is_empty();
                if let Some(place) = calls.iter().rposition(bare) {
                    heard.argue(place, &json::arguments(item.at("arguments")));
                }
            }
            // The server stores nothing, so an item without its encrypted content can't be used
            // later.
            "reasoning" if item.has("encrypted_content") => {
                self.thought.push(given_back(item));
                heard.echo = Some(self.thought.clone().into());
            }
            _ => {}
        }
    }
}

/// Removes fields that are null or only for the client, because the server would reject them in a
/// request.
fn given_back(item: &Value) -> Value {
    let mut item = item.clone();
    if let Value::Object(fields) = &mut item {
        fields.retain(|name, value| name != "status" && !value.is_null());
    }
    item
}

fn place(index: Option<u32>, heard: &DecodedResponse) -> Option<usize> {
    heard.calls.iter().rposition(|call| call.index == index)
}

/// Begins an item, unless an earlier event began it.
fn begin(index: Option<u32>, item: &Value, heard: &mut DecodedResponse) {
    if item.text("type") == "function_call" && place(index, heard).is_none() {
        heard.call(index, item.text("call_id"), item.text("name"));
    }
}

fn argue(index: Option<u32>, json: &str, heard: &mut DecodedResponse) {
    if let Some(place) = place(index, heard) {
        heard.argue(place, json);
    }
}

fn end(response: &Value, heard: &mut DecodedResponse) {
    let reason = response.at("incomplete_details").text("reason");
    heard.finish = Some(match (response.text("status"), reason) {
        (_, "content_filter") => Finish::Filtered,
        (_, "max_output_tokens") | ("incomplete", _) => Finish::Length,
        _ => Finish::Stop,
    });
    let usage = response.at("usage");
    let reported = &mut heard.usage;
    reported.input = usage.number("input_tokens");
    let details = usage.at("input_tokens_details");
    reported.cached = details.number("cached_tokens");
    // Models from GPT-5.6 on report this count, because they charge for cache writes.
    reported.cache_written = details.number("cache_write_tokens");
    reported.output = usage.number("output_tokens");
    let details = usage.at("output_tokens_details");
    reported.reasoning = details.number("reasoning_tokens");
}

fn failed(error: &Value) -> Fault {
    refusal::within_stream(error)
}
