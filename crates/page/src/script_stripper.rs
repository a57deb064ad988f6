//! Removes markup that readers don't see and that [`super::read`] doesn't use.
//!
//! Driving example: half of a news page's bytes are scripts and styles, and parsing them takes as
//! long as parsing the text. A hostile page may nest thousands of elements, and parsing them would
//! take minutes. The filter drops the deepest tags and keeps their text. The filter reads HTML
//! tokens and builds no tree. If the filter can't understand a token without a tree, it leaves the
//! rest of the page unchanged.

use super::nesting::Nesting;

/// Returns `html` without scripts, styles and comments, and with limited nesting.
pub(super) fn strip_markup(html: &str) -> String {
    let mut page = MarkupFilter {
        html,
        at: 0,
        kept: 0,
        out: String::with_capacity(html.len() / 2),
        nesting: Nesting::default(),
    };
    while page.step().is_some() {}
    page.out.push_str(html.get(page.kept..).unwrap_or_default());
    page.out
}

struct MarkupFilter<'h> {
    html: &'h str,
    /// The end of the markup read so far, in bytes.
    at: usize,
    /// The end of the markup that was written to `out` or dropped, in bytes.
    kept: usize,
    out: String,
    nesting: Nesting<'h>,
}

impl<'h> MarkupFilter<'h> {
    /// Reads up to the end of the next tag. Returns `None` if the rest of the page must stay
    /// unchanged.
    fn step(&mut self) -> Option<()> {
        let start = self.at + self.rest(self.at).find('<')?;
        let markup = self.rest(start);
        if !self.nesting.is_preformatted() {
            self.fold(self.at, start);
        }
        let second = *markup.as_bytes().get(1)?;
        self.at = start + 1;
        match second {
            b'!' if markup.starts_with("<!--") => {
                // `<!-->` is a complete comment too, so the search starts at its first `-`.
                self.at = start + 2 + self.rest(start + 2).find("-->")? + 3;
                // A comment may also end with `--!>`. Such comments are rare, so the filter leaves
                // them to the parser.
                if self.html.get(start..self.at)?.contains("--!>") {
                    return None;
                }
                self.drop_token(start);
            }
            // A CDATA section is text in `<svg>` and `<math>`, and a comment elsewhere. Only a
            // parser can decide which.
            b'!' if markup.starts_with("<![CDATA[") => return None,
            b'!' | b'?' => self.at = start + markup.find('>')? + 1,
            b'/' => {
                if markup.as_bytes().get(2)?.is_ascii_alphabetic() {
                    let name = name(markup.get(2..)?);
                    self.at = start + tag(markup, |_, _| {})?;
                    self.nesting.close(name);
                } else {
                    self.at = start + markup.find('>')? + 1;
                }
            }
            c if c.is_ascii_alphabetic() => {
                let name = name(markup.get(1..)?);
                self.open(start, name)?;
            }
            _ => {}
        }
        Some(())
    }

    /// Reads the start tag `name` at `start`.
    fn open(&mut self, start: usize, name: &'h str) -> Option<()> {
        let markup = self.rest(start);
        let raw = raw_text(name);
        if self.nesting.is_foreign() || raw == Raw::No {
            let mut unread = Vec::new();
            self.at = start
                + tag(markup, |attribute, at| {
                    if !is_read(name, attribute) {
                        unread.push((start + at, start + at + attribute.len()));
                    }
                })?;
            if !self.nesting.open(name) {
                self.drop_token(start);
            } else if !self.nesting.is_foreign() {
                for (from, to) in unread {
                    self.drop(from, to);
                }
            }
            return Some(());
        }
        self.at = start + tag(markup, |_, _| {})?;
        let tag = self.html.get(start..self.at)?;
        let (text, end) = raw_end(self.rest(self.at), name)?;
        self.at += end;
        match raw {
            // A script that contains `<!--` and `<script` doesn't end at the first `</script>`.
            Raw::Script if text.contains("<!--") && contains(text, "<script") => return None,
            // Linked data (JSON-LD) is kept, because it contains the page's metadata.
            Raw::Script if contains(tag, "ld+json") => {}
            Raw::Script | Raw::Style => self.drop_token(start),
            Raw::Endless => return None,
            Raw::Text | Raw::No => {}
        }
        Some(())
    }

    /// Replaces each run of white space that contains a line break by one space, because the parser
    /// is slow at line breaks.
    fn fold(&mut self, mut from: usize, to: usize) {
        let is_space = |c: char| c.is_ascii_whitespace();
        while let Some(text) = self.html.get(from..to)
            && let Some(line) = text.find('\n')
        {
            let (before, after) = text.split_at_checked(line).unwrap_or_default();
            let start = from + before.trim_end_matches(is_space).len();
            from += line + (after.len() - after.trim_start_matches(is_space).len());
            self.drop(start, from);
            self.out.push(' ');
        }
    }

    /// Drops the token that began at `start`. If `<b>` is dropped from `&am<b>p;`, an empty comment
    /// replaces it. Otherwise the text would become `&amp;`.
    fn drop_token(&mut self, start: usize) {
        self.drop(start, self.at);
        if !self.out.is_empty() && !self.out.ends_with(['>', ' ', '\n', '\t']) {
            self.out.push_str("<!-->");
        }
    }

    /// Drops a range of the markup.
    fn drop(&mut self, from: usize, to: usize) {
        let before = self.html.get(self.kept..from).unwrap_or_default();
        self.out.push_str(before);
        self.kept = to;
    }

    fn rest(&self, at: usize) -> &'h str {
        self.html.get(at..).unwrap_or_default()
    }
}

/// The kinds of elements by their content. Only an element of the kind `No` contains markup.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Raw {
    Script,
    Style,
    Text,
    /// The element's text continues to the end of the page, as in `<plaintext>`.
    Endless,
    No,
}

fn raw_text(name: &str) -> Raw {
    let is = |other: &str| name.eq_ignore_ascii_case(other);
    match name.len() {
        6 if is("script") => Raw::Script,
        5 if is("style") => Raw::Style,
        9 if is("plaintext") => Raw::Endless,
        3 | 5..=8
            if ["xmp", "title", "iframe", "noembed", "noframes", "textarea"]
                .into_iter()
                .any(is) =>
        {
            Raw::Text
        }
        _ => Raw::No,
    }
}

/// Returns the text of an element that contains no markup, and the offset after its end tag.
fn raw_end<'t>(inside: &'t str, name: &str) -> Option<(&'t str, usize)> {
    let mut from = 0;
    loop {
        let at = from + inside.get(from..)?.find("</")?;
        let tag = inside.get(at + 2..)?;
        if self::name(tag).eq_ignore_ascii_case(name) {
            return Some((
                inside.get(..at)?,
                at + self::tag(inside.get(at..)?, |_, _| {})?,
            ));
        }
        from = at + 2;
    }
}

fn contains(text: &str, name: &str) -> bool {
    let mut windows = text.as_bytes().windows(name.len());
    windows.any(|w| w.eq_ignore_ascii_case(name.as_bytes()))
}

/// Returns the tag name at the beginning of `tag`.
fn name(tag: &str) -> &str {
    let ends = |b: u8| matches!(b, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' | b'/' | b'>');
    let end = tag.bytes().position(ends).unwrap_or(tag.len());
    tag.get(..end).unwrap_or_default()
}

/// Returns the length of the tag at the start of `markup`, up to the first unquoted `>`. Calls
/// `see` with each attribute (`name="value"`) and its offset.
fn tag<'h>(markup: &'h str, mut see: impl FnMut(&'h str, usize)) -> Option<usize> {
    let bytes = markup.as_bytes();
    let is_space = |b: u8| matches!(b, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c');
    let mut at = find(bytes, 2, |b| is_space(b) || matches!(b, b'/' | b'>'))?;
    loop {
        // The first character of an attribute's name may be any character, even `=`.
        let start = find(bytes, at, |b| !is_space(b) && b != b'/')?;
        if *bytes.get(start)? == b'>' {
            return Some(start + 1);
        }
        at = find(bytes, start + 1, |b| {
            is_space(b) || matches!(b, b'/' | b'>' | b'=')
        })?;
        let equals = find(bytes, at, |b| !is_space(b))?;
        if *bytes.get(equals)? == b'=' {
            at = find(bytes, equals + 1, |b| !is_space(b))?;
            at = match *bytes.get(at)? {
                quote @ (b'"' | b'\'') => find(bytes, at + 1, |b| b == quote)? + 1,
                b'>' => at,
                _ => find(bytes, at, |b| is_space(b) || b == b'>')?,
            };
        }
        // If the range begins inside a multi-byte character, the attribute is kept.
        if let Some(attribute) = markup.get(start..at) {
            see(attribute, start);
        }
    }
}

/// Returns true if [`super::read`] may use `attribute`, which has the form `name="value"`.
fn is_read(element: &str, attribute: &str) -> bool {
    let whole = || {
        [
            "img", "picture", "figure", "source", "video", "audio", "iframe", "embed", "object",
        ]
        .into_iter()
        .chain(["meta", "link", "html", "base", "input", "svg", "math"])
        .any(|other| element.eq_ignore_ascii_case(other))
    };
    let end = attribute.find(|c: char| c == '=' || c.is_ascii_whitespace());
    let (name, value) = attribute
        .split_at_checked(end.unwrap_or(attribute.len()))
        .unwrap_or_default();
    match name {
        "class" | "id" | "href" | "hidden" | "aria-hidden" | "aria-modal" | "role" | "rel"
        | "itemprop" | "itemtype" | "lang" | "dir" | "start" | "value" | "colspan" | "rowspan"
        | "summary" | "datatable" | "data-lang" | "data-language" => true,
        "style" => contains(value, "display") || contains(value, "visibility") || whole(),
        // Attributes with capitals in their name are rare, so they are always kept.
        _ => name.bytes().any(|b| b.is_ascii_uppercase()) || whole(),
    }
}

fn find(markup: &[u8], from: usize, stop: impl Fn(u8) -> bool) -> Option<usize> {
    let found = markup.get(from..)?.iter().position(|b| stop(*b))?;
    Some(from + found)
}

#[cfg(test)]
#[path = "script_stripper_tests.rs"]
mod tests;
