//! Citations in running text: `[[p14]]` a paragraph, `[[p14.2]]` a sentence of it.

use super::Inline;

/// Splits text into words and citations.
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

fn push_words(inlines: &mut Vec<Inline>, words: &mut String) {
    if !words.is_empty() {
        inlines.push(Inline::Text {
            text: std::mem::take(words),
        });
    }
}

/// The passage's id at the start of `text`, and what follows its brackets.
fn passage(text: &str) -> Option<(&str, &str)> {
    let (id, after) = text.strip_prefix("[[")?.split_once("]]")?;
    is_passage(id).then_some((id, after))
}

fn is_passage(id: &str) -> bool {
    let Some(numbers) = id.strip_prefix('p') else {
        return false;
    };
    let (paragraph, sentence) = numbers.split_once('.').unwrap_or((numbers, "1"));
    [paragraph, sentence].iter().all(|number| {
        (1..=6).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_and_well_formed_mark_is_a_citation() {
        for (text, count) in [
            ("a [[p1]] b", 1),
            ("[[p14.2]][[p3]]", 2),
            ("[[[p1]]]", 1),
            ("[[p1", 0),
            ("[[q1]]", 0),
            ("[[p]]", 0),
            ("[[p1.]]", 0),
            ("[[p1.2.3]]", 0),
            ("[[p12345678]]", 0),
            ("[[ p1 ]]", 0),
            ("漢字[[p2]]。", 1),
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
