//! Words, addresses and search operators in a text that someone wrote.

use gloss_page::without_place;

/// The operators of search engines that choose a site or a place on it.
const OPERATORS: [&str; 14] = [
    "site",
    "inurl",
    "allinurl",
    "url",
    "intitle",
    "allintitle",
    "intext",
    "allintext",
    "inanchor",
    "link",
    "related",
    "cache",
    "domain",
    "host",
];

/// Returns the words of a text in lower case, without punctuation.
pub(super) fn terms(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|it: char| !it.is_alphanumeric());
    words.filter(|it| !it.is_empty()).map(str::to_lowercase)
}

/// Returns the search operators in a query that the user's messages `said` don't contain.
pub(super) fn operators<'a>(query: &'a str, said: &[String]) -> Vec<&'a str> {
    let known = |word: &str| {
        said.iter()
            .any(|it| it.split_whitespace().any(|it| it == word))
    };
    let is_operator = |part: &str| {
        let name = part
            .split_once([':', '：'])
            .map(|(name, _)| name.to_lowercase());
        name.is_some_and(|name| OPERATORS.contains(&name.as_str()))
    };
    let is_foreign = |word: &&str| {
        let mut parts = word.split(|it: char| !it.is_alphanumeric() && it != ':' && it != '：');
        parts.any(is_operator) && !known(word)
    };
    query.split_whitespace().filter(is_foreign).collect()
}

/// Returns a query without these of its words.
pub(super) fn without(query: &str, words: &[&str]) -> String {
    let left = query.split_whitespace().filter(|it| !words.contains(it));
    left.collect::<Vec<_>>().join(" ")
}

/// Finds the addresses in a text, without the punctuation of the sentence around them. An address
/// inside another address is not returned separately.
pub(super) fn written(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for word in text.split(|it: char| it.is_whitespace() || encloses(it)) {
        let word = word.trim_end_matches(ends_a_sentence);
        // `(see https://a.example/x)` -> `https://a.example/x`; `https://a.example/a_(b)` is
        // unchanged.
        let closes = word.ends_with(')') && !word.contains('(');
        let word = if closes {
            word.trim_end_matches(')')
        } else {
            word
        };
        let word = word.trim_start_matches('(');
        if ["http://", "https://"]
            .iter()
            .any(|scheme| word.starts_with(scheme))
        {
            found.push(whole(word));
        }
    }
    found
}

/// Returns true for a character that can enclose an address, but can't be a part of one.
fn encloses(character: char) -> bool {
    "<>\"`“”‘’«»，。；！？（）「」『』《》、：".contains(character)
}

fn ends_a_sentence(character: char) -> bool {
    ".,;:!?*_']}".contains(character)
}

/// Normalises an address: removes its fragment and adds a missing path.
/// `https://a.example#b` -> `https://a.example/`.
pub(super) fn whole(address: &str) -> String {
    let address = without_place(address.trim());
    match address.split_once("://") {
        Some((_, rest)) if !rest.contains(['/', '?']) => format!("{address}/"),
        _ => address.to_owned(),
    }
}
