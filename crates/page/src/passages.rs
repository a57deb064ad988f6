//! Finds the passages of a document that are nearest to a question.
//!
//! Example: the question "When was the lamp lit?" finds "The lamp burned oil. It was first lit in
//! 1823." under the heading "The lamp". [`gloss_text::passages`] ranks the sentences and joins
//! them. This module passes each sentence to it together with the headings above.

use super::sections::beginning;
use super::{Document, Kind, Paragraph, Sentence};
use gloss_text::index::Entry;
use gloss_text::passages::{Candidate, NEAR, PageSentence, absent_words, candidates, passages};
use gloss_text::{Language, joined};
use std::ops::Range;

/// A passage of a document: some sentences of one paragraph.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage<'a> {
    /// The paragraph that contains the passage.
    pub paragraph: &'a Paragraph,
    /// The id by which the passage is cited, such as `p14` or `p14.2-4`.
    pub id: String,
    /// The passage, verbatim.
    pub text: &'a str,
    /// The innermost heading above the passage; empty if there is none.
    pub heading: &'a str,
    /// True if the passage shares a word with the question, or the model found a similar meaning.
    pub is_related: bool,
}

/// A search for the passages that are nearest to a question.
#[derive(Debug)]
pub struct PassageSearch<'a> {
    sentences: Vec<Sentence<'a>>,
    /// For each heading: the number of its paragraph, the path of headings down to it, and the
    /// heading alone.
    headings: Vec<(u32, String, &'a str)>,
    candidates: Vec<Candidate>,
}

impl Document {
    /// Begins a search by comparing the words of all sentences with the question.
    pub fn search(&self, question: &str) -> PassageSearch<'_> {
        let language = self.text_language();
        let paragraphs = self.paragraphs.iter();
        let quotable = paragraphs.filter(|it| !matches!(it.kind, Kind::Heading(_)));
        let mut search = PassageSearch {
            sentences: quotable.flat_map(|it| it.sentences(language)).collect(),
            headings: headings(self),
            candidates: Vec::new(),
        };
        search.candidates = candidates(question, &search.page(), language);
        search
    }

    /// Returns the names, numbers and quoted words of a question that the page doesn't contain, as
    /// the question spells them. The whole page is searched, not only its main content.
    pub fn absent_words(&self, question: &str) -> Vec<String> {
        let paragraphs = self.paragraphs.iter().map(|it| it.text.as_str());
        let rest = [self.title.as_str(), self.other_words.as_str()];
        absent_words(
            question,
            rest.into_iter().chain(paragraphs),
            self.text_language(),
        )
    }
}

impl<'a> PassageSearch<'a> {
    /// Returns the texts that a model may rate, best first: sentences, each after its heading.
    /// Without the heading, the model found fewer answers in tests.
    pub fn candidates(&self) -> Vec<String> {
        let sentences = self
            .candidates
            .iter()
            .map(|it| self.sentences.get(it.sentence));
        let text = |sentence: &Sentence<'a>| match self.above(sentence.paragraph) {
            Some((.., heading)) => format!("{heading}. {}", sentence.text),
            None => sentence.text.to_owned(),
        };
        sentences.flatten().map(text).collect()
    }

    /// Returns the `most` nearest passages, best first. `model` contains a model's scores of the
    /// first [`candidates()`](Self::candidates()), in the same order.
    pub fn passages(&self, model: Option<&[f64]>, most: usize) -> Vec<Passage<'a>> {
        let found = passages(&self.page(), &self.candidates, model, most);
        let model = model.unwrap_or_default().iter().map(Some);
        let rated = self
            .candidates
            .iter()
            .zip(model.chain(std::iter::repeat(None)));
        let related =
            rated.filter(|(it, score)| it.is_related || score.is_some_and(|it| *it > NEAR));
        let related = related.map(|(it, _)| it.sentence);
        let passage = |range: Range<usize>| {
            let mut related = related.clone();
            let sentences = self.sentences.get(range.clone())?;
            let (first, last) = (sentences.first()?, sentences.last()?);
            let paragraph = first.paragraph;
            let text = joined(&paragraph.text, first.text, last.text);
            Some(Passage {
                paragraph,
                id: if text.len() == paragraph.text.len() {
                    format!("p{}", paragraph.number)
                } else if first.place == last.place {
                    first.id()
                } else {
                    format!("{}-{}", first.id(), last.place)
                },
                text,
                heading: self.above(paragraph).map_or("", |(_, _, heading)| heading),
                is_related: related.any(|it| range.contains(&it)),
            })
        };
        found.into_iter().filter_map(passage).collect()
    }

    fn page(&self) -> Vec<PageSentence<'_>> {
        let sentence = |sentence: &Sentence<'a>| PageSentence {
            entry: Entry {
                heading: self.above(sentence.paragraph).map_or("", |(_, all, _)| all),
                text: sentence.text,
            },
            paragraph: sentence.paragraph.number,
            section: self.section(sentence.paragraph),
        };
        self.sentences.iter().map(sentence).collect()
    }

    /// Returns the last heading before a paragraph, as an entry of `headings`.
    fn above(&self, paragraph: &Paragraph) -> Option<&(u32, String, &'a str)> {
        self.headings.get(self.section(paragraph).checked_sub(1)?)
    }

    /// Returns the number of headings before a paragraph.
    fn section(&self, paragraph: &Paragraph) -> usize {
        let headings = &self.headings;
        headings.partition_point(|(at, ..)| *at < paragraph.number)
    }
}

fn headings(page: &Document) -> Vec<(u32, String, &str)> {
    let mut path: Vec<(u8, &str)> = Vec::new();
    let mut headings = Vec::new();
    for paragraph in &page.paragraphs {
        if let Kind::Heading(level) = paragraph.kind {
            let heading = beginning(&paragraph.text);
            path.retain(|(above, _)| *above < level);
            path.push((level, heading));
            let texts: Vec<&str> = path.iter().map(|(_, text)| *text).collect();
            headings.push((paragraph.number, texts.join(" · "), heading));
        }
    }
    headings
}

impl Paragraph {
    /// Returns the sentences of the paragraph, or the lines if it is a table or code.
    pub fn sentences(&self, language: Language) -> impl Iterator<Item = Sentence<'_>> {
        let texts = match self.kind {
            Kind::Table | Kind::Code => self
                .text
                .lines()
                .filter(|it| !it.trim().is_empty())
                .collect(),
            _ => gloss_text::sentences(&self.text, language),
        };
        (1..).zip(texts).map(|(place, text)| Sentence {
            paragraph: self,
            place,
            text,
        })
    }
}
