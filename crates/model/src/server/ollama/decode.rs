//! Decodes the lines of an Ollama response. Each line has the form of a whole response.

use crate::server::decode::DecodedResponse;
use crate::server::dialect::{Decode, Delta, Take};
use crate::server::event_template::EventTemplate;
use crate::server::json::{self, Fields};
use crate::server::refusal;
use crate::{Fault, Finish};

/// A field that differs in each line and is ignored.
const FREE: [&str; 1] = ["created_at"];

#[derive(Debug, Default)]
pub(super) struct Decoder {
    mould: Option<EventTemplate>,
    thought: String,
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
        let Some(line) = json::object(data) else {
            return Ok(false);
        };
        if line.has("error") {
            return Err(refusal::within_stream(&line));
        }
        let message = line.at("message");
        if !message.is_object() && !line.is_true("done") {
            return Ok(false);
        }
        let others = ["thinking", "tool_calls"];
        if !line.is_true("done") && !others.iter().any(|other| message.has(other)) {
            let content = message.at("content").as_str();
            let mould = content.and_then(|content| EventTemplate::of(data, content, &FREE));
            self.mould = mould.or(self.mould.take());
        }
        let thought = message.text("thinking");
        self.thought.push_str(thought);
        heard.tell(Delta::Reasoning(thought), take);
        heard.tell(Delta::Content(message.text("content")), take);
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

    fn whole(
        &mut self,
        body: &str,
        heard: &mut DecodedResponse,
        take: &mut Take<'_>,
    ) -> Result<bool, Fault> {
        self.event(body, heard, take)
    }
}
