//! Messages that wait for the active run. Each has a button that withdraws it.

use crate::prelude::*;
use crate::surface::Surface;
use crate::words::editable_text;
use gloss::app::surface::QueuedMessage;

/// The accessible name of a message's button contains this many words of the message.
const NAMED_BY: usize = 3;

/// The messages, and a note if the queue is full.
pub(crate) fn queue() -> View {
    let surface = Surface::from_context();
    let (waiting, full) = (surface.queue(), surface.queue_full);
    create_effect(move || {
        if waiting.with(Vec::len) < 3 {
            full.set(false);
        }
    });
    let some = create_selector(move || !waiting.with(Vec::is_empty));
    let waiting = live_if(some, move || {
        let rows = keyed(move || waiting.get_clone(), |it| it.message.0.clone(), row);
        View::from(tag("ul.queue", rows).name(msg("queued_name")))
    });
    let full = live_if(full, move || status_meta(msg("queue_full")));
    fragment((waiting, full))
}

fn row(queued: QueuedMessage) -> Tag {
    let surface = Surface::from_context();
    let words = editable_text(&queued.goal).unwrap_or_default();
    let first: Vec<&str> = words.split_whitespace().take(NAMED_BY).collect();
    let name = msg_with("take_back_named", &[&first.join(" ")]);
    let text = tag("span.grow.clip", words.clone()).tip(words);
    let back = icon_button("tiny", "close", name, move || surface.take_back(&queued));
    tag(
        "li",
        (
            tag_label("", msg("queued")),
            text,
            back.tip(msg("take_back")),
        ),
    )
}
