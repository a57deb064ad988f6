//! The answering model, the models for other roles, and the order of fallback models.

use super::controls::field as labelled;
use super::order::{name_of, order};
use super::prelude::*;
use crate::built_in::BuiltIn;
use gloss::app::preferences::{Preferences, Role};
use gloss::app::surface::ModelOption;
use gloss::model::BUILT_IN;

/// The role that a select is for; `None` is the role of the answering model.
type SelectRole = Option<Role>;

/// The id of a role's select, and the message key of its name.
fn message_keys(part: SelectRole) -> [&'static str; 2] {
    match part {
        None => ["main", "means:options_main_role"],
        Some(Role::Light) => ["light", "means:options_light_role"],
        Some(Role::Vision) => ["vision", "means:options_vision_role"],
        Some(Role::Image) => ["image", "means:options_image_role"],
        Some(Role::Embedding) => ["embedding", "means:options_embedding_role"],
    }
}

/// Returns the id of the profile that the user chose for a role. An empty id means the on-device
/// model, or for other roles the answering model.
fn chosen_profile(part: SelectRole, set: &Preferences) -> &str {
    let id = part.map_or(set.answers.as_deref(), |role| set.roles.of(role));
    id.unwrap_or_default()
}

pub(super) fn roles() -> View {
    let feedback = create_signal(Feedback::None);
    let parts = std::iter::once(None).chain(Role::ALL.map(Some));
    let fields: Vec<_> = parts.map(|part| field(part, feedback)).collect();
    fragment((
        group_heading("roles", msg("options_roles"), feedback),
        fields,
        order(),
    ))
}

fn field(part: SelectRole, feedback: Signal<Feedback>) -> Tag {
    let page = Page::from_context();
    let set = page.preferences();
    let [id, label] = message_keys(part);
    let built_in = BuiltIn::from_context();
    let offers = create_selector(move || {
        let mut offers = set.with(|set| built_in.shown(set.offers(), chosen_profile(part, set)));
        if matches!(part, Some(Role::Image | Role::Embedding)) {
            // The browser's built-in model can only write text.
            offers.retain(|offer| offer.id != BUILT_IN);
        }
        offers
    });
    let options = live(move || {
        let option = |offer: ModelOption| {
            let follows = offer.id.is_empty() && part.is_some();
            let words = if follows {
                msg("options_follow_main")
            } else {
                name_of(&offer)
            };
            let id = offer.id.clone();
            option(offer.id, words, move || {
                set.with(|set| chosen_profile(part, set) == id)
            })
        };
        offers
            .get_clone()
            .into_iter()
            .map(option)
            .collect::<Vec<_>>()
    });
    let select = select(options, move |id| {
        let id = Some(id).filter(|id| !id.is_empty());
        let change = match part {
            None => Change::Answers(id),
            Some(role) => Change::Role(role, id),
        };
        page.change(change, feedback);
    });
    let select = select.id(id).attr("aria-describedby", format!("{id}-d"));
    labelled(id, msg_of(label), select, about(id, means_of(label, &[])))
}
