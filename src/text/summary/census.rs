//! The characters of a sentence, counted by what they tell of it.
//!
//! Driving example: most of a line of code is no letters. One walk over the text, for a page
//! has ten thousand sentences.

use super::super::language::is_cjk;

/// How many there are of each kind.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Census {
    /// Everything but white space.
    pub(super) shown: u32,
    pub(super) letters: u32,
    /// Signs that code is full of.
    pub(super) code: u32,
    pub(super) digits: u32,
    /// Round brackets that open, less those that close.
    pub(super) open_brackets: i32,
    /// Brackets that open an aside, round or square.
    pub(super) asides: u32,
    /// Marks that part clauses.
    pub(super) clauses: u32,
    /// Marks between the steps of a path.
    pub(super) steps: u32,
    /// Quotation marks that open, less those that close: of Latin scripts, of Chinese.
    pub(super) open_quotes: [i32; 2],
    /// Quotation marks that are the same at both ends.
    pub(super) straight_quotes: u32,
    /// Ideographs and their like.
    pub(super) ideographs: u32,
    /// Who speaks and is spoken to, in Chinese.
    pub(super) persons: u32,
}

impl Census {
    pub(super) fn of(text: &str) -> Self {
        let mut seen = Self::default();
        for c in text.chars() {
            seen.count(c);
        }
        seen
    }

    fn count(&mut self, c: char) {
        if c.is_ascii_lowercase() {
            self.shown += 1;
            self.letters += 1;
            return;
        }
        if c.is_whitespace() {
            return;
        }
        self.shown += 1;
        match c {
            'A'..='Z' => self.letters += 1,
            '0'..='9' => self.digits += 1,
            '(' | '（' => {
                self.open_brackets += 1;
                self.asides += 1;
            }
            ')' | '）' => self.open_brackets -= 1,
            '[' => self.asides += 1,
            ',' | ':' | '，' | '；' | '：' | '、' => self.clauses += 1,
            ';' => {
                self.clauses += 1;
                self.code += 1;
            }
            '|' | '>' => {
                self.steps += 1;
                self.code += 1;
            }
            '›' | '»' => self.steps += 1,
            '{' | '}' | '<' | '=' | '$' | '\\' | '^' | '~' | '#' | '_' | '/' | '@' => {
                self.code += 1;
            }
            '“' => self.open_quotes[0] += 1,
            '”' => self.open_quotes[0] -= 1,
            '「' => self.open_quotes[1] += 1,
            '」' => self.open_quotes[1] -= 1,
            '"' => self.straight_quotes += 1,
            _ => {
                self.letters += u32::from(c.is_alphabetic());
                self.ideographs += u32::from(is_cjk(c));
                self.persons += u32::from(matches!(c, '我' | '你' | '您'));
            }
        }
    }
}
