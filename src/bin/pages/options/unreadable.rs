//! Runs that can't be read. Each row has a button that exports the run's remaining data.

use super::controls::row as with_actions;
use super::prelude::*;
use crate::browser::date;
use gloss::app::options::Damaged;
use gloss::ui::figures::bytes;

/// The file's name begins with this text; the run's id follows.
const FILE: &str = "gloss-unreadable";

/// Returns the runs that can't be read. The list is empty until the worker has answered.
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
        rows.collect::<Vec<_>>()
    })
}

/// A row; `place` distinguishes it from others.
fn row(page: &Page, one: Damaged, place: Option<String>) -> Tag {
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
        let ask = OptionsRequest::ExportDamaged { run: run.clone() };
        page.export(ask, format!("{FILE}-{run}.json"), result);
    });
    let words = (
        msg("options_unreadable"),
        tag("p.num", about),
        feedback_line(result),
    );
    with_actions(words, export.name(name))
}
