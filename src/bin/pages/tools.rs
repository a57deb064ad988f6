//! The popover "For this conversation": agent or plain mode, steps, thinking, and each tool.

use crate::options::controls::{labelled_row, switch_row};
use crate::popover::follow;
use crate::prelude::*;
use crate::surface::Surface;
use crate::tool_switches::tool_switches;
use gloss::agent::Mode;
use wasm_bindgen::JsCast;

/// The largest number of steps that a user can choose.
const MOST_STEPS: u8 = 10;

/// The button that opens the popover, and the popover.
pub(crate) fn tools() -> View {
    let open = create_signal(false);
    let opener = icon_button("", "tools", msg("tools"), || {})
        .attr("aria-haspopup", "dialog")
        .attr("aria-expanded", move || bool_text(open.get()))
        .attr("aria-controls", "tools")
        .attr("popovertarget", "tools");
    let surface = Surface::from_context();
    let heading = tag("h2.grow", msg("for_this_conversation")).id("tools-h");
    let reset = button("quiet tiny", msg("reset"), move || surface.reset());
    let rows = tag("ul.rows", (agent(), steps(), thinking(), tool_switches()));
    let popover = tag("section.float", (tag("div.row", (heading, reset)), rows))
        .id("tools")
        .attr("popover", "auto")
        .role("dialog")
        .attr("aria-labelledby", "tools-h")
        .on("toggle", follow(open));
    fragment((opener, popover))
}

fn agent() -> Tag {
    let surface = Surface::from_context();
    let tuned = surface.tuned();
    let turned = move |on| {
        let mode = if on { Mode::Agent } else { Mode::Plain };
        surface.tune(|tuning| tuning.mode = mode);
    };
    let is_on = move || tuned.with(|tuning| tuning.mode == Mode::Agent);
    switch_row(
        "tools-agent",
        msg("agent"),
        msg("agent_about"),
        is_on,
        turned,
    )
}

fn steps() -> Tag {
    let surface = Surface::from_context();
    let tuned = surface.tuned();
    let shown = |steps: Option<u8>| steps.map(|steps| steps.to_string()).unwrap_or_default();
    let input = tag("input", ())
        .attr("type", "number")
        .id("tools-steps")
        .attr("min", "1")
        .attr("max", MOST_STEPS.to_string())
        .attr("placeholder", msg("automatic"))
        .attr("aria-describedby", "tools-steps-d")
        .disabled(move || tuned.with(|tuning| tuning.mode == Mode::Plain))
        .value(move || shown(tuned.with(|tuning| tuning.max_steps)))
        .on("change", move |event: web_sys::Event| {
            let field = event.target().and_then(|it| it.dyn_into().ok());
            let Some(field): Option<web_sys::HtmlInputElement> = field else {
                return;
            };
            let number: Option<u8> = field.value().trim().parse().ok();
            let steps = number.map(|number| number.clamp(1, MOST_STEPS));
            surface.tune(|tuning| tuning.max_steps = steps);
            // If the input is not a number in range, the field shows the value that is used
            // instead.
            field.set_value(&shown(steps));
        });
    labelled_row(
        "tools-steps",
        msg("max_steps"),
        msg("max_steps_about"),
        input,
    )
}

fn thinking() -> Tag {
    let surface = Surface::from_context();
    let shows = surface.shows_thinking();
    let turned = move |on| surface.thinking.set(Some(on));
    switch_row(
        "tools-thinking",
        msg("show_thinking"),
        (),
        move || shows.get(),
        turned,
    )
}
