//! An icon of `icons.svg`. It is decoration; the text around it names it.

use sycamore::prelude::*;

/// The icon with this id, without the prefix `i-`.
pub(crate) fn icon(id: &'static str) -> View {
    let href = format!("icons.svg#i-{id}");
    view! {
        svg(class="i", aria-hidden="true") {
            r#use(href=href)
        }
    }
}
