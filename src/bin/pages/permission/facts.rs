//! What is asked for, why, what is sent, and what that costs.

use super::{Right, Wanted, hosts_of};
use crate::browser::host_of;
use crate::live::live;
use crate::words::{msg, msg_with};
use gloss::agent::Goal;
use gloss::model::facts::money;
use gloss::tools::Unsaid;
use sycamore::prelude::*;

pub(super) fn facts(wanted: &Wanted, origin: Signal<Option<String>>) -> View {
    let (what, why) = (msg("permission_what"), msg("permission_why"));
    let need = wanted.need.clone();
    let target = move || match (&need, origin.get_clone()) {
        (Right::Site { .. }, Some(origin)) => (msg("permission_read_of"), host_of(&origin)),
        (Right::Site { .. }, None) => (msg("permission_read_this"), String::new()),
        (Right::Provider { origin, .. } | Right::Search { origin, .. }, _) => {
            (msg("permission_send_to"), origin.clone())
        }
        (Right::Screenshot, _) => (msg("permission_all_sites"), String::new()),
        (Right::Pages { origins }, _) => (msg("permission_read_of"), hosts_of(origins)),
        (Right::Image { by, .. }, _) => (msg("permission_send_to"), by.clone()),
        (Right::Memory(_), _) => (msg("permission_remember"), String::new()),
    };
    let reason = match (&wanted.need, &wanted.goal) {
        (Right::Provider { .. }, _) => {
            let (model, rest) = (wanted.model.clone(), msg("permission_answers_there"));
            view! { code { (model) } " " (rest) }
        }
        (Right::Search { .. }, _) => msg("permission_for_search").into(),
        (Right::Screenshot, _) => msg("permission_for_screenshot").into(),
        (Right::Pages { .. }, _) => msg("permission_for_pages").into(),
        (Right::Image { .. }, _) => msg("permission_for_image").into(),
        (Right::Memory(_), _) => msg("permission_for_memory").into(),
        (Right::Site { .. }, goal) => msg(match goal {
            Some(Goal::Summarize) => "permission_for_summary",
            Some(Goal::Explain { .. }) => "permission_for_explain",
            Some(Goal::Ask { .. } | Goal::GoOn) => "permission_for_question",
            None => "permission_for_any",
        })
        .into(),
    };
    let sent = match &wanted.need {
        Right::Provider { .. } => Some(msg("permission_sent_what")),
        Right::Search { .. } => Some(msg("permission_sent_search")),
        Right::Image { description, .. } => Some(description.clone()),
        Right::Site { .. } | Right::Screenshot | Right::Pages { .. } | Right::Memory(_) => None,
    };
    let kept = match &wanted.need {
        Right::Memory(unsaid) => Some(kept(unsaid)),
        Right::Site { .. }
        | Right::Provider { .. }
        | Right::Search { .. }
        | Right::Screenshot
        | Right::Pages { .. }
        | Right::Image { .. } => None,
    };
    let sent = sent.map(|words| {
        let sent = msg("permission_sent");
        view! { dt { (sent) } dd(class="whole") { (words) } }
    });
    let cost = match &wanted.need {
        Right::Image { cost: None, .. } => Some(msg("permission_cost_unknown")),
        Right::Image {
            cost: Some(cost), ..
        } if *cost > 0 => Some(msg_with("permission_cost_about", &[&money(*cost)])),
        Right::Image { .. }
        | Right::Site { .. }
        | Right::Provider { .. }
        | Right::Search { .. }
        | Right::Screenshot
        | Right::Pages { .. }
        | Right::Memory(_) => None,
    };
    let cost = cost.map(|words| {
        let cost = msg("permission_cost");
        view! { dt { (cost) } dd { (words) } }
    });
    let target = live(move || {
        let (words, name) = target();
        let words = format!("{words} ");
        view! { (words) b { (name) } }
    });
    view! {
        dl(class="asked") {
            dt { (what) }
            dd {
                (target)
            }
            dt { (why) }
            dd { (reason) }
            (sent)
            (kept)
            (cost)
        }
    }
}

/// What would be remembered, all of it and for how long, and what would go for it.
fn kept(unsaid: &Unsaid) -> View {
    let kept = msg("permission_kept");
    let mut lines: Vec<View> = Vec::new();
    for (place, fact) in unsaid.facts.iter().cloned().enumerate() {
        lines.push(view! { p(class="whole") { (fact) } });
        if unsaid.core.contains(&place) {
            let core = msg("permission_core");
            lines.push(view! { p(class="meta") { (core) } });
        }
    }
    for older in &unsaid.replaces {
        let gone = msg_with("memory_replaces", &[older]);
        lines.push(view! { p(class="whole") { (gone) } });
    }
    if !unsaid.keywords.is_empty() {
        let found = msg_with("permission_keywords", &[&unsaid.keywords.join(" · ")]);
        lines.push(view! { p(class="meta") { (found) } });
    }
    view! { dt { (kept) } dd { (lines) } }
}
