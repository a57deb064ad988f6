//! Text as the terms it is ranked by.
//!
//! Driving example: "the running cats" and "a cat runs" share both terms, and
//! 全文检索 is found by 检索. Deliberately no dictionary: pairs of characters
//! stand for Chinese words (a segmenter costs megabytes and finds no more).

use rust_stemmers::{Algorithm, Stemmer};

use super::english;
use super::language::{Language, is_cjk};

/// Chinese characters that carry no topic alone, though words contain them.
const FUNCTION_CHARS: &str =
    "在是有这那其此该把被为以于对从到与及或而且但也都就还又很之和我你他她它们个不可能会要";

/// Chinese particles: no word that tells a topic contains them.
const PARTICLES: &str = "的了着吗呢吧啊呀么";

/// The terms of `text` in order, repeated as often as they occur: lower-cased,
/// without stop words, English ones stemmed; CJK as single characters and pairs,
/// the Latin words and numbers between them whole.
pub fn terms(text: &str, language: Language) -> Vec<String> {
    let mut found = Vec::new();
    each_term(text, language, |term| found.push(term));
    found
}

fn each_term(text: &str, language: Language, mut take: impl FnMut(String)) {
    // Latin words among Chinese are English more often than not.
    let stemmer = (language != Language::Other).then(|| Stemmer::create(Algorithm::English));
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let len = if is_cjk(first) {
            let len = prefix(rest, is_cjk);
            pairs(rest.get(..len).unwrap_or_default(), language, &mut take);
            len
        } else if first.is_alphanumeric() {
            let len = word_len(rest);
            let word = rest.get(..len).unwrap_or_default();
            if let Some(term) = normal(word, stemmer.as_ref()) {
                take(term);
            }
            len
        } else {
            first.len_utf8()
        };
        rest = rest.get(len..).unwrap_or_default();
    }
}

fn prefix(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

/// The length of the word that begins here: apostrophes and the points of
/// numbers are within it.
fn word_len(text: &str) -> usize {
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

fn normal(word: &str, stemmer: Option<&Stemmer>) -> Option<String> {
    let lower = word.to_lowercase().replace('’', "'");
    let Some(stemmer) = stemmer else {
        return Some(lower);
    };
    if english::is_stop_word(&lower) {
        return None;
    }
    let bare = lower.strip_suffix("'s").unwrap_or(&lower);
    Some(stemmer.stem(bare).into_owned())
}

fn pairs(run: &str, language: Language, take: &mut impl FnMut(String)) {
    let drops = |c: char| language == Language::Chinese && FUNCTION_CHARS.contains(c);
    let parts = |c: char| language == Language::Chinese && PARTICLES.contains(c);
    let mut last: Option<char> = None;
    for c in run.chars() {
        if parts(c) {
            last = None;
            continue;
        }
        if !drops(c) {
            take(c.to_string());
        }
        if let Some(last) = last
            && !(drops(last) && drops(c))
        {
            take([last, c].iter().collect());
        }
        last = Some(c);
    }
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
