//! Walks a data table and writes each cell on one line.
//!
//! Example: a cell contains the paragraph `a` and the linked paragraph `b`. The cell is
//! written as `a [b](…)`. [`super::table`] decides which tables contain data, and writes the rows.

use dom_query::NodeRef;

use super::blocks::{BlockPosition, Walker};
use super::run::Style;
use super::{Kind, Paragraph, table};

impl Walker<'_> {
    /// Writes a data table as one paragraph. If the table only arranges the layout, each cell is
    /// written as separate blocks.
    pub(super) fn table(&mut self, node: &NodeRef, place: &BlockPosition, style: Style) {
        self.flush(place);
        let Some(rows) = table::rows(node) else {
            self.block(node, place, style);
            return;
        };
        for caption in node.children_it(false).filter(|n| n.has_name("caption")) {
            self.block(&caption, &place.of(Kind::Caption), style);
        }
        let mut linked = 0;
        let rows: Vec<Vec<(String, String)>> = rows
            .iter()
            .map(|row| {
                row.iter()
                    .map(|cell| self.cell(cell.as_ref(), &mut linked))
                    .collect()
            })
            .collect();
        let (text, markdown) = table::write(&rows);
        if !text.trim().is_empty() {
            self.emit(Kind::Table, place, text, &markdown, linked);
        }
    }

    /// Returns the text and the Markdown of a cell, each on one line. Adds the length of linked
    /// text to `linked`.
    fn cell(&mut self, cell: Option<&NodeRef>, linked: &mut usize) -> (String, String) {
        let Some(cell) = cell else {
            return Default::default();
        };
        let mut inner = Walker::new(self.base);
        inner.links = std::mem::take(&mut self.links);
        let place = BlockPosition {
            kind: Kind::Prose,
            indent: String::new(),
        };
        inner.children(cell, &place, Style::default());
        inner.flush(&place);
        self.links = inner.links;
        *linked += inner.walked.linked_bytes();
        let line = |words: fn(&Paragraph) -> &str| {
            let parts: Vec<String> = inner
                .walked
                .paragraphs
                .iter()
                .map(|p| words(p).replace("\\\n", " ").replace(['\n', '\t'], " "))
                .collect();
            parts.join(" ")
        };
        // A `|` is escaped even inside code, because an unescaped `|` would end the cell.
        let markdown = line(|p| &p.markdown)
            .replace("\\|", "|")
            .replace('|', "\\|");
        (line(|p| &p.text), markdown)
    }
}
