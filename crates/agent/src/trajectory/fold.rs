//! Computes the trajectory's log from a run's records, in one pass.

mod model_calls;

use super::{
    Bodies, LogEntry, LogEntryKind, Metrics, ToolCallResult, ToolCallTry, Trajectory, VERSION,
    used_results,
};
use crate::config::Goal;
use crate::events::{Event, Failure, Status};
use crate::run_usage::RunUsage;
use crate::timeline::Timeline;
use gloss_durable::sorted::SortedMap;
use gloss_durable::{Body, Class, Effect, Entry, Halt, Path, Record, RunId, json};
use gloss_markdown as markdown;
use gloss_model::{AnswerOrigin, Ask};
use gloss_tools::{CallEnd, ToolError, ToolOutcome};
use serde::Deserialize;
use serde_json::Value;

pub(super) fn fold(records: &[Record], bodies: &Bodies) -> Trajectory {
    let mut fold = Fold {
        timeline: Timeline::default(),
        bodies,
        log: Vec::new(),
        step: 0,
        status: Status::Running,
        letters: SortedMap::new(),
        voice: AnswerOrigin::Model,
        usage: RunUsage::default(),
        asks: SortedMap::new(),
        calls: SortedMap::new(),
        tries: SortedMap::new(),
    };
    for record in records {
        fold.take(record);
    }
    let cost = fold.usage.total().cost;
    let mut log = fold.log;
    used_results::mark_used(&mut log);
    Trajectory {
        v: VERSION,
        status: fold.status,
        metrics: Metrics::of(&log, records, cost),
        log,
    }
}

struct Fold<'a> {
    timeline: Timeline,
    bodies: &'a Bodies,
    log: Vec<LogEntry>,
    step: u8,
    status: Status,
    /// The goals of the messages that the run has not read yet, by message id.
    letters: SortedMap<RunId, Goal>,
    /// The origin of the answering model's text. The on-device model quotes the page and uses no
    /// tokens.
    voice: AnswerOrigin,
    usage: RunUsage,
    /// The model calls, by path.
    asks: SortedMap<Path, Pending>,
    /// The call's id and the tool's name of each unfinished try, by path.
    calls: SortedMap<Path, (String, String)>,
    /// The number of tries of each tool call, by the call's path.
    tries: SortedMap<Path, u32>,
}

/// The attempts of one model call.
#[derive(Default)]
struct Pending {
    /// The log index of the attempt in progress.
    open: Option<usize>,
    /// The log indexes of abandoned attempts.
    abandoned: Vec<usize>,
}

impl Fold<'_> {
    fn take(&mut self, record: &Record) {
        if let Some(step) = step_of(&record.path) {
            self.step = step;
        }
        match &record.entry {
            Entry::Intent {
                effect,
                attempt,
                label,
                ..
            } if effect == Ask::KIND => self.on_model_call(record, *attempt, label),
            Entry::Outcome { body } if self.asks.contains_key(&record.path) => {
                self.replied(record, body);
            }
            Entry::Outcome { body } => {
                if let Some((id, tool)) = self.calls.remove(&record.path) {
                    self.returned(record, id, tool, body);
                }
            }
            Entry::Stopped { .. } => {
                self.abandon(None);
                self.calls.remove(&record.path);
            }
            Entry::Resumed | Entry::Ended { .. } => self.abandon(None),
            Entry::Restarted { .. } => {
                self.abandon(None);
                self.calls.clear();
            }
            _ => {}
        }
        for event in self.timeline.read(record) {
            self.usage.take(&event);
            self.tell(record, event);
        }
    }

    fn log(&mut self, record: &Record, step: u8, what: LogEntryKind) {
        self.log.push(LogEntry {
            seq: record.seq,
            at_ms: record.at_ms,
            step,
            what,
        });
    }

    fn tell(&mut self, record: &Record, event: Event) {
        let step = self.step;
        match event {
            Event::RunStarted { goal, model, .. } => {
                self.voice = model.voice;
                self.log(record, step, LogEntryKind::Message { goal });
            }
            Event::MessageQueued { message, goal } => {
                self.letters.insert(message, goal);
            }
            Event::MessageTakenBack { message } => {
                self.letters.remove(&message);
            }
            Event::MessageRead { message } => {
                if let Some(goal) = self.letters.remove(&message) {
                    self.log(record, step, LogEntryKind::Message { goal });
                }
            }
            Event::PageRead { page } => self.log(record, step, LogEntryKind::Page { page }),
            Event::ThoughtFormed { step, thought } => {
                self.log(record, step, LogEntryKind::Thought { thought });
            }
            Event::ToolStarted {
                step,
                call,
                tool,
                arguments,
            } => self.called(record, step, [call, tool, arguments]),
            Event::ObservationMade {
                step,
                observation,
                goal_met,
            } => {
                let what = LogEntryKind::Observation {
                    observation,
                    goal_met,
                };
                self.log(record, step, what);
            }
            Event::Reflected { step, reflection } => {
                self.log(record, step, LogEntryKind::Reflection { reflection });
            }
            Event::ReflectionApplied { ids, step } => {
                self.log(record, step, LogEntryKind::Applied { ids });
            }
            Event::ModelRetried { failure, .. } | Event::Failed { failure } => {
                self.log(record, step, LogEntryKind::Error { failure });
            }
            Event::AnswerGiven { answer } => {
                let cites = answer.citations.into_iter().map(|cited| cited.passage);
                let markdown = markdown::write(&answer.blocks, &|passage| format!("[[{passage}]]"));
                let what = LogEntryKind::Answer {
                    markdown,
                    cites: cites.collect(),
                };
                self.log(record, step, what);
            }
            Event::RunEnded { status } => self.status = status,
            Event::PermissionNeeded { .. } => self.turn(record, Status::AwaitingUser, event),
            Event::PermissionAnswered { .. } | Event::Continued | Event::Renewed { .. } => {
                self.turn(record, Status::Running, event);
            }
            Event::Paused { .. } => self.turn(record, Status::Paused, event),
            Event::ModelChanged { ref to, .. } => {
                self.voice = to.voice;
                self.log(record, step, LogEntryKind::Seam(event));
            }
            Event::BoundHit { .. } => {
                // Limits are usually checked at the start of a step. If a limit is reached, the
                // step does not happen, so the event belongs to the step before.
                self.step = step.saturating_sub(1);
                self.log(record, self.step, LogEntryKind::Seam(event));
            }
            Event::AnswerRefused { .. }
            | Event::Compacted { .. }
            | Event::Forked { .. }
            | Event::Deferred { .. }
            | Event::Resumed
            | Event::AskedAgain { .. }
            | Event::SentAgain { .. }
            | Event::AnswerRestarted
            | Event::Stopped => self.log(record, step, LogEntryKind::Seam(event)),
            // A call that was not made has no other record than this event.
            Event::ToolFinished {
                end: CallEnd::Skipped,
                step,
                call,
                tool,
                summary,
                ..
            } => {
                let error = match ToolError::in_vain(&summary) {
                    Some(error) => error,
                    None => ToolError::Skipped,
                };
                let outcome = ToolOutcome::not_made(error);
                self.on_tool_result(record, step, call, tool, outcome);
            }
            // These events matter only to the live interface. The result of a call is logged when
            // the outcome is recorded.
            _ => {}
        }
    }

    fn turn(&mut self, record: &Record, status: Status, event: Event) {
        self.status = status;
        self.log(record, self.step, LogEntryKind::Seam(event));
    }

    fn called(&mut self, record: &Record, step: u8, [id, tool, arguments]: [String; 3]) {
        let class = match &record.entry {
            Entry::Intent { class, .. } => *class,
            _ => Class::Safe,
        };
        let tries = self.tries.or_default(record.path.parent());
        *tries += 1;
        let attempt = *tries;
        let call = (id.clone(), tool.clone());
        self.calls.insert(record.path.clone(), call);
        let what = LogEntryKind::Call(ToolCallTry {
            id,
            tool,
            arguments,
            class,
            attempt,
        });
        self.log(record, step, what);
    }

    fn returned(&mut self, record: &Record, id: String, tool: String, body: &Body) {
        if let Some(outcome) = self.read::<ToolOutcome>(record, body) {
            self.on_tool_result(record, self.step, id, tool, outcome);
        }
    }

    fn on_tool_result(
        &mut self,
        record: &Record,
        step: u8,
        id: String,
        tool: String,
        given: ToolOutcome,
    ) {
        let (end, tokens, cost) = (given.end(), given.tokens(), given.cost());
        let (outcome, summary) = match given.result {
            Ok(output) => (Ok(output.data), output.summary),
            Err(error) => (Err(error.to_string()), error.summary()),
        };
        let what = LogEntryKind::Result(ToolCallResult {
            id,
            tool,
            outcome,
            summary,
            end,
            duration_ms: given.duration_ms,
            tokens,
            cost,
            used: false,
            role_calls: given.role_calls,
        });
        self.log(record, step, what);
    }

    /// Reads a record's body. A body that is missing or has another format is logged as an error,
    /// so that the rest of the run can still be read.
    fn read<T: for<'de> Deserialize<'de>>(&mut self, record: &Record, body: &Body) -> Option<T> {
        let read = match body {
            Body::Inline(value) => json::read::<T>(value).map_err(|error| error.to_string()),
            Body::Blob(hash) => match self.bodies.get(hash) {
                Some(json) => serde_json::from_str::<Value>(json)
                    .and_then(|value| json::read::<T>(&value))
                    .map_err(|error| error.to_string()),
                None => Err(format!("the body {hash} is missing")),
            },
        };
        let message = match read {
            Ok(read) => return Some(read),
            Err(message) => message,
        };
        let path = record.path.clone();
        let failure = Failure::of_halt(&Halt::Unreadable { path, message });
        self.log(record, self.step, LogEntryKind::Error { failure });
        None
    }
}

/// Returns the step that a record belongs to. A path of the loop begins with the step's number:
/// `2/act/0` belongs to step 2.
fn step_of(path: &Path) -> Option<u8> {
    path.segments().next()?.parse().ok()
}
