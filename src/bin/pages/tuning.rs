//! What is chosen for the messages to come: this surface's until it is sent,
//! the conversation's from then on.

use crate::surface::Surface;
use gloss::agent::Mode;
use gloss::app::surface::Tuning;
use sycamore::prelude::*;

impl Surface {
    /// What the next message is sent with.
    pub(crate) fn tuning(&self) -> Tuning {
        let said = self.shown.with_untracked(|shown| shown.tuning.clone());
        self.chosen.get_clone_untracked().unwrap_or(said)
    }

    /// The same; `None` while nothing was chosen and the worker has said nothing
    /// yet, which knows better who answers.
    pub(crate) fn chosen_or_known(&self) -> Option<Tuning> {
        let known = self.known.get_untracked();
        let chosen = self.chosen.get_clone_untracked();
        chosen.or_else(|| known.then(|| self.tuning()))
    }

    /// The same, as it changes.
    pub(crate) fn tuned(&self) -> ReadSignal<Tuning> {
        let (shown, chosen) = (self.shown, self.chosen);
        create_selector(move || {
            let said = shown.with(|shown| shown.tuning.clone());
            chosen.get_clone().unwrap_or(said)
        })
    }

    /// Chooses for the messages to come.
    pub(crate) fn tune(&self, change: impl FnOnce(&mut Tuning)) {
        let mut tuning = self.tuning();
        change(&mut tuning);
        self.chosen.set(Some(tuning));
    }

    /// Goes back to what Options says, less the model.
    pub(crate) fn reset(&self) {
        self.thinking.set(None);
        let off = self.shown.with_untracked(|shown| shown.tools.off.clone());
        self.tune(|tuning| {
            tuning.mode = Mode::Agent;
            tuning.max_steps = None;
            tuning.tools_off = off;
        });
    }

    /// Whether thoughts and observations stand open.
    pub(crate) fn shows_thinking(&self) -> ReadSignal<bool> {
        let (shown, thinking) = (self.shown, self.thinking);
        create_selector(move || {
            let setting = shown.with(|shown| shown.show_thinking);
            thinking.get().unwrap_or(setting)
        })
    }
}
