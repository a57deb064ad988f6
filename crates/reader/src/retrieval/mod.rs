//! The passages of a long page that bear on a question.
//!
//! Driving example: "how do I keep others out?" over a manual of 300 pages. Whole
//! sections are ranked, by the words they share with the question and, for English, by what
//! both mean; then the best paragraphs of the best sections are given. Works without
//! the embeddings too: they are loaded once in a worker's life, when a question first
//! needs them, and a worker that cannot have them goes by words alone. It is used only
//! inside steps, so what it found is recorded.

mod passages;
mod rank;

pub use passages::passages;
pub use rank::{has_meaning, on_question, rank};

use futures::FutureExt;
use futures::future::Shared;
use gloss_durable::Fut;
use gloss_host::Assets;
use gloss_text::Language;
use gloss_text::embedding::Embeddings;
use std::future::ready;
use std::rc::Rc;

/// Where the build lays the embeddings.
pub const EMBEDDINGS: &str = "embeddings.bin";

/// Finds passages of pages.
pub struct Retrieval {
    /// Polled first when a question needs it.
    embeddings: Shared<Fut<Option<Rc<Embeddings>>>>,
}

impl Retrieval {
    /// One that loads the embeddings from the package when they are needed.
    pub fn new(assets: Rc<dyn Assets>) -> Self {
        let load = async move {
            let bytes = assets.load(EMBEDDINGS).await.ok()?;
            Embeddings::parse(&bytes).ok().map(Rc::new)
        };
        Self {
            embeddings: load.boxed_local().shared(),
        }
    }

    /// One that has its embeddings, or does without.
    pub fn with(embeddings: Option<Rc<Embeddings>>) -> Self {
        Self {
            embeddings: ready(embeddings).boxed_local().shared(),
        }
    }

    /// The embeddings, where they help with a page of that language and can be had.
    pub async fn meaning(&self, language: Language) -> Option<Rc<Embeddings>> {
        if rank::has_meaning(language) {
            self.embeddings.clone().await
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests;
