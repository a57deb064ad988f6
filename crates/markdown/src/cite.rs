//! Citations in running text. `[[p14]]` cites a paragraph, `[[p14.2]]` a sentence in it, and
//! `[[p14.2-4]]` a passage.

use super::Inline;

/// The maximum length of a passage id in bytes. The id `w10z3.p123456.123456` has this length.
const LONGEST_ID: usize = 20;

/// Splits a text into plain text and citations.
pub(super) fn split(text: &str) -> Vec<Inline> {
    let mut inlines = Vec::new();
    let mut words = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("[[") {
        let (before, found) = rest.split_at(at);
        words.push_str(before);
        if let Some((passage, after)) = passage(found) {
            push_words(&mut inlines, &mut words);
            inlines.push(Inline::Cite {
                passage: passage.to_owned(),
            });
            rest = after;
        } else {
            words.push('[');
            rest = found.get(1..).unwrap_or_default();
        }
    }
    words.push_str(rest);
    push_words(&mut inlines, &mut words);
    inlines
}

/// Removes citations of passages from other pages than the tab's. Their ids are valid in one run
/// only; in the next run, the same ids belong to other passages.
pub fn without_elsewhere(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("[[") {
        let (before, found) = rest.split_at(at);
        kept.push_str(before);
        rest = match passage(found) {
            Some((id, after)) if id.starts_with(ELSEWHERE) => {
                kept.truncate(kept.trim_end_matches(' ').len());
                after
            }
            Some(_) | None => {
                kept.push_str("[[");
                found.get(2..).unwrap_or_default()
            }
        };
    }
    kept + rest
}

fn push_words(inlines: &mut Vec<Inline>, words: &mut String) {
    if !words.is_empty() {
        inlines.push(Inline::Text {
            text: std::mem::take(words),
        });
    }
}

/// Returns the passage id at the start of `text`, and the text after its closing brackets.
fn passage(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix("[[")?;
    // Searches only as far as the longest id reaches. Otherwise each bracket would cause a search
    // through the rest of the text.
    let near = text.as_bytes();
    let near = near.get(..LONGEST_ID + 2).unwrap_or(near);
    let end = near.windows(2).position(|pair| pair == b"]]")?;
    let (id, after) = (text.get(..end)?, text.get(end + 2..)?);
    is_passage(id).then_some((id, after))
}

/// The first letters of the ids of passages from fetched pages and from search results.
const ELSEWHERE: [char; 2] = ['w', 's'];

/// Returns true for the id of a passage, such as `p14.2`, or `w2a1.p3` from a fetched page.
fn is_passage(id: &str) -> bool {
    let id = match id.split_once('.') {
        Some((fetched, id)) if fetched.starts_with(ELSEWHERE) => {
            let place = fetched.get(1..).unwrap_or_default();
            if !place.bytes().all(|it| it.is_ascii_alphanumeric()) {
                return false;
            }
            id
        }
        _ => id,
    };
    let Some(numbers) = id.strip_prefix('p') else {
        return false;
    };
    let (paragraph, sentences) = numbers.split_once('.').unwrap_or((numbers, "1"));
    let (first, last) = sentences.split_once('-').unwrap_or((sentences, "1"));
    [paragraph, first, last].iter().all(|number| {
        (1..=6).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_run_read_elsewhere_is_named_in_no_other() {
        for (text, kept) in [
            ("It rises [[w1a1.p4]].", "It rises."),
            (
                "Twice [[p3]] a day [[w1a1.p4.2]] [[s2b1.p1]].",
                "Twice [[p3]] a day.",
            ),
            (
                "[[w1]] [[ [[[p1]] 潮[[w1a1.p1]]汐",
                "[[w1]] [[ [[[p1]] 潮汐",
            ),
            ("", ""),
        ] {
            assert_eq!(without_elsewhere(text), kept);
        }
    }

    #[test]
    fn only_a_whole_and_well_formed_mark_is_a_citation() {
        for (text, count) in [
            ("a [[p1]] b", 1),
            ("[[p14.2]][[p3]]", 2),
            ("[[p14.2-4]]", 1),
            ("[[p14-15]]", 0),
            ("[[p14.2-]]", 0),
            ("[[[p1]]]", 1),
            ("[[p1", 0),
            ("[[q1]]", 0),
            ("[[p]]", 0),
            ("[[p1.]]", 0),
            ("[[p1.2.3]]", 0),
            ("[[p12345678]]", 0),
            ("[[ p1 ]]", 0),
            ("漢字[[p2]]。", 1),
            ("[[w2a1.p3]]", 1),
            ("[[w10z3.p1234.12]]", 1),
            ("[[s1a5.p1]]", 1),
            ("[[x1a5.p1]]", 0),
            ("[[w2.a1.p3]]", 0),
            ("[[w2a1]]", 0),
        ] {
            let inlines = split(text);
            let cites = inlines
                .iter()
                .filter(|inline| matches!(inline, Inline::Cite { .. }))
                .count();
            assert_eq!(cites, count, "{text}");
        }
    }
}
