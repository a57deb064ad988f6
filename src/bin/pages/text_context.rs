//! Facts about a text that its views need.

use gloss::agent::{Answer, AnswerOrigin, Citation};
use gloss::ui::citation_marks::numbered;
use std::rc::Rc;

/// The source of the text that is shown, and what the text may cite.
#[derive(Clone)]
pub(crate) struct TextContext {
    voice: AnswerOrigin,
    /// `None` while the answer grows.
    citations: Option<Rc<[Citation]>>,
    /// The passages in the order of their marks' numbers.
    marks: Rc<[String]>,
    /// True if the caret follows the last word.
    pub(crate) caret: bool,
}

impl TextContext {
    pub(crate) fn of(answer: &Answer) -> Self {
        Self {
            voice: answer.voice,
            citations: Some(answer.citations.as_slice().into()),
            marks: numbered(answer).into(),
            caret: false,
        }
    }

    /// Text of a growing answer of a model, with or without the caret.
    pub(crate) fn growing(caret: bool) -> Self {
        Self {
            voice: AnswerOrigin::Model,
            citations: None,
            marks: Rc::new([]),
            caret,
        }
    }

    pub(crate) fn citation(&self, passage: &str) -> Option<&Citation> {
        self.citations
            .as_ref()?
            .iter()
            .find(|citation| citation.passage == passage)
    }

    /// Returns the number of a passage's mark, from 1; `None` if marks have no numbers.
    pub(crate) fn number(&self, passage: &str) -> Option<usize> {
        let at = self.marks.iter().position(|known| known == passage)?;
        Some(at + 1)
    }

    pub(crate) fn is_of_page(&self) -> bool {
        self.voice == AnswerOrigin::Page
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.citations.is_some()
    }

    /// Returns the class `name`. If the text is from the page, adds the class that sets the page's
    /// font.
    pub(crate) fn class(&self, name: &str) -> String {
        match self.voice {
            AnswerOrigin::Page => format!("{name} quote"),
            AnswerOrigin::Model => name.to_owned(),
        }
    }

    pub(crate) fn without_caret(&self) -> Self {
        Self {
            caret: false,
            ..self.clone()
        }
    }
}
