//! The agent's style, the limits of a run, and the parts of a run that are shown.

use super::controls::{about, choice, rows, section, switch_row, unlabelled};
use super::feedback::{Feedback, feedback_line, group_heading};
use super::limits::limits;
use super::page::Page;
use crate::parts::{button, tag};
use crate::words::msg;
use gloss::agent::{Cycle, Style};
use gloss::app::options::{Change, OptionsRequest};
use sycamore::prelude::*;

pub(crate) fn agent() -> View {
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
    section(
        "agent",
        msg("options_agent"),
        (style, cycle, limits(), showing(), reset()),
    )
}

fn showing() -> View {
    let page = Page::from_context();
    let set = page.preferences();
    let result = create_signal(Feedback::None);
    let thinking = switch_row(
        "thinking",
        msg("options_thinking"),
        msg("options_thinking_means"),
        move || set.with(|set| set.show_thinking),
        move |on| page.change(Change::ShowThinking(on), result),
    );
    View::from((
        group_heading("showing", msg("options_showing"), result),
        rows(thinking),
    ))
}

fn reset() -> View {
    let page = Page::from_context();
    let result = create_signal(Feedback::None);
    let reset = move || page.ask_for(OptionsRequest::Reset, result, || {});
    let reset = button("", msg("options_reset"), reset).attr("aria-describedby", "reset-d");
    let row = tag("div.row.wrap", (reset, feedback_line(result)));
    unlabelled((row, about("reset", msg("options_reset_means")))).into()
}
