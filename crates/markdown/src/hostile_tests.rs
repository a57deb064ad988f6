//! Texts that are expensive to parse: unclosed marks of every kind.

use super::streaming::displayable;
use super::{Growing, addresses, cite, parse};
use std::hint::black_box;
use std::time::{Duration, Instant};

const PIECES: [&str; 52] = [
    "[",
    "![",
    "[[",
    "[[p",
    "[[p1",
    " [[",
    "[p1]]",
    "]",
    "[]",
    "](",
    "[](",
    "[a](",
    "![a](",
    "[a](\\",
    "[a](b(",
    "[a](()",
    "[^a]",
    "*",
    "**a",
    "_",
    "*a_ ",
    "_a*",
    "*a **b ",
    "a*b",
    "`",
    "``a`",
    "*_`[",
    "<",
    "<a ",
    "<a",
    "<!--",
    "<![CDATA[",
    "&",
    "&a",
    "|",
    "| a ",
    "|\n",
    "\n|",
    "|a|\n|-|\n",
    "> ",
    ">",
    "> > a\n",
    "- ",
    "-\n",
    "  - a\n",
    "1. ",
    "$",
    "\\",
    "~",
    "[a]: b\n",
    "\n[",
    "```\n",
];

fn cycled(piece: &str, length: usize) -> String {
    piece.chars().cycle().take(length).collect()
}

/// The shortest time of several tries, because other load on the machine only makes a try longer.
fn least(work: impl Fn()) -> Duration {
    let once = || {
        let begun = Instant::now();
        work();
        begun.elapsed()
    };
    (0..3).map(|_| once()).min().unwrap_or_default()
}

fn is_linear(what: &str, of: impl Fn(&str)) {
    for piece in PIECES {
        let [quarter, whole] = [50_000, 200_000].map(|length| {
            let text = cycled(piece, length);
            least(|| of(&text))
        });
        // The text is four times as long. Quadratic parsing would take sixteen times as long.
        let most = quarter * 8 + Duration::from_millis(100);
        assert!(whole < most, "{what} {piece:?}: {quarter:?}, {whole:?}");
    }
}

#[test]
fn marks_without_end_take_no_longer_for_each() {
    is_linear("settled", |text| {
        black_box(displayable(text));
    });
    is_linear("split", |text| drop(black_box(cite::split(text))));
    is_linear("parse", |text| drop(black_box(parse(text))));
    is_linear("addresses", |text| drop(black_box(addresses(text))));
}

/// While a block is unfinished, it is parsed only a limited number of times. `growing_tests`
/// measures the total work.
#[test]
fn a_block_that_nobody_reads_is_parsed_seldom() {
    for piece in ["[", "[a](", "*a_ ", "1. "] {
        let mut growing = Growing::default();
        let text = cycled(piece, 200_000);
        let characters: Vec<char> = text.chars().collect();
        let deltas = characters.chunks(64);
        let told = deltas
            .filter(|delta| growing.push(&delta.iter().collect::<String>()).is_some())
            .count();
        assert!(told < 200, "{piece}: {told}");
    }
}
