//! Removes characters that can make text look like something else.
//!
//! Terminal sequences, bidi overrides, zero-width characters and tag characters are removed from
//! answers and from all untrusted text, because readers don't need them. The marks that some
//! scripts need stay: U+200E, U+200F, and joiners between letters that join. The surface sets the
//! text direction (`dir="auto"`).

/// The maximum length of a terminal sequence that is removed as a whole, in characters.
const LONGEST_SEQUENCE: u8 = 64;

/// Removes deceptive characters from text that arrives in parts. The result is the same for any
/// split into parts.
#[derive(Debug, Default)]
pub(super) struct Cleaner {
    state: State,
    before: Option<char>,
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
    /// Appends `text` to `out`, without deceptive characters.
    pub(super) fn push(&mut self, text: &str, out: &mut String) {
        for character in text.chars() {
            if self.passes(character) {
                self.before = Some(character);
                out.push(character);
            }
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
        !in_sequence && !is_deceptive(character) && !self.joins_nothing(character)
    }

    /// Returns true for a joiner after an ASCII character. Such a joiner joins nothing, but makes
    /// two words different that look the same.
    fn joins_nothing(&self, character: char) -> bool {
        matches!(character, '\u{200c}' | '\u{200d}')
            && self.before.is_none_or(|before| before.is_ascii())
    }
}

/// Returns the text without characters that would make it look like something else.
pub fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    Cleaner::default().push(text, &mut out);
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

/// Returns true if a character is invisible, or changes the direction of the text around it.
fn is_deceptive(character: char) -> bool {
    match character {
        '\n' | '\r' | '\t' => false,
        // These override, embed or isolate the direction of text.
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        // These have zero width, are invisible operators, or are deprecated formatting characters.
        | '\u{200b}' | '\u{feff}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}'
        | '\u{180e}' | '\u{fff9}'..='\u{fffb}'
        // These tag characters form text that only programs see.
        | '\u{e0000}'..='\u{e007f}' => true,
        other => other.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    #[test]
    fn what_deceives_goes_and_words_of_every_script_stay() {
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
            ("می\u{200c}خواهم مرحبا", "می\u{200c}خواهم مرحبا"),
            (
                "👩\u{200d}👩\u{200d}👧 ❤\u{fe0f}",
                "👩\u{200d}👩\u{200d}👧 ❤\u{fe0f}",
            ),
            ("潮汐，每天两次。", "潮汐，每天两次。"),
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

    quickcheck! {
        fn any_split_gives_the_same(pieces: Vec<String>) -> bool {
            let mut cleaner = Cleaner::default();
            let mut out = String::new();
            for piece in &pieces {
                cleaner.push(piece, &mut out);
            }
            out == clean(&pieces.concat())
        }

        fn what_is_clean_stays(text: String) -> bool {
            let once = clean(&text);
            clean(&once) == once && !once.chars().any(is_deceptive)
        }
    }
}
