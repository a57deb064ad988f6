use super::*;
use crate::parse;
use quickcheck::quickcheck;

/// The blocks that a surface shows after each delta, and the total size of the events in bytes.
#[derive(Default)]
struct Shown {
    growing: Growing,
    blocks: Vec<Block>,
    frozen: Vec<Block>,
    wire: usize,
    events: usize,
}

impl Shown {
    fn push(&mut self, delta: &str) {
        if let Some(growth) = self.growing.push(delta) {
            self.take(&growth);
        }
    }

    fn take(&mut self, growth: &Growth) {
        self.wire += serde_json::to_string(&growth.tail).unwrap().len();
        self.events += 1;
        // A finished block never changes again.
        assert!(growth.frozen >= self.frozen.len());
        self.frozen = self.blocks[..growth.frozen].to_vec();
        self.blocks.truncate(growth.frozen);
        self.blocks.extend_from_slice(&growth.tail);
        assert_eq!(self.frozen, self.blocks[..growth.frozen]);
    }

    fn finish(mut self) -> Vec<Block> {
        let growth = self.growing.finish();
        self.take(&growth);
        self.blocks
    }
}

fn streamed(deltas: &[impl AsRef<str>]) -> Vec<Block> {
    let mut shown = Shown::default();
    for delta in deltas {
        shown.push(delta.as_ref());
    }
    shown.finish()
}

/// Splits `text` into parts of `size` characters.
fn pieces(text: &str, size: usize) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters
        .chunks(size)
        .map(|piece| piece.iter().collect())
        .collect()
}

const SAMPLES: [&str; 16] = [
    "# Tides\n\nA *sum* of **cosines**, `M2`.  \nNext\nline.\n\n3. three\n4. four\n\n> quoted\n> on\n\n```rust\nlet a = 1;\n\nb\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n---\nend",
    "- a\n- b\n\n- c\n  - d\n  - e\n\n  f\n- g\n\nafter",
    "1. one\n\n   ```sh\n   ls\n\n   pwd\n   ```\n2. two\n   lazy\nlazy too\n10. ten\n* other\n* list\n",
    "para\n***bold* it**\n#no heading\n# heading\npara\n===\nmore\n---\n",
    "````md\n```rust\nlet a;\n```\n````\nafter\n~~~\n``` not\n~~~~\n\n    indented\n\n    more\nend",
    "| a | b |\n|---|:-:|\n| `x|y` | 2\n3 | **4**\nno pipe\n\nafter | not",
    "<div>\n**not**\n\n</div>\n\n<!-- a\n\nb -->\nafter\n<b>inline</b>",
    "a\r\nb\r\n\r\n- c\r\n- d\r\n\r\n```\r\ncode\r\n```\r\n| a |\r\n|---|\r\n| b |\r\n",
    "# 潮汐\n\n**月球**引力，[[p1.2]]每天两次。\n\n1. 第一\n2. 第二[[p3]]\n\n| 港口 | 高度 |\n|---|---|\n| 利物浦 | 9 m |\n",
    "> - a\n>   b\n> - c\n\n> > deep\n> back\nlazy\n\n- > q\n  > r\n- s",
    "[a]: https://a.example\n\nSee [a] and [b].\n\n- [a]\n- x\n\nMore [a].\n",
    "a\n\n\n\nb\n* * *\n- - -\n-\n-\n\n- x\n+ y\n1) z\n",
    "Setext\n-\n\nTwo\nlines\n=====\n\n-\n  under\n- \n\n  b\n",
    "\tcode\n\n- a\n\n\tb\n\n\t\tc\n-\td\n",
    "text:\n| a | b |\n|--|--|\n| c | d |\n- e\n| f |\n",
    "```\n\n\n```\n```\nopen\n\n\n",
];

#[test]
fn samples_stand_whole_however_they_came() {
    for sample in SAMPLES {
        let whole = parse(sample);
        for size in [1, 2, 3, 7, 1_000] {
            assert_eq!(streamed(&pieces(sample, size)), whole, "{size} {sample}");
        }
    }
}

#[test]
fn a_definition_is_known_to_what_follows_and_not_to_what_is_frozen() {
    let text = "[a]: https://a.example/?x=1&y=<2>\n\nOne.\n\nTwo [a].\n\nThree.\n";
    assert_eq!(streamed(&pieces(text, 3)), parse(text));
    let text = "One.\n\nThree [b].\n\nFour.\n\n[b]: https://b.example\n";
    let (shown, whole) = (streamed(&pieces(text, 3)), parse(text));
    assert_ne!(shown[1], whole[1], "resolved once the answer is whole");
    assert_eq!(shown.len(), whole.len());
}

const LONG: usize = 40_000;

fn long(kind: &str) -> String {
    let mut text = String::new();
    let mut number = 0;
    while text.len() < LONG {
        number += 1;
        let piece = match kind {
            "paragraphs" => {
                format!("Paragraph {number} has **some** words in it [[p{number}]].\n\n")
            }
            "list" => {
                format!("{number}. Item **{number}** is made of a few words [[p{number}]].\n")
            }
            "loose list" => format!("- Item *{number}* is made of a few words.\n\n"),
            "code" if number == 1 => "```rust\n".to_owned(),
            "code" => format!("    let value_{number} = compute({number}, \"a\");\n"),
            "table" if number == 1 => "| a | b | c |\n|---|---|---|\n".to_owned(),
            "table" => format!("| {number} | some *words* | {number} more |\n"),
            "one line" => format!("word{number} and "),
            "one item" if number == 1 => "- Parent\n".to_owned(),
            "one item" => format!("  - Child {number} of the only item there is.\n"),
            "quote" => format!("> Line {number} of a **quotation** that goes on.\n"),
            "html" if number == 1 => "<!--\n".to_owned(),
            "html" => format!("comment {number}\n"),
            "headings" => format!("# Heading {number}\n"),
            "definitions" => format!("[a{number}]: https://a.example/{number}\n"),
            "stars" => "*a **b ".to_owned(),
            "brackets" => "[".to_owned(),
            "quotes" => ">".to_owned(),
            "ticks" => "`a``b```".to_owned(),
            "angles" => "<a".to_owned(),
            other => unreachable!("{other}"),
        };
        text.push_str(&piece);
    }
    text
}

const KINDS: [&str; 16] = [
    "paragraphs",
    "list",
    "loose list",
    "code",
    "table",
    "one line",
    "one item",
    "quote",
    "html",
    "headings",
    "definitions",
    "stars",
    "brackets",
    "quotes",
    "ticks",
    "angles",
];

/// The work is measured in parsed and sent bytes, not in time, so that the test is exact.
#[test]
fn an_answer_of_ten_thousand_tokens_takes_linear_work() {
    for kind in KINDS {
        let costs = [LONG / 2, LONG].map(|length| {
            let text: String = long(kind).chars().take(length).collect();
            let mut shown = Shown::default();
            for delta in pieces(&text, 4) {
                if let Some(growth) = shown.growing.push(&delta) {
                    shown.wire += serde_json::to_string(&growth.tail).unwrap().len();
                    shown.events += 1;
                }
            }
            (shown.growing.work, shown.wire, shown.events)
        });
        let [(half, half_wire, _), (work, wire, events)] = costs;
        println!(
            "{kind:>12}: {events:>6} events, parsed {:>7} KB, sent {:>7} KB",
            work / 1024,
            wire / 1024
        );
        // For twice the text, the work may at most double, with some tolerance.
        assert!(work < half * 5 / 2 + 100_000, "{kind}: {half} {work}");
        assert!(
            wire < half_wire * 5 / 2 + 400_000,
            "{kind}: {half_wire} {wire}"
        );
    }
}

quickcheck! {
    fn any_text_in_any_split_stands_whole(picks: Vec<u8>, sizes: Vec<u8>) -> bool {
        const PIECES: [&str; 40] = [
            "# ", "> ", "- ", "1. ", "2) ", "* ", "```\n", "```rust\n", "~~~", "\n", "\n", "\n\n",
            "*", "**", "_", "`", "[x](", "https://a.example", ")", "|a|b|\n|-|-|\n", "| c | d |\n", "|",
            "<div>", "<!--", "-->", "[[p1]]", "  ", "    ", "word ", "词", "\r\n", "---\n", "===\n",
            "\\", "&amp;", "!", "[", "]", "\t", "end.\n",
        ];
        let text: String = picks.iter().map(|pick| PIECES[usize::from(*pick) % 40]).collect();
        let mut rest: Vec<char> = text.chars().collect();
        let mut deltas = Vec::new();
        for size in sizes {
            let at = rest.len().min(usize::from(size) % 5);
            deltas.push(rest.drain(..at).collect::<String>());
        }
        deltas.extend(rest.iter().map(char::to_string));
        let shown = streamed(&deltas);
        shown == parse(&text)
    }

    fn hostile_text_in_any_split_stands_whole(text: String) -> bool {
        streamed(&pieces(&text, 2)) == parse(&text)
    }
}

#[test]
fn what_was_closed_across_a_seam_is_not_frozen() {
    for text in [
        "`\r\n> [\r\n",
        "`# ```\n> [```\n",
        "`\n> [x\n",
        "- *```\n*```\n`\r\n- [x](```\n",
    ] {
        assert_eq!(streamed(&pieces(text, 1)), parse(text), "{text:?}");
    }
}
