//! From a journal's records to the events that surfaces are told.
//!
//! A fold: the same records always tell the same events, whether they land now
//! or were recorded by an earlier life.

use super::ending::Closing;
use super::read_page::ReadPage;
use super::{Brief, Event, Failure, Phase, Status};
use crate::durable::{Effect, Entry, Path, Record, Unreadable};
use crate::markdown::{Growing, Growth};
use crate::model::{Ask, AskLabel, Purpose};
use crate::tools::{RunTool, ToolLabel};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The topic of notes that are events.
pub(super) const TOPIC: &str = "event";

/// Reads one run's journal, record by record.
#[derive(Default)]
pub struct Timeline {
    brief: Option<Brief>,
    pending: BTreeMap<Path, Pending>,
    max_steps: u8,
    stopped: bool,
    streamed: Streamed,
}

/// An effect in flight.
enum Pending {
    Model,
    Other,
}

/// The answer as it streams.
#[derive(Default)]
struct Streamed {
    intent: u64,
    /// How much came so far, in bytes.
    length: usize,
    growing: Growing,
}

impl Timeline {
    /// The run's configuration, once its first record was read.
    pub fn brief(&self) -> Option<&Brief> {
        self.brief.as_ref()
    }

    /// What a record tells.
    pub fn read(&mut self, record: &Record) -> Vec<Event> {
        let at_ms = record.at_ms;
        match &record.entry {
            Entry::Begun { brief, .. } => self.begun(brief, at_ms),
            Entry::Intent {
                effect,
                attempt,
                label,
                ..
            } => self.intent(record, effect, *attempt, label),
            Entry::Outcome { .. } => {
                self.pending.remove(&record.path);
                Vec::new()
            }
            Entry::Gone { partial, .. } => self.gone(record, partial),
            Entry::Note { topic, body } if topic == TOPIC => {
                Event::deserialize(body).ok().into_iter().collect()
            }
            Entry::Note { .. } | Entry::Panicked { .. } | Entry::Left => Vec::new(),
            Entry::Woken => self.woken(at_ms),
            Entry::Continued => {
                self.stopped = false;
                vec![Event::Continued { at_ms }]
            }
            Entry::Ended { body } => ended(body, at_ms),
        }
    }

    /// What streamed text tells, if it changes what is shown.
    pub fn stream(&mut self, intent: u64, offset: usize, text: &str) -> Option<Event> {
        let streamed = &mut self.streamed;
        if streamed.intent != intent || offset == 0 {
            *streamed = Streamed {
                intent,
                ..Streamed::default()
            };
        }
        // A delta that does not follow on is not guessed at: the answer comes whole.
        if streamed.length != offset {
            return None;
        }
        streamed.length += text.len();
        streamed.growing.push(text).map(grew)
    }

    fn begun(&mut self, brief: &Value, at_ms: u64) -> Vec<Event> {
        let Ok(brief) = Brief::deserialize(brief) else {
            return Vec::new();
        };
        self.max_steps = brief.settings.steps(None);
        let event = Event::RunStarted {
            goal: brief.goal.clone(),
            at_ms,
            max_steps: self.max_steps,
        };
        self.brief = Some(brief);
        vec![event]
    }

    fn intent(&mut self, record: &Record, effect: &str, attempt: u32, label: &Value) -> Vec<Event> {
        let asks = effect == Ask::KIND;
        let pending = if asks { Pending::Model } else { Pending::Other };
        let cut = self.pending.insert(record.path.clone(), pending).is_some();
        let mut events = Vec::new();
        if asks && attempt > 1 {
            self.streamed = Streamed::default();
            let at_ms = record.at_ms;
            events.push(if cut {
                Event::AnswerRestarted { at_ms }
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
                if let Ok(label) = AskLabel::deserialize(label) {
                    events.push(self.phase(phase_of(label.purpose), label.step, label.max_steps));
                }
            }
            RunTool::KIND => {
                if let Ok(label) = ToolLabel::deserialize(label) {
                    events.push(self.phase(Phase::Executing, label.step, self.max_steps));
                    events.push(Event::ToolStarted {
                        step: label.step,
                        call: label.call,
                        tool: label.tool,
                    });
                }
            }
            _ => {}
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

    /// Parallel steps are dropped together; the person stopped once.
    fn gone(&mut self, record: &Record, partial: &str) -> Vec<Event> {
        self.pending.remove(&record.path);
        let mut events = Vec::new();
        if !partial.is_empty() {
            events.extend(Growing::default().push(partial).map(grew));
        }
        if !self.stopped {
            self.stopped = true;
            events.push(Event::Stopped {
                at_ms: record.at_ms,
            });
        }
        events
    }

    /// A model call in flight is asked again, which its next intent tells.
    fn woken(&mut self, at_ms: u64) -> Vec<Event> {
        let asked = self.pending.values().any(|p| matches!(p, Pending::Model));
        // A stopped run was woken only to be ended.
        if asked || self.stopped {
            return Vec::new();
        }
        vec![Event::Resumed { at_ms }]
    }
}

fn grew(growth: Growth) -> Event {
    let Growth { frozen, kept, tail } = growth;
    match kept {
        0 => Event::AnswerGrew { frozen, tail },
        kept => Event::BlockGrew { frozen, kept, tail },
    }
}

fn phase_of(purpose: Purpose) -> Phase {
    match purpose {
        Purpose::Reason => Phase::Thinking,
        Purpose::Act => Phase::Executing,
        Purpose::Observe => Phase::Analysing,
        Purpose::Synthesise => Phase::Synthesising,
    }
}

/// An ending that cannot be read is a damaged run, not one that was stopped.
fn ended(body: &Value, at_ms: u64) -> Vec<Event> {
    let closing = Closing::deserialize(body).unwrap_or_else(|error| Closing {
        status: Status::Failed,
        failure: Some(Failure::of_journal(&Unreadable::Corrupt(error.to_string()))),
    });
    let failed = closing.failure.map(|failure| Event::Failed { failure });
    failed
        .into_iter()
        .chain([Event::RunEnded {
            status: closing.status,
            at_ms,
        }])
        .collect()
}
