//! A journal's records as events for surfaces.
//!
//! A fold: the same records always yield the same events, whether they are new or were recorded by
//! an earlier life.

mod asking;
mod counting;
mod flight;
mod pages;
mod streamed;

use crate::config::{FollowUp, RunConfig};
use crate::events::{Closing, Event, Gathered, Need, Phase, Speaker, SpendingLimit, Verdict, Wait};
use crate::run::TOPIC;
use crate::run::read_page::ReadPage;
use counting::Counting;
use flight::{Flight, Flights};
use gloss_durable::sorted::SortedMap;
use gloss_durable::{Body, Effect, Entry, Fork, Message, Path, Record, RunId, Stop, TIMER, json};
use gloss_model::{Ask, AskLabel, ModelError, Purpose, Voice};
use gloss_tools::{RunTool, ToolLabel};
use pages::Pages;
use serde::de::IgnoredAny;
use serde_json::Value;
use streamed::{Streamed, grown};

/// Reads one run's journal, record by record.
#[derive(Default)]
pub struct Timeline {
    brief: Option<RunConfig>,
    flights: Flights,
    /// The tool calls, by their paths.
    calls: SortedMap<Path, ToolLabel>,
    counting: Counting,
    /// The pages that calls read, by the paths of their tries.
    pages: SortedMap<Path, Pages>,
    /// The answering model's voice: text of the on-device model costs nothing.
    voice: Option<Voice>,
    max_steps: u8,
    stopped: Option<Stop>,
    streamed: Streamed,
    /// The address of the page that the run is about.
    page: String,
    /// The streamed text of an answer that was stopped.
    partial: String,
    letters: SortedMap<String, Letter>,
    needs: Option<Wait>,
    /// The path of a timer that the run waits for, and its end in milliseconds since the Unix
    /// epoch.
    deferred: Option<(Path, u64)>,
}

/// A message that the run has not read yet.
enum Letter {
    FollowUp,
    Verdict(Verdict),
}

impl Timeline {
    /// Returns the run's configuration, once its first record was read.
    pub fn brief(&self) -> Option<&RunConfig> {
        self.brief.as_ref()
    }

    /// Returns the events that follow from a record.
    pub fn read(&mut self, record: &Record) -> Vec<Event> {
        match &record.entry {
            Entry::Begun { brief, forked, .. } => self.begun(brief, forked.as_ref()),
            Entry::Intent {
                effect,
                attempt,
                label,
                ..
            } => self.intent(record, effect, *attempt, label),
            Entry::Outcome { body } => {
                let events = match (self.flights.end(&record.path), body) {
                    (Some(Flight::Model { .. }), Body::Inline(outcome)) => self.broke_off(outcome),
                    (
                        Some(Flight::Part { .. } | Flight::Call { .. } | Flight::Other),
                        Body::Inline(outcome),
                    ) => self.asked_aside(&record.path, outcome),
                    _ => Vec::new(),
                };
                events
                    .into_iter()
                    .chain(self.page_ended(&record.path))
                    .collect()
            }
            Entry::Gone { partial, stop } => self.gone(record, partial, *stop),
            Entry::Arrived {
                message,
                kind,
                body,
            } => self.arrived(message, kind, body),
            Entry::Withdrawn { message } => {
                self.letters.remove(message);
                let message = RunId(message.clone());
                vec![Event::MessageTakenBack { message }]
            }
            Entry::Heard { messages } => {
                self.deferred.take_if(|(path, _)| *path == record.path);
                self.heard(messages)
            }
            Entry::Renewed { gathered, .. } => self.renewed(gathered),
            Entry::Waits {
                kind,
                within_ms: Some(within_ms),
                ..
            } if kind == TIMER => {
                let until_ms = record.at_ms.saturating_add(*within_ms);
                self.deferred = Some((record.path.clone(), until_ms));
                self.put_off().into_iter().collect()
            }
            Entry::Waits { body, .. } => {
                let need = json::read::<Need>(body).ok();
                self.needs = need.map(|need| Wait {
                    id: record.seq,
                    need,
                });
                self.needed().into_iter().collect()
            }
            Entry::Note { topic, body } if topic == TOPIC => {
                let event = json::read::<Event>(body).ok();
                let event = event.filter(|it| self.holds(it));
                event.map_or_else(Vec::new, |it| self.noted(&record.path, it))
            }
            Entry::Note { .. } | Entry::Panicked { .. } | Entry::Shown { .. } | Entry::Left => {
                Vec::new()
            }
            Entry::Woken => self.woken(),
            Entry::Continued => {
                self.stopped = None;
                let abandoned = self.flights.abandon();
                let what = self.flights.repeated();
                let again = (!what.is_empty()).then_some(Event::SentAgain { what });
                // A run that was stopped during a wait waits again.
                [Event::Continued]
                    .into_iter()
                    .chain(again)
                    .chain(abandoned)
                    .chain(self.needed())
                    .chain(self.put_off())
                    .collect()
            }
            Entry::Ended { body } => Closing::told(body),
        }
    }

    /// Returns true if an event applies to this run: a fork with a higher budget begins with the
    /// warnings of the original run.
    fn holds(&self, event: &Event) -> bool {
        let settings = self.brief.as_ref().map(|brief| brief.settings);
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

    /// Returns the event that follows from streamed text, if the display changes.
    pub fn stream(&mut self, intent: u64, offset: usize, text: &str) -> Option<Event> {
        self.streamed.take(intent, offset, text, &self.page)
    }

    fn begun(&mut self, brief: &Value, fork: Option<&Fork>) -> Vec<Event> {
        let Ok(brief) = json::read::<RunConfig>(brief) else {
            return Vec::new();
        };
        self.max_steps = brief.settings.steps(None);
        let model = Speaker::of(&brief.model);
        self.voice = Some(model.voice);
        let event = Event::RunStarted {
            goal: brief.goal.clone(),
            max_steps: self.max_steps,
            model,
            mode: brief.mode,
        };
        let forked = fork
            .zip(brief.forked.as_ref())
            .map(|(fork, forked)| Event::Forked {
                from: fork.run.clone(),
                step: forked.step,
                edit: forked.edit.clone(),
                seq: fork.seq,
            });
        self.brief = Some(brief);
        [event].into_iter().chain(forked).collect()
    }

    fn intent(&mut self, record: &Record, effect: &str, attempt: u32, label: &Value) -> Vec<Event> {
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
            self.streamed = Streamed::default();
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
            ReadPage::KIND => events.push(self.phase(Phase::Reading, 0, self.max_steps)),
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

    /// Shows the partial text of an answer that failed until the run requests the answer again.
    fn broke_off(&mut self, outcome: &Value) -> Vec<Event> {
        let Ok(Err(error)) = json::read::<Result<IgnoredAny, ModelError>>(outcome) else {
            return Vec::new();
        };
        error.partial().clone_into(&mut self.partial);
        grown(&self.partial, &self.page).into_iter().collect()
    }

    /// Parallel steps are dropped together, but the user stopped once: one event.
    fn gone(&mut self, record: &Record, partial: &str, stop: Stop) -> Vec<Event> {
        let abandoned = self.flights.gone(&record.path, !stop.ends());
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

    fn arrived(&mut self, message: &str, kind: &str, body: &Value) -> Vec<Event> {
        let (letter, event) = match kind {
            FollowUp::NAME => {
                let Ok(FollowUp { goal, .. }) = json::read::<FollowUp>(body) else {
                    return Vec::new();
                };
                let message = RunId(message.to_owned());
                let event = Event::MessageQueued { message, goal };
                (Letter::FollowUp, vec![event])
            }
            Verdict::NAME => match json::read::<Verdict>(body) {
                Ok(verdict) => (Letter::Verdict(verdict), Vec::new()),
                Err(_) => return Vec::new(),
            },
            _ => return Vec::new(),
        };
        self.letters.insert(message.to_owned(), letter);
        event
    }

    fn heard(&mut self, messages: &[String]) -> Vec<Event> {
        let mut events = Vec::new();
        for message in messages {
            match self.letters.remove(message) {
                Some(Letter::FollowUp) => events.push(Event::MessageRead {
                    message: RunId(message.clone()),
                }),
                Some(Letter::Verdict(verdict)) => {
                    self.needs = None;
                    events.push(Event::PermissionAnswered { verdict });
                }
                None => {}
            }
        }
        events
    }

    fn needed(&self) -> Option<Event> {
        let wait = self.needs.clone()?;
        Some(Event::PermissionNeeded { wait })
    }

    fn put_off(&self) -> Option<Event> {
        let until_ms = self.deferred.as_ref()?.1;
        Some(Event::Deferred { until_ms })
    }

    /// Clears the state of a run that continues after a code update: no effect in progress will
    /// end.
    fn renewed(&mut self, gathered: &Value) -> Vec<Event> {
        let abandoned = self.flights.abandon();
        self.flights.clear();
        self.calls.clear();
        self.pages.clear();
        self.streamed = Streamed::default();
        self.partial.clear();
        self.needs = None;
        self.deferred = None;
        let gathered = json::read::<Gathered>(gathered).unwrap_or_default();
        let (tokens, cost) = gathered.used();
        self.counting.renewed(tokens, cost);
        let unknown = gathered.unknown;
        let renewed = Event::Renewed { unknown };
        [renewed].into_iter().chain(abandoned).collect()
    }

    /// Returns the streamed text of an answer that was stopped, as Markdown.
    pub fn partial(&self) -> &str {
        &self.partial
    }

    /// Returns the events after a restart of the worker. A model call in progress reports its
    /// repetition with its next intent.
    fn woken(&mut self) -> Vec<Event> {
        // These charges come after the event that ends the silence.
        let abandoned = self.flights.abandon();
        // A stopped run was woken only to be ended; a waiting run was woken by its answer.
        let waited = self.needs.is_some() || self.deferred.is_some();
        if self.flights.has_model() || self.stopped.is_some() || waited {
            return abandoned;
        }
        let what = self.flights.repeated();
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
