//! Forks a run at one of its steps.
//!
//! Example: step 2 read the wrong site. The user opens that step and adds a message, or
//! edits the step's thought, call or result. The fork begins with the original run's records up to
//! that step, and continues from there.

pub use crate::config::edit::{Edit, ForkOrigin};
use crate::config::{FollowUp, Goal};
use crate::events::{Bound, Event, Failure, failure};
use crate::thought::Thought;
use crate::trajectory::{Bodies, config_of};
use gloss_durable::{Body, Effect, Entry, Message, Path, Record, RunId, json};
use gloss_model::phrase::DisplayText;
use gloss_model::{ModelError, Reply, ToolCall};
use gloss_tools::{Output, RunTool, ToolLabel, ToolOutcome};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Returns the records with which a fork begins. The first record contains the original run's
/// configuration unchanged.
///
/// # Errors
/// If the step, or the part to edit, doesn't exist, or if the new arguments are not a JSON object.
pub fn fork_records(
    records: &[Record],
    bodies: &Bodies,
    fork: &RunId,
    forked: &ForkOrigin,
) -> Result<Vec<Record>, Box<Failure>> {
    let known = ForkSource { records, bodies };
    match &forked.edit {
        Edit::Message { text } => known.with_message(fork, forked.step, text),
        Edit::Thought { text } => known.with_reply(forked.step, |reply| {
            reply.control.thought = Some(DisplayText::words(text));
            true
        }),
        Edit::Arguments { call, json } => {
            let arguments: Value = serde_json::from_str(json).map_err(|_| no_json())?;
            if !arguments.is_object() {
                return Err(no_json().into());
            }
            known.with_reply(forked.step, |reply| {
                set_arguments(&mut reply.calls, call, &arguments)
            })
        }
        Edit::Result { call, text } => known.with_result(forked.step, call, text),
        Edit::Budget { .. } => known.before_the_bound(),
    }
}

/// Edits the thought of a run that a button started. No record contains a reply with this thought,
/// because the thought is fixed. The edit is therefore applied to the thought itself.
pub(crate) fn edit_thought(edit: &Edit, thought: &mut Thought) {
    match edit {
        Edit::Thought { text } => thought.said = Some(DisplayText::words(text)),
        Edit::Arguments { call, json } => {
            if let Ok(arguments) = serde_json::from_str(json) {
                set_arguments(&mut thought.calls, call, &arguments);
            }
        }
        Edit::Message { .. } | Edit::Result { .. } | Edit::Budget { .. } => {}
    }
}

fn set_arguments(calls: &mut [ToolCall], id: &str, arguments: &Value) -> bool {
    let call = calls.iter_mut().find(|call| call.id == id);
    call.is_some_and(|call| {
        call.arguments = arguments.clone();
        true
    })
}

struct ForkSource<'a> {
    records: &'a [Record],
    bodies: &'a Bodies,
}

impl ForkSource<'_> {
    /// Returns the records up to the point at which the step reads messages, followed by the
    /// user's added message.
    fn with_message(
        &self,
        fork: &RunId,
        step: u8,
        text: &str,
    ) -> Result<Vec<Record>, Box<Failure>> {
        let inbox = self.inbox(step)?;
        let mut copied = self.up_to(inbox);
        let config = config_of(self.records).ok_or_else(no_such_step)?;
        let message = FollowUp {
            goal: Goal::Ask {
                question: text.to_owned(),
            },
            tab: config.tab,
            language: config.language,
            model: config.model,
            mode: config.mode,
            settings: config.settings,
            tools_off: config.tools_off,
            barred: config.barred,
        };
        let last = copied.last().ok_or_else(no_such_step)?;
        copied.push(Record {
            v: last.v,
            seq: last.seq + 1,
            path: Path::root(),
            at_ms: last.at_ms,
            entry: Entry::Arrived {
                message: format!("{}.fork", fork.0),
                kind: FollowUp::NAME.to_owned(),
                body: serde_json::to_value(&message).unwrap_or_default(),
            },
        });
        Ok(copied)
    }

    /// Returns the records up to the reply that contains the step's thought, with this reply
    /// changed. If no reply contains the thought, because a button started the run, the records end
    /// before the thought.
    fn with_reply(
        &self,
        step: u8,
        change: impl Fn(&mut Reply) -> bool,
    ) -> Result<Vec<Record>, Box<Failure>> {
        let thought = self.find(|record| record.path == at(step, "thought"));
        let thought = thought.ok_or_else(no_such_step)?;
        let Some((place, mut reply)) = self.thought_of(step, thought) else {
            return match step {
                1 => Ok(self.up_to(thought)),
                _ => Err(no_such_step().into()),
            };
        };
        if !change(&mut reply) {
            return Err(no_such_step().into());
        }
        let mut copied = self.up_to(place + 1);
        let outcome: Result<Reply, ModelError> = Ok(reply);
        replace(&mut copied, place, &outcome);
        Ok(copied)
    }

    /// Returns the reply that contains the step's thought: a reply of the same step, or the
    /// observation of the step before.
    fn thought_of(&self, step: u8, thought: usize) -> Option<(usize, Reply)> {
        let said = match &self.records.get(thought)?.entry {
            Entry::Note { body, .. } => match json::read::<Event>(body).ok()? {
                Event::ThoughtFormed { thought, .. } => thought,
                _ => return None,
            },
            _ => return None,
        };
        let before = self.records.iter().enumerate().take(thought).rev();
        before
            .filter(|(_, record)| {
                is_at(&record.path, step, &["reason", "call"])
                    || is_at(&record.path, step.saturating_sub(1), &["observe"])
            })
            .find_map(|(place, record)| {
                let Entry::Outcome { body } = &record.entry else {
                    return None;
                };
                let reply: Result<Reply, ModelError> = self.read(body)?;
                let reply = reply.ok()?;
                let ours = Thought::of(reply.clone()).said.as_ref() == Some(&said);
                ours.then_some((place, reply))
            })
    }

    /// Returns the records up to the observation of the step's results, with one result changed.
    fn with_result(&self, step: u8, call: &str, text: &str) -> Result<Vec<Record>, Box<Failure>> {
        let observed = self.find(|record| is_at(&record.path, step, &["observe"]));
        let mut copied = self.up_to(observed.unwrap_or(self.records.len()));
        let tried = copied.iter().rev().find_map(|record| match &record.entry {
            Entry::Intent { effect, label, .. } if effect == RunTool::KIND => {
                let label = json::read::<ToolLabel>(label).ok()?;
                (label.step == step && label.call == call).then(|| record.path.clone())
            }
            _ => None,
        });
        let path = tried.ok_or_else(no_such_step)?;
        let outcome_at =
            |record: &Record| record.path == path && matches!(record.entry, Entry::Outcome { .. });
        let place = copied
            .iter()
            .position(outcome_at)
            .ok_or_else(no_such_step)?;
        let Some(Entry::Outcome { body }) = copied.get(place).map(|record| &record.entry) else {
            return Err(no_such_step().into());
        };
        let mut outcome: ToolOutcome = self.read(body).ok_or_else(no_such_step)?;
        let share_percent = outcome.result.ok().and_then(|output| output.share_percent);
        let edited = Output::edited(text, share_percent);
        let summary = edited.summary.clone();
        outcome.result = Ok(edited);
        replace(&mut copied, place, &outcome);
        let done = path.parent().child("done");
        for record in &mut copied {
            if record.path == done
                && let Entry::Note { body, .. } = &mut record.entry
                && let Ok(mut event) = json::read::<Event>(&*body)
                && let Event::ToolFinished {
                    end,
                    summary: told,
                    picture,
                    saved_facts,
                    tokens,
                    ..
                } = &mut event
            {
                (*end, *tokens, *picture) = (outcome.end(), outcome.tokens(), None);
                told.clone_from(&summary);
                saved_facts.clear();
                *body = serde_json::to_value(&event).unwrap_or_default();
            }
        }
        Ok(copied)
    }

    /// Returns the records before the event which reports that the token limit or the cost limit
    /// ended the loop.
    fn before_the_bound(&self) -> Result<Vec<Record>, Box<Failure>> {
        let is_budget = |record: &Record| match &record.entry {
            Entry::Note { body, .. } => matches!(
                json::read::<Event>(body),
                Ok(Event::BoundHit {
                    bound: Bound::Tokens | Bound::Cost,
                    ..
                })
            ),
            _ => false,
        };
        let place = self.find(is_budget).ok_or_else(no_such_step)?;
        Ok(self.up_to(place))
    }

    fn inbox(&self, step: u8) -> Result<usize, Box<Failure>> {
        self.find(|record| record.path == at(step, "inbox"))
            .ok_or_else(|| no_such_step().into())
    }

    fn find(&self, wanted: impl Fn(&Record) -> bool) -> Option<usize> {
        self.records.iter().position(wanted)
    }

    fn up_to(&self, place: usize) -> Vec<Record> {
        self.records.iter().take(place).cloned().collect()
    }

    fn read<T: for<'de> Deserialize<'de>>(&self, body: &Body) -> Option<T> {
        match body {
            Body::Inline(value) => json::read::<T>(value).ok(),
            Body::Blob(hash) => {
                let value: Value = serde_json::from_str(self.bodies.get(hash)?).ok()?;
                json::read::<T>(&value).ok()
            }
        }
    }
}

fn replace(records: &mut [Record], place: usize, outcome: &impl Serialize) {
    if let Some(record) = records.get_mut(place) {
        let value = serde_json::to_value(outcome).unwrap_or_default();
        record.entry = Entry::Outcome {
            body: Body::Inline(value),
        };
    }
}

fn at(step: u8, segment: &str) -> Path {
    Path::root().child(step).child(segment)
}

/// Returns true if a path belongs to this step and has one of these names. A repeated model call
/// appends a dot and a number: `2/reason.2` has the name `reason`.
fn is_at(path: &Path, step: u8, names: &[&str]) -> bool {
    let mut segments = path.segments();
    let number = segments.next().and_then(|first| first.parse::<u8>().ok());
    let name = segments.next().and_then(|second| second.split('.').next());
    number == Some(step) && name.is_some_and(|name| names.contains(&name))
}

fn no_such_step() -> Failure {
    failure("no_fork")
}

fn no_json() -> Failure {
    failure("no_json")
}
