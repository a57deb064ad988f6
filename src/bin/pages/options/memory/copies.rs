//! Facts as a file: out, and in.

use super::super::browser::picked_text;
use super::super::told::Told;
use super::table::Table;
use crate::browser::unique_id;
use crate::live::handler;
use crate::save::save_as;
use crate::words::{counted, grouped, msg, msg_of_with, msg_with};
use gloss::app::options::{Ask, Left, Outcome};
use gloss::memory::LeftOut;
use sycamore::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;

/// What the file is called.
const FILE: &str = "gloss-facts.json";

/// The buttons; nothing to export while nothing is known.
pub(super) fn copies(table: &Table, any: ReadSignal<bool>) -> View {
    let input = create_node_ref();
    let importing = table.clone();
    let chosen = move |event: web_sys::Event| {
        let (table, text) = (importing.clone(), picked_text(&event));
        spawn_local(async move {
            if let Some(text) = text.await {
                let told = table.told;
                let act = unique_id();
                table
                    .page
                    .ask(Ask::ImportFacts { act, text }, move |outcome| {
                        told.set(match outcome {
                            Outcome::TakenIn { facts, left_out } => {
                                Told::Done(taken_in(facts, &left_out))
                            }
                            other => Told::of(other),
                        });
                    });
            }
        });
    };
    let (page, told) = (table.page.clone(), table.told);
    let exports = move |_| {
        page.ask(Ask::ExportFacts, move |outcome| match outcome {
            Outcome::Exported { text } => save_as(FILE, &text),
            other => told.set(Told::of(other)),
        });
    };
    let picks = move |_| {
        let field = input.try_get();
        if let Some(field) = field.and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok()) {
            field.click();
        }
    };
    let [file, import, export] = [
        msg("options_facts_file"),
        msg("options_import_facts"),
        msg("options_export_facts"),
    ];
    view! {
        input(
            r#type="file",
            accept=".json,application/json",
            hidden=true,
            aria-label=file,
            r#ref=input,
            on:change=handler(chosen),
        )
        button(r#type="button", class="btn", on:click=handler(picks)) { (import) }
        button(
            r#type="button",
            class="btn",
            disabled=move || !any.get(),
            on:click=handler(exports),
        ) { (export) }
    }
}

/// How many facts came in, and how many did not and why.
fn taken_in(facts: usize, left_out: &[Left]) -> String {
    let taken = counted(["options_taken_in_one", "options_taken_in"], facts as u64);
    if left_out.is_empty() {
        return taken;
    }
    let left = left_out.iter().map(|left| {
        let why = match left.why {
            LeftOut::Known => "msg:options_left_known",
            LeftOut::Secret => "msg:options_left_secret",
            LeftOut::Malformed => "msg:options_left_malformed",
            LeftOut::Unreadable => "msg:options_left_unreadable",
            LeftOut::NoRoom => "msg:options_left_no_room",
        };
        msg_of_with(why, &[&grouped(left.facts as u64)])
    });
    let left: Vec<String> = left.collect();
    msg_with("options_import_left", &[&taken, &left.join(&msg("comma"))])
}
