//! The simulated built-in model of the browser. A test scripts its texts, delays and failures.

use super::Sim;
use super::queue::{Kind, Queue};
use futures::StreamExt;
use futures::stream::{self, LocalBoxStream};
use gloss_host::{BuiltInError, Prompt, PromptApi, PromptEvent};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// The scripted answer to one prompt, such as `ScriptedAnswer::of(["Two ",
/// "tides."]).wait(50).whole(9, 2)`.
#[derive(Debug, Clone, Default)]
pub struct ScriptedAnswer(VecDeque<AnswerStep>);

#[derive(Debug, Clone)]
enum AnswerStep {
    Say(Result<PromptEvent, BuiltInError>),
    Wait(u64),
}

impl ScriptedAnswer {
    /// Creates an answer that begins with these texts, each streamed separately.
    pub fn of<'w>(words: impl IntoIterator<Item = &'w str>) -> Self {
        let said = |words: &str| AnswerStep::Say(Ok(PromptEvent::Words(words.to_owned())));
        Self(words.into_iter().map(said).collect())
    }

    /// Adds text to the answer.
    #[must_use]
    pub fn say(mut self, words: &str) -> Self {
        self.0
            .push_back(AnswerStep::Say(Ok(PromptEvent::Words(words.to_owned()))));
        self
    }

    /// Adds a pause of `ms` milliseconds.
    #[must_use]
    pub fn wait(mut self, ms: u64) -> Self {
        self.0.push_back(AnswerStep::Wait(ms));
        self
    }

    /// Adds a failure.
    #[must_use]
    pub fn fail(mut self, error: BuiltInError) -> Self {
        self.0.push_back(AnswerStep::Say(Err(error)));
        self
    }

    /// Ends the answer with its numbers of input and output tokens.
    #[must_use]
    pub fn whole(mut self, input: u32, output: u32) -> Self {
        self.0.push_back(AnswerStep::Say(Ok(PromptEvent::Whole {
            input_tokens: Some(input),
            output_tokens: Some(output),
        })));
        self
    }
}

/// A script that returns the answer for a prompt and the number of earlier prompts.
pub(super) type AnswerScript = Box<dyn FnMut(&Prompt, usize) -> ScriptedAnswer>;

/// The state of the model. It is shared by all simulated workers.
#[derive(Default)]
pub(super) struct ModelState {
    pub(super) recite: Option<AnswerScript>,
    pub(super) asked: Vec<Prompt>,
    /// The number of sessions that were created and not destroyed.
    pub(super) open: usize,
    /// The number of sessions that were destroyed before their answer ended.
    pub(super) abandoned: usize,
}

impl ModelState {
    fn ask(&mut self, prompt: Prompt) -> ScriptedAnswer {
        let before = self.asked.len();
        let recital = match &mut self.recite {
            Some(recite) => recite(&prompt, before),
            None => ScriptedAnswer::default().fail(BuiltInError::Unavailable),
        };
        self.asked.push(prompt);
        recital
    }
}

/// A session. Dropping it updates the counts of [`ModelState`].
struct Session {
    nano: Rc<RefCell<ModelState>>,
    is_over: bool,
}

impl Session {
    /// Records that the answer has ended, successfully or not.
    fn end(&mut self) {
        self.is_over = true;
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let mut nano = self.nano.borrow_mut();
        nano.open -= 1;
        nano.abandoned += usize::from(!self.is_over);
    }
}

impl PromptApi for Sim {
    fn prompt(&self, prompt: Prompt) -> LocalBoxStream<'static, Result<PromptEvent, BuiltInError>> {
        let (queue, nano) = (self.queue.clone(), self.nano.clone());
        let there = nano.clone();
        let sent = queue.issue(Kind::Sent, move || there.borrow_mut().ask(prompt));
        let begun = async move {
            let beats = sent.await.0;
            nano.borrow_mut().open += 1;
            let session = Session {
                nano,
                is_over: false,
            };
            recited(queue, session, beats)
        };
        stream::once(begun).flatten().boxed_local()
    }
}

fn recited(
    queue: Rc<Queue>,
    session: Session,
    beats: VecDeque<AnswerStep>,
) -> LocalBoxStream<'static, Result<PromptEvent, BuiltInError>> {
    stream::unfold(
        (queue, session, beats),
        |(queue, mut session, mut beats)| async move {
            loop {
                let ms = match beats.front() {
                    Some(AnswerStep::Wait(ms)) => *ms,
                    _ => 0,
                };
                queue.sleep(ms).await;
                match beats.pop_front() {
                    Some(AnswerStep::Wait(_)) => {}
                    Some(AnswerStep::Say(said)) => {
                        let goes_on = matches!(said, Ok(PromptEvent::Words(_)));
                        if !goes_on {
                            session.end();
                        }
                        break Some((said, (queue, session, beats)));
                    }
                    None => {
                        session.end();
                        break None;
                    }
                }
            }
        },
    )
    .boxed_local()
}
