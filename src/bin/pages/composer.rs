//! Where a message is written and sent, and a run is stopped: one place, one button.

use crate::app::stop_on_escape;
use crate::icon::icon;
use crate::surface::Surface;
use crate::words::{msg, said};
use gloss::app::surface::Beside;
use sycamore::prelude::*;

/// The key code of a key that an input method is composing with.
const COMPOSING: u32 = 229;

/// The composer and the line under it.
pub(crate) fn composer() -> View {
    let surface = Surface::here();
    let (draft, message) = (surface.draft, surface.message);
    let submit = surface.clone();
    let keys = surface.clone();
    let ask_gloss_name = msg("ask_gloss");
    let message_name = msg("message");
    let ask_about_page_hint = msg("ask_about_page");
    let device_icon = icon("device");
    let on_device_word = msg("on_device");
    view! {
        form(
            class="composer",
            aria-label=ask_gloss_name,
            on:submit=move |event: web_sys::SubmitEvent| {
                event.prevent_default();
                submit.ask();
            },
            on:keydown=move |event: web_sys::KeyboardEvent| stop_on_escape(&keys, &event),
        ) {
            textarea(
                aria-label=message_name,
                rows="1",
                placeholder=ask_about_page_hint,
                r#ref=message,
                bind:value=draft,
                on:keydown=move |event: web_sys::KeyboardEvent| {
                    let sends = event.key() == "Enter" && !event.shift_key();
                    if sends && !event.is_composing() && event.key_code() != COMPOSING {
                        event.prevent_default();
                        surface.ask();
                    }
                },
            ) {}
            div(class="row") {
                (summarize())
                span(class="model") {
                    (device_icon)
                    (on_device_word)
                }
                span(class="grow") {}
                (send_or_stop())
            }
        }
        (line())
    }
}

/// In the suggestions while the conversation is empty, here afterwards.
fn summarize() -> View {
    let surface = Surface::here();
    let (beside, running, shown) = (surface.beside(), surface.is_running(), surface.shown);
    let elsewhere = create_selector(move || {
        let page = matches!(beside.get_clone(), Beside::Page { .. });
        (page || beside.get_clone() == Beside::Nothing)
            && shown.with(|shown| shown.turns.is_empty())
    });
    let blocked = move || running.get() || !matches!(beside.get_clone(), Beside::Page { .. });
    view! {
        (if elsewhere.get() {
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
                    on:click=move |_| surface.summarize(),
                ) {
                    (summary_icon)
                    (summarize_page_word)
                }
            }
        })
    }
}

fn send_or_stop() -> View {
    let surface = Surface::here();
    let (running, draft) = (surface.is_running(), surface.draft);
    view! {
        (if running.get() {
            let surface = surface.clone();
            let stop_name = msg("stop");
            let stop_tip_tip = msg("stop_tip");
            let stop_icon = icon("stop");
            view! {
                button(
                    r#type="button",
                    class="icon-btn stop",
                    aria-label=stop_name,
                    title=stop_tip_tip,
                    on:click=move |_| surface.stop(),
                ) { (stop_icon) }
            }
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
        })
    }
}

/// What answers, before anything was asked; why the page can't be summarised, after.
fn line() -> View {
    let surface = Surface::here();
    let (beside, shown) = (surface.beside(), surface.shown);
    let empty = create_selector(move || shown.with(|shown| shown.turns.is_empty()));
    let words = move || match (beside.get_clone(), empty.get()) {
        (Beside::Page { .. }, true) => Some(msg("answers_on_device")),
        (Beside::Unreadable { failure, .. }, false) => Some(said(&failure.remedy)),
        _ => None,
    };
    view! { (words().map(|words| view! { p(class="meta") { (words) } })) }
}
