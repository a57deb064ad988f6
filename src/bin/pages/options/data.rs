//! The size of the stored data, a copy of the settings as a file, and the button that erases
//! everything.

use super::browser::stored_bytes;
use super::controls::refusal;
use super::controls::{file_button, row, rows, section};
use super::erase::erase;
use super::feedback::{Feedback, feedback_line, refusal_at};
use super::page::Page;
use super::unreadable::{unreadable, unreadable_runs};
use crate::live::live_text;
use crate::parts::{button, tag};
use crate::save::save_as;
use crate::words::{msg, msg_with};
use gloss::app::options::{OptionsRequest, Outcome};
use gloss::app::preferences::FieldName;
use gloss::ui::figures::bytes as size;
use sycamore::prelude::*;
use wasm_bindgen_futures::spawn_local;

const FILE: &str = "gloss-settings.json";

pub(crate) fn data() -> View {
    let state = Page::from_context().state;
    let bytes = create_signal(0);
    create_effect(move || {
        state.track();
        spawn_local(async move {
            let stored = stored_bytes().await;
            if bytes.is_alive() {
                bytes.set(stored);
            }
        });
    });
    let stored = live_text(move || msg_with("options_stored", &[&size(bytes.get())]));
    let damaged = unreadable_runs();
    let copies = (
        tag("h3", msg("options_copies")),
        rows((copy(), unreadable(damaged))),
    );
    let body = (tag("p.num", stored), copies, erase(damaged));
    section("data", msg("options_data"), body)
}

fn copy() -> View {
    let (page, exporting) = (Page::from_context(), Page::from_context());
    let result = create_signal(Feedback::None);
    let read = move |text| page.ask_for(OptionsRequest::Import { text }, result, || {});
    let import = file_button(msg("options_import"), msg("options_import_file"), read);
    let export = button("", msg("options_export"), move || {
        exporting.ask(OptionsRequest::Export, move |outcome| match outcome {
            Outcome::Exported { text } => save_as(FILE, &text),
            other => result.set(Feedback::of(other)),
        });
    });
    let refused = refusal(refusal_at(result, FieldName::File));
    let status = tag("p", (refused, feedback_line(result))).role("status");
    let words = (
        msg("options_settings_copy"),
        tag("p", msg("options_without_keys")),
        status,
    );
    row(words, (import, export)).into()
}
