//! What can be copied to mend a failure: that of this system, the others folded.

use crate::browser::system;
use crate::copy::copy;
use crate::words::{msg, said};
use gloss::agent::{System, SystemCommand};
use sycamore::prelude::*;

/// The commands, if there are any.
pub(crate) fn commands(all: &[SystemCommand]) -> View {
    let here = system();
    let fits = |command: &&SystemCommand| command.system.is_none() || command.system == here;
    let (mut ours, mut others): (Vec<_>, Vec<_>) = all.iter().partition(fits);
    if ours.is_empty() {
        // A system that is not known: nothing is folded away.
        std::mem::swap(&mut ours, &mut others);
    }
    let ours: Vec<View> = ours.into_iter().map(one).collect();
    if others.is_empty() {
        return ours.into();
    }
    let names: Vec<String> = others
        .iter()
        .filter_map(|other| other.system)
        .map(name)
        .collect();
    let title = names.join(", ");
    let others: Vec<View> = others.into_iter().map(one).collect();
    view! {
        (ours)
        details {
            summary { (title) }
            (others)
        }
    }
}

fn one(command: &SystemCommand) -> View {
    let (steps, text) = (said(&command.steps), command.text.clone());
    let name = msg("command");
    let copied = text.clone();
    let copy = copy("copy_command", "icon-btn tiny", move || copied.clone());
    view! {
        div(class="stack") {
            p { (steps) }
            div(class="code") {
                pre(tabindex="0", role="group", aria-label=name) { (text) }
                (copy)
            }
        }
    }
}

fn name(system: System) -> String {
    match system {
        System::MacOs => msg("system_macos"),
        System::Windows => msg("system_windows"),
        System::Linux => msg("system_linux"),
    }
}
