//! Messages that wait for the run at work, each to be taken back.

use crate::icon::icon;
use crate::keyed::keyed;
use crate::live::{handler, live};
use crate::surface::{Surface, said_by_person};
use crate::words::{msg, msg_with};
use gloss::app::surface::{Queued, Snapshot};
use sycamore::prelude::*;

/// As many words of a message name its button.
const NAMED_BY: usize = 3;

/// What waits, and why nothing more can.
pub(crate) fn queue() -> View {
    let surface = Surface::here();
    let (waiting, full) = (surface.queue(), surface.queue_full);
    create_effect(move || {
        if waiting.with(Vec::len) < 3 {
            full.set(false);
        }
    });
    let some = create_selector(move || !waiting.with(Vec::is_empty));
    let waiting = live(move || {
        if some.get() {
            let name = msg("queued_name");
            let rows = keyed(
                move || waiting.get_clone(),
                |queued| queued.message.0.clone(),
                one,
            );
            view! {
                ul(class="queue", aria-label=name) {
                    (rows)
                }
            }
        } else {
            View::new()
        }
    });
    let full = live(move || {
        if full.get() {
            let words = msg("queue_full");
            view! { p(class="meta", role="status") { (words) } }
        } else {
            View::new()
        }
    });
    view! {
        (waiting)
        (full)
    }
}

fn one(queued: Queued) -> View {
    let surface = Surface::here();
    let words = said_by_person(&queued.goal).unwrap_or_default();
    let first: Vec<&str> = words.split_whitespace().take(NAMED_BY).collect();
    let name = msg_with("take_back_named", &[&first.join(" ")]);
    let (tip, tag, close_icon) = (msg("take_back"), msg("queued"), icon("close"));
    let full = words.clone();
    view! {
        li {
            span(class="tag") { (tag) }
            span(class="grow clip", title=full) { (words) }
            button(
                class="icon-btn tiny",
                aria-label=name,
                title=tip,
                on:click=handler(move |_| surface.take_back(&queued)),
            ) { (close_icon) }
        }
    }
}

/// The messages that wait.
pub(crate) fn queued(shown: &Snapshot) -> Vec<Queued> {
    let messages = shown.running().map(|turn| turn.messages.iter());
    let waiting = messages.into_iter().flatten();
    waiting
        .filter(|queued| queued.read_at_ms.is_none())
        .cloned()
        .collect()
}
