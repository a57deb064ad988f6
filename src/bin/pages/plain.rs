//! Blocks as Markdown again: what a stopped answer can be copied as.

use gloss::markdown::{Block, Inline};

/// The blocks, an empty line between each.
pub(crate) fn plain(blocks: &[Block]) -> String {
    blocks.iter().map(block).collect::<Vec<_>>().join("\n\n")
}

fn block(block: &Block) -> String {
    match block {
        Block::Paragraph { inlines } => words(inlines),
        Block::Heading { level, inlines } => {
            format!("{} {}", "#".repeat((*level).into()), words(inlines))
        }
        Block::List { start, items } => list(*start, items),
        Block::Quote { blocks } => prefixed(&plain(blocks), "> ", "> "),
        Block::Code { text, .. } => format!("```\n{}\n```", text.trim_end_matches('\n')),
        Block::Table { rows } => table(rows),
        Block::Rule => "---".to_owned(),
    }
}

fn list(start: Option<u64>, items: &[Vec<Block>]) -> String {
    let lines = items.iter().zip(0..).map(|(item, at)| {
        let mark = start.map_or_else(|| "- ".to_owned(), |first| format!("{}. ", first + at));
        let rest = " ".repeat(mark.len());
        prefixed(&plain(item), &mark, &rest)
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn table(rows: &[Vec<Vec<Inline>>]) -> String {
    let line = |row: &Vec<Vec<Inline>>| {
        let cells: Vec<String> = row.iter().map(|cell| words(cell)).collect();
        format!("| {} |", cells.join(" | "))
    };
    let mut lines: Vec<String> = rows.iter().map(line).collect();
    if let Some(head) = rows.first() {
        lines.insert(1, format!("|{}", " --- |".repeat(head.len())));
    }
    lines.join("\n")
}

fn prefixed(text: &str, first: &str, rest: &str) -> String {
    let lines = text.lines().enumerate().map(|(at, line)| {
        let mark = if at == 0 { first } else { rest };
        format!("{mark}{line}")
    });
    lines.collect::<Vec<_>>().join("\n")
}

pub(crate) fn words(inlines: &[Inline]) -> String {
    inlines.iter().map(inline).collect()
}

fn inline(one: &Inline) -> String {
    match one {
        Inline::Text { text } => text.clone(),
        Inline::Strong { inlines } => format!("**{}**", words(inlines)),
        Inline::Emphasis { inlines } => format!("*{}*", words(inlines)),
        Inline::Code { text } => format!("`{text}`"),
        Inline::Link { url, inlines } => format!("[{}]({url})", words(inlines)),
        Inline::Cite { passage } => format!("[{passage}]"),
        Inline::Break => "\n".to_owned(),
    }
}
