//! Converts providers' HTML to plain text.
//!
//! Example: `Tides are <b>rising</b> &amp; falling` becomes "Tides are rising & falling".
//! Excerpts contain a few tags around matching words, and character references. This code is not an
//! HTML parser, and its output is never used as markup.

use gloss_markdown::line;

/// The named character references that occur in excerpts.
const NAMED: [(&str, char); 6] = [
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", ' '),
];
/// The maximum length of a character reference without its `&`, in bytes.
const LONGEST: usize = 10;
/// The maximum length of a tag, in bytes. It limits the search for the end of each tag.
const LONGEST_TAG: usize = 1_000;
/// The maximum number of characters that are read. Far fewer are shown.
const MOST_READ: usize = 10_000;

/// Returns the text of an HTML fragment, on one line.
pub(super) fn of_html(html: &str) -> String {
    let end = html.char_indices().nth(MOST_READ).map(|(end, _)| end);
    let mut rest = html.get(..end.unwrap_or(html.len())).unwrap_or_default();
    let mut out = String::with_capacity(rest.len());
    while let Some(at) = rest.find(['<', '&']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let (text, length) = tag(from).or_else(|| reference(from)).unwrap_or_else(|| {
            let literal = if from.starts_with('<') { '<' } else { '&' };
            (Some(literal), 1)
        });
        out.extend(text);
        rest = from.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    line(&out)
}

/// Returns the replacement and the length of the tag at the beginning of `html`; `None` if there is
/// none, as in `a < b`.
fn tag(html: &str) -> Option<(Option<char>, usize)> {
    let inner = html.strip_prefix('<')?;
    let begins = inner.starts_with(|it: char| it.is_ascii_alphabetic() || "/!?".contains(it));
    if !begins {
        return None;
    }
    let mut near = inner.bytes().take(LONGEST_TAG);
    let end = near.position(|byte| byte == b'>')?;
    let name = inner.strip_prefix('/').unwrap_or(inner).as_bytes();
    let parts = ["br", "p", "div", "li", "tr", "td", "h"];
    let apart = parts.iter().any(|part| {
        let begin = name.get(..part.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(part.as_bytes()))
    });
    Some((apart.then_some(' '), end + 2))
}

/// Returns the character and the length of the character reference at the beginning of `html`.
fn reference(html: &str) -> Option<(Option<char>, usize)> {
    let inner = html.strip_prefix('&')?;
    let mut near = inner.bytes().take(LONGEST + 1);
    let end = near.position(|byte| byte == b';')?;
    let name = inner.get(..end)?;
    let character = match name.strip_prefix('#') {
        Some(number) => {
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)?
        }
        None => NAMED.iter().find(|(known, _)| *known == name)?.1,
    };
    Some((Some(character), end + 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gloss_markdown::shortened;
    use quickcheck::quickcheck;

    #[test]
    fn tags_go_references_are_read_and_what_is_neither_stays() {
        for (html, text) in [
            (
                "Tides are <b>rising</b> &amp; falling",
                "Tides are rising & falling",
            ),
            ("<span class=\"searchmatch\">潮汐</span>是", "潮汐是"),
            ("a&#39;b&#x27;c&quot;d&nbsp;e", "a'b'c\"d e"),
            ("one<br/>two<p>three</p>", "one two three"),
            ("a < b and c > d", "a < b and c > d"),
            (
                "5 &lt; 6, AT&T, &unknown; &#xD800; &#99999999;",
                "5 < 6, AT&T, &unknown; &#xD800; &#99999999;",
            ),
            (
                "&lt;script&gt;alert(1)&lt;/script&gt;",
                "<script>alert(1)</script>",
            ),
            ("<b>cut off", "cut off"),
            ("<b cut off", "<b cut off"),
            ("invoice\u{202e}fdp\u{200b}", "invoicefdp"),
            ("  a \n\t b  ", "a b"),
            ("&", "&"),
            ("<", "<"),
            ("", ""),
        ] {
            assert_eq!(of_html(html), text, "{html}");
        }
    }

    #[test]
    fn marks_without_an_end_are_read_once_and_a_long_text_as_far_as_it_may_be_shown() {
        for mark in ["&", "<p", "潮"] {
            let text = of_html(&mark.repeat(1_000_000));
            assert_eq!(text.chars().count(), MOST_READ, "{mark}");
        }
    }

    quickcheck! {
        fn whatever_comes_is_one_short_line(html: String) -> bool {
            let text = shortened(&of_html(&html), 10);
            text.chars().count() <= 11 && !text.contains('\n')
        }
    }
}
