//! How well a run went (SPEC §11, DETAILS §11).

use super::{Charge, Logged, What};
use gloss_durable::sorted::{SortedMap, SortedSet};
use gloss_durable::{Record, active_ms};
use gloss_model::{Micros, Usage};
use gloss_tools::Aided;
use serde::{Deserialize, Serialize};

/// Figures of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// Steps in which the agent thought.
    pub steps: u32,
    /// Steps with at least one result that the answer cites, at least 1; `None` of
    /// a run without steps or without an answer.
    pub optimal_steps: Option<u32>,
    /// Optimal steps / steps, 0 to 1.
    pub efficiency: Option<f64>,
    /// Tokens of all model calls, abandoned ones included.
    pub tokens: Tokens,
    /// Of these, the tokens of abandoned calls.
    pub abandoned_tokens: u32,
    /// What the results of each tool brought into the prompts, estimated in tokens.
    #[serde(default, skip_serializing_if = "SortedMap::is_empty")]
    pub tools: SortedMap<String, u32>,
    /// What each tool asked of models itself.
    #[serde(default, skip_serializing_if = "SortedMap::is_empty")]
    pub aided: SortedMap<String, Tokens>,
    /// What the replies and the abandoned prompts cost, in millionths of a US dollar; `None` if a price is not known.
    #[serde(default)]
    pub cost: Option<Micros>,
    /// From the first record to the last, in milliseconds.
    pub duration_ms: u64,
    /// The time at work: without sleep and waiting for the person, in milliseconds.
    pub active_ms: u64,
    /// Failed tries of models and tools, and the run's own failure.
    pub errors: u32,
}

/// What model calls read and wrote.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// Read.
    pub input: u32,
    /// Written.
    pub output: u32,
}

impl Tokens {
    fn add(&mut self, usage: Usage) {
        self.input = self.input.saturating_add(usage.input_tokens);
        self.output = self.output.saturating_add(usage.output_tokens);
    }
}

/// What calls asked of models that did not come to their own end.
pub(super) struct CutOff {
    /// By steps that ended: the tool, and what it came to.
    pub(super) aided: Vec<(String, Aided)>,
    /// By steps that did not: the tool, and the prompt by estimate, in tokens.
    pub(super) given_up: Vec<(String, u32)>,
}

impl Metrics {
    pub(super) fn of(
        log: &[Logged],
        records: &[Record],
        cost: Option<Micros>,
        cut_off: &CutOff,
    ) -> Self {
        let thought = |logged: &&Logged| matches!(logged.what, What::Thought { .. });
        let steps = steps(log.iter().filter(thought));
        let used = |logged: &&Logged| matches!(&logged.what, What::Result(given) if given.used);
        let answered = log
            .iter()
            .any(|logged| matches!(logged.what, What::Answer { .. }));
        let optimal_steps =
            (answered && steps > 0).then(|| self::steps(log.iter().filter(used)).max(1));
        let mut tokens_of_all = Tokens::default();
        let mut aided: SortedMap<String, Tokens> = SortedMap::new();
        let mut abandoned_tokens: u32 = 0;
        let mut errors = 0;
        let mut tools: SortedMap<String, u32> = SortedMap::new();
        for logged in log {
            match &logged.what {
                What::Asked(asked) => {
                    tokens_of_all.add(Usage {
                        input_tokens: asked.tokens.input,
                        output_tokens: asked.tokens.output,
                        ..Usage::default()
                    });
                    if asked.charge == Some(Charge::Abandoned) {
                        abandoned_tokens = abandoned_tokens.saturating_add(asked.tokens.input);
                    }
                }
                What::Result(given) => {
                    errors += u32::from(given.end.is_error());
                    let tokens = tools.or_default(given.tool.clone());
                    *tokens = tokens.saturating_add(given.tokens);
                    for asked in &given.aided {
                        let own = aided.or_default(given.tool.clone());
                        own.add(asked.usage);
                        tokens_of_all.add(asked.usage);
                    }
                }
                What::Error { .. } => errors += 1,
                What::Message { .. }
                | What::Page { .. }
                | What::Thought { .. }
                | What::Call(_)
                | What::Observation { .. }
                | What::Reflection { .. }
                | What::Applied { .. }
                | What::Answer { .. }
                | What::Seam(_) => {}
            }
        }
        let prompt = |(tool, tokens): &(String, u32)| {
            let usage = Usage {
                input_tokens: *tokens,
                ..Usage::default()
            };
            (tool.clone(), usage)
        };
        let ended = cut_off.aided.iter();
        let ended = ended.map(|(tool, asked)| (tool.clone(), asked.usage));
        for (tool, usage) in ended.chain(cut_off.given_up.iter().map(prompt)) {
            aided.or_default(tool).add(usage);
            tokens_of_all.add(usage);
        }
        let given_up = cut_off.given_up.iter().map(|(_, tokens)| *tokens);
        abandoned_tokens = given_up.fold(abandoned_tokens, u32::saturating_add);
        let time = |record: Option<&Record>| record.map_or(0, |record| record.at_ms);
        Self {
            steps,
            optimal_steps,
            efficiency: optimal_steps.map(|optimal| f64::from(optimal) / f64::from(steps)),
            tokens: tokens_of_all,
            abandoned_tokens,
            tools,
            aided,
            cost,
            duration_ms: time(records.last()).saturating_sub(time(records.first())),
            active_ms: active_ms(records),
            errors,
        }
    }
}

/// How many steps these are of.
fn steps<'a>(log: impl Iterator<Item = &'a Logged>) -> u32 {
    let steps: SortedSet<u8> = log.map(|logged| logged.step).collect();
    steps.len() as u32
}
