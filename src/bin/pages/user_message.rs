//! The user's messages: the message that started a turn, and those that the run read later.

use crate::prelude::*;
use crate::surface::Surface;
use crate::words::editable_text;
use gloss::agent::Goal;
use gloss::durable::RunId;
use gloss::ui::turns::{halted_at, is_over};

/// The message that started a turn. The message of the last turn has *Edit* beside it. If that turn
/// was stopped, *Edit* is below the answer instead.
pub(crate) fn user_message(run: &RunId) -> Tag {
    let surface = Surface::from_context();
    let goal = surface.of(run, |turn| turn.goal.clone());
    let last = surface.is_last(run);
    let editable = surface.of(run, |turn| {
        is_over(turn.status) && halted_at(turn).is_none() && editable_text(&turn.goal).is_some()
    });
    let with_edit = create_selector(move || last.get() && editable.get() == Some(true));
    let run = run.clone();
    let edit = live_if(with_edit, move || {
        icon_button("tiny", "edit", msg("edit"), editing(&run))
    });
    let words = live(move || goal.get_clone().as_ref().map(goal_text));
    let class = move || if with_edit.get() { "turn said" } else { "turn" };
    message_view((edit, words)).class(class)
}

/// The messages that the run read after it had started.
pub(crate) fn read_meanwhile(run: &RunId) -> View {
    let read = Surface::from_context().of(run, |turn| {
        let read = turn
            .messages
            .iter()
            .filter(|message| message.read_at_ms.is_some());
        read.map(|message| message.goal.clone()).collect::<Vec<_>>()
    });
    live(move || {
        let read = read.get_clone().unwrap_or_default();
        read.iter()
            .map(|goal| message_view(goal_text(goal)))
            .collect::<Vec<_>>()
    })
}

fn message_view(inside: impl IntoView) -> Tag {
    tag("article.turn", inside)
        .name(msg("you"))
        .attr("data-you", "")
}

fn goal_text(goal: &Goal) -> View {
    match goal {
        Goal::Summarize => tag("p.you", msg("summarize_page")).into(),
        Goal::GoOn => tag("p.you", msg("continue")).into(),
        Goal::Ask { question } => tag("p.you", question.clone()).into(),
        Goal::Explain { selection } => {
            let label = tag("p.label", msg("explain"));
            tag("div.you", (label, tag("blockquote", selection.clone()))).into()
        }
    }
}

/// *Edit* with its label, beside *Continue*.
pub(crate) fn edit_button(run: &RunId) -> Tag {
    button("", (icon("edit"), msg("edit")), editing(run))
}

/// Returns a listener that puts the message of this turn into the composer.
fn editing(run: &RunId) -> impl Fn() + 'static {
    let (surface, run) = (Surface::from_context(), run.clone());
    let goal = surface.of(&run, |turn| turn.goal.clone());
    move || {
        let words = goal.get_clone_untracked().as_ref().and_then(editable_text);
        surface.edit(run.clone(), words.unwrap_or_default());
    }
}
