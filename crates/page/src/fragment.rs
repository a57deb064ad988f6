//! Text fragments: URLs that open a page and highlight a quotation.
//!
//! Example: a key point of a summary quotes paragraph 14. The link to the quotation ends in
//! `#:~:text=The%20model%20was,of%20the%20day.`, and Chromium scrolls to the quotation.
//!
//! The rules are those of the WICG draft "URL Fragment Text Directives". An exact match stays
//! within one block, and begins and ends at word boundaries. A range (`start,end`) may span blocks.
//! Browsers highlight the first match on the page. [`Document`] doesn't contain menus and other
//! text around the content. If a menu contains the quotation too, Chromium may therefore highlight
//! the menu.

use super::Document;

/// The maximum length, in bytes, of a quotation that the directive contains completely. For a
/// longer quotation, or one of several blocks, the directive contains only the first and last
/// words.
const LONGEST_EXACT: usize = 160;

/// The maximum length, in characters, of the start text and of the end text of a range.
const LONGEST_CUT: usize = 300;

/// Returns the directive (`text=…`, without `#:~:`) that highlights `quote` in the paragraph with
/// this number; `None` if the paragraph doesn't contain `quote` verbatim.
pub fn text_fragment(document: &Document, paragraph: u32, quote: &str) -> Option<String> {
    Fragments::of(document).directive(paragraph, quote)
}

/// Creates directives for many quotations of one document.
pub struct Fragments<'a> {
    document: &'a Document,
    /// All paragraphs in lower case, with a line break after each.
    folded: String,
    /// The byte offset at which each paragraph begins in `folded`.
    begins: Vec<usize>,
}

impl<'a> Fragments<'a> {
    /// Prepares the search in `document`.
    pub fn of(document: &'a Document) -> Self {
        let (mut folded, mut begins) = (String::new(), Vec::new());
        for paragraph in &document.paragraphs {
            begins.push(folded.len());
            folded.push_str(&fold(&paragraph.text));
            folded.push('\n');
        }
        Self {
            document,
            folded,
            begins,
        }
    }

    /// Returns the directive for one quotation, as [`text_fragment`] does.
    pub fn directive(&self, paragraph: u32, quote: &str) -> Option<String> {
        let document = self.document;
        let index = document
            .paragraphs
            .iter()
            .position(|p| p.number == paragraph)?;
        let own = &document.paragraphs.get(index)?.text;
        let quote = quote.trim();
        let at = own.find(quote).filter(|_| !quote.is_empty())?;
        let (from, to) = to_words(own, at, at + quote.len());
        let (quote, before, after) = (own.get(from..to)?, own.get(..from)?, own.get(to..)?);
        let earlier = self.begins.get(index)? + fold(before).len();
        let earlier = self.folded.get(..earlier)?;

        let blocks: Vec<&str> = quote
            .split(['\t', '\n'])
            .map(str::trim)
            .filter(|b| !b.is_empty())
            .collect();
        let (first, last) = (*blocks.first()?, *blocks.last()?);
        if blocks.len() == 1 && (quote.len() <= LONGEST_EXACT || cut_start(first, 4) == first) {
            let context = context(earlier, document, index, before, first, after);
            return Some(format!("text={}", with_context(&context, &encode(first))));
        }
        let start = (4..=12)
            .step_by(2)
            .map(|words| cut_start(first, words))
            .find(|s| !earlier.contains(&fold(s)))
            .unwrap_or(first);
        let end = end_of_range(quote, last, start);
        let range = if start == end && blocks.len() == 1 {
            encode(first)
        } else {
            format!("{},{}", encode(start), encode(end))
        };
        let context = context(earlier, document, index, before, start, "");
        Some(format!("text={}", with_context(&context, &range)))
    }
}

/// Appends `directive`, a result of [`text_fragment`], to `url`, in place of any earlier directive.
/// The rest of the fragment stays: `a#b:~:text=x` -> `a#b:~:text=y`.
pub fn link(url: &str, directive: &str) -> String {
    let plain = url.split_once(":~:").map_or(url, |(plain, _)| plain);
    if directive.is_empty() {
        return plain.to_owned();
    }
    let hash = if plain.contains('#') { "" } else { "#" };
    format!("{plain}{hash}:~:{directive}")
}

/// Returns `url` without its fragment.
pub fn without_place(url: &str) -> &str {
    url.split_once('#').map_or(url, |(page, _)| page)
}

/// The text directly before and after a match. Browsers use both texts to skip earlier matches.
struct Context {
    prefix: String,
    suffix: String,
}

/// Returns the context with which a browser finds this occurrence of `text`. The context is empty
/// if `text` doesn't occur earlier on the page.
fn context(
    earlier: &str,
    document: &Document,
    index: usize,
    before: &str,
    text: &str,
    after: &str,
) -> Context {
    let mut context = Context {
        prefix: String::new(),
        suffix: String::new(),
    };
    let text = fold(text);
    if !earlier.contains(&text) {
        return context;
    }
    // A prefix may be in the block before the match, but can't span two blocks. If the match is at
    // the beginning of its block, the prefix is the end of the previous block.
    let own = last_block(before);
    let previous = index
        .checked_sub(1)
        .and_then(|i| document.paragraphs.get(i))
        .map_or("", |p| last_block(&p.text));
    let prefix = if own.is_empty() { previous } else { own };
    for words in [3, 6, 12] {
        cut_end(prefix, words).clone_into(&mut context.prefix);
        let joined = [" ", "", "\n"].map(|gap| format!("{}{gap}{text}", fold(&context.prefix)));
        if !joined.iter().any(|j| earlier.contains(j.as_str())) {
            return context;
        }
    }
    let suffix = after
        .split(['\t', '\n'])
        .map(str::trim)
        .find(|b| !b.is_empty())
        .unwrap_or_default();
    cut_start(suffix, 4).clone_into(&mut context.suffix);
    context
}

fn last_block(text: &str) -> &str {
    text.trim_end()
        .rsplit(['\t', '\n'])
        .next()
        .unwrap_or_default()
        .trim()
}

fn with_context(context: &Context, matched: &str) -> String {
    let mut out = String::new();
    if !context.prefix.is_empty() {
        out.push_str(&encode(&context.prefix));
        out.push_str("-,");
    }
    out.push_str(matched);
    if !context.suffix.is_empty() {
        out.push_str(",-");
        out.push_str(&encode(&context.suffix));
    }
    out
}

/// Returns the last 4, 8 or 16 words of `last`: the fewest that occur exactly once after `start`.
/// If none of the three occurs exactly once, returns the last 16 words.
fn end_of_range<'a>(quote: &str, last: &'a str, start: &str) -> &'a str {
    let rest = fold(quote.get(start.len()..).unwrap_or_default());
    let mut end = last;
    for words in [4, 8, 16] {
        end = cut_end(last, words);
        if rest.matches(&fold(end)).count() == 1 {
            return end;
        }
    }
    end
}

/// Returns the first `words` words or, in scripts without spaces, the first clauses of about this
/// length.
fn cut_start(text: &str, words: usize) -> &str {
    let to = nearest_cut(text.char_indices(), words).unwrap_or(text.len());
    text.get(..to)
        .map_or(text, |s| s.trim_end_matches(is_space_or_mark))
}

/// Returns the last `words` words or, in scripts without spaces, the last clauses of about this
/// length.
fn cut_end(text: &str, words: usize) -> &str {
    let from = nearest_cut(text.char_indices().rev(), words).unwrap_or(0);
    text.get(from..)
        .map_or(text, |s| s.trim_start_matches(is_space_or_mark))
}

/// Returns the first position after at least `words` words where the text may be cut: at a space,
/// or at a punctuation mark of a script without spaces. In these scripts, two characters count as
/// one word, because only a dictionary could find the real words.
///
/// After [`LONGEST_CUT`] characters the text is cut even inside a word, so that the URL doesn't
/// become too long. No later characters are read, because a transcript may be a megabyte without a
/// full stop.
fn nearest_cut(chars: impl Iterator<Item = (usize, char)>, words: usize) -> Option<usize> {
    let (mut spaced, mut wide, mut is_counted) = (0, 0, false);
    for (walked, (at, c)) in chars.enumerate() {
        let is_cut = is_space_or_mark(c);
        if is_cut && spaced + wide / 2 >= words || walked == LONGEST_CUT {
            return Some(at);
        }
        if c.is_whitespace() {
            is_counted = false;
        } else if is_wide(c) {
            wide += 1;
        } else if c.is_alphanumeric() && !is_counted {
            is_counted = true;
            spaced += 1;
        }
    }
    None
}

fn is_wide(c: char) -> bool {
    c >= '\u{2e80}' && c.is_alphanumeric()
}

fn is_wide_mark(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '！' | '（' | '）' | '，' | '：' | '；' | '？' | '“' | '”' | '…')
}

fn is_space_or_mark(c: char) -> bool {
    c.is_whitespace() || is_wide_mark(c)
}

/// Extends a range to whole words, in scripts with spaces.
fn to_words(text: &str, from: usize, to: usize) -> (usize, usize) {
    let joins = |a: Option<char>, b: Option<char>| {
        let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_wide(c));
        letter(a) && letter(b)
    };
    let (mut start, mut end) = (from, to);
    while let Some(before) = text.get(..start).and_then(|s| s.chars().next_back())
        && joins(
            Some(before),
            text.get(start..).and_then(|s| s.chars().next()),
        )
    {
        start -= before.len_utf8();
    }
    while let Some(after) = text.get(end..).and_then(|s| s.chars().next())
        && joins(
            text.get(..end).and_then(|s| s.chars().next_back()),
            Some(after),
        )
    {
        end += after.len_utf8();
    }
    (start, end)
}

/// Converts to lower case, because Chromium ignores case when it searches.
fn fold(text: &str) -> String {
    text.to_lowercase()
}

/// Percent-encodes all characters except ASCII letters and digits, `.`, `_` and `~`. In particular
/// `-`, `,` and `&` are encoded, because they are syntax of the directive.
fn encode(text: &str) -> String {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let digit = |nibble: u8| char::from(HEX.get(usize::from(nibble)).copied().unwrap_or(b'0'));
    let mut out = String::with_capacity(text.len() * 3);
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            out.extend(['%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
    out
}

#[cfg(test)]
#[path = "fragment_tests.rs"]
mod tests;
