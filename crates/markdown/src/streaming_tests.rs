use super::*;
use crate::{Block, Inline, parse};

/// Answers. No prefix of them may show a Markdown mark.
const ANSWERS: [&str; 10] = [
    "The **moon** and the *sun* pull; see [[p14.2]] and [[p3]].",
    "Use `cargo test` or ``a ` b`` and __strong__ *em **both** em* ***all***.",
    "A [tide **table**](https://tides.example/a_(b)?c=d \"Title\") and <https://gauge.example/x> end.",
    "![A *chart*](https://evil.example/p.png) then [x](mailto:a@b.example).",
    "# A **bold** heading\n\nText\n\n## Next `code`\n\n> A **quote** with [[p1]]\n> on *two* lines\n",
    "- one **bold** [[p1.1]]\n- two [link](https://a.example)\n  - three `code`\n\n1. *first*\n2. second\n",
    "Before\n\n| Port | Height |\n|:---|---:|\n| **Leith** | 5 `m` |\n| Dover | [6](https://d.example) |\n\nAfter **it**",
    "- item\n\n  | a | b |\n  |---|---|\n  | **c** | d |\n",
    "潮汐由**月球**引起[[p2.1]]，见[表](https://a.example/潮)。`代码`。\n\n* **加粗**：*斜体*\n",
    "```rust\nlet a = \"**\";\n```\n\nDone &amp; dusted, a \\* b, **end**\n\nSetext **x**\n===\n",
];

/// The text of blocks, without code.
fn words(blocks: &[Block]) -> String {
    let mut out = String::new();
    for block in blocks {
        match block {
            Block::Paragraph { inlines } | Block::Heading { inlines, .. } => {
                said(inlines, &mut out);
            }
            Block::List { items, .. } => items.iter().for_each(|i| out.push_str(&words(i))),
            Block::Quote { blocks } => out.push_str(&words(blocks)),
            Block::Table { rows } => rows.iter().flatten().for_each(|cell| said(cell, &mut out)),
            Block::Code { .. } | Block::Rule => {}
        }
        out.push('\n');
    }
    out
}

fn said(inlines: &[Inline], out: &mut String) {
    for inline in inlines {
        match inline {
            Inline::Text { text } => out.push_str(text),
            Inline::Strong { inlines }
            | Inline::Emphasis { inlines }
            | Inline::Link { inlines, .. } => {
                said(inlines, out);
            }
            Inline::Code { .. } | Inline::Cite { .. } => {}
            Inline::Break => out.push('\n'),
        }
    }
}

#[test]
fn no_prefix_of_an_answer_shows_a_mark() {
    for answer in ANSWERS {
        for (at, _) in answer.char_indices() {
            let prefix = &answer[..at];
            let blocks = parse(displayable(prefix));
            let shown = words(&blocks);
            // This mark is a literal part of the answer.
            let shown = shown.replace("dusted, a *", "dusted, a");
            for mark in [
                "*", "`", "_", "[", "]", "](", "|", "<", "#", "![", "&amp", "--",
            ] {
                assert!(!shown.contains(mark), "{mark:?} in {shown:?} of {prefix:?}");
            }
            assert!(!has_empty(&blocks), "{blocks:?} of {prefix:?}");
        }
    }
}

/// Returns true if there is a list item, emphasis or heading without text.
fn has_empty(blocks: &[Block]) -> bool {
    blocks.iter().any(|block| match block {
        Block::Paragraph { inlines } | Block::Heading { inlines, .. } => {
            inlines.is_empty() || inlines.iter().any(is_empty)
        }
        Block::List { items, .. } => items.iter().any(|item| item.is_empty() || has_empty(item)),
        Block::Quote { blocks } => blocks.is_empty() || has_empty(blocks),
        Block::Table { rows } => rows.is_empty(),
        Block::Code { .. } | Block::Rule => false,
    })
}

fn is_empty(inline: &Inline) -> bool {
    match inline {
        Inline::Text { text } | Inline::Code { text } => text.is_empty(),
        Inline::Strong { inlines }
        | Inline::Emphasis { inlines }
        | Inline::Link { inlines, .. } => inlines.is_empty(),
        Inline::Cite { .. } | Inline::Break => false,
    }
}

#[test]
fn what_is_half_is_held_back() {
    for (prefix, expected) in [
        ("a **bold", "a "),
        ("a **bold** ", "a **bold** "),
        ("a **bold**", "a "),
        ("a **bold *both", "a "),
        ("a `code", "a "),
        ("a ``co`de", "a "),
        ("**a `b", ""),
        ("snake_case_", "snake_case"),
        ("2 * 3", "2 * 3"),
        ("see [[p14.2", "see "),
        ("see [[p14.2]", "see "),
        ("see [[p14.2]]", "see [[p14.2]]"),
        ("see [tab", "see "),
        ("see [tables]", "see "),
        ("see [tables] and", "see [tables] and"),
        ("see [tables](https://a.ex", "see "),
        (
            "see [tables](https://a.example)",
            "see [tables](https://a.example)",
        ),
        ("an ![ima", "an "),
        ("at <https://a.ex", "at "),
        ("a < b and", "a < b and"),
        ("AT&am", "AT"),
        ("one\n-", "one\n"),
        ("one\n\n- ", "one\n\n"),
        ("one\n\n12", "one\n\n"),
        ("one\n\n12 boats", "one\n\n12 boats"),
        ("one\n\n- **a", "one\n\n"),
        ("one\n``", "one\n"),
        ("```\na\n``", "```\na\n"),
        ("```\na\n- ", "```\na\n- "),
        ("```\n**a", "```\n**a"),
        ("| a | b |", ""),
        ("| a | b |\n", ""),
        ("| a | b |\n|--", ""),
        ("| a |\n|---|\n| b", "| a |\n|---|\n"),
        ("| a |\n|---|\n| b |\n", "| a |\n|---|\n| b |\n"),
        ("> | a |\n> |--", ""),
        ("# **a\n", "# **a\n"),
        ("**a\n\n", "**a\n\n"),
    ] {
        assert_eq!(displayable(prefix), expected, "{prefix:?}");
    }
}

#[test]
fn brackets_that_are_words_are_not_held_back_for_ever() {
    let aside = format!("array[ {}", "word ".repeat(200));
    assert_eq!(displayable(&aside).trim_end(), aside.trim_end());
}
