//! What a run had gathered when the code changed under it: the context of the fresh
//! continuation ([`gloss_durable::Entry::Renewed`]).
//!
//! Driving example: Gloss is updated in the middle of an answer. What the model thought,
//! observed, finished and decided, what it called and what that gave, and the person's
//! messages are laid before it again behind the goal, each as it stood there before; what was
//! spent counts on. An effect on the world that was recorded stands there as done, one whose
//! outcome is not known as that, so that neither is repeated.
//!
//! The journal has all of it, so nothing of it is copied: a piece names the records that it
//! stands in. They are told anew from the run's beginning, whatever an earlier update
//! gathered.

use crate::config::FollowUp;
use crate::events::{Called, Event, Gathered, Piece};
use crate::run::TOPIC;
use crate::run::read_page::ReadPage;
use crate::thought::Thought;
use crate::timeline::Timeline;
use gloss_durable::sorted::{SortedMap, SortedSet};
use gloss_durable::{Body, Class, Effect, Entry, Message as _, Path, Record, json};
use gloss_host::{Capture, CaptureError};
use gloss_model::phrase::Said;
use gloss_model::{Ask, AskLabel, ModelError, Purpose, Reply};
use gloss_tools::{RunTool, ToolError, ToolLabel, ToolOutcome};
use serde_json::Value;

/// What a run's records tell of it, and the steps whose outcomes still stand: the
/// page's capture, as the right to take another may be gone. `halted` is the step that
/// no longer replays; large bodies stand in their records, as far as they can be had.
pub fn gather(records: &[Record], halted: &Path) -> (Gathered, Vec<Path>) {
    let mut gathering = Gathering::default();
    let mut timeline = Timeline::default();
    for record in records {
        for event in timeline.read(record) {
            gathering.count(&event);
        }
        gathering.take(record);
    }
    (gathering.close(), kept(records, halted))
}

/// A fold over the records.
#[derive(Default)]
struct Gathering {
    gathered: Gathered,
    /// The calls of models in flight.
    asked: SortedMap<Path, u64>,
    /// The calls of tools in flight.
    begun: SortedMap<Path, Begun>,
    /// The calls of the step at hand, by their places in it.
    calls: SortedMap<(String, u32), Known>,
    /// Those of them that wait for the person's word.
    waiting: SortedSet<(String, u32)>,
    /// The person's messages that nobody read yet.
    follow_ups: SortedMap<String, u64>,
    /// The words of replies that can be read.
    words: SortedSet<String>,
}

/// A try in flight.
struct Begun {
    seq: u64,
    tool: String,
    class: Class,
}

/// What is known of a call.
struct Known {
    called: Called,
    /// The last record of it.
    last: u64,
}

impl Gathering {
    /// What the run used, as surfaces are told it: steps of a call that did not end are in it.
    fn count(&mut self, event: &Event) {
        if let Event::TokensUsed { total, cost, .. } = event {
            let gathered = &mut self.gathered;
            gathered.tokens = *total;
            gathered.cost = cost.unwrap_or(gathered.cost);
            gathered.unpriced = cost.is_none();
        }
    }

    fn take(&mut self, record: &Record) {
        match &record.entry {
            Entry::Intent { effect, label, .. } if effect == Ask::KIND && speaks(label) => {
                self.asked.insert(record.path.clone(), record.seq);
            }
            Entry::Intent {
                effect,
                class,
                label,
                ..
            } if effect == RunTool::KIND => {
                if let Ok(label) = json::read::<ToolLabel>(label) {
                    let begun = Begun {
                        seq: record.seq,
                        tool: label.tool,
                        class: *class,
                    };
                    self.begun.insert(record.path.clone(), begun);
                }
            }
            Entry::Outcome { body } => {
                if let Some(intent) = self.asked.remove(&record.path) {
                    self.replied(intent, record.seq, body);
                } else if let Some(begun) = self.begun.remove(&record.path) {
                    let is_known = begun.class == Class::Safe || !is_late(body);
                    let outcome = is_known.then_some(record.seq);
                    self.called(&record.path, begun, outcome, record.seq);
                }
            }
            Entry::Note { topic, body } if topic == TOPIC => {
                if let Ok(event) = json::read::<Event>(body) {
                    self.happened(event);
                }
            }
            Entry::Arrived { message, kind, .. } if kind == FollowUp::NAME => {
                self.follow_ups.insert(message.clone(), record.seq);
            }
            Entry::Waits { .. } => {
                self.waiting.insert(place_of(&record.path));
            }
            Entry::Heard { messages } => {
                self.waiting.remove(&place_of(&record.path));
                for message in messages {
                    if let Some(arrived) = self.follow_ups.remove(message) {
                        self.push(Piece::Asked { arrived });
                    }
                }
            }
            // What was in flight is done anew, under the same paths.
            Entry::Renewed { .. } => self.leave(),
            _ => {}
        }
    }

    fn replied(&mut self, intent: u64, outcome: u64, body: &Body) {
        let Body::Inline(value) = body else {
            return;
        };
        let Ok(Ok(reply)) = json::read::<Result<Reply, ModelError>>(value) else {
            return;
        };
        self.push(Piece::Replied { intent, outcome });
        let observed = reply.control.observation.clone();
        for said in [observed, Thought::of(reply).said] {
            if let Some(Said::Words(words)) = said {
                self.words.insert(words);
            }
        }
    }

    fn happened(&mut self, event: Event) {
        let (step, said) = match event {
            Event::ThoughtFormed { step, thought } => (step, thought),
            Event::ObservationMade {
                step, observation, ..
            } => {
                self.gathered.steps = step;
                (step, observation)
            }
            Event::AnswerGiven { answer } => (self.gathered.steps, Said::Words(answer.markdown)),
            _ => return,
        };
        if let Said::Words(words) = said
            && self.words.insert(words.clone())
        {
            self.push(Piece::Said { step, words });
        }
    }

    /// A try of a call: of several the last counts.
    fn called(&mut self, path: &Path, begun: Begun, outcome: Option<u64>, last: u64) {
        if outcome.is_none() {
            self.gathered.unknown.push(begun.tool);
        }
        let place = place_of(path);
        let before = self.calls.get(&place).map(|known| known.called.tries);
        self.gathered.tool_calls += u32::from(before.is_none());
        let called = Called {
            intent: begun.seq,
            outcome,
            tries: before.unwrap_or_default() + 1,
        };
        self.calls.insert(place, Known { called, last });
    }

    /// What comes behind the calls of a step: they have all ended by then.
    fn push(&mut self, piece: Piece) {
        self.end_calls();
        self.gathered.pieces.push(piece);
    }

    /// One that waits for the person's word is no refused one: it is made anew, and asks again.
    fn end_calls(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        let all = std::mem::take(&mut self.calls).into_iter();
        let (open, ended): (Vec<_>, Vec<_>) = all.partition(|(place, _)| waiting.contains(place));
        self.gathered.tool_calls -= open.len() as u32;
        let ended = ended.into_iter();
        let calls: Vec<Called> = ended.map(|(_, known)| known.called).collect();
        if !calls.is_empty() {
            self.gathered.pieces.push(Piece::Called { calls });
        }
    }

    /// Nothing that is in flight will end.
    fn leave(&mut self) {
        self.asked.clear();
        for (path, begun) in std::mem::take(&mut self.begun) {
            // Made again since, as the person said, it is known by that.
            let last = self.calls.get(&place_of(&path)).map(|known| known.last);
            let settled = last.is_some_and(|seq| seq > begun.seq);
            if begun.class != Class::Safe && !settled {
                let seq = begun.seq;
                self.called(&path, begun, None, seq);
            }
        }
        self.end_calls();
    }

    fn close(mut self) -> Gathered {
        self.leave();
        self.gathered
    }
}

/// The place of a call, of which this is the path of a try: where its step acts, and its number
/// there.
fn place_of(path: &Path) -> (String, u32) {
    let call = path.parent();
    let number = call.segments().last().and_then(|it| it.parse().ok());
    (
        call.parent().as_str().to_owned(),
        number.unwrap_or_default(),
    )
}

/// Whether what a model replies is part of what was said: a summary of what is old is not.
fn speaks(label: &Value) -> bool {
    json::read::<AskLabel>(label).is_ok_and(|label| match label.purpose {
        Purpose::Reason | Purpose::Act | Purpose::Observe | Purpose::Synthesise => true,
        Purpose::Compact | Purpose::Grade | Purpose::Rewrite => false,
    })
}

/// Whether a call did not end in time: nobody knows whether it was carried out.
fn is_late(body: &Body) -> bool {
    let Body::Inline(value) = body else {
        return false;
    };
    let outcome = json::read::<ToolOutcome>(value);
    outcome.is_ok_and(|outcome| matches!(outcome.result, Err(ToolError::TimedOut { .. })))
}

/// The steps before the first that led to a capture which this code can read.
fn kept(records: &[Record], halted: &Path) -> Vec<Path> {
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
            Entry::Intent { effect, .. } => asked = effect == ReadPage::KIND,
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
