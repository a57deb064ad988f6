//! Tests that the filter removes markup and never text.

use dom_query::Document;
use quickcheck::quickcheck;

use super::strip_markup;
use crate::tree;

#[test]
fn only_what_no_reader_sees_is_left_out() {
    for (html, expected) in [
        ("<p>a</p>", "<p>a</p>"),
        ("<p>a <script>if (a < b) '<p>'</script >b", "<p>a b"),
        ("&am<SCRIPT src='x>y'></SCRIPT\n>p;", "&am<!-->p;"),
        ("a <style>p > a {}</style>b <!-- c -->d", "a b d"),
        ("a <!-->b <!--->c", "a b c"),
        (
            "<script type='application/ld+json'>{}</script>",
            "<script type='application/ld+json'>{}</script>",
        ),
        ("<p onclick='a>b' class=c data-x>d", "<p  class=c >d"),
        ("<p STYLE=a style='color:red' é=b>c", "<p STYLE=a  >c"),
        (
            "<b style='Display:none'data-x='y'lang=z>",
            "<b style='Display:none'lang=z>",
        ),
        ("a\n  b <b>\n\n</b>  c", "a b <b> </b>  c"),
        ("<pre>\n a\n b</pre>\n<p>", "<pre>\n a\n b</pre> <p>"),
    ] {
        assert_eq!(strip_markup(html), expected, "{html}");
    }
}

#[test]
fn quotes_and_slashes_end_tags_only_where_they_do_in_browsers() {
    let script = "<script>'\"></script>";
    for html in [
        "<p id='<script>'>a</script>",
        "<img a'=b>",
        "<img =\">",
        "<p id= \">\">",
        "<p id=b\">",
        "<p/id=/>",
        "<title><script></title>",
        "<textarea><!--</textarea>",
        "a < b <3 </ c>",
        "<!doctype a'b>",
        "<?a'b>",
    ] {
        assert_eq!(
            strip_markup(&format!("{html} {script}c")),
            format!("{html} c")
        );
    }
}

#[test]
fn a_page_stays_as_it_is_where_its_reading_is_unsure() {
    for html in [
        "<svg><script>a</script></svg>",
        "a<!--b--!>c<script></script>",
        "<![CDATA[<script></script>]]>",
        "<script><!--<script></script>--></script>a",
        "<plaintext><script></script>",
        "a<script>b",
        "a<p b='",
        "a<!--",
        "a<",
    ] {
        assert_eq!(strip_markup(html), html);
    }
}

/// Returns the text of the page without white space, scripts and styles.
fn letters(html: &str) -> String {
    let page = Document::from(html);
    page.select("script, style").remove();
    let mut letters = String::new();
    for node in page.root().descendants_it() {
        let _ = tree::with_text(&node, |text| letters.extend(text.split_whitespace()));
    }
    letters
}

quickcheck! {
    fn no_text_is_lost(parts: Vec<usize>) -> bool {
        const PARTS: &[&str] = &[
            "a", " b ", "\n", "<", ">", "'", "\"", "=", "/", "&am", "p;", "<p", "<p>", "</p>", "<b id=",
            "<b>", "</b>", "<td>", "<li>", "<!--", "-->", "--!>", "<!", "<?", "</", "</ c>",
            "<script>", "<script id='", "</script>", "</script", "<style>", "</style>",
            "<title>", "</title>", "<textarea>", "</textarea>", "<pre>", "</pre>", "<div x=y",
            "<div title='", "<img src=\"", "&lt;", "<![CDATA[", "<plaintext>", "é",
        ];
        let html: String = parts.iter().filter_map(|at| PARTS.get(at % PARTS.len())).copied().collect();
        letters(&html) == letters(&strip_markup(&html))
    }
}
