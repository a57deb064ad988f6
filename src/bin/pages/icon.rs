//! An icon of `icons.svg`: decoration, named by what stands around it.

use sycamore::prelude::*;

/// The icon with this id, less its `i-`.
pub(crate) fn icon(id: &'static str) -> View {
    let href = format!("icons.svg#i-{id}");
    view! {
        svg(class="i", aria-hidden="true") {
            r#use(href=href)
        }
    }
}
