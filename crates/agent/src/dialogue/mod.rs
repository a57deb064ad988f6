//! The dialogue with the model: the transcript, the models, the tools and the budget.
//!
//! Example: the Reason part of a step calls [`Dialogue::ask`]. This function shortens the
//! transcript to fit the context window, and counts the tokens of the reply. It switches to a
//! fallback model if the first model fails. One model call may change the transcript, the models,
//! the tools and the budget, so one type contains all four.

pub(crate) mod ask;
pub(crate) mod compact_when_full;
pub(crate) mod fallback;
pub(crate) mod plain;
pub(crate) mod recall;
mod retry_or_fall_back;
pub(crate) mod shorten;
pub(crate) mod token_calibration;

use crate::budget::{Budget, Reserve};
use crate::config::{Goal, Mode};
use crate::consent::helpers;
use crate::dialogue::ask::Offer;
use crate::dialogue::fallback::ModelChain;
use crate::events::{End, Event, Failure};
use crate::history::{earlier_results, window};
use crate::reflexion::lessons_message;
use crate::run::{Run, Step};
use crate::transcript::prompt::Task;
use crate::transcript::tool_definitions::{ToolDefinitions, definitions};
use crate::transcript::{Transcript, prompt};
use gloss_context::Context;
use gloss_durable::{Ctx, Halt};
use gloss_model::prompts::{Note, Value};
use gloss_model::protocol::REPLY_TOKENS;
use gloss_model::{self as model, AnswerOrigin, ContextWindow, Message, ModelChoice, Role, Tools};
use gloss_page::Document;
use gloss_text::tokens::estimate;
use gloss_tools::Toolbox;
use std::rc::Rc;

/// The state that a model call reads and changes.
pub(crate) struct Dialogue {
    pub(crate) run: Rc<Run>,
    pub(crate) transcript: Transcript,
    pub(crate) models: ModelChain,
    pub(crate) budget: Budget,
    toolbox: Rc<Toolbox>,
    /// The tool definitions that were last offered. The `bool` is true if the transcript had
    /// results that the model could recall.
    offered: Option<(bool, ToolDefinitions)>,
}

impl Dialogue {
    /// Creates the dialogue, with the messages that come before the first step.
    pub(crate) async fn open(
        ctx: &Ctx,
        run: Rc<Run>,
        models: ModelChain,
        budget: Budget,
        toolbox: Toolbox,
    ) -> Result<Self, End> {
        let mut dialogue = Self {
            transcript: Transcript::new(&run),
            run,
            models,
            budget,
            toolbox: Rc::new(toolbox),
            offered: None,
        };
        dialogue.build_transcript(ctx).await?;
        Ok(dialogue)
    }

    /// Adds the first messages: the system prompt, earlier turns and the request.
    async fn build_transcript(&mut self, ctx: &Ctx) -> Result<(), End> {
        let run = self.run.clone();
        let (config, prompts) = (&run.config, &run.prompts);
        let tools = self.offered(Offer::Tools).tools;
        let system = prompt::system(prompts, config, run.page.as_ref(), &tools)?;
        let context = &mut self.transcript.context;
        context.push_fixed(system);
        for (turn, exchange) in config.history.iter().enumerate() {
            for message in window::messages(exchange, prompts.language) {
                context.push_earlier(turn as u32, message);
            }
        }
        if config.mode == Mode::Plain {
            return plain::build(ctx, self).await;
        }
        if !config.earlier.kept.is_empty() {
            let words = prompts.note(Note::Recallable, &[])?;
            context.push_fixed(Message::text(Role::System, words));
            // The list contains arguments of calls. The arguments may contain text from a page, so
            // the list is quoted as data.
            context.push_fixed(earlier_results::recallables_message(&config.earlier.kept));
        }
        if !config.lessons.is_empty() {
            context.push_fixed(lessons_message(prompts, &config.lessons)?);
        }
        self.add_request(&config.goal)
    }

    /// Rebuilds the transcript of a plain call, for another model or a smaller window. In agent
    /// mode, nothing changes.
    pub(crate) async fn rebuild_plain(&mut self, ctx: &Ctx) -> Result<(), End> {
        if self.run.config.mode == Mode::Plain {
            let (language, earlier) = (self.run.prompts.language, &self.run.config.earlier);
            self.transcript.context = Context::new(language, earlier);
            Box::pin(self.build_transcript(ctx)).await?;
        }
        Ok(())
    }

    /// Adds a request that the user sends during the run.
    pub(crate) fn take_request(&mut self, goal: &Goal) -> Result<(), End> {
        let request = goal.request(self.run.prompts.language);
        self.transcript.take_request(request, goal);
        self.add_request(goal)
    }

    /// Adds the user's request. If the request is longer than half of `scratchpad` (the token limit
    /// for the steps of the run), the full text is stored under an id. The transcript gets only its
    /// beginning. A message tells the model that the rest is missing, and the id with which to
    /// recall it (DETAILS §9).
    fn add_request(&mut self, goal: &Goal) -> Result<(), End> {
        let run = self.run.clone();
        let most = self.sizes().scratchpad / 2;
        if self.voice() == AnswerOrigin::Page || estimate(goal.words()) <= most {
            let whole = goal.message(run.prompts.language);
            self.transcript.context.push_fixed(whole);
            return Ok(());
        }
        let number = u32::try_from(self.transcript.requests().len()).unwrap_or(u32::MAX);
        let id = self.transcript.context.keep(number, goal.words());
        let id = [("id", Value::Ours(id))];
        for message in plain::cut(&run.prompts, goal, most, Note::Kept, &id)? {
            self.transcript.context.push_fixed(message);
        }
        Ok(())
    }

    /// Adds a fixed message that Gloss writes to the model, at the current step.
    pub(crate) fn note(&mut self, note: Note, values: &[(&str, Value)]) -> Result<(), End> {
        Ok(self.transcript.note(&self.run.prompts, note, values)?)
    }

    /// Returns the origin of the current model's answers.
    pub(crate) fn voice(&self) -> AnswerOrigin {
        self.models.current.model.voice()
    }

    /// Returns the token budget of one call. The budget depends on the stated or assumed
    /// complexity of the task.
    pub(crate) fn sizes(&self) -> model::Budget {
        let complexity = self.budget.complexity();
        let complexity = complexity.unwrap_or_else(|| self.run.config.goal.looks());
        self.models.current.room.budget(complexity)
    }

    /// Returns the usage that is reserved for the closing answer.
    pub(crate) fn reserve(&self) -> Reserve {
        let tokens = self.transcript.context.tokens();
        Reserve::of(tokens, self.models.current.price)
    }

    /// Returns the prompt tokens outside the transcript: reply rules, task and tool definitions.
    pub(crate) fn prompt_overhead(&mut self, task: &Task, offer: Offer) -> u32 {
        REPLY_TOKENS + task.tokens() + self.offered(offer).tokens
    }

    /// Returns the document of the page that the run is about.
    pub(crate) fn document(&self) -> Option<&Rc<Document>> {
        self.toolbox.page()
    }

    /// Returns the toolbox, with the results that can be recalled and the user's requests.
    pub(crate) fn toolbox(&self) -> Toolbox {
        let mut toolbox = Toolbox::clone(&self.toolbox);
        toolbox.run.results = self.transcript.context.results().clone();
        toolbox.run.asked = self.transcript.question().as_str().into();
        toolbox.run.said = self.transcript.user_texts(&self.run).into();
        toolbox.aid = helpers(&self.run, &self.models.current.choice);
        toolbox
    }

    /// Returns the tools of a call. If a call offers no tools, they are `Withheld`: Gloss then
    /// recognises a tool call in the reply's text and doesn't show it to the user.
    pub(crate) fn tools(&mut self, offer: Offer) -> Tools {
        match (self.run.config.mode, offer) {
            (Mode::Plain, _) => Tools::None,
            (Mode::Agent, Offer::Tools) => Tools::Offered(self.offered(offer).tools),
            // All tools are withheld, even those that earlier calls left out because of a small
            // window. The model may know these tools too.
            (Mode::Agent, Offer::Nothing) => Tools::Withheld(self.toolbox().definitions()),
        }
    }

    /// Returns the definitions of the tools that a call may use.
    pub(crate) fn offered(&mut self, offer: Offer) -> ToolDefinitions {
        if offer == Offer::Nothing || self.run.config.mode == Mode::Plain {
            return ToolDefinitions::default();
        }
        let recalls = !self.transcript.context.results().is_empty();
        // The definitions are cached, because they rarely change between calls, and a replay goes
        // through all calls again.
        let known = self.offered.take().filter(|(before, _)| *before == recalls);
        let (_, offered) = known.unwrap_or_else(|| {
            let room = self.models.current.room;
            (recalls, definitions(&self.toolbox(), room))
        });
        self.offered = Some((recalls, offered.clone()));
        offered
    }

    /// Returns true if a tool is offered that can search the page or the web.
    pub(crate) fn has_search_tool(&mut self) -> bool {
        let offered = self.offered(Offer::Tools);
        self.toolbox.can_gather_information(&offered.tools)
    }

    /// Sets the size of the context window.
    fn set_window(&mut self, room: ContextWindow) {
        self.models.current.room = room;
        Rc::make_mut(&mut self.toolbox).run.room = room;
        self.offered = None;
    }

    /// Reduces the assumed window after the model refused a prompt as too long. The refused prompt
    /// contained the transcript and `around` more tokens.
    pub(crate) fn shrink(&mut self, around: u32) {
        let sent = self.transcript.context.tokens().saturating_add(around);
        let room = self.models.current.room.after_refusal(sent);
        self.set_window(room);
    }

    /// Removes and returns the next fallback model that the budget can pay for. The models before
    /// it are removed too.
    pub(crate) async fn next_in_order(
        &mut self,
        step: &Step,
        segment: &str,
    ) -> Result<Option<ModelChoice>, Halt> {
        let reserve = self.reserve();
        while let Some(choice) = self.models.pop() {
            let place = format!("{segment}.then.{}", self.models.left());
            let expected = (reserve.usage, choice.price());
            if self.budget.may_pay(step, &place, expected).await? {
                return Ok(Some(choice));
            }
        }
        Ok(None)
    }

    /// Switches to another model, and reports the switch.
    pub(crate) fn change_to(
        &mut self,
        step: &Step,
        segment: &str,
        choice: &ModelChoice,
        failure: Option<Failure>,
    ) -> Result<(), Halt> {
        let changed: Event = self.models.change_to(choice, failure);
        self.set_window(self.models.current.room);
        step.record_event(&format!("{segment}.changed"), &changed)
    }
}
