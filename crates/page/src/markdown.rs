//! Writes styled text as Markdown. A Markdown parser shows exactly the same text.
//!
//! Example: `1 < 2 <b>*</b>` becomes `1 < 2 **\***`. A Markdown parser must not find markup
//! that the page doesn't have. This module writes inline content and code. [`super::blocks`] adds
//! the prefixes of blocks, such as `- `.

use super::run::{Mark, Style, StyledSpan};

/// Writes `text` as Markdown. Each of `pieces` is a part of `text` with its style. Each newline
/// becomes a hard line break.
pub(super) fn write_styled(text: &str, pieces: &[StyledSpan], links: &[String]) -> String {
    let mut styles: Vec<Style> = pieces.iter().map(|p| p.style).collect();
    let ends = ends(text, pieces);
    // Removing one mark can make another mark unparsable. The loop repeats at most once for each
    // mark of each piece.
    loop {
        let before = styles.clone();
        drop_touching(text, pieces, &mut styles);
        drop_unparsable(text, pieces, &ends, &mut styles);
        if styles == before {
            break;
        }
    }
    let mut writer = Writer {
        text,
        links,
        out: String::with_capacity(text.len() + 16),
        open: Vec::new(),
    };
    for ((piece, end), style) in pieces.iter().zip(&ends).zip(&styles) {
        writer.piece(piece, *end, *style);
    }
    writer.close(0);
    writer.out
}

/// An opening delimiter that was written, and whose closing delimiter wasn't written yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Link(usize),
    Mark(Mark),
}

struct Writer<'a> {
    text: &'a str,
    links: &'a [String],
    out: String,
    open: Vec<Open>,
}

impl Writer<'_> {
    fn piece(&mut self, piece: &StyledSpan, end: usize, style: Style) {
        let wanted: Vec<Open> = style
            .link
            .filter(|&link| self.links.get(link).is_some_and(|url| !url.is_empty()))
            .map(Open::Link)
            .into_iter()
            .chain(style.marks.iter().flatten().map(|&mark| Open::Mark(mark)))
            .collect();
        let slice = self.text.get(piece.start..end).unwrap_or_default();
        let body = slice.trim_matches([' ', '\n']);
        if body.is_empty() && piece.alt.is_none() {
            // Before white space, all open delimiters are closed.
            self.close(0);
            self.plain(piece.start, end);
            return;
        }
        let start = piece.start + (slice.len() - slice.trim_start_matches([' ', '\n']).len());
        let common = self.common(&wanted);
        self.close(common);
        self.plain(piece.start, start);
        for open in wanted.into_iter().skip(common) {
            self.out.push_str(match open {
                Open::Link(_) => "[",
                Open::Mark(Mark::Strong) => "**",
                Open::Mark(Mark::Emphasis) => "*",
                Open::Mark(Mark::Strike) => "~~",
            });
            self.open.push(open);
        }
        if let Some(alt) = &piece.alt {
            self.out.push_str("\\[");
            escape(alt, 0, alt.len(), &mut self.out);
            self.out.push_str("\\]");
        }
        let stop = start + body.len();
        if style.code && !body.is_empty() && !self.out.ends_with('`') {
            code_span(body, &mut self.out);
        } else {
            escape(self.text, start, stop, &mut self.out);
        }
        // White space at the end of a piece is written after the piece's closing delimiters.
        if stop < end {
            self.close(0);
            self.plain(stop, end);
        }
    }

    fn common(&self, wanted: &[Open]) -> usize {
        self.open
            .iter()
            .zip(wanted)
            .take_while(|(a, b)| a == b)
            .count()
    }

    fn close(&mut self, depth: usize) {
        while self.open.len() > depth {
            match self.open.pop() {
                Some(Open::Link(link)) => {
                    self.out.push_str("](");
                    self.out
                        .push_str(self.links.get(link).map_or("", String::as_str));
                    self.out.push(')');
                }
                Some(Open::Mark(Mark::Strong)) => self.out.push_str("**"),
                Some(Open::Mark(Mark::Emphasis)) => self.out.push('*'),
                Some(Open::Mark(Mark::Strike)) => self.out.push_str("~~"),
                None => return,
            }
        }
    }

    fn plain(&mut self, start: usize, end: usize) {
        escape(self.text, start, end, &mut self.out);
    }
}

fn ends(text: &str, pieces: &[StyledSpan]) -> Vec<usize> {
    let next = pieces.iter().skip(1).map(|p| p.start);
    next.chain([text.len()]).collect()
}

/// Removes marks whose delimiters a `CommonMark` parser would show as literal characters. Examples
/// are a mark in the middle of a word, and a mark with a letter outside and punctuation inside.
fn drop_unparsable(text: &str, pieces: &[StyledSpan], ends: &[usize], styles: &mut [Style]) {
    for mark in [Mark::Strong, Mark::Emphasis, Mark::Strike] {
        let mut first = 0;
        while first < styles.len() {
            let holds = |s: Option<&Style>| s.is_some_and(|s| s.marks.contains(&Some(mark)));
            let link = styles.get(first).and_then(|s| s.link);
            let mut last = first;
            while holds(styles.get(last)) && styles.get(last).is_some_and(|s| s.link == link) {
                last += 1;
            }
            if last == first {
                first += 1;
                continue;
            }
            let from = pieces.get(first).map_or(0, |p| p.start);
            let to = ends.get(last - 1).copied().unwrap_or(text.len());
            let code = [first, last - 1].map(|i| styles.get(i).is_some_and(|s| s.code));
            if !can_flank(text, from, to, code) {
                for style in styles.iter_mut().take(last).skip(first) {
                    style.marks = remove(style.marks, mark);
                }
            }
            first = last;
        }
    }
}

/// Removes a mark that begins directly where another mark ends. A parser can't separate two runs of
/// asterisks without a space between them.
fn drop_touching(text: &str, pieces: &[StyledSpan], styles: &mut [Style]) {
    let mut before: [Option<Mark>; 3] = [None; 3];
    for (piece, style) in pieces.iter().zip(styles) {
        let spaced = text
            .get(..piece.start)
            .is_none_or(|head| head.ends_with([' ', '\n']))
            || text
                .get(piece.start..)
                .is_some_and(|tail| tail.starts_with([' ', '\n']));
        let marked = |marks: [Option<Mark>; 3]| marks.iter().any(Option::is_some);
        if !spaced && before != style.marks && marked(before) && marked(style.marks) {
            style.marks = [None; 3];
        }
        before = style.marks;
    }
}

fn remove(marks: [Option<Mark>; 3], mark: Mark) -> [Option<Mark>; 3] {
    let mut kept = marks.into_iter().filter(|m| m.is_some_and(|m| m != mark));
    [
        kept.next().flatten(),
        kept.next().flatten(),
        kept.next().flatten(),
    ]
}

/// Returns true if a parser would read delimiters around `text[from..to]` as an opening and a
/// closing delimiter. `code` is true for the start or the end if the text there is inline code; the
/// delimiter is then next to a backtick.
fn can_flank(text: &str, from: usize, to: usize, code: [bool; 2]) -> bool {
    let inside = text.get(from..to).unwrap_or_default();
    let before = text.get(..from).and_then(|s| s.chars().next_back());
    let after = text.get(to..).and_then(|s| s.chars().next());
    let (Some(first), Some(last)) = (inside.chars().next(), inside.chars().next_back()) else {
        return false;
    };
    if inside.trim().is_empty() || inside.contains('\n') {
        return false;
    }
    let [first, last] = [
        if code[0] { '`' } else { first },
        if code[1] { '`' } else { last },
    ];
    let edge = |outer: Option<char>, inner: char| {
        inner.is_whitespace()
            || outer.is_none_or(char::is_whitespace)
            || (!is_mark(inner) && outer.is_some_and(|c| is_mark(c) || is_ideograph(c)))
    };
    edge(before, first) && edge(after, last)
}

/// Returns true for a character that is not a letter, digit or white space. These are roughly
/// Unicode's punctuation and symbols.
fn is_mark(c: char) -> bool {
    !c.is_alphanumeric() && !c.is_whitespace()
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{20000}'..='\u{3ffff}')
}

/// Writes `text[start..end]` with the escapes that make Markdown show it unchanged.
fn escape(text: &str, start: usize, end: usize, out: &mut String) {
    let bytes = text.as_bytes();
    let slice = text.get(start..end).unwrap_or_default();
    for (offset, c) in slice.char_indices() {
        let at = start + offset;
        // An underscore at the start or end is always escaped, because a delimiter may follow or
        // precede it.
        let edge = c == '_' && (at == start || at + 1 == end);
        if c == '\n' || edge || (c.is_ascii_punctuation() && needs_escape(c, bytes, at, text)) {
            out.push('\\');
        }
        out.push(c);
    }
}

fn needs_escape(c: char, bytes: &[u8], at: usize, text: &str) -> bool {
    let before = text.get(..at).and_then(|s| s.chars().next_back());
    let after = bytes.get(at + 1).copied().unwrap_or(b' ');
    match c {
        '\\' | '`' | '*' | '[' | ']' | '~' | '|' => true,
        '_' => {
            !(before.is_some_and(char::is_alphanumeric)
                && text
                    .get(at + 1..)
                    .and_then(|s| s.chars().next())
                    .is_some_and(char::is_alphanumeric))
        }
        // If a link followed an unescaped `!`, the link would become an image.
        '!' => at + 1 < bytes.len() && !after.is_ascii_whitespace(),
        '<' => after.is_ascii_alphabetic() || matches!(after, b'/' | b'!' | b'?'),
        '&' => after.is_ascii_alphanumeric() || after == b'#',
        '#' => before.is_none_or(|b| b.is_whitespace() || b == '#'),
        '>' | '+' | '-' | '=' | ':' => before.is_none_or(|b| b == '\n'),
        '.' | ')' => follows_line_number(bytes, at),
        _ => false,
    }
}

/// Returns true if the line contains only digits before `at`. The characters "1." would begin a
/// list, so the full stop must be escaped.
fn follows_line_number(bytes: &[u8], at: usize) -> bool {
    let head = bytes.get(..at).unwrap_or_default();
    let digits = head
        .iter()
        .rev()
        .take(10)
        .take_while(|b| b.is_ascii_digit())
        .count();
    digits > 0
        && head
            .len()
            .checked_sub(digits + 1)
            .is_none_or(|i| head.get(i) == Some(&b'\n'))
}

fn code_span(body: &str, out: &mut String) {
    let fence = "`".repeat(longest_ticks(body) + 1);
    let pad = if body.starts_with('`') || body.ends_with('`') {
        " "
    } else {
        ""
    };
    out.push_str(&fence);
    out.push_str(pad);
    // A line break could end the paragraph, so it becomes a space.
    out.extend(body.chars().map(|c| if c == '\n' { ' ' } else { c }));
    out.push_str(pad);
    out.push_str(&fence);
}

/// Writes a code block whose fence is longer than any run of backticks in `code`.
pub(super) fn fence(code: &str, language: &str) -> String {
    let fence = "`".repeat(longest_ticks(code).max(2) + 1);
    format!("{fence}{language}\n{code}\n{fence}")
}

fn longest_ticks(code: &str) -> usize {
    code.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
#[path = "markdown_tests.rs"]
mod tests;
