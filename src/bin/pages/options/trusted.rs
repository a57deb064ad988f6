//! The domains that are trusted for each category of sources: a row each, applied when it is left.

use super::browser::value;
use super::page::Page;
use super::profile_form::refusal;
use super::told::{Told, told};
use crate::live::handler;
use crate::words::msg;
use gloss::app::options::Change;
use gloss::app::preferences::FieldName;
use gloss::search::Category;
use sycamore::prelude::*;

/// The table, folded until somebody wants it.
pub(super) fn trusted() -> View {
    let (title, means) = (msg("options_trusted"), msg("options_trusted_means"));
    let rows: Vec<View> = Category::ALL.into_iter().map(row).collect();
    view! {
        h3 { (title) }
        details {
            summary { (means) }
            (rows)
        }
    }
}

fn row(category: Category) -> View {
    let page = Page::here();
    let set = page.preferences();
    let result = create_signal(Told::Nothing);
    let field = FieldName::SearchDomains(category);
    let wrong = create_selector(move || result.with(|told| told.at(field)));
    let invalid = move || wrong.with(Option::is_some).then_some("true");
    let kept = create_selector(move || set.with(|set| set.search.domains.of(category).join(" ")));
    let shown = create_signal(kept.get_clone_untracked());
    create_effect(move || {
        // Said again after each answer; what was refused stays, to be mended.
        result.track();
        let kept = kept.get_clone();
        if wrong.with(Option::is_none) {
            shown.set(kept);
        }
    });
    let id = format!("trusted-{}", category.id());
    let (labels, describes) = (id.clone(), format!("{id}-d"));
    let described = describes.clone();
    let label = msg(match category {
        Category::Encyclopedia => "category_encyclopedia",
        Category::Programming => "category_programming",
        Category::Academic => "category_academic",
        Category::Government => "category_government",
        Category::Finance => "category_finance",
        Category::Tech => "category_tech",
        Category::Reference => "category_reference",
        Category::News => "category_news",
        Category::Health => "category_health",
        Category::Legal => "category_legal",
        Category::Sports => "category_sports",
    });
    let refusal = refusal(wrong);
    let told = told(result);
    view! {
        div(class="field") {
            label(r#for=labels) { (label) }
            input(
                id=id,
                autocomplete="off",
                "spellcheck"="false",
                aria-invalid=invalid,
                aria-describedby=described,
                prop:value=move || shown.get_clone(),
                on:change=handler(move |event: web_sys::Event| {
                    page.change(Change::SearchDomains(category, value(&event)), result);
                }),
            )
            p(class="meta", id=describes) { (refusal) (told) }
        }
    }
}
