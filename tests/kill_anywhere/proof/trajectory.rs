//! A journal without the data that a kill may change: times, and the marks of kills and stops.

use gloss::agent::{Bound, Closing, Event, Phase, Status, Timeline, UsageSum};
use gloss::app::surface::{Notice, Turn};
use gloss::durable::{Body, Entry, Path, Record, RunId, StoredBatch};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Groups these batches by run, and parses their records.
pub(super) fn journals(batches: &[StoredBatch]) -> BTreeMap<RunId, Vec<Record>> {
    let mut journals: BTreeMap<RunId, Vec<Record>> = BTreeMap::new();
    for batch in batches {
        let json = batch.records.rsplit('\n').next().unwrap_or_default();
        let records: Vec<Record> = serde_json::from_str(json).expect("a sound batch");
        journals
            .entry(batch.run.clone())
            .or_default()
            .extend(records);
    }
    journals
}

/// Returns true if a message or a question informs the user that the outcome of an act is unknown.
pub(super) fn reported(turns: &[Turn]) -> bool {
    let failed = |turn: &Turn| {
        let failure = turn.failure.as_ref();
        failure.is_some_and(|failure| failure.code == "run_unknown")
    };
    let asks = |turn: &Turn| {
        let need = turn
            .wait
            .as_ref()
            .and_then(|wait| serde_json::to_value(&wait.need).ok());
        need.is_some_and(|need| need.get("outcome").is_some())
    };
    turns.iter().any(|turn| failed(turn) || asks(turn))
}

/// The records and events of a run, without data that depends on kills.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Trajectory {
    /// The entries at each path, in order. Parallel steps may end in any order.
    steps: BTreeMap<Path, Vec<Entry>>,
    events: Vec<Event>,
}

impl Trajectory {
    pub(super) fn of(records: Vec<Record>) -> Self {
        let records = records.into_iter().filter_map(unlabelled);
        let mut steps: BTreeMap<Path, Vec<Entry>> = BTreeMap::new();
        let mut events = Vec::new();
        let mut timeline = Timeline::default();
        for record in records {
            events.extend(told(&mut timeline, &record));
            steps.entry(record.path).or_default().push(record.entry);
        }
        // Messages may arrive at any moment, so their events are removed here. `steps` contains
        // them.
        events.retain(|event| {
            !matches!(
                event,
                Event::MessageQueued { .. } | Event::MessageTakenBack { .. }
            )
        });
        events.iter_mut().for_each(still);
        in_any_order(&mut events);
        Self { steps, events }
    }
}

impl Trajectory {
    /// A description of the first difference from another trajectory.
    pub(super) fn difference(&self, other: &Self) -> Option<String> {
        let steps = self.steps.keys().chain(other.steps.keys());
        for path in steps {
            let (ours, theirs) = (self.steps.get(path), other.steps.get(path));
            if ours != theirs {
                return Some(format!("at {path}\n{ours:?}\ninstead of\n{theirs:?}"));
            }
        }
        let most = self.events.len().max(other.events.len());
        (0..most).find_map(|place| {
            let (ours, theirs) = (self.events.get(place), other.events.get(place));
            let differ = ours != theirs;
            differ.then(|| format!("event {place}\n{ours:?}\ninstead of\n{theirs:?}"))
        })
    }
}

/// The events of a record, except the streamed text, which is not in the journal.
pub(super) fn told(timeline: &mut Timeline, record: &Record) -> Vec<Event> {
    let told = timeline.read(record).into_iter();
    told.filter(|event| !streams(event)).collect()
}

/// Returns true if the event shows a part of an answer that is being streamed.
pub(super) fn streams(event: &Event) -> bool {
    matches!(event, Event::AnswerGrew { .. })
}

/// A record without the data that differs between lives. `None` if the record only marks a death
/// or a stop.
fn unlabelled(mut record: Record) -> Option<Record> {
    record.at_ms = 0;
    record.seq = 0;
    match &mut record.entry {
        Entry::Resumed | Entry::Continued | Entry::Stopped { .. } | Entry::Panicked { .. } => {
            return None;
        }
        // The step was started again by a later life.
        Entry::Intent { attempt, .. } if *attempt > 1 => return None,
        Entry::Ended { body } => {
            let closing = Closing::deserialize(&*body).ok()?;
            if closing.status == Status::Terminated(Bound::Stopped) {
                return None;
            }
        }
        Entry::Outcome {
            body: Body::Inline(body),
        } if body.is_number() => *body = Value::Null,
        Entry::Outcome {
            body: Body::Inline(body),
        }
        | Entry::Note { body, .. } => scrub(body),
        // The id of a message contains its number in the journal.
        Entry::Arrived { message, .. } | Entry::Withdrawn { message } => unnumber(message),
        Entry::MessagesRead { messages } => messages.iter_mut().for_each(unnumber),
        _ => {}
    }
    Some(record)
}

fn unnumber(message: &mut String) {
    let kept = message.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    message.truncate(kept);
}

/// Removes all durations from a JSON value.
fn scrub(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            if let Some(duration) = fields.get_mut("duration_ms") {
                *duration = Value::from(0);
            }
            fields.values_mut().for_each(scrub);
        }
        Value::Array(items) => items.iter_mut().for_each(scrub),
        _ => {}
    }
}

fn still(event: &mut Event) {
    if let Event::PermissionNeeded { wait } = event {
        wait.id = 0;
    }
}

/// Sorts the events of parallel calls, because they may arrive in any order.
fn in_any_order(events: &mut [Event]) {
    let of_calls = |event: &Event| -> Option<String> {
        match event {
            Event::PhaseChanged {
                phase: Phase::Executing,
                ..
            } => Some(String::new()),
            Event::ToolStarted { call, .. } => Some(format!("{call} began")),
            Event::ToolFinished { call, .. } => Some(format!("{call} ended")),
            _ => None,
        }
    };
    for group in events.chunk_by_mut(|a, b| of_calls(a).is_some() == of_calls(b).is_some()) {
        group.sort_by_key(of_calls);
    }
}

/// A turn without the data that differs between lives: times, and notices about deaths and stops.
pub(super) fn shown(turn: &Turn) -> Turn {
    let mut turn = turn.clone();
    turn.started_at_ms = 0;
    turn.ended_at_ms = turn.ended_at_ms.map(|_| 0);
    turn.active_ms = 0;
    turn.active_since_ms = turn.active_since_ms.map(|_| 0);
    // If the worker dies, a prompt may stay without a reply. The prompt is charged separately from
    // other calls.
    turn.usage.abandoned = UsageSum::default();
    turn.notices.retain_mut(|seam| match seam {
        Notice::Resumed { .. }
        | Notice::Restarted { .. }
        | Notice::Stopped { .. }
        | Notice::Paused { .. } => false,
        Notice::Permission { at_ms, .. } => {
            *at_ms = 0;
            true
        }
        _ => true,
    });
    if let Some(wait) = &mut turn.wait {
        wait.id = 0;
    }
    for message in &mut turn.messages {
        message.read_at_ms = message.read_at_ms.map(|_| 0);
    }
    for step in &mut turn.steps {
        step.started_at_ms = 0;
        step.ended_at_ms = 0;
        for call in &mut step.calls {
            call.duration_ms = 0;
        }
    }
    turn
}
