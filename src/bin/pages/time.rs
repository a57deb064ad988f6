//! Stepping back in a run: which step is viewed, and the composer that forks there.

use crate::icon::icon;
use crate::live::{handler, live, live_text};
use crate::surface::Surface;
use crate::words::{msg, msg_with};
use gloss::agent::fork::{Edit, Forked};
use gloss::app::surface::Turn;
use sycamore::prelude::*;

/// The key code of a key that an input method is composing with.
const COMPOSING: u32 = 229;

/// The last step of the turn whose trajectory is open.
pub(crate) fn last_step() -> ReadSignal<u8> {
    let surface = Surface::here();
    let (shown, drawer) = (surface.shown, surface.drawer);
    create_selector(move || {
        let run = drawer.get_clone();
        shown.with(|shown| {
            let turn = shown
                .turns
                .iter()
                .find(|turn| Some(&turn.run) == run.as_ref());
            turn.map_or(0, steps_of)
        })
    })
}

fn steps_of(turn: &Turn) -> u8 {
    turn.steps.iter().map(|step| step.number).max().unwrap_or(0)
}

/// "Earlier step" and "Later step". The first of them is a step back from now.
fn arrows() -> View {
    let surface = Surface::here();
    let viewed = surface.viewed;
    let last = last_step();
    let at = move || viewed.get().unwrap_or(last.get());
    let names = [msg("earlier_step"), msg("later_step")];
    let tips = [msg("earlier_step"), msg("later_step")];
    let [earlier_name, later_name] = names;
    let [earlier_tip, later_tip] = tips;
    let (left, right) = (icon("left"), icon("right"));
    view! {
        button(
            r#type="button",
            class="icon-btn tiny",
            aria-label=earlier_name,
            title=earlier_tip,
            // The first click views the last step: what is said then is read there.
            disabled=move || last.get() == 0 || viewed.get() == Some(1),
            on:click=handler(move |_| {
                let now = viewed.get_untracked();
                viewed.set(Some(now.map_or(last.get_untracked(), |at| at.saturating_sub(1).max(1))));
            }),
        ) { (left) }
        button(
            r#type="button",
            class="icon-btn tiny",
            aria-label=later_name,
            title=later_tip,
            disabled=move || viewed.get().is_none() || at() >= last.get(),
            on:click=handler(move |_| {
                viewed.set(viewed.get_untracked().map(|at| (at + 1).min(last.get_untracked())));
            }),
        ) { (right) }
    }
}

/// In the place of the status line: what is viewed.
fn viewing() -> View {
    let viewed = Surface::here().viewed;
    let last = last_step();
    let name = msg("agent_status");
    let words = live_text(move || {
        let (at, last) = (
            viewed.get().unwrap_or(0).to_string(),
            last.get().to_string(),
        );
        msg_with("viewing_step", &[&at, &last])
    });
    view! {
        div(class="status grow") {
            p(role="status", aria-label=name) {
                span(class="dot held") {}
                b { (words) }
            }
        }
    }
}

/// In the place of the composer: what is written here goes into a fork.
pub(crate) fn fork_composer() -> View {
    let surface = Surface::here();
    let (viewed, draft) = (surface.viewed, surface.fork_draft);
    let (form_name, message_name, hint) = (msg("fork"), msg("message"), msg("fork_hint"));
    let (send_name, send_tip) = (msg("send"), msg("send_into_fork"));
    let (fork_icon, send_icon) = (icon("fork"), icon("send"));
    let leave = leave(msg("back_to_now"));
    let fork_word = live_text(move || {
        let at = viewed.get().unwrap_or(0).to_string();
        msg_with("fork_from_step", &[&at])
    });
    let keys = surface.clone();
    let submit = surface.clone();
    let field = create_node_ref();
    let button_field = field;
    view! {
        form(
            class="composer",
            aria-label=form_name,
            on:submit=handler(move |event: web_sys::SubmitEvent| {
                event.prevent_default();
                send(&submit);
            }),
            on:keydown=handler(move |event: web_sys::KeyboardEvent| {
                if event.key() == "Escape" && !event.is_composing() {
                    event.prevent_default();
                    back(&keys);
                }
            }),
        ) {
            textarea(
                aria-label=message_name,
                rows="1",
                placeholder=hint,
                r#ref=field,
                bind:value=draft,
                on:keydown=handler(move |event: web_sys::KeyboardEvent| {
                    let composing = event.is_composing() || event.key_code() == COMPOSING;
                    if event.key() == "Enter" && !event.shift_key() && !composing {
                        event.prevent_default();
                        if !event.repeat() {
                            send(&surface);
                        }
                    }
                }),
            ) {}
            div(class="row") {
                button(
                    r#type="button",
                    class="btn quiet",
                    on:click=handler(move |_| crate::surface::focus(&button_field)),
                ) {
                    (fork_icon)
                    (fork_word)
                }
                (leave)
                span(class="grow") {}
                button(
                    class="icon-btn primary",
                    aria-label=send_name,
                    title=send_tip,
                    disabled=move || draft.with(|draft| draft.trim().is_empty()),
                ) { (send_icon) }
            }
        }
    }
}

fn leave(word: String) -> View {
    let surface = Surface::here();
    view! {
        button(
            r#type="button",
            class="btn quiet",
            on:click=handler(move |_| back(&surface)),
        ) { (word) }
    }
}

/// Back to now: the composer is there again.
pub(crate) fn back(surface: &Surface) {
    surface.viewed.set(None);
    surface.focus_message();
}

fn send(surface: &Surface) {
    let text = surface.fork_draft.get_clone_untracked().trim().to_owned();
    let Some(step) = surface.viewed.get_untracked() else {
        return;
    };
    if !text.is_empty() {
        surface.fork_draft.set(String::new());
        let edit = Edit::Message { text };
        surface.fork(Forked { step, edit });
    }
}

/// The dock's part above the composer: the status, and while the trajectory is open the
/// ways back in time, with the step that is viewed.
pub(crate) fn or_status(status: View) -> View {
    let surface = Surface::here();
    let (viewed, drawer) = (surface.viewed, surface.drawer);
    let back = create_selector(move || viewed.get().is_some());
    let open = create_selector(move || drawer.with(Option::is_some));
    let line = live(move || back.get().then(viewing));
    let arrows = live(move || open.get().then(arrows));
    let name = msg("step_back");
    view! {
        div(
            class=move || if open.get() { "row" } else { "" },
            role=move || open.get().then_some("group"),
            aria-label=move || open.get().then(|| name.clone()),
        ) {
            div(class="grow", hidden=move || back.get()) { (status) }
            (line)
            (arrows)
        }
    }
}
