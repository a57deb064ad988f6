//! The state of a run between its steps, and the functions that apply results to the state. A
//! replay of the journal restores the whole state.

use crate::budget::{Budget, Reserve};
use crate::citations::WebSources;
use crate::config::{FollowUp, OnToolFailure, RunConfig};
use crate::consent::Permissions;
use crate::dialogue::fallback::ModelChain;
use crate::dialogue::{Dialogue, recall};
use crate::events::{End, Event, Failure};
use crate::react::act::ActResults;
use crate::react::continue_after_update::take_up;
use crate::react::gate::{Gate, Progress};
use crate::react::observe::Observation;
use crate::reflexion::{Retries, RunLessons};
use crate::run::services::Services;
use crate::run::{CallResult, Run, Step, page_content, tell};
use crate::thought::Thought;
use gloss_durable::Ctx;
use gloss_model::phrase::{DisplayText, phrase};
use gloss_model::prompts::Prompts;
use gloss_model::{Control, Language};
use gloss_tools::{MemoryAccess, RunContext, ToolError, Toolbox};
use std::rc::Rc;

/// The state of a run. The type of each field enforces its own rules. The methods of this type
/// change several fields together.
pub(crate) struct State {
    pub(crate) dialogue: Dialogue,
    pub(crate) progress: Progress,
    pub(crate) permissions: Permissions,
    /// The pages that were read on the web, for citations.
    pub(crate) sources: WebSources,
    /// The calls that failed and are not repeated.
    pub(crate) retries: Retries,
    /// The lessons from failed calls.
    pub(crate) lessons: RunLessons,
}

impl State {
    /// Reads the page and adds the goal to the transcript.
    pub(crate) async fn open(
        ctx: &Ctx,
        config: RunConfig,
        services: Services,
    ) -> Result<Self, End> {
        let mut models = ModelChain::new(&config, services.models.clone());
        let mut budget = Budget::new(config.settings, services.ledger.clone());
        let first = Reserve::of(0, models.current.price);
        if budget
            .month()
            .is_over_at_start(ctx, "month", &first)
            .await?
        {
            let next = models.pop_without_cost();
            let failure = Failure::of_month(&config.settings);
            let changed = models.change_to(&next, Some(failure));
            tell(ctx, "month.changed", &changed)?;
        }
        let gathered = ctx.recall()?;
        let voice = models.current.model.voice();
        let reading = page_content::read(ctx, &config, &services, voice).await?;
        let (page, document, selection) = match reading.page {
            Some(read) => (Some(read.page), Some(read.document), read.selection),
            None => (None, None, None),
        };
        let language = Language::of_tag(&config.language);
        let prompts = || Prompts::new(language, config.prompts.clone());
        let mind = MemoryAccess {
            memory: services.memory.clone(),
            conversation: config.conversation.clone(),
        };
        let mut toolbox = Toolbox::new(services.tools.clone(), document, models.current.room)
            .without(&config.tools_switched_off());
        toolbox.run = RunContext {
            language: config.language.clone(),
            place: reading.place,
            prompts: Rc::new(prompts()),
            search: Some(services.search.provider(config.search.clone())),
            mind: Some(mind),
            switches: services.switches.clone(),
            ..toolbox.run
        };
        let run = Rc::new(Run {
            prompts: prompts(),
            page,
            selection,
            config,
            services,
        });
        let mut state = Self {
            progress: Progress::default(),
            permissions: Permissions::new(&run),
            sources: WebSources::default(),
            retries: Retries::default(),
            lessons: RunLessons::with(&run.config.lessons),
            dialogue: Dialogue::open(ctx, run, models, budget, toolbox).await?,
        };
        let recalled = recall::recall(ctx, &mut state.dialogue).await?;
        state.permissions.read(&recalled);
        if let Some(gathered) = gathered {
            take_up(ctx, &mut state, gathered).await?;
        }
        Ok(state)
    }

    /// Begins the next step. Returns `None` if a limit ends the loop.
    pub(crate) async fn next_step(&mut self, ctx: &Ctx) -> Result<Option<Step>, End> {
        let budget = &self.dialogue.budget;
        let number = budget.steps() + 1;
        let step = Step {
            ctx: ctx.at(number),
            number,
            max_steps: budget.max_steps(),
        };
        let reserve = self.dialogue.reserve();
        if !self.dialogue.budget.begin_step(&step, &reserve).await? {
            return Ok(None);
        }
        self.dialogue.transcript.at_step(number);
        Ok(Some(step))
    }

    /// Adds the messages that the user has sent since the last step, up to the first one that needs
    /// a separate run.
    pub(crate) fn read_messages(&mut self, step: &Step) -> Result<(), End> {
        let run = self.dialogue.run.clone();
        let fits = |message: &FollowUp| message.fits(&run.config);
        for (_, message) in step.ctx.peek("inbox", fits)? {
            self.add_message(&message)?;
        }
        Ok(())
    }

    /// Adds a message of the user. After the message, failed calls may be made again, because the
    /// message may ask for another try.
    pub(crate) fn add_message(&mut self, message: &FollowUp) -> Result<(), End> {
        self.permissions.hear(&message.goal);
        self.retries.forget();
        self.dialogue.take_request(&message.goal)
    }

    /// Applies the confidence gate to a thought.
    pub(crate) fn judge(&mut self, step: &Step, thought: &Thought) -> Result<Gate, End> {
        let gate = self.progress.judge(step, thought, &mut self.dialogue)?;
        if gate == Gate::Refused {
            let observation = DisplayText::Phrase(phrase("observation_refused"));
            tell_observation(step, observation, false)?;
        }
        // A limit may be the reason that the thought has neither a call nor an answer. In that
        // case, the remark below the closing answer names the limit.
        if gate == Gate::Idle {
            self.stops_short(step)?;
        }
        Ok(gate)
    }

    /// Ends the loop in the middle of a step, and returns true, if a limit on context, tokens or
    /// cost is reached.
    pub(crate) fn stops_short(&mut self, step: &Step) -> Result<bool, End> {
        let reserve = self.dialogue.reserve();
        Ok(self.dialogue.budget.ends_within(step, &reserve)?)
    }

    /// Applies the results of calls: counts the calls and the tokens that the tools' models used,
    /// and collects the sources. Ends the run if a tool failed and the settings say that a failure
    /// ends the run.
    pub(crate) async fn take_results(
        &mut self,
        step: &Step,
        acted: ActResults,
    ) -> Result<Vec<CallResult>, End> {
        let ActResults { done, made } = acted;
        self.apply_results(&done);
        let reserve = self.dialogue.reserve();
        let budget = &mut self.dialogue.budget;
        budget.count_calls(made);
        for (place, done) in done.iter().enumerate() {
            let (tool, role_calls) = (&done.call.name, &done.outcome.role_calls);
            budget
                .count_tool_usage(step, place, tool, role_calls, &reserve)
                .await?;
        }
        let run = self.dialogue.run.clone();
        let failed =
            |it: &&CallResult| it.outcome.result.as_ref().is_err_and(ToolError::is_failure);
        match done.iter().find(failed) {
            Some(failed) if run.config.settings.on_tool_failure == OnToolFailure::Fail => {
                // No observation follows, so the lesson is learned from the kind of failure alone.
                let permissions = &mut self.permissions;
                self.lessons
                    .take_failures(step, &run, &done, permissions)
                    .await?;
                self.lessons.learn(step, &run, &Control::default()).await?;
                let failure = Failure::of_tool(&failed.call.name);
                Err(End::Failed(Box::new(failure)))
            }
            _ => Ok(done),
        }
    }

    /// Adds the sources and the failures of calls.
    pub(crate) fn apply_results(&mut self, done: &[CallResult]) {
        let ended = done.iter().map(|it| (&it.call, &it.outcome, it.tries));
        self.retries.take(ended);
        for output in done.iter().filter_map(|it| it.outcome.result.as_ref().ok()) {
            self.sources.take(output);
            self.progress.set_has_result();
        }
    }

    /// Applies an observation. If the observation contains an answer, the gate decides about the
    /// answer. Returns true if the goal is met.
    pub(crate) fn take_observation(
        &mut self,
        step: &Step,
        observation: Observation,
    ) -> Result<bool, End> {
        let Observation {
            said,
            draft,
            goes_on,
            next,
        } = observation;
        let goal_met = match draft {
            Some(draft) => self.progress.admit(step, draft, &mut self.dialogue)?,
            None => !goes_on,
        };
        tell_observation(step, said, goal_met)?;
        self.progress.carried = next;
        Ok(goal_met)
    }
}

fn tell_observation(step: &Step, observation: DisplayText, goal_met: bool) -> Result<(), End> {
    let made = Event::ObservationMade {
        step: step.number,
        observation,
        goal_met,
    };
    Ok(step.record_event("observation", &made)?)
}
