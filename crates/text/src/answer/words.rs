//! Word lists for reading questions.
//!
//! Driving example: "Which year did he write it in?" asks for a time, and "wrote" matches "write".
//! The lists are short and contain general language only, without the vocabulary of any subject.

use std::borrow::Cow;

/// Stems of generic words, which an answer need not contain. They are in the form that
/// [`super::super::terms`] returns.
#[rustfmt::skip]
const GENERIC: &[&str] = &[
    "accord", "actual", "answer", "articl", "ask", "author", "call", "claim", "come", "consid",
    "consider", "content", "current", "describ", "descript", "detail", "differ", "discuss",
    "document", "exact", "exampl", "explain", "express", "find", "follow", "get", "give", "go",
    "good", "happen", "import", "inform", "involv", "kind", "know", "known", "list", "main",
    "make", "mean", "mention", "name", "need", "new", "onlin", "page", "paragraph", "part",
    "particular", "passag", "peopl", "person", "piec", "place", "possibl", "post", "primari",
    "provid", "purpos", "question", "quot", "reason", "refer", "relat", "report", "requir",
    "role", "say", "section", "see", "set", "show", "someon", "someth", "sort", "special",
    "specif", "state", "still", "stori", "suggest", "take", "talk", "tell", "text", "thing",
    "think", "time", "total", "tri", "type", "use", "want", "way", "websit", "word", "work",
    "writer",
];

/// Stems of irregular verb forms, each with the stem of the infinitive: "ate" -> "eat".
#[rustfmt::skip]
const IRREGULAR: &[(&str, &str)] = &[
    ("ate", "eat"), ("beaten", "beat"), ("becam", "becom"), ("began", "begin"),
    ("begun", "begin"), ("bought", "buy"), ("broke", "break"), ("broken", "break"),
    ("brought", "bring"), ("built", "build"), ("came", "come"), ("caught", "catch"),
    ("chose", "choos"), ("chosen", "choos"), ("dealt", "deal"), ("death", "die"),
    ("drawn", "draw"), ("drew", "draw"), ("driven", "drive"), ("drove", "drive"),
    ("eaten", "eat"), ("fallen", "fall"), ("fed", "feed"), ("fell", "fall"), ("felt", "feel"),
    ("fifth", "5th"),
    ("flew", "fli"), ("flown", "fli"), ("forgot", "forget"), ("fought", "fight"),
    ("found", "find"), ("fourth", "4th"), ("gave", "give"), ("given", "give"), ("gone", "go"), ("grew", "grow"),
    ("grown", "grow"), ("heard", "hear"), ("held", "hold"), ("hid", "hide"), ("hidden", "hide"),
    ("kept", "keep"), ("knew", "know"), ("known", "know"), ("laid", "lay"), ("led", "lead"),
    ("left", "leav"), ("lent", "lend"), ("lost", "lose"), ("made", "make"), ("meant", "mean"),
    ("met", "meet"), ("paid", "pay"), ("ran", "run"), ("risen", "rise"), ("rose", "rise"),
    ("said", "say"), ("sang", "sing"), ("sank", "sink"), ("sat", "sit"), ("seen", "see"),
    ("sent", "send"), ("shot", "shoot"), ("shown", "show"), ("sold", "sell"), ("sought", "seek"),
    ("spent", "spend"), ("spoke", "speak"), ("spoken", "speak"), ("stole", "steal"),
    ("stood", "stand"), ("struck", "strike"), ("swam", "swim"), ("taken", "take"),
    ("taught", "teach"), ("third", "3rd"), ("thought", "think"), ("threw", "throw"), ("thrown", "throw"),
    ("told", "tell"), ("took", "take"), ("went", "go"), ("won", "win"), ("wore", "wear"),
    ("worn", "wear"), ("written", "write"), ("wrote", "write"),
];

/// Generic words in Chinese, as pairs of characters.
#[rustfmt::skip]
const GENERIC_CHINESE: &[&str] = &[
    "主要", "介绍", "今年", "使用", "具体", "可以", "应该", "得到", "怎样", "拥有", "提到", "文章", "现在", "目前", "给出",
    "表示", "认为", "说明", "进行", "需要",
];

#[rustfmt::skip]
const NUMBERS: &[&str] = &[
    "billion", "both", "double", "dozen", "eight", "eighteen", "eighty", "eleven", "fifteen",
    "fifty", "five", "forty", "four", "fourteen", "half", "hundred", "hundreds", "million",
    "millions", "nine", "nineteen", "ninety", "seven", "seventeen", "seventy", "single",
    "six", "sixteen", "sixty", "ten", "third", "thirteen", "thirty", "thousand", "thousands",
    "three", "trillion", "triple", "twelve", "twenty", "twice", "two", "zero",
];

#[rustfmt::skip]
const TIMES: &[&str] = &[
    "ago", "april", "august", "autumn", "centuries", "century", "day", "days", "decade",
    "decades", "december", "february", "friday", "hour", "hours", "january", "july", "june",
    "march", "may", "midnight", "minute", "minutes", "monday", "month", "months", "morning",
    "noon", "november", "october", "saturday", "september", "spring", "summer", "sunday",
    "thursday", "today", "tomorrow", "tonight", "tuesday", "wednesday", "week", "weeks",
    "winter", "year", "years", "yesterday",
];

/// Words that introduce an occasion, as in "when it is dark".
const OCCASIONS: &[&str] = &[
    "after", "before", "during", "if", "once", "since", "until", "when", "whenever", "while",
];

fn among(words: &[&str], word: &str) -> bool {
    words.binary_search(&word).is_ok()
}

/// Returns true for a generic term, which an answer need not contain.
pub(super) fn is_generic(term: &str) -> bool {
    among(GENERIC, term)
}

pub(super) fn is_generic_pair(pair: &str) -> bool {
    GENERIC_CHINESE.contains(&pair)
}

/// Returns the base form of a term: "ate" -> "eat". An ordinal is returned in digits, and a British
/// spelling as the American one. Other terms are returned unchanged.
pub(super) fn base(term: &str) -> Cow<'_, str> {
    let known = IRREGULAR.binary_search_by_key(&term, |(form, _)| form);
    if let Some((_, base)) = known.ok().and_then(|at| IRREGULAR.get(at)) {
        return Cow::Borrowed(base);
    }
    let british = [("our", "or"), ("is", "iz")]
        .iter()
        .find_map(|(british, american)| {
            let stem = term.strip_suffix(british)?;
            (stem.len() >= 3 && stem.is_ascii()).then(|| format!("{stem}{american}"))
        });
    british.map_or(Cow::Borrowed(term), Cow::Owned)
}

/// Returns true if a lower-case word is a numeral: "eleven", "dozen".
pub(super) fn is_number(word: &str) -> bool {
    among(NUMBERS, word)
}

/// Returns true if a lower-case word names a time: "april", "century".
pub(super) fn is_time(word: &str) -> bool {
    among(TIMES, word)
}

/// Returns true if a lower-case word introduces an occasion: "during", "since".
pub(super) fn is_occasion(word: &str) -> bool {
    among(OCCASIONS, word)
}

#[cfg(test)]
mod tests {
    use super::super::super::{Language, terms};
    use super::{GENERIC, IRREGULAR, NUMBERS, OCCASIONS, TIMES};

    #[test]
    fn the_lists_are_sorted_and_without_doubles() {
        let forms: Vec<&str> = IRREGULAR.iter().map(|(form, _)| *form).collect();
        for list in [GENERIC, NUMBERS, TIMES, OCCASIONS, &forms] {
            let out_of_place = list.windows(2).find(|pair| pair[0] >= pair[1]);
            assert_eq!(out_of_place, None);
        }
    }

    #[test]
    fn verbs_are_known_by_their_stems() {
        for (form, base) in IRREGULAR {
            assert_eq!(terms(form, Language::English), [*form]);
            assert_ne!(form, base);
        }
    }
}
