//! How the agent works, what a run may spend, and what is shown of it.

use super::browser::is_checked;
use super::choice::choice;
use super::limits::limits;
use super::page::Page;
use super::told::{Told, heading, told};
use crate::live::handler;
use crate::words::msg;
use gloss::agent::{Cycle, Style};
use gloss::app::options::{Ask, Change};
use sycamore::prelude::*;

/// The section.
pub(crate) fn agent() -> View {
    let name = msg("options_agent");
    let style = choice(
        "style",
        msg("options_style"),
        [
            (
                Style::ToolFirst,
                "msg:options_tool_first",
                "msg:options_tool_first_means",
            ),
            (
                Style::Balanced,
                "msg:options_balanced",
                "msg:options_balanced_means",
            ),
            (
                Style::Direct,
                "msg:options_direct",
                "msg:options_direct_means",
            ),
        ],
        |set| set.style,
        Change::Style,
    );
    let cycle = choice(
        "cycle",
        msg("options_cycle"),
        [
            (Cycle::Fused, "msg:options_fused", "msg:options_fused_means"),
            (
                Cycle::Strict,
                "msg:options_strict",
                "msg:options_strict_means",
            ),
        ],
        |set| set.cycle,
        Change::Cycle,
    );
    let limits = limits();
    let showing = showing();
    let reset = reset();
    view! {
        section(class="sect", id="agent", aria-labelledby="agent-h") {
            h2(id="agent-h") { (name) }
            (style)
            (cycle)
            (limits)
            (showing)
            (reset)
        }
    }
}

fn showing() -> View {
    let page = Page::here();
    let set = page.preferences();
    let result = create_signal(Told::Nothing);
    let is_shown = move || set.with(|set| set.show_thinking);
    let (label, means) = (msg("options_thinking"), msg("options_thinking_means"));
    let heading = heading("showing", msg("options_showing"), result);
    view! {
        (heading)
        ul(class="rows") {
            li {
                div(class="grow") {
                    label(r#for="thinking") { (label) }
                    p(id="thinking-d") { (means) }
                }
                input(
                    r#type="checkbox",
                    role="switch",
                    id="thinking",
                    aria-describedby="thinking-d",
                    prop:checked=is_shown,
                    on:change=handler(move |event: web_sys::Event| {
                        page.change(Change::ShowThinking(is_checked(&event)), result);
                    }),
                )
            }
        }
    }
}

fn reset() -> View {
    let page = Page::here();
    let result = create_signal(Told::Nothing);
    let (label, means) = (msg("options_reset"), msg("options_reset_means"));
    let told = told(result);
    view! {
        div(class="field") {
            span(class="cap") {}
            div(class="row wrap") {
                button(
                    r#type="button",
                    class="btn",
                    aria-describedby="reset-d",
                    on:click=handler(move |_| page.ask(Ask::Reset, move |it| result.set(Told::of(it)))),
                ) { (label) }
                (told)
            }
            p(class="meta", id="reset-d") { (means) }
        }
    }
}
