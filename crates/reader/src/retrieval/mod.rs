//! Finds the passages of a long page that answer a question.
//!
//! Driving example: "how do I keep others out?" over a manual of 300 pages. Whole sections are
//! ranked by the words that they share with the question and, in English, by meaning. Then the best
//! paragraphs of the best sections are returned.
//!
//! The embeddings are loaded once in a worker's life, when a question first needs them. Without
//! them, words alone decide. Retrieval runs only inside steps, so its outcome is recorded.

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

/// The file name of the embeddings in the package.
pub const EMBEDDINGS: &str = "embeddings.bin";

/// Loads the embeddings that retrieval uses.
pub struct Retrieval {
    /// Loads when it is first polled, which is when a question needs it.
    embeddings: Shared<Fut<Option<Rc<Embeddings>>>>,
}

impl Retrieval {
    /// Creates one that loads the embeddings from the package when they are needed.
    pub fn new(assets: Rc<dyn Assets>) -> Self {
        let load = async move {
            let bytes = assets.load(EMBEDDINGS).await.ok()?;
            Embeddings::parse(&bytes).ok().map(Rc::new)
        };
        Self {
            embeddings: load.boxed_local().shared(),
        }
    }

    /// Creates one with these embeddings, or with none.
    pub fn with(embeddings: Option<Rc<Embeddings>>) -> Self {
        Self {
            embeddings: ready(embeddings).boxed_local().shared(),
        }
    }

    /// The embeddings, if they help in this language and can be loaded.
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
