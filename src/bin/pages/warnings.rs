//! What is wrong with what is stored: a line each, between status and composer.

use crate::icon::icon;
use crate::live::live;
use crate::surface::Surface;
use crate::words::{msg, said};
use sycamore::prelude::*;

/// The warnings, if there are any.
pub(crate) fn warnings() -> View {
    let shown = Surface::here().shown;
    let warnings = create_selector(move || shown.with(|shown| shown.warnings.clone()));
    live(move || {
        if warnings.with(Vec::is_empty) {
            View::new()
        } else {
            let lines: Vec<View> = warnings.with(|all| {
                all.iter()
                    .map(|failure| {
                        let words = format!("{}. {}", said(&failure.title), said(&failure.remedy));
                        view! { p { (words) } }
                    })
                    .collect()
            });
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
