//! Collects the inline content of one block: text with collapsed white space, and its styles.
//!
//! Example: `a <em>b</em>  c<br>d` becomes the text `a b c⏎d` and the Markdown `a *b* c\⏎d`. This
//! module knows neither the tree nor the kinds of blocks.

use super::markdown;

/// An inline style that is written as a pair of delimiters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// `<strong>`, `<b>`.
    Strong,
    /// `<em>`, `<i>` and similar elements.
    Emphasis,
    /// `<del>`, `<s>`.
    Strike,
}

/// The style of inline text; an element inherits the style of its parent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Style {
    /// The link around the text, as an index into the document's links.
    pub(super) link: Option<usize>,
    /// The marks around the text, outermost first, each at most once.
    pub(super) marks: [Option<Mark>; 3],
    /// True for inline code.
    pub(super) code: bool,
}

impl Style {
    /// Returns this style with `mark` added as the innermost mark.
    pub(super) fn with(mut self, mark: Mark) -> Self {
        if !self.marks.contains(&Some(mark))
            && let Some(free) = self.marks.iter_mut().find(|slot| slot.is_none())
        {
            *free = Some(mark);
        }
        self
    }
}

/// A part of the text in one style. The part ends where the next part begins.
#[derive(Debug, Clone)]
pub(super) struct StyledSpan {
    /// The start of the part, in bytes.
    pub(super) start: usize,
    pub(super) style: Style,
    /// The alternative text of an image before this part; it is only written to Markdown.
    pub(super) alt: Option<String>,
}

/// Inline content that is being collected.
#[derive(Debug, Default)]
pub(super) struct InlineText {
    /// The text with collapsed white space; a newline represents `<br>`.
    text: String,
    pieces: Vec<StyledSpan>,
}

impl InlineText {
    /// Adds text. White space is collapsed as in browsers, and invisible characters are removed.
    pub(super) fn push(&mut self, text: &str, style: Style) {
        let mut plain = text;
        while let Some(c) = plain.chars().next() {
            // A run of printable ASCII characters is copied at once, without checking each
            // character.
            let ordinary = plain.bytes().take_while(u8::is_ascii_graphic).count();
            if let Some((head, tail)) = plain.split_at_checked(ordinary)
                && !head.is_empty()
            {
                self.open(style);
                self.text.push_str(head);
                plain = tail;
                continue;
            }
            if is_folded(c) {
                if !self.text.is_empty() && !self.text.ends_with([' ', '\n']) {
                    self.open(style);
                    self.text.push(' ');
                }
            } else if !is_invisible(c) {
                self.open(style);
                self.text.push(c);
            }
            plain = plain.get(c.len_utf8()..).unwrap_or_default();
        }
    }

    /// Adds a line break.
    pub(super) fn push_break(&mut self) {
        if self.text.ends_with(' ') {
            self.text.pop();
            while self
                .pieces
                .last()
                .is_some_and(|p| p.start > self.text.len())
            {
                self.pieces.pop();
            }
        }
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// Adds the alternative text of an image. The alternative text is written to the Markdown only.
    pub(super) fn push_alt(&mut self, alt: &str, style: Style) {
        let mut words = InlineText::default();
        words.push(alt, Style::default());
        let start = self.text.len();
        self.pieces.push(StyledSpan {
            start,
            style,
            alt: Some(words.text),
        });
    }

    /// Returns true if nothing visible was added yet.
    pub(super) fn is_blank(&self) -> bool {
        self.text.chars().all(char::is_whitespace)
    }

    /// Returns the length of linked text, in bytes.
    pub(super) fn linked(&self) -> usize {
        let ends = self
            .pieces
            .iter()
            .skip(1)
            .map(|p| p.start)
            .chain([self.text.len()]);
        self.pieces
            .iter()
            .zip(ends)
            .filter(|(p, _)| p.style.link.is_some())
            .map(|(p, end)| end.saturating_sub(p.start))
            .sum()
    }

    /// Returns the text, with a newline for each `<br>`, and the Markdown. Empties this collector.
    pub(super) fn take(&mut self, links: &[String]) -> (String, String) {
        let mut text = std::mem::take(&mut self.text);
        let mut pieces = std::mem::take(&mut self.pieces);
        text.truncate(text.trim_end().len());
        pieces.retain(|p| p.start < text.len() || p.alt.is_some());
        let markdown = markdown::write_styled(&text, &pieces, links);
        (text, markdown)
    }

    fn open(&mut self, style: Style) {
        if self.pieces.last().is_none_or(|last| last.style != style) {
            let start = self.text.len();
            self.pieces.push(StyledSpan {
                start,
                style,
                alt: None,
            });
        }
    }
}

/// Returns true for white space that is collapsed. No-break spaces are collapsed too, because
/// Chromium's text search treats them as spaces.
fn is_folded(c: char) -> bool {
    matches!(
        c,
        ' ' | '\t' | '\n' | '\r' | '\u{c}' | '\u{a0}' | '\u{202f}' | '\u{2007}'
    )
}

/// Returns true for characters that a reader can't see, but that change how text is read or shown.
/// These are controls, zero-width spaces, soft hyphens, direction overrides, tag characters and
/// supplementary variation selectors. Joiners are not included, because emoji and several scripts
/// need them.
pub(super) fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_folds_across_styles_and_breaks() {
        let mut run = InlineText::default();
        run.push(" a ", Style::default());
        run.push("\n b", Style::default().with(Mark::Emphasis));
        run.push(" c ", Style::default());
        run.push_break();
        run.push(" d ", Style::default());
        let (text, markdown) = run.take(&[]);
        assert_eq!(text, "a b c\nd");
        assert_eq!(markdown, "a *b* c\\\nd");
    }

    #[test]
    fn characters_that_show_nothing_are_left_out() {
        let mut run = InlineText::default();
        run.push(
            "p\u{0}a\u{200b}y\u{202e}pal\u{e0041} 👩\u{200d}💻",
            Style::default(),
        );
        assert_eq!(run.take(&[]).0, "paypal 👩\u{200d}💻");
    }
}
