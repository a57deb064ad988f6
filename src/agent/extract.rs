//! The effect of extracting a page's main content.

use crate::durable::{Call, Class, Effect, Fingerprint};
use crate::host::{Fut, Reader};
use crate::page::{Document, ReadError};
use futures::FutureExt;
use std::cell::RefCell;
use std::rc::Rc;

/// Extracts a page. What is recorded is whether there was anything to read: the
/// document follows from the capture, which is recorded already, and is laid into
/// `document` by the life that extracts it first.
pub(super) struct Extract {
    pub(super) reader: Rc<dyn Reader>,
    pub(super) html: String,
    pub(super) url: String,
    pub(super) document: Rc<RefCell<Option<Rc<Document>>>>,
}

impl Effect for Extract {
    type Outcome = Result<(), ReadError>;

    const KIND: &'static str = "extract";

    fn class(&self) -> Class {
        Class::Safe
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_value(&self.url)
    }

    fn perform(self, _call: Call) -> Fut<Self::Outcome> {
        async move {
            let document = self.reader.read(self.html, self.url).await?;
            self.document.replace(Some(document));
            Ok(())
        }
        .boxed_local()
    }
}
