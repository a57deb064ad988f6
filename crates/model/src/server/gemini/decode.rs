//! Decodes the events of a Gemini response, which are called chunks. Each chunk has the form of a
//! whole response.

use crate::server::decoded_response::DecodedResponse;
use crate::server::dialect::Decode;
use crate::server::json::{self, Fields};
use crate::server::refusal;
use crate::{Fault, Finish};
use serde_json::{Map, Value};

/// The fields of a chunk. JSON that has none of these fields is not a chunk.
const FIELDS: [&str; 5] = [
    "candidates",
    "promptFeedback",
    "usageMetadata",
    "modelVersion",
    "error",
];

#[derive(Debug, Default)]
pub(super) struct Decoder {
    /// Data that is sent back with each call. The key is the call's id. The value contains a flag
    /// if Gemini chose the id, and the signature of the thought before the call.
    noted: Map<String, Value>,
}

impl Decode for Decoder {
    fn event(&mut self, chunk: &Value, heard: &mut DecodedResponse) -> Result<bool, Fault> {
        let is_ours = FIELDS.iter().any(|field| chunk.has(field));
        if is_ours {
            self.chunk(chunk, heard)?;
        }
        Ok(is_ours)
    }

    fn whole(&mut self, body: &Value, heard: &mut DecodedResponse) -> Result<bool, Fault> {
        let is_ours = self.event(body, heard)?;
        Ok(is_ours && (heard.finish.is_some() || heard.usage.input.is_some()))
    }
}

impl Decoder {
    fn chunk(&mut self, chunk: &Value, heard: &mut DecodedResponse) -> Result<(), Fault> {
        if chunk.has("error") {
            return Err(refusal::within_stream(chunk.at("error")));
        }
        count(chunk.at("usageMetadata"), heard);
        if chunk.at("promptFeedback").has("blockReason") {
            heard.finish = Some(Finish::Filtered);
        }
        let is_first = |it: &&Value| it.number("index").unwrap_or(0) == 0;
        let Some(candidate) = chunk.list("candidates").iter().find(is_first) else {
            return Ok(());
        };
        for part in candidate.at("content").list("parts") {
            self.part(part, heard);
        }
        let reason = candidate.text("finishReason");
        heard.finish = match reason {
            "" => heard.finish,
            "MAX_TOKENS" => Some(Finish::Length),
            "STOP" | "FUNCTION_CALL" | "OTHER" => Some(Finish::Stop),
            // These reasons mean that the model failed to write a call.
            "MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL" | "MALFORMED_RESPONSE" => {
                let words = candidate.text("finishMessage");
                let words = if words.is_empty() { reason } else { words };
                heard.malformed = Some(words.to_owned());
                Some(Finish::Stop)
            }
            // All other reasons mean that the provider did not send the answer.
            _ => Some(Finish::Filtered),
        };
        Ok(())
    }

    fn part(&mut self, part: &Value, heard: &mut DecodedResponse) {
        if !part.has("functionCall") {
            let text = part.text("text");
            return if part.is_true("thought") {
                heard.think(text);
            } else {
                heard.say(text);
            };
        }
        let call = part.at("functionCall");
        let given = call.text("id");
        let id = if given.is_empty() {
            format!("call_{}", heard.calls.len())
        } else {
            given.to_owned()
        };
        let place = heard.call(None, &id, call.text("name"));
        heard.argue(place, &json::arguments(call.at("args")));
        let mut noted = Map::new();
        if !given.is_empty() {
            noted.insert("id".to_owned(), true.into());
        }
        if part.has("thoughtSignature") {
            let signature = part.text("thoughtSignature");
            noted.insert("thoughtSignature".to_owned(), signature.into());
        }
        self.noted.insert(id, noted.into());
        heard.echo = Some(self.noted.clone().into());
    }
}

/// Reads a usage report. Each report covers the whole response so far.
fn count(usage: &Value, heard: &mut DecodedResponse) {
    let reported = &mut heard.usage;
    let both = |one, other| [usage.number(one), usage.number(other)];
    let sum = |parts: [Option<u32>; 2]| parts.into_iter().flatten().reduce(u32::saturating_add);
    let input = sum(both("promptTokenCount", "toolUsePromptTokenCount"));
    reported.input = input.or(reported.input);
    let output = sum(both("candidatesTokenCount", "thoughtsTokenCount"));
    reported.output = output.or(reported.output);
    reported.cached = usage.number("cachedContentTokenCount").or(reported.cached);
    reported.reasoning = usage.number("thoughtsTokenCount").or(reported.reasoning);
}
