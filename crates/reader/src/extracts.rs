//! Extracts passages from a page, within a number of words.
//!
//! Example: the query is "who measured the tide", and the page is a long article. The result
//! contains the paragraphs about the tide, best first, up to a hundred words. If a paragraph is too
//! long, only its first sentences are included.

use super::Extracts;
use crate::retrieval::paragraphs;
use gloss_durable::sorted::SortedMap;
use gloss_model::{PassageData, PassagesData};
use gloss_page::{Document, Fragments, Paragraph};
use gloss_text::embedding::Embeddings;
use gloss_text::words_and_characters;

/// The maximum number of paragraphs that are ranked.
const MOST: usize = 24;

/// The number of characters that counts as one word in text without breaks.
const LONG_WORD: usize = 32;

/// A high estimate of the tokens per word, so that more paragraphs are ranked than are returned.
const TOKENS_A_WORD: u32 = 4;

/// Returns the paragraphs about `query`, best first; without a match, the most informative ones.
/// The result includes the text directives that can be computed only with the whole page.
pub(super) fn extract_passages(
    page: &Document,
    query: Option<&str>,
    most_words: Option<usize>,
    budget_tokens: u32,
    meaning: Option<&Embeddings>,
) -> Extracts {
    let found = passages_of(page, query, most_words, budget_tokens, meaning);
    let directives = directives(page, &found.passages);
    Extracts { found, directives }
}

/// Returns the text directives of passages whose words also occur earlier on the page, by passage
/// id. A document with pages, such as a PDF, needs no directives, because its links open a page.
fn directives(page: &Document, passages: &[PassageData]) -> SortedMap<String, String> {
    let mut directives = SortedMap::new();
    if !page.pages.is_empty() {
        return directives;
    }
    let language = page.text_language();
    let whole = Fragments::of(page);
    for passage in passages {
        let cited = page.resolve_citation(&passage.id, language);
        let Some((number, quote)) = cited else {
            continue;
        };
        let own = page.paragraphs.iter().filter(|it| it.number == number);
        let alone = Document {
            paragraphs: own.clone().cloned().collect(),
            ..Document::default()
        };
        let alone = Fragments::of(&alone);
        let is_paragraph = !passage.id.contains('.');
        let sentences = own
            .filter(|_| is_paragraph)
            .flat_map(|it| it.sentences(language));
        let sentences = sentences.map(|sentence| (sentence.id(), sentence.text));
        for (id, words) in std::iter::once((passage.id.clone(), quote)).chain(sentences) {
            let directive = whole.directive(number, words);
            if let Some(directive) = directive
                && alone.directive(number, words).as_ref() != Some(&directive)
            {
                directives.insert(id, directive);
            }
        }
    }
    directives
}

fn passages_of(
    page: &Document,
    query: Option<&str>,
    most_words: Option<usize>,
    budget_tokens: u32,
    meaning: Option<&Embeddings>,
) -> PassagesData {
    let Some(most_words) = most_words else {
        let excerpt = page.excerpt(budget_tokens, query);
        let given = excerpt.paragraphs.into_iter().map(PassageData::of);
        return PassagesData {
            passages: given.collect(),
            share_percent: Some(excerpt.share_percent),
        };
    };
    let found = query.map(|query| paragraphs(page, query, MOST, meaning));
    let found = found.filter(|found| !found.is_empty()).unwrap_or_else(|| {
        let most_tokens = u32::try_from(most_words).unwrap_or(u32::MAX);
        let budget_tokens = most_tokens.saturating_mul(TOKENS_A_WORD).min(budget_tokens);
        let excerpt = page.excerpt(budget_tokens, None).paragraphs;
        if excerpt.is_empty() {
            page.paragraphs.iter().take(MOST).collect()
        } else {
            excerpt
        }
    });
    let passages = within(page, &found, most_words);
    let given: usize = passages.iter().map(|passage| words(&passage.text)).sum();
    let all: usize = page.paragraphs.iter().map(|it| words(&it.text)).sum();
    let share = (given * 100).checked_div(all).unwrap_or(100).min(100);
    PassagesData {
        passages,
        share_percent: u8::try_from(share).ok(),
    }
}

/// Returns the first paragraphs, up to the word limit. The first paragraph that doesn't fit is cut
/// to its first sentences. If not even one sentence fits, the beginning of the first paragraph is
/// returned.
fn within(page: &Document, found: &[&Paragraph], most_words: usize) -> Vec<PassageData> {
    let mut given: Vec<PassageData> = Vec::new();
    let mut left = most_words;
    for paragraph in found {
        let length = words(&paragraph.text);
        if length <= left {
            left -= length;
            given.push(PassageData::of(paragraph));
            continue;
        }
        for sentence in paragraph.sentences(page.text_language()) {
            let length = words(sentence.text);
            if length > left {
                break;
            }
            left -= length;
            given.push(PassageData {
                id: sentence.id(),
                text: sentence.text.to_owned(),
                why: None,
            });
        }
        break;
    }
    if given.is_empty()
        && let Some(paragraph) = found.first()
    {
        given.push(PassageData {
            text: beginning(&paragraph.text, most_words),
            ..PassageData::of(paragraph)
        });
    }
    given
}

/// Returns the longest beginning of a text with at most `most_words` words, followed by an
/// ellipsis.
fn beginning(text: &str, most_words: usize) -> String {
    let (mut end, mut counted, mut from) = (0, 0, 0);
    for (at, letter) in text.char_indices() {
        let next = at + letter.len_utf8();
        if letter.is_whitespace() || !letter.is_ascii() || next - from >= LONG_WORD {
            // The text is counted part by part; a part ends at a space, at a non-ASCII character or
            // after [`LONG_WORD`] characters. `words` rounds up, so a part of one CJK character
            // counts as a whole word.
            counted += text.get(from..next).map_or(0, words);
            from = next;
            if counted > most_words {
                break;
            }
            end = at;
        }
    }
    let beginning = text.get(..end).unwrap_or_default().trim_end();
    format!("{beginning}…")
}

/// Returns the number of words. Two characters of a script without spaces count as one word. In a
/// long text without breaks, every [`LONG_WORD`] characters count as one word.
fn words(text: &str) -> usize {
    let (words, characters) = words_and_characters(text);
    let letters = text.chars().count() - characters;
    words.max(letters / LONG_WORD) + characters.div_ceil(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gloss_page::{TextFormat, read_as};

    fn page(paragraphs: &[&str]) -> Document {
        let html = format!("<p>{}</p>", paragraphs.join("</p><p>"));
        let html = format!("<html lang=en><main><h1>Tides</h1>{html}</main>");
        read_as(TextFormat::Html, &html, "https://a.example/").unwrap()
    }

    fn sea(times: usize) -> String {
        "The sea rises and the boats rise with it. ".repeat(times)
    }

    #[test]
    fn the_words_that_were_asked_for_are_never_exceeded_and_the_best_come_first() {
        let (long, other) = (sea(30), sea(4));
        let page = page(&[&long, "The lamp was lit by Fresnel in 1823.", &other]);
        for most in [1, 5, 8, 40, 100, 400] {
            for query in [Some("who lit the lamp"), Some("quasar"), None] {
                let found = passages_of(&page, query, Some(most), 12_000, None);
                let given: usize = found.passages.iter().map(|it| words(&it.text)).sum();
                assert!(given <= most, "{most} {query:?} {given}");
                assert!(!found.passages.is_empty(), "{most} {query:?}");
            }
        }
        let found = passages_of(&page, Some("who lit the lamp"), Some(100), 12_000, None);
        assert!(found.passages[0].text.contains("Fresnel"), "{found:?}");
    }

    #[test]
    fn a_paragraph_that_is_too_long_gives_its_first_sentences_under_their_ids() {
        let long = sea(30);
        let page = page(&[&long]);
        let found = passages_of(&page, Some("boats"), Some(20), 12_000, None);
        let ids: Vec<&str> = found.passages.iter().map(|it| it.id.as_str()).collect();
        assert_eq!(ids.len(), 2, "{found:?}");
        assert!(ids[0].ends_with(".1") && ids[1].ends_with(".2"), "{ids:?}");
    }

    #[test]
    fn a_text_that_never_breaks_is_cut_and_never_empty() {
        let endless = "x7Gq".repeat(50_000);
        let page = page(&[&endless]);
        for query in [None, Some("x7Gq")] {
            let found = passages_of(&page, query, Some(100), 12_000, None);
            let given: String = found.passages.iter().map(|it| it.text.as_str()).collect();
            assert!((100..=4_000).contains(&given.len()), "{}", given.len());
        }
    }

    #[test]
    fn in_full_is_all_of_it_where_there_is_room() {
        let page = page(&["One.", "Two.", "Three."]);
        let found = passages_of(&page, Some("two"), None, 12_000, None);
        assert_eq!(found.passages.len(), page.paragraphs.len());
        assert_eq!(found.share_percent, Some(100));
    }

    #[test]
    fn what_stands_on_the_page_before_is_told_from_it_by_what_surrounds_it() {
        let page = page(&[
            "Alpha is first. It is lit at night.",
            "Beta is next. It is lit at night.",
            "The lamp of Brest stands alone.",
        ]);
        let given = extract_passages(&page, Some("beta lit at night"), Some(400), 12_000, None);
        let ids: Vec<&str> = given
            .found
            .passages
            .iter()
            .map(|it| it.id.as_str())
            .collect();
        assert!(ids.contains(&"p3") && ids.contains(&"p2"), "{ids:?}");
        let directives: Vec<(&str, &str)> = given
            .directives
            .iter()
            .map(|(id, directive)| (id.as_str(), directive.as_str()))
            .collect();
        let expected = [(
            "p3.2",
            "text=Beta%20is%20next.-,It%20is%20lit%20at%20night.",
        )];
        assert_eq!(directives, expected);
    }

    #[test]
    fn two_characters_of_chinese_are_as_much_as_a_word() {
        let long = "潮汐是海水的涨落现象。".repeat(40);
        let page = page(&[&long]);
        let found = passages_of(&page, Some("潮汐"), Some(100), 12_000, None);
        let given: usize = found.passages.iter().map(|it| words(&it.text)).sum();
        assert!((80..=100).contains(&given), "{given}");
    }
}
