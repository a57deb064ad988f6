//! Splits text into the terms by which passages are ranked.
//!
//! Example: "the running cats" and "a cat runs" have the same terms, and the query 检索 finds
//! 全文检索. For Chinese, pairs of adjacent characters are used instead of words. A word segmenter
//! would need megabytes of data, and found no more passages in tests.

#![allow(
    clippy::inline_always,
    reason = "run once a word of the page, in a module that is compiled for size"
)]

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};

use super::language::{Language, is_cjk, is_hiragana};
use super::{english, other_stop_words};

/// The letters of common endings in German, French and Spanish.
const ENDINGS: [char; 7] = ['a', 'e', 'i', 'n', 'o', 's', 'x'];

/// Returns the terms of `text`, in order and with repetitions. Terms are stemmed and in lower case;
/// stop words are left out. Chinese, Japanese and Korean (CJK) text gives single characters and
/// pairs of characters. Latin words and numbers in CJK text are not split.
pub fn terms(text: &str, language: Language) -> Vec<String> {
    let rules = Rules::of(language);
    let mut found = Vec::new();
    rules.each_surface(text, |surface| {
        found.extend(rules.term(surface).map(Cow::into_owned));
    });
    found
}

/// The rules by which a language's text becomes terms, in two steps. [`Rules::each_surface`] finds
/// the *surfaces*, the words as they are written. [`Rules::term`] converts a surface to its term.
/// The second step is slower, so callers call it once per distinct surface.
pub(super) struct Rules {
    language: Language,
    stemmer: Option<Stemmer>,
}

impl Rules {
    pub(super) fn of(language: Language) -> Self {
        // Latin words in Chinese text are usually English.
        let stemmer = (language != Language::Other).then(|| Stemmer::create(Algorithm::English));
        Self { language, stemmer }
    }

    /// Calls `take` with each surface of `text` that may be a term: each word, and each single
    /// character and pair of characters in CJK text.
    pub(super) fn each_surface<'a>(&self, text: &'a str, mut take: impl FnMut(&'a str)) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            let start = at;
            if is_plain(*byte) {
                at += 1;
                while bytes.get(at).is_some_and(|byte| is_plain(*byte)) {
                    at += 1;
                }
                if goes_on(bytes, at) {
                    at = start + marked_word_len(text.get(start..).unwrap_or_default());
                }
                take(text.get(start..at).unwrap_or_default());
            } else if byte.is_ascii() {
                at += 1;
            } else {
                at += self.beyond_ascii(text.get(start..).unwrap_or_default(), &mut take);
            }
        }
    }

    /// Reads the word, the run of CJK characters or the mark at the beginning of `rest`. The first
    /// character of `rest` isn't ASCII. Returns the number of bytes read.
    fn beyond_ascii<'a>(&self, rest: &'a str, take: &mut impl FnMut(&'a str)) -> usize {
        let first = rest.chars().next().unwrap_or_default();
        if is_cjk(first) {
            let len = prefix(rest, is_cjk);
            self.pairs(rest.get(..len).unwrap_or_default(), take);
            len
        } else if first.is_alphanumeric() {
            let len = marked_word_len(rest);
            take(rest.get(..len).unwrap_or_default());
            len
        } else {
            first.len_utf8()
        }
    }

    fn pairs<'a>(&self, run: &'a str, take: &mut impl FnMut(&'a str)) {
        let is_chinese = self.language == Language::Chinese;
        let mut last: Option<usize> = None;
        for (at, c) in run.char_indices() {
            if is_chinese && is_particle(c) {
                last = None;
                continue;
            }
            let end = at + c.len_utf8();
            take(run.get(at..end).unwrap_or_default());
            if let Some(last) = last {
                take(run.get(last..end).unwrap_or_default());
            }
            last = Some(at);
        }
    }

    /// Returns the term of a surface; `None` for a stop word.
    pub(super) fn term<'a>(&self, surface: &'a str) -> Option<Cow<'a, str>> {
        if surface.chars().next().is_some_and(is_cjk) {
            let carries_nothing = match self.language {
                Language::Chinese => surface.chars().all(is_function_char),
                Language::English | Language::Other => surface.chars().all(is_hiragana),
            };
            return (!carries_nothing).then_some(Cow::Borrowed(surface));
        }
        let lower = surface.to_lowercase().replace('’', "'");
        let Some(stemmer) = &self.stemmer else {
            if other_stop_words::is_stop_word(&lower) {
                return None;
            }
            let stem = lower.trim_end_matches(ENDINGS);
            let is_enough = stem.chars().nth(2).is_some();
            return Some(Cow::Owned(if is_enough { stem.to_owned() } else { lower }));
        };
        if english::is_stop_word(&lower) {
            return None;
        }
        let bare = lower.strip_suffix("'s").unwrap_or(&lower);
        Some(Cow::Owned(stemmer.stem(bare).into_owned()))
    }
}

/// Returns true for a lower-case word without meaning of its own in English, German, French or
/// Spanish.
pub(super) fn is_stop_word(word: &str) -> bool {
    english::is_stop_word(word) || other_stop_words::is_stop_word(word)
}

/// Returns true for Chinese characters that say little alone. They may be part of a word about the
/// topic.
#[rustfmt::skip]
fn is_function_char(c: char) -> bool {
    matches!(c, '在' | '是' | '有' | '这' | '那' | '其' | '此' | '该' | '把' | '被' | '为' | '以' | '于'
        | '对' | '从' | '到' | '与' | '及' | '或' | '而' | '且' | '但' | '也' | '都' | '就' | '还' | '又'
        | '很' | '之' | '和' | '我' | '你' | '他' | '她' | '它' | '们' | '个' | '不' | '可' | '能' | '会'
        | '要')
}

/// Returns true for Chinese particles. They are never part of a word about the topic.
fn is_particle(c: char) -> bool {
    matches!(
        c,
        '的' | '了' | '着' | '吗' | '呢' | '吧' | '啊' | '呀' | '么'
    )
}

fn prefix(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

#[inline(always)]
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

/// Returns true if the word before index `at` may continue there: with the point of "3.5", the
/// apostrophe of "don't", or a letter outside ASCII.
#[inline(always)]
fn goes_on(bytes: &[u8], at: usize) -> bool {
    let last = at.checked_sub(1).and_then(|last| bytes.get(last));
    match bytes.get(at) {
        Some(b'\'') => true,
        Some(b'.' | b',') => last.is_some_and(u8::is_ascii_digit),
        Some(byte) => !byte.is_ascii(),
        None => false,
    }
}

/// Returns the length, in bytes, of the word at the beginning of `text`. The word may contain
/// apostrophes, decimal points and non-ASCII letters.
fn marked_word_len(text: &str) -> usize {
    let mut chars = text.char_indices().peekable();
    let mut last = ' ';
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map_or(' ', |(_, next)| *next);
        let inner = match c {
            '\'' | '’' => last.is_alphabetic() && next.is_alphabetic(),
            '.' | ',' => last.is_ascii_digit() && next.is_ascii_digit(),
            _ => c.is_alphanumeric() && !is_cjk(c) || is_combining(c),
        };
        if !inner {
            return at;
        }
        last = c;
    }
    text.len()
}

/// Returns true for vowel signs of Devanagari, combining accents and zero-width joiners.
fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{93c}'..='\u{94d}' | '\u{200c}' | '\u{200d}')
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::super::Language::{self, Chinese, English, Other};
    use super::terms;

    #[test]
    fn terms_are_stems_and_pairs() {
        let cases: &[(Language, &str, &[&str])] = &[
            (
                English,
                "The running cats and a cat's run",
                &["run", "cat", "cat", "run"],
            ),
            (English, "don’t can't it's", &[]),
            (
                English,
                "Python 3.11, 1,000 files",
                &["python", "3.11", "1,000", "file"],
            ),
            (
                English,
                "find_in_page, well-known",
                &["find", "page", "well", "known"],
            ),
            (English, "C and R", &["c", "r"]),
            (English, "", &[]),
            (Chinese, "检索", &["检", "索", "检索"]),
            (Chinese, "我的猫", &["猫"]),
            (
                Chinese,
                "使用Linux 6.1内核",
                &["使", "用", "使用", "linux", "6.1", "内", "核", "内核"],
            ),
            (Chinese, "在线", &["线", "在线"]),
            (English, "the word 猫咪", &["word", "猫", "咪", "猫咪"]),
            (Other, "Die Straßen der Stadt", &["straß", "stadt"]),
            (Other, "猫です", &["猫", "猫で"]),
        ];
        for (language, text, wanted) in cases {
            assert_eq!(terms(text, *language), *wanted, "{text}");
        }
    }

    quickcheck! {
        fn terms_do_not_depend_on_case_or_surrounding_marks(words: Vec<u8>) -> bool {
            const WORDS: &[&str] = &["Cats", "running", "the", "3.5", "检索", "Linux", "x_y"];
            let pick = |seed: &u8| WORDS.get(usize::from(*seed) % WORDS.len()).copied();
            let plain = words.iter().filter_map(pick).collect::<Vec<_>>().join(" ");
            let loud = words.iter().filter_map(pick).collect::<Vec<_>>().join("! (").to_uppercase();
            terms(&plain, English) == terms(&loud, English)
        }

        fn any_text_has_terms_without_white_space(text: String) -> bool {
            [English, Chinese, Other].iter().all(|language| {
                terms(&text, *language)
                    .iter()
                    .all(|term| !term.is_empty() && !term.contains(char::is_whitespace))
            })
        }
    }
}
