//! The effect of extracting a page's main content.

use crate::durable::Fut;
use crate::durable::{Call, Class, Effect, Fingerprint};
use crate::host::Capture;
use crate::page::{Document, ReadError};
use crate::study::Study;
use futures::FutureExt;
use std::cell::RefCell;
use std::rc::Rc;

/// A capture, and who reads it.
#[derive(Clone)]
pub(in crate::agent) struct Extraction {
    pub(in crate::agent) study: Study,
    pub(in crate::agent) capture: Rc<Capture>,
}

impl Extraction {
    pub(in crate::agent) fn done(&self) -> Fut<Result<Rc<Document>, ReadError>> {
        self.study.extract(&self.capture)
    }
}

/// Extracts a page. What is recorded is whether there was anything to read: the
/// document follows from the capture, which is recorded already, and is laid into
/// `document` by the life that extracts it first.
pub(in crate::agent) struct Extract {
    pub(in crate::agent) reading: Extraction,
    pub(in crate::agent) document: Rc<RefCell<Option<Rc<Document>>>>,
}

impl Effect for Extract {
    type Outcome = Result<(), ReadError>;

    const KIND: &'static str = "extract";

    fn class(&self) -> Class {
        Class::Safe
    }

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
