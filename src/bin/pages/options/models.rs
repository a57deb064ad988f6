//! The models that can answer: those of connected servers, the built-in model, and the on-device
//! model.

use super::built_in::{self, main_tag};
use super::controls::row as with_actions;
use super::draft::Draft;
use super::keys::keys;
use super::page::main_profile;
use super::passphrase::locked;
use super::prelude::*;
use super::prices::prices;
use super::profile_form::profile_form;
use super::roles::roles;
use crate::browser::host_of;
use gloss::app::preferences::Role;
use gloss::model::Profile;

/// Builds the section *Models*.
pub(crate) fn models() -> Tag {
    let set = Page::from_context().preferences();
    let draft = Draft::new();
    if let Some(first) = set.with_untracked(main_profile) {
        draft.edit(&first);
    }
    let profiles = keyed(
        move || set.with(|set| set.profiles.clone()),
        // A profile gets a new row whenever it changes.
        |profile| format!("{profile:?}"),
        move |profile| row(profile, draft),
    );
    let add = (icon("plus"), msg("options_add_profile"));
    let add = tag("p.gap-2", button("", add, move || draft.start_new()));
    let lead = (tag("p", msg("options_models_lead")), locked());
    let all = rows((profiles, built_in::row(), device()));
    let list = (tag("h3", msg("options_profiles")), all, add);
    let body = (lead, list, profile_form(draft), roles(), prices(), keys());
    section("models", msg("options_models"), body)
}

fn row(profile: Profile, draft: Draft) -> View {
    let set = Page::from_context().preferences();
    let (main, edited) = (profile.id.clone(), profile.id.clone());
    let is_main = create_selector(move || set.with(|set| set.answers.as_ref() == Some(&main)));
    let is_edited = create_selector(move || draft.id.with(|id| *id == edited));
    let name = (
        tag("b", profile.name.clone()),
        " ",
        main_tag(is_main),
        role_tags(&profile.id),
    );
    let facts = format!("{} · {}", profile.model, host_of(&profile.base_url));
    let edit = live(move || {
        if is_edited.get() {
            return tag("span.meta", msg("options_editing"));
        }
        let name = msg_with("options_edit_profile", &[&profile.name]);
        let profile = profile.clone();
        button("quiet", msg("options_edit"), move || draft.edit(&profile)).name(name)
    });
    with_actions((name, tag("p", facts)), edit).into()
}

/// Labels for the other roles of the profile's model.
fn role_tags(id: &str) -> View {
    let (set, id) = (Page::from_context().preferences(), id.to_owned());
    let roles = create_selector(move || {
        let is_its = |role: &Role| set.with(|set| set.roles.of(*role) == Some(id.as_str()));
        Role::ALL.into_iter().filter(is_its).collect::<Vec<Role>>()
    });
    let tag = |role| {
        let name = match role {
            Role::Light => msg("options_light"),
            Role::Vision => msg("options_vision"),
            Role::Image => msg("options_image"),
            Role::Embedding => msg("options_embedding"),
        };
        fragment((" ", tag_label("", name)))
    };
    live(move || roles.get_clone().into_iter().map(tag).collect::<Vec<_>>())
}

fn device() -> Tag {
    let set = Page::from_context().preferences();
    let is_main = create_selector(move || set.with(|set| set.answers.is_none()));
    let always = tag_label("", msg("options_always"));
    let name = (
        tag("b", msg("on_device")),
        " ",
        main_tag(is_main),
        " ",
        always,
    );
    tag(
        "li",
        tag("div.grow", (name, tag("p", msg("options_device_means")))),
    )
}
