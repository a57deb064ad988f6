//! Sets the origins of links, and replaces links that are not allowed by their text.

use super::{Block, Inline, LinkOrigin};

/// Returns the origin of an address; `None` if no link may lead there.
pub type JudgeLink<'a> = dyn Fn(&str) -> Option<LinkOrigin> + 'a;

/// Sets the origin of each link. Each link whose address `judge` rejects is replaced by its text.
pub fn with_links(blocks: Vec<Block>, judge: &JudgeLink<'_>) -> Vec<Block> {
    let all = |blocks: Vec<Block>| with_links(blocks, judge);
    let kept = blocks.into_iter().map(|block| match block {
        Block::Paragraph { inlines } => Block::Paragraph {
            inlines: allowed_inlines(inlines, judge),
        },
        Block::Heading { level, inlines } => Block::Heading {
            level,
            inlines: allowed_inlines(inlines, judge),
        },
        Block::List { start, items } => Block::List {
            start,
            items: items.into_iter().map(all).collect(),
        },
        Block::Quote { blocks } => Block::Quote {
            blocks: all(blocks),
        },
        Block::Table { rows } => {
            let row = |cells: Vec<_>| {
                cells
                    .into_iter()
                    .map(|cell| allowed_inlines(cell, judge))
                    .collect()
            };
            Block::Table {
                rows: rows.into_iter().map(row).collect(),
            }
        }
        Block::Code { .. } | Block::Rule => block,
    });
    kept.collect()
}

fn allowed_inlines(inlines: Vec<Inline>, judge: &JudgeLink<'_>) -> Vec<Inline> {
    let mut all = Vec::with_capacity(inlines.len());
    for inline in inlines {
        match inline {
            Inline::Link { url, inlines, .. } => {
                let inlines = allowed_inlines(inlines, judge);
                match judge(&url) {
                    Some(origin) => all.push(Inline::Link {
                        url,
                        origin,
                        inlines,
                    }),
                    None => inlines.into_iter().for_each(|it| push(&mut all, it)),
                }
            }
            Inline::Strong { inlines } => all.push(Inline::Strong {
                inlines: allowed_inlines(inlines, judge),
            }),
            Inline::Emphasis { inlines } => all.push(Inline::Emphasis {
                inlines: allowed_inlines(inlines, judge),
            }),
            Inline::Text { .. } | Inline::Code { .. } | Inline::Cite { .. } | Inline::Break => {
                push(&mut all, inline);
            }
        }
    }
    all
}

/// Adds an inline. If it is a text and the last inline is also a text, the two are joined.
fn push(all: &mut Vec<Inline>, inline: Inline) {
    match (all.last_mut(), inline) {
        (Some(Inline::Text { text }), Inline::Text { text: more }) => text.push_str(&more),
        (_, inline) => all.push(inline),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[test]
    fn a_link_that_may_not_be_pressed_is_its_words_wherever_it_stands() {
        let may = |url: &str| (!url.contains("private")).then_some(LinkOrigin::Model);
        for (answer, words) in [
            ("a [b](http://private/) c", "a b c"),
            (
                "a [b](http://private.example/) [c](http://public/)",
                "a b [c](http://public/)",
            ),
            ("# [b](http://private/)", "# b"),
            (
                "> - **[b](http://private/)** _[c](http://private/)_",
                "> - **b** _c_",
            ),
            (
                "|[b](http://private/)|\n|-|\n|[c](http://private/)|",
                "|b|\n|-|\n|c|",
            ),
            ("[`b` [[p1]]](http://private/)", "`b` [[p1]]"),
            ("`[b](http://private/)`", "`[b](http://private/)`"),
        ] {
            assert_eq!(with_links(parse(answer), &may), parse(words), "{answer}");
        }
    }
}
