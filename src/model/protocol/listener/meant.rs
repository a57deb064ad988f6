//! Whether what begins like a call written as Python can still be one.
//!
//! Driving example: `find_in_page(query)` is how an answer speaks of a tool, and goes on: "looks
//! the page through." From the word behind the bracket on it is no call, and is shown as it
//! comes. Only what [`pythonic::read`](crate::model::protocol::pythonic::read) would take for words
//! is given up, and arguments without names over whose line's end the bracket stands open.
//! Looks at each letter once.

use super::{Listener, State};
use crate::model::protocol::signs::Form;

impl Listener {
    /// What may be a call begins with what is held.
    pub(super) fn hold(&mut self, show: &mut impl FnMut(&str)) {
        let held = self.held.clone();
        self.watch(&held, show);
        // What stands in a fence is code, whether a call or shown.
        let is_python = Form::of(&held, self.reading.tools.known()) == Form::Python;
        self.meant = (is_python && !held.starts_with('`')).then(Meant::default);
        self.follow(&held, show);
    }

    /// It goes on. Where it is no call any more it is shown, from behind its bracket on as any
    /// text is.
    pub(super) fn follow(&mut self, piece: &str, show: &mut impl FnMut(&str)) {
        let Some(meant) = &mut self.meant else { return };
        if meant.goes_on(piece) {
            return;
        }
        self.meant = None;
        self.watch = None;
        self.state = State::Open;
        let behind = self.held.find('(').map_or(self.held.len(), |at| at + 1);
        let rest = self.held.split_off(behind);
        let begins = std::mem::replace(&mut self.held, rest);
        self.show(&begins, show);
    }
}

/// Follows a text that begins with the name of a tool and a bracket.
#[derive(Default)]
pub(super) struct Meant {
    at: At,
    listed: bool,
    /// The brackets that are open in a value.
    depth: usize,
}

/// Where in it.
#[derive(Clone, Copy, Default)]
enum At {
    /// Nothing has come.
    #[default]
    Begin,
    /// A call's name, which may have ended.
    Name { begun: bool, ended: bool },
    /// An argument's name, which may have ended.
    Key { begun: bool, ended: bool },
    /// Before a value.
    Value,
    /// In one without quotes, behind which blanks stand.
    Bare { ended: bool },
    /// Behind so many quotes that open one.
    Opening { quote: char, count: u8 },
    /// In quotes, as many as close it, behind so many of them, or behind a backslash.
    Text {
        quote: char,
        close: u8,
        run: u8,
        escaped: bool,
    },
    /// Behind a value.
    Ended,
    /// In no arguments that can be read, within so many brackets.
    Unread(usize),
    /// Behind a call.
    Behind,
    /// Behind the list of calls.
    Closed,
    /// What comes may be marks of the model's own, which mean nothing.
    Marks,
}

impl Meant {
    /// It goes on; false if it is no call any more.
    pub(super) fn goes_on(&mut self, text: &str) -> bool {
        text.chars().all(|letter| match self.after(letter) {
            Some(at) => {
                self.at = at;
                true
            }
            None => false,
        })
    }

    fn after(&mut self, letter: char) -> Option<At> {
        let blank = letter.is_whitespace();
        let part = letter.is_alphanumeric() || matches!(letter, '_' | '.' | '-');
        let at = match self.at {
            At::Begin if letter == '[' => {
                self.listed = true;
                name(false)
            }
            At::Begin | At::Name { .. } => return self.in_name(letter, blank, part),
            At::Key { begun: false, .. } | At::Behind | At::Closed if blank => self.at,
            At::Key { ended: false, .. } if part => key(false),
            At::Key { begun: true, .. } if blank => key(true),
            At::Key { begun: true, .. } if letter == '=' => At::Value,
            At::Key { begun: false, .. } if letter == ')' => At::Behind,
            At::Value if blank => At::Value,
            At::Value => self.in_value(letter),
            At::Bare { .. } if matches!(letter, ',' | ')' | ']' | '}' | ':') => self.ended(letter),
            At::Bare { .. } if blank => At::Bare { ended: true },
            At::Bare { ended: false } if !matches!(letter, '(' | '"' | '\'') => self.at,
            At::Opening { quote, count } => self.opening(quote, count, letter),
            At::Text {
                quote,
                close,
                run,
                escaped,
            } => text(quote, close, run, escaped, letter),
            At::Ended if blank => At::Ended,
            At::Ended => self.ended(letter),
            At::Unread(depth) => return unread(depth, letter),
            At::Behind | At::Closed if matches!(letter, '<' | '`') => At::Marks,
            At::Behind if letter == ',' => name(false),
            At::Behind if letter == ']' && self.listed => At::Closed,
            At::Behind if (letter.is_alphabetic() || letter == '_') && !self.listed => name(true),
            At::Behind | At::Closed => return None,
            At::Marks => At::Marks,
            At::Key { .. } | At::Bare { .. } => return self.gives_up(letter),
        };
        match at {
            At::Unread(_) => self.gives_up(letter),
            at => Some(at),
        }
    }

    fn in_name(&self, letter: char, blank: bool, part: bool) -> Option<At> {
        let (begun, ended) = match self.at {
            At::Name { begun, ended } => (begun, ended),
            _ => (false, false),
        };
        match letter {
            '(' if begun => Some(At::Key {
                begun: false,
                ended: false,
            }),
            _ if blank => Some(At::Name {
                begun,
                ended: begun,
            }),
            _ if part && !ended => Some(name(true)),
            _ => None,
        }
    }

    fn in_value(&mut self, letter: char) -> At {
        match letter {
            '"' | '\'' => At::Opening {
                quote: letter,
                count: 1,
            },
            '[' | '(' | '{' => {
                self.depth += 1;
                At::Value
            }
            ')' | ']' | '}' => self.ended(letter),
            _ => At::Bare { ended: false },
        }
    }

    fn opening(&mut self, quote: char, count: u8, letter: char) -> At {
        match (letter == quote, count) {
            (true, 1) => At::Opening { quote, count: 2 },
            (true, _) => open(quote, 3),
            // Nothing stood in it.
            (false, 2) if letter.is_whitespace() => At::Ended,
            (false, 2) => self.ended(letter),
            (false, _) => text(quote, 1, 0, false, letter),
        }
    }

    /// What comes behind a value, or closes what holds it.
    fn ended(&mut self, letter: char) -> At {
        match (letter, self.depth) {
            (',', 0) => key_to_come(),
            (',' | ':', _) if self.depth > 0 => At::Value,
            (')', 0) => At::Behind,
            (')' | ']' | '}', depth) if depth > 0 => {
                self.depth -= 1;
                At::Ended
            }
            _ => At::Unread(0),
        }
    }

    /// Its arguments can't be read: only where it ends can tell now.
    fn gives_up(&mut self, letter: char) -> Option<At> {
        let depth = std::mem::take(&mut self.depth) + 1;
        unread(depth, letter)
    }
}

fn name(begun: bool) -> At {
    At::Name {
        begun,
        ended: false,
    }
}

fn key(ended: bool) -> At {
    At::Key { begun: true, ended }
}

fn key_to_come() -> At {
    At::Key {
        begun: false,
        ended: false,
    }
}

fn open(quote: char, close: u8) -> At {
    At::Text {
        quote,
        close,
        run: 0,
        escaped: false,
    }
}

fn text(quote: char, close: u8, run: u8, escaped: bool, letter: char) -> At {
    let run = if letter == quote && !escaped {
        run + 1
    } else {
        0
    };
    if run == close {
        return At::Ended;
    }
    At::Text {
        quote,
        close,
        run,
        escaped: letter == '\\' && !escaped,
    }
}

fn unread(depth: usize, letter: char) -> Option<At> {
    match letter {
        '\n' => None,
        '(' => Some(At::Unread(depth + 1)),
        ')' if depth == 1 => Some(At::Behind),
        ')' => Some(At::Unread(depth - 1)),
        _ => Some(At::Unread(depth)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Calling;
    use crate::model::protocol::pythonic::{self, Python};
    use crate::model::protocol::signs::Sign;
    use crate::model::protocol::tests::tools;
    use quickcheck::quickcheck;

    fn stays(text: &str) -> bool {
        Meant::default().goes_on(text)
    }

    #[test]
    fn what_may_be_a_call_stays_one() {
        for text in [
            "find_in_page(query='neap tide')",
            "find_in_page(\n  query=\"what's (new)\",\n  n = 3,\n)",
            "[find_in_page(query=\"\"\"a \" b\"\"\"), web_search(query='')]\n",
            "find_in_page()\nweb_search(query=\"it's\", domains=['a', 'b'], n=None)",
            "web_search(query={'a': [1, 2], 'b': (3, 4)}, fresh=True)<|im_end|>",
            "find_in_page(query='a\\'b",
            // Not understood, and perhaps meant: whoever wrote it is asked.
            "find_in_page('neap tide')",
            "find_in_page(neap tide)",
        ] {
            assert!(stays(text), "{text}");
        }
    }

    #[test]
    fn what_is_words_is_given_up_as_soon_as_that_is_seen() {
        for (text, rest) in [
            ("find_in_page(query) f", "inds what bears on it."),
            ("find_in_page(query='tide').", " It is a tool."),
            ("find_in_page(what you look for\n", "\nis a tool)"),
            ("find_in_page(query='a'), which l", "ooks it up"),
            ("[find_in_page(query='a')] i", "s a call"),
        ] {
            let before = text.char_indices().last().map_or(0, |(at, _)| at);
            let is_word = text.ends_with(|c: char| c.is_alphanumeric());
            assert!(stays(&text[..before]), "{text}");
            // A word may be a call's name until a blank ends it and another follows.
            assert!(!stays(text) || is_word, "{text}");
            assert!(!stays(&format!("{text}{rest}")), "{text}{rest}");
        }
    }

    #[test]
    fn an_answer_that_begins_with_a_tools_name_is_shown_as_it_comes() {
        let mut listener = Listener::new(Calling::Text, tools().into());
        let mut shown = Vec::new();
        let words = "find_in_page(query) looks the page through.\nweb_search(the words\nof a \
            question) looks on the web.";
        for word in words.split_inclusive(' ') {
            listener.push(word, |text| shown.push(text.to_owned()));
        }
        assert!(shown.len() > 8, "{shown:?}");
        let speech = listener.finish(|text| shown.push(text.to_owned()));
        assert_eq!(shown.concat(), words);
        assert_eq!(speech.text, words);
        assert!(speech.malformed.is_none() && speech.calls.is_empty());
    }

    #[test]
    fn a_long_answer_of_such_lines_is_looked_at_a_bounded_number_of_times() {
        let lines = [
            "find_in_page(a='\n",
            "find_in_page(a=\"\"\"\nweb_search(b='''\n",
            "find_in_page(\n",
            "find_in_page(query) is one.\n",
        ];
        for line in lines {
            let reply = line.repeat(20_000);
            let mut listener = Listener::new(Calling::Text, tools().into());
            for piece in reply.as_bytes().chunks(7) {
                listener.push(&String::from_utf8_lossy(piece), |_| ());
            }
            let speech = listener.finish(|_| ());
            assert!(speech.text.len() > reply.len() / 2, "{line}");
        }
    }

    quickcheck! {
        fn no_call_that_can_be_read_is_given_up(pieces: Vec<u8>) -> bool {
            const PIECES: [&str; 20] = [
                "a=", "1", "'x'", "\"y\"", ", ", ")", "(", "[", "]", "{", "}", ": ", "\n", "web_search(",
                "None", "''", "'''z'''", " ", "web_search(a=1)", "\\",
            ];
            let pieces = pieces.iter().filter_map(|at| PIECES.get(usize::from(*at) % 20));
            let text = format!("find_in_page({}", pieces.copied().collect::<String>());
            let is_call = matches!(pythonic::sign(&text, &tools()), Sign::Call)
                && matches!(pythonic::read(&text), Python::Calls(_));
            !is_call || stays(&text)
        }
    }
}
