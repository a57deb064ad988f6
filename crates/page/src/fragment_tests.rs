//! Tests the directives for quotations of a small page. The end-to-end tests check that Chromium
//! highlights the quotations.

use super::*;
use crate::read;

fn page(body: &str) -> Document {
    read(
        &format!("<title>t</title><body>{body}"),
        "https://a.example/",
    )
    .unwrap()
}

fn directive(body: &str, paragraph: u32, quote: &str) -> String {
    text_fragment(&page(body), paragraph, quote).unwrap()
}

#[test]
fn a_short_quote_is_given_whole_and_its_marks_are_encoded() {
    let found = directive(
        "<p>A well-known fact, R&amp;D says, is this.</p>",
        1,
        "A well-known fact, R&D says",
    );
    assert_eq!(found, "text=A%20well%2Dknown%20fact%2C%20R%26D%20says");
}

#[test]
fn a_long_quote_is_given_by_its_first_and_last_words() {
    let long = format!(
        "The first words here {} and the last words.",
        "of a long tale go on ".repeat(12).trim()
    );
    assert_eq!(
        directive(&format!("<p>{long}</p>"), 1, &long),
        "text=The%20first%20words%20here,and%20the%20last%20words."
    );
}

#[test]
fn the_ends_of_a_megabyte_without_a_full_stop_are_found_at_once() {
    for (unit, expected) in [
        (
            "so we went down to the river ",
            "text=so%20we%20went%20down,",
        ),
        ("word ", "text=word%20word%20word%20word"),
        ("自由软件运动今天继续", "text=%E8%87%AA"),
        ("a", "text=aaaa"),
    ] {
        let long = unit.repeat((1 << 20) / unit.len());
        let found = directive(&format!("<p>{long}</p>"), 1, long.trim());
        assert!(found.starts_with(expected), "{unit}");
        assert!(found.len() < 6_000, "{unit}: {}", found.len());
    }
}

#[test]
fn a_long_chinese_quote_is_cut_at_clauses_only() {
    let long = format!(
        "自由软件运动始于一九八三年，{}最后大家都得到了自己想要的系统。",
        "许多人参与了这项工作，".repeat(8)
    );
    let found = directive(&format!("<p>{long}</p>"), 1, &long);
    let expected = format!(
        "text={},{}",
        encode("自由软件运动始于一九八三年"),
        encode("最后大家都得到了自己想要的系统。")
    );
    assert_eq!(found, expected);
}

#[test]
fn a_quote_that_occurs_earlier_gets_its_context() {
    let body = "<p>It is so. That was one.</p><p>Second para. It is so. That was two.</p>";
    assert_eq!(
        directive(body, 2, "It is so."),
        "text=Second%20para.-,It%20is%20so."
    );
    assert_eq!(directive(body, 1, "It is so."), "text=It%20is%20so.");
    assert_eq!(
        directive("<p>Same.</p><p>Other words</p><p>Same.</p>", 3, "Same."),
        "text=Other%20words-,Same."
    );
}

#[test]
fn a_quote_of_several_cells_is_a_range() {
    let body = "<table><tr><th>Name<th>Value<tr><td>alpha beta<td>gamma</table>";
    let document = page(body);
    let text = document.paragraphs[0].text.clone();
    assert_eq!(
        text_fragment(&document, 1, &text).unwrap(),
        "text=Name,gamma"
    );
}

#[test]
fn a_quote_that_does_not_stand_there_has_no_directive() {
    let document = page("<p>One.</p><p>Two.</p>");
    assert_eq!(text_fragment(&document, 1, "Two."), None);
    assert_eq!(text_fragment(&document, 9, "One."), None);
    assert_eq!(text_fragment(&document, 1, " "), None);
}

#[test]
fn a_quote_that_begins_within_a_word_is_widened_to_it() {
    assert_eq!(
        directive("<p>An unbelievable story</p>", 1, "believable sto"),
        "text=unbelievable%20story"
    );
}

#[test]
fn links_keep_their_hash_and_lose_an_older_directive() {
    for (url, expected) in [
        ("https://a.example/", "https://a.example/#:~:text=x"),
        ("https://a.example/#top", "https://a.example/#top:~:text=x"),
        (
            "https://a.example/#:~:text=old",
            "https://a.example/#:~:text=x",
        ),
        (
            "https://a.example/#top:~:text=old",
            "https://a.example/#top:~:text=x",
        ),
    ] {
        assert_eq!(link(url, "text=x"), expected);
    }
    assert_eq!(link("https://a.example/#top", ""), "https://a.example/#top");
}

#[test]
fn a_quote_across_a_forced_line_break_is_a_range_between_its_lines() {
    let poem = "<p>The water of the harbour rose<br>and keepers lit their lamp of brass<br>before \
                the silver morning froze.</p>";
    let document = page(poem);
    let text = document.paragraphs[0].text.clone();
    for (quote, expected) in [
        (
            text.as_str(),
            "text=The%20water%20of%20the,the%20silver%20morning%20froze.",
        ),
        ("rose\nand", "text=rose,and"),
        ("keepers lit their", "text=keepers%20lit%20their"),
    ] {
        assert_eq!(text_fragment(&document, 1, quote).unwrap(), expected);
    }
    assert_eq!(document.sentences(document.text_language()).len(), 1);
}
