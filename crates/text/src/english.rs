//! English word lists, sorted for binary search.
//!
//! Example: "Dr. Who lives in the U.S. The rest is noise." is two sentences, because "Dr." never
//! ends a sentence and "U.S." may. The lists are kept short; use a library instead of a list longer
//! than a screen.

/// Stop words: words that are so frequent that they say nothing about the topic.
#[rustfmt::skip]
const STOP: &[&str] = &[
    "a", "about", "above", "after", "again", "against", "all", "also", "although", "am", "an",
    "and", "another", "any", "are", "aren't", "as", "at", "be", "because", "been", "before",
    "being", "below", "between", "both", "but", "by", "can", "can't", "cannot", "could",
    "couldn't", "did", "didn't", "do", "does", "doesn't", "doing", "don't", "down", "during",
    "each", "either", "even", "every", "few", "for", "from", "further", "had", "hadn't", "has",
    "hasn't", "have", "haven't", "having", "he", "he's", "her", "here", "hers", "herself", "him",
    "himself", "his", "how", "however", "i", "i'd", "i'll", "i'm", "i've", "if", "in", "into",
    "is", "isn't", "it", "it's", "its", "itself", "just", "let", "let's", "like", "many", "may",
    "me", "might", "more", "most", "much", "must", "my", "myself", "neither", "no", "nor", "not",
    "now", "of", "off", "often", "on", "once", "one", "only", "or", "other", "others", "our",
    "ours", "ourselves", "out", "over", "own", "per", "rather", "same", "shall", "she", "she's",
    "should", "shouldn't", "since", "so", "some", "such", "than", "that", "that's", "the",
    "their", "theirs", "them", "themselves", "then", "there", "there's", "therefore", "these",
    "they", "they're", "this", "those", "though", "through", "thus", "to", "too", "under",
    "until", "up", "upon", "us", "very", "was", "wasn't", "we", "we'll", "we're", "we've", "were",
    "weren't", "what", "when", "where", "whether", "which", "while", "who", "whom", "whose",
    "why", "will", "with", "within", "without", "won't", "would", "wouldn't", "yet", "you",
    "you'll", "you're", "you've", "your", "yours", "yourself", "yourselves",
];

/// Words that are frequent in English. Texts in other languages with Latin letters contain few of
/// them.
#[rustfmt::skip]
const TELLING: &[&str] = &[
    "and", "are", "as", "be", "been", "but", "by", "can", "for", "from", "had", "has", "have",
    "how", "if", "is", "it", "its", "not", "of", "on", "or", "she", "that", "the", "their",
    "they", "this", "to", "was", "we", "were", "what", "when", "which", "who", "will", "with",
    "would", "you", "your",
];

/// Abbreviations that never end a sentence.
#[rustfmt::skip]
const BINDING: &[&str] = &[
    "adj", "adm", "approx", "assoc", "capt", "cf", "cmdr", "col", "dr", "e.g", "eg", "esp", "fr",
    "gen", "gov", "hon", "i.e", "ie", "incl", "lt", "maj", "messrs", "mgr", "mme", "mr", "mrs",
    "ms", "mt", "mx", "pres", "prof", "rep", "resp", "rev", "sen", "sgt", "st", "ste", "supt",
    "viz", "vs",
];

/// Abbreviations such as "Fig.". The sentence continues if a number follows: "Fig. 3".
#[rustfmt::skip]
const NUMBERING: &[&str] = &[
    "app", "apr", "art", "aug", "bk", "ch", "chap", "dec", "ed", "eq", "eqs", "ex", "feb", "fig",
    "figs", "ill", "jan", "jul", "jun", "ln", "mar", "no", "nos", "nov", "n°", "nº", "oct", "op",
    "p", "par", "para", "paras", "pl", "pp", "pt", "ref", "refs", "sec", "sect", "sep", "sept",
    "tab", "v", "ver", "vol", "vols",
];

/// Abbreviations that may end a sentence. The next word decides if the sentence ends.
#[rustfmt::skip]
const ENDING: &[&str] = &[
    "a.m", "al", "ave", "b.c", "bros", "c", "ca", "co", "corp", "dept", "est", "etc", "inc", "jr",
    "ltd", "m.d", "min", "p.m", "ph.d", "plc", "sr", "u.k", "u.n", "u.s", "u.s.a", "univ",
];

/// Words that usually begin a sentence if they are capitalised after a full stop. Other capitalised
/// words may be part of a name.
#[rustfmt::skip]
const STARTERS: &[&str] = &[
    "a", "after", "all", "also", "although", "an", "and", "another", "are", "as", "at", "because",
    "before", "both", "but", "by", "can", "could", "did", "do", "does", "each", "finally", "for",
    "from", "has", "have", "he", "her", "here", "his", "how", "however", "i", "if", "in", "is",
    "it", "its", "many", "most", "my", "no", "nobody", "not", "now", "of", "on", "one", "or",
    "our", "she", "should", "since", "so", "some", "such", "that", "the", "their", "then",
    "there", "these", "they", "this", "those", "to", "today", "under", "was", "we", "were",
    "what", "when", "where", "which", "while", "who", "why", "with", "would", "yet", "you",
    "your",
];

fn among(words: &[&str], word: &str) -> bool {
    words.binary_search(&word).is_ok()
}

pub(super) fn is_stop_word(word: &str) -> bool {
    among(STOP, word)
}

/// Returns true if a lower-case word is typical of English.
pub(super) fn is_telling(word: &str) -> bool {
    among(TELLING, word)
}

/// Returns true if a capitalised `word` after a full stop usually begins a sentence.
pub(super) fn begins_sentences(word: &str) -> bool {
    among(STARTERS, &word.to_lowercase())
}

/// The effect of the full stop that follows a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The sentence continues if a number follows; if not, it ends.
    Binds,
    /// The sentence continues if a number follows.
    BindsNumber,
    /// The sentence ends if nothing follows, or if the next word usually begins a sentence.
    Unclear,
    /// The word is not an abbreviation, so the sentence ends.
    Ends,
}

/// Classifies the full stop after `word`; `word` doesn't include the full stop.
pub(super) fn full_stop_after(word: &str) -> Stop {
    let lower = word.to_lowercase();
    let mut letters = word.chars();
    let initial = letters.next().is_some_and(char::is_uppercase) && letters.next().is_none();
    let dotted = word.contains('.')
        && word
            .split('.')
            .all(|part| part.chars().count() == 1 && part.chars().all(char::is_alphabetic));
    match lower.as_str() {
        w if among(BINDING, w) => Stop::Binds,
        _ if initial || dotted => Stop::Unclear,
        w if among(ENDING, w) => Stop::Unclear,
        w if among(NUMBERING, w) => Stop::BindsNumber,
        _ => Stop::Ends,
    }
}

#[cfg(test)]
mod tests {
    use super::{BINDING, ENDING, NUMBERING, STARTERS, STOP, Stop, TELLING, full_stop_after};

    #[test]
    fn the_lists_are_sorted_and_without_doubles() {
        for list in [STOP, TELLING, BINDING, NUMBERING, ENDING, STARTERS] {
            let out_of_place = list.windows(2).find(|pair| pair[0] >= pair[1]);
            assert_eq!(out_of_place, None);
        }
    }

    #[test]
    fn a_full_stop_is_read_by_the_word_before_it() {
        for (word, stop) in [
            ("Dr", Stop::Binds),
            ("e.g", Stop::Binds),
            ("Fig", Stop::BindsNumber),
            ("J", Stop::Unclear),
            ("U.S", Stop::Unclear),
            ("etc", Stop::Unclear),
            ("cat", Stop::Ends),
        ] {
            assert_eq!(full_stop_after(word), stop, "{word}");
        }
    }
}
