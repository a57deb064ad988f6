//! A tool call whose outcome is unknown: the request, the time it was sent, and two ways to go on.

use crate::browser::time_to_the_second;
use crate::prelude::*;
use crate::surface::Surface;
use gloss::agent::{MissingRight, Status, Verdict};
use gloss::durable::RunId;
use gloss::ui::turns::IMAGES;

/// The note that asks the user what to do about the call. It is shown while the run waits for the
/// user's answer. The composer stays visible, because the user can also answer with a message.
pub(crate) fn unknown(run: &RunId) -> View {
    let wait = Surface::from_context().of(run, |turn| {
        turn.wait
            .clone()
            .filter(|_| turn.status == Status::AwaitingUser)
    });
    let run = run.clone();
    live(move || {
        let wait = wait.get_clone().flatten()?;
        let MissingRight::Outcome {
            tool,
            arguments,
            sent_at_ms,
        } = wait.need
        else {
            return None;
        };
        let title = match tool.as_str() {
            IMAGES => msg("unknown_image"),
            tool => msg_with("unknown_title", &[tool]),
        };
        let fact = |name, value: View| tag("div", (tag("dt", name), tag("dd", value)));
        let sent = fact(msg("unknown_sent"), time_to_the_second(sent_at_ms).into());
        let with = fact(msg("unknown_with"), tag("code", arguments).into());
        let way = |words, verdict: Verdict| {
            let (surface, run) = (Surface::from_context(), run.clone());
            button("", words, move || {
                surface.permit(run.clone(), wait.id, verdict.clone());
                surface.focus_message();
            })
        };
        let again = way(msg("unknown_again"), Verdict::Granted);
        let without = way(msg("unknown_without"), Verdict::Refused);
        let ways = tag("div.row.wrap", (again, without));
        let body = (
            tag("p", msg("unknown_words")),
            tag("dl.facts", (sent, with)),
            ways,
        );
        let note = note("caution", "alert", title.clone(), body.into());
        Some(View::from(note.role("group").name(title)))
    })
}

impl Surface {
    /// Decides not to repeat the call, because the user sent a message instead.
    pub(crate) fn leave_unknown(&self) {
        let asks = self.shown.with_untracked(|shown| {
            let turn = shown.running()?;
            let wait = turn.wait.as_ref()?;
            let unknown = matches!(wait.need, MissingRight::Outcome { .. });
            unknown.then(|| (turn.run.clone(), wait.id))
        });
        if let Some((run, wait)) = asks {
            self.permit(run, wait, Verdict::Refused);
        }
    }
}
