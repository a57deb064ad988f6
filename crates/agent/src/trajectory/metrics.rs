//! Metrics of a run's quality (SPEC §11, DETAILS §11).

use super::{Charge, LogEntry, LogEntryKind};
use gloss_durable::sorted::{SortedMap, SortedSet};
use gloss_durable::{Record, active_ms};
use gloss_model::Micros;
use serde::{Deserialize, Serialize};

/// The metrics of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// The number of steps that have a thought.
    pub steps: u32,
    /// The number of steps that have a result which the answer cites, at least 1. `None` for a run
    /// without steps or without an answer.
    pub optimal_steps: Option<u32>,
    /// `optimal_steps` divided by `steps`, 0 to 1.
    pub efficiency: Option<f64>,
    /// The tokens of all model calls in the log, abandoned ones included.
    pub tokens: Tokens,
    /// The part of `tokens` that abandoned calls used.
    pub abandoned_tokens: u32,
    /// The estimated tokens that the results of each tool added to the prompts.
    #[serde(default)]
    pub tools: SortedMap<String, u32>,
    /// The cost of the replies and the abandoned prompts, in millionths of a US dollar; `None` if a
    /// price is not known.
    pub cost: Option<Micros>,
    /// The time from the first record to the last, in milliseconds.
    pub duration_ms: u64,
    /// The active time, in milliseconds. Waits for the user or a timer, pauses, and sleep of the
    /// device don't count.
    pub active_ms: u64,
    /// The number of failed tries of models and tools. A failure of the run itself adds 1.
    pub errors: u32,
}

/// The tokens of model calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// The tokens that models read.
    pub input: u32,
    /// The tokens that models wrote.
    pub output: u32,
}

impl Tokens {
    fn add(&mut self, input: u32, output: u32) {
        self.input = self.input.saturating_add(input);
        self.output = self.output.saturating_add(output);
    }
}

impl Metrics {
    pub(super) fn of(log: &[LogEntry], records: &[Record], cost: Option<Micros>) -> Self {
        let thought = |logged: &&LogEntry| matches!(logged.what, LogEntryKind::Thought { .. });
        let steps = steps(log.iter().filter(thought));
        let used =
            |logged: &&LogEntry| matches!(&logged.what, LogEntryKind::Result(given) if given.used);
        let answered = log
            .iter()
            .any(|logged| matches!(logged.what, LogEntryKind::Answer { .. }));
        let optimal_steps =
            (answered && steps > 0).then(|| self::steps(log.iter().filter(used)).max(1));
        let mut tokens_of_all = Tokens::default();
        let mut abandoned_tokens: u32 = 0;
        let mut errors = 0;
        let mut tools: SortedMap<String, u32> = SortedMap::new();
        for logged in log {
            match &logged.what {
                LogEntryKind::Asked(asked) => {
                    tokens_of_all.add(asked.tokens.input, asked.tokens.output);
                    if asked.charge == Some(Charge::Abandoned) {
                        abandoned_tokens = abandoned_tokens.saturating_add(asked.tokens.input);
                    }
                }
                LogEntryKind::Result(given) => {
                    errors += u32::from(given.end.is_error());
                    let tokens = tools.or_default(given.tool.clone());
                    *tokens = tokens.saturating_add(given.tokens);
                    for asked in &given.role_calls {
                        let usage = asked.usage;
                        tokens_of_all.add(usage.input_tokens, usage.output_tokens);
                    }
                }
                LogEntryKind::Error { .. } => errors += 1,
                _ => {}
            }
        }
        let time = |record: Option<&Record>| record.map_or(0, |record| record.at_ms);
        Self {
            steps,
            optimal_steps,
            efficiency: optimal_steps.map(|optimal| f64::from(optimal) / f64::from(steps)),
            tokens: tokens_of_all,
            abandoned_tokens,
            tools,
            cost,
            duration_ms: time(records.last()).saturating_sub(time(records.first())),
            active_ms: active_ms(records),
            errors,
        }
    }
}

/// Returns the number of distinct steps of these entries.
fn steps<'a>(log: impl Iterator<Item = &'a LogEntry>) -> u32 {
    let steps: SortedSet<u8> = log.map(|logged| logged.step).collect();
    steps.len() as u32
}
