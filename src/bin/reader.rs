//! All that knows pages, as a module of its own: extraction, finding, explaining, quoting.
//!
//! Driving example: the worker is handed a page; `worker_boot.js` loads this
//! module, once in a life of the worker, and hands the page on; then a question about it.
//! It is more than half of all our code, and a worker that only wakes to answer a surface
//! does not pay for it. A page that makes it fail takes nothing else along: the
//! module is thrown away. What it keeps is only there to be faster. It decides nothing.

use gloss::durable::content_hash;
use gloss::page::{self, Document};
use gloss::study::{Task, done, needs_meaning};
use gloss::text::embedding::Embeddings;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// So many pages are kept: the one that is asked about, and those of one fetch.
const PAGES: usize = 4;

thread_local! {
    /// The pages it saw last, each under its name.
    static KNOWN: RefCell<Vec<(String, Rc<Document>)>> = const { RefCell::new(Vec::new()) };
    static MEANING: RefCell<Meaning> = const { RefCell::new(Meaning::NotGiven) };
}

/// What words mean.
#[derive(Clone)]
enum Meaning {
    /// Nobody has asked for it yet.
    NotGiven,
    /// There is nothing to go by.
    Nothing,
    By(Rc<Embeddings>),
}

fn main() {
    std::panic::set_hook(Box::new(console_error_panic_hook::hook));
}

/// What [`page::read`] makes of a page, as JSON, and the page's name if there is one.
///
/// # Errors
/// When it cannot be written as JSON.
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

/// Does a [`Task`], given as JSON, with the page of this name, or with none if the name is
/// empty; `page` itself is given only if it was lacking. The answer is `done` and the outcome, or what is lacking: the `page`, or
/// the `meaning` that [`give`] takes.
///
/// # Errors
/// When it can't be done; in words.
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
    let outcome = done(task, page.as_ref(), meaning.as_deref());
    let outcome = outcome.map_err(|error| error.to_string())?;
    Ok(vec!["done".to_owned(), outcome])
}

/// The embeddings; it goes by words alone if these are none.
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
