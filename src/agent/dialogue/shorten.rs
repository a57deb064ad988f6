//! The effect of finding a large result's key points.

use crate::durable::Fut;
use crate::durable::{Call, Class, Effect, Fingerprint};
use crate::model::PassageData;
use crate::page::ReadError;
use crate::study::Study;
use futures::FutureExt;

/// Finds the sentences that matter most. Recorded with its failure, so that a device which
/// fails in one life and not in the next makes no other transcript.
pub(in crate::agent) struct Shorten {
    pub(in crate::agent) study: Study,
    /// The result's id.
    pub(in crate::agent) id: String,
    pub(in crate::agent) texts: Vec<PassageData>,
    /// What comes first.
    pub(in crate::agent) focus: String,
    /// The room there is, in tokens.
    pub(in crate::agent) most: u32,
}

impl Effect for Shorten {
    type Outcome = Result<Vec<PassageData>, ReadError>;

    const KIND: &'static str = "shorten";

    fn class(&self) -> Class {
        Class::Safe
    }

    /// What it is found in follows from the results, which are recorded.
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_value(&(&self.id, &self.focus, self.most))
    }

    fn perform(self, _call: Call) -> Fut<Self::Outcome> {
        async move { self.study.condense(self.texts, self.focus, self.most).await }.boxed_local()
    }
}
