//! The row of a fact, with its buttons.

use super::super::prelude::*;
use super::names::{category_name, tier_name};
use super::table::{Table, edit_button};
use crate::browser::{date, focus_later};
use gloss::app::options::TypedFact;
use gloss::memory::{Fact, SourceKind, without_subject};

/// Returns a text with the fact's origin, the day on which it was created, and the day on which it
/// expires.
fn source(fact: &Fact) -> String {
    let of = |key| msg_with(key, &[&date(fact.created_at_ms)]);
    let conversations = fact.source.conversations.len();
    let told = match fact.source.how {
        SourceKind::Conversation if conversations > 1 => {
            let (since, many) = (date(fact.created_at_ms), conversations.to_string());
            msg_with("options_fact_told_in", &[&since, &many])
        }
        SourceKind::Conversation => of("options_fact_told"),
        SourceKind::Typed => of("options_fact_typed"),
        SourceKind::Imported => of("options_fact_imported"),
    };
    let until = fact.expires_at_ms.filter(|_| !fact.pinned);
    match until.map(|at_ms| msg_with("options_fact_until", &[&date(at_ms)])) {
        Some(until) => format!("{told} · {until}"),
        None => told,
    }
}

/// The row: everything about the fact except its keywords.
pub(super) fn row(table: &Table, fact: &Fact) -> Tag {
    let used = fact
        .used_at_ms
        .map_or_else(|| msg("options_never_used"), date);
    let replaced = fact.replaced.as_ref().map(|replaced| {
        let words = [
            without_subject(&replaced.fact.content),
            date(replaced.at_ms),
        ];
        let words = msg_with(
            "options_fact_replaced",
            &words.each_ref().map(String::as_str),
        );
        meta(days_whole(&words))
    });
    let source = tag("p.meta.num", days_whole(&source(fact)));
    let cell = |inside: View| tag("td", inside).role("cell");
    let cells = (
        cell((fact.content.clone(), source, replaced).into()),
        cell(tier_name(fact.tier).into()),
        cell(category_name(fact.category).into()),
        cell(format!("{:.0}\u{a0}%", fact.confidence * 100.0).into())
            .class("n num")
            .attr("data-name", msg("options_confidence")),
        cell(used.into())
            .class("n num")
            .attr("data-name", msg("options_last_used")),
        cell(actions(table, fact)).class("n"),
    );
    tag("tr", cells).role("row")
}

fn actions(table: &Table, fact: &Fact) -> View {
    let content = without_subject(&fact.content);
    let [pinning, editing, erasing] = [(); 3].map(|()| table.clone());
    let (pinned, id, erased) = (fact.pinned, fact.id.clone(), fact.clone());
    let pin_id = format!("pin-{}", fact.id.0);
    let back = pin_id.clone();
    let pin = icon_button(
        "tiny",
        "pin",
        msg_with("options_fact_pin", &[&content]),
        move || {
            let (id, back) = (id.clone(), back.clone());
            let ask = OptionsRequest::PinFact {
                id,
                pinned: Switch::of(!pinned),
            };
            // Pinning rebuilds the row, so its button needs the focus again.
            pinning
                .page
                .ask_for(ask, pinning.feedback, move || focus_later(vec![back]));
        },
    );
    let typed = TypedFact {
        id: fact.id.clone(),
        content: fact.content.clone(),
        category: fact.category,
        tier: fact.tier,
    };
    let edit = icon_button(
        "tiny",
        "edit",
        msg_with("options_fact_edit", &[&content]),
        move || {
            editing.begin(typed.clone());
        },
    );
    let erase = icon_button(
        "tiny",
        "trash",
        msg_with("options_fact_erase", &[&content]),
        move || {
            erasing.erase(erased.clone());
        },
    );
    fragment((
        pin.id(pin_id)
            .tip(msg("options_pin"))
            .attr("aria-pressed", pinned.to_string()),
        edit.id(edit_button(&fact.id)).tip(msg("options_edit")),
        erase.tip(msg("options_erase_fact")),
    ))
}
