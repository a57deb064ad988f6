//! Shell commands that fix a failure, with a button to copy each. Commands for other operating
//! systems are collapsed.

use crate::browser::system;
use crate::copy::copy;
use crate::prelude::*;
use gloss::agent::{System, SystemCommand};

pub(crate) fn commands(all: &[SystemCommand]) -> View {
    let here = system();
    let fits = |command: &&SystemCommand| command.system.is_none() || command.system == here;
    let (mut ours, mut others): (Vec<_>, Vec<_>) = all.iter().partition(fits);
    if ours.is_empty() {
        // No command fits this operating system, so all commands are shown.
        std::mem::swap(&mut ours, &mut others);
    }
    let names: Vec<String> = others.iter().filter_map(|it| it.system).map(name).collect();
    let [ours, others] = [ours, others].map(|all| all.into_iter().map(one).collect::<Vec<_>>());
    let folded =
        (!others.is_empty()).then(|| tag("details", (tag("summary", names.join(", ")), others)));
    fragment((ours, folded))
}

fn one(command: &SystemCommand) -> Tag {
    let text = command.text.clone();
    let pre = tag("pre", text.clone())
        .attr("tabindex", "0")
        .role("group")
        .name(msg("command"));
    let copy = copy(msg("copy_command"), "icon-btn tiny", move || text.clone());
    tag(
        "div.stack",
        (
            tag("p", phrase_text(&command.steps)),
            tag("div.code", (pre, copy)),
        ),
    )
}

fn name(system: System) -> String {
    match system {
        System::MacOs => msg("system_macos"),
        System::Windows => msg("system_windows"),
        System::Linux => msg("system_linux"),
    }
}
