//! The table of facts. It shows the facts that match the search, and the fact that is being
//! edited.

use super::super::prelude::*;
use super::table::Table;
use super::{edit, row};
use gloss::memory::{Fact, FactId};

/// A row of the table, from which its view is made.
#[derive(Debug, Clone)]
struct Row {
    fact: Option<Fact>,
    id: FactId,
    is_edited: bool,
}

impl Row {
    /// Returns the row's key. A fact that changes gets a new row. The row that is being edited
    /// keeps its key, even if a run changes the fact.
    fn key(&self) -> String {
        if self.is_edited {
            self.id.0.clone()
        } else {
            format!("{self:?}")
        }
    }
}

/// The table. While the user adds a fact, it contains an empty row.
pub(super) fn list(
    table: &Table,
    typed: Signal<String>,
    adding: ReadSignal<Option<FactId>>,
) -> View {
    let search = Search::new(table, typed);
    let (facts, edited, table) = (table.facts, table.edited(), table.clone());
    let items = move || {
        let at = edited.get_clone();
        let new = adding.get_clone().map(|id| Row {
            fact: None,
            id,
            is_edited: true,
        });
        let known = facts.with(|facts| {
            let is_edited = |fact: &Fact| at.as_ref() == Some(&fact.id);
            // The fact that is being edited is always shown, even if the search doesn't match.
            let shown = facts
                .iter()
                .filter(|fact| is_edited(fact) || search.finds(fact));
            let rows = shown.map(|fact| Row {
                is_edited: is_edited(fact),
                id: fact.id.clone(),
                fact: Some(fact.clone()),
            });
            rows.collect::<Vec<Row>>()
        });
        new.into_iter().chain(known).collect()
    };
    let rows = keyed(items, Row::key, move |row| {
        match (row.fact, row.is_edited) {
            (Some(fact), false) => Some(row::row(&table, &fact)),
            (..) => edit::edit(&table, &row.id),
        }
    });
    let none = live_text(move || {
        let any = facts.with(|facts| facts.iter().any(|fact| search.finds(fact)));
        if any {
            String::new()
        } else {
            msg("options_no_fact_found")
        }
    });
    // In a narrow window, CSS shows the table as a list and would remove the roles of its
    // elements. So the roles are set explicitly.
    let heads = (
        head_cell("", msg("options_fact").into()),
        head_cell("", msg("options_tier").into()),
        head_cell("", msg("options_category").into()),
        head_cell("n", msg("options_confidence").into()),
        head_cell("n", msg("options_last_used").into()),
        head_cell("", tag("span.sr", msg("options_actions")).into()),
    );
    let heads = tag("thead", tag("tr", heads).role("row")).role("rowgroup");
    let table = tag("table", (heads, tag("tbody", rows).role("rowgroup"))).role("table");
    let region = tag("div.scroll-x.facts", table)
        .attr("tabindex", "0")
        .role("region");
    fragment((region.name(msg("options_facts")), status_meta(none)))
}

fn head_cell(class: &'static str, words: View) -> View {
    let cell = tag("th", words).role("columnheader").attr("scope", "col");
    if class.is_empty() {
        cell.into()
    } else {
        cell.class(class).into()
    }
}

/// The search. At once, it finds facts that contain the typed text. When the worker answers, it
/// also finds facts that contain other forms of the typed words.
#[derive(Clone, Copy)]
struct Search {
    typed: Signal<String>,
    /// The worker's last answer: the text that was searched, and the facts that were found.
    found: Signal<(String, Vec<FactId>)>,
}

impl Search {
    fn new(table: &Table, typed: Signal<String>) -> Self {
        let found = create_signal((String::new(), Vec::new()));
        let (page, facts) = (table.page.clone(), table.facts);
        create_effect(move || {
            // Search again when the facts change.
            facts.track();
            let typed = typed.get_clone();
            if typed.trim().is_empty() {
                return;
            }
            let ask = OptionsRequest::FindFacts {
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

    fn finds(self, fact: &Fact) -> bool {
        let typed = self.typed.get_clone();
        let plain = typed.trim().to_lowercase();
        let mut texts = fact.keywords.iter().chain([&fact.content]);
        texts.any(|it| it.to_lowercase().contains(&plain))
            || self
                .found
                .with(|(asked, ids)| *asked == typed && ids.contains(&fact.id))
    }
}
