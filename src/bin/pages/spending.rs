//! The tokens and the cost of a run, warnings about limits, and buttons that raise a limit.

use crate::prelude::*;
use crate::surface::Surface;
use gloss::agent::fork::{Edit, ForkOrigin};
use gloss::agent::{SpendingLimit, Status};
use gloss::app::surface::{LimitWarning, Turn};
use gloss::durable::RunId;
use gloss::model::facts::{MICROS_A_CENT, Micros, money};
use gloss::phrase::Phrase;

/// Returns the usage of a run, such as "3,180 tokens" and "$0.002"; empty if no tokens were used. A
/// cost of 0 is left out. If the cost is unknown, a text says so.
pub(crate) fn usage_text(tokens: u32, cost: Option<Micros>) -> Vec<String> {
    let used = (tokens > 0).then(|| msg_with("tokens", &[&grouped(tokens.into())]));
    let cost = match cost {
        Some(0) => None,
        Some(cost) => Some(money(cost)),
        None => Some(msg("cost_unknown")),
    };
    used.map(|used| [Some(used), cost].into_iter().flatten().collect())
        .unwrap_or_default()
}

/// Returns the warnings about limits that an active turn has nearly reached.
pub(crate) fn limit_warnings(turn: &Turn) -> Vec<String> {
    let at_work = matches!(turn.status, Status::Running | Status::AwaitingUser);
    let near = turn.near.iter().filter(|_| at_work);
    near.map(|LimitWarning { budget, percent }| {
        let percent = percent.to_string();
        match budget {
            SpendingLimit::Tokens { most } => {
                let most = grouped((*most).into());
                msg_with("budget_near_tokens", &[&percent, &most])
            }
            SpendingLimit::Month { most_dollars } => {
                let most = cents(most_dollars.saturating_mul(100));
                msg_with("budget_near_month", &[&percent, &most])
            }
            SpendingLimit::Cost { most_cents } => {
                let most = cents(*most_cents);
                msg_with("budget_near_cost", &[&percent, &most])
            }
        }
    })
    .collect()
}

/// A link to the setting of the monthly limit, if the remark says that this limit was reached.
pub(crate) fn limit_setting_link(remark: &Phrase) -> Option<Tag> {
    (remark.key == "bound_month").then(limit_link)
}

/// A link to the setting of the monthly limit.
pub(crate) fn limit_link() -> Tag {
    let link = tag("a", msg("change_limit")).attr("href", "options.html#month");
    link.attr("target", "_blank")
}

/// The button that continues a run after it reached a limit, which `remark` names. `None` if the
/// limit can't be raised here.
pub(crate) fn raise_limit_button(run: &RunId, more: &ForkOrigin, remark: &Phrase) -> Option<Tag> {
    let Edit::Budget {
        max_tokens,
        max_cost_cents,
    } = more.edit
    else {
        return None;
    };
    let words = match remark.key.as_str() {
        "bound_cost" => msg_with("extend_cost", &[&cents(max_cost_cents)]),
        "bound_tokens" => msg_with("extend_tokens", &[&grouped(max_tokens.into())]),
        _ => return None,
    };
    let (surface, from, more) = (Surface::from_context(), run.clone(), more.clone());
    let extend = move || surface.fork_of(from.clone(), more.clone());
    Some(button("quiet tiny", words, extend))
}

fn cents(cents: u32) -> String {
    money(Micros::from(cents) * MICROS_A_CENT)
}
