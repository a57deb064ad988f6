//! Performs the tasks of the page service.

#[cfg(not(target_arch = "wasm32"))]
mod in_process;

use super::condense::condense;
use super::extracts::extract_passages;
use super::word_overlap::word_overlap;
use super::{CitedPassage, Task};
use crate::retrieval::{Comparison, Meaning, paragraphs, passages};
use gloss_model::{
    Embedded, Message, PassageData, PassagesData, Purpose, Reply, Request, Role, Transcript,
};
use gloss_page::{self as page, Document, ReadError};
use gloss_text::Language;
use serde::Serialize;
use std::rc::Rc;

#[cfg(not(target_arch = "wasm32"))]
pub use in_process::InProcessModules;

/// The maximum number of citations that are resolved for one answer. A limit is needed because each
/// citation is searched for in the whole page.
const MOST_CITATIONS: usize = 200;

/// The number of passages in an answer of the on-device model.
const PASSAGES: usize = 8;

/// The outcome of [`perform_task`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Performed {
    /// The outcome of the task, as JSON.
    Done(String),
    /// The task needs the sentence model. It must be performed again, with the model's answer.
    Compare(Comparison),
}

/// Performs a task. `cosines` is the answer of the sentence model, empty if the model can't run;
/// `None` if the model was not asked.
///
/// # Errors
/// If the task needs a page and there is none, or if the outcome cannot be serialised.
pub fn perform_task(
    task: &Task,
    page: Option<&Rc<Document>>,
    cosines: Option<Vec<f32>>,
) -> Result<Performed, ReadError> {
    let meaning = Meaning::new(cosines);
    let outcome = outcome(task, page, &meaning)?;
    let compare = meaning.asked().map(Performed::Compare);
    Ok(compare.unwrap_or(Performed::Done(outcome)))
}

/// Performs a task and returns its outcome as JSON.
fn outcome(
    task: &Task,
    page: Option<&Rc<Document>>,
    meaning: &Meaning,
) -> Result<String, ReadError> {
    let no_page = || super::failed("there is no page");
    let needed = || page.ok_or_else(no_page);
    match task {
        Task::Find { query, most } => {
            let found = paragraphs(needed()?, query, *most, meaning).into_iter();
            json(&PassagesData {
                passages: found.map(PassageData::of).collect(),
                share_percent: None,
            })
        }
        Task::Excerpt {
            budget_tokens,
            focus,
        } => {
            let excerpt = needed()?.excerpt(*budget_tokens, focus.as_deref());
            let paragraphs = excerpt.paragraphs.into_iter();
            json(&PassagesData {
                passages: paragraphs.map(PassageData::of).collect(),
                share_percent: Some(excerpt.share_percent),
            })
        }
        Task::Explain { text, around, most } => {
            let around = around.as_deref();
            json(&PassagesData::explaining(needed()?, text, around, *most))
        }
        Task::Condense {
            texts,
            focus,
            then,
            budget_tokens,
        } => json(&condense(texts, focus, *then, *budget_tokens, meaning)),
        Task::WordOverlap { texts, question } => json(&word_overlap(texts, question)),
        Task::Extracts {
            query,
            most_words,
            budget_tokens,
        } => json(&extract_passages(
            needed()?,
            query.as_deref(),
            *most_words,
            *budget_tokens,
            meaning,
        )),
        Task::Read { form, text, url } => json(&page::read_as(*form, text, url)),
        Task::Cite { ids, url } => json(&cited(needed()?, ids, url)),
        Task::Answer { request } => json(&answer(&on(request, page), meaning)),
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
fn answer(request: &Request, meaning: &Meaning) -> Reply {
    let question = Embedded::question(request);
    let found = request.page.as_deref().zip(question);
    let found = found.map(|(page, question)| passages(page, &question, PASSAGES, meaning));
    Embedded::reply(request, &found.unwrap_or_default())
}

/// Answers one question about one page as the on-device model, without the agent loop. `compare`
/// asks the sentence model.
pub fn ask(
    page: Rc<Document>,
    question: &str,
    compare: impl FnOnce(&Comparison) -> Vec<f32>,
) -> Reply {
    let mut transcript = Transcript::default();
    transcript.push(Message::text(Role::User, question));
    let request = Request {
        page: Some(page),
        ..Request::of_text(Purpose::Synthesise, transcript, 0.0, Language::English)
    };
    Meaning::given(compare, |meaning| answer(&request, meaning))
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
