//! The browser's own model (the Prompt API), used like a server without tool calls.
//!
//! Example: a transcript becomes a session and one prompt. The system message, with the
//! text protocol's instructions, and all turns except the last are the session's initial messages.
//! The last turn is the prompt. The reply passes through a
//! [`protocol::ReplyParser`](super::protocol::ReplyParser) to the sink; the parser finds tool calls
//! that are written as text. Nothing leaves the device, and calls cost nothing.
//!
//! Each call creates a new session from the whole transcript, just as a call to a server sends the
//! whole transcript. If the worker is killed, the next worker can therefore repeat the call. A
//! prompt that is too long is an error, because the browser does not shorten a session's initial
//! messages.
//!
//! The API's own tool calls are not used, because the API runs the tools itself, and the journal
//! would not contain these calls. The model is not downloaded by this module. The browser starts
//! the download when the user clicks a button (`bin/pages`).

mod prompt;

#[cfg(test)]
mod tests;

use super::protocol::ReplyParser;
use super::server::{self, Beside, DecodedResponse, FIRST_WORD_MS, NEXT_WORD_MS};
use super::{
    AnswerOrigin, Api, Awaited, Calling, Fault, Model, ModelError, Reply, Request, Server,
    ServerKind, Usage,
};
use futures::{FutureExt, StreamExt};
use gloss_durable::{Clock, Fut, Sink, within};
use gloss_host::{BuiltInError, PromptApi, PromptEvent};
use std::rc::Rc;

/// The browser's name. It is the same in every language.
pub const BROWSER: &str = "Chrome";
/// The name that Gloss shows for the browser's model, because the API does not reveal the model's
/// own name.
pub const PROMPT_API: &str = "Prompt API";

/// The browser's own model.
#[derive(Clone)]
pub struct BuiltInModel {
    /// The Prompt API.
    pub built_in: Rc<dyn PromptApi>,
    /// The clock that measures the timeouts.
    pub clock: Rc<dyn Clock>,
}

impl Model for BuiltInModel {
    fn reply(&self, request: Request, sink: Sink) -> Fut<Result<Reply, ModelError>> {
        let model = self.clone();
        async move { model.ask(&request, |text| sink.text(text)).await }.boxed_local()
    }

    fn voice(&self) -> AnswerOrigin {
        AnswerOrigin::Model
    }
}

impl BuiltInModel {
    /// Sends a request to the model. Text for the user is passed to `show` when it arrives.
    async fn ask(
        &self,
        request: &Request,
        mut show: impl FnMut(&str),
    ) -> Result<Reply, ModelError> {
        let prompt = prompt::of(request);
        let mut listener = ReplyParser::new(Calling::Text, request.tools.clone());
        let mut content = String::new();
        let mut said = self.built_in.prompt(prompt.clone());
        let counted = loop {
            let (ms, awaited) = if content.is_empty() {
                (FIRST_WORD_MS, Awaited::FirstWord)
            } else {
                (NEXT_WORD_MS, Awaited::NextWord)
            };
            let fault = match within(&*self.clock, ms, said.next()).await {
                Some(Some(Ok(PromptEvent::Words(words)))) => {
                    content.push_str(&words);
                    listener.push(&words, &mut show);
                    continue;
                }
                Some(Some(Ok(PromptEvent::Whole {
                    input_tokens,
                    output_tokens,
                }))) => break (input_tokens, output_tokens),
                Some(Some(Err(error))) => fault_of(error),
                Some(None) => Fault::Cut,
                None => Fault::TimedOut {
                    awaited,
                    after_ms: ms,
                },
            };
            let browser = itself();
            return Err(ModelError::Server {
                fault: server::quote(fault, &browser, None),
                server: Box::new(browser),
                partial: listener.shown().to_owned(),
                used: Usage::default(),
            });
        };
        let (input, output) = counted;
        let beside = Beside {
            heard: DecodedResponse::in_words(content, input, output),
            // The replies of this model contain no `Part::Echo`, so the value of `Api` has no
            // effect.
            by: (Api::default(), PROMPT_API),
            body: &prompt::words(&prompt),
            tools: &request.tools,
        };
        Ok(server::reply(listener.finish(&mut show), beside))
    }
}

/// Describes the browser as the server of a call, for error messages.
fn itself() -> Server {
    Server {
        name: BROWSER.to_owned(),
        origin: String::new(),
        model: BROWSER.to_owned(),
        kind: ServerKind::Other,
    }
}

fn fault_of(error: BuiltInError) -> Fault {
    match error {
        BuiltInError::Unavailable => Fault::Unavailable,
        BuiltInError::Downloadable => Fault::DownloadNeeded,
        BuiltInError::Downloading => Fault::Downloading,
        BuiltInError::TooLong { message } => Fault::ContextTooLong {
            said: Some(message),
        },
        BuiltInError::Refused { message } => Fault::Rejected {
            status: None,
            said: Some(message),
        },
        BuiltInError::Failed { message } => Fault::Failing {
            status: None,
            retry_after_ms: None,
            said: Some(message),
        },
        BuiltInError::Cut => Fault::Cut,
    }
}
