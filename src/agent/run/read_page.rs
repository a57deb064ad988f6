//! The effect of capturing the page.

use crate::durable::Fut;
use crate::durable::{Call, Class, Effect, Fingerprint};
use crate::host::{Capture, CaptureError, TabId, Tabs};
use std::rc::Rc;

/// Captures what a tab shows.
pub(in crate::agent) struct ReadPage {
    pub(in crate::agent) tabs: Rc<dyn Tabs>,
    pub(in crate::agent) tab: TabId,
}

impl Effect for ReadPage {
    type Outcome = Result<Capture, CaptureError>;

    const KIND: &'static str = "page";

    fn class(&self) -> Class {
        Class::Safe
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_value(&self.tab)
    }

    fn perform(self, _call: Call) -> Fut<Self::Outcome> {
        self.tabs.capture(self.tab)
    }
}
