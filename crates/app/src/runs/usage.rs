//! The usage of models, computed from every stored run. Erased runs are not included. The usage
//! ledger counts the cost of the month separately.

use super::Runs;
use crate::options::{ModelUsage, Outcome};
use gloss_agent::{Event, RunUsage, Timeline};
use gloss_durable::sorted::SortedMap;
use gloss_durable::{Effect, Entry, Record};
use gloss_model::{Ask, AskLabel};
use serde::Deserialize;

/// Returns the usage of each model in a run. In a fork, the records copied from the original run
/// don't count.
pub(super) fn used(records: &[Record]) -> Vec<ModelUsage> {
    let copied = records.first().and_then(|first| match &first.entry {
        Entry::Begun { forked, .. } => forked.as_ref().map(|fork| fork.seq),
        _ => None,
    });
    let (mut timeline, mut usage) = (Timeline::default(), RunUsage::default());
    let mut model = String::new();
    let mut used: SortedMap<String, ModelUsage> = SortedMap::new();
    // The estimated tokens of the call in flight.
    let mut expected = None;
    for record in records {
        if let Entry::Intent { effect, label, .. } = &record.entry
            && effect == Ask::KIND
        {
            let label = AskLabel::deserialize(label).ok();
            expected = label.map(|label| label.prompt_tokens.saturating_add(label.reply_tokens));
        }
        for event in timeline.read(record) {
            if let Event::RunStarted { model: speaker, .. }
            | Event::ModelChanged { to: speaker, .. } = &event
            {
                model.clone_from(&speaker.model);
            }
            let Some(charge) = usage.take(&event) else {
                continue;
            };
            // The agent's own calls have an estimate. Model calls that a tool makes have none.
            let is_own = charge.by.is_none() && !charge.is_abandoned;
            let expected = if is_own { expected.take() } else { None };
            if copied.is_some_and(|copied| record.seq < copied) {
                continue;
            }
            let model = charge.by.map_or(&model, |by| &by.model);
            let one = used.or_insert_with(model.clone(), || {
                ModelUsage::nothing(model.clone(), record.at_ms)
            });
            if let Some(expected) = expected {
                one.estimated.take(expected, charge.spent.tokens);
            }
            one.spent = one.spent.with(charge.spent);
        }
    }
    used.into_values().collect()
}

impl Runs {
    /// Returns the usage of all stored runs, the cost of this month, and the usage of this browser
    /// session.
    pub(crate) async fn usage(&self) -> Outcome {
        let used = self.used().await;
        let (month, session) = self.services.ledger.spent().await;
        Outcome::Usage {
            used,
            month,
            session_tokens: session.tokens,
            session_cost: session.cost,
        }
    }

    async fn used(&self) -> Vec<ModelUsage> {
        self.load_all().await;
        let known = self.known.borrow();
        let here = known.values().flat_map(|run| run.journal.read(used));
        let mut all: Vec<ModelUsage> = here.collect();
        if let Some(filed) = self.tiers.filed() {
            let absent = filed.iter().filter(|(run, _)| !known.contains_key(run));
            all.extend(absent.flat_map(|(_, digest)| digest.iter().flat_map(|it| it.used.clone())));
        }
        all
    }
}
