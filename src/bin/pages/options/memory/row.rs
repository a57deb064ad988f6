//! A fact as it stands, and what can be done with it.

use super::table::{Table, focus_later, opener};
use super::{kind_of, name_of};
use crate::browser::date;
use crate::icon::icon;
use crate::live::handler;
use crate::words::{days_whole, msg, msg_with};
use gloss::app::options::{Ask, Switch, TypedFact};
use gloss::memory::{Fact, How, plainly};
use sycamore::prelude::*;

/// Where it was told and when, and until when it is kept.
fn source(fact: &Fact) -> String {
    let of = |key| msg_with(key, &[&date(fact.created_at_ms)]);
    let conversations = fact.source.conversations.len();
    let told = match fact.source.how {
        How::Conversation if conversations > 1 => {
            let (since, many) = (date(fact.created_at_ms), conversations.to_string());
            msg_with("options_fact_told_in", &[&since, &many])
        }
        How::Conversation => of("options_fact_told"),
        How::Typed => of("options_fact_typed"),
        How::Imported => of("options_fact_imported"),
    };
    let until = fact.expires_at_ms.filter(|_| !fact.pinned);
    match until.map(|at_ms| msg_with("options_fact_until", &[&date(at_ms)])) {
        Some(until) => format!("{told} · {until}"),
        None => told,
    }
}

/// The row. What it says of a fact is all that there is of it but its keywords.
pub(super) fn row(table: &Table, fact: &Fact) -> View {
    let content = fact.content.clone();
    let (tier, category) = (name_of(fact.tier), kind_of(fact.category));
    let sure = format!("{:.0}\u{a0}%", fact.confidence * 100.0);
    let used = fact
        .used_at_ms
        .map_or_else(|| msg("options_never_used"), date);
    let replaced = fact.replaced.as_ref().map(|replaced| {
        let words = msg_with(
            "options_fact_replaced",
            &[&plainly(&replaced.fact.content), &date(replaced.at_ms)],
        );
        let words = days_whole(&words);
        view! { p(class="meta") { (words) } }
    });
    let source = days_whole(&source(fact));
    let acts = acts(table, fact);
    let (sure_name, used_name) = (msg("options_confidence"), msg("options_last_used"));
    view! {
        tr(role="row") {
            td(role="cell") { (content) p(class="meta num") { (source) } (replaced) }
            td(role="cell") { (tier) }
            td(role="cell") { (category) }
            td(role="cell", class="n num", data-name=sure_name) { (sure) }
            td(role="cell", class="n num", data-name=used_name) { (used) }
            td(role="cell", class="n") { (acts) }
        }
    }
}

fn acts(table: &Table, fact: &Fact) -> View {
    let content = plainly(&fact.content);
    let [pin, change, erase] = [
        msg_with("options_fact_pin", &[&content]),
        msg_with("options_fact_edit", &[&content]),
        msg_with("options_fact_erase", &[&content]),
    ];
    let [pin_tip, change_tip, erase_tip] = [
        msg("options_pin"),
        msg("options_edit"),
        msg("options_erase_fact"),
    ];
    let (pinned, pin_sign, edit_sign, trash) =
        (fact.pinned, icon("pin"), icon("edit"), icon("trash"));
    let pin_id = format!("pin-{}", fact.id.0);
    let pins = {
        let (table, id, back) = (table.clone(), fact.id.clone(), pin_id.clone());
        move |_| {
            let (id, back) = (id.clone(), back.clone());
            let pinned = if pinned { Switch::Off } else { Switch::On };
            // Its row is another one then.
            table.ask(Ask::PinFact { id, pinned }, move || focus_later(vec![back]));
        }
    };
    let edits = {
        let table = table.clone();
        let fact = TypedFact {
            id: fact.id.clone(),
            content: fact.content.clone(),
            category: fact.category,
            tier: fact.tier,
        };
        move |_| table.begin(fact.clone())
    };
    let erases = {
        let (table, fact) = (table.clone(), fact.clone());
        move |_| table.erase(fact.clone())
    };
    let opener = opener(&fact.id);
    view! {
        button(
            r#type="button",
            class="icon-btn tiny",
            id=pin_id,
            aria-pressed=pinned.to_string(),
            aria-label=pin,
            title=pin_tip,
            on:click=handler(pins),
        ) { (pin_sign) }
        button(
            r#type="button",
            class="icon-btn tiny",
            id=opener,
            aria-label=change,
            title=change_tip,
            on:click=handler(edits),
        ) { (edit_sign) }
        button(
            r#type="button",
            class="icon-btn tiny",
            aria-label=erase,
            title=erase_tip,
            on:click=handler(erases),
        ) { (trash) }
    }
}
