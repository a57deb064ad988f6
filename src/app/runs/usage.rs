//! What models used: a fold over every run that is kept. What is erased is no longer in
//! it; the month's sum is counted apart ([`crate::model::Purse`]).

use super::Runs;
use crate::agent::{Event, Timeline};
use crate::app::options::{Outcome, Used};
use crate::durable::{Effect, Entry, Record};
use crate::model::{Ask, AskLabel};
use serde::Deserialize;
use std::collections::BTreeMap;

/// What each model used in a run. A fork does not count again what it was copied.
pub(super) fn used(records: &[Record]) -> Vec<Used> {
    let copied = records.first().and_then(|first| match &first.entry {
        Entry::Begun { forked, .. } => forked.as_ref().map(|fork| fork.seq),
        _ => None,
    });
    let mut timeline = Timeline::default();
    let mut model = String::new();
    let mut before = (0, Some(0));
    let mut used: BTreeMap<String, Used> = BTreeMap::new();
    // What the call in flight was expected to use.
    let mut expected = None;
    for record in records {
        if let Entry::Intent { effect, label, .. } = &record.entry
            && effect == Ask::KIND
        {
            let label = AskLabel::deserialize(label).ok();
            // Noted since there is such an estimate.
            let label = label.filter(|label| label.reply_tokens > 0);
            expected = label.map(|label| label.prompt_tokens.saturating_add(label.reply_tokens));
        }
        for event in timeline.read(record) {
            match event {
                Event::RunStarted { model: speaker, .. }
                | Event::ModelChanged { to: speaker, .. } => model = speaker.model,
                Event::TokensUsed { total, cost, by } => {
                    // What a tool asked was never part of the estimate.
                    let expected = if by.is_none() { expected.take() } else { None };
                    let model = by.map_or_else(|| model.clone(), |by| by.model);
                    let (had, cost_had) = std::mem::replace(&mut before, (total, cost));
                    if copied.is_some_and(|copied| record.seq < copied) {
                        continue;
                    }
                    let cost = cost.zip(cost_had).map(|(now, had)| now.saturating_sub(had));
                    let one = used.entry(model.clone());
                    let one = one.or_insert_with(|| Used::nothing(model, record.at_ms));
                    if let Some(expected) = expected {
                        one.estimated.take(expected, total.saturating_sub(had));
                    }
                    one.add(total.saturating_sub(had), cost);
                }
                Event::CallAbandoned { tokens, cost, by }
                    if copied.is_none_or(|copied| record.seq >= copied) =>
                {
                    let model = by.map_or_else(|| model.clone(), |by| by.model);
                    let one = used.entry(model.clone());
                    one.or_insert_with(|| Used::nothing(model, record.at_ms))
                        .add(tokens, cost);
                }
                _ => {}
            }
        }
    }
    used.into_values().collect()
}

impl Runs {
    /// What every run that is kept used of its models, and what all of them came to.
    pub(in crate::app) async fn usage(&self) -> Outcome {
        let used = self.used().await;
        let (month, session) = self.hands.purse.spent().await;
        Outcome::Usage {
            used,
            month,
            session_tokens: session.tokens,
            session_cost: session.cost,
        }
    }

    async fn used(&self) -> Vec<Used> {
        self.take_up().await;
        let known = self.known.borrow();
        let here = known.values().flat_map(|run| run.journal.read(used));
        let mut all: Vec<Used> = here.collect();
        if let Some(filed) = self.tiers.filed() {
            let absent = filed.iter().filter(|(run, _)| !known.contains_key(*run));
            all.extend(absent.flat_map(|(_, digest)| digest.iter().flat_map(|it| it.used.clone())));
        }
        all
    }
}
