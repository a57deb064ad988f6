//! The text of Markdown without its marks, as it would be shown.

use super::{Block, Inline};

/// Returns the text of blocks, one line each. The cells of a table are separated by tabs.
pub fn plain(blocks: &[Block]) -> String {
    let lines: Vec<String> = blocks.iter().map(of_block).collect();
    lines.join("\n")
}

fn of_block(block: &Block) -> String {
    match block {
        Block::Paragraph { inlines } | Block::Heading { inlines, .. } => words(inlines),
        Block::List { items, .. } => {
            let items: Vec<String> = items.iter().map(|item| plain(item)).collect();
            items.join("\n")
        }
        Block::Quote { blocks } => plain(blocks),
        Block::Code { text, .. } => text.clone(),
        Block::Table { rows } => {
            let row = |cells: &Vec<Vec<Inline>>| {
                let cells: Vec<String> = cells.iter().map(|cell| words(cell)).collect();
                cells.join("\t")
            };
            let rows: Vec<String> = rows.iter().map(row).collect();
            rows.join("\n")
        }
        Block::Rule => String::new(),
    }
}

/// Returns the text of inlines, without their formatting.
pub fn words(inlines: &[Inline]) -> String {
    inlines
        .iter()
        .map(|inline| match inline {
            Inline::Text { text } | Inline::Code { text } => text.clone(),
            Inline::Break => "\n".to_owned(),
            Inline::Strong { inlines }
            | Inline::Emphasis { inlines }
            | Inline::Link { inlines, .. } => words(inlines),
            Inline::Cite { .. } => String::new(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    #[test]
    fn the_marks_are_gone_and_the_words_stay() {
        for (markdown, words) in [
            (
                "The **spring** [tide](https://a.example/) \\*",
                "The spring tide *",
            ),
            ("- one\n- two", "one\ntwo"),
            ("## Neaps", "Neaps"),
            ("> It _rises_.", "It rises."),
            ("| a | b |\n|---|---|\n| 1 | 2 |", "a\tb\n1\t2"),
        ] {
            assert_eq!(plain(&parse(markdown)), words, "{markdown}");
        }
    }
}
