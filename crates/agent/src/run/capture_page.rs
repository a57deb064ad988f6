//! The effect of capturing the page.

use gloss_durable::{Call, Class, Effect, Fingerprint, Fut};
use gloss_host::{Capture, CaptureError, TabId, Tabs};
use std::rc::Rc;

/// Captures the page of a tab.
pub(crate) struct CapturePage {
    pub(crate) tabs: Rc<dyn Tabs>,
    pub(crate) tab: TabId,
}

impl Effect for CapturePage {
    type Outcome = Result<Capture, CaptureError>;

    const KIND: &'static str = "page";
    const CLASS: Class = Class::Safe;

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_value(&self.tab)
    }

    fn perform(self, _call: Call) -> Fut<Self::Outcome> {
        self.tabs.capture(self.tab)
    }
}
