//! Choices for the next messages. They belong to this surface until a message is sent, and to the
//! conversation from then on.

use crate::prelude::*;
use crate::surface::Surface;
use gloss::agent::Mode;
use gloss::app::surface::{ConversationSettings, Snapshot};
use gloss::durable::RunId;

/// The user's choices, and their conversation; `None` before its first message.
#[derive(Clone, PartialEq)]
pub(crate) struct Chosen {
    conversation: Option<RunId>,
    tuning: ConversationSettings,
}

impl Surface {
    /// The choices that the next message is sent with.
    pub(crate) fn tuning(&self) -> ConversationSettings {
        let said = self.shown.with_untracked(|shown| shown.tuning.clone());
        self.chosen_here().unwrap_or(said)
    }

    /// The choices; `None` if nothing was chosen and the worker has not answered, because the
    /// worker knows the answering model.
    pub(crate) fn chosen_or_known(&self) -> Option<ConversationSettings> {
        let known = self.known.get_untracked();
        self.chosen_here().or_else(|| known.then(|| self.tuning()))
    }

    fn chosen_here(&self) -> Option<ConversationSettings> {
        let chosen = self.chosen.get_clone_untracked();
        self.shown
            .with_untracked(|shown| of_conversation(chosen, shown))
    }

    /// The choices, as they change.
    pub(crate) fn tuned(&self) -> ReadSignal<ConversationSettings> {
        let (shown, chosen) = (self.shown, self.chosen);
        create_selector(move || {
            let chosen = chosen.get_clone();
            shown.with(|shown| {
                of_conversation(chosen, shown).unwrap_or_else(|| shown.tuning.clone())
            })
        })
    }

    /// Changes the choices for the next messages.
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

    /// Resets the choices to the settings in Options, except the model.
    pub(crate) fn reset(&self) {
        self.thinking.set(None);
        let off = self.shown.with_untracked(|shown| shown.tools.off.clone());
        self.tune(|tuning| {
            tuning.mode = Mode::Agent;
            tuning.max_steps = None;
            tuning.tools_off = off;
        });
    }

    /// True if thoughts and observations are unfolded.
    pub(crate) fn shows_thinking(&self) -> ReadSignal<bool> {
        let (shown, thinking) = (self.shown, self.thinking);
        create_selector(move || {
            let setting = shown.with(|shown| shown.show_thinking);
            thinking.get().unwrap_or(setting)
        })
    }
}

/// The choices for the shown conversation. Another conversation, as one that a right-click opens,
/// has its own.
fn of_conversation(chosen: Option<Chosen>, shown: &Snapshot) -> Option<ConversationSettings> {
    let chosen = chosen.filter(|it| it.conversation == shown.conversation);
    chosen.map(|it| it.tuning)
}
