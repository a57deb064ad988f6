//! The effect that finds a large result's key points.

use futures::FutureExt;
use gloss_durable::{Call, Class, Effect, Fingerprint, Fut};
use gloss_model::PassageData;
use gloss_page::ReadError;
use gloss_reader::PageService;

/// Finds the most important sentences of a large result. A failure is recorded too, because a
/// replay must build the same transcript.
pub(crate) struct Shorten {
    pub(crate) page_service: PageService,
    pub(crate) id: String,
    pub(crate) texts: Vec<PassageData>,
    /// The topic to which the sentences should relate.
    pub(crate) focus: String,
    /// The maximum length, in tokens.
    pub(crate) most: u32,
}

impl Effect for Shorten {
    type Outcome = Result<Vec<PassageData>, ReadError>;

    const KIND: &'static str = "shorten";
    const CLASS: Class = Class::Safe;

    /// Returns a fingerprint without the texts. The texts come from recorded results, so the
    /// result's id identifies them.
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_value(&(&self.id, &self.focus, self.most))
    }

    fn perform(self, _call: Call) -> Fut<Self::Outcome> {
        async move {
            self.page_service
                .condense(self.texts, self.focus, self.most)
                .await
        }
        .boxed_local()
    }
}
