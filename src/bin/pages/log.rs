//! The conversation.

use crate::app::stop_on_escape;
use crate::icon::icon;
use crate::keyed::keyed;
use crate::live::{handler, live};
use crate::note::trouble;
use crate::screen::{is_near_end, scroll_to_end};
use crate::start::start;
use crate::surface::Surface;
use crate::turn::turn;
use crate::words::msg;
use gloss::durable::RunId;
use sycamore::prelude::*;

/// What was said, or where to begin.
pub(crate) fn log() -> View {
    let surface = Surface::here();
    let (shown, node, behind) = (surface.shown, surface.log, surface.behind);
    let runs: ReadSignal<Vec<RunId>> = create_selector(move || {
        shown.with(|shown| shown.turns.iter().map(|turn| turn.run.clone()).collect())
    });
    let empty = create_selector(move || runs.with(Vec::is_empty));
    let keys = surface.clone();
    let conversation_name = msg("conversation");
    let start = live(move || if empty.get() { start() } else { View::new() });
    let turns = keyed(move || runs.get_clone(), |run| run.0.clone(), turn);
    let trouble = trouble();
    let new_text = live(move || behind.get().then(new_text));
    view! {
        div(
            class="log",
            role="log",
            aria-label=conversation_name,
            tabindex="0",
            r#ref=node,
            on:keydown=handler(move |event: web_sys::KeyboardEvent| stop_on_escape(&keys, &event)),
            on:scroll=handler(move |_| {
                if behind.get_untracked() && is_near_end(node) {
                    behind.set(false);
                }
            }),
        ) {
            (start)
            (turns)
            (trouble)
            (new_text)
        }
    }
}

/// Leads back to the end of what is growing.
fn new_text() -> View {
    let surface = Surface::here();
    let (node, behind) = (surface.log, surface.behind);
    let new_text_word = msg("new_text");
    let down_icon = icon("down");
    view! {
        button(class="btn pill", on:click=handler(move |_| {
            behind.set(false);
            scroll_to_end(node);
            surface.focus_message();
        })) {
            (new_text_word)
            (down_icon)
        }
    }
}
