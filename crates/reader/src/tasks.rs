//! Performs the tasks of the page service.

#[cfg(not(target_arch = "wasm32"))]
mod in_process;

use super::condense::{self, condense};
use super::extracts::extract_passages;
use super::word_overlap::word_overlap;
use super::{CitedPassage, Filling, Task};
use crate::retrieval::{has_meaning, paragraphs, passages};
use gloss_model::{
    Embedded, Message, PassageData, PassagesData, Purpose, Reply, Request, Role, Transcript,
};
use gloss_page::{self as page, Document, ReadError};
use gloss_text::Language;
use gloss_text::embedding::Embeddings;
use serde::Serialize;
use std::rc::Rc;

#[cfg(not(target_arch = "wasm32"))]
pub use in_process::InProcessModules;

/// The maximum number of citations that are resolved for one answer. A limit is needed because each
/// citation is searched for in the whole page.
const MOST_CITATIONS: usize = 200;

/// The number of passages in an answer of the on-device model.
const PASSAGES: usize = 8;

/// Returns true if embeddings would improve the outcome of `task`; otherwise they aren't loaded.
pub fn needs_meaning(task: &Task, page: Option<&Rc<Document>>) -> bool {
    let finds = match task {
        Task::Find { .. } => true,
        Task::Answer { request } => Embedded::question(&on(request, page)).is_some(),
        Task::Extracts {
            query, most_words, ..
        } => query.is_some() && most_words.is_some(),
        Task::Condense {
            texts,
            then: Filling::Nothing,
            ..
        } => return has_meaning(condense::language(texts)),
        Task::Excerpt { .. }
        | Task::Explain { .. }
        | Task::Condense {
            then: Filling::TheRest,
            ..
        }
        | Task::WordOverlap { .. }
        | Task::Cite { .. }
        | Task::Read { .. } => false,
    };
    finds && page.is_some_and(|page| has_meaning(page.text_language()))
}

/// Performs a task and returns its outcome as JSON.
///
/// # Errors
/// If the task needs a page and there is none, or if the outcome cannot be serialised.
pub fn perform_task(
    task: Task,
    page: Option<&Rc<Document>>,
    meaning: Option<&Embeddings>,
) -> Result<String, ReadError> {
    let no_page = || super::failed("there is no page");
    let needed = || page.ok_or_else(no_page);
    match task {
        Task::Find { query, most } => {
            let found = paragraphs(needed()?, &query, most, meaning).into_iter();
            json(&PassagesData {
                passages: found.map(PassageData::of).collect(),
                share_percent: None,
            })
        }
        Task::Excerpt {
            budget_tokens,
            focus,
        } => {
            let excerpt = needed()?.excerpt(budget_tokens, focus.as_deref());
            let paragraphs = excerpt.paragraphs.into_iter();
            json(&PassagesData {
                passages: paragraphs.map(PassageData::of).collect(),
                share_percent: Some(excerpt.share_percent),
            })
        }
        Task::Explain { text, around, most } => {
            let around = around.as_deref();
            json(&PassagesData::explaining(needed()?, &text, around, most))
        }
        Task::Condense {
            texts,
            focus,
            then,
            budget_tokens,
        } => json(&condense(&texts, &focus, then, budget_tokens, meaning)),
        Task::WordOverlap { texts, question } => json(&word_overlap(&texts, &question)),
        Task::Extracts {
            query,
            most_words,
            budget_tokens,
        } => json(&extract_passages(
            needed()?,
            query.as_deref(),
            most_words,
            budget_tokens,
            meaning,
        )),
        Task::Read { form, text, url } => json(&page::read_as(form, &text, &url)),
        Task::Cite { ids, url } => json(&cited(needed()?, &ids, &url)),
        Task::Answer { request } => json(&answer(&on(&request, page), meaning)),
    }
}

/// Adds the page to a request. A request is sent to the module without its page.
fn on(request: &Request, page: Option<&Rc<Document>>) -> Request {
    Request {
        page: page.cloned(),
        ..request.clone()
    }
}

/// Answers a request as the on-device model.
fn answer(request: &Request, meaning: Option<&Embeddings>) -> Reply {
    let question = Embedded::question(request);
    let found = request.page.as_deref().zip(question);
    let found = found.map(|(page, question)| passages(page, &question, PASSAGES, meaning));
    Embedded::reply(request, &found.unwrap_or_default())
}

/// Answers one question about one page as the on-device model, without the agent loop.
pub fn ask(page: Rc<Document>, question: &str, meaning: Option<&Embeddings>) -> Reply {
    let mut transcript = Transcript::default();
    transcript.push(Message::text(Role::User, question));
    let request = Request {
        page: Some(page),
        ..Request::of_text(Purpose::Synthesise, transcript, 0.0, Language::English)
    };
    answer(&request, meaning)
}

fn cited(page: &Document, ids: &[String], url: &str) -> Vec<CitedPassage> {
    let language = page.text_language();
    let fragments = page::Fragments::of(page);
    let found = ids.iter().filter_map(|id| {
        let (paragraph, quote) = page.resolve_citation(id, language)?;
        let link = match page.page_of(paragraph) {
            Some(number) => page::link_to_page(url, number),
            None => match fragments.directive(paragraph, quote) {
                Some(directive) => page::link(url, &directive),
                None => url.to_owned(),
            },
        };
        Some(CitedPassage {
            id: id.clone(),
            paragraph,
            quote: quote.to_owned(),
            url: link,
        })
    });
    found.take(MOST_CITATIONS).collect()
}

fn json(outcome: &impl Serialize) -> Result<String, ReadError> {
    serde_json::to_string(outcome).map_err(|error| super::failed(error.to_string()))
}
