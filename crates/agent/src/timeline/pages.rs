//! The progress of a tool call with steps. If the call reads pages in parallel, the progress is
//! the number of finished pages.
//!
//! Example: three pages are read at once, and the third is finished first. "Reading pages,
//! 1 of 3 done" follows from the intents and outcomes of the steps that read the pages.

use super::Timeline;
use crate::events::Event;
use gloss_durable::sorted::SortedSet;
use gloss_durable::{Effect, Path};
use gloss_model::phrase::{Phrase, phrase};
use gloss_web::rag::activity;
use gloss_web::{ReadPage, parallel_count};
use serde_json::Value;

/// The pages that one try of a call reads in parallel.
#[derive(Default)]
pub(super) struct Pages {
    open: SortedSet<Path>,
    done: usize,
    of: usize,
}

impl Pages {
    fn doing(&self) -> Phrase {
        phrase("doing_pages").with(&self.done).with(&self.of)
    }
}

impl Timeline {
    /// Returns the progress of a call when one of its steps begins.
    pub(super) fn progressed(&mut self, path: &Path, part: &str, label: &Value) -> Option<Event> {
        let a_try = path.parent();
        let mut doing = activity(part, label)?;
        if part == ReadPage::KIND && parallel_count(label) > 1 && self.calls.contains_key(&a_try) {
            let pages = self.pages.or_default(a_try.clone());
            pages.of = parallel_count(label);
            pages.open.insert(path.clone());
            doing = pages.doing();
        }
        self.does(&a_try, doing)
    }

    /// Returns the progress of a call when one of its pages is read.
    pub(super) fn page_ended(&mut self, path: &Path) -> Option<Event> {
        let a_try = path.parent();
        let pages = self.pages.get_mut(&a_try)?;
        if !pages.open.remove(path) {
            return None;
        }
        pages.done += 1;
        let doing = pages.doing();
        self.does(&a_try, doing)
    }

    fn does(&self, a_try: &Path, doing: Phrase) -> Option<Event> {
        let call = self.calls.get(a_try)?;
        Some(Event::ToolProgressed {
            step: call.step,
            call: call.call.clone(),
            doing,
        })
    }
}
