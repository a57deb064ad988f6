//! Recognises data tables, and writes their rows as Markdown.
//!
//! Example: a table of two columns becomes `| a | b |`, with its first row as header. Tables that
//! only arrange the page's layout are skipped. If a cell spans several rows or columns, its text is
//! written in the first position. The other positions stay empty.

use dom_query::NodeRef;

use super::tree;

/// The maximum number of columns that are read. A limit is needed because `colspan` can be any
/// number.
const WIDEST: usize = 60;

/// Returns the cells of a data table by rows, or `None` for a table that only arranges the layout.
/// If a cell spans several positions, all except the first contain `None`.
pub(super) fn rows<'a>(table: &NodeRef<'a>) -> Option<Vec<Vec<Option<NodeRef<'a>>>>> {
    if matches!(tree::attr(table, "role").as_str(), "presentation" | "none") {
        return None;
    }
    let mut has_header = false;
    let mut boxes = 0usize;
    for node in table.descendants_it() {
        match tree::name(&node).as_ref() {
            "table" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "blockquote" | "form"
            | "article" | "section" => return None,
            "pre" if lines(&node) > 1 => return None,
            "th" | "caption" | "thead" => has_header = true,
            "p" | "li" | "dd" => boxes += 1,
            _ => {}
        }
    }
    let grid = grid(table);
    let width = grid.iter().map(Vec::len).max().unwrap_or(0);
    let cells = grid.iter().flatten().flatten().count();
    let cramped = !has_header && boxes > 2 * cells.max(1);
    (width >= 2 && grid.len() >= 2 && !cramped).then_some(grid)
}

fn lines(pre: &NodeRef) -> usize {
    pre.text().trim().lines().count()
}

fn grid<'a>(table: &NodeRef<'a>) -> Vec<Vec<Option<NodeRef<'a>>>> {
    let mut grid: Vec<Vec<Option<NodeRef>>> = Vec::new();
    // For each column, the number of following rows that a cell with a `rowspan` still covers.
    let mut covered: Vec<usize> = Vec::new();
    for row in table.descendants_it().filter(|n| n.has_name("tr")) {
        let mut cells = Vec::new();
        for cell in row
            .children_it(false)
            .filter(|n| n.has_name("td") || n.has_name("th"))
        {
            skip_covered(&mut cells, &mut covered);
            if cells.len() >= WIDEST {
                break;
            }
            let below = span(&cell, "rowspan") - 1;
            for column in 0..span(&cell, "colspan") {
                if cells.len() >= WIDEST {
                    break;
                }
                if covered.len() <= cells.len() {
                    covered.resize(cells.len() + 1, 0);
                }
                if let Some(slot) = covered.get_mut(cells.len()) {
                    *slot = below;
                }
                cells.push((column == 0).then_some(cell));
            }
        }
        skip_covered(&mut cells, &mut covered);
        if cells.iter().any(Option::is_some) {
            grid.push(cells);
        }
    }
    grid
}

fn skip_covered(cells: &mut Vec<Option<NodeRef>>, covered: &mut [usize]) {
    while let Some(rows @ 1..) = covered.get_mut(cells.len()) {
        *rows -= 1;
        cells.push(None);
    }
}

fn span(cell: &NodeRef, name: &str) -> usize {
    tree::attr(cell, name)
        .trim()
        .parse()
        .unwrap_or(1)
        .clamp(1, 1000)
}

/// Writes a table as text and as Markdown; `rows` contains both forms of each cell. In the text,
/// tabs separate cells and newlines separate rows, as in a table that a user copies in a browser.
pub(super) fn write(rows: &[Vec<(String, String)>]) -> (String, String) {
    let rows: Vec<&Vec<(String, String)>> = rows
        .iter()
        .filter(|row| row.iter().any(|(text, _)| !text.is_empty()))
        .collect();
    let width = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    let text: Vec<String> = rows
        .iter()
        .map(|row| {
            let cells: Vec<&str> = row.iter().map(|(text, _)| text.as_str()).collect();
            cells.join("\t").trim_end().to_owned()
        })
        .collect();
    let mut markdown = String::new();
    for (at, row) in rows.iter().enumerate() {
        let cells = (0..width).map(|column| {
            row.get(column)
                .map_or("", |(_, markdown)| markdown.as_str())
        });
        markdown.push('|');
        for cell in cells {
            markdown.push(' ');
            markdown.push_str(cell);
            markdown.push_str(" |");
        }
        if at == 0 {
            markdown.push_str("\n|");
            markdown.push_str(&" --- |".repeat(width));
        }
        if at + 1 < rows.len() {
            markdown.push('\n');
        }
    }
    (text.join("\n"), markdown)
}
