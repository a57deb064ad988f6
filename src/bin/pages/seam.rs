//! A seam: where a turn was cut, and what became of it.

use crate::browser::time_of_day;
use crate::words::msg_with;
use gloss::app::surface::Seam;
use sycamore::prelude::*;

/// The seam's line.
pub(crate) fn seam(seam: Seam) -> View {
    let (key, at_ms) = match seam {
        Seam::Resumed { at_ms } => ("seam_resumed", at_ms),
        Seam::Restarted { at_ms } => ("seam_restarted", at_ms),
        Seam::Stopped { at_ms } => ("seam_stopped", at_ms),
    };
    let words = msg_with(key, &[&time_of_day(at_ms)]);
    view! { p(class="seam") { (words) } }
}
