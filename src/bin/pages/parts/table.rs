//! Tables that scroll sideways in a narrow window.

use super::element::{IntoView, Tag, tag};
use sycamore::prelude::*;

/// A table in its region, with column headings and rows.
pub(crate) fn scroll_table(name: String, heads: View, rows: impl IntoView) -> Tag {
    let table = tag("table", (tag("thead", heads), tag("tbody", rows)));
    tag("div.scroll-x", table)
        .attr("tabindex", "0")
        .role("region")
        .name(name)
}

/// The heading of a column.
pub(crate) fn head_cell(class: &'static str, words: impl IntoView) -> View {
    let cell = tag("th", words).attr("scope", "col");
    if class.is_empty() {
        cell.into()
    } else {
        cell.class(class).into()
    }
}

/// A row of column headings without classes.
pub(crate) fn head_row(words: impl IntoIterator<Item = String>) -> View {
    let heads: Vec<_> = words
        .into_iter()
        .map(|words| head_cell("", words))
        .collect();
    tag("tr", heads).into()
}

/// A row of cells without classes.
pub(crate) fn cell_row<const N: usize>(cells: [View; N]) -> View {
    let cells: Vec<_> = cells.into_iter().map(|cell| tag("td", cell)).collect();
    tag("tr", cells).into()
}
