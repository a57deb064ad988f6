//! The field for the user's message, and the button that sends the message or stops the run.

use crate::escape::stop_on_escape;
use crate::model_menu::model_menu;
use crate::prelude::*;
use crate::surface::Surface;
use crate::tools::tools;
use gloss::app::surface::TabContent;
use gloss::model::facts::{MICROS_A_CENT, Micros, money};
use gloss::ui::turns::{Hint, has_page, hint};

/// The key code that browsers report for every key while an input method is composing.
const COMPOSING: u32 = 229;

/// The assumed number of steps if the user set no limit.
const USUAL_STEPS: u8 = 5;

/// The composer and the line below it.
pub(crate) fn composer() -> View {
    let surface = Surface::from_context();
    let (draft, message) = (surface.draft, surface.message);
    let [submitted, keys, typing] = [(); 3].map(|()| surface.clone());
    let hint = hint_words();
    let area = message_area(draft)
        .attr("placeholder", move || hint.get_clone())
        .node(message);
    let area = area.on("keydown", move |event| pressed(&typing, &event));
    let row = (
        summarize(),
        model_menu(),
        tag("span.grow", ()),
        cost_range(),
        tools(),
        send_or_stop(),
    );
    let form = tag("form.composer", (editing(), area, tag("div.row", row)));
    let form = form
        .name(msg("ask_gloss"))
        .on_submit(move || submitted.ask());
    fragment((
        form.on("keydown", move |event| stop_on_escape(&keys, &event)),
        line(),
    ))
}

pub(crate) fn message_area(draft: Signal<String>) -> Tag {
    tag("textarea", ())
        .name(msg("message"))
        .attr("rows", "1")
        .bind(draft)
}

/// The button that sends the message. It is disabled while the message is empty.
pub(crate) fn send_button(draft: Signal<String>, tip: String) -> Tag {
    let button = tag("button.icon-btn.primary", icon("send"))
        .name(msg("send"))
        .tip(tip);
    button.disabled(move || draft.with(|draft| draft.trim().is_empty()))
}

/// Returns true if the key sends the message, and prevents the default action of Enter. Enter
/// without Shift sends the message, unless an input method is composing or the key is held down.
pub(crate) fn is_send(event: &web_sys::KeyboardEvent) -> bool {
    let composing = event.is_composing() || event.key_code() == COMPOSING;
    let is_enter = event.key() == "Enter" && !event.shift_key() && !composing;
    if is_enter {
        event.prevent_default();
    }
    is_enter && !event.repeat()
}

fn pressed(surface: &Surface, event: &web_sys::KeyboardEvent) {
    let plain = !event.shift_key() && !event.alt_key() && !event.ctrl_key() && !event.meta_key();
    let composing = event.is_composing() || event.key_code() == COMPOSING;
    if is_send(event) {
        surface.ask();
    } else if event.key() == "ArrowUp"
        && plain
        && !composing
        && surface.draft.with_untracked(String::is_empty)
    {
        event.prevent_default();
        surface.edit_last();
    }
}

/// Returns the placeholder of the message field, as a signal.
fn hint_words() -> ReadSignal<String> {
    let surface = Surface::from_context();
    let (last, beside, tuned) = (surface.last(), surface.beside(), surface.tuned());
    create_selector(move || {
        let mode = tuned.with(|tuning| tuning.mode);
        match last.with(|last| beside.with(|beside| hint(last.as_ref(), beside, mode))) {
            Hint::WhatNext => msg("ask_what_next"),
            Hint::FollowUp => msg("ask_follow_up"),
            Hint::Plain => msg("ask_plain"),
            Hint::OrGoOn => msg("ask_or_go_on"),
            Hint::Anything => msg("ask_anything"),
            Hint::AboutPage => msg("ask_about_page"),
        }
    })
}

/// A line that says that the user is editing an earlier message.
fn editing() -> View {
    let surface = Surface::from_context();
    let editing = surface.editing;
    live_if(
        move || editing.with(Option::is_some),
        move || {
            let surface = surface.clone();
            let cancel = button("quiet tiny", msg("cancel"), move || {
                surface.leave_edit();
                surface.focus_message();
            });
            let line = (icon("edit"), tag("span.grow", msg("editing")), cancel);
            View::from(tag("p.editing.meta", line).role("status"))
        },
    )
}

/// The *Summarize page* button. In an empty conversation, the button is among the suggestions
/// instead.
fn summarize() -> View {
    let surface = Surface::from_context();
    let (beside, running, shown) = (surface.beside(), surface.is_running(), surface.shown);
    let elsewhere = create_selector(move || {
        let readable = !matches!(beside.get_clone(), TabContent::Unreadable { .. });
        readable && shown.with(|shown| shown.turns.is_empty())
    });
    let blocked = move || running.get() || !beside.with(has_page);
    live_if(
        move || !elsewhere.get(),
        move || {
            let surface = surface.clone();
            let words = (icon("summary"), msg("summarize_page"));
            View::from(button("quiet", words, move || surface.summarize()).disabled(blocked))
        },
    )
}

fn send_or_stop() -> View {
    let surface = Surface::from_context();
    let (running, draft) = (surface.is_running(), surface.draft);
    live(move || {
        if running.get() {
            stop("stop")
        } else {
            send_button(draft, msg("send"))
        }
    })
}

/// The button that stops the run.
pub(crate) fn stop(class: &'static str) -> Tag {
    let surface = Surface::from_context();
    let stop = icon_button(class, "stop", msg("stop"), move || surface.stop());
    stop.tip(msg("stop_tip"))
}

/// The cost range of an answer: from one model call to one call per step. It is shown if the
/// maximum is more than a cent.
fn cost_range() -> Tag {
    let surface = Surface::from_context();
    let (shown, tuned) = (surface.shown, surface.tuned());
    let words = create_selector(move || {
        let tuning = tuned.get_clone();
        let offer = |offers: &[gloss::app::surface::ModelOption]| {
            offers.iter().find(|it| it.id == tuning.model)?.cost
        };
        let one = shown.with(|shown| offer(&shown.offers)).unwrap_or_default();
        let most = one * Micros::from(tuning.max_steps.unwrap_or(USUAL_STEPS));
        let is_worth_it = most > MICROS_A_CENT;
        is_worth_it.then(|| msg_with("cost_range", &[&money(one), &money(most)]))
    });
    tag(
        "span.meta.num",
        live_text(move || words.get_clone().unwrap_or_default()),
    )
}

/// The line below the composer. Before the first message, it can say that answers come from the
/// on-device model. Later it can say why the page can't be summarised.
fn line() -> View {
    let surface = Surface::from_context();
    let (beside, shown, tuned) = (surface.beside(), surface.shown, surface.tuned());
    let empty = create_selector(move || shown.with(|shown| shown.turns.is_empty()));
    let on_device = create_selector(move || tuned.with(|tuning| tuning.model.is_empty()));
    live(move || match (beside.get_clone(), empty.get()) {
        (TabContent::Page { .. }, true) if on_device.get() => {
            connect(&msg("answers_on_device"), msg("connect_for_answers"))
        }
        (TabContent::Unreadable { failure, .. }, false) => meta(phrase_text(&failure.remedy)),
        _ => View::new(),
    })
}

/// A line with a link to connect a model. `rest` is the text after the link.
pub(crate) fn connect(words: &str, rest: String) -> View {
    let url = "options.html#models".to_owned();
    meta((
        format!("{words} "),
        link("a", url, msg("connect_a_model")),
        rest,
    ))
}
