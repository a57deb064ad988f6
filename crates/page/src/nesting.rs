//! Estimates the nesting depth of a page's elements from its tags alone.
//!
//! Example: if a page has 10 000 nested `<div>`, only the first 512 tags are passed to the parser.
//! A parser may check all open elements at each tag, so its time can be quadratic in the depth.
//! This module builds no tree. If tags are malformed, the estimated depth may be slightly too high.

use dom_query::LocalName;

/// The maximum depth of tags. Deeper tags are dropped. Chromium's own parser flattens elements
/// below the same depth.
const DEEPEST: usize = 512;

/// The maximum number of open formatting elements, such as `<b>` and `<font>`. Further ones are
/// dropped, because a parser repeats all open ones in each following paragraph.
const MOST_FORMATTING: usize = 64;

/// The maximum number of open elements that are compared with an end tag.
const FARTHEST: usize = 1024;

/// The elements that are open at the current position in the markup.
#[derive(Debug, Default)]
pub(super) struct Nesting {
    open: Vec<(LocalName, NestingKind)>,
    depth: usize,
    formatting: usize,
}

/// The kinds of elements, by their nesting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NestingKind {
    /// An element that can't contain elements, such as `<br>`.
    Void,
    /// An element whose end tag is optional, such as `<li>`. If end tags were required, a flat list
    /// without end tags would look deeply nested.
    Loose,
    /// An element such as `<b>`, which continues in later paragraphs until its end tag.
    Formatting,
    Deep,
}

impl Nesting {
    /// Reads a start tag. Returns false if the tag must be dropped, because too many elements are
    /// open.
    pub(super) fn open(&mut self, name: &LocalName) -> bool {
        let kind = kind(name);
        match kind {
            NestingKind::Void => return true,
            NestingKind::Loose => self.close_loose(name),
            NestingKind::Formatting if self.formatting >= MOST_FORMATTING => return false,
            NestingKind::Formatting | NestingKind::Deep if self.depth >= DEEPEST => return false,
            NestingKind::Formatting | NestingKind::Deep => {
                self.depth += 1;
                self.formatting += usize::from(kind == NestingKind::Formatting);
            }
        }
        self.open.push((name.clone(), kind));
        true
    }

    /// Reads an end tag, which closes its element and all open elements inside that element.
    pub(super) fn close(&mut self, name: &LocalName) {
        let mut nearest = self.open.iter().rev().take(FARTHEST);
        if let Some(back) = nearest.position(|(open, _)| open == name) {
            self.cut(back + 1);
        }
        if kind(name) == NestingKind::Formatting {
            self.formatting = self.formatting.saturating_sub(1);
        }
    }

    /// Closes an open element that the start tag `name` closes implicitly. For example, `<li>`
    /// closes the previous `<li>`, and `<td>` the previous `<td>`.
    fn close_loose(&mut self, name: &LocalName) {
        let open = self.open.iter().rev();
        let mut loose = open.take_while(|(_, kind)| *kind == NestingKind::Loose);
        if let Some(back) = loose.position(|(open, _)| open == name) {
            self.cut(back + 1);
        }
    }

    fn cut(&mut self, count: usize) {
        let closed = self.open.drain(self.open.len() - count..);
        let counts = |kind| matches!(kind, NestingKind::Formatting | NestingKind::Deep);
        self.depth -= closed.filter(|(_, kind)| counts(*kind)).count();
    }
}

fn kind(name: &str) -> NestingKind {
    match name {
        "area" | "base" | "br" | "col" | "embed" | "hr" | "img" | "input" | "link" | "meta"
        | "param" | "source" | "track" | "wbr" | "path" | "use"
        // The content of these elements is text.
        | "iframe" | "noembed" | "noframes" | "plaintext" | "script" | "style" | "textarea"
        | "title" | "xmp" => NestingKind::Void,
        // An `<a>` start tag closes an earlier open `<a>`.
        "a" | "body" | "button" | "colgroup" | "dd" | "dt" | "head" | "html" | "li" | "nobr"
        | "optgroup" | "option" | "p" | "rp" | "rt" | "tbody" | "td" | "tfoot" | "th" | "thead"
        | "tr" => NestingKind::Loose,
        "b" | "big" | "code" | "em" | "font" | "i" | "s" | "small" | "strike" | "strong" | "tt"
        | "u" => NestingKind::Formatting,
        _ => NestingKind::Deep,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of repeated tags that are kept, and the estimated depth.
    fn read(tags: &'static str, times: usize) -> (usize, usize) {
        let mut nesting = Nesting::default();
        let mut kept = 0;
        for tag in std::iter::repeat_n(tags, times).flat_map(str::split_whitespace) {
            match tag.strip_prefix('/') {
                Some(name) => nesting.close(&name.to_lowercase().into()),
                None => kept += usize::from(nesting.open(&tag.to_lowercase().into())),
            }
        }
        (kept, nesting.depth)
    }

    #[test]
    fn only_real_depth_is_cut() {
        for (tags, times, kept, depth) in [
            ("div", 10_000, DEEPEST, DEEPEST),
            ("ul LI", 10_000, 10_000 + DEEPEST, DEEPEST),
            ("div /DIV", 10_000, 10_000, 0),
            ("ul li p li p /ul", 1_000, 5_000, 0),
            ("table tr td p div td tr td /table", 1_000, 8_000, 0),
            ("p span /p", 1_000, 2_000, 0),
            ("p img br a", 1_000, 4_000, 0),
            ("p font", 1_000, 1_000 + MOST_FORMATTING, MOST_FORMATTING),
            ("p font /font /p", 1_000, 2_000, 0),
            ("/div /p", 1_000, 0, 0),
        ] {
            assert_eq!(read(tags, times), (kept, depth), "{tags}");
        }
    }
}
