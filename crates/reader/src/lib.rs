#![doc = include_str!("../README.md")]

mod condense;
mod extracts;
mod modules;
pub mod retrieval;
mod task;
mod tasks;
mod word_overlap;

#[cfg(test)]
mod tests;

pub use modules::PageModules;
pub use task::{Bearing, CitedPassage, Extracts, Filling, Task};
#[cfg(not(target_arch = "wasm32"))]
pub use tasks::InProcessModules;
pub use tasks::{ask, needs_meaning, perform_task};

#[cfg(not(target_arch = "wasm32"))]
use crate::retrieval::Retrieval;
use futures::FutureExt;
use gloss_documents::DocumentKind;
use gloss_durable::{Fut, Sink, json};
use gloss_host::Capture;
use gloss_model::{AnswerOrigin, Model, ModelError, PassageData, PassagesData, Reply, Request};
use gloss_page::{Document, ReadError, TextFormat};
use serde::de::DeserializeOwned;
use std::rc::Rc;

/// The page service: reads pages, searches pages and selects passages of pages. The page service
/// also contains the on-device model.
#[derive(Clone)]
pub struct PageService {
    modules: Rc<dyn PageModules>,
}

impl PageService {
    /// Creates a page service that performs its tasks in `modules`.
    pub fn new(modules: Rc<dyn PageModules>) -> Self {
        Self { modules }
    }

    /// Creates a page service that performs its tasks in this process.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn in_process(retrieval: Retrieval) -> Self {
        Self::new(Rc::new(InProcessModules::new(retrieval)))
    }

    /// Reads the main content of a tab's page. A PDF is read from its bytes.
    pub fn extract(&self, capture: &Capture) -> Fut<Result<Rc<Document>, ReadError>> {
        let url = capture.url.clone();
        match capture.pdf_bytes() {
            Some(bytes) => self.read_document(bytes, DocumentKind::Pdf, url),
            None => self.modules.read(capture.html.clone(), url),
        }
    }

    /// Reads the text of a PDF, DOCX or feed from the address `url`.
    pub fn read_document(
        &self,
        bytes: Vec<u8>,
        kind: DocumentKind,
        url: String,
    ) -> Fut<Result<Rc<Document>, ReadError>> {
        self.modules.read_document(bytes, kind, url)
    }

    /// Finds at most `most` paragraphs about `query`, best first.
    ///
    /// # Errors
    /// Returns an error if the page module failed twice.
    pub async fn find(
        &self,
        page: &Rc<Document>,
        query: String,
        most: usize,
    ) -> Result<PassagesData, ReadError> {
        self.ask(Some(page), &Task::Find { query, most }).await
    }

    /// Returns the whole page if it fits into `budget_tokens`, or else its most informative
    /// paragraphs. Paragraphs about `focus` are chosen first. The result includes the share of the
    /// page that was selected.
    ///
    /// # Errors
    /// Returns an error if the page module failed twice.
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

    /// Finds at most `most` sentences that explain `text`. `around` is the text of the block in
    /// which the user selected `text`, if known.
    ///
    /// # Errors
    /// Returns an error if the page module failed twice.
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

    /// Returns the most important sentences of `texts`, in their original order and within
    /// `budget_tokens`. Sentences about `focus` are chosen first. Each sentence has the id of its
    /// text.
    ///
    /// # Errors
    /// Returns an error if the page module failed twice.
    pub async fn condense(
        &self,
        texts: Vec<PassageData>,
        focus: String,
        budget_tokens: u32,
    ) -> Result<Vec<PassageData>, ReadError> {
        self.condense_then(Filling::TheRest, texts, focus, budget_tokens)
            .await
    }

    /// Returns sentences as [`condense`](Self::condense) does, but only sentences about `focus`.
    /// The result is empty if no sentence is about `focus`.
    ///
    /// # Errors
    /// Returns an error if the page module failed twice.
    pub async fn focus(
        &self,
        texts: Vec<PassageData>,
        focus: String,
        budget_tokens: u32,
    ) -> Result<Vec<PassageData>, ReadError> {
        self.condense_then(Filling::Nothing, texts, focus, budget_tokens)
            .await
    }

    async fn condense_then(
        &self,
        then: Filling,
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

    /// Measures the share of `question`'s words that each text contains. Returns one result per
    /// text, in order.
    ///
    /// # Errors
    /// Returns an error if the page module failed twice.
    pub async fn word_overlap(
        &self,
        texts: Vec<PassageData>,
        question: String,
    ) -> Result<Vec<Bearing>, ReadError> {
        self.ask(None, &Task::WordOverlap { texts, question }).await
    }

    /// Reads a text that isn't the page of a tab, such as a fetched file.
    ///
    /// # Errors
    /// Returns an error if the text has no content, or if the page module failed twice.
    pub async fn read(
        &self,
        form: TextFormat,
        text: String,
        url: String,
    ) -> Result<Document, ReadError> {
        let task = Task::Read { form, text, url };
        self.ask::<Result<Document, ReadError>>(None, &task).await?
    }

    /// Returns the paragraphs about `query`, best first, within `most_words`. If no paragraph is
    /// about `query`, returns the most informative paragraphs. The result includes the share of the
    /// page that was selected.
    ///
    /// # Errors
    /// Returns an error if the page module failed twice.
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

    /// Resolves references such as `p14.2` to passages, each with a link to `url`. A reference to a
    /// missing passage is left out of the result.
    ///
    /// # Errors
    /// Returns an error if the page module failed twice.
    pub async fn cite(
        &self,
        page: &Rc<Document>,
        ids: Vec<String>,
        url: String,
    ) -> Result<Vec<CitedPassage>, ReadError> {
        self.ask(Some(page), &Task::Cite { ids, url }).await
    }

    /// Performs a task. If the task fails, performs it a second time in a new module, because an
    /// earlier task may have broken the module.
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

impl Model for PageService {
    /// Returns the whole reply at once, so nothing is streamed.
    fn reply(&self, request: Request, _: Sink) -> Fut<Result<Reply, ModelError>> {
        let page_service = self.clone();
        async move {
            let page = request.page.clone();
            let reply: Result<Reply, ReadError> = page_service
                .ask(page.as_ref(), &Task::Answer { request })
                .await;
            reply.map_err(|error| ModelError::Failed {
                message: error.to_string(),
            })
        }
        .boxed_local()
    }

    fn voice(&self) -> AnswerOrigin {
        AnswerOrigin::Page
    }
}
