//! Converts a journal's records to the events that surfaces receive.
//!
//! The same records always yield the same events, so a new worker computes the same events again.

mod answer_stream;
mod in_progress;
mod model_calls;
mod pages;
mod usage_count;

use crate::config::{FollowUp, RunConfig};
use crate::events::{
    CarryOver, Closing, Event, MissingRight, ModelIdentity, Phase, SpendingLimit, Verdict, Wait,
};
use crate::run::TOPIC;
use crate::run::capture_page::CapturePage;
use answer_stream::{AnswerStream, grown};
use gloss_durable::sorted::SortedMap;
use gloss_durable::{Body, Effect, Entry, Fork, Message, Path, Record, RunId, Stop, TIMER, json};
use gloss_model::{AnswerOrigin, Ask, AskLabel, ModelError, Purpose};
use gloss_tools::{RunTool, ToolLabel};
use in_progress::{EffectInProgress, EffectsInProgress};
use pages::Pages;
use serde::de::IgnoredAny;
use serde_json::Value;
use usage_count::UsageCount;

/// Reads one run's journal, record by record.
#[derive(Default)]
pub struct Timeline {
    config: Option<RunConfig>,
    flights: EffectsInProgress,
    /// The tool calls, by their journal paths.
    calls: SortedMap<Path, ToolLabel>,
    counting: UsageCount,
    /// The pages that each try of a call reads, by the try's path.
    pages: SortedMap<Path, Pages>,
    /// The origin of the answering model's text. The on-device model only quotes and uses no
    /// tokens.
    voice: Option<AnswerOrigin>,
    max_steps: u8,
    stopped: Option<Stop>,
    streamed: AnswerStream,
    /// The address of the page that the run is about.
    page: String,
    /// The streamed text of an answer that was stopped, or whose model call failed.
    partial: String,
    letters: SortedMap<String, UnreadMessage>,
    needs: Option<Wait>,
    /// The path of a timer that the run waits for, and its end in milliseconds since the Unix
    /// epoch.
    deferred: Option<(Path, u64)>,
}

/// A message that the run has not read yet.
enum UnreadMessage {
    FollowUp,
    Verdict(Verdict),
}

impl Timeline {
    /// Returns the run's configuration; `None` before the first record was read.
    pub fn config(&self) -> Option<&RunConfig> {
        self.config.as_ref()
    }

    /// Reads the next record, and returns the events that the record causes.
    pub fn read(&mut self, record: &Record) -> Vec<Event> {
        match &record.entry {
            Entry::Begun { config, forked, .. } => self.on_begun(config, forked.as_ref()),
            Entry::Intent {
                effect,
                attempt,
                label,
                ..
            } => self.on_intent(record, effect, *attempt, label),
            Entry::Outcome { body } => {
                let events = match (self.flights.end(&record.path), body) {
                    (Some(EffectInProgress::Model { .. }), Body::Inline(outcome)) => {
                        self.on_broken_off(outcome)
                    }
                    (
                        Some(
                            EffectInProgress::Part { .. }
                            | EffectInProgress::Call { .. }
                            | EffectInProgress::Other,
                        ),
                        Body::Inline(outcome),
                    ) => self.asked_aside(&record.path, outcome),
                    _ => Vec::new(),
                };
                events
                    .into_iter()
                    .chain(self.page_ended(&record.path))
                    .collect()
            }
            Entry::Stopped { partial, stop } => self.on_gone(record, partial, *stop),
            Entry::Arrived {
                message,
                kind,
                body,
            } => self.on_arrived(message, kind, body),
            Entry::Withdrawn { message } => {
                self.letters.remove(message);
                let message = RunId(message.clone());
                vec![Event::MessageTakenBack { message }]
            }
            Entry::MessagesRead { messages } => {
                self.deferred.take_if(|(path, _)| *path == record.path);
                self.on_read(messages)
            }
            Entry::Restarted { gathered, .. } => self.on_restarted(gathered),
            Entry::Waiting {
                kind,
                within_ms: Some(within_ms),
                ..
            } if kind == TIMER => {
                let until_ms = record.at_ms.saturating_add(*within_ms);
                self.deferred = Some((record.path.clone(), until_ms));
                self.pending_timer().into_iter().collect()
            }
            Entry::Waiting { body, .. } => {
                let need = json::read::<MissingRight>(body).ok();
                self.needs = need.map(|need| Wait {
                    id: record.seq,
                    need,
                });
                self.pending_need().into_iter().collect()
            }
            Entry::Note { topic, body } if topic == TOPIC => {
                let event = json::read::<Event>(body).ok();
                let event = event.filter(|it| self.holds(it));
                event.map_or_else(Vec::new, |it| self.noted(&record.path, it))
            }
            Entry::Note { .. } | Entry::Panicked { .. } | Entry::Shown { .. } | Entry::Left => {
                Vec::new()
            }
            Entry::Resumed => self.on_resumed(),
            Entry::Continued => {
                self.stopped = None;
                let abandoned = self.flights.abandon();
                let what = self.flights.take_repeated();
                let again = (!what.is_empty()).then_some(Event::SentAgain { what });
                // If the run was stopped while it waited, the run now waits again.
                [Event::Continued]
                    .into_iter()
                    .chain(again)
                    .chain(abandoned)
                    .chain(self.pending_need())
                    .chain(self.pending_timer())
                    .collect()
            }
            Entry::Ended { body } => Closing::events(body),
        }
    }

    /// Returns true if an event applies to this run. A fork with higher limits contains the
    /// original run's warnings about the lower limits; these warnings don't apply.
    fn holds(&self, event: &Event) -> bool {
        let settings = self.config.as_ref().map(|config| config.settings);
        match (event, settings) {
            (Event::BudgetNear { budget, .. }, Some(settings)) => match budget {
                SpendingLimit::Tokens { most } => *most == settings.max_tokens,
                SpendingLimit::Cost { most_cents } => *most_cents == settings.max_cost_cents,
                SpendingLimit::Month { most_dollars } => {
                    settings.max_month_dollars == Some(*most_dollars)
                }
            },
            _ => true,
        }
    }

    /// Adds streamed text. Returns the event that shows the text; `None` if nothing visible
    /// changed.
    pub fn stream(&mut self, intent: u64, offset: usize, text: &str) -> Option<Event> {
        self.streamed.take(intent, offset, text, &self.page)
    }

    fn on_begun(&mut self, config: &Value, fork: Option<&Fork>) -> Vec<Event> {
        let Ok(config) = json::read::<RunConfig>(config) else {
            return Vec::new();
        };
        self.max_steps = config.settings.steps(None);
        let model = ModelIdentity::of(&config.model);
        self.voice = Some(model.voice);
        let event = Event::RunStarted {
            goal: config.goal.clone(),
            max_steps: self.max_steps,
            model,
            mode: config.mode,
        };
        let forked = fork
            .zip(config.forked.as_ref())
            .map(|(fork, forked)| Event::Forked {
                from: fork.run.clone(),
                step: forked.step,
                edit: forked.edit.clone(),
                seq: fork.seq,
            });
        self.config = Some(config);
        [event].into_iter().chain(forked).collect()
    }

    fn on_intent(
        &mut self,
        record: &Record,
        effect: &str,
        attempt: u32,
        label: &Value,
    ) -> Vec<Event> {
        let asks = effect == Ask::KIND;
        let flight = if asks {
            self.own(label)
        } else {
            self.part(&record.path, effect, label)
        };
        let cut = self.flights.begin(&record.path, flight);
        let mut events = Vec::new();
        if asks {
            self.partial.clear();
        }
        if asks && attempt > 1 {
            self.streamed = AnswerStream::default();
            events.push(if cut {
                Event::AnswerRestarted
            } else {
                Event::AnswerGrew {
                    frozen: 0,
                    tail: Vec::new(),
                }
            });
        }
        match effect {
            CapturePage::KIND => events.push(self.phase(Phase::Reading, 0, self.max_steps)),
            Ask::KIND => {
                if let Ok(label) = json::read::<AskLabel>(label) {
                    events.push(self.phase(phase_of(&label), label.step, label.max_steps));
                }
            }
            RunTool::KIND => {
                if let Ok(label) = json::read::<ToolLabel>(label) {
                    events.push(self.phase(Phase::Executing, label.step, self.max_steps));
                    self.calls.insert(record.path.clone(), label.clone());
                    events.push(Event::ToolStarted {
                        step: label.step,
                        call: label.call,
                        tool: label.tool,
                        arguments: label.arguments,
                    });
                }
            }
            part => events.extend(self.progressed(&record.path, part, label)),
        }
        events
    }

    fn phase(&mut self, phase: Phase, step: u8, max_steps: u8) -> Event {
        self.max_steps = max_steps;
        Event::PhaseChanged {
            phase,
            step,
            max_steps,
        }
    }

    /// Returns the event that shows the text of an answer whose model call failed. The text is
    /// shown until the run requests the answer again.
    fn on_broken_off(&mut self, outcome: &Value) -> Vec<Event> {
        let Ok(Err(error)) = json::read::<Result<IgnoredAny, ModelError>>(outcome) else {
            return Vec::new();
        };
        error.partial().clone_into(&mut self.partial);
        grown(&self.partial, &self.page).into_iter().collect()
    }

    /// Returns the events after a stop dropped an effect. A stop drops all parallel effects, but
    /// only the first dropped effect yields the event of the stop.
    fn on_gone(&mut self, record: &Record, partial: &str, stop: Stop) -> Vec<Event> {
        let abandoned = self.flights.drop_effect(&record.path, !stop.ends());
        let mut events: Vec<Event> = abandoned.into_iter().collect();
        if !partial.is_empty() {
            partial.clone_into(&mut self.partial);
            events.extend(grown(partial, &self.page));
        }
        let stop = stop.after(self.stopped);
        if self.stopped.replace(stop) != Some(stop) {
            events.push(match stop {
                Stop::User => Event::Stopped,
                Stop::Pause | Stop::Restart => Event::Paused { by: stop },
            });
        }
        events
    }

    fn on_arrived(&mut self, message: &str, kind: &str, body: &Value) -> Vec<Event> {
        let (letter, event) = match kind {
            FollowUp::NAME => {
                let Ok(FollowUp { goal, .. }) = json::read::<FollowUp>(body) else {
                    return Vec::new();
                };
                let message = RunId(message.to_owned());
                let event = Event::MessageQueued { message, goal };
                (UnreadMessage::FollowUp, vec![event])
            }
            Verdict::NAME => match json::read::<Verdict>(body) {
                Ok(verdict) => (UnreadMessage::Verdict(verdict), Vec::new()),
                Err(_) => return Vec::new(),
            },
            _ => return Vec::new(),
        };
        self.letters.insert(message.to_owned(), letter);
        event
    }

    fn on_read(&mut self, messages: &[String]) -> Vec<Event> {
        let mut events = Vec::new();
        for message in messages {
            match self.letters.remove(message) {
                Some(UnreadMessage::FollowUp) => events.push(Event::MessageRead {
                    message: RunId(message.clone()),
                }),
                Some(UnreadMessage::Verdict(verdict)) => {
                    self.needs = None;
                    events.push(Event::PermissionAnswered { verdict });
                }
                None => {}
            }
        }
        events
    }

    fn pending_need(&self) -> Option<Event> {
        let wait = self.needs.clone()?;
        Some(Event::PermissionNeeded { wait })
    }

    fn pending_timer(&self) -> Option<Event> {
        let until_ms = self.deferred.as_ref()?.1;
        Some(Event::Deferred { until_ms })
    }

    /// Clears the effects in progress when a run continues after an update of Gloss, because no
    /// outcome will be recorded for them.
    fn on_restarted(&mut self, gathered: &Value) -> Vec<Event> {
        let abandoned = self.flights.abandon();
        self.flights.clear();
        self.calls.clear();
        self.pages.clear();
        self.streamed = AnswerStream::default();
        self.partial.clear();
        self.needs = None;
        self.deferred = None;
        let gathered = json::read::<CarryOver>(gathered).unwrap_or_default();
        let spent = gathered.spent;
        self.counting.reset(spent.tokens, spent.known_cost());
        let unknown = gathered.unknown;
        let renewed = Event::Renewed { unknown };
        [renewed].into_iter().chain(abandoned).collect()
    }

    /// Returns the streamed text of an answer that was stopped or whose model call failed, as
    /// Markdown.
    pub fn partial(&self) -> &str {
        &self.partial
    }

    /// Returns the events after a restart of the worker. If a model call was in progress, the
    /// interruption is reported when the call begins again.
    fn on_resumed(&mut self) -> Vec<Event> {
        // The charges of abandoned calls come after the event that says that the run continues.
        let abandoned = self.flights.abandon();
        // The user sees no interruption if the run was stopped, or if the run waited for the user
        // or a timer. In these cases, no event is reported.
        let waited = self.needs.is_some() || self.deferred.is_some();
        if self.flights.has_model() || self.stopped.is_some() || waited {
            return abandoned;
        }
        let what = self.flights.take_repeated();
        let resumed = if what.is_empty() {
            Event::Resumed
        } else {
            Event::AskedAgain { what }
        };
        [resumed].into_iter().chain(abandoned).collect()
    }
}

fn phase_of(label: &AskLabel) -> Phase {
    match label.purpose {
        Purpose::Reason => Phase::Thinking,
        Purpose::Act => Phase::Executing,
        Purpose::Observe if label.reflects => Phase::Reflecting,
        Purpose::Observe | Purpose::Compact | Purpose::Grade | Purpose::Rewrite => Phase::Analysing,
        Purpose::Synthesise => Phase::Synthesising,
    }
}
