//! Checks each requested aspect: it is covered, or reported as missing (DETAILS §4).

use super::ResearchState;
use futures::FutureExt;
use gloss_durable::{Call, Class, Effect, Fingerprint, Fut, Halt};
use gloss_model::PassageData;
use gloss_reader::PageService;

/// The share of an aspect's words with which a passage covers it, in percent.
const COVERS_PERCENT: u8 = 60;

/// Finds the aspects that no passage covers. The outcome is recorded even if the device fails.
struct Cover {
    page_service: PageService,
    passages: Vec<PassageData>,
    aspects: Vec<String>,
}

impl Effect for Cover {
    /// The aspects whose words no passage has. Only a reader can tell if one covers them in other
    /// words.
    type Outcome = Vec<String>;

    const KIND: &'static str = "cover";

    fn class(&self) -> Class {
        Class::Safe
    }

    /// The passages follow from recorded steps, so they are left out.
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
    /// Reports the missing aspects.
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
