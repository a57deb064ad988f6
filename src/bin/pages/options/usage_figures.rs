//! The usage that the worker has counted. The page requests it at first, and again when it may be
//! outdated.

use super::prelude::*;
use crate::browser::on_seen;
use gloss::app::options::ModelUsage;
use gloss::model::facts::{Micros, money};

/// The worker's numbers; `None` until they arrive.
pub(crate) struct UsageFigures {
    /// The usage of each model, and a text about the usage in this browser session.
    pub(crate) used: Signal<Option<(Vec<ModelUsage>, Option<String>)>>,
    /// The cost of this month.
    pub(crate) spent: Signal<Option<Micros>>,
}

/// Requests the numbers now, and again whenever they may be outdated.
pub(crate) fn usage_figures() -> UsageFigures {
    let used = create_signal(None);
    let spent = create_signal(None);
    let page = Page::from_context();
    let since = page.counted_since();
    let ask = move || {
        page.ask(OptionsRequest::Usage, move |outcome| {
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
    // `since` changes when the user erases everything, or when another worker begins to count.
    create_effect(move || {
        if since.get().is_some() {
            untrack(&ask);
        }
    });
    // While the page was hidden, runs may have ended or the worker may have died.
    on_seen(again);
    UsageFigures { used, spent }
}

/// Returns a text about the usage in this browser session; `None` if no tokens were used.
fn session(tokens: u64, cost: Micros) -> Option<String> {
    let words = grouped(tokens);
    (tokens > 0).then(|| match cost {
        0 => msg_with("options_session_tokens", &[&words]),
        cost => msg_with("options_session", &[&money(cost), &words]),
    })
}
