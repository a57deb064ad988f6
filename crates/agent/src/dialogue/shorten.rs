//! The effect of finding a large result's key points.

use futures::FutureExt;
use gloss_durable::{Call, Class, Effect, Fingerprint, Fut};
use gloss_model::PassageData;
use gloss_page::ReadError;
use gloss_reader::Study;

/// Finds the sentences that matter most. Recorded with its failure, so that a device which
/// fails in one life and not in the next makes no other transcript.
pub(crate) struct Shorten {
    pub(crate) study: Study,
    /// The result's id.
    pub(crate) id: String,
    pub(crate) texts: Vec<PassageData>,
    /// What comes first.
    pub(crate) focus: String,
    /// The room there is, in tokens.
    pub(crate) most: u32,
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
