//! A turn: the user's message, and the result.

use crate::answer::{acts, answer};
use crate::asked::{asked, read_meanwhile};
use crate::ending::ending;
use crate::growing::growing;
use crate::live::live;
use crate::minded::minded;
use crate::parts::{meta, tag};
use crate::picture::pictures;
use crate::seam::seams as lines;
use crate::spending::{extend, to_the_limit};
use crate::status::phase;
use crate::surface::Surface;
use crate::unknown::unknown;
use crate::words::{msg, said};
use gloss::agent::{Need, Phase, Status, Voice};
use gloss::app::surface::Beside;
use gloss::durable::RunId;
use gloss::phrase::Phrase;
use gloss::ui::turns::{halt, is_at_rest};
use sycamore::prelude::*;

/// A tool that takes seconds before there is anything to show.
const SCREENSHOT: &str = "extract_screenshot_text";

/// The turn of this run.
pub(crate) fn turn(run: RunId) -> View {
    let surface = Surface::here();
    let busy = surface.of(&run, |turn| !is_at_rest(turn.status));
    let given = surface.of(&run, |turn| turn.answer.is_some());
    let voice = surface.of(&run, |turn| turn.model.voice);
    let (above, below) = (
        (asked(&run), read_meanwhile(&run)),
        (
            unknown(&run),
            waiting(&run),
            remarks(&run),
            moved_on(&run),
            minded(&run),
        ),
    );
    let (top, end) = ((seams(&run), pictures(&run)), (acts(&run), ending(&run)));
    let answer = live(move || match given.get() {
        Some(true) => answer(&run),
        _ => growing(&run, voice.get().unwrap_or(Voice::Model)),
    });
    let article = tag("article.turn.prose", (top, answer, below, end)).name(msg("app_name"));
    let busy = move || (busy.get() == Some(true)).then_some("true");
    View::from((above, article.attr("aria-busy", busy)))
}

/// The seams of the turn, without a pause that still lasts: the turn's end shows that one.
fn seams(run: &RunId) -> View {
    let seams = Surface::here().of(run, |turn| {
        let mut seams = turn.seams.clone();
        if halt(turn).is_some() {
            seams.pop();
        }
        seams
    });
    live(move || lines(&seams.get_clone().unwrap_or_default()))
}

/// A text about the current state, in place of the result.
fn waiting(run: &RunId) -> View {
    let words = Surface::here().of(run, |turn| {
        if !turn.growing.is_empty() || turn.answer.is_some() {
            return None;
        }
        match (turn.status, turn.wait.as_ref().map(|wait| &wait.need)) {
            (Status::AwaitingUser, Some(Need::Site { .. })) => Some("not_read_yet"),
            (Status::AwaitingUser, Some(Need::Provider { .. } | Need::Search { .. })) => {
                Some("not_sent_yet")
            }
            (Status::AwaitingUser, Some(Need::Screenshot)) => Some("not_taken_yet"),
            (Status::AwaitingUser, Some(Need::Image { .. })) => Some("not_made_yet"),
            (Status::AwaitingUser, Some(Need::Memory(_))) => Some("not_kept_yet"),
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
            .map(|key| View::from(tag("p.meta.late", msg(key))))
    })
}

fn remarks(run: &RunId) -> View {
    let surface = Surface::here();
    let remarks = surface.of(run, |turn| (turn.remarks.clone(), turn.more.clone()));
    let (last, run) = (surface.is_last(run), run.clone());
    live(move || {
        let (remarks, more) = remarks.get_clone().unwrap_or_default();
        let more = more.filter(|_| last.get());
        let line = |remark: &Phrase| {
            let more = more.as_ref().and_then(|more| extend(&run, more, remark));
            let limit = to_the_limit(remark);
            meta((said(remark), " ", more, limit))
        };
        remarks.iter().map(line).collect::<Vec<_>>()
    })
}

/// The title of the page that an answer is about, once the tab shows another document.
fn moved_on(run: &RunId) -> View {
    let surface = Surface::here();
    let beside = surface.beside();
    let read = surface.of(run, |turn| turn.page.clone());
    let words = move || match (read.get_clone().flatten(), beside.get_clone()) {
        (Some(read), Beside::Page { page }) if read.document != page.document => {
            Some(crate::words::msg_with("moved_on", &[&read.title]))
        }
        _ => None,
    };
    live(move || words().map(meta))
}
