//! The effect of waiting before a retry.

use crate::durable::{Call, Class, Effect, Fingerprint};
use crate::host::{Clock, Fut};
use std::rc::Rc;

/// Waits for some active time; a new life waits anew.
pub(super) struct Wait {
    pub(super) ms: u64,
    pub(super) clock: Rc<dyn Clock>,
}

impl Effect for Wait {
    type Outcome = ();

    const KIND: &'static str = "wait";

    fn class(&self) -> Class {
        Class::Safe
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_value(&self.ms)
    }

    fn perform(self, _call: Call) -> Fut<Self::Outcome> {
        self.clock.sleep(self.ms)
    }
}
