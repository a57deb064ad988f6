//! The model calls of a run and their charges.

use super::super::{Charge, LogEntry, LogEntryKind, ModelCall, Tokens};
use super::Fold;
use gloss_durable::{Body, Path, Record, json};
use gloss_model::{AnswerOrigin, AskLabel, ModelError, Reply};
use serde_json::Value;

impl Fold<'_> {
    pub(super) fn on_model_call(&mut self, record: &Record, attempt: u32, label: &Value) {
        let Ok(label) = json::read::<AskLabel>(label) else {
            return;
        };
        self.step = label.step;
        self.abandon(Some(&record.path));
        let pending = self.asks.or_default(record.path.clone());
        pending.open = Some(self.log.len());
        let input = match self.voice {
            AnswerOrigin::Model => label.prompt_tokens,
            AnswerOrigin::Page => 0,
        };
        let what = LogEntryKind::Asked(ModelCall {
            purpose: label.purpose,
            attempt,
            // The estimated prompt counts only if the call is abandoned.
            tokens: Tokens { input, output: 0 },
            charge: None,
        });
        self.log(record, label.step, what);
    }

    /// Marks the unfinished model call at the path `only` as abandoned; `None` marks all unfinished
    /// calls.
    pub(super) fn abandon(&mut self, only: Option<&Path>) {
        for (path, pending) in self.asks.iter_mut() {
            if only.is_none_or(|only| only == path)
                && let Some(place) = pending.open.take()
            {
                pending.abandoned.push(place);
                charge(&mut self.log, place, |asked| {
                    asked.charge = Some(Charge::Abandoned);
                });
            }
        }
    }

    pub(super) fn replied(&mut self, record: &Record, body: &Body) {
        let Some(reply) = self.read::<Result<Reply, ModelError>>(record, body) else {
            return;
        };
        let Some(pending) = self.asks.get_mut(&record.path) else {
            return;
        };
        let open = pending.open.take();
        // Each attempt sent the same prompt, so the reported count also applies to abandoned
        // attempts.
        let abandoned = std::mem::take(&mut pending.abandoned);
        let log = &mut self.log;
        match reply {
            Ok(Reply { usage, .. }) => {
                // If the server reports no count, the abandoned attempts keep their estimates.
                let counted = abandoned.into_iter().filter(|_| usage.input_tokens > 0);
                for place in counted {
                    charge(log, place, |asked| asked.tokens.input = usage.input_tokens);
                }
                if let Some(place) = open {
                    charge(log, place, |asked| {
                        asked.tokens = Tokens {
                            input: usage.input_tokens,
                            output: usage.output_tokens,
                        };
                        asked.charge = Some(Charge::Reported);
                    });
                }
            }
            Err(error) => {
                let used = error.used();
                if let Some(place) = open {
                    charge(log, place, |asked| {
                        asked.tokens = Tokens {
                            input: used.input_tokens,
                            output: used.output_tokens,
                        };
                    });
                }
            }
        }
    }
}

fn charge(log: &mut [LogEntry], place: usize, change: impl FnOnce(&mut ModelCall)) {
    if let Some(LogEntry {
        what: LogEntryKind::Asked(asked),
        ..
    }) = log.get_mut(place)
    {
        change(asked);
    }
}
