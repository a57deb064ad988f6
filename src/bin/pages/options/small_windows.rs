//! What it means that a model's window is small, said under the table of models.

use super::prices::name_of;
use crate::words::{grouped, msg_with};
use gloss::app::preferences::Preferences;
use gloss::model::{Facts, Profile, Room};
use sycamore::prelude::*;

/// What a model with room enough is given of a page, in tokens (SPEC §9).
const WHOLE_PAGE: u32 = 12_000;

/// A line for each model that has little room.
pub(super) fn small_windows(set: &Preferences) -> Vec<View> {
    let line = |profile: &Profile| {
        let window = Facts::of(profile).window?;
        let room = Room::of(Some(window));
        let key = match (room.is_small(), room.is_less()) {
            (true, _) => "options_window_small",
            (false, true) => "options_window_less",
            (false, false) => return None,
        };
        let page = grouped(room.page(WHOLE_PAGE).into());
        let words = msg_with(
            key,
            &[&name_of(set, profile), &grouped(window.into()), &page],
        );
        Some(view! { p(class="meta num") { (words) } })
    };
    set.profiles.iter().filter_map(line).collect()
}
