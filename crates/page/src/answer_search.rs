//! Finds the sentences of a document that answer a question.
//!
//! Driving example: the question "When was the lamp lit?" finds "It was first lit in 1823." under
//! the heading "The lamp". [`gloss_text::answer`] rates the sentences. This module gives
//! [`gloss_text::answer`] each sentence with the headings above the sentence.

use super::sections::beginning;
use super::{Document, Kind, Paragraph, Sentence};
use gloss_text::answer::{Answer, Candidate, answers};
use gloss_text::embedding::Embeddings;
use gloss_text::words_and_characters;

/// A line with more words than this doesn't count as a heading.
const HEADING_WORDS: usize = 10;

/// The result of a search for the answer to a question.
#[derive(Debug)]
pub struct AnswerSearch<'a> {
    /// All sentences of the document, in order.
    pub sentences: Vec<Sentence<'a>>,
    /// The sentences that may be answers, the likeliest first, as indices into `sentences`.
    pub answers: Vec<Answer>,
}

impl Document {
    /// Finds at most `most` sentences that may answer a question. If `meaning` is given, words of
    /// similar meaning count as matches too.
    pub fn find_answers(
        &self,
        question: &str,
        meaning: Option<&Embeddings>,
        most: usize,
    ) -> AnswerSearch<'_> {
        let language = self.text_language();
        let sentences = self.sentences(language);
        let headings = self.headings();
        let candidates: Vec<Candidate<'_>> = sentences
            .iter()
            .map(|sentence| Candidate {
                text: sentence.text,
                paragraph: sentence.paragraph.number,
                heading: headings_above(&headings, sentence.paragraph.number),
            })
            .collect();
        let answers = answers(question, &self.title, &candidates, language, meaning, most);
        AnswerSearch { sentences, answers }
    }

    /// Returns the paragraph number of each heading, with the heading's text. The headings above
    /// are put before the text: "Coast · The lamp".
    fn headings(&self) -> Vec<(u32, String)> {
        let mut path: Vec<(u8, &str)> = Vec::new();
        let mut headings = Vec::new();
        for paragraph in &self.paragraphs {
            if let Some(level) = level(paragraph) {
                path.retain(|(above, _)| *above < level);
                path.push((level, beginning(&paragraph.text)));
                let texts: Vec<&str> = path.iter().map(|(_, text)| *text).collect();
                headings.push((paragraph.number, texts.join(" · ")));
            }
        }
        headings
    }
}

/// Returns the level of a heading; `None` for a paragraph that is not a heading. A short line that
/// doesn't end with punctuation counts as a heading of the lowest level.
fn level(paragraph: &Paragraph) -> Option<u8> {
    match paragraph.kind {
        Kind::Heading(level) => Some(level),
        Kind::Prose => {
            let text = paragraph.text.trim_end();
            let (words, characters) = words_and_characters(text);
            let is_short = (1..=HEADING_WORDS).contains(&(words + characters / 2));
            let is_open = text.ends_with(|c: char| c.is_alphanumeric());
            (is_short && is_open && !text.contains('\n')).then_some(7)
        }
        Kind::Item | Kind::Definition | Kind::Quote | Kind::Caption | Kind::Code | Kind::Table => {
            None
        }
    }
}

/// Returns the headings above the paragraph with this number.
fn headings_above(headings: &[(u32, String)], number: u32) -> &str {
    let after = headings.partition_point(|(at, _)| *at < number);
    let heading = after.checked_sub(1).and_then(|at| headings.get(at));
    heading.map_or("", |(_, text)| text)
}
