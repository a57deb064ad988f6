//! A document sentence by sentence, each with the id it is cited by.
//!
//! `p14` is a whole paragraph, `p14.2` its second sentence. Ids follow from the
//! document alone, so an answer written in one life is cited in the next.

use super::{Document, Kind, Paragraph};
use gloss_text::{self as text, Language};

/// A sentence of a document.
#[derive(Debug, Clone, Copy)]
pub struct Sentence<'a> {
    /// The paragraph it stands in.
    pub paragraph: &'a Paragraph,
    /// Its place in the paragraph, from 1.
    pub place: usize,
    /// Its words, verbatim.
    pub text: &'a str,
}

impl Sentence<'_> {
    /// How it is cited.
    pub fn id(&self) -> String {
        format!("p{}.{}", self.paragraph.number, self.place)
    }
}

impl Document {
    /// The language that the document's text is written in.
    pub fn written_in(&self) -> Language {
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

    /// Every sentence that can be quoted, in reading order. Code and headings
    /// are not sentences.
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

    /// What an id cites: the paragraph's number and the words, verbatim.
    pub fn cited(&self, id: &str, language: Language) -> Option<(u32, &str)> {
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

    /// Its length in words; of Chinese, in characters.
    pub fn words(&self) -> u32 {
        let counts = self.paragraphs.iter().map(|paragraph| {
            let (words, characters) = text::words_and_characters(&paragraph.text);
            words + characters
        });
        u32::try_from(counts.sum::<usize>()).unwrap_or(u32::MAX)
    }
}
