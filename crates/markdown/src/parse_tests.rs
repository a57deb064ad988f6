use super::*;
use quickcheck::quickcheck;

fn text(text: &str) -> Inline {
    Inline::Text { text: text.into() }
}

fn paragraph(inlines: Vec<Inline>) -> Block {
    Block::Paragraph { inlines }
}

/// The depth of the deepest nested block.
fn depth(blocks: &[Block]) -> usize {
    blocks
        .iter()
        .map(|block| match block {
            Block::Quote { blocks } => 1 + depth(blocks),
            Block::List { items, .. } => 1 + items.iter().map(|i| depth(i)).max().unwrap_or(0),
            _ => 1,
        })
        .max()
        .unwrap_or(0)
}

#[test]
fn every_kind_of_block_has_its_shape() {
    let blocks = parse(
        "# Tides\n\nA *sum* of **cosines**, `M2`.  \nNext\nline.\n\n3. three\n4. four\n\n> quoted\n\n```rust ignore\nlet a = 1;\n\nb\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n---\n",
    );
    assert_eq!(
        blocks,
        vec![
            Block::Heading {
                level: 1,
                inlines: vec![text("Tides")]
            },
            paragraph(vec![
                text("A "),
                Inline::Emphasis {
                    inlines: vec![text("sum")]
                },
                text(" of "),
                Inline::Strong {
                    inlines: vec![text("cosines")]
                },
                text(", "),
                Inline::Code { text: "M2".into() },
                text("."),
                Inline::Break,
                text("Next line."),
            ]),
            Block::List {
                start: Some(3),
                items: vec![
                    vec![paragraph(vec![text("three")])],
                    vec![paragraph(vec![text("four")])],
                ],
            },
            Block::Quote {
                blocks: vec![paragraph(vec![text("quoted")])]
            },
            Block::Code {
                language: "rust".into(),
                text: "let a = 1;\n\nb\n".into()
            },
            Block::Table {
                rows: vec![
                    vec![vec![text("a")], vec![text("b")]],
                    vec![vec![text("1")], vec![text("2")]],
                ],
            },
            Block::Rule,
        ]
    );
}

#[test]
fn a_tight_item_keeps_its_words_before_its_inner_list() {
    assert_eq!(
        parse("- a **b**\n  - c\n- d\n"),
        vec![Block::List {
            start: None,
            items: vec![
                vec![
                    paragraph(vec![
                        text("a "),
                        Inline::Strong {
                            inlines: vec![text("b")]
                        }
                    ]),
                    Block::List {
                        start: None,
                        items: vec![vec![paragraph(vec![text("c")])]]
                    },
                ],
                vec![paragraph(vec![text("d")])],
            ],
        }]
    );
}

#[test]
fn raw_html_is_words() {
    assert_eq!(
        parse("a <b onclick=x>bold</b>"),
        vec![paragraph(vec![text("a <b onclick=x>bold</b>")])]
    );
    assert_eq!(
        parse("<script>\nalert(1)\n</script>\n"),
        vec![paragraph(vec![text("<script>\nalert(1)\n</script>")])]
    );
}

#[test]
fn an_image_is_its_description_and_an_unsafe_link_its_label() {
    assert_eq!(
        parse("![a *tide*](https://evil.example/p.png)"),
        vec![paragraph(vec![
            text("a "),
            Inline::Emphasis {
                inlines: vec![text("tide")]
            }
        ])]
    );
    for url in [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,x",
        "//evil.example",
        "/path",
        "file:///etc/passwd",
        "chrome://settings",
        "vbscript:x",
    ] {
        assert_eq!(
            parse(&format!("[go]({url})")),
            vec![paragraph(vec![text("go")])],
            "{url}"
        );
    }
}

#[test]
fn links_to_pages_and_letters_stay() {
    for url in [
        "http://a.example/",
        "HTTPS://a.example/",
        "mailto:a@b.example",
    ] {
        assert_eq!(
            parse(&format!("[go]({url})")),
            vec![paragraph(vec![Inline::Link {
                url: url.into(),
                origin: LinkOrigin::Model,
                inlines: vec![text("go")]
            }])],
            "{url}"
        );
    }
}

#[test]
fn citations_are_found_in_words_but_not_in_code_or_escapes() {
    let cite = |passage: &str| Inline::Cite {
        passage: passage.into(),
    };
    assert_eq!(
        parse("One [[p14]], two **[[p14.2]]**."),
        vec![paragraph(vec![
            text("One "),
            cite("p14"),
            text(", two "),
            Inline::Strong {
                inlines: vec![cite("p14.2")]
            },
            text("."),
        ])]
    );
    assert_eq!(
        parse("`[[p1]]`"),
        vec![paragraph(vec![Inline::Code {
            text: "[[p1]]".into()
        }])]
    );
    assert_eq!(
        parse("\\[\\[p1\\]\\]"),
        vec![paragraph(vec![text("[[p1]]")])]
    );
    assert_eq!(parse("&#91;[p1]]"), vec![paragraph(vec![text("[[p1]]")])]);
    assert_eq!(
        parse("    [[p1]]\n"),
        vec![Block::Code {
            language: String::new(),
            text: "[[p1]]\n".into()
        }]
    );
}

#[test]
fn deep_nesting_is_flattened_and_loses_no_word() {
    for open in [">", "- ", "1. ", "> - ", "- > "] {
        let blocks = parse(&format!("{}deepest\n", open.repeat(10_000)));
        assert!(depth(&blocks) <= MAX_DEPTH + 1, "{open}");
        let json = serde_json::to_string(&blocks).unwrap();
        assert!(json.contains("deepest"), "{open}");
        assert_eq!(
            serde_json::from_str::<Vec<Block>>(&json).unwrap(),
            blocks,
            "{open}"
        );
    }
}

#[test]
fn deep_emphasis_is_flattened_and_loses_no_word() {
    let source = format!("{}deepest{}", "*a **b ".repeat(500), "** *".repeat(500));
    let json = serde_json::to_string(&parse(&source)).unwrap();
    assert!(json.contains("deepest"));
    assert!(serde_json::from_str::<Vec<Block>>(&json).is_ok());
}

#[test]
fn a_table_beyond_the_depth_keeps_its_words() {
    let quote = "> ".repeat(60);
    let source = format!("{quote}| a | b |\n{quote}|---|---|\n{quote}| c | d |\n");
    let json = serde_json::to_string(&parse(&source)).unwrap();
    for word in ["a", "b", "c", "d"] {
        assert!(json.contains(word), "{word}");
    }
}

#[test]
fn hostile_repetitions_parse_and_survive_the_wire() {
    for piece in [
        "[", "![", "*", "_", "`", "<", "[[p1", "|", "\n- ", "&", "[a](", "~~~\n", "\u{0}",
    ] {
        let source = piece.repeat(20_000);
        let json = serde_json::to_string(&parse(&source)).unwrap();
        assert!(
            serde_json::from_str::<Vec<Block>>(&json).is_ok(),
            "{piece:?}"
        );
    }
}

quickcheck! {
    fn any_text_parses_and_survives_the_wire(source: String) -> bool {
        let blocks = parse(&source);
        let json = serde_json::to_string(&blocks).unwrap();
        serde_json::from_str::<Vec<Block>>(&json).unwrap() == blocks
    }

    fn markup_of_any_order_parses(picks: Vec<u8>) -> bool {
        const PIECES: [&str; 16] = ["# ", "> ", "- ", "1. ", "```\n", "\n", "\n\n", "*", "**", "[x](", ")", "|a|b|\n|-|-|\n", "<div>", "[[p1]]", "  ", "word "];
        let source: String = picks.iter().map(|pick| PIECES[usize::from(pick % 16)]).collect();
        let json = serde_json::to_string(&parse(&source)).unwrap();
        serde_json::from_str::<Vec<Block>>(&json).is_ok()
    }
}
