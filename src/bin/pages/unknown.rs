//! A call whose outcome is unknown: what was sent, when, and two ways on.

use crate::browser::time_to_the_second;
use crate::icon::icon;
use crate::live::{handler, live};
use crate::picture::IMAGES;
use crate::surface::Surface;
use crate::words::{msg, msg_with};
use gloss::agent::{Need, Status, Verdict};
use gloss::durable::RunId;
use sycamore::prelude::*;

/// The question, while the run of this turn waits for its answer. The composer
/// stays: a message is a third way on.
pub(crate) fn unknown(run: &RunId) -> View {
    let asked = Surface::here().of(run, |turn| {
        let wait = turn.wait.clone()?;
        let waits = turn.status == Status::AwaitingUser;
        let asks = matches!(wait.need, Need::Outcome { .. });
        (waits && asks).then_some(wait)
    });
    let run = run.clone();
    live(move || match asked.get_clone().flatten() {
        Some(wait) => match wait.need {
            Need::Outcome {
                tool,
                arguments,
                sent_at_ms,
            } => note(&run, wait.id, &tool, arguments, sent_at_ms),
            Need::Site { .. }
            | Need::Provider { .. }
            | Need::Search { .. }
            | Need::Pages { .. }
            | Need::Image { .. }
            | Need::Memory(_)
            | Need::Screenshot => View::new(),
        },
        None => View::new(),
    })
}

fn note(run: &RunId, wait: u64, tool: &str, arguments: String, sent_at_ms: u64) -> View {
    let title = match tool {
        IMAGES => msg("unknown_image"),
        tool => msg_with("unknown_title", &[tool]),
    };
    let words = msg("unknown_words");
    let (sent, sent_at) = (msg("unknown_sent"), time_to_the_second(sent_at_ms));
    let with = msg("unknown_with");
    let alert = icon("alert");
    let again = way(run, wait, "unknown_again", Verdict::Granted);
    let without = way(run, wait, "unknown_without", Verdict::Refused);
    view! {
        div(class="note caution", role="group", aria-labelledby="unknown-h") {
            h2(id="unknown-h") { (alert) (title) }
            p { (words) }
            dl(class="facts") {
                div { dt { (sent) } dd { (sent_at) } }
                div { dt { (with) } dd { code { (arguments) } } }
            }
            div(class="row wrap") { (again) (without) }
        }
    }
}

fn way(run: &RunId, wait: u64, key: &str, verdict: Verdict) -> View {
    let (surface, run, word) = (Surface::here(), run.clone(), msg(key));
    view! {
        button(
            r#type="button",
            class="btn",
            on:click=handler(move |_| {
                surface.permit(run.clone(), wait, verdict);
                surface.focus_message();
            }),
        ) { (word) }
    }
}

impl Surface {
    /// What to do next was said: a call whose outcome is unknown is left at that.
    pub(crate) fn leave_unknown(&self) {
        let asks = self.shown.with_untracked(|shown| {
            let turn = shown.running()?;
            let wait = turn.wait.as_ref()?;
            let unknown = matches!(wait.need, Need::Outcome { .. });
            unknown.then(|| (turn.run.clone(), wait.id))
        });
        if let Some((run, wait)) = asks {
            self.permit(run, wait, Verdict::Refused);
        }
    }
}
