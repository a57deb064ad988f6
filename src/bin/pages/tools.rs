//! "For this conversation": agent or plain, steps, thinking, and each tool.

use crate::float::{follow, is};
use crate::icon::icon;
use crate::live::handler;
use crate::surface::Surface;
use crate::tool_switches::tool_switches;
use crate::words::msg;
use gloss::agent::Mode;
use sycamore::prelude::*;
use wasm_bindgen::JsCast;

/// The most steps that can be asked for.
const MOST_STEPS: u8 = 10;

/// The button and what it opens.
pub(crate) fn tools() -> View {
    let open = create_signal(false);
    let (tools_name, tools_tip, tools_icon) = (msg("tools"), msg("tools"), icon("tools"));
    let popover = popover(open);
    view! {
        button(
            r#type="button",
            class="icon-btn",
            aria-label=tools_name,
            title=tools_tip,
            aria-haspopup="dialog",
            aria-expanded=move || is(open.get()),
            aria-controls="tools",
            "popovertarget"="tools",
        ) { (tools_icon) }
        (popover)
    }
}

fn popover(open: Signal<bool>) -> View {
    let surface = Surface::here();
    let (title, reset_word) = (msg("for_this_conversation"), msg("reset"));
    let agent = agent();
    let steps = steps();
    let thinking = thinking();
    let switches = tool_switches();
    view! {
        section(
            class="float",
            id="tools",
            popover="auto",
            role="dialog",
            aria-labelledby="tools-h",
            on:toggle=handler(follow(open)),
        ) {
            div(class="row") {
                h2(id="tools-h", class="grow") { (title) }
                button(
                    r#type="button",
                    class="btn quiet tiny",
                    on:click=handler(move |_| surface.reset()),
                ) { (reset_word) }
            }
            ul(class="rows") {
                (agent)
                (steps)
                (thinking)
                (switches)
            }
        }
    }
}

fn agent() -> View {
    let surface = Surface::here();
    let tuned = surface.tuned();
    let (name, about) = (msg("agent"), msg("agent_about"));
    view! {
        li {
            div(class="grow") {
                label(r#for="tools-agent") { (name) }
                p(id="tools-agent-d", class="meta") { (about) }
            }
            input(
                r#type="checkbox",
                role="switch",
                id="tools-agent",
                aria-describedby="tools-agent-d",
                prop:checked=move || tuned.with(|tuning| tuning.mode == Mode::Agent),
                on:change=handler(move |event: web_sys::Event| {
                    let mode = if is_checked(&event) { Mode::Agent } else { Mode::Plain };
                    surface.tune(|tuning| tuning.mode = mode);
                }),
            )
        }
    }
}

fn steps() -> View {
    let surface = Surface::here();
    let tuned = surface.tuned();
    let (name, about, automatic) = (msg("max_steps"), msg("max_steps_about"), msg("automatic"));
    let shown = move || {
        let steps = tuned.with(|tuning| tuning.max_steps);
        steps.map(|steps| steps.to_string()).unwrap_or_default()
    };
    let plain = move || tuned.with(|tuning| tuning.mode == Mode::Plain);
    view! {
        li {
            div(class="grow") {
                label(r#for="tools-steps") { (name) }
                p(id="tools-steps-d", class="meta") { (about) }
            }
            input(
                r#type="number",
                id="tools-steps",
                min="1",
                max=MOST_STEPS.to_string(),
                placeholder=automatic,
                aria-describedby="tools-steps-d",
                disabled=plain,
                prop:value=shown,
                on:change=handler(move |event: web_sys::Event| {
                    let Some(field) = field(&event) else { return };
                    let number: Option<u8> = field.value().trim().parse().ok();
                    let steps = number.map(|number| number.clamp(1, MOST_STEPS));
                    surface.tune(|tuning| tuning.max_steps = steps);
                    // A number out of bounds, or none at all, shows as what it was taken for.
                    field.set_value(&steps.map(|steps| steps.to_string()).unwrap_or_default());
                }),
            )
        }
    }
}

fn thinking() -> View {
    let surface = Surface::here();
    let shows = surface.shows_thinking();
    let name = msg("show_thinking");
    view! {
        li {
            div(class="grow") { label(r#for="tools-thinking") { (name) } }
            input(
                r#type="checkbox",
                role="switch",
                id="tools-thinking",
                prop:checked=move || shows.get(),
                on:change=handler(move |event: web_sys::Event| {
                    surface.thinking.set(Some(is_checked(&event)));
                }),
            )
        }
    }
}

fn field(event: &web_sys::Event) -> Option<web_sys::HtmlInputElement> {
    event.target()?.dyn_into().ok()
}

fn is_checked(event: &web_sys::Event) -> bool {
    field(event).is_some_and(|field| field.checked())
}
