//! The page module: extracting, finding, explaining and quoting, in a wasm module of its own.
//!
//! Driving example: the worker receives a page. `worker_boot.js` loads this module, once in a
//! worker's life, and passes on the page, then a question about it. The module is more than half of
//! all our code, and a worker that only wakes to answer a surface does not load it. A page that
//! crashes it crashes nothing else, because the module is discarded. Its state is only a cache. It
//! decides nothing.

use gloss::durable::content_hash;
use gloss::page::{self, Document};
use gloss::page_service::{self, Task, needs_meaning};
use gloss::text::embedding::Embeddings;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// The number of cached pages: the one in the question, and those of one fetch.
const PAGES: usize = 4;

thread_local! {
    /// The pages that were used last, each with its name.
    static KNOWN: RefCell<Vec<(String, Rc<Document>)>> = const { RefCell::new(Vec::new()) };
    static MEANING: RefCell<Meaning> = const { RefCell::new(Meaning::NotGiven) };
}

/// The embeddings of words.
#[derive(Clone)]
enum Meaning {
    /// The embeddings were not requested yet.
    NotGiven,
    /// There are no embeddings.
    Nothing,
    By(Rc<Embeddings>),
}

fn main() {
    std::panic::set_hook(Box::new(console_error_panic_hook::hook));
}

/// The result of [`page::read`] as JSON, and the page's name if there is a page.
///
/// # Errors
/// Returns an error if the result cannot be written as JSON.
#[wasm_bindgen]
pub fn read(html: &str, url: &str) -> Result<Vec<String>, String> {
    let read = page::read(html, url);
    let json = serde_json::to_string(&read).map_err(|error| error.to_string())?;
    let Ok(document) = read else {
        return Ok(vec![json]);
    };
    let name = content_hash(&json);
    keep(&name, Rc::new(document));
    Ok(vec![json, name])
}

/// Runs a [`Task`], given as JSON, on the page of this name, or on none if the name is empty. The
/// caller passes `page` itself only if it was missing. Returns `done` and the outcome, or what is
/// missing: the `page`, or the `meaning` that [`give`] takes.
///
/// # Errors
/// Returns a message if the task fails.
#[wasm_bindgen]
pub fn perform(name: &str, page: Option<String>, task: &str) -> Result<Vec<String>, String> {
    let lacks = |what: &str| Ok(vec![what.to_owned()]);
    let task: Task = serde_json::from_str(task).map_err(|error| error.to_string())?;
    let page = match page {
        Some(json) => {
            let page = serde_json::from_str(&json).map_err(|error| error.to_string())?;
            let page = Rc::new(page);
            keep(name, Rc::clone(&page));
            Some(page)
        }
        None => known(name),
    };
    if page.is_none() && !name.is_empty() {
        return lacks("page");
    }
    let meaning = if needs_meaning(&task, page.as_ref()) {
        match MEANING.with_borrow(Clone::clone) {
            Meaning::By(embeddings) => Some(embeddings),
            Meaning::Nothing => None,
            Meaning::NotGiven => return lacks("meaning"),
        }
    } else {
        None
    };
    let outcome = page_service::perform(task, page.as_ref(), meaning.as_deref());
    let outcome = outcome.map_err(|error| error.to_string())?;
    Ok(vec!["done".to_owned(), outcome])
}

/// Stores the embeddings; invalid bytes mean that only words are compared.
#[wasm_bindgen]
pub fn give(embeddings: &[u8]) {
    let parsed = Embeddings::parse(embeddings);
    MEANING.set(parsed.map_or(Meaning::Nothing, |it| Meaning::By(Rc::new(it))));
}

fn known(name: &str) -> Option<Rc<Document>> {
    KNOWN.with_borrow(|known| {
        let found = known.iter().find(|(known, _)| known == name);
        found.map(|(_, page)| Rc::clone(page))
    })
}

fn keep(name: &str, page: Rc<Document>) {
    KNOWN.with_borrow_mut(|known| {
        known.retain(|(known, _)| known != name);
        known.truncate(PAGES - 1);
        known.insert(0, (name.to_owned(), page));
    });
}
