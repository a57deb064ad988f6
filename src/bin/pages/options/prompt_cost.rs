//! What a prompt costs every request, said where that is more than is set aside for it.

use crate::live::live;
use crate::words::{grouped, msg_with};
use gloss::prompts::{SYSTEM_TOKENS, beyond_budget};
use sycamore::prelude::*;

/// A note under the field; nothing where the text is short enough.
pub(super) fn cost(text: Signal<String>) -> View {
    let cost = create_selector(move || text.with(|text| beyond_budget(text)));
    live(move || {
        cost.get().map(|tokens| {
            let (tokens, most) = (grouped(tokens.into()), grouped(SYSTEM_TOKENS.into()));
            let words = msg_with("options_prompt_long", &[&tokens, &most]);
            view! { (words) }
        })
    })
}
