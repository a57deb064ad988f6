//! The calls that the user always allows. Each can be revoked.

use super::prelude::*;
use gloss::app::preferences::GivenApproval;
use gloss::tools::StandingApproval;

/// The list of standing approvals.
pub(crate) fn approvals() -> View {
    let page = Page::from_context();
    let result = create_signal(Feedback::None);
    let given = page.of(|state| state.preferences.approvals.clone());
    let lines = live(move || {
        let given = given.get_clone();
        if given.is_empty() {
            return vec![tag("li", tag("p", msg("options_approvals_none")))];
        }
        given
            .into_iter()
            .map(|one| approval(&page, one, result))
            .collect::<Vec<_>>()
    });
    let heading = group_heading("approvals", msg("options_approvals"), result);
    fragment((
        heading,
        rows(lines).attr("aria-labelledby", "approvals"),
        tag("p.meta", msg("options_approvals_means")),
    ))
}

fn approval(page: &Page, given: GivenApproval, result: Signal<Feedback>) -> Tag {
    let (what, name) = match &given.calls {
        StandingApproval::Searches { provider } => (
            msg_with("options_approval_searches", &[provider]),
            msg_with("options_revoke_searches", &[provider]),
        ),
        StandingApproval::Fetches { host } => (
            msg_with("options_approval_fetches", &[host]),
            msg_with("options_revoke_fetches", &[host]),
        ),
    };
    let since = msg_with(
        "options_approval_since",
        &[&crate::browser::day(given.since_ms)],
    );
    let page = page.clone();
    let revoke = button("tiny", msg("options_revoke"), move || {
        page.change(Change::Revoke(given.calls.clone()), result);
    });
    row((what, tag("p", since)), revoke.name(name))
}
