//! Text as the terms it is ranked by.
//!
//! Driving example: "the running cats" and "a cat runs" share both terms, and
//! 全文检索 is found by 检索. Deliberately no dictionary: pairs of characters
//! stand for Chinese words (a segmenter costs megabytes and finds no more).

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};

use super::english;
use super::language::{Language, is_cjk};

/// The terms of `text` in order, repeated as often as they occur: lower-cased,
/// without stop words, English ones stemmed; CJK as single characters and pairs,
/// the Latin words and numbers between them whole.
pub fn terms(text: &str, language: Language) -> Vec<String> {
    let rules = Rules::of(language);
    let mut found = Vec::new();
    rules.each_surface(text, |surface| {
        found.extend(rules.term(surface).map(Cow::into_owned));
    });
    found
}

/// How a language's text becomes terms, in two halves: where a term's surface stands,
/// and what term a surface is. The second costs more and is asked once for each
/// distinct surface.
pub(super) struct Rules {
    language: Language,
    stemmer: Option<Stemmer>,
}

impl Rules {
    pub(super) fn of(language: Language) -> Self {
        // Latin words among Chinese are English more often than not.
        let stemmer = (language != Language::Other).then(|| Stemmer::create(Algorithm::English));
        Self { language, stemmer }
    }

    /// Gives each place of `text` that may be a term: words, and of CJK single
    /// characters and pairs.
    pub(super) fn each_surface<'a>(&self, text: &'a str, mut take: impl FnMut(&'a str)) {
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let len = if first.is_ascii() && !first.is_ascii_alphanumeric() {
                1
            } else if is_cjk(first) {
                let len = prefix(rest, is_cjk);
                self.pairs(rest.get(..len).unwrap_or_default(), &mut take);
                len
            } else if first.is_alphanumeric() {
                let len = word_len(rest);
                take(rest.get(..len).unwrap_or_default());
                len
            } else {
                first.len_utf8()
            };
            rest = rest.get(len..).unwrap_or_default();
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

    /// The term that a surface is; none for a stop word.
    pub(super) fn term<'a>(&self, surface: &'a str) -> Option<Cow<'a, str>> {
        if surface.chars().next().is_some_and(is_cjk) {
            let carries_nothing =
                self.language == Language::Chinese && surface.chars().all(is_function_char);
            return (!carries_nothing).then_some(Cow::Borrowed(surface));
        }
        let lower = surface.to_lowercase().replace('’', "'");
        let Some(stemmer) = &self.stemmer else {
            return Some(Cow::Owned(lower));
        };
        if english::is_stop_word(&lower) {
            return None;
        }
        let bare = lower.strip_suffix("'s").unwrap_or(&lower);
        Some(Cow::Owned(stemmer.stem(bare).into_owned()))
    }
}

/// Chinese characters that carry no topic alone, though words contain them.
#[rustfmt::skip]
fn is_function_char(c: char) -> bool {
    matches!(c, '在' | '是' | '有' | '这' | '那' | '其' | '此' | '该' | '把' | '被' | '为' | '以' | '于'
        | '对' | '从' | '到' | '与' | '及' | '或' | '而' | '且' | '但' | '也' | '都' | '就' | '还' | '又'
        | '很' | '之' | '和' | '我' | '你' | '他' | '她' | '它' | '们' | '个' | '不' | '可' | '能' | '会'
        | '要')
}

/// Chinese particles: no word that tells a topic contains them.
fn is_particle(c: char) -> bool {
    matches!(
        c,
        '的' | '了' | '着' | '吗' | '呢' | '吧' | '啊' | '呀' | '么'
    )
}

fn prefix(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

/// The length of the word that begins here: apostrophes and the points of
/// numbers are within it.
fn word_len(text: &str) -> usize {
    // Most words are plain ASCII between plain ASCII.
    let plain = text.bytes().position(|byte| !byte.is_ascii_alphanumeric());
    match plain.and_then(|at| Some((at, *text.as_bytes().get(at)?))) {
        None => text.len(),
        Some((at, byte)) if byte.is_ascii() && !matches!(byte, b'\'' | b'.' | b',') => at,
        Some(_) => marked_word_len(text),
    }
}

/// The same, for a word with a mark or a letter beyond ASCII in or behind it.
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

/// Vowel signs of Indic scripts and accents that stand apart from their letter.
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
            (
                Other,
                "Die Häuser der Stadt",
                &["die", "häuser", "der", "stadt"],
            ),
            (Other, "猫です", &["猫", "で", "猫で", "す", "です"]),
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
