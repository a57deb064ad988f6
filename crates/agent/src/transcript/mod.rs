//! The transcript that the model reads: the user's requests, thoughts, calls, results and lessons.
//!
//! Example: at step 3 the transcript contains the system message, the question, and two
//! thoughts with their calls and results. It also contains the grounding: facts that stay complete
//! when messages are shortened. [`Transcript`] wraps [`Context`], which can shorten the messages to
//! fit a window. `crate::dialogue` makes the model calls.

pub(crate) mod call_summary;
pub(crate) mod prompt;
pub(crate) mod shortened_call;
pub(crate) mod tool_definitions;

use crate::config::Goal;
use crate::run::{CallResult, Run};
use crate::transcript::call_summary::call_summary;
use crate::transcript::shortened_call::shortened_call;
use gloss_context::{Context, Grounding, shortened};
use gloss_model::phrase::{DisplayText, phrase};
use gloss_model::prompts::{Note, Prompts, TemplateError, Value};
use gloss_model::{ContextWindow, Control, Echo, Message, Part, Reply, Role};
use gloss_web::for_reading;
use serde_json::{Value as Json, json};

/// The maximum length of the user's request in a task, in tokens. A task repeats the request in
/// shortened form; the messages contain the complete request.
const QUESTION_TOKENS: u32 = 200;

/// Everything that the model reads in a run, except for the instructions of each single call.
pub(crate) struct Transcript {
    /// The messages of the run.
    pub(crate) context: Context,
    /// The facts that stay complete when old messages are compacted.
    pub(crate) grounding: Grounding,
    /// The share of the page that the model has read, in percent, from the last tool result or page
    /// excerpt that states it.
    pub(crate) share_percent: Option<u8>,
    /// Opaque data of the last reply's calls. The provider expects to receive the data again with
    /// the results of these calls.
    echo: Option<Echo>,
    /// The user's requests. The first request is the goal.
    asked: Vec<String>,
    /// The texts that the user wrote during the run, after the goal.
    said: Vec<String>,
    /// The model's observations so far.
    observed: Vec<String>,
    /// The results of the last step's calls, one line each.
    summaries: Vec<Json>,
    step: u8,
}

impl Transcript {
    /// Creates the transcript of a run.
    pub(crate) fn new(run: &Run) -> Self {
        let (config, language) = (&run.config, run.prompts.language);
        Self {
            context: Context::new(language, &config.earlier),
            grounding: Grounding::default(),
            share_percent: None,
            echo: None,
            asked: vec![config.goal.request(language).to_owned()],
            said: Vec::new(),
            observed: Vec::new(),
            summaries: Vec::new(),
            step: 0,
        }
    }

    /// Sets the step to which the messages that follow belong.
    pub(crate) fn at_step(&mut self, number: u8) {
        self.step = number;
    }

    /// Adds a message to the current step.
    pub(crate) fn say(&mut self, message: Message) {
        self.context.push_step(self.step.into(), message);
    }

    /// Adds a fixed message that Gloss writes to the model, at the current step.
    pub(crate) fn note(
        &mut self,
        prompts: &Prompts,
        note: Note,
        values: &[(&str, Value)],
    ) -> Result<(), TemplateError> {
        let words = prompts.note(note, values)?;
        self.say(Message::text(Role::System, words));
        Ok(())
    }

    /// Adds a request that the user made during the run.
    pub(crate) fn take_request(&mut self, request: &str, goal: &Goal) {
        self.asked.push(request.to_owned());
        self.said.extend(goal.own_words().map(str::to_owned));
    }

    /// Returns the user's requests in this run, without text from the page.
    pub(crate) fn requests(&self) -> &[String] {
        &self.asked
    }

    /// Returns the user's requests in this run as one shortened text, without text from the page.
    pub(crate) fn question(&self) -> String {
        shortened(&self.asked.join("\n"), QUESTION_TOKENS)
    }

    /// Returns the last text that the user wrote before this run, and all texts that the user wrote
    /// in this run. The fixed texts of buttons are left out, because they are in the language of
    /// the interface.
    pub(crate) fn user_texts(&self, run: &Run) -> Vec<String> {
        let mut earlier = run.config.history.iter().rev();
        let before = earlier.find_map(|it| it.goal.own_words());
        let asked = run.config.goal.own_words();
        let said = self.said.iter().map(String::as_str);
        let all = before.into_iter().chain(asked).chain(said);
        all.map(str::to_owned).collect()
    }

    /// Returns the model's observations so far, the oldest first.
    pub(crate) fn observations(&self) -> &[String] {
        &self.observed
    }

    /// Returns the results of the last step's calls, one line each.
    pub(crate) fn summaries(&self) -> &[Json] {
        &self.summaries
    }

    /// Adds a model's observation and thought to the messages. In the strict cycle, one call makes
    /// the plan and another call chooses the tools. The second call reads the plan from these
    /// messages.
    pub(crate) fn take_reply(&mut self, reply: &Reply) {
        self.echo.clone_from(&reply.echo);
        let Control {
            observation,
            thought,
            ..
        } = &reply.control;
        let step = u32::from(self.step);
        // A reply with an observation and a thought contains the thought of the next step.
        let next = step + u32::from(observation.is_some());
        for (step, said) in [(step, observation), (next, thought)] {
            if let Some(DisplayText::Words(words)) = said {
                let said = Message::text(Role::Assistant, words.clone());
                self.context.push_step(step, said);
            }
        }
    }

    /// Returns the opaque data that the provider expects to receive again with the last calls.
    pub(crate) fn echo(&self) -> Option<&Echo> {
        self.echo.as_ref()
    }

    /// Restores the provider's opaque data, when calls of an earlier reply are made after all.
    pub(crate) fn restore_echo(&mut self, echo: Option<Echo>) {
        self.echo = echo;
    }

    /// Adds calls and their results.
    pub(crate) fn take_results(
        &mut self,
        run: &Run,
        room: ContextWindow,
        results: Vec<CallResult>,
    ) {
        self.summaries = results.iter().map(summary).collect();
        if results.is_empty() {
            return;
        }
        let echo = self.echo.take().map(|echo| Part::Echo { echo });
        let calls = results.iter().map(|done| Part::Call {
            call: shortened_call(&done.call, &run.config.goal, room, &mut self.context),
        });
        let parts: Vec<Part> = echo.into_iter().chain(calls).collect();
        self.say(Message {
            role: Role::Assistant,
            parts,
        });
        let mut parts = Vec::new();
        for done in results {
            let outcome = match done.outcome.result {
                Ok(output) => {
                    self.share_percent = output.share_percent.or(self.share_percent);
                    Ok(for_reading(output.data))
                }
                Err(error) => Err(error.to_string()),
            };
            parts.push(Part::Result {
                call: done.call.id,
                tool: done.call.name,
                outcome,
            });
        }
        self.say(Message {
            role: Role::Tool,
            parts,
        });
    }

    /// Adds finished tasks and decisions to the grounding, and returns the observation.
    pub(crate) fn take_observation(
        &mut self,
        control: &Control,
        room: ContextWindow,
    ) -> DisplayText {
        self.grounding
            .add(&control.completed, &control.decisions, room.window());
        let observation = control.observation.clone();
        let observation =
            observation.unwrap_or_else(|| DisplayText::Phrase(phrase("observation_none")));
        if let DisplayText::Words(words) = &observation {
            self.observed.push(words.clone());
        }
        observation
    }
}

fn summary(done: &CallResult) -> Json {
    let tool = &done.call.name;
    match &done.outcome.result {
        Ok(output) => {
            json!({ "tool": tool, "result": call_summary(&output.summary) })
        }
        Err(error) => json!({ "tool": tool, "error": error.to_string() }),
    }
}
