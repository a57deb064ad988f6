use super::*;
use quickcheck::{Arbitrary, Gen, QuickCheck};

fn told<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<String> {
    let mut decoder = Decoder::default();
    let events = pieces.into_iter().map(|piece| decoder.feed(piece));
    events.collect::<Vec<_>>().concat()
}

fn data(stream: &str) -> Vec<String> {
    told([stream.as_bytes()])
}

#[test]
fn streams_mean_what_the_standard_says() {
    // The samples are from the WHATWG standard's own examples, and from web-platform-tests
    // (`eventsource/format-*`).
    let table: [(&str, &str, &[&str]); 21] = [
        ("one", "data: a\n\n", &["a"]),
        ("two", "data: a\n\ndata: b\n\n", &["a", "b"]),
        (
            "several lines",
            "data: YHOO\ndata: +2\ndata: 10\n\n",
            &["YHOO\n+2\n10"],
        ),
        (
            "a comment",
            ": test stream\n\ndata: first\nid: 1\n\n",
            &["first"],
        ),
        ("no space", "data:test\n\ndata: test\n\n", &["test", "test"]),
        ("two spaces", "data:  third\n\n", &[" third"]),
        ("empty data", "data\n\ndata\ndata\n\ndata:", &["", "\n"]),
        ("carriage returns", "data: a\rdata: b\r\r", &["a\nb"]),
        ("both", "data: a\r\ndata: b\r\n\r\n", &["a\nb"]),
        (
            "mixed",
            "data:a\r\ndata:b\ndata:c\rdata:d\n\r",
            &["a\nb\nc\nd"],
        ),
        (
            "a mark",
            "\u{feff}data:1\n\n\u{feff}data:2\n\ndata:3\n\n",
            &["1", "3"],
        ),
        ("two marks", "\u{feff}\u{feff}data:1\n\ndata:2\n\n", &["2"]),
        (
            "unknown fields",
            "data:a\n data:b\ndata\nfoobar:c\njustsometext\n:d\n\n",
            &["a\n"],
        ),
        (
            "a field is exact",
            "Data:a\ndata :b\ndatax:c\ndata:d\n\n",
            &["d"],
        ),
        ("null", "data:\0\n\n\n\n", &["\0"]),
        ("an open end", "data: a\n\ndata: b\n", &["a"]),
        ("blank lines", "\n\n\ndata: a\n\n\n\n", &["a"]),
        (
            "a name alone is no event",
            "event: x\n\ndata: a\n\n",
            &["a"],
        ),
        ("form feeds part nothing", "data:a\u{c}b\n\n", &["a\u{c}b"]),
        (
            "line separators part nothing",
            "data:a\u{2028}b\n\n",
            &["a\u{2028}b"],
        ),
        ("retry", "retry: 1000\ndata: a\n\n", &["a"]),
    ];
    for (name, stream, expected) in table {
        assert_eq!(data(stream), expected, "{name}");
    }
}

#[test]
fn lines_are_events_of_their_own() {
    let stream = "\u{feff}{\"a\": 1}\n{\"b\": \"潮\"}\r\n\n{\"c\": 3}";
    let expected = ["{\"a\": 1}", "{\"b\": \"潮\"}", "", "{\"c\": 3}"];
    for size in [1, 2, 5, stream.len()] {
        let mut decoder = Decoder::of(Framing::Lines);
        let mut lines = Vec::new();
        for piece in stream.as_bytes().chunks(size) {
            lines.extend(decoder.feed(piece));
        }
        lines.extend(decoder.finish());
        assert_eq!(lines, expected, "{size}");
    }
}

#[test]
fn bytes_that_are_no_text_are_replaced() {
    assert_eq!(told([&b"data: a\xffb\n\n"[..]])[0], "a\u{fffd}b");
}

#[test]
fn the_last_event_may_lack_its_blank_line() {
    for end in ["", "\n", "\r"] {
        let mut decoder = Decoder::default();
        let mut events = decoder.feed(format!("data: a\n\ndata: [DONE]{end}").as_bytes());
        events.extend(decoder.finish());
        events.extend(decoder.finish());
        assert_eq!(events, ["a", "[DONE]"], "{end:?}");
    }
}

/// Bytes that have a meaning for the decoder, and characters of several bytes.
#[derive(Clone, Debug)]
struct Stream(Vec<u8>);

impl Arbitrary for Stream {
    fn arbitrary(g: &mut Gen) -> Self {
        const PIECES: [&str; 14] = [
            "data:", "data", " ", "\n", "\r", "\r\n", "\n\n", "event:", ":", "a", "字", "🦀",
            "\u{feff}", "id: 1",
        ];
        let count = usize::arbitrary(g) % 40;
        let pieces = (0..count).map(|_| *g.choose(&PIECES).unwrap_or(&""));
        Self(pieces.collect::<String>().into_bytes())
    }
}

#[test]
#[expect(clippy::needless_pass_by_value, reason = "quickcheck gives values")]
fn any_split_gives_the_same_events() {
    fn law(stream: Stream, cuts: Vec<usize>) -> bool {
        let bytes = &stream.0;
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (bytes.len() + 1)).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let pieces = cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]);
        let single = bytes.chunks(1);
        let whole = told([&bytes[..]]);
        told(pieces) == whole && told(single) == whole
    }
    QuickCheck::new()
        .tests(5_000)
        .quickcheck(law as fn(Stream, Vec<usize>) -> bool);
}

#[test]
fn a_long_event_in_small_pieces_costs_its_length() {
    // An algorithm with quadratic time would need 10^12 steps.
    let long = format!("data: {}\n\n", "a".repeat(4_000_000));
    let events = told(long.as_bytes().chunks(4));
    assert_eq!(events[0].len(), 4_000_000);
}
