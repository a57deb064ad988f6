#![doc = include_str!("../README.md")]

mod bear;
mod condense;
mod extracts;
mod here;
mod modules;
pub mod retrieval;
mod task;

#[cfg(test)]
mod tests;

#[cfg(not(target_arch = "wasm32"))]
pub use here::Here;
pub use here::{done, needs_meaning};
pub use modules::PageModules;
pub use task::{Bearing, Cited, Extracts, Task, Then};

#[cfg(not(target_arch = "wasm32"))]
use crate::retrieval::Retrieval;
use futures::FutureExt;
use gloss_documents::DocumentKind;
use gloss_durable::{Fut, Sink, json};
use gloss_host::Capture;
use gloss_model::{Model, ModelError, PassageData, PassagesData, Reply, Request, Voice};
use gloss_page::{Document, Form, ReadError};
use serde::de::DeserializeOwned;
use std::rc::Rc;

/// Has things done with pages. It is the on-device model, too.
#[derive(Clone)]
pub struct Study {
    modules: Rc<dyn PageModules>,
}

impl Study {
    /// One that hands its work to `modules`.
    pub fn new(modules: Rc<dyn PageModules>) -> Self {
        Self { modules }
    }

    /// One that does it in this process.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn here(retrieval: Retrieval) -> Self {
        Self::new(Rc::new(Here::new(retrieval)))
    }

    /// The main content of what a tab shows: a PDF is read from its bytes.
    pub fn extract(&self, capture: &Capture) -> Fut<Result<Rc<Document>, ReadError>> {
        let url = capture.url.clone();
        match capture.pdf_bytes() {
            Some(bytes) => self.read_document(bytes, DocumentKind::Pdf, url),
            None => self.modules.read(capture.html.clone(), url),
        }
    }

    /// The text of a PDF, DOCX or feed, found at `url`.
    pub fn read_document(
        &self,
        bytes: Vec<u8>,
        kind: DocumentKind,
        url: String,
    ) -> Fut<Result<Rc<Document>, ReadError>> {
        self.modules.read_document(bytes, kind, url)
    }

    /// The at most `most` paragraphs that bear on `query`, best first.
    ///
    /// # Errors
    /// When the device failed, twice.
    pub async fn find(
        &self,
        page: &Rc<Document>,
        query: String,
        most: usize,
    ) -> Result<PassagesData, ReadError> {
        self.ask(Some(page), &Task::Find { query, most }).await
    }

    /// What fits into `budget_tokens`: the whole page, or the paragraphs that say most of
    /// it, those on `focus` first chosen; with their share of it.
    ///
    /// # Errors
    /// When the device failed, twice.
    pub async fn excerpt(
        &self,
        page: &Rc<Document>,
        budget_tokens: u32,
        focus: Option<String>,
    ) -> Result<PassagesData, ReadError> {
        let task = Task::Excerpt {
            budget_tokens,
            focus,
        };
        self.ask(Some(page), &task).await
    }

    /// The at most `most` sentences that explain `text`; `around` is the block that it was
    /// selected in, if known.
    ///
    /// # Errors
    /// When the device failed, twice.
    pub async fn explain(
        &self,
        page: &Rc<Document>,
        text: String,
        around: Option<String>,
        most: usize,
    ) -> Result<PassagesData, ReadError> {
        let task = Task::Explain { text, around, most };
        self.ask(Some(page), &task).await
    }

    /// The sentences of `texts` that matter most for `focus`, within `budget_tokens` and in
    /// their order; each with the id of its text.
    ///
    /// # Errors
    /// When the device failed, twice.
    pub async fn condense(
        &self,
        texts: Vec<PassageData>,
        focus: String,
        budget_tokens: u32,
    ) -> Result<Vec<PassageData>, ReadError> {
        self.condense_then(Then::TheRest, texts, focus, budget_tokens)
            .await
    }

    /// The same, but only those that bear on `focus`; none where nothing does.
    ///
    /// # Errors
    /// When the device failed, twice.
    pub async fn focus(
        &self,
        texts: Vec<PassageData>,
        focus: String,
        budget_tokens: u32,
    ) -> Result<Vec<PassageData>, ReadError> {
        self.condense_then(Then::Nothing, texts, focus, budget_tokens)
            .await
    }

    async fn condense_then(
        &self,
        then: Then,
        texts: Vec<PassageData>,
        focus: String,
        budget_tokens: u32,
    ) -> Result<Vec<PassageData>, ReadError> {
        let task = Task::Condense {
            texts,
            focus,
            then,
            budget_tokens,
        };
        let found: PassagesData = self.ask(None, &task).await?;
        Ok(found.passages)
    }

    /// How far each text bears on `question` by its words, in their order.
    ///
    /// # Errors
    /// When the device failed, twice.
    pub async fn bear(
        &self,
        texts: Vec<PassageData>,
        question: String,
    ) -> Result<Vec<Bearing>, ReadError> {
        self.ask(None, &Task::Bear { texts, question }).await
    }

    /// What a text says that stands in no tab.
    ///
    /// # Errors
    /// When there is no text in it, or the device failed, twice.
    pub async fn read(&self, form: Form, text: String, url: String) -> Result<Document, ReadError> {
        let task = Task::Read { form, text, url };
        self.ask::<Result<Document, ReadError>>(None, &task).await?
    }

    /// The paragraphs that bear on `query`, best first, else those that say most, within
    /// `most_words`; with their share of the page.
    ///
    /// # Errors
    /// When the device failed, twice.
    pub async fn extracts(
        &self,
        page: &Rc<Document>,
        query: Option<String>,
        most_words: Option<usize>,
        budget_tokens: u32,
    ) -> Result<Extracts, ReadError> {
        let task = Task::Extracts {
            query,
            most_words,
            budget_tokens,
        };
        self.ask(Some(page), &task).await
    }

    /// The passages of the page, found at `url`, that these references name; those that
    /// name none are left out.
    ///
    /// # Errors
    /// When the device failed, twice.
    pub async fn cite(
        &self,
        page: &Rc<Document>,
        ids: Vec<String>,
        url: String,
    ) -> Result<Vec<Cited>, ReadError> {
        self.ask(Some(page), &Task::Cite { ids, url }).await
    }

    /// What failed may have failed of what was done before: it is tried once more, by a
    /// device that is begun anew.
    async fn ask<T: DeserializeOwned>(
        &self,
        page: Option<&Rc<Document>>,
        task: &Task,
    ) -> Result<T, ReadError> {
        let task = json::text(task).map_err(|error| failed(error.to_string()))?;
        let first = self.modules.perform(page.cloned(), task.clone()).await;
        let done = match first {
            Ok(done) => done,
            Err(_) => self.modules.perform(page.cloned(), task).await?,
        };
        json::parse(&done).map_err(|error| failed(error.to_string()))
    }
}

fn failed(message: impl Into<String>) -> ReadError {
    ReadError::Failed {
        message: message.into(),
    }
}

impl Model for Study {
    fn reply(&self, request: Request, sink: Sink) -> Fut<Result<Reply, ModelError>> {
        let study = self.clone();
        async move {
            let page = request.page.clone();
            let reply: Result<Reply, ReadError> =
                study.ask(page.as_ref(), &Task::Answer { request }).await;
            let reply = reply.map_err(|error| ModelError::Failed {
                message: error.to_string(),
            })?;
            if !reply.text.is_empty() {
                sink.text(&reply.text);
            }
            Ok(reply)
        }
        .boxed_local()
    }

    fn voice(&self) -> Voice {
        Voice::Page
    }
}
