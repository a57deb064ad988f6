//! Megabytes of text that a slow algorithm would never finish are split and summarised as usual.
//!
//! The test measures no time. If the work grew with the square of the length, the test would not
//! end.

#![allow(clippy::unwrap_used)]

use std::rc::Rc;

use gloss::page::Document;
use gloss::page_service::ask;

const MEGABYTE: usize = 1 << 20;

#[test]
fn a_megabyte_of_any_shape_is_summed_up() {
    for (begin, unit) in [
        ("", "•"),
        ("", "• "),
        ("", ". a"),
        ("", "1) a 2) b "),
        ("", "nospaces"),
        ("", "没有标点的一页"),
        ("e", "\u{301}"),
        ("It rains.", ")"),
        ("It rains.", "\u{a0}"),
        ("It rains.", " )"),
        ("", "。)"),
        ("", "[a.[b]"),
        ("", "“a. "),
    ] {
        let shape = begin.to_owned() + &unit.repeat(MEGABYTE / unit.len());
        let shown = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
        // One page consists only of that text. Another page also contains a real sentence.
        let page = Rc::new(Document::of_text(&shape));
        let sentences = page.sentences(page.text_language());
        let kept: usize = sentences.iter().map(|sentence| shown(sentence.text)).sum();
        assert_eq!(kept, shown(&shape), "{unit:?}");
        ask(Rc::clone(&page), "Summarize this page", None);
        let said = "The tide is the rise and the fall of the sea under the Moon.";
        let page = Rc::new(Document::of_text(&format!("{said}\n\n{shape}")));
        let reply = ask(page, "Summarize this page", None);
        assert!(reply.text.len() < 8_000, "{unit:?}: {}", reply.text.len());
    }
}
