//! Pause and Resume: one toggle in the status line, which keeps the focus.

use crate::icon::icon;
use crate::live::{handler, live};
use crate::surface::Surface;
use crate::words::msg;
use gloss::agent::Status;
use gloss::app::surface::Command;
use sycamore::prelude::*;

/// The toggle, while a run is at work or paused.
pub(crate) fn pause() -> View {
    let surface = Surface::here();
    let shown = surface.shown;
    let status = create_selector(move || {
        let status = shown.with(|shown| shown.running().map(|turn| turn.status));
        status.filter(|status| matches!(status, Status::Running | Status::Paused))
    });
    // The button outlives what it does: only its name and icon change.
    let there = create_selector(move || status.get().is_some());
    let paused = create_selector(move || status.get() == Some(Status::Paused));
    live(move || {
        if !there.get() {
            return View::new();
        }
        let surface = surface.clone();
        let name = move || msg(if paused.get() { "resume" } else { "pause" });
        let sign = live(move || icon(if paused.get() { "play" } else { "pause" }));
        view! {
            button(
                r#type="button",
                class="icon-btn tiny",
                aria-label=name,
                title=name,
                on:click=handler(move |_| surface.toggle_pause()),
            ) { (sign) }
        }
    })
}

impl Surface {
    /// Pauses the run at work, or lets the paused one go on.
    fn toggle_pause(&self) {
        let running = self.shown.with_untracked(|shown| {
            let turn = shown.running()?;
            Some((turn.run.clone(), turn.status))
        });
        match running {
            Some((run, Status::Paused)) => self.connection().send(Command::Continue { run }),
            Some((run, _)) => self.connection().send(Command::Pause { run }),
            None => {}
        }
    }
}
