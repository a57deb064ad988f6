//! Estimates the nesting depth of a page's elements from its tags alone.
//!
//! Driving example: if a page has 10 000 nested `<div>`, only the first 512 are kept. A parser may
//! check all open elements at each tag, so its time can be quadratic in the depth. This module
//! builds no tree. If tags are malformed, the estimated depth may be slightly too high.

/// The greatest depth of tags that are kept. Chromium's own parser flattens elements that are
/// deeper.
const DEEPEST: usize = 512;

/// The maximum number of open formatting elements, such as `<b>` and `<font>`. Further ones are
/// dropped, because a parser repeats all open ones in each following paragraph.
const MOST_FORMATTING: usize = 64;

/// The maximum number of open elements that are compared with an end tag.
const FARTHEST: usize = 1024;

/// The elements that are open at the current position in the markup.
#[derive(Debug, Default)]
pub(super) struct Nesting<'h> {
    open: Vec<(&'h str, NestingKind)>,
    depth: usize,
    foreign: usize,
    preformatted: usize,
    formatting: usize,
}

/// The kinds of elements, by their nesting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NestingKind {
    /// An element that never has content, such as `<br>`.
    Void,
    /// An element whose end tag is optional, such as `<li>`. If end tags were required, a flat list
    /// without end tags would look deeply nested.
    Loose,
    /// An element whose content is another markup language, such as `<svg>`.
    Foreign,
    /// An element in which white space is preserved, such as `<pre>`.
    Preformatted,
    /// An element such as `<b>`, which continues in later paragraphs until its end tag.
    Formatting,
    Deep,
}

impl<'h> Nesting<'h> {
    /// Returns true inside `<svg>` or `<math>`.
    pub(super) fn is_foreign(&self) -> bool {
        self.foreign > 0
    }

    /// Returns true inside an element such as `<pre>`, in which white space is preserved.
    pub(super) fn is_preformatted(&self) -> bool {
        self.preformatted > 0
    }

    /// Reads a start tag; returns true if the tag may be kept.
    pub(super) fn open(&mut self, name: &'h str) -> bool {
        let sort = sort(name);
        match sort {
            NestingKind::Void => return true,
            NestingKind::Loose => self.close_loose(name),
            NestingKind::Formatting if self.formatting >= MOST_FORMATTING => return false,
            NestingKind::Formatting
            | NestingKind::Foreign
            | NestingKind::Preformatted
            | NestingKind::Deep => {
                if self.depth >= DEEPEST {
                    return false;
                }
                self.depth += 1;
                self.foreign += usize::from(sort == NestingKind::Foreign);
                self.preformatted += usize::from(sort == NestingKind::Preformatted);
                self.formatting += usize::from(sort == NestingKind::Formatting);
            }
        }
        self.open.push((name, sort));
        true
    }

    /// Reads an end tag, which closes its element and all open elements inside that element.
    pub(super) fn close(&mut self, name: &str) {
        let is_it = |(open, _): &&(&str, NestingKind)| open.eq_ignore_ascii_case(name);
        let back = self
            .open
            .iter()
            .rev()
            .take(FARTHEST)
            .position(|o| is_it(&o));
        if let Some(back) = back {
            self.cut(back + 1);
        }
        if sort(name) == NestingKind::Formatting {
            self.formatting = self.formatting.saturating_sub(1);
        }
    }

    /// Closes an open element that the start tag `name` closes implicitly. For example, `<li>`
    /// closes the previous `<li>`, and `<td>` the previous `<td>`.
    fn close_loose(&mut self, name: &str) {
        let mut loose = self
            .open
            .iter()
            .rev()
            .take_while(|(_, s)| *s == NestingKind::Loose);
        if let Some(back) = loose.position(|(open, _)| open.eq_ignore_ascii_case(name)) {
            self.cut(back + 1);
        }
    }

    fn cut(&mut self, count: usize) {
        for _ in 0..count {
            match self.open.pop() {
                Some((_, NestingKind::Foreign)) => {
                    self.depth -= 1;
                    self.foreign -= 1;
                }
                Some((_, NestingKind::Preformatted)) => {
                    self.depth -= 1;
                    self.preformatted -= 1;
                }
                Some((_, NestingKind::Formatting | NestingKind::Deep)) => self.depth -= 1,
                Some((_, NestingKind::Void | NestingKind::Loose)) | None => {}
            }
        }
    }
}

fn sort(name: &str) -> NestingKind {
    if name.bytes().any(|b| b.is_ascii_uppercase()) {
        return sort(&name.to_ascii_lowercase());
    }
    match name {
        "area" | "base" | "br" | "col" | "embed" | "hr" | "img" | "input" | "link" | "meta"
        | "param" | "source" | "track" | "wbr" | "path" | "use" => NestingKind::Void,
        // An `<a>` start tag closes an earlier open `<a>`.
        "a" | "body" | "button" | "colgroup" | "dd" | "dt" | "head" | "html" | "li" | "nobr"
        | "optgroup" | "option" | "p" | "rp" | "rt" | "tbody" | "td" | "tfoot" | "th" | "thead"
        | "tr" => NestingKind::Loose,
        "b" | "big" | "code" | "em" | "font" | "i" | "s" | "small" | "strike" | "strong" | "tt"
        | "u" => NestingKind::Formatting,
        "pre" | "listing" => NestingKind::Preformatted,
        "svg" | "math" => NestingKind::Foreign,
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
                Some(name) => nesting.close(name),
                None => kept += usize::from(nesting.open(tag)),
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
