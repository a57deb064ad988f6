//! Reads a document sentence by sentence, with citation ids.
//!
//! Example: `p14` is paragraph 14, `p14.2` is its second sentence, and `p14.2-4` is the passage
//! from its second to its fourth sentence. The ids depend on the document alone, so an id remains
//! valid when Chrome restarts the worker.

use super::{Document, Kind, Paragraph};
use gloss_text::{self as text, Language};

/// A sentence of a document.
#[derive(Debug, Clone, Copy)]
pub struct Sentence<'a> {
    /// The paragraph that contains the sentence.
    pub paragraph: &'a Paragraph,
    /// The position of the sentence in its paragraph, from 1.
    pub place: usize,
    /// The sentence, verbatim.
    pub text: &'a str,
}

impl Sentence<'_> {
    /// Returns the id by which the sentence is cited, such as `p14.2`.
    pub fn id(&self) -> String {
        format!("p{}.{}", self.paragraph.number, self.place)
    }
}

impl Document {
    /// Returns the language that the page declares, if the text is in that language. Otherwise
    /// returns the language that is detected from the text.
    pub fn text_language(&self) -> Language {
        let mut sample = String::new();
        for paragraph in &self.paragraphs {
            if sample.len() > 8_000 {
                break;
            }
            sample.push_str(&paragraph.text);
            sample.push('\n');
        }
        Language::of(&self.language, &sample)
    }

    /// Returns all sentences in reading order, without headings and code.
    pub fn sentences(&self, language: Language) -> Vec<Sentence<'_>> {
        self.paragraphs
            .iter()
            .filter(|paragraph| !matches!(paragraph.kind, Kind::Heading(_) | Kind::Code))
            .flat_map(|paragraph| paragraph.sentences(language))
            .collect()
    }

    /// Returns the paragraph number and the verbatim text that `id` cites; `None` if the document
    /// has no such passage.
    pub fn resolve_citation(&self, id: &str, language: Language) -> Option<(u32, &str)> {
        let (number, places) = match id.strip_prefix('p')?.split_once('.') {
            Some((number, places)) => (number, Some(places)),
            None => (id.strip_prefix('p')?, None),
        };
        let number: u32 = number.parse().ok()?;
        let index = usize::try_from(number.checked_sub(1)?).ok()?;
        let paragraph = self.paragraphs.get(index)?;
        let Some(places) = places else {
            return Some((number, &paragraph.text));
        };
        let (first, last) = places.split_once('-').unwrap_or((places, places));
        let sentences: Vec<Sentence<'_>> = paragraph.sentences(language).collect();
        let sentence = |place: &str| {
            Some(
                sentences
                    .get(place.parse::<usize>().ok()?.checked_sub(1)?)?
                    .text,
            )
        };
        let text = text::joined(&paragraph.text, sentence(first)?, sentence(last)?);
        Some((number, text))
    }

    /// Returns the length in words; each Chinese, Japanese or Korean character counts as one word.
    pub fn words(&self) -> u32 {
        let counts = self.paragraphs.iter().map(|paragraph| {
            let (words, characters) = text::words_and_characters(&paragraph.text);
            words + characters
        });
        u32::try_from(counts.sum::<usize>()).unwrap_or(u32::MAX)
    }
}
