//! What a run had gathered when the code changed under it: the context of the fresh
//! continuation ([`crate::durable::Entry::Renewed`]).
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

use super::act::Done;
use super::desk::Desk;
use super::history::shortened;
use super::observe::take;
use super::read_page::ReadPage;
use super::spending::Spent;
use super::thought::Thought;
use super::timeline::{TOPIC, Timeline};
use super::{Cycle, End, Event, FollowUp, Said};
use crate::durable::{Body, Class, Ctx, Effect, Entry, Halt, Message as _, Path, Record};
use crate::host::{Capture, CaptureError};
use crate::json;
use crate::model::{Ask, AskLabel, Message, Micros, ModelError, Purpose, Reply, Role, ToolCall};
use crate::phrase::phrase;
use crate::prompts::Note;
use crate::tools::{Output, RunTool, ToolError, ToolLabel, ToolOutcome};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// As much is shown of an outcome that this code cannot read, in tokens.
const UNREAD_TOKENS: u32 = 2_000;

/// What was gathered.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Gathered {
    /// In the order in which it was said and done.
    #[serde(default)]
    pieces: Vec<Piece>,
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

/// What stands before a model, by the records that it stands in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Piece {
    /// A message that the person sent meanwhile.
    Asked {
        /// Where it arrived.
        arrived: u64,
    },
    /// What a model replied.
    Replied {
        /// Where it was asked.
        intent: u64,
        /// Where its reply stands.
        outcome: u64,
    },
    /// Words of a reply that this code cannot read, as they were told of it.
    Said {
        /// The step, from 1.
        step: u8,
        /// The words.
        words: String,
    },
    /// The calls of a step, in their order.
    Called {
        /// Each once, whatever it took.
        calls: Vec<Called>,
    },
}

/// A call that was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Called {
    /// Where it was begun.
    pub(super) intent: u64,
    /// Where what it gave stands; `None` if nobody knows whether it was carried out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) outcome: Option<u64>,
    /// How often it was made.
    tries: u32,
}

impl Gathered {
    /// What the run had used: tokens, and what they cost, if that is known.
    pub(super) fn used(&self) -> (u32, Option<Micros>) {
        (self.tokens, (!self.unpriced).then_some(self.cost))
    }

    pub(super) fn into_pieces(self) -> Vec<Piece> {
        self.pieces
    }
}

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
    asked: BTreeMap<Path, u64>,
    /// The calls of tools in flight.
    begun: BTreeMap<Path, Begun>,
    /// The calls of the step at hand, by their places in it.
    calls: BTreeMap<(String, u32), Known>,
    /// The person's messages that nobody read yet.
    follow_ups: BTreeMap<String, u64>,
    /// The words of replies that can be read.
    words: BTreeSet<String>,
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
            Entry::Intent { effect, label, .. } if effect == Ask::KIND => {
                if json::read::<AskLabel>(label).is_ok_and(|label| speaks(label.purpose)) {
                    self.asked.insert(record.path.clone(), record.seq);
                }
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
            Entry::Heard { messages } => {
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

    fn end_calls(&mut self) {
        let calls = std::mem::take(&mut self.calls).into_values();
        let calls: Vec<Called> = calls.map(|known| known.called).collect();
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
fn speaks(purpose: Purpose) -> bool {
    match purpose {
        Purpose::Reason | Purpose::Act | Purpose::Observe | Purpose::Synthesise => true,
        Purpose::Compact | Purpose::Grade | Purpose::Rewrite => false,
    }
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

impl Desk {
    /// Lays out what was gathered before the code changed, and counts on from it.
    pub(super) async fn take_up(&mut self, ctx: &Ctx, gathered: Gathered) -> Result<(), End> {
        self.note(Note::Renewed, &[])?;
        // Those that the last reply asked for, and it, while none of them was made.
        let mut chosen: Vec<ToolCall> = Vec::new();
        let mut open: Option<Reply> = None;
        for piece in gathered.pieces {
            match piece {
                Piece::Asked { arrived } => {
                    if let Some(Entry::Arrived { body, .. }) = ctx.entry(arrived)
                        && let Ok(follow_up) = json::read::<FollowUp>(&body)
                    {
                        self.hear(&follow_up.goal)?;
                    }
                }
                Piece::Replied { intent, outcome } => {
                    if let Some((label, reply)) = replied(ctx, intent, outcome).await? {
                        self.steps = label.step;
                        self.hear_again(label.purpose, &reply);
                        if !reply.calls.is_empty() {
                            chosen.clone_from(&reply.calls);
                        }
                        open = Some(reply).filter(|_| self.carries(label.purpose));
                    }
                }
                Piece::Said { step, words } => {
                    self.steps = step;
                    self.say(Message::text(Role::Assistant, words));
                }
                Piece::Called { calls } => {
                    open = None;
                    let mut done = Vec::with_capacity(calls.len());
                    for called in calls {
                        done.extend(self.made(ctx, &called, &chosen).await?);
                    }
                    let ended = done.iter().map(|it| (&it.call, &it.outcome, it.tries));
                    self.retries.take(ended);
                    take(done, self);
                }
            }
        }
        let thought = open
            .filter(|reply| !reply.calls.is_empty())
            .map(Thought::of);
        self.carried = thought.filter(|thought| thought.said.is_some());
        self.steps = gathered.steps;
        self.spent = Spent {
            tokens: gathered.tokens,
            cost: gathered.cost,
            unpriced: gathered.unpriced,
        };
        self.tool_calls = gathered.tool_calls;
        Ok(())
    }

    /// Takes what a model replied for what it was, but for its price, which is paid.
    fn hear_again(&mut self, purpose: Purpose, reply: &Reply) {
        if self.complexity.is_none() {
            self.complexity = reply.control.complexity;
        }
        self.remember(reply);
        if purpose == Purpose::Observe && reply.malformed.is_none() {
            self.take_observation(&reply.control);
        }
    }

    /// Whether what a model replies to this may be a thought with its calls.
    fn carries(&self, purpose: Purpose) -> bool {
        match self.brief.settings.cycle {
            Cycle::Fused => matches!(purpose, Purpose::Reason | Purpose::Observe),
            Cycle::Strict => purpose == Purpose::Act,
        }
    }

    /// A call with what it gave; `None` where even the call cannot be read.
    async fn made(
        &mut self,
        ctx: &Ctx,
        called: &Called,
        chosen: &[ToolCall],
    ) -> Result<Option<Done>, Halt> {
        let Some(Entry::Intent { label, .. }) = ctx.entry(called.intent) else {
            return Ok(None);
        };
        let Ok(label) = json::read::<ToolLabel>(&label) else {
            return Ok(None);
        };
        self.steps = label.step;
        let outcome = match called.outcome {
            Some(outcome) => ctx.outcome(outcome).await?.map(outcome_of),
            None => None,
        };
        let outcome = outcome.unwrap_or_else(|| ToolOutcome::not_made(ToolError::OutcomeUnknown));
        if let Ok(output) = &outcome.result {
            self.elsewhere.hold(&output.data);
        }
        let is_it = |call: &&ToolCall| ToolLabel::of(label.step, call) == label;
        let call = chosen.iter().find(is_it).cloned();
        Ok(Some(Done {
            call: call.unwrap_or_else(|| label.call()),
            outcome,
            tries: called.tries,
        }))
    }
}

/// What a model was asked for, and its reply.
async fn replied(ctx: &Ctx, intent: u64, outcome: u64) -> Result<Option<(AskLabel, Reply)>, Halt> {
    let Some(Entry::Intent { label, .. }) = ctx.entry(intent) else {
        return Ok(None);
    };
    let Some(value) = ctx.outcome(outcome).await? else {
        return Ok(None);
    };
    let label = json::read::<AskLabel>(&label).ok();
    let reply = json::read::<Result<Reply, ModelError>>(&value).ok();
    Ok(label.zip(reply.and_then(Result::ok)))
}

/// What a call gave, even if this code cannot read all of it.
pub(super) fn outcome_of(value: Value) -> ToolOutcome {
    json::read::<ToolOutcome>(&value).unwrap_or_else(|_| {
        let data = match shortened(&value.to_string(), UNREAD_TOKENS) {
            short if short.len() < value.to_string().len() => Value::String(short),
            _ => value,
        };
        ToolOutcome {
            result: Ok(Output {
                data,
                summary: phrase("observation_none"),
                share_percent: None,
                picture: None,
            }),
            duration_ms: 0,
            aided: Vec::new(),
            so_far: None,
        }
    })
}
