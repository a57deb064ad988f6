//! The log: the turns of the conversation.

use crate::escape::stop_on_escape;
use crate::note::trouble;
use crate::prelude::*;
use crate::screen::{is_near_end, scroll_to_end};
use crate::start::start;
use crate::surface::Surface;
use crate::turn::turn;
use gloss::durable::RunId;

/// The turns, or the start view if there are none.
pub(crate) fn log() -> Tag {
    let surface = Surface::from_context();
    let (shown, node, behind) = (surface.shown, surface.log, surface.behind);
    let runs: ReadSignal<Vec<RunId>> = create_selector(move || {
        shown.with(|shown| shown.turns.iter().map(|turn| turn.run.clone()).collect())
    });
    let empty = create_selector(move || runs.with(Vec::is_empty));
    let keys = surface.clone();
    let start = live_if(empty, start);
    let turns = keyed(move || runs.get_clone(), |run| run.0.clone(), turn);
    let new_text = live_if(behind, move || {
        let surface = surface.clone();
        // The button scrolls to the end of the text that is growing.
        View::from(button("pill", (msg("new_text"), icon("down")), move || {
            behind.set(false);
            scroll_to_end(node);
            surface.focus_message();
        }))
    });
    let log = tag("div.log", (start, turns, trouble(), new_text))
        .role("log")
        .node(node);
    log.name(msg("conversation"))
        .attr("tabindex", "0")
        .on("keydown", move |event| stop_on_escape(&keys, &event))
        .on("scroll", move |_: web_sys::Event| {
            if behind.get_untracked() && is_near_end(node) {
                behind.set(false);
            }
        })
}
