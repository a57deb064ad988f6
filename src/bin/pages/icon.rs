//! Icons from `icons.svg`. They are decoration, because the text beside an icon always says its
//! meaning.

use sycamore::prelude::*;

/// The icon with this id. The id is written without its prefix `i-`.
pub(crate) fn icon(id: &'static str) -> View {
    let href = format!("icons.svg#i-{id}");
    view! {
        svg(class="i", aria-hidden="true") {
            r#use(href=href)
        }
    }
}
