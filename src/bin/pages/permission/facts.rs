//! The details of a permission: its target, the reason, the data that is sent, and the cost.

use super::{PermissionRequest, hosts_of};
use crate::browser::host_of;
use crate::prelude::*;
use gloss::agent::{Goal, MissingRight};
use gloss::tools::ProposedFacts;

pub(super) fn facts(wanted: &PermissionRequest, origin: Signal<Option<String>>) -> Tag {
    let need = wanted.need.clone();
    let target = move || match (&need, origin.get_clone()) {
        (MissingRight::Site { .. }, Some(origin)) => (msg("permission_read_of"), host_of(&origin)),
        (MissingRight::Site { .. }, None) => (msg("permission_read_this"), String::new()),
        (MissingRight::Provider { origin, .. } | MissingRight::Search { origin, .. }, _) => {
            (msg("permission_send_to"), origin.clone())
        }
        (MissingRight::Screenshot, _) => (msg("permission_all_sites"), String::new()),
        (MissingRight::Pages { origins }, _) => (msg("permission_read_of"), hosts_of(origins)),
        (MissingRight::Memory(_), _) => (msg("permission_remember"), String::new()),
        // The sheet shows this request.
        (MissingRight::Send(_) | MissingRight::Outcome { .. }, _) => Default::default(),
    };
    let reason = match (&wanted.need, &wanted.goal) {
        (MissingRight::Provider { .. }, _) => {
            let model = tag("code", wanted.model.clone());
            fragment((model, " ", msg("permission_answers_there")))
        }
        (MissingRight::Search { .. }, _) => msg("permission_for_search").into(),
        (MissingRight::Screenshot, _) => msg("permission_for_screenshot").into(),
        (MissingRight::Pages { .. }, _) => msg("permission_for_pages").into(),
        (MissingRight::Memory(_), _) => msg("permission_for_memory").into(),
        (MissingRight::Send(_) | MissingRight::Outcome { .. }, _) => View::new(),
        (MissingRight::Site { .. }, goal) => msg(match goal {
            Some(Goal::Summarize) => "permission_for_summary",
            Some(Goal::Explain { .. }) => "permission_for_explain",
            Some(Goal::Ask { .. } | Goal::GoOn) => "permission_for_question",
            None => "permission_for_any",
        })
        .into(),
    };
    let more: Vec<_> = match &wanted.need {
        MissingRight::Provider { .. } => vec![sent(msg("permission_sent_what"))],
        MissingRight::Search { .. } => vec![sent(msg("permission_sent_search"))],
        MissingRight::Memory(unsaid) => vec![fact_list(unsaid)],
        MissingRight::Site { .. }
        | MissingRight::Screenshot
        | MissingRight::Pages { .. }
        | MissingRight::Send(_)
        | MissingRight::Outcome { .. } => Vec::new(),
    };
    let target = live(move || {
        let (words, name) = target();
        fragment((format!("{words} "), tag("b", name)))
    });
    let what = fact(msg("permission_what"), tag("dd", target));
    tag(
        "dl.asked",
        (what, fact(msg("permission_why"), tag("dd", reason)), more),
    )
}

fn fact(name: String, value: Tag) -> View {
    (tag("dt", name), value).into()
}

fn sent(words: String) -> View {
    fact(msg("permission_sent"), tag("dd.whole", words))
}

/// The facts that would be saved, how long they are kept, and the facts that they replace.
fn fact_list(unsaid: &ProposedFacts) -> View {
    let mut lines: Vec<_> = Vec::new();
    for (place, fact) in unsaid.facts.iter().cloned().enumerate() {
        lines.push(tag("p.whole", fact).into());
        if unsaid.core.contains(&place) {
            lines.push(meta(msg("permission_core")));
        }
    }
    for older in &unsaid.replaces {
        lines.push(tag("p.whole", msg_with("memory_replaces", &[older])).into());
    }
    if !unsaid.keywords.is_empty() {
        lines.push(meta(msg_with(
            "permission_keywords",
            &[&unsaid.keywords.join(" · ")],
        )));
    }
    fact(msg("permission_kept"), tag("dd", lines))
}
