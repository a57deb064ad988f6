//! The agent's style, the limits of a run, and the parts of a run that are shown.

use super::limits::limits;
use super::prelude::*;
use gloss::agent::{Cycle, Style};

/// Builds the section *Agent*.
pub(crate) fn agent() -> Tag {
    let style = choice(
        "style",
        msg("options_style"),
        [
            (Style::ToolFirst, "means:options_tool_first"),
            (Style::Balanced, "means:options_balanced"),
            (Style::Direct, "means:options_direct"),
        ],
        |set| set.style,
        Change::Style,
    );
    let cycle = choice(
        "cycle",
        msg("options_cycle"),
        [
            (Cycle::Fused, "means:options_fused"),
            (Cycle::Strict, "means:options_strict"),
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
    let result = create_signal(Feedback::None);
    let thinking = setting(
        "thinking",
        msg("options_thinking"),
        msg("options_thinking_means"),
        result,
        |set| set.show_thinking,
        Change::ShowThinking,
    );
    let heading = group_heading("showing", msg("options_showing"), result);
    fragment((heading, rows(thinking)))
}

fn reset() -> Tag {
    let page = Page::from_context();
    let result = create_signal(Feedback::None);
    let reset = move || page.ask_for(OptionsRequest::Reset, result, || {});
    let reset = button("", msg("options_reset"), reset).attr("aria-describedby", "reset-d");
    let row = tag("div.row.wrap", (reset, feedback_line(result)));
    unlabelled((row, about("reset", msg("options_reset_means"))))
}
