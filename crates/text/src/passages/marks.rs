//! Finds the words of a passage that a question contains too.

use super::super::Language;
use super::super::language::{is_cjk, is_hiragana};
use super::super::sentences::offset;
use super::super::terms::Rules;
use std::collections::BTreeSet;
use std::ops::Range;

/// Returns the ranges of the words in `text` that share a term with `question`, in order. Adjacent
/// words form one range. In Chinese and Japanese text, pairs of characters are compared.
pub fn shared_words(text: &str, question: &str, language: Language) -> Vec<Range<usize>> {
    let rules = Rules::of(language);
    let mut asked = BTreeSet::new();
    rules.each_surface(question, |word| {
        asked.extend(rules.term(word).map(std::borrow::Cow::into_owned));
    });
    let mut places: Vec<Range<usize>> = Vec::new();
    rules.each_surface(text, |word| {
        let is_shared = rules.term(word).is_some_and(|term| asked.contains(&*term));
        if !is_shared || !says_something(word) {
            return;
        }
        let start = offset(text, word);
        let end = start + word.len();
        let last = places.last_mut();
        let gap = last
            .as_ref()
            .and_then(|last| text.get(last.end.min(start)..start));
        match (last, gap) {
            (Some(last), Some(gap)) if gap.trim().is_empty() => last.end = last.end.max(end),
            _ => places.push(start..end),
        }
    });
    places
}

/// Returns false for Japanese endings and for a single Chinese character, since it is part of many
/// words.
fn says_something(word: &str) -> bool {
    let mut letters = word.chars();
    !word.starts_with(is_cjk) || letters.clone().count() > 1 && !letters.any(is_hiragana)
}

#[cfg(test)]
mod tests {
    use super::super::super::Language::{self, Chinese, English, Other};
    use super::shared_words;

    #[test]
    fn words_of_the_question_are_marked_in_six_languages() {
        let cases: [(Language, &str, &str, &[&str]); 6] = [
            (
                English,
                "When is high tide in Boston?",
                "The high tides are read off: a high tide table.",
                &["high tides", "high tide"],
            ),
            (
                Chinese,
                "大潮有多高？",
                "布列斯特的大潮高达七米。",
                &["大潮"],
            ),
            (
                Other,
                "Wann ist die Flut in der Stadt?",
                "Die Flut kam, und die Stadt schlief.",
                &["Flut", "Stadt"],
            ),
            (
                Other,
                "Quand la marée est-elle haute ?",
                "Les marées hautes sont dans la table.",
                &["marées hautes"],
            ),
            (
                Other,
                "¿Cuándo sube la marea en el puerto?",
                "La marea sube en los puertos.",
                &["marea sube", "puertos"],
            ),
            (
                Other,
                "灯台はいつ建てられましたか",
                "この灯台は1823年に建てられました。",
                &["灯台"],
            ),
        ];
        for (language, question, text, expected) in cases {
            let found = shared_words(text, question, language);
            let words: Vec<&str> = found.into_iter().map(|place| &text[place]).collect();
            assert_eq!(words, expected, "{question}");
        }
    }
}
