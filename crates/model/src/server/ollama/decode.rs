//! Decodes the lines of an Ollama response. Each line has the form of a whole response.

use crate::server::decoded_response::DecodedResponse;
use crate::server::dialect::Decode;
use crate::server::json::{self, Fields};
use crate::server::refusal;
use crate::{Fault, Finish};
use serde_json::Value;

#[derive(Debug, Default)]
pub(super) struct Decoder {
    thought: String,
}

impl Decode for Decoder {
    fn event(&mut self, line: &Value, heard: &mut DecodedResponse) -> Result<bool, Fault> {
        if line.has("error") {
            return Err(refusal::within_stream(line));
        }
        let message = line.at("message");
        if !message.is_object() && !line.is_true("done") {
            return Ok(false);
        }
        let thought = message.text("thinking");
        self.thought.push_str(thought);
        heard.think(thought);
        heard.say(message.text("content"));
        for call in message.list("tool_calls") {
            let function = call.at("function");
            let place = heard.call(None, call.text("id"), function.text("name"));
            heard.argue(place, &json::arguments(function.at("arguments")));
        }
        if line.is_true("done") {
            heard.finish = Some(match line.text("done_reason") {
                "length" => Finish::Length,
                _ => Finish::Stop,
            });
            heard.usage.input = line.number("prompt_eval_count");
            heard.usage.output = line.number("eval_count");
            if !self.thought.is_empty() {
                heard.echo = Some(std::mem::take(&mut self.thought).into());
            }
            heard.done = true;
        }
        Ok(true)
    }
}
