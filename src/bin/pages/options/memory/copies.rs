//! Facts as a file: out, and in.

use super::super::browser::picked_text;
use super::super::told::Told;
use super::Table;
use crate::live::handler;
use crate::save::save_as;
use crate::words::msg;
use gloss::app::options::{Ask, Outcome};
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
                table.ask(Ask::ImportFacts { text }, || ());
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
