//! Finds the passages of a long page that answer a question.
//!
//! Driving example: the question "how do I keep others out?" about a manual of 300 pages. Whole
//! sections are ranked by the words that they share with the question and, in English, also by
//! meaning. The result is the best paragraphs of the best sections.
//!
//! The embeddings are loaded once by each page module, when a question first needs them. Without
//! embeddings, only words are compared. Retrieval runs only inside a run's steps, so that its
//! outcome is recorded.

mod passages;
mod rank;

pub use passages::passages;
pub use rank::{has_meaning, rank, rank_relevant};

use futures::FutureExt;
use futures::future::Shared;
use gloss_durable::Fut;
use gloss_host::Assets;
use gloss_text::Language;
use gloss_text::embedding::Embeddings;
use std::future::ready;
use std::rc::Rc;

/// The file name of the embeddings in the extension's package.
pub const EMBEDDINGS: &str = "embeddings.bin";

/// The embeddings that retrieval uses, loaded on demand.
pub struct Retrieval {
    /// Loads the embeddings when it is first polled, which happens when a question needs them.
    embeddings: Shared<Fut<Option<Rc<Embeddings>>>>,
}

impl Retrieval {
    /// Creates a `Retrieval` that loads the embeddings from the package when they are needed.
    pub fn new(assets: Rc<dyn Assets>) -> Self {
        let load = async move {
            let bytes = assets.load(EMBEDDINGS).await.ok()?;
            Embeddings::parse(&bytes).ok().map(Rc::new)
        };
        Self {
            embeddings: load.boxed_local().shared(),
        }
    }

    /// Creates a `Retrieval` with these embeddings; with `None`, only words are compared.
    pub fn with(embeddings: Option<Rc<Embeddings>>) -> Self {
        Self {
            embeddings: ready(embeddings).boxed_local().shared(),
        }
    }

    /// Returns the embeddings; `None` if they don't help in `language` or can't be loaded.
    pub async fn embeddings(&self, language: Language) -> Option<Rc<Embeddings>> {
        if rank::has_meaning(language) {
            self.embeddings.clone().await
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests;
