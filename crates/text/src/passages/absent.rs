//! Finds the names, numbers and quoted words of a question that a page doesn't contain.
//!
//! Example: Gloss remarks that a page never mentions "Boston", if the question was "When is high
//! tide in Boston?". A reader can check such a remark, so the remark must not be wrong. A word that
//! occurs in another form or inside a longer word therefore counts as present.

use super::super::language::{Language, is_cjk};
use super::super::terms::is_stop_word;
use super::super::{english, other_stop_words};

/// The maximum number of words that are returned.
const MOST: usize = 3;

/// Words that show that a question is German. German capitalises all nouns, so a capital doesn't
/// show a name.
#[rustfmt::skip]
const GERMAN: [&str; 22] = [
    "auf", "das", "dem", "der", "die", "ein", "eine", "gibt", "hat", "im", "ist", "mit", "nach",
    "sind", "und", "von", "wann", "war", "welche", "wer", "wie", "wo",
];

/// Latin letters with accents, each group with the ASCII letters that replace them. Chrome's search
/// in the page ignores accents too.
const ACCENTS: [(&str, &str); 19] = [
    ("àáâãäåāăą", "a"),
    ("çćč", "c"),
    ("ďđ", "d"),
    ("èéêëēęě", "e"),
    ("ğ", "g"),
    ("ìíîïīı", "i"),
    ("ľł", "l"),
    ("ñńň", "n"),
    ("òóôõöøōő", "o"),
    ("ŕř", "r"),
    ("śşšș", "s"),
    ("ťţț", "t"),
    ("ùúûüūůű", "u"),
    ("ýÿ", "y"),
    ("źżž", "z"),
    ("ß", "ss"),
    ("æ", "ae"),
    ("œ", "oe"),
    ("\u{307}", ""),
];

/// Returns the words of `question` that none of `texts` contains, as the question spells them. Only
/// names (capitalised words, except in German), numbers and words in quotation marks are
/// considered. `texts` is all text of the page, in the language `of_page`.
pub fn absent_words<'t>(
    question: &str,
    texts: impl Iterator<Item = &'t str>,
    of_page: Language,
) -> Vec<String> {
    let mut asked = named(question, of_page);
    if asked.is_empty() {
        return asked;
    }
    let page = folded(&texts.collect::<Vec<_>>().join("\n"));
    // The words of a quoted phrase may be apart on the page, so each word is searched for.
    asked.retain(|words| folded(words).split(' ').any(|word| is_absent(word, &page)));
    asked.truncate(MOST);
    asked
}

/// Returns true if the page contains neither the word nor another form of it.
fn is_absent(word: &str, page: &str) -> bool {
    let is_name = word.chars().all(|c| c.is_ascii_alphabetic());
    // "Kenyan" counts as present on a page about Kenya, and "GPUs" on a page about a GPU.
    let stem = match word.len() {
        6.. if is_name => word.get(..word.len() - 2),
        4.. if is_name => word.strip_suffix('s'),
        _ => None,
    };
    let has_stem = stem.is_some_and(|stem| page.contains(&format!(" {stem}")));
    !page.contains(word) && !has_stem
}

/// Returns the names, numbers and quoted words of a question.
fn named(question: &str, of_page: Language) -> Vec<String> {
    let words: Vec<&str> = question
        .split(|c: char| !(c.is_alphanumeric() || "'’.,-".contains(c)) || is_cjk(c))
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .collect();
    let is_german = words.iter().any(|word| GERMAN.contains(word));
    let count = |is_one: fn(&str) -> bool| {
        let lower = words.iter().map(|word| word.to_lowercase());
        lower.filter(|word| is_one(word)).count()
    };
    let language = match Language::of("", question) {
        Language::Chinese => Language::Chinese,
        Language::English | Language::Other => {
            if count(english::is_stop_word) > count(other_stop_words::is_stop_word) {
                Language::English
            } else {
                Language::Other
            }
        }
    };
    let is_capital = |word: &str| word.starts_with(char::is_uppercase);
    let capitals = words.iter().filter(|word| is_capital(word)).count();
    // Capitalised words count as names only if question and page have the same language. In another
    // language, the page may spell a name differently. In a question in title case, every word has
    // a capital.
    let has_names = language == of_page
        && !(language == Language::Other && is_german)
        && capitals * 2 <= words.len().max(2);
    let mut found: Vec<String> = quoted(question);
    // In a Chinese question, a capital at the beginning is that of a name, not of a sentence.
    let mut before = if question.contains(is_cjk) { ' ' } else { '.' };
    let mut rest = question;
    for word in words {
        let at = rest.find(word).unwrap_or_default();
        let gap = rest.get(..at).unwrap_or_default().trim_end();
        before = gap.chars().next_back().unwrap_or(before);
        rest = rest.get(at + word.len()..).unwrap_or_default();
        let is_first = matches!(before, '.' | '!' | '?' | ':' | '¿' | '¡' | '…');
        before = ' ';
        let digits = word.chars().filter(char::is_ascii_digit).count();
        let is_number =
            digits > 1 && digits == word.chars().filter(|c| c.is_alphanumeric()).count();
        let bare = word.trim_end_matches("'s").trim_end_matches("’s");
        let is_name = has_names
            && is_capital(bare)
            && !is_first
            && bare.chars().count() > 1
            && !is_stop_word(&bare.to_lowercase());
        if (is_number || is_name) && !found.iter().any(|known| known.contains(bare)) {
            found.push(bare.to_owned());
        }
    }
    found
}

/// Returns the texts in quotation marks.
fn quoted(question: &str) -> Vec<String> {
    const MARKS: [(char, char); 6] = [
        ('“', '”'),
        ('„', '“'),
        ('«', '»'),
        ('「', '」'),
        ('『', '』'),
        ('"', '"'),
    ];
    let mut found = Vec::new();
    for (open, close) in MARKS {
        let mut rest = question;
        while let Some((_, after)) = rest.split_once(open)
            && let Some((inside, after)) = after.split_once(close)
        {
            found.push(inside.trim().to_owned());
            rest = after;
        }
    }
    found
}

/// Returns a text in lower case, without accents and thousands separators. All other characters
/// that aren't letters or digits become spaces.
fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 1);
    out.push(' ');
    let mut letters = text.chars().flat_map(char::to_lowercase).peekable();
    let mut last = ' ';
    while let Some(c) = letters.next() {
        // Japanese text contains Latin letters and digits of double width, which become ASCII.
        let c = match c {
            '！'..='～' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
            _ => c,
        };
        let separates = matches!(c, '.' | ',' | '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}')
            && last.is_ascii_digit()
            && letters.peek().is_some_and(char::is_ascii_digit);
        if separates || matches!(c, '\u{300}'..='\u{36f}' | '\u{ad}') {
            continue;
        }
        if is_cjk(last) != is_cjk(c) && !out.ends_with(' ') {
            out.push(' ');
        }
        last = c;
        match ACCENTS
            .iter()
            .find(|(accented, _)| !c.is_ascii() && accented.contains(c))
        {
            Some((_, plain)) => out.push_str(plain),
            None if c.is_alphanumeric() => out.push(c),
            None if out.ends_with(' ') => {}
            None => out.push(' '),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::super::Language::{self, Chinese, English, Other};
    use super::absent_words;

    #[test]
    fn only_what_a_reader_can_look_up_and_will_not_find_is_named() {
        let cases: [(Language, &str, &str, &[&str]); 19] = [
            (
                English,
                "When is high tide in Boston?",
                "The tides of Brest.",
                &["Boston"],
            ),
            (
                English,
                "When is high tide in Boston?",
                "BOSTON’S tides.",
                &[],
            ),
            (
                English,
                "When is high tide in Zurich?",
                "It isn’t in Zürich.",
                &[],
            ),
            (
                English,
                "Who were the Kenyans in it?",
                "A man from Kenya.",
                &[],
            ),
            (English, "Who was it in 1923?", "It was in 1823.", &["1923"]),
            (
                English,
                "Are there 10,000 of them?",
                "There are 10 000 of them.",
                &[],
            ),
            (English, "Boston is where?", "Brest.", &[]),
            (English, "Is it so? Boston is where?", "Brest.", &[]),
            (English, "What Is The Capital Of France?", "Nothing.", &[]),
            (
                English,
                "What is the capital of France?",
                "Nothing.",
                &["France"],
            ),
            (English, "Did I or May see it?", "Nothing.", &[]),
            (
                English,
                "What is a “neap tide” here?",
                "Neap-tides are weak.",
                &[],
            ),
            (
                English,
                "What is a “neap tide” here?",
                "Tides are weak.",
                &["neap tide"],
            ),
            (
                English,
                "Where does Marie Curie live since 1901?",
                "Pierre did.",
                &["Marie", "Curie", "1901"],
            ),
            (Other, "Wann ist die Flut in Boston?", "Die Flut.", &[]),
            (Other, "Wann war die Flut von 1953?", "Die Flut.", &["1953"]),
            (
                Other,
                "Quand est la marée à Boston ?",
                "La marée.",
                &["Boston"],
            ),
            (
                Chinese,
                "Boston 的大潮在1823年吗？",
                "波士顿的大潮在１８２３年。",
                &["Boston"],
            ),
            (Chinese, "When is high tide in Boston?", "大潮。", &[]),
        ];
        for (language, question, page, absent) in cases {
            let found = absent_words(question, [page].into_iter(), language);
            assert_eq!(found, absent, "{question} {page}");
        }
    }
}
