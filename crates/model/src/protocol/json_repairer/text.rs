//! Repairs strings: finds their end and corrects their escapes.

use super::words::closing;
use super::{Expects, JsonRepairer, Within};
use std::fmt::Write;

impl JsonRepairer {
    /// Copies the beginning of `text` inside a string, up to the first character that may need a
    /// repair. Returns the rest. Answers are mostly such text.
    pub(super) fn copy_plain<'t>(&mut self, text: &'t str) -> &'t str {
        let Within::Text(quote) = self.within else {
            return text;
        };
        if self.high.is_some() || !quote.is_ascii() {
            return text;
        }
        let special = |byte: u8| matches!(byte, 0..b' ' | b'"' | b'\\') || byte == quote as u8;
        let plain = text.bytes().position(special).unwrap_or(text.len());
        let (plain, rest) = text.split_at_checked(plain).unwrap_or_default();
        self.mended.push_str(plain);
        rest
    }

    pub(super) fn in_text(&mut self, c: char, quote: char) {
        match c {
            '\\' => self.within = Within::Escape(quote),
            _ if c == quote => {
                if self.expects == Expects::Key {
                    self.end_text();
                } else {
                    self.within = Within::Quote(quote);
                }
            }
            _ => self.write(c),
        }
    }

    pub(super) fn escaped(&mut self, c: char, quote: char) {
        self.within = Within::Text(quote);
        match c {
            'u' => self.within = Within::Hex(quote, 0, 0),
            'n' => self.write('\n'),
            't' => self.write('\t'),
            'r' => self.write('\r'),
            'b' => self.write('\u{8}'),
            'f' => self.write('\u{c}'),
            // A backslash at the end of a line continues the line, so the line break is dropped.
            '\n' => {}
            _ => self.write(c),
        }
    }

    pub(super) fn hex(&mut self, c: char, quote: char, digits: u8, value: u32) {
        let Some(digit) = c.to_digit(16) else {
            self.within = Within::Text(quote);
            self.write('\u{fffd}');
            self.take(c);
            return;
        };
        let value = value * 16 + digit;
        if digits < 3 {
            self.within = Within::Hex(quote, digits + 1, value);
            return;
        }
        self.within = Within::Text(quote);
        match (self.high.take(), value) {
            (None, 0xd800..0xdc00) => self.high = Some(value),
            (Some(high), 0xdc00..0xe000) => {
                let whole = 0x10000 + ((high - 0xd800) << 10) + (value - 0xdc00);
                self.write(char::from_u32(whole).unwrap_or('\u{fffd}'));
            }
            (Some(_), _) => {
                self.write('\u{fffd}');
                self.write(char::from_u32(value).unwrap_or('\u{fffd}'));
            }
            (None, _) => self.write(char::from_u32(value).unwrap_or('\u{fffd}')),
        }
    }

    /// Handles the character after a quotation mark. The quotation mark ends the string if a comma,
    /// a bracket or a similar character follows. It also ends the string if the next line begins
    /// with a quotation mark.
    pub(super) fn behind_quote(&mut self, c: char, quote: char) -> bool {
        let ends = match c {
            _ if c.is_whitespace() => {
                self.held.push(c);
                return false;
            }
            ',' | '，' | '}' | ']' | ':' | ';' | '/' | '#' => true,
            _ if self.ends_arguments(c) => true,
            _ => closing(c).is_some() && self.held.contains('\n'),
        };
        if ends {
            self.end_text();
            return self.take(c);
        }
        self.within = Within::Text(quote);
        self.write(quote);
        for blank in std::mem::take(&mut self.held).chars() {
            self.write(blank);
        }
        self.take(c)
    }

    pub(super) fn end_text(&mut self) {
        if self.high.take().is_some() {
            self.mended.push('\u{fffd}');
        }
        self.held.clear();
        self.note_text();
        self.mended.push('"');
        self.end_token();
    }

    /// Writes a character of a string. The character is escaped if necessary.
    pub(super) fn write(&mut self, c: char) {
        if self.high.take().is_some() {
            self.mended.push('\u{fffd}');
        }
        match c {
            '"' => self.mended.push_str("\\\""),
            '\\' => self.mended.push_str("\\\\"),
            '\n' => self.mended.push_str("\\n"),
            '\r' => self.mended.push_str("\\r"),
            '\t' => self.mended.push_str("\\t"),
            '\0'..' ' => {
                // Writing to a string can't fail.
                let _ = write!(self.mended, "\\u{:04x}", c as u32);
            }
            _ => self.mended.push(c),
        }
    }
}
