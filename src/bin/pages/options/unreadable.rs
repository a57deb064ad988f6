//! Runs that can't be read. Each row has a button that exports the run's remaining data.

use super::controls::row as with_actions;
use super::feedback::{Feedback, feedback_line};
use super::page::Page;
use crate::browser::date;
use crate::live::live;
use crate::parts::{button, tag};
use crate::save::save_as;
use crate::words::{msg, msg_with};
use gloss::app::options::{Damaged, OptionsRequest, Outcome};
use gloss::ui::figures::bytes;
use sycamore::prelude::*;

/// The file's name begins with this text; the run's id follows.
const FILE: &str = "gloss-unreadable";

/// The runs that can't be read. The list is empty until the worker has answered.
pub(crate) fn unreadable_runs() -> Signal<Vec<Damaged>> {
    let damaged = create_signal(Vec::new());
    Page::from_context().ask(OptionsRequest::Damaged, move |outcome| {
        if let Outcome::Damaged { runs } = outcome {
            damaged.set(runs);
        }
    });
    damaged
}

pub(crate) fn unreadable(damaged: Signal<Vec<Damaged>>) -> View {
    let page = Page::from_context();
    live(move || {
        let all = damaged.get_clone();
        let several = all.len() > 1;
        let rows = (1..).zip(all).map(|(place, one): (usize, Damaged)| {
            row(&page, one, several.then(|| place.to_string()))
        });
        rows.collect::<Vec<View>>()
    })
}

/// The row of one run. `place` is the number of the row, if there are several rows.
fn row(page: &Page, one: Damaged, place: Option<String>) -> View {
    let page = page.clone();
    let result = create_signal(Feedback::None);
    let size = bytes(one.bytes);
    let about = match one.begun {
        Some((at_ms, version)) => {
            msg_with("options_unreadable_begun", &[&version, &date(at_ms), &size])
        }
        None => msg_with("options_unreadable_kept", &[&size]),
    };
    let name = match place {
        None => msg("options_export_unreadable"),
        Some(place) => msg_with("options_export_unreadable_one", &[&place]),
    };
    let run = one.run;
    let export = button("", msg("options_export"), move || {
        let name = format!("{FILE}-{run}.json");
        page.ask(
            OptionsRequest::ExportDamaged { run: run.clone() },
            move |outcome| match outcome {
                Outcome::Exported { text } => save_as(&name, &text),
                other => result.set(Feedback::of(other)),
            },
        );
    });
    let words = (
        msg("options_unreadable"),
        tag("p.num", about),
        feedback_line(result),
    );
    with_actions(words, export.name(name)).into()
}
