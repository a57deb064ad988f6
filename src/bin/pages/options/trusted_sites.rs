//! The domains that the user trusts, by category of sources. Each category has a field that
//! applies when the user leaves it.

use super::limits::stored_value;
use super::prelude::*;
use crate::browser::value;
use gloss::app::preferences::FieldName;
use gloss::search::Category;

/// The fields, which are collapsed at first.
pub(super) fn trusted() -> View {
    let fields: Vec<_> = Category::ALL.into_iter().map(domains).collect();
    let folded = tag(
        "details",
        (tag("summary", msg("options_trusted_means")), fields),
    );
    fragment((tag("h3", msg("options_trusted")), folded))
}

fn domains(category: Category) -> Tag {
    let page = Page::from_context();
    let set = page.preferences();
    let result = create_signal(Feedback::None);
    let refused = refusal_at(result, FieldName::SearchDomains(category));
    let shown = stored_value(refused, result, move || {
        set.with(|set| set.search.domains.of(category).join(" "))
    });
    let label = msg_of(match category {
        Category::Encyclopedia => "msg:category_encyclopedia",
        Category::Programming => "msg:category_programming",
        Category::Academic => "msg:category_academic",
        Category::Government => "msg:category_government",
        Category::Finance => "msg:category_finance",
        Category::Tech => "msg:category_tech",
        Category::Reference => "msg:category_reference",
        Category::News => "msg:category_news",
        Category::Health => "msg:category_health",
        Category::Legal => "msg:category_legal",
        Category::Sports => "msg:category_sports",
    });
    let id = format!("trusted-{}", category.name());
    let input = text_input(&id, refused).value(move || shown.get_clone());
    let input = input.on("change", move |event: web_sys::Event| {
        page.change(Change::SearchDomains(category, value(&event)), result);
    });
    let below = about(&id, (refusal(refused), feedback_line(result)));
    field(id, label, input, below)
}
