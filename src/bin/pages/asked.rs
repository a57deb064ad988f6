//! The person's words: what a turn began with, and what it read on the way.

use crate::ending::halted_at;
use crate::icon::icon;
use crate::live::{handler, live};
use crate::surface::{Surface, is_over, said_by_person};
use crate::words::msg;
use gloss::agent::Goal;
use gloss::durable::RunId;
use sycamore::prelude::*;

/// What was asked; *Edit* stands beside the last of these only, and below a
/// stopped answer instead.
pub(crate) fn asked(run: &RunId) -> View {
    let surface = Surface::here();
    let goal = surface.of(run, |turn| turn.goal.clone());
    let last = surface.is_last(run);
    let editable = surface.of(run, |turn| {
        is_over(turn.status) && halted_at(turn).is_none() && said_by_person(&turn.goal).is_some()
    });
    let with_edit = create_selector(move || last.get() && editable.get() == Some(true));
    let run = run.clone();
    let you_name = msg("you");
    let edit = live(move || {
        if with_edit.get() {
            edit(&run, Shape::Icon)
        } else {
            View::new()
        }
    });
    let words = live(move || goal.get_clone().as_ref().map(words));
    view! {
        article(
            class=move || if with_edit.get() { "turn said" } else { "turn" },
            aria-label=you_name,
            data-you="",
        ) {
            (edit)
            (words)
        }
    }
}

/// Messages that the run read while it was at work.
pub(crate) fn read_meanwhile(run: &RunId) -> View {
    let read = Surface::here().of(run, |turn| {
        let read = turn
            .messages
            .iter()
            .filter(|message| message.read_at_ms.is_some());
        read.map(|message| message.goal.clone()).collect::<Vec<_>>()
    });
    live(move || {
        read.get_clone()
            .unwrap_or_default()
            .iter()
            .map(|goal| {
                let (you_name, words) = (msg("you"), words(goal));
                view! { article(class="turn", aria-label=you_name, data-you="") { (words) } }
            })
            .collect::<Vec<_>>()
    })
}

fn words(goal: &Goal) -> View {
    match goal {
        Goal::Summarize => {
            let words = msg("summarize_page");
            view! { p(class="you") { (words) } }
        }
        Goal::GoOn => {
            let words = msg("continue");
            view! { p(class="you") { (words) } }
        }
        Goal::Ask { question } => {
            let question = question.clone();
            view! { p(class="you") { (question) } }
        }
        Goal::Explain { selection } => {
            let (label, selection) = (msg("explain"), selection.clone());
            view! {
                div(class="you") {
                    p(class="label") { (label) }
                    blockquote { (selection) }
                }
            }
        }
    }
}

/// How *Edit* looks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A pencil beside the message.
    Icon,
    /// With its label, beside *Continue*.
    Label,
}

/// Puts the words of this turn into the composer.
pub(crate) fn edit(run: &RunId, shape: Shape) -> View {
    let surface = Surface::here();
    let goal = surface.of(run, |turn| turn.goal.clone());
    let run = run.clone();
    let pressed = move |_| {
        let words = goal.get_clone_untracked().as_ref().and_then(said_by_person);
        surface.edit(run.clone(), words.unwrap_or_default());
    };
    let edit_icon = icon("edit");
    match shape {
        Shape::Icon => {
            let (edit_name, edit_tip) = (msg("edit"), msg("edit"));
            view! {
                button(
                    class="icon-btn tiny",
                    aria-label=edit_name,
                    title=edit_tip,
                    on:click=handler(pressed),
                ) { (edit_icon) }
            }
        }
        Shape::Label => {
            let edit_word = msg("edit");
            view! { button(class="btn", on:click=handler(pressed)) { (edit_icon) (edit_word) } }
        }
    }
}
