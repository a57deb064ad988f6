//! Who answers: the servers that were connected, and the device.

use super::built_in;
use super::draft::Draft;
use super::keys::keys;
use super::page::Page;
use super::passphrase::locked;
use super::prices::prices;
use super::profile_form::profile_form;
use super::roles::roles;
use crate::browser::host_of;
use crate::icon::icon;
use crate::keyed::keyed;
use crate::live::{handler, live};
use crate::words::{msg, msg_with};
use gloss::app::preferences::Role;
use gloss::model::Profile;
use sycamore::prelude::*;

/// The section.
pub(crate) fn models() -> View {
    let set = Page::here().preferences();
    let draft = Draft::new();
    if let Some(first) = set.with_untracked(|set| main_of(set.answers.as_deref(), &set.profiles)) {
        draft.edit(&first);
    }
    let (name, lead) = (msg("options_models"), msg("options_models_lead"));
    let profiles_word = msg("options_profiles");
    let add = msg("options_add_profile");
    let profiles = keyed(
        move || set.with(|set| set.profiles.clone()),
        whole,
        move |profile| row(profile, draft),
    );
    let (device, built_in) = (device(), built_in::row());
    let sign = icon("plus");
    let profile_form = profile_form(draft);
    let roles = roles();
    let (locked, prices, keys) = (locked(), prices(), keys());
    view! {
        section(class="sect", id="models", aria-labelledby="models-h") {
            h2(id="models-h") { (name) }
            p { (lead) }
            (locked)
            h3 { (profiles_word) }
            ul(class="rows") {
                (profiles)
                (built_in)
                (device)
            }
            p(style="margin-top:.5rem") {
                button(r#type="button", class="btn", on:click=handler(move |_| draft.begin())) {
                    (sign)
                    (add)
                }
            }
            (profile_form)
            (roles)
            (prices)
            (keys)
        }
    }
}

/// The profile that answers, else the first there is.
pub(crate) fn main_of(answers: Option<&str>, profiles: &[Profile]) -> Option<Profile> {
    let main = profiles.iter().find(|it| Some(it.id.as_str()) == answers);
    main.or(profiles.first()).cloned()
}

/// All of a profile: a changed one is another row.
fn whole(profile: &Profile) -> String {
    format!("{profile:?}")
}

fn row(profile: Profile, draft: Draft) -> View {
    let set = Page::here().preferences();
    let id = profile.id.clone();
    let is_main = create_selector(move || set.with(|set| set.answers.as_ref() == Some(&id)));
    let id = profile.id.clone();
    let is_edited = create_selector(move || draft.id.with(|edited| *edited == id));
    let name = profile.name.clone();
    let facts = format!("{} · {}", profile.model, host_of(&profile.base_url));
    let edit = msg("options_edit");
    let edit_name = msg_with("options_edit_profile", &[&name]);
    let main_tag = main_tag(is_main);
    let tags = tags(&profile.id);
    let edit = live(move || {
        if is_edited.get() {
            let editing = msg("options_editing");
            view! { span(class="meta") { (editing) } }
        } else {
            let (profile, edit, edit_name) = (profile.clone(), edit.clone(), edit_name.clone());
            view! {
                button(
                    r#type="button",
                    class="btn quiet",
                    aria-label=edit_name,
                    on:click=handler(move |_| draft.edit(&profile)),
                ) { (edit) }
            }
        }
    });
    view! {
        li {
            div(class="grow") {
                b { (name) }
                " "
                (main_tag)
                (tags)
                p { (facts) }
            }
            div(class="row") {
                (edit)
            }
        }
    }
}

pub(super) fn main_tag(is_main: ReadSignal<bool>) -> View {
    let main = msg("options_main");
    live(move || {
        is_main.get().then(|| {
            let main = main.clone();
            view! { span(class="tag ok") { (main) } }
        })
    })
}

/// What else the profile is for.
fn tags(id: &str) -> View {
    let (set, id) = (Page::here().preferences(), id.to_owned());
    let plays = create_selector(move || {
        let is_its = |role: &Role| set.with(|set| set.roles.of(*role) == Some(id.as_str()));
        Role::ALL.into_iter().filter(is_its).collect::<Vec<Role>>()
    });
    live(move || {
        let tag = |role| {
            let name = msg(match role {
                Role::Light => "options_light",
                Role::Vision => "options_vision",
                Role::Image => "options_image",
                Role::Embedding => "options_embedding",
            });
            view! { " " span(class="tag") { (name) } }
        };
        plays
            .get_clone()
            .into_iter()
            .map(tag)
            .collect::<Vec<View>>()
    })
}

fn device() -> View {
    let set = Page::here().preferences();
    let is_main = create_selector(move || set.with(|set| set.answers.is_none()));
    let (name, always) = (msg("on_device"), msg("options_always"));
    let means = msg("options_device_means");
    let main_tag = main_tag(is_main);
    view! {
        li {
            div(class="grow") {
                b { (name) }
                " "
                (main_tag)
                " "
                span(class="tag") { (always) }
                p { (means) }
            }
        }
    }
}
