//! Writes blocks as Markdown, for copying a stopped answer.

use crate::markdown::{Block, Inline};

/// Writes blocks as Markdown, with an empty line between two blocks.
pub fn plain(blocks: &[Block]) -> String {
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

/// Writes inline content as Markdown.
pub fn words(inlines: &[Inline]) -> String {
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

/// Escapes an untrusted text, so that Markdown shows it as plain text.
pub fn escaped(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for letter in words.chars() {
        if "\\`*_[]<>!|#".contains(letter) {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}

/// Escapes the parentheses of an address, because they would end a Markdown link early.
pub fn in_link(url: &str) -> String {
    url.replace('(', "%28").replace(')', "%29")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paragraph(text: &str) -> Block {
        let text = text.to_owned();
        Block::Paragraph {
            inlines: vec![Inline::Text { text }],
        }
    }

    #[test]
    fn words_of_others_are_plain_text_and_links_end_where_they_end() {
        assert_eq!(escaped("*a* [b](c) <d>"), "\\*a\\* \\[b\\](c) \\<d\\>");
        assert_eq!(
            in_link("https://a.example/b_(c)"),
            "https://a.example/b_%28c%29"
        );
    }

    #[test]
    fn blocks_are_written_as_they_were_read() {
        let list = Block::List {
            start: Some(2),
            items: vec![
                vec![paragraph("one"), paragraph("more")],
                vec![paragraph("two")],
            ],
        };
        let cell = |text: &str| {
            vec![Inline::Code {
                text: text.to_owned(),
            }]
        };
        let table = Block::Table {
            rows: vec![vec![cell("a"), cell("b")], vec![cell("1"), cell("2")]],
        };
        let quote = Block::Quote {
            blocks: vec![paragraph("said")],
        };
        let text = plain(&[list, table, quote]);
        assert_eq!(
            text,
            "2. one\n   \n   more\n3. two\n\n| `a` | `b` |\n| --- | --- |\n| `1` | `2` |\n\n> said"
        );
    }
}
