//! Compares queries, and rewords a query without a model.

use crate::search::MOST_CHARACTERS;
use gloss_durable::sorted::SortedSet;
use gloss_markdown::line;
use gloss_text::Language;

/// Words that are added to an English query if no other change makes it new.
const WIDER: [&str; 4] = ["overview", "explained", "guide", "facts"];

/// Words that are added to a Chinese query if no other change makes it new.
const WIDER_CHINESE: [&str; 4] = ["概述", "解释", "指南", "资料"];

/// Returns the sorted words of a query, in lower case and without punctuation. Queries with equal
/// words count as the same.
fn normalised_words(query: &str) -> Vec<String> {
    let words = query.split_whitespace();
    let words = words.map(|word| word.trim_matches(|it: char| !it.is_alphanumeric()));
    let words = words.filter(|word| !word.is_empty());
    let mut words: Vec<String> = words.map(str::to_lowercase).collect();
    words.sort_unstable();
    words
}

/// Returns true if a query differs from every earlier one (Property 8). An empty query is never
/// new.
pub fn is_new(query: &str, earlier: &[String]) -> bool {
    let query = normalised_words(query);
    !query.is_empty() && earlier.iter().all(|other| normalised_words(other) != query)
}

/// Puts a query on one line and shortens it.
pub(super) fn tidied(query: &str) -> String {
    let line = line(query);
    let cut: String = without_quotes(&line)
        .chars()
        .take(MOST_CHARACTERS)
        .collect();
    cut.trim().to_owned()
}

/// Removes quotation marks around the whole query, but not those around a phrase in it.
fn without_quotes(line: &str) -> &str {
    let pairs = [('"', '"'), ('“', '”'), ('「', '」'), ('`', '`')];
    let within = |(open, close): &(char, char)| {
        let within = line.strip_prefix(*open)?.strip_suffix(*close)?;
        (!within.contains([*open, *close])).then_some(within)
    };
    pairs.iter().find_map(within).unwrap_or(line)
}

/// Returns true if this is one of the general words with which [`reword`] changes a query.
pub fn is_general(word: &str) -> bool {
    WIDER.contains(&word) || WIDER_CHINESE.contains(&word)
}

/// Makes a query that differs from every earlier one. The last query is changed with words of the
/// earlier queries and of `hints`, which are the requested aspects. The changes are tried in this
/// order: add a hint, omit a word, add a general word. The first new query is returned.
pub fn reword(earlier: &[String], hints: &[String]) -> String {
    let last = earlier.last().map_or("", String::as_str);
    let words: Vec<&str> = last.split_whitespace().collect();
    let has: SortedSet<String> = earlier.iter().flat_map(|it| normalised_words(it)).collect();
    let without = |place: usize| -> String {
        let kept = words.iter().enumerate().filter(|(at, _)| *at != place);
        kept.map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
    };
    let says_more = |hint: &&String| {
        normalised_words(hint)
            .iter()
            .any(|word| !has.contains(word))
    };
    let narrower = hints.iter().filter(says_more);
    let narrower = narrower.map(|hint| join(last, hint));
    let shorter = (0..words.len())
        .rev()
        .filter(|_| words.len() > 2)
        .map(without);
    let wider = Language::of("", last).pick(WIDER, WIDER_CHINESE);
    let wider = wider.iter().map(|word| join(last, word));
    let candidates = narrower.chain(shorter).chain(wider);
    let mut different = candidates.filter(|query| is_new(query, earlier));
    different.next().unwrap_or_else(|| {
        // One more number is tried than there are earlier queries, so at least one result is new.
        let counted = (1..).map(|number| join(last, &number.to_string()));
        let mut counted = counted.take(earlier.len() + 1);
        let new = counted.find(|query| is_new(query, earlier));
        new.unwrap_or_default()
    })
}

/// Joins two texts to a query. If the query is too long, the first text is shortened.
fn join(one: &str, other: &str) -> String {
    let other: String = other.chars().take(MOST_CHARACTERS / 2).collect();
    let left = MOST_CHARACTERS.saturating_sub(other.chars().count() + 1);
    let one: String = one.chars().take(left).collect();
    tidied(&format!("{one} {other}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    #[test]
    fn neither_case_nor_order_nor_marks_make_a_query_another() {
        let earlier = ["Hilbre tide table".to_owned()];
        for (query, expected) in [
            ("  table, TIDE hilbre! ", false),
            ("Hilbre tide", true),
            ("Hilbre tide table tide", true),
            ("", false),
            ("?!", false),
        ] {
            assert_eq!(is_new(query, &earlier), expected, "{query}");
        }
    }

    #[test]
    fn marks_around_all_of_a_query_go_and_those_of_a_phrase_stay() {
        for (query, expected) in [
            ("\"Hilbre tide\"", "Hilbre tide"),
            ("“Hilbre tide”", "Hilbre tide"),
            ("\"spring tide\" Brest", "\"spring tide\" Brest"),
            ("\"spring tide\" \"Brest\"", "\"spring tide\" \"Brest\""),
            ("\"", "\""),
        ] {
            assert_eq!(tidied(query), expected);
        }
    }

    #[test]
    fn another_query_takes_up_what_is_wanted_then_says_less() {
        let mut earlier = vec!["height of spring tide Brest".to_owned()];
        let hints = ["date of the record".to_owned()];
        for expected in [
            "height of spring tide Brest date of the record",
            "height of spring tide Brest date of the",
        ] {
            let next = reword(&earlier, &hints);
            assert_eq!(next, expected);
            earlier.push(next);
        }
    }

    #[test]
    fn a_query_is_widened_in_chinese_or_in_english() {
        for (query, expected) in [
            ("潮汐", "潮汐 概述"),
            ("臺灣 潮汐", "臺灣 潮汐 概述"),
            ("what’s tide", "what’s tide overview"),
            ("Hilbre", "Hilbre overview"),
            ("marée haute", "marée haute overview"),
            ("marée haute Brest", "marée haute"),
        ] {
            assert_eq!(reword(&[query.to_owned()], &[]), expected);
        }
    }

    quickcheck! {
        fn a_reworded_query_is_new_and_no_longer_than_a_query(earlier: Vec<String>, hints: Vec<String>) -> bool {
            let mut queries: Vec<String> = earlier.iter().map(|it| tidied(it)).collect();
            if queries.is_empty() {
                queries.push("tide".to_owned());
            }
            (0..2).all(|_| {
                let next = reword(&queries, &hints);
                let is_good = is_new(&next, &queries) && next.chars().count() <= MOST_CHARACTERS;
                queries.push(next);
                is_good
            })
        }
    }
}
