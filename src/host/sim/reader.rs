//! The module that extracts pages: here at once, or slow, or failing.

use super::queue::{Kind, NotBefore, Queue};
use crate::host::{Fut, Reader};
use crate::page::{self, Document, ReadError};
use futures::FutureExt;
use std::cell::RefCell;
use std::future::ready;
use std::rc::Rc;

/// How extraction goes, outside any life.
#[derive(Default)]
pub(super) struct Reading {
    /// How many ticks one takes at least; 0 is at once, between two ticks.
    pub(super) delay_ticks: u64,
    /// The extraction, by its number over all lives, that makes its module fail.
    pub(super) fails_at: Option<u64>,
    pub(super) begun: u64,
}

pub(super) struct SimReader {
    pub(super) queue: Rc<Queue>,
    pub(super) reading: Rc<RefCell<Reading>>,
}

impl Reader for SimReader {
    fn read(&self, html: String, url: String) -> Fut<Result<Rc<Document>, ReadError>> {
        let (delay_ticks, fails) = {
            let mut reading = self.reading.borrow_mut();
            let number = reading.begun;
            reading.begun += 1;
            (reading.delay_ticks, reading.fails_at == Some(number))
        };
        let read = move || {
            if fails {
                let message = "unreachable executed".to_owned();
                return Err(ReadError::Failed { message });
            }
            extract(html, url)
        };
        if delay_ticks == 0 {
            return ready(read()).boxed_local();
        }
        let not_before = NotBefore {
            tick: self.queue.ticks() + delay_ticks,
            at_ms: 0,
        };
        self.queue.issue(Kind::Local, not_before, read)
    }
}

/// A page, and what came of it.
struct Extracted {
    html: String,
    url: String,
    document: Result<Rc<Document>, ReadError>,
}

thread_local! {
    static LAST: RefCell<Option<Extracted>> = const { RefCell::new(None) };
}

/// Extraction is pure, and a thousand lives read the same page: what it gave last
/// is kept.
fn extract(html: String, url: String) -> Result<Rc<Document>, ReadError> {
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
