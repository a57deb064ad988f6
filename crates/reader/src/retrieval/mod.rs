//! Finds the passages of a long page that answer a question.
//!
//! Example: the question "how do I keep others out?" is asked about a manual of 300 pages.
//! Sentences are ranked by the words that they have in common with the question. In English, they
//! are also ranked by meaning. `find_in_page` returns the paragraphs with the nearest passages, and
//! an answer on the device shows the passages themselves.
//!
//! Each page module loads the embeddings once, when a question first needs them. Without
//! embeddings, only words are compared. Retrieval is called only in steps of a run, so that its
//! outcome is recorded.

mod passages;
mod rank;

pub use passages::{paragraphs, passages};
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
    /// Loads the embeddings when polled for the first time, that is, when a question needs them.
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

    /// Returns the embeddings. Returns `None` if they don't improve the ranking in `language`, or
    /// can't be loaded.
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
