//! Runs the page modules in this process, for tests and native programs.

use super::{Performed, perform_task};
use crate::retrieval::Compare;
use crate::{PageModules, Task, failed};
use futures::FutureExt;
use gloss_documents::DocumentKind;
use gloss_durable::Fut;
use gloss_page::{self as page, Document, ReadError};
use std::cell::RefCell;
use std::future::ready;
use std::rc::Rc;

/// Reads pages and performs tasks in this process.
pub struct InProcessModules {
    compare: Compare,
}

impl InProcessModules {
    /// Creates page modules that ask the sentence model through `compare`.
    pub fn new(compare: Compare) -> Self {
        Self { compare }
    }
}

impl PageModules for InProcessModules {
    fn read(&self, html: String, url: String) -> Fut<Result<Rc<Document>, ReadError>> {
        ready(read(html, url)).boxed_local()
    }

    fn read_document(
        &self,
        bytes: Vec<u8>,
        kind: DocumentKind,
        url: String,
    ) -> Fut<Result<Rc<Document>, ReadError>> {
        let read = gloss_documents::read(bytes, kind).map_err(ReadError::from);
        ready(read.map(|read| Rc::new(Document::from_document(read, &url)))).boxed_local()
    }

    fn perform(&self, page: Option<Rc<Document>>, task: String) -> Fut<Result<String, ReadError>> {
        let compare = self.compare.clone();
        async move {
            let task: Task =
                serde_json::from_str(&task).map_err(|error| failed(error.to_string()))?;
            let page = page.as_ref();
            let mut cosines = None;
            loop {
                match perform_task(&task, page, cosines)? {
                    Performed::Done(outcome) => return Ok(outcome),
                    Performed::Compare(comparison) => cosines = Some(compare(comparison).await),
                }
            }
        }
        .boxed_local()
    }
}

/// The last page that was read, and the result.
struct Extracted {
    html: String,
    url: String,
    document: Result<Rc<Document>, ReadError>,
}

thread_local! {
    static LAST: RefCell<Option<Extracted>> = const { RefCell::new(None) };
}

/// Reads a page and caches the last result, because a test often reads one page many times. Reading
/// has no side effects.
fn read(html: String, url: String) -> Result<Rc<Document>, ReadError> {
    LAST.with_borrow_mut(|last| {
        let same = |last: &&mut Extracted| last.html == html && last.url == url;
        if let Some(known) = last.as_mut().filter(same) {
            return known.document.clone();
        }
        let document = page::read(&html, &url).map(Rc::new);
        *last = Some(Extracted {
            html,
            url,
            document: document.clone(),
        });
        document
    })
}
