//! Repairs the JSON that models write, character by character, to strict JSON.
//!
//! Example: `{action: 'find_in_page', "arguments": {"query": "the "neap" tide",} // now`
//! becomes `{"action":"find_in_page","arguments":{"query":"the \"neap\" tide"}}`. At every moment,
//! the output is a prefix of strict JSON. A field can therefore be read before the input is
//! complete. Each character is examined once.
//!
//! Only common errors are repaired: wrong or unescaped quotation marks, unquoted names and words,
//! comments, missing or extra commas, wrong brackets, raw control characters, invalid escapes,
//! constants of other languages such as `None`, and Chinese punctuation.

mod text;
mod words;

pub(super) use words::constant;
use words::{closing, may_go_on};

/// Repairs one JSON object or list.
#[derive(Debug, Default)]
pub(super) struct JsonRepairer {
    mended: String,
    open: Vec<Bracket>,
    /// The number of open curly brackets.
    curly: usize,
    expects: Expects,
    within: Within,
    /// True if a comma has to be written before the next item.
    comma: bool,
    /// The byte offset at which the current key begins in the output, including the comma before
    /// the key.
    key: usize,
    /// Input that is not written yet, because its meaning is not clear: an unquoted word, or the
    /// white space after a quotation mark that may end a string.
    held: String,
    /// The first half of a surrogate pair that is written as two escapes, such as `\ud83c\udf0a`.
    high: Option<u32>,
    /// The keys, strings and opening brackets directly inside the outermost value, in order.
    events: Vec<Event>,
    text: usize,
    /// True if a round bracket ends the outermost object, as in a Python call.
    round: bool,
    broken: bool,
}

/// An element directly inside the outermost value. Strings are byte ranges of the output.
#[derive(Debug, Clone, Copy)]
pub(super) enum Event {
    Opens(char),
    Key(usize, usize),
    Text(usize, usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bracket {
    Curly,
    Square,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Expects {
    #[default]
    Value,
    Key,
    Colon,
    Comma,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Within {
    #[default]
    Nothing,
    /// Inside a string that ends with this quotation mark.
    Text(char),
    Escape(char),
    /// Inside a `\u` escape. The numbers are the count and the value of the digits read so far.
    Hex(char, u8, u32),
    /// After a quotation mark that may end the string.
    Quote(char),
    Word,
    /// Inside a comment, which ends with its line.
    Comment,
}

/// The completeness of a JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The value is complete, or only closing brackets are missing.
    Whole,
    /// The text ends within a string, a word or a key, or before a value.
    CutOff,
}

impl Bracket {
    fn close(self) -> char {
        match self {
            Self::Curly => '}',
            Self::Square => ']',
        }
    }
}

impl JsonRepairer {
    /// Makes a repairer for the arguments of a Python call, without the opening bracket.
    pub(super) fn arguments() -> Self {
        let mut mender = Self::default();
        mender.begin('{');
        mender.round = true;
        mender
    }

    fn ends_arguments(&self, c: char) -> bool {
        c == ')' && self.round && self.open.len() == 1
    }

    /// Returns the output so far, which is a prefix of strict JSON.
    pub(super) fn mended(&self) -> &str {
        &self.mended
    }

    /// Returns the elements that were read so far and are directly inside the outermost value, in
    /// order.
    pub(super) fn events(&self) -> &[Event] {
        &self.events
    }

    /// Returns the byte offset of the string that is being read. `None` if the current text is not
    /// a string value directly inside the outermost value.
    pub(super) fn open_text(&self) -> Option<usize> {
        let within = matches!(
            self.within,
            Within::Text(_) | Within::Escape(_) | Within::Hex(..) | Within::Quote(_)
        );
        let is_value = self.expects == Expects::Value && self.open.len() == 1;
        (within && is_value).then_some(self.text)
    }

    /// Records that a string ends at the current end of the output.
    fn note_text(&mut self) {
        if self.open.len() == 1 {
            let is_key = self.expects == Expects::Key;
            let event = if is_key { Event::Key } else { Event::Text };
            self.events.push(event(self.text, self.mended.len()));
        }
    }

    /// Reads the next part of the text. When the value ends, returns the number of bytes of `text`
    /// that belong to the value; otherwise `None`.
    pub(super) fn push(&mut self, text: &str) -> Option<usize> {
        let mut rest = text;
        loop {
            rest = self.copy_plain(rest);
            let c = rest.chars().next()?;
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
            if self.take(c) {
                return Some(text.len() - rest.len());
            }
        }
    }

    /// Ends the value at this point, and returns its JSON. `None` if the value can't be repaired.
    pub(super) fn finish(mut self) -> Option<(String, End)> {
        let mut end = End::Whole;
        match self.within {
            Within::Text(_) | Within::Escape(_) | Within::Hex(..) => {
                self.end_text();
                end = End::CutOff;
            }
            Within::Quote(_) => self.end_text(),
            Within::Word => {
                if self.expects == Expects::Key || may_go_on(&self.held) {
                    end = End::CutOff;
                }
                self.end_word();
            }
            _ => {}
        }
        let in_object = self.open.last() == Some(&Bracket::Curly);
        if in_object && matches!(self.expects, Expects::Colon | Expects::Value) {
            // A key without a value is dropped.
            self.mended.truncate(self.key);
            end = End::CutOff;
        }
        let closing = self.open.iter().rev().map(|it| it.close());
        self.mended.extend(closing);
        (!self.broken && !self.mended.is_empty()).then_some((self.mended, end))
    }

    /// Handles one character. Returns true when the value has ended.
    fn take(&mut self, c: char) -> bool {
        match self.within {
            Within::Nothing => return self.between(c),
            Within::Text(quote) => self.in_text(c, quote),
            Within::Escape(quote) => self.escaped(c, quote),
            Within::Hex(quote, digits, value) => self.hex(c, quote, digits, value),
            Within::Quote(quote) => return self.behind_quote(c, quote),
            Within::Word => return self.in_word(c),
            Within::Comment if c == '\n' => self.within = Within::Nothing,
            Within::Comment => {}
        }
        self.broken
    }

    fn between(&mut self, c: char) -> bool {
        match c {
            '/' | '#' => self.within = Within::Comment,
            '}' | ']' => return self.close(c),
            _ if self.ends_arguments(c) => return self.close('}'),
            _ if c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}') => {}
            ':' | '：' | '=' if self.expects == Expects::Colon => {
                self.mended.push(':');
                self.expects = Expects::Value;
            }
            // The `>` is the second character of `=>`.
            '>' if self.expects == Expects::Value => {}
            _ if self.expects == Expects::Colon => self.broken = true,
            ',' | '，' | ';' => self.comma(),
            // An ellipsis before a key is ignored. So is a second `{`, as in a prompt template's
            // `{{`.
            '.' | '{' if self.expects == Expects::Key => {}
            _ => self.begin(c),
        }
        self.broken
    }

    fn begin(&mut self, c: char) {
        if self.expects == Expects::Comma {
            self.comma();
        }
        if self.expects == Expects::Key && matches!(c, '{' | '[') {
            self.broken = true;
            return;
        }
        let in_list = self.open.last() == Some(&Bracket::Square);
        if self.expects == Expects::Key {
            self.key = self.mended.len();
        }
        if std::mem::take(&mut self.comma) && (self.expects == Expects::Key || in_list) {
            self.mended.push(',');
        }
        if matches!(c, '{' | '[') && self.open.len() == 1 {
            self.events.push(Event::Opens(c));
        }
        match c {
            '{' => {
                self.mended.push(c);
                self.open.push(Bracket::Curly);
                self.curly += 1;
                self.expects = Expects::Key;
            }
            '[' => {
                self.mended.push(c);
                self.open.push(Bracket::Square);
                self.expects = Expects::Value;
            }
            _ if self.open.is_empty() => self.broken = true,
            _ => {
                if let Some(quote) = closing(c) {
                    self.mended.push('"');
                    self.text = self.mended.len();
                    self.within = Within::Text(quote);
                } else {
                    self.held.push(c);
                    self.within = Within::Word;
                }
            }
        }
    }

    /// Records that a comma precedes the next item. A missing value becomes `null`.
    fn comma(&mut self) {
        let Some(bracket) = self.open.last() else {
            return;
        };
        let awaited = *bracket == Bracket::Curly && self.expects == Expects::Value;
        if awaited {
            self.mended.push_str("null");
        }
        if awaited || self.expects == Expects::Comma {
            self.comma = true;
            self.expects = match bracket {
                Bracket::Curly => Expects::Key,
                Bracket::Square => Expects::Value,
            };
        }
    }

    /// Closes the innermost open bracket of this kind, and all brackets inside of it. A closing
    /// bracket without an open one is ignored.
    fn close(&mut self, c: char) -> bool {
        // The open brackets are counted, because searching through all of them would be slow.
        let opened = match c {
            '}' => self.curly,
            _ => self.open.len() - self.curly,
        };
        if opened == 0 {
            self.broken = self.open.is_empty();
            return self.broken;
        }
        if self.expects == Expects::Colon {
            self.broken = true;
            return true;
        }
        if self.expects == Expects::Value && self.open.last() == Some(&Bracket::Curly) {
            self.mended.push_str("null");
        }
        while let Some(bracket) = self.open.pop() {
            self.mended.push(bracket.close());
            self.curly -= usize::from(bracket == Bracket::Curly);
            if bracket.close() == c {
                break;
            }
        }
        self.comma = false;
        self.expects = Expects::Comma;
        self.open.is_empty()
    }

    fn end_token(&mut self) {
        self.within = Within::Nothing;
        self.expects = match self.expects {
            Expects::Key => Expects::Colon,
            _ => Expects::Comma,
        };
    }

    fn in_word(&mut self, c: char) -> bool {
        let ends = match self.expects {
            Expects::Key => c.is_whitespace() || matches!(c, ':' | '：' | '='),
            _ => matches!(c, ',' | '，' | '\n' | '\r'),
        };
        if ends || matches!(c, '}' | ']') || self.ends_arguments(c) {
            self.end_word();
            return self.take(c);
        }
        self.held.push(c);
        false
    }

    fn end_word(&mut self) {
        let held = std::mem::take(&mut self.held);
        let word = held.trim();
        if self.expects == Expects::Key {
            self.quote(word);
        } else {
            match constant(word) {
                Some(meant) => self.mended.push_str(&meant),
                None => self.quote(word),
            }
        }
        self.end_token();
    }

    fn quote(&mut self, word: &str) {
        self.mended.push('"');
        self.text = self.mended.len();
        for c in word.chars() {
            self.write(c);
        }
        self.note_text();
        self.mended.push('"');
    }
}
