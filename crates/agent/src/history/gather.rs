//! Collects the content of a run that an update of Gloss interrupted. The run's continuation
//! starts with this content ([`gloss_durable::Entry::Restarted`]).
//!
//! Example: Gloss is updated in the middle of an answer. The new transcript begins with the
//! goal. The old thoughts, observations, calls, results and user messages follow in their old
//! order. The tokens used before the update still count. A finished call that changes the world
//! appears with its result. If the result of such a call is unknown, the transcript says so. In
//! both cases, the call is not repeated.
//!
//! The content is not copied: each [`CarriedEntry`] contains the numbers of its records in the
//! journal. After a second update, the collection starts again at the first record of the run.

use crate::config::FollowUp;
use crate::events::{CallRef, CarriedEntry, CarryOver, Event};
use crate::run::TOPIC;
use crate::run::capture_page::CapturePage;
use crate::timeline::Timeline;
use gloss_durable::sorted::{SortedMap, SortedSet};
use gloss_durable::{Body, Class, Effect, Entry, Message as _, Path, Record, json};
use gloss_host::{Capture, CaptureError};
use gloss_model::{Ask, AskLabel, ModelError, Purpose, Reply};
use gloss_tools::{RunTool, ToolError, ToolLabel, ToolOutcome};
use serde_json::Value;

/// Collects a run's content from its records. Also returns the paths of the steps that led to the
/// page's capture. The continuation uses their recorded outcomes, because a new capture may fail:
/// Gloss may no longer have the permission. `halted` is the step whose request no longer matches
/// its record. In `records`, large bodies are inline if they are available.
pub fn gather(records: &[Record], halted: &Path) -> (CarryOver, Vec<Path>) {
    let mut gathering = Collector::default();
    let mut timeline = Timeline::default();
    for record in records {
        for event in timeline.read(record) {
            gathering.count(&event);
        }
        gathering.take(record);
    }
    (gathering.close(), capture_paths(records, halted))
}

#[derive(Default)]
struct Collector {
    gathered: CarryOver,
    /// The model calls without an outcome yet, with the numbers of their records.
    asked: SortedMap<Path, u64>,
    /// The tries of tool calls without an outcome yet.
    begun: SortedMap<Path, OpenTry>,
    /// The calls of the current step. The key is the path of the step's `act` and the number of
    /// the call.
    calls: SortedMap<(String, u32), CallState>,
    /// The calls of the current step that wait for the user's decision.
    waiting: SortedSet<(String, u32)>,
    /// The numbers of the records of unread messages of the user, by message id.
    follow_ups: SortedMap<String, u64>,
}

/// A try of a tool call. The try has no outcome yet.
struct OpenTry {
    seq: u64,
    tool: String,
    class: Class,
}

/// A call of the current step.
struct CallState {
    called: CallRef,
    /// The number of the call's last record.
    last: u64,
}

impl Collector {
    /// Reads the usage from an event that reports tokens. The events of [`Timeline`] include model
    /// calls of tools that have not finished.
    fn count(&mut self, event: &Event) {
        if let Event::TokensUsed { total, cost, .. } = event {
            let spent = &mut self.gathered.spent;
            spent.tokens = *total;
            spent.cost = cost.unwrap_or(spent.cost);
            spent.unpriced = cost.is_none();
        }
    }

    fn take(&mut self, record: &Record) {
        match &record.entry {
            Entry::Intent { effect, label, .. } if effect == Ask::KIND && is_dialogue(label) => {
                self.asked.insert(record.path.clone(), record.seq);
            }
            Entry::Intent {
                effect,
                class,
                label,
                ..
            } if effect == RunTool::KIND => {
                if let Ok(label) = json::read::<ToolLabel>(label) {
                    let begun = OpenTry {
                        seq: record.seq,
                        tool: label.tool,
                        class: *class,
                    };
                    self.begun.insert(record.path.clone(), begun);
                }
            }
            Entry::Outcome { body } => {
                if let Some(intent) = self.asked.remove(&record.path) {
                    self.take_reply(intent, record.seq, body);
                } else if let Some(begun) = self.begun.remove(&record.path) {
                    let is_known = begun.class == Class::Safe || !is_late(body);
                    let outcome = is_known.then_some(record.seq);
                    self.record_try(&record.path, begun, outcome, record.seq);
                }
            }
            Entry::Note { topic, body } if topic == TOPIC => {
                if let Ok(Event::ObservationMade { step, .. }) = json::read::<Event>(body) {
                    self.gathered.steps = step;
                }
            }
            Entry::Arrived { message, kind, .. } if kind == FollowUp::NAME => {
                self.follow_ups.insert(message.clone(), record.seq);
            }
            Entry::Waiting { .. } => {
                self.waiting.insert(place_of(&record.path));
            }
            Entry::MessagesRead { messages } => {
                self.waiting.remove(&place_of(&record.path));
                for message in messages {
                    if let Some(arrived) = self.follow_ups.remove(message) {
                        self.push(CarriedEntry::Asked { arrived });
                    }
                }
            }
            // The continuation may use the paths of unfinished calls for new calls.
            Entry::Restarted { .. } => self.close_open_calls(),
            _ => {}
        }
    }

    fn take_reply(&mut self, intent: u64, outcome: u64, body: &Body) {
        let Body::Inline(value) = body else {
            return;
        };
        if let Ok(Ok(_)) = json::read::<Result<Reply, ModelError>>(value) {
            self.push(CarriedEntry::Replied { intent, outcome });
        }
    }

    /// Records a try of a call. A later try replaces an earlier one.
    fn record_try(&mut self, path: &Path, begun: OpenTry, outcome: Option<u64>, last: u64) {
        if outcome.is_none() {
            self.gathered.unknown.push(begun.tool);
        }
        let place = place_of(path);
        let before = self.calls.get(&place).map(|known| known.called.tries);
        self.gathered.tool_calls += u32::from(before.is_none());
        let called = CallRef {
            intent: begun.seq,
            outcome,
            tries: before.unwrap_or_default() + 1,
        };
        self.calls.insert(place, CallState { called, last });
    }

    /// Adds an entry after the calls of the current step.
    fn push(&mut self, piece: CarriedEntry) {
        self.end_calls();
        self.gathered.pieces.push(piece);
    }

    /// Adds the ended calls of the current step as an entry. A call that waits for the user's
    /// decision is left out, because the continuation makes the call again and asks the user
    /// again.
    fn end_calls(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        let all = std::mem::take(&mut self.calls).into_iter();
        let (open, ended): (Vec<_>, Vec<_>) = all.partition(|(place, _)| waiting.contains(place));
        self.gathered.tool_calls -= open.len() as u32;
        let ended = ended.into_iter();
        let calls: Vec<CallRef> = ended.map(|(_, known)| known.called).collect();
        if !calls.is_empty() {
            self.gathered.pieces.push(CarriedEntry::Called { calls });
        }
    }

    /// Removes the unfinished calls, because no outcome will be recorded for them. A tool call that
    /// may have changed something counts as a call with an unknown outcome.
    fn close_open_calls(&mut self) {
        self.asked.clear();
        for (path, begun) in std::mem::take(&mut self.begun) {
            // If the user requested a later try and it ended, the outcome of that try counts.
            let last = self.calls.get(&place_of(&path)).map(|known| known.last);
            let settled = last.is_some_and(|seq| seq > begun.seq);
            if begun.class != Class::Safe && !settled {
                let seq = begun.seq;
                self.record_try(&path, begun, None, seq);
            }
        }
        self.end_calls();
    }

    fn close(mut self) -> CarryOver {
        self.close_open_calls();
        self.gathered
    }
}

/// Returns the call that a try belongs to: the path of the step's `act`, and the call's number.
/// `2/act/0/try.1` belongs to (`2/act`, 0).
fn place_of(path: &Path) -> (String, u32) {
    let call = path.parent();
    let number = call.segments().last().and_then(|it| it.parse().ok());
    (
        call.parent().as_str().to_owned(),
        number.unwrap_or_default(),
    )
}

/// Returns true if the reply to a model call is part of the transcript. A compaction's reply, for
/// example, is not.
fn is_dialogue(label: &Value) -> bool {
    json::read::<AskLabel>(label).is_ok_and(|label| match label.purpose {
        Purpose::Reason | Purpose::Act | Purpose::Observe | Purpose::Synthesise => true,
        Purpose::Compact | Purpose::Grade | Purpose::Rewrite => false,
    })
}

/// Returns true if a call timed out. Such a call may or may not have been carried out.
fn is_late(body: &Body) -> bool {
    let Body::Inline(value) = body else {
        return false;
    };
    let outcome = json::read::<ToolOutcome>(value);
    outcome.is_ok_and(|outcome| matches!(outcome.result, Err(ToolError::TimedOut { .. })))
}

/// Returns the paths of the records that led to the page's capture. Returns no paths if this code
/// can't read the capture.
fn capture_paths(records: &[Record], halted: &Path) -> Vec<Path> {
    let leads = |path: &Path| {
        path.segments().count() == 1
            && (path.as_str().starts_with("page") || path.as_str().starts_with("site."))
    };
    let mut paths = Vec::new();
    let mut stands = false;
    let mut asked = false;
    for record in records.iter().filter(|record| leads(&record.path)) {
        if record.path == *halted {
            return Vec::new();
        }
        match &record.entry {
            Entry::Intent { effect, .. } => asked = effect == CapturePage::KIND,
            Entry::Outcome {
                body: Body::Inline(value),
            } => {
                let read = json::read::<Result<Capture, CaptureError>>(value);
                stands = asked && matches!(read, Ok(Ok(_)));
            }
            _ => {}
        }
        if !paths.contains(&record.path) {
            paths.push(record.path.clone());
        }
    }
    if stands { paths } else { Vec::new() }
}
