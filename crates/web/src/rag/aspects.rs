//! Finds the requested aspects that the passages don't cover (DETAILS §4).

use super::ResearchState;
use futures::FutureExt;
use gloss_durable::{Call, Class, Effect, Fingerprint, Fut, Halt};
use gloss_model::PassageData;
use gloss_reader::PageService;

/// The minimum share of an aspect's words that a passage must contain to cover the aspect, in
/// percent.
const COVERS_PERCENT: u8 = 60;

/// Finds the aspects that no passage covers. The outcome is recorded even if the page service
/// fails.
struct Cover {
    page_service: PageService,
    passages: Vec<PassageData>,
    aspects: Vec<String>,
}

impl Effect for Cover {
    /// The aspects whose words are in no passage. A passage may still cover such an aspect in other
    /// words, which only a reader can tell.
    type Outcome = Vec<String>;

    const KIND: &'static str = "cover";
    const CLASS: Class = Class::Safe;

    /// The passages are the outcomes of steps that are already recorded, so they are not part of
    /// the fingerprint.
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_value(&self.aspects)
    }

    fn perform(self, _call: Call) -> Fut<Vec<String>> {
        async move {
            let mut missing = Vec::new();
            for aspect in self.aspects {
                let found = self
                    .page_service
                    .word_overlap(self.passages.clone(), aspect.clone())
                    .await;
                let covers = found.is_ok_and(|found| {
                    let mut found = found.iter();
                    found.any(|it| it.percent >= COVERS_PERCENT)
                });
                if !covers {
                    missing.push(aspect);
                }
            }
            missing
        }
        .boxed_local()
    }
}

impl ResearchState<'_> {
    /// Adds the missing aspects to the findings.
    pub(super) async fn cover(&mut self) -> Result<(), Halt> {
        if self.asked.aspects.is_empty() {
            return Ok(());
        }
        let pages = self.findings.pages.iter();
        let cover = Cover {
            page_service: self.with.judge.page_service.clone(),
            passages: pages.flat_map(|page| page.passages.clone()).collect(),
            aspects: self.asked.aspects.clone(),
        };
        self.findings.missing = self.ctx.step("cover", cover).await?;
        Ok(())
    }
}
