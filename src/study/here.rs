//! Tasks, done.

use super::{Cited, Task};
use crate::host::{Device, Fut};
use crate::model::{Embedded, PassageData, PassagesData, Request};
use crate::page::{self, Document, ReadError};
use crate::retrieval::{Retrieval, has_meaning, passages};
use crate::text::embedding::Embeddings;
use futures::FutureExt;
use serde::Serialize;
use std::rc::Rc;

/// More passages than this no answer needs: each is looked for in the whole page.
const MOST_CITATIONS: usize = 200;

/// Does tasks in this process.
pub struct Here {
    retrieval: Rc<Retrieval>,
}

impl Here {
    /// One that finds by meaning where `retrieval` knows meanings.
    pub fn new(retrieval: Retrieval) -> Self {
        Self {
            retrieval: Rc::new(retrieval),
        }
    }
}

impl Device for Here {
    fn perform(&self, page: Option<Rc<Document>>, task: String) -> Fut<Result<String, ReadError>> {
        let retrieval = self.retrieval.clone();
        async move {
            let task: Task = serde_json::from_str(&task).map_err(super::failed)?;
            let page = page.as_ref();
            let meaning = match page.filter(|page| needs_meaning(&task, page)) {
                Some(page) => retrieval.meaning(page.written_in()).await,
                None => None,
            };
            done(task, page, meaning.as_deref())
        }
        .boxed_local()
    }
}

/// Whether embeddings would help; they are loaded for nothing less.
pub fn needs_meaning(task: &Task, page: &Rc<Document>) -> bool {
    let finds = match task {
        Task::Find { .. } => true,
        Task::Answer { request } => Embedded::needs_meaning(&on(request, page)),
        Task::Excerpt { .. } | Task::Explain { .. } | Task::Cite { .. } => false,
    };
    finds && has_meaning(page.written_in())
}

/// What comes of a task, as JSON.
///
/// # Errors
/// When there is no page, or the outcome cannot be written.
pub fn done(
    task: Task,
    page: Option<&Rc<Document>>,
    meaning: Option<&Embeddings>,
) -> Result<String, ReadError> {
    match (task, page) {
        (task, Some(page)) => on_page(task, page, meaning),
        (Task::Answer { request }, None) => json(&Embedded::reply(&request, meaning)),
        (_, None) => Err(super::failed("there is no page")),
    }
}

fn on_page(
    task: Task,
    page: &Rc<Document>,
    meaning: Option<&Embeddings>,
) -> Result<String, ReadError> {
    match task {
        Task::Find { query, most } => {
            let found = passages(page, &query, most, meaning).into_iter();
            json(&PassagesData {
                passages: found.map(PassageData::of).collect(),
                share_percent: None,
            })
        }
        Task::Excerpt {
            budget_tokens,
            focus,
        } => {
            let excerpt = page.excerpt(budget_tokens, focus.as_deref());
            json(&PassagesData {
                passages: excerpt
                    .paragraphs
                    .into_iter()
                    .map(PassageData::of)
                    .collect(),
                share_percent: Some(excerpt.share_percent),
            })
        }
        Task::Explain { text, around, most } => {
            let around = around.as_deref();
            json(&PassagesData::explaining(page, &text, around, most))
        }
        Task::Cite { ids, url } => json(&cited(page, &ids, &url)),
        Task::Answer { request } => json(&Embedded::reply(&on(&request, page), meaning)),
    }
}

/// The request with the page that it is about, which does not travel with it.
fn on(request: &Request, page: &Rc<Document>) -> Request {
    Request {
        page: Some(page.clone()),
        ..request.clone()
    }
}

fn cited(page: &Document, ids: &[String], url: &str) -> Vec<Cited> {
    let language = page.written_in();
    let found = ids.iter().filter_map(|id| {
        let (paragraph, quote) = page.cited(id, language)?;
        let directive = page::text_fragment(page, paragraph, quote);
        Some(Cited {
            id: id.clone(),
            paragraph,
            quote: quote.to_owned(),
            url: directive.map_or_else(|| url.to_owned(), |d| page::link(url, &d)),
        })
    });
    found.take(MOST_CITATIONS).collect()
}

fn json(outcome: &impl Serialize) -> Result<String, ReadError> {
    serde_json::to_string(outcome).map_err(super::failed)
}
