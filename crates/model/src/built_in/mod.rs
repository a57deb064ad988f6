//! The browser's own model (the Prompt API), asked as a server that has no tools is.
//!
//! Driving example: the system's words, the protocol's among them, and all turns but the
//! last make a session; the last is prompted; the words go through a
//! [`protocol::Listener`](super::protocol::Listener) to the sink, calls written as text
//! included. Nothing leaves the device, and it costs nothing.
//!
//! One call is one session: the transcript is told anew each time, as servers are told
//! it, so that a killed worker's successor asks the very same. What does not fit is an
//! error, never an older message that the browser drops: only what a session is made
//! with is kept for certain, and all but one message is that. Deliberately absent: tools
//! by the API's own means, which runs them itself, unjournalled; downloads, which the
//! browser starts at a click (`bin/pages`).

mod prompt;

#[cfg(test)]
mod tests;

use super::protocol::Listener;
use super::server::{self, Beside, FIRST_WORD_MS, Heard, NEXT_WORD_MS};
use super::{
    Api, Awaited, Calling, Fault, Model, ModelError, Reply, Request, Server, ServerKind, Usage,
    Voice,
};
use futures::{FutureExt, StreamExt};
use gloss_durable::{Clock, Fut, Sink, within};
use gloss_host::{BuiltIn, BuiltInError, BuiltInSaid as Said};
use std::rc::Rc;

/// What the person calls it; a name in every language.
pub const BROWSER: &str = "Chrome";
/// What stands for its model's name, which the API does not tell.
pub const PROMPT_API: &str = "Prompt API";

/// The browser's own model.
#[derive(Clone)]
pub struct BuiltInModel {
    /// It.
    pub built_in: Rc<dyn BuiltIn>,
    /// Bounds the waits.
    pub clock: Rc<dyn Clock>,
}

impl Model for BuiltInModel {
    fn reply(&self, request: Request, sink: Sink) -> Fut<Result<Reply, ModelError>> {
        let model = self.clone();
        async move { model.ask(&request, |text| sink.text(text)).await }.boxed_local()
    }

    fn voice(&self) -> Voice {
        Voice::Model
    }
}

impl BuiltInModel {
    /// Asks; what is for the person is shown as it comes.
    async fn ask(
        &self,
        request: &Request,
        mut show: impl FnMut(&str),
    ) -> Result<Reply, ModelError> {
        let prompt = prompt::of(request);
        let mut listener = Listener::new(Calling::Text, request.tools.clone());
        let mut content = String::new();
        let mut said = self.built_in.prompt(prompt.clone());
        let counted = loop {
            let (ms, awaited) = if content.is_empty() {
                (FIRST_WORD_MS, Awaited::FirstWord)
            } else {
                (NEXT_WORD_MS, Awaited::NextWord)
            };
            let fault = match within(&*self.clock, ms, said.next()).await {
                Some(Some(Ok(Said::Words(words)))) => {
                    content.push_str(&words);
                    listener.push(&words, &mut show);
                    continue;
                }
                Some(Some(Ok(Said::Whole {
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
            heard: Heard::in_words(input, output),
            reasoning: String::new(),
            content_tokens: gloss_text::tokens::estimate(&content),
            // It wants nothing back, whose ever it would be.
            by: (Api::default(), PROMPT_API),
            body: &prompt::words(&prompt),
            tools: &request.tools,
        };
        Ok(server::reply(listener.finish(&mut show), beside))
    }
}

/// It, as the words of a fault name it.
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
