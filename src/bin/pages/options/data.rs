//! The size of the stored data, a copy of the settings as a file, and the button that erases
//! everything.

use super::browser::stored_bytes;
use super::erase::erase;
use super::prelude::*;
use super::unreadable::{unreadable, unreadable_runs};
use gloss::app::preferences::FieldName;
use gloss::ui::figures::bytes as size;
use wasm_bindgen_futures::spawn_local;

const FILE: &str = "gloss-settings.json";

/// Builds the section *Data*.
pub(crate) fn data() -> Tag {
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

fn copy() -> Tag {
    let (page, exporting) = (Page::from_context(), Page::from_context());
    let result = create_signal(Feedback::None);
    let read = move |text| page.ask_for(OptionsRequest::Import { text }, result, || {});
    let import = file_button(msg("options_import"), msg("options_import_file"), read);
    let export = button("", msg("options_export"), move || {
        exporting.export(OptionsRequest::Export, FILE.to_owned(), result);
    });
    let refused = refusal(refusal_at(result, FieldName::File));
    let status = tag("p", (refused, feedback_line(result))).role("status");
    let words = (
        msg("options_settings_copy"),
        tag("p", msg("options_without_keys")),
        status,
    );
    row(words, (import, export))
}
