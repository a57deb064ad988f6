//! What is wrong with what is stored, and budgets that run low: a line each, between
//! status and composer.

use crate::icon::icon;
use crate::live::live;
use crate::spending::near;
use crate::surface::Surface;
use crate::words::{msg, said};
use sycamore::prelude::*;

/// The warnings, if there are any.
pub(crate) fn warnings() -> View {
    let shown = Surface::here().shown;
    let warnings = create_selector(move || {
        shown.with(|shown| {
            let stored = shown.warnings.iter().map(|failure| {
                let (title, remedy) = (said(&failure.title), said(&failure.remedy));
                format!("{title}. {remedy}")
            });
            let spending = shown.turns.last().map(near).unwrap_or_default();
            stored.chain(spending).collect::<Vec<_>>()
        })
    });
    live(move || {
        if warnings.with(Vec::is_empty) {
            View::new()
        } else {
            let lines: Vec<View> = warnings
                .get_clone()
                .into_iter()
                .map(|words| view! { p { (words) } })
                .collect();
            let name = msg("warnings");
            let sign = icon("alert");
            view! {
                div(class="warn caution-text", role="alert", aria-label=name) {
                    (sign)
                    div { (lines) }
                }
            }
        }
    })
}
