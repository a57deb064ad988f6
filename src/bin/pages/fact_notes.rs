//! Notes below an answer: "Remembered: … Undo" and "Not remembered".

use crate::prelude::*;
use crate::surface::Surface;
use gloss::app::surface::Command;
use gloss::durable::RunId;
use gloss::memory::{FactId, Loss, without_subject};
use gloss::phrase::DisplayText;
use gloss::tools::FactOutcome;

/// Notes about the facts that this run tried to remember.
pub(crate) fn fact_notes(run: &RunId) -> View {
    let saved_facts = Surface::from_context().of(run, |turn| {
        let calls = turn.steps.iter().flat_map(|step| &step.calls);
        calls
            .flat_map(|call| call.saved_facts.iter().cloned())
            .collect::<Vec<FactOutcome>>()
    });
    live(move || {
        let all = saved_facts.get_clone().unwrap_or_default();
        (!all.is_empty()).then(|| {
            let lines: Vec<_> = all.iter().map(line).collect();
            View::from(tag("ul.minded", lines).name(msg("tool_group_memory")))
        })
    })
}

fn line(saved_facts: &FactOutcome) -> View {
    match saved_facts {
        FactOutcome::Remembered {
            id,
            content,
            replaced,
        } => remembered(FactId(id.clone()), content, replaced.as_deref()).into(),
        FactOutcome::Refused { what, why } => {
            let what = match what {
                DisplayText::Phrase(phrase) => phrase_text(phrase),
                DisplayText::Words(words) => without_subject(words),
            };
            let not = tag("b", msg("memory_not_remembered"));
            let words = (not, " ", what, " ", tag("span.meta", phrase_text(why)));
            tag("li", tag("p.grow", words)).into()
        }
    }
}

/// Returns the heading of the note about a fact that is no longer stored.
fn loss_text(why: Option<Loss>) -> String {
    match why {
        Some(Loss::MadeRoom) => msg("memory_made_room"),
        Some(Loss::Expired) => msg("memory_expired"),
        Some(Loss::Replaced) => msg("memory_replaced"),
        None => msg("memory_forgotten"),
    }
}

fn remembered(id: FactId, content: &str, replaced: Option<&str>) -> Tag {
    let surface = Surface::from_context();
    let shown = surface.shown;
    let (of, lost) = (id.clone(), id.clone());
    // `None` until the worker has read the facts.
    let known = create_selector(move || {
        shown.with(|shown| shown.known.as_ref().map(|known| known.contains(&of)))
    });
    let title = live_text(move || match known.get() {
        Some(false) => loss_text(shown.with(|shown| shown.lost.get(&lost).copied())),
        Some(true) | None => msg("memory_remembered"),
    });
    let content = without_subject(content);
    let replaces = replaced.map(|older| {
        let words = msg_with("memory_replaces", &[&without_subject(older)]);
        fragment((" ", tag("span.meta", words)))
    });
    let name = msg_with("memory_undo_named", &[&content]);
    let undo = live_if(
        move || known.get() == Some(true),
        move || {
            let (surface, fact) = (surface.clone(), id.clone());
            let undo = move || {
                let fact = fact.clone();
                surface.connection().send(Command::Unremember { fact });
            };
            View::from(button("quiet tiny", msg("memory_undo"), undo).name(name.clone()))
        },
    );
    tag(
        "li",
        (
            tag("p.grow", (tag("b", title), " ", content, replaces)),
            undo,
        ),
    )
}
