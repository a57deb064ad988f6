//! Reads a document sentence by sentence, with citation ids.
//!
//! `p14` is a whole paragraph, `p14.2` its second sentence. Ids follow from the document alone, so
//! an answer from one worker's life can be cited in the next.

use super::{Document, Kind, Paragraph};
use gloss_text::{self as text, Language};

/// A sentence of a document.
#[derive(Debug, Clone, Copy)]
pub struct Sentence<'a> {
    /// The paragraph that contains it.
    pub paragraph: &'a Paragraph,
    /// Its position in the paragraph, from 1.
    pub place: usize,
    /// Its text, verbatim.
    pub text: &'a str,
}

impl Sentence<'_> {
    /// The id by which it is cited, such as `p14.2`.
    pub fn id(&self) -> String {
        format!("p{}.{}", self.paragraph.number, self.place)
    }
}

impl Document {
    /// The language of the text: the declared one, or else the detected one.
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

    /// Every sentence that can be quoted, in reading order. Code and headings are left out.
    pub fn sentences(&self, language: Language) -> Vec<Sentence<'_>> {
        self.paragraphs
            .iter()
            .filter(|paragraph| !matches!(paragraph.kind, Kind::Heading(_) | Kind::Code))
            .flat_map(|paragraph| {
                text::sentences(&paragraph.text, language)
                    .into_iter()
                    .enumerate()
                    .map(move |(index, text)| Sentence {
                        paragraph,
                        place: index + 1,
                        text,
                    })
            })
            .collect()
    }

    /// The paragraph number and the verbatim text that an id cites.
    pub fn resolve_citation(&self, id: &str, language: Language) -> Option<(u32, &str)> {
        let (number, place) = match id.strip_prefix('p')?.split_once('.') {
            Some((number, place)) => (number, Some(place.parse::<usize>().ok()?)),
            None => (id.strip_prefix('p')?, None),
        };
        let number: u32 = number.parse().ok()?;
        let index = usize::try_from(number.checked_sub(1)?).ok()?;
        let paragraph = self.paragraphs.get(index)?;
        let Some(place) = place else {
            return Some((number, &paragraph.text));
        };
        let sentences = text::sentences(&paragraph.text, language);
        Some((number, sentences.get(place.checked_sub(1)?).copied()?))
    }

    /// The length in words; Chinese characters count as one each.
    pub fn words(&self) -> u32 {
        let counts = self.paragraphs.iter().map(|paragraph| {
            let (words, characters) = text::words_and_characters(&paragraph.text);
            words + characters
        });
        u32::try_from(counts.sum::<usize>()).unwrap_or(u32::MAX)
    }
}
