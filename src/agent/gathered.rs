//! What a run had gathered when the code changed under it: the context of the fresh
//! continuation ([`crate::durable::Entry::Renewed`]).
//!
//! Driving example: Gloss is updated in the middle of an answer. The thoughts, the
//! results of tools (shortened), the observations and the person's messages are laid
//! before the model behind the goal, as they stood in the transcript; what was spent
//! counts on. What may be cited of a result that was shortened is kept whole beside it. An effect on the world that was recorded stands there as done, one whose
//! outcome is not known as that, so that neither is repeated.

mod short;

use super::desk::Desk;
use super::elsewhere::edited;
use super::read_page::ReadPage;
use super::spending::Spent;
use super::timeline::{TOPIC, Timeline};
use super::{End, Event, FollowUp, Said};
use crate::durable::{Body, Class, Effect, Entry, Message as _, Path, Record};
use crate::host::{Capture, CaptureError};
use crate::json;
use crate::model::{Language, Message, Micros, Part, Role, ToolCall};
use crate::prompts::Note;
use crate::tools::{RunTool, ToolError, ToolLabel, ToolOutcome};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use short::short;
use std::collections::BTreeMap;

/// What was gathered.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Gathered {
    /// In the order in which it was said and done.
    said: Vec<Message>,
    /// What may be cited of the results in it that were shortened.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    whole: Vec<Whole>,
    /// The tools of the calls that may have been carried out, which is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) unknown: Vec<String>,
    /// The steps that were finished.
    steps: u8,
    tokens: u32,
    #[serde(default)]
    cost: Micros,
    #[serde(default)]
    unpriced: bool,
    tool_calls: u32,
}

/// What may be cited of a result where that is not what was said of it: that was shortened, or
/// is the person's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Whole {
    /// Where its message stands there.
    place: usize,
    /// That.
    result: Value,
}

impl Gathered {
    /// What the run had used: tokens, and what they cost, if that is known.
    pub(super) fn used(&self) -> (u32, Option<Micros>) {
        (self.tokens, (!self.unpriced).then_some(self.cost))
    }
}

/// What a run's records tell of it, and the steps whose outcomes still stand: the
/// page's capture, as the right to take another may be gone. `halted` is the step that
/// no longer replays; large bodies stand in their records.
pub fn gather(records: &[Record], halted: &Path) -> (Gathered, Vec<Path>) {
    let renewed = |record: &Record| matches!(record.entry, Entry::Renewed { .. });
    let from = records.iter().rposition(renewed);
    let mut gathering = Gathering::default();
    if let Some(Entry::Renewed { gathered, .. }) =
        from.and_then(|from| records.get(from)).map(|r| &r.entry)
    {
        gathering.gathered = json::read::<Gathered>(gathered).unwrap_or_default();
    }
    let mut timeline = Timeline::default();
    for record in records {
        gathering.hear(record);
        for event in timeline.read(record) {
            gathering.count(&event);
        }
    }
    for record in records
        .get(from.map_or(0, |from| from + 1)..)
        .unwrap_or_default()
    {
        gathering.take(record);
    }
    (gathering.close(), kept(records, halted))
}

/// A fold over the records.
#[derive(Default)]
struct Gathering {
    gathered: Gathered,
    begun: BTreeMap<Path, Begun>,
    /// Where the result of each call stands, and what recorded it.
    places: BTreeMap<Path, (usize, u64)>,
    follow_ups: BTreeMap<String, FollowUp>,
}

/// A call in flight.
struct Begun {
    seq: u64,
    label: ToolLabel,
    class: Class,
}

impl Gathering {
    /// Messages may have come before a renewal and be read after it.
    fn hear(&mut self, record: &Record) {
        if let Entry::Arrived {
            message,
            kind,
            body,
        } = &record.entry
            && kind == FollowUp::NAME
            && let Ok(follow_up) = json::read::<FollowUp>(body)
        {
            self.follow_ups.insert(message.clone(), follow_up);
        }
    }

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
            Entry::Intent {
                effect,
                class,
                label,
                ..
            } if effect == RunTool::KIND => {
                if let Ok(label) = json::read::<ToolLabel>(label) {
                    let begun = Begun {
                        seq: record.seq,
                        label,
                        class: *class,
                    };
                    self.begun.insert(record.path.clone(), begun);
                }
            }
            Entry::Outcome { body } => {
                if let Some(begun) = self.begun.remove(&record.path) {
                    let outcome = result_of(body);
                    let in_time = !matches!(outcome, Err(ToolError::TimedOut { .. }));
                    if in_time || begun.class == Class::Safe {
                        let outcome = outcome.map_err(|error| error.to_string());
                        self.result(&record.path, record.seq, &begun.label, outcome);
                    } else {
                        self.unknown(&record.path, begun);
                    }
                }
            }
            Entry::Note { topic, body } if topic == TOPIC => {
                if let Ok(event) = json::read::<Event>(body) {
                    self.happened(event);
                }
            }
            Entry::Heard { messages } => {
                for message in messages {
                    if let Some(follow_up) = self.follow_ups.remove(message) {
                        let language = Language::of(&follow_up.language);
                        self.gathered.said.push(follow_up.goal.message(language));
                    }
                }
            }
            _ => {}
        }
    }

    fn happened(&mut self, event: Event) {
        match event {
            Event::ThoughtFormed {
                thought: Said::Words(words),
                ..
            } => self.say(words),
            Event::ObservationMade {
                step, observation, ..
            } => {
                self.gathered.steps = step;
                if let Said::Words(words) = observation {
                    self.say(words);
                }
            }
            Event::AnswerGiven { answer } => self.say(answer.markdown),
            _ => {}
        }
    }

    fn say(&mut self, words: String) {
        let said = Message::text(Role::Assistant, words);
        self.gathered.said.push(said);
    }

    /// A call with its result; of several tries the last.
    fn result(
        &mut self,
        path: &Path,
        seq: u64,
        label: &ToolLabel,
        outcome: Result<(Value, Option<Value>), String>,
    ) {
        let call = path.parent();
        let (outcome, whole) = match outcome {
            Ok((short, whole)) => (Ok(short), whole),
            Err(error) => (Err(error), None),
        };
        let result = Message {
            role: Role::Tool,
            parts: vec![Part::Result {
                call: label.call.clone(),
                tool: label.tool.clone(),
                outcome,
            }],
        };
        let Gathered {
            said, whole: kept, ..
        } = &mut self.gathered;
        if let Some((place, last)) = self.places.get_mut(&call) {
            *last = seq;
            kept.retain(|it| it.place != *place);
            kept.extend(whole.map(|result| Whole {
                place: *place,
                result,
            }));
            if let Some(place) = said.get_mut(*place) {
                *place = result;
            }
            return;
        }
        said.push(Message {
            role: Role::Assistant,
            parts: vec![Part::Call {
                call: ToolCall {
                    id: label.call.clone(),
                    name: label.tool.clone(),
                    arguments: serde_json::from_str(&label.arguments).unwrap_or_default(),
                    reasoning: None,
                    after: None,
                },
            }],
        });
        let place = said.len();
        self.places.insert(call, (place, seq));
        kept.extend(whole.map(|result| Whole { place, result }));
        said.push(result);
        self.gathered.tool_calls += 1;
    }

    /// A call of which nobody knows whether it was carried out.
    fn unknown(&mut self, path: &Path, begun: Begun) {
        let words = ToolError::OutcomeUnknown.to_string();
        self.result(path, begun.seq, &begun.label, Err(words));
        self.gathered.unknown.push(begun.label.tool);
    }

    fn close(mut self) -> Gathered {
        for (path, begun) in std::mem::take(&mut self.begun) {
            // Made again since, as the person said, it is known by that.
            let last = self.places.get(&path.parent()).map(|(_, seq)| *seq);
            let settled = last.is_some_and(|seq| seq > begun.seq);
            if begun.class != Class::Safe && !settled {
                self.unknown(&path, begun);
            }
        }
        self.gathered
    }
}

/// What a call gave, shortened, even if this code cannot read all of it; and what may be cited
/// of it where that is something else.
fn result_of(body: &Body) -> Result<(Value, Option<Value>), ToolError> {
    let Body::Inline(value) = body else {
        return Err(ToolError::OutcomeUnknown);
    };
    match json::read::<ToolOutcome>(value) {
        Ok(outcome) => outcome.result.map(|output| {
            let is_edited = output.is_edited().then(|| edited(&output.data));
            let (short, whole) = short(output.data);
            (short, is_edited.or(whole))
        }),
        Err(_) => Ok(short(value.clone())),
    }
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

impl Desk {
    /// Lays out what was gathered before the code changed, and counts on from it.
    pub(super) fn take_up(&mut self, gathered: Gathered) -> Result<(), End> {
        self.note(Note::Renewed, &[])?;
        let whole = |place: usize| {
            let mut whole = gathered.whole.iter();
            whole.find_map(|it| (it.place == place).then_some(&it.result))
        };
        for (place, message) in gathered.said.into_iter().enumerate() {
            if message.role == Role::User {
                // The person's own: it neither shrinks nor is forgotten.
                let words = message.parts.iter().filter_map(|part| match part {
                    Part::Text { text } => Some(text.as_str()),
                    _ => None,
                });
                self.asked.push(words.collect());
                self.context.fix(message);
            } else {
                for part in &message.parts {
                    if let Part::Result {
                        outcome: Ok(result),
                        ..
                    } = part
                    {
                        self.elsewhere.hold(whole(place).unwrap_or(result));
                    }
                }
                self.say(message);
            }
        }
        self.steps = gathered.steps;
        self.spent = Spent {
            tokens: gathered.tokens,
            cost: gathered.cost,
            unpriced: gathered.unpriced,
        };
        self.tool_calls = gathered.tool_calls;
        self.informed = gathered.tool_calls > 0;
        Ok(())
    }
}
