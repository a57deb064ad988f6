//! Warnings about stored data, and about limits that are nearly reached. Each is one line between
//! the status and the composer.

use crate::prelude::*;
use crate::spending::limit_warnings;
use crate::surface::Surface;

pub(crate) fn warnings() -> View {
    let shown = Surface::from_context().shown;
    let warnings = create_selector(move || {
        shown.with(|shown| {
            let stored = shown.warnings.iter();
            let stored =
                stored.map(|it| format!("{}. {}", phrase_text(&it.title), phrase_text(&it.remedy)));
            let spending = shown.turns.last().map(limit_warnings).unwrap_or_default();
            stored.chain(spending).collect::<Vec<_>>()
        })
    });
    live(move || {
        let lines = warnings.get_clone().into_iter();
        let lines: Vec<_> = lines.map(|words| tag("p", words)).collect();
        (!lines.is_empty()).then(|| {
            let warnings = tag("div.warn.caution-text", (icon("alert"), tag("div", lines)));
            View::from(warnings.role("alert").name(msg("warnings")))
        })
    })
}
