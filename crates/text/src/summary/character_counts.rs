//! Counts the characters of a sentence by kind.
//!
//! Example: most characters of a line of code are not letters. All kinds are counted in one
//! pass over the sentence, because a page may have ten thousand sentences.

use super::super::language::is_cjk;

/// The number of characters of each kind.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CharacterCounts {
    /// All characters except white space.
    pub(super) shown: u32,
    pub(super) letters: u32,
    /// Characters that are frequent in code, such as "=" and "{".
    pub(super) code: u32,
    pub(super) digits: u32,
    /// Opening round brackets, minus closing ones.
    pub(super) open_brackets: i32,
    /// Opening brackets, round or square.
    pub(super) asides: u32,
    /// Marks between clauses, such as commas.
    pub(super) clauses: u32,
    /// Double quotation marks, opening and closing.
    pub(super) quotes: u32,
    /// Chinese, Japanese and Korean characters.
    pub(super) ideographs: u32,
    /// Chinese pronouns of the first and second person.
    pub(super) persons: u32,
}

impl CharacterCounts {
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
            '|' | '>' | '{' | '}' | '<' | '=' | '$' | '\\' | '^' | '~' | '#' | '_' | '/' | '@' => {
                self.code += 1;
            }
            _ if is_quote(c) => self.quotes += 1,
            _ => {
                self.letters += u32::from(c.is_alphabetic());
                self.ideographs += u32::from(is_cjk(c));
                self.persons += u32::from(matches!(c, '我' | '你' | '您'));
            }
        }
    }
}

/// Returns true for a mark at either end of a quotation. The marks of both ends are counted together,
/// because “ opens a quotation in English, and closes one in German.
pub(super) fn is_quote(c: char) -> bool {
    matches!(c, '"' | '“' | '”' | '„' | '«' | '»' | '「' | '」')
}
