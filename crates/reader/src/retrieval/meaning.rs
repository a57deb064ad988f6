//! The answers of the sentence model to a task.
//!
//! Example: a question is asked about a page. The model runs in another process, so a task
//! can't wait for it. The task is performed without the model first, and notes which sentences it
//! would compare with the question. The caller asks the model, and performs the task again with the
//! answer. Tasks have no side effects, so nothing happens twice.

use futures::FutureExt;
use gloss_durable::Fut;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::future::ready;
use std::rc::Rc;

/// A question, and texts that the model shall compare with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    /// The question.
    pub question: String,
    /// The texts, the most promising ones first.
    pub texts: Vec<String>,
}

/// Asks the model for the cosine between the question and each text. The result is empty if the
/// model can't run.
pub type Compare = Rc<dyn Fn(Comparison) -> Fut<Vec<f32>>>;

/// Returns a [`Compare`] without a model: only words are compared.
pub fn words_only() -> Compare {
    Rc::new(|_| ready(Vec::new()).boxed_local())
}

/// The longest beginning of a text that the model reads, in bytes.
const MOST_BYTES: usize = 400;

/// The answer of the model to one task. A task makes at most one comparison.
#[derive(Debug, Default)]
pub struct Meaning {
    /// The cosines; `None` if the model was not asked yet.
    cosines: Option<Vec<f32>>,
    asked: RefCell<Option<Comparison>>,
}

impl Meaning {
    /// Creates the answer of a model; `None` if the model was not asked yet.
    pub fn new(cosines: Option<Vec<f32>>) -> Self {
        Self {
            cosines,
            asked: RefCell::default(),
        }
    }

    /// Returns the cosine between the question and each text: 1 for the same meaning, 0 for nothing
    /// in common. Returns `None` if only words can be compared.
    pub fn cosines<'a>(
        &self,
        question: &str,
        texts: impl ExactSizeIterator<Item = &'a str>,
    ) -> Option<Vec<f64>> {
        match &self.cosines {
            Some(cosines) => {
                let is_answer = cosines.len() == texts.len() && !cosines.is_empty();
                is_answer.then(|| cosines.iter().copied().map(f64::from).collect())
            }
            None if texts.len() == 0 => None,
            None => {
                let beginning = |text: &str| {
                    let end = text.floor_char_boundary(MOST_BYTES);
                    text.get(..end).unwrap_or_default().to_owned()
                };
                self.asked.replace(Some(Comparison {
                    question: question.to_owned(),
                    texts: texts.map(beginning).collect(),
                }));
                None
            }
        }
    }

    /// Performs `task`, and once more if it needs the model.
    pub fn given<T>(compare: impl FnOnce(&Comparison) -> Vec<f32>, task: impl Fn(&Self) -> T) -> T {
        let first = Self::default();
        let outcome = task(&first);
        match first.asked() {
            Some(comparison) => task(&Self::new(Some(compare(&comparison)))),
            None => outcome,
        }
    }

    /// Returns the comparison for which the task needs the model.
    pub fn asked(self) -> Option<Comparison> {
        self.asked.into_inner()
    }
}
