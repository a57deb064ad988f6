//! *Pause* and *Resume* are one button in the status line, so that the button keeps the focus.

use crate::prelude::*;
use crate::surface::Surface;
use gloss::agent::Status;
use gloss::app::surface::Command;

/// The button. It is shown while a run is running or paused.
pub(crate) fn pause() -> View {
    let surface = Surface::from_context();
    let shown = surface.shown;
    let status = create_selector(move || {
        let status = shown.with(|shown| shown.running().map(|turn| turn.status));
        status.filter(|status| matches!(status, Status::Running | Status::Paused))
    });
    // The button element stays; only its name and icon change.
    let there = create_selector(move || status.get().is_some());
    let paused = create_selector(move || status.get() == Some(Status::Paused));
    live_if(there, move || {
        let surface = surface.clone();
        let name = move || {
            if paused.get() {
                msg("resume")
            } else {
                msg("pause")
            }
        };
        let sign = live(move || icon(if paused.get() { "play" } else { "pause" }));
        let button = tag("button.icon-btn.tiny", sign).attr("type", "button");
        View::from(
            button
                .name(name)
                .tip(name)
                .press(move || surface.toggle_pause()),
        )
    })
}

impl Surface {
    /// Pauses the run, or resumes the paused one.
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
