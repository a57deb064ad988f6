//! Messages that wait for the active run. Each has a button that withdraws it.

use crate::keyed::keyed;
use crate::live::live;
use crate::parts::{icon_button, status_meta, tag, tag_label};
use crate::surface::{Surface, editable_text};
use crate::words::{msg, msg_with};
use gloss::app::surface::QueuedMessage;
use sycamore::prelude::*;

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
    let waiting = live(move || {
        some.get().then(|| {
            let rows = keyed(move || waiting.get_clone(), |it| it.message.0.clone(), row);
            View::from(tag("ul.queue", rows).name(msg("queued_name")))
        })
    });
    let full = live(move || {
        full.get()
            .then(|| View::from(status_meta(msg("queue_full"))))
    });
    View::from((waiting, full))
}

fn row(queued: QueuedMessage) -> View {
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
    .into()
}
