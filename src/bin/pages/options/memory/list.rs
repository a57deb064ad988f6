//! The facts as a table: those that a search finds, and the one that is being written.

use super::table::Table;
use super::{edit, row};
use crate::keyed::keyed;
use crate::live::live_text;
use crate::words::msg;
use gloss::app::options::{Ask, Outcome};
use gloss::memory::{Fact, FactId};
use sycamore::prelude::*;

/// A row to be.
#[derive(Debug, Clone)]
struct Row {
    fact: Option<Fact>,
    id: FactId,
    is_changed: bool,
}

impl Row {
    /// One that says something else is another; one that is being written stays, whatever a run
    /// does to its fact.
    fn key(&self) -> String {
        if self.is_changed {
            self.id.0.clone()
        } else {
            format!("{self:?}")
        }
    }
}

/// The table, with a row to write in where one is new.
pub(super) fn list(
    table: &Table,
    sought: Signal<String>,
    adding: ReadSignal<Option<FactId>>,
) -> View {
    let sought = Sought::new(table, sought);
    let rows = {
        let (facts, written) = (table.facts, table.written());
        let table = table.clone();
        let items = move || {
            let at = written.get_clone();
            let new = adding.get_clone().map(|id| Row {
                fact: None,
                id,
                is_changed: true,
            });
            let known = facts.with(|facts| {
                let is_changed = |fact: &Fact| at.as_ref() == Some(&fact.id);
                // What is being written is not searched away.
                let shown = |fact: &&Fact| is_changed(fact) || sought.is(fact);
                let rows = facts.iter().filter(shown).map(|fact| Row {
                    is_changed: is_changed(fact),
                    id: fact.id.clone(),
                    fact: Some(fact.clone()),
                });
                rows.collect::<Vec<Row>>()
            });
            new.into_iter().chain(known).collect()
        };
        keyed(items, Row::key, move |row| {
            match (row.fact, row.is_changed) {
                (Some(fact), false) => row::row(&table, &fact),
                (..) => edit::edit(&table, &row.id),
            }
        })
    };
    let none = none(table.facts, sought);
    let [region, fact, tier, category, sure, used, acts] = [
        msg("options_facts"),
        msg("options_fact"),
        msg("options_tier"),
        msg("options_category"),
        msg("options_confidence"),
        msg("options_last_used"),
        msg("options_actions"),
    ];
    view! {
        // Its roles are said, as a narrow window shows it as a list.
        div(class="scroll-x facts", tabindex="0", role="region", aria-label=region) {
            table(role="table") {
                thead(role="rowgroup") { tr(role="row") {
                    th(role="columnheader", scope="col") { (fact) }
                    th(role="columnheader", scope="col") { (tier) }
                    th(role="columnheader", scope="col") { (category) }
                    th(role="columnheader", scope="col", class="n") { (sure) }
                    th(role="columnheader", scope="col", class="n") { (used) }
                    th(role="columnheader", scope="col") { span(class="sr") { (acts) } }
                } }
                tbody(role="rowgroup") { (rows) }
            }
        }
        p(class="meta", role="status") { (none) }
    }
}

/// That nothing has the words that are searched for, where nothing has.
fn none(facts: ReadSignal<Vec<Fact>>, sought: Sought) -> View {
    live_text(move || {
        let any = facts.with(|facts| facts.iter().any(|fact| sought.is(fact)));
        if any {
            String::new()
        } else {
            msg("options_no_fact_found")
        }
    })
}

/// What is searched for: what has it as it was typed at once, and what has its words, in
/// whatever form, once the worker says so.
#[derive(Clone, Copy)]
struct Sought {
    typed: Signal<String>,
    /// What has the words that were typed then.
    found: Signal<(String, Vec<FactId>)>,
}

impl Sought {
    fn new(table: &Table, typed: Signal<String>) -> Self {
        let found = create_signal((String::new(), Vec::new()));
        let (page, facts) = (table.page.clone(), table.facts);
        create_effect(move || {
            // What is known may change meanwhile.
            facts.track();
            let typed = typed.get_clone();
            if typed.trim().is_empty() {
                return;
            }
            let ask = Ask::FindFacts {
                typed: typed.clone(),
            };
            page.ask(ask, move |outcome| {
                if let Outcome::FoundFacts { ids } = outcome {
                    found.set((typed, ids));
                }
            });
        });
        Self { typed, found }
    }

    fn is(self, fact: &Fact) -> bool {
        let typed = self.typed.get_clone();
        let plain = typed.trim().to_lowercase();
        let mut texts = fact.keywords.iter().chain([&fact.content]);
        texts.any(|it| it.to_lowercase().contains(&plain))
            || self
                .found
                .with(|(asked, ids)| *asked == typed && ids.contains(&fact.id))
    }
}
