//! Where a message is written and sent, and a run is stopped: one place, one button.

use crate::app::stop_on_escape;
use crate::icon::icon;
use crate::live::{handler, live, live_text};
use crate::model_menu::model_menu;
use crate::surface::{Surface, has_page};
use crate::tools::tools;
use crate::words::{msg, msg_with, said};
use gloss::agent::{Bound, Mode, Need, Status};
use gloss::app::surface::{Beside, Turn};
use gloss::model::facts::{MICROS_A_CENT, Micros, money};
use sycamore::prelude::*;

/// The key code of a key that an input method is composing with.
const COMPOSING: u32 = 229;

/// The steps of a run of which nothing is known yet (SPEC §2).
const USUAL_STEPS: u8 = 5;

/// The composer and the line under it.
pub(crate) fn composer() -> View {
    let surface = Surface::here();
    let (draft, message) = (surface.draft, surface.message);
    let submit = surface.clone();
    let keys = surface.clone();
    let ask_gloss_name = msg("ask_gloss");
    let message_name = msg("message");
    let hint = hint();
    let editing = editing();
    let summarize = summarize();
    let model_menu = model_menu();
    let tools = tools();
    let send_or_stop = send_or_stop();
    let range = cost_range();
    let line = line();
    view! {
        form(
            class="composer",
            aria-label=ask_gloss_name,
            on:submit=handler(move |event: web_sys::SubmitEvent| {
                event.prevent_default();
                submit.ask();
            }),
            on:keydown=handler(move |event: web_sys::KeyboardEvent| stop_on_escape(&keys, &event)),
        ) {
            (editing)
            textarea(
                aria-label=message_name,
                rows="1",
                placeholder=move || msg(hint.get()),
                r#ref=message,
                bind:value=draft,
                on:keydown=handler(move |event: web_sys::KeyboardEvent| pressed(&surface, &event)),
            ) {}
            div(class="row") {
                (summarize)
                (model_menu)
                span(class="grow") {}
                (range)
                (tools)
                (send_or_stop)
            }
        }
        (line)
    }
}

fn pressed(surface: &Surface, event: &web_sys::KeyboardEvent) {
    if event.is_composing() || event.key_code() == COMPOSING {
        return;
    }
    let plain = !event.shift_key() && !event.alt_key() && !event.ctrl_key() && !event.meta_key();
    match event.key().as_str() {
        "Enter" if !event.shift_key() => {
            event.prevent_default();
            // One that is held was meant for what had the focus before.
            if !event.repeat() {
                surface.ask();
            }
        }
        "ArrowUp" if plain && surface.draft.with_untracked(String::is_empty) => {
            event.prevent_default();
            surface.edit_last();
        }
        _ => {}
    }
}

/// What stands in an empty message: what it would be sent as.
fn hint() -> ReadSignal<&'static str> {
    let surface = Surface::here();
    let (last, beside, tuned) = (surface.last(), surface.beside(), surface.tuned());
    create_selector(move || {
        let last = last.get_clone();
        let stopped = Status::Terminated(Bound::Stopped);
        if last.as_ref().is_some_and(asks_of_outcome) {
            "ask_what_next"
        } else if last.as_ref().is_some_and(Turn::is_open) {
            "ask_follow_up"
        } else if tuned.with(|tuning| tuning.mode == Mode::Plain) {
            "ask_plain"
        } else if last.is_some_and(|turn| turn.status == stopped) {
            "ask_or_go_on"
        } else if matches!(
            beside.get_clone(),
            Beside::Unreadable { .. } | Beside::Nothing
        ) {
            "ask_anything"
        } else {
            "ask_about_page"
        }
    })
}

fn asks_of_outcome(turn: &Turn) -> bool {
    let need = turn.wait.as_ref().map(|wait| &wait.need);
    matches!(need, Some(Need::Outcome { .. }))
}

/// Says that the words are those of an earlier message.
fn editing() -> View {
    let surface = Surface::here();
    let editing = surface.editing;
    live(move || {
        if editing.with(Option::is_some) {
            let surface = surface.clone();
            let (editing_word, cancel_word) = (msg("editing"), msg("cancel"));
            let edit_icon = icon("edit");
            view! {
                p(class="editing meta", role="status") {
                    (edit_icon)
                    span(class="grow") { (editing_word) }
                    button(
                        r#type="button",
                        class="btn quiet tiny",
                        on:click=handler(move |_| {
                            surface.leave_edit();
                            surface.focus_message();
                        }),
                    ) { (cancel_word) }
                }
            }
        } else {
            View::new()
        }
    })
}

/// In the suggestions while the conversation is empty, here afterwards.
fn summarize() -> View {
    let surface = Surface::here();
    let (beside, running, shown) = (surface.beside(), surface.is_running(), surface.shown);
    let elsewhere = create_selector(move || {
        let readable = !matches!(beside.get_clone(), Beside::Unreadable { .. });
        readable && shown.with(|shown| shown.turns.is_empty())
    });
    let blocked = move || running.get() || !beside.with(has_page);
    live(move || {
        if elsewhere.get() {
            View::new()
        } else {
            let surface = surface.clone();
            let summary_icon = icon("summary");
            let summarize_page_word = msg("summarize_page");
            view! {
                button(
                    r#type="button",
                    class="btn quiet",
                    disabled=blocked,
                    on:click=handler(move |_| surface.summarize()),
                ) {
                    (summary_icon)
                    (summarize_page_word)
                }
            }
        }
    })
}

fn send_or_stop() -> View {
    let surface = Surface::here();
    let (running, draft) = (surface.is_running(), surface.draft);
    live(move || {
        if running.get() {
            stop("icon-btn stop")
        } else {
            let send_name = msg("send");
            let send_tip = msg("send");
            let send_icon = icon("send");
            view! {
                button(
                    class="icon-btn primary",
                    aria-label=send_name,
                    title=send_tip,
                    disabled=move || draft.with(|draft| draft.trim().is_empty()),
                ) { (send_icon) }
            }
        }
    })
}

/// The button that stops the run at work.
pub(crate) fn stop(class: &'static str) -> View {
    let surface = Surface::here();
    let stop_name = msg("stop");
    let stop_tip_tip = msg("stop_tip");
    let stop_icon = icon("stop");
    view! {
        button(
            r#type="button",
            class=class,
            aria-label=stop_name,
            title=stop_tip_tip,
            on:click=handler(move |_| surface.stop()),
        ) { (stop_icon) }
    }
}

/// What an answer may cost, from one call to as many as there may be steps, where that is
/// more than a cent (DETAILS §11).
fn cost_range() -> View {
    let surface = Surface::here();
    let (shown, tuned) = (surface.shown, surface.tuned());
    let range = create_selector(move || {
        let tuning = tuned.get_clone();
        let one = shown.with(|shown| {
            let offer = shown.offers.iter().find(|it| it.id == tuning.model)?;
            offer.cost
        })?;
        let most = one * Micros::from(tuning.max_steps.unwrap_or(USUAL_STEPS));
        (most > MICROS_A_CENT).then(|| [money(one), money(most)])
    });
    let words = live_text(move || {
        range.with(|range| {
            let words = |[one, most]: &[String; 2]| msg_with("cost_range", &[one, most]);
            range.as_ref().map(words).unwrap_or_default()
        })
    });
    view! { span(class="meta num") { (words) } }
}

/// What answers, before anything was asked; why the page can't be summarised, after.
fn line() -> View {
    let surface = Surface::here();
    let (beside, shown, tuned) = (surface.beside(), surface.shown, surface.tuned());
    let empty = create_selector(move || shown.with(|shown| shown.turns.is_empty()));
    let on_device = create_selector(move || tuned.with(|tuning| tuning.model.is_empty()));
    live(move || match (beside.get_clone(), empty.get()) {
        (Beside::Page { .. }, true) if on_device.get() => {
            connect(&msg("answers_on_device"), "connect_for_answers")
        }
        (Beside::Unreadable { failure, .. }, false) => {
            let words = said(&failure.remedy);
            view! { p(class="meta") { (words) } }
        }
        _ => View::new(),
    })
}

/// What the device does, and what a model of one's own would; `rest` follows the link.
pub(crate) fn connect(words: &str, rest: &str) -> View {
    let (link, rest) = (msg("connect_a_model"), msg(rest));
    let words = format!("{words} ");
    view! {
        p(class="meta") {
            (words)
            a(href="options.html#models", target="_blank") { (link) }
            (rest)
        }
    }
}
