//! What was used, as the worker counts it: asked at first, and again whenever what was said
//! may be old.

use super::browser::on_seen;
use super::page::Page;
use crate::words::{grouped, msg_with};
use gloss::app::options::{Ask, Outcome, Used};
use gloss::model::facts::{Micros, money};
use sycamore::prelude::*;

/// What the worker said; `None` before that.
pub(crate) struct Counted {
    /// Each model's use, with what this session of the browser came to, in words.
    pub(crate) used: Signal<Option<(Vec<Used>, Option<String>)>>,
    /// What the month came to.
    pub(crate) spent: Signal<Option<Micros>>,
}

/// Asks, and asks again.
pub(crate) fn counted() -> Counted {
    let used = create_signal(None);
    let spent = create_signal(None);
    let page = Page::here();
    let state = page.state;
    let since =
        create_selector(move || state.with(|state| state.as_ref().map(|it| it.counted_since_ms)));
    let ask = move || {
        page.ask(Ask::Usage, move |outcome| {
            if let Outcome::Usage {
                used: all,
                month,
                session_tokens,
                session_cost,
            } = outcome
            {
                spent.set(Some(month));
                used.set(Some((all, session(session_tokens, session_cost))));
            }
        });
    };
    let again = ask.clone();
    // Another time: all was erased, or another worker counts.
    create_effect(move || {
        if since.get().is_some() {
            untrack(&ask);
        }
    });
    // Runs end, and workers die, while nobody looks.
    on_seen(again);
    Counted { used, spent }
}

/// What this session of the browser came to; nothing, if nothing was used in it.
fn session(tokens: u64, cost: Micros) -> Option<String> {
    let words = grouped(tokens);
    (tokens > 0).then(|| match cost {
        0 => msg_with("options_session_tokens", &[&words]),
        cost => msg_with("options_session", &[&money(cost), &words]),
    })
}
