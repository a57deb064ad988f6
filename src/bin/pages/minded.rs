//! "Remembered: … Undo" and "Not remembered", below the answer (`ui/README.md`), while its turn is
//! shown.

use crate::live::{live, live_text};
use crate::parts::{button, tag};
use crate::surface::Surface;
use crate::words::{msg, msg_with, said};
use gloss::app::surface::Command;
use gloss::durable::RunId;
use gloss::memory::{FactId, Loss, plainly};
use gloss::phrase::Said;
use gloss::tools::Minded;
use sycamore::prelude::*;

/// The facts that this run tried to remember, if any.
pub(crate) fn minded(run: &RunId) -> View {
    let minded = Surface::here().of(run, |turn| {
        let calls = turn.steps.iter().flat_map(|step| &step.calls);
        calls
            .flat_map(|call| call.minded.iter().cloned())
            .collect::<Vec<Minded>>()
    });
    live(move || {
        let all = minded.get_clone().unwrap_or_default();
        (!all.is_empty()).then(|| {
            let lines: Vec<View> = all.iter().map(line).collect();
            View::from(tag("ul.minded", lines).name(msg("tool_group_memory")))
        })
    })
}

fn line(minded: &Minded) -> View {
    match minded {
        Minded::Remembered {
            id,
            content,
            replaced,
        } => remembered(FactId(id.clone()), content, replaced.as_deref()),
        Minded::Refused { what, why } => {
            let what = match what {
                Said::Phrase(phrase) => said(phrase),
                Said::Words(words) => plainly(words),
            };
            let not = tag("b", msg("memory_not_remembered"));
            let words = (not, " ", what, " ", tag("span.meta", said(why)));
            tag("li", tag("p.grow", words)).into()
        }
    }
}

/// The heading of a fact that is no longer stored.
fn gone(why: Option<Loss>) -> String {
    match why {
        Some(Loss::MadeRoom) => msg("memory_made_room"),
        Some(Loss::Expired) => msg("memory_expired"),
        Some(Loss::Replaced) => msg("memory_replaced"),
        None => msg("memory_forgotten"),
    }
}

fn remembered(id: FactId, content: &str, replaced: Option<&str>) -> View {
    let surface = Surface::here();
    let shown = surface.shown;
    let (of, lost) = (id.clone(), id.clone());
    // `None` until the facts are read.
    let known = create_selector(move || {
        shown.with(|shown| shown.known.as_ref().map(|known| known.contains(&of)))
    });
    let title = live_text(move || match known.get() {
        Some(false) => gone(shown.with(|shown| shown.lost.get(&lost).copied())),
        Some(true) | None => msg("memory_remembered"),
    });
    let content = plainly(content);
    let replaces = replaced.map(|older| {
        let words = msg_with("memory_replaces", &[&plainly(older)]);
        View::from((" ", tag("span.meta", words)))
    });
    let name = msg_with("memory_undo_named", &[&content]);
    let undo = live(move || {
        (known.get() == Some(true)).then(|| {
            let (surface, fact) = (surface.clone(), id.clone());
            let undo = move || {
                let fact = fact.clone();
                surface.connection().send(Command::Unremember { fact });
            };
            View::from(button("quiet tiny", msg("memory_undo"), undo).name(name.clone()))
        })
    });
    tag(
        "li",
        (
            tag("p.grow", (tag("b", title), " ", content, replaces)),
            undo,
        ),
    )
    .into()
}
