//! The user's choices for the next messages, such as the model. Until a message is sent, the
//! choices are stored in this surface only. After that they belong to the conversation.

use crate::prelude::*;
use crate::surface::Surface;
use gloss::agent::Mode;
use gloss::app::surface::{ConversationSettings, Snapshot};
use gloss::durable::RunId;

/// The user's choices, and the conversation that they are for. The conversation is `None` before
/// its first message.
#[derive(Clone, PartialEq)]
pub(crate) struct Chosen {
    conversation: Option<RunId>,
    tuning: ConversationSettings,
}

impl Surface {
    /// Returns the choices for the next message.
    pub(crate) fn tuning(&self) -> ConversationSettings {
        let said = self.shown.with_untracked(|shown| shown.tuning.clone());
        self.chosen_here().unwrap_or(said)
    }

    /// Returns the choices for the next message. `None` if the user chose nothing and the worker
    /// has not answered. In that case the worker decides, because only it knows the answering
    /// model.
    pub(crate) fn chosen_or_known(&self) -> Option<ConversationSettings> {
        let known = self.known.get_untracked();
        self.chosen_here().or_else(|| known.then(|| self.tuning()))
    }

    fn chosen_here(&self) -> Option<ConversationSettings> {
        let chosen = self.chosen.get_clone_untracked();
        self.shown
            .with_untracked(|shown| of_conversation(chosen, shown))
    }

    /// Returns the choices for the next message, as a signal.
    pub(crate) fn tuned(&self) -> ReadSignal<ConversationSettings> {
        let (shown, chosen) = (self.shown, self.chosen);
        create_selector(move || {
            let chosen = chosen.get_clone();
            shown.with(|shown| {
                of_conversation(chosen, shown).unwrap_or_else(|| shown.tuning.clone())
            })
        })
    }

    /// Changes the user's choices for the next messages.
    pub(crate) fn tune(&self, change: impl FnOnce(&mut ConversationSettings)) {
        let mut tuning = self.tuning();
        change(&mut tuning);
        self.choose(tuning);
    }

    pub(crate) fn choose(&self, tuning: ConversationSettings) {
        let conversation = self
            .shown
            .with_untracked(|shown| shown.conversation.clone());
        self.chosen.set(Some(Chosen {
            conversation,
            tuning,
        }));
    }

    /// Resets all choices except the model to the settings in Options.
    pub(crate) fn reset(&self) {
        self.thinking.set(None);
        let off = self.shown.with_untracked(|shown| shown.tools.off.clone());
        self.tune(|tuning| {
            tuning.mode = Mode::Agent;
            tuning.max_steps = None;
            tuning.tools_off = off;
        });
    }

    /// Returns a signal that is true if thoughts and observations are shown expanded.
    pub(crate) fn shows_thinking(&self) -> ReadSignal<bool> {
        let (shown, thinking) = (self.shown, self.thinking);
        create_selector(move || {
            let setting = shown.with(|shown| shown.show_thinking);
            thinking.get().unwrap_or(setting)
        })
    }
}

/// Returns the choices for the shown conversation; `None` if they were made for another
/// conversation. The context menu of a page, for example, opens another conversation.
fn of_conversation(chosen: Option<Chosen>, shown: &Snapshot) -> Option<ConversationSettings> {
    let chosen = chosen.filter(|it| it.conversation == shown.conversation);
    chosen.map(|it| it.tuning)
}
