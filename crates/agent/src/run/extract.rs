//! The effect of extracting a page's main content.

use futures::FutureExt;
use gloss_durable::{Call, Class, Effect, Fingerprint, Fut};
use gloss_host::Capture;
use gloss_page::{Document, ReadError};
use gloss_reader::PageService;
use std::cell::RefCell;
use std::rc::Rc;

/// A capture, and the page service that reads it.
#[derive(Clone)]
pub(crate) struct Extraction {
    pub(crate) page_service: PageService,
    pub(crate) capture: Rc<Capture>,
}

impl Extraction {
    pub(crate) fn done(&self) -> Fut<Result<Rc<Document>, ReadError>> {
        self.page_service.extract(&self.capture)
    }
}

/// Extracts a page. The outcome records only success or failure, because the document can be
/// derived from the recorded capture. Performing the effect also stores the document in `document`.
/// In a replay, `document` stays empty.
pub(crate) struct Extract {
    pub(crate) reading: Extraction,
    pub(crate) document: Rc<RefCell<Option<Rc<Document>>>>,
}

impl Effect for Extract {
    type Outcome = Result<(), ReadError>;

    const KIND: &'static str = "extract";
    const CLASS: Class = Class::Safe;

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_value(&self.reading.capture.url)
    }

    fn perform(self, _call: Call) -> Fut<Self::Outcome> {
        async move {
            let document = self.reading.done().await?;
            self.document.replace(Some(document));
            Ok(())
        }
        .boxed_local()
    }
}
