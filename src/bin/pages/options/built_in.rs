//! The row of the browser's built-in model. It is shown only if the browser has such a model.

use super::controls::row as with_actions;
use super::prelude::*;
use crate::built_in::BuiltIn;
use gloss::host_browser::built_in::Availability;
use gloss::model::BUILT_IN;

pub(super) fn row() -> View {
    let built_in = BuiltIn::from_context();
    built_in.refresh();
    let state = built_in.state;
    let is_here = create_selector(move || state.get() != Availability::Unavailable);
    live_if(is_here, move || whole(built_in))
}

fn whole(built_in: BuiltIn) -> View {
    let set = Page::from_context().preferences();
    let is_main = create_selector(move || set.with(|set| set.answers.as_deref() == Some(BUILT_IN)));
    let download = live(move || {
        let words = match (built_in.state.get(), built_in.percent.get()) {
            (Availability::Downloadable, None) => msg("built_in_download"),
            (Availability::Downloading, None) => msg("built_in_progress"),
            _ => return View::new(),
        };
        button("", words, move || built_in.download()).into()
    });
    let progress = tag("p", live_text(move || progress(built_in))).role("status");
    let name = (tag("b", msg("built_in")), " ", main_tag(is_main));
    let words = (name, tag("p", msg("built_in_means")), progress);
    with_actions(words, download).id("built-in").into()
}

/// Returns the downloaded share in percent, or the reason why the download failed.
fn progress(built_in: BuiltIn) -> String {
    if let Some(percent) = built_in.percent.get() {
        return msg_with("built_in_percent", &[&percent.to_string()]);
    }
    if let Some(why) = built_in.failed.get_clone() {
        return msg_with("built_in_failed", &[&why]);
    }
    match built_in.state.get() {
        Availability::Downloadable => msg("built_in_download_means"),
        Availability::Downloading => msg("built_in_downloading"),
        Availability::Available | Availability::Unavailable => String::new(),
    }
}

/// A label on the model that answers.
pub(super) fn main_tag(is_main: ReadSignal<bool>) -> View {
    live_if(is_main, move || tag_label("ok", msg("options_main")))
}
