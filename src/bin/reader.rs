//! The reader module extracts, searches, explains and quotes pages, in a wasm module of its own.
//!
//! Example: the worker receives a page. `worker_boot.js` loads this module once in each
//! worker, and passes it the page and then a question about the page.
//!
//! The module is separate for two reasons. The module contains more than half of all our code. A
//! worker that only wakes to answer a surface does not load this code. If a page crashes the
//! module, only the module and its cache are lost.

use gloss::durable::content_hash;
use gloss::page::{self, Document};
use gloss::page_service::{Task, needs_meaning, perform_task};
use gloss::text::embedding::Embeddings;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// The number of cached pages. One is the page of the question; the others were fetched.
const PAGES: usize = 4;

thread_local! {
    /// The pages that were used most recently, each with its name.
    static KNOWN: RefCell<Vec<(String, Rc<Document>)>> = const { RefCell::new(Vec::new()) };
    static MEANING: RefCell<Meaning> = const { RefCell::new(Meaning::NotGiven) };
}

/// The embeddings of words.
#[derive(Clone)]
enum Meaning {
    /// The worker has not passed the embeddings to this module yet.
    NotGiven,
    /// The embeddings are not available.
    Nothing,
    By(Rc<Embeddings>),
}

fn main() {
    std::panic::set_hook(Box::new(console_error_panic_hook::hook));
}

/// Extracts the content of a page. Returns the result of [`page::read`] as JSON, and the page's
/// name if the page could be read.
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

/// Runs a [`Task`], given as JSON, on the page of this name; an empty name means no page. The
/// result is `done` and the outcome, `page` or `meaning`. `page` means that the page is not
/// cached; the caller tries again with the page's JSON. `meaning` means that [`give`] must be
/// called first.
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
    let outcome = perform_task(task, page.as_ref(), meaning.as_deref());
    let outcome = outcome.map_err(|error| error.to_string())?;
    Ok(vec!["done".to_owned(), outcome])
}

/// Stores the embeddings. If the bytes are invalid, texts are compared by their words only.
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
