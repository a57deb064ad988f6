//! A turn: the user's message, and the answer or another result.

use crate::answer::{answer, answer_actions};
use crate::ending::ending;
use crate::fact_notes::fact_notes;
use crate::growing::growing;
use crate::notice_line::seams as lines;
use crate::picture::pictures;
use crate::prelude::*;
use crate::spending::{limit_setting_link, raise_limit_button};
use crate::status::phase;
use crate::surface::Surface;
use crate::unknown::unknown;
use crate::user_message::{read_meanwhile, user_message};
use gloss::agent::{MissingRight, Phase, Status};
use gloss::app::surface::TabContent;
use gloss::durable::RunId;
use gloss::phrase::Phrase;
use gloss::ui::turns::{halt, is_at_rest};

/// This tool takes seconds before it has anything to show.
const SCREENSHOT: &str = "extract_screenshot_text";

pub(crate) fn turn(run: RunId) -> View {
    let surface = Surface::from_context();
    let busy = surface.of(&run, |turn| !is_at_rest(turn.status));
    let given = surface.of(&run, |turn| turn.answer.is_some());
    let (above, below) = (
        (user_message(&run), read_meanwhile(&run)),
        (
            unknown(&run),
            state_text(&run),
            remarks(&run),
            other_page_note(&run),
            fact_notes(&run),
        ),
    );
    let (top, end) = (
        (notice_lines(&run), pictures(&run)),
        (answer_actions(&run), ending(&run)),
    );
    let answer = live(move || match given.get() {
        Some(true) => answer(&run),
        _ => growing(&run),
    });
    let article = tag("article.turn.prose", (top, answer, below, end)).name(msg("app_name"));
    let busy = move || (busy.get() == Some(true)).then_some("true");
    fragment((above, article.attr("aria-busy", busy)))
}

/// The lines about interruptions of the turn. A pause that still lasts is shown at the end of the
/// turn instead.
fn notice_lines(run: &RunId) -> View {
    let seams = Surface::from_context().of(run, |turn| {
        let mut seams = turn.notices.clone();
        if halt(turn).is_some() {
            seams.pop();
        }
        seams
    });
    live(move || lines(&seams.get_clone().unwrap_or_default()))
}

/// A text about the current state. It is shown until there is a result.
fn state_text(run: &RunId) -> View {
    let words = Surface::from_context().of(run, |turn| {
        if !turn.growing.is_empty() || turn.answer.is_some() {
            return None;
        }
        match (turn.status, turn.wait.as_ref().map(|wait| &wait.need)) {
            (Status::AwaitingUser, Some(MissingRight::Site { .. })) => Some("not_read_yet"),
            (
                Status::AwaitingUser,
                Some(
                    MissingRight::Provider { .. }
                    | MissingRight::Search { .. }
                    | MissingRight::Send(_),
                ),
            ) => Some("not_sent_yet"),
            (Status::AwaitingUser, Some(MissingRight::Screenshot)) => Some("not_taken_yet"),
            (Status::AwaitingUser, Some(MissingRight::Memory(_))) => Some("not_kept_yet"),
            (Status::Running, _) if turn.tool.as_deref() == Some(SCREENSHOT) => {
                Some("reading_screenshot")
            }
            (Status::Running, _) if turn.phase == Phase::Reading => Some(phase(Phase::Reading)),
            _ => None,
        }
    });
    live(move || {
        words
            .get()
            .flatten()
            .map(|key| tag("p.meta.late", msg(key)))
    })
}

fn remarks(run: &RunId) -> View {
    let surface = Surface::from_context();
    let remarks = surface.of(run, |turn| (turn.remarks.clone(), turn.more.clone()));
    let (last, run) = (surface.is_last(run), run.clone());
    live(move || {
        let (remarks, more) = remarks.get_clone().unwrap_or_default();
        let more = more.filter(|_| last.get());
        let line = |remark: &Phrase| {
            let more = more
                .as_ref()
                .and_then(|more| raise_limit_button(&run, more, remark));
            let limit = limit_setting_link(remark);
            meta((phrase_text(remark), " ", more, limit))
        };
        remarks.iter().map(line).collect::<Vec<_>>()
    })
}

/// The title of the page that the answer is about. It is shown once the tab shows another page.
fn other_page_note(run: &RunId) -> View {
    let surface = Surface::from_context();
    let beside = surface.beside();
    let read = surface.of(run, |turn| turn.page.clone());
    let words = move || match (read.get_clone().flatten(), beside.get_clone()) {
        (Some(read), TabContent::Page { page }) if read.document != page.document => {
            Some(crate::words::msg_with("moved_on", &[&read.title]))
        }
        _ => None,
    };
    live(move || words().map(meta))
}
