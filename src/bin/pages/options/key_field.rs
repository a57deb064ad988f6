//! The field of an API key, with notes that say where the key is stored and where to create one.

use super::prelude::*;
use crate::browser::host_of;
use gloss::host::KeyStorage;

/// The parameters of a key's field.
pub(super) struct KeyField {
    pub(super) id: &'static str,
    pub(super) label: String,
    pub(super) value: Signal<String>,
    pub(super) refused: ReadSignal<Option<String>>,
    /// The server to which the key belongs.
    pub(super) owner: ReadSignal<KeyOwner>,
}

/// A server to which a key belongs.
#[derive(Clone, PartialEq)]
pub(super) struct KeyOwner {
    /// The name under which the key is stored.
    pub(super) key: String,
    /// The server's name; `None` if the user added the server by its address.
    pub(super) name: Option<&'static str>,
    pub(super) need: Need,
    /// The web page on which the user can create a key.
    pub(super) made_at: Option<&'static str>,
}

/// Says if the server needs a key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    Never,
    Maybe,
    Always,
}

/// Builds the field of an API key.
pub(super) fn key_field(field: KeyField) -> Tag {
    let KeyField {
        id,
        label,
        value,
        refused,
        owner,
    } = field;
    let state = Page::from_context().state;
    let placeholder = move || {
        let KeyOwner {
            key, name, need, ..
        } = owner.get_clone();
        let is_kept = state.with(|it| it.as_ref().is_some_and(|it| it.with_key.contains(&key)));
        match (need, name) {
            _ if is_kept => msg("options_key_kept"),
            (Need::Always, _) => String::new(),
            (Need::Never, Some(name)) => msg_with("options_key_spare", &[name]),
            (Need::Never, None) | (Need::Maybe, _) => msg("options_key_optional"),
        }
    };
    let keeping = Page::from_context().of(|state| state.keeping);
    let means = live(move || {
        let words = match keeping.get() {
            KeyStorage::Session => msg("options_key_means_session"),
            KeyStorage::Device => msg("options_key_means"),
            KeyStorage::Sealed => msg("options_key_means_sealed"),
        };
        let made = owner.with(|owner| owner.made_at).map(|page| {
            let words = msg_with("options_key_made_at", &[&host_of(page)]);
            let link = tag("a", words).attr("href", page).attr("target", "_blank");
            View::from(link.attr("rel", "noreferrer"))
        });
        fragment((words, " ", made))
    });
    text_field(id, label, refused, about(id, means).into(), move |input| {
        input
            .class("secret")
            .attr("placeholder", placeholder)
            .bind(value)
    })
}
