//! The sites that Gloss never reads. The user adds a site by its name and removes it again.

use super::prelude::*;
use gloss::app::preferences::FieldName;

/// The list, and the form that adds a site.
pub(crate) fn never() -> View {
    let page = Page::from_context();
    let result = create_signal(Feedback::None);
    let closed = page.of(|state| state.preferences.closed_sites.clone());
    let adding = page.clone();
    let lines = live(move || {
        let closed = closed.get_clone();
        if closed.is_empty() {
            return vec![tag("li", tag("p", msg("options_never_none")))];
        }
        closed
            .into_iter()
            .map(|(site, since_ms)| closed_site(&page, site, since_ms, result))
            .collect::<Vec<_>>()
    });
    fragment((
        group_heading("never", msg("options_never"), result),
        tag("p.meta", msg("options_never_means")),
        rows(lines).attr("aria-labelledby", "never"),
        add(adding, result),
    ))
}

fn closed_site(page: &Page, site: String, since_ms: u64, result: Signal<Feedback>) -> Tag {
    let since = crate::browser::day(since_ms);
    let about = tag("p", msg_with("options_never_since", &[&since]));
    let name = msg_with("options_never_remove", &[&site]);
    let (page, words) = (page.clone(), (tag("b", site.clone()), about));
    let remove = button("tiny", msg("options_remove"), move || {
        page.change(Change::OpenSite(site.clone()), result);
    });
    row(words, remove.name(name))
}

fn add(page: Page, result: Signal<Feedback>) -> Tag {
    let typed = create_signal(String::new());
    let refused = refusal_at(result, FieldName::ClosedSite);
    let id = "never-site";
    let placeholder = msg("options_never_placeholder");
    let input = text_input(id, refused)
        .bind(typed)
        .attr("placeholder", placeholder);
    let sent = move || {
        let change = Change::CloseSite(typed.get_clone_untracked());
        let ask = OptionsRequest::Change { change };
        page.ask_for(ask, result, move || typed.set(String::new()));
    };
    let row = tag("div.row", (input, submit("", msg("options_never_add"))));
    let label = tag("label", msg("options_never_site")).attr("for", id);
    let form = tag("form.field", (label, row, refusal_line(id, refused)));
    form.flag("novalidate", true).on_submit(sent)
}
