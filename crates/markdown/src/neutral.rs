//! Removes characters that a reader doesn't see, or that make text look like something else.
//!
//! Example: a page makes the model write tag characters, in which a secret or an order to
//! the next model is hidden. Whoever copies the answer would pass them on. Terminal sequences, bidi
//! controls and all characters that Unicode calls default ignorable are removed, except where
//! readers need them: joiners between letters that join, the parts of emoji, and the direction
//! marks of a line with letters from right to left. The surface sets the text direction
//! (`dir="auto"`).

use std::fmt::Write as _;

/// The maximum length of a terminal sequence that is removed as a whole, in characters.
const LONGEST_SEQUENCE: u8 = 64;

/// The flags that are written as a black flag and tag characters, with the tags as ASCII.
const FLAGS: [&str; 3] = ["gbeng\u{7f}", "gbsct\u{7f}", "gbwls\u{7f}"];

/// Removes hidden characters from text that arrives in parts. The result is the same for any split
/// into parts.
#[derive(Debug, Default)]
pub(super) struct Cleaner {
    state: State,
    before: Option<char>,
    /// True if the line has a letter that is written from right to left.
    is_rtl: bool,
    /// The tag characters since the last black flag, as ASCII.
    flag: String,
    /// True after a digit with an emoji's mark, which is only kept before a keycap.
    is_keycap: bool,
}

/// The position within a terminal sequence (ECMA-48).
#[derive(Debug, Default, Clone, Copy)]
enum State {
    #[default]
    Words,
    Escape,
    /// After `ESC [` or U+009B, with the number of characters since then.
    Control(u8),
    /// After `ESC ]` or U+009D, which set a title or a link, with the number of characters since
    /// then.
    Command(u8),
}

impl Cleaner {
    /// Appends `text` to `out`, without hidden characters.
    pub(super) fn push(&mut self, text: &str, out: &mut String) {
        for character in text.chars() {
            if matches!(self.state, State::Words) && matches!(character, ' '..='~') {
                self.is_keycap = false;
            } else if !self.passes(character) {
                continue;
            } else if std::mem::take(&mut self.is_keycap) && character == KEYCAP {
                out.push(AS_EMOJI);
            }
            self.before = Some(character);
            out.push(character);
        }
    }

    fn passes(&mut self, character: char) -> bool {
        let (state, in_sequence) = match (self.state, character) {
            (_, '\u{1b}') => (State::Escape, true),
            (State::Escape, '[') | (_, '\u{9b}') => (State::Control(0), true),
            (State::Escape, ']') | (_, '\u{9d}') => (State::Command(0), true),
            (State::Escape, '\\')
            | (State::Command(_), '\u{7}' | '\u{9c}')
            | (State::Control(_), '@'..='~') => (State::Words, true),
            (State::Control(n), ' '..='?') if n < LONGEST_SEQUENCE => (State::Control(n + 1), true),
            (State::Command(n), ' '..) if n < LONGEST_SEQUENCE => (State::Command(n + 1), true),
            _ => (State::Words, false),
        };
        self.state = state;
        if in_sequence {
            return false;
        }
        if !is_hidden(character) {
            self.is_rtl = character != '\n' && (self.is_rtl || is_from_right(character));
            return true;
        }
        // Each exception needs a visible character before it, so that no two follow each other.
        let Some(before) = self.before else {
            return false;
        };
        match character {
            '\u{200c}' => joins(before),
            '\u{200d}' => joins(before) || is_pictograph(before) || before == AS_EMOJI,
            '\u{200e}' | '\u{200f}' | '\u{61c}' => self.is_rtl && !is_hidden(before),
            '\u{fe0e}' | AS_EMOJI => {
                self.is_keycap = character == AS_EMOJI && is_keycap_base(before);
                is_pictograph(before)
            }
            '\u{e0020}'..='\u{e007f}' => self.continues_flag(before, character),
            _ => false,
        }
    }

    /// Returns true for the next tag character of one of [`FLAGS`].
    fn continues_flag(&mut self, before: char, tag: char) -> bool {
        match before {
            '\u{1f3f4}' => self.flag.clear(),
            '\u{e0020}'..='\u{e007f}' => {}
            _ => return false,
        }
        self.flag.extend(char::from_u32(u32::from(tag) - 0xe0000));
        FLAGS.iter().any(|known| known.starts_with(&self.flag))
    }
}

/// The mark that makes the character before it an emoji.
const AS_EMOJI: char = '\u{fe0f}';

/// The frame around a digit, as in 1️⃣.
const KEYCAP: char = '\u{20e3}';

fn is_keycap_base(character: char) -> bool {
    matches!(character, '0'..='9' | '#' | '*')
}

/// Returns true for symbols that can be emoji.
fn is_pictograph(character: char) -> bool {
    matches!(
        character,
        '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}'
            | '\u{2190}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}'
            | '\u{1f000}'..='\u{1faff}'
    )
}

/// Returns true for letters of scripts in which joiners change the letters' forms: Arabic, those
/// of India and South-East Asia, and Mongolian.
fn joins(character: char) -> bool {
    matches!(
        character,
        '\u{620}'..='\u{dff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17b3}'
            | '\u{17b6}'..='\u{180a}' | '\u{1810}'..='\u{18af}' | '\u{1a20}'..='\u{1bff}'
            | '\u{a800}'..='\u{abff}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
            | '\u{11000}'..='\u{11fff}' | '\u{1e900}'..='\u{1e95f}'
    )
}

/// Returns true for letters that are written from right to left.
fn is_from_right(character: char) -> bool {
    matches!(
        character,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
            | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}'
    )
}

/// Returns the text without hidden characters.
pub fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    Cleaner::default().push(text, &mut out);
    out
}

/// Returns a JSON text in which hidden characters are written as escapes, such as `\u202e`. It means
/// the same.
pub fn visible_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for character in json.chars() {
        if is_hidden(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(character);
        }
    }
    out
}

/// Cleans a text as [`clean`] does, and puts it on one line with single spaces.
pub fn line(text: &str) -> String {
    clean(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the first `most` characters of a text, followed by an ellipsis if the text is longer.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Returns true if a character is invisible, or changes the direction of the text around it. These
/// are the control characters, and Unicode's `Default_Ignorable_Code_Point`.
fn is_hidden(character: char) -> bool {
    match character {
        '\n' | '\r' | '\t' => false,
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{fe00}'..=AS_EMOJI
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' => true,
        other => other.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    #[test]
    fn what_nobody_sees_goes_and_words_of_every_script_stay() {
        for (text, cleaned) in [
            ("a\u{1b}[31mred\u{1b}[0m b", "ared b"),
            ("\u{9b}1;4mx", "x"),
            (
                "\u{1b}]8;;https://evil.example\u{7}go\u{1b}]8;;\u{1b}\\ on",
                "go on",
            ),
            ("invoice\u{202e}fdp.exe", "invoicefdp.exe"),
            ("\u{2066}a\u{2069}", "a"),
            ("pay\u{200b}pal\u{feff}.com", "paypal.com"),
            ("pay\u{200d}pal", "paypal"),
            ("a\u{e0041}\u{e0042}b", "ab"),
            ("nul\0 bell\u{7} back\u{8}", "nul bell back"),
            ("line\r\n\ttab", "line\r\n\ttab"),
            ("שלום \u{200f}עולם", "שלום \u{200f}עולם"),
            ("שפת C++\u{200e} היא", "שפת C++\u{200e} היא"),
            ("می\u{200c}خواهم مرحبا", "می\u{200c}خواهم مرحبا"),
            (
                "👩\u{200d}👩\u{200d}👧 ❤\u{fe0f}",
                "👩\u{200d}👩\u{200d}👧 ❤\u{fe0f}",
            ),
            (
                "क्\u{200d}ष ক্\u{200c}ষ ക്\u{200d}",
                "क्\u{200d}ष ক্\u{200c}ষ ക്\u{200d}",
            ),
            (
                "1\u{fe0f}\u{20e3} #\u{fe0f}\u{20e3}",
                "1\u{fe0f}\u{20e3} #\u{fe0f}\u{20e3}",
            ),
            (
                "❤\u{fe0f}\u{200d}🔥 🏳\u{fe0f}\u{200d}🌈 👍🏽 ☎\u{fe0e}",
                "❤\u{fe0f}\u{200d}🔥 🏳\u{fe0f}\u{200d}🌈 👍🏽 ☎\u{fe0e}",
            ),
            (
                "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} 1:0",
                "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} 1:0",
            ),
            ("潮汐，每天两次。", "潮汐，每天两次。"),
        ] {
            assert_eq!(clean(text), cleaned, "{text:?}");
        }
    }

    /// Each text has room for data that only a program reads. The table contains what may be left.
    #[test]
    fn hidden_characters_carry_no_message() {
        for (text, cleaned) in [
            ("co\u{ad}op\u{34f} \u{200e}\u{200f}a", "coop a"),
            ("潮\u{200c}汐\u{200d}。", "潮汐。"),
            ("می\u{200c}\u{200d}\u{200c}خ", "می\u{200c}خ"),
            ("👩\u{200d}\u{200d}\u{200c}👧", "👩\u{200d}👧"),
            ("🙂\u{fe01}\u{e0100}\u{e01ef}\u{fe0f}\u{fe0f}", "🙂\u{fe0f}"),
            ("tide 1\u{fe0f}2\u{fe0f}3 葛\u{e0100}", "tide 123 葛"),
            ("עולם\u{200e}\u{200f}\u{200e}", "עולם\u{200e}"),
            ("עולם\nplain\u{200e}", "עולם\nplain"),
            (
                "🏴\u{e0073}\u{e0065}\u{e0063}\u{e0072}\u{e0065}\u{e0074}",
                "🏴",
            ),
            (
                "🏴\u{e0067}\u{e0062}\u{e0067}\u{e0062}",
                "🏴\u{e0067}\u{e0062}",
            ),
            ("ab\u{e0067}\u{e0062}\u{3164}\u{ffa0}\u{115f}", "ab"),
            ("\u{1d173}\u{fff9}\u{1bca0}\u{2061}\u{180b}x", "x"),
        ] {
            assert_eq!(clean(text), cleaned, "{text:?}");
        }
    }

    #[test]
    fn a_sequence_without_an_end_swallows_no_answer() {
        let text = format!("\u{1b}]{}", "word ".repeat(100));
        assert!(clean(&text).len() > 400);
        assert_eq!(clean("\u{1b}[12\nnext"), "\nnext");
    }

    /// Makes a text of characters that the rules know.
    fn special(picks: &[u8]) -> String {
        let all: Vec<char> = "a1#\n\u{1b}[]m\u{7}\u{9d}م潮❤🏴\u{fe0e}\u{fe0f}\u{20e3}\u{200c}\u{200d}\u{200e}\u{61c}\u{e0067}\u{e0062}\u{e0065}\u{202e}"
            .chars()
            .collect();
        picks
            .iter()
            .map(|pick| all[usize::from(*pick) % all.len()])
            .collect()
    }

    quickcheck! {
        fn any_split_gives_the_same(pieces: Vec<Vec<u8>>) -> bool {
            let pieces: Vec<String> = pieces.iter().map(|picks| special(picks)).collect();
            let mut cleaner = Cleaner::default();
            let mut out = String::new();
            for piece in &pieces {
                cleaner.push(piece, &mut out);
            }
            out == clean(&pieces.concat())
        }

        fn what_is_clean_stays(picks: Vec<u8>, text: String) -> bool {
            let once = clean(&(special(&picks) + &text));
            clean(&once) == once
        }

        fn json_with_escapes_means_the_same(text: String) -> bool {
            let text = format!("{text}\u{202e}\u{e0041}\u{9b}");
            let json = visible_json(&serde_json::to_string(&text).unwrap());
            !json.chars().any(is_hidden) && serde_json::from_str::<String>(&json).unwrap() == text
        }
    }
}
