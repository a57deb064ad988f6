//! Runs that cannot be read: a row each, with the way to keep what is left of it.

use super::page::Page;
use super::told::{Told, told};
use crate::browser::date;
use crate::live::{handler, live};
use crate::save::save_as;
use crate::words::{msg, msg_with};
use gloss::app::options::{Ask, Damaged, Outcome};
use sycamore::prelude::*;

/// What the file is called, before the run's id.
const FILE: &str = "gloss-unreadable";

/// The runs that cannot be read, once the worker named them.
pub(crate) fn asked() -> Signal<Vec<Damaged>> {
    let damaged = create_signal(Vec::new());
    Page::here().ask(Ask::Damaged, move |outcome| {
        if let Outcome::Damaged { runs } = outcome {
            damaged.set(runs);
        }
    });
    damaged
}

/// Their rows; nothing if there are none.
pub(crate) fn unreadable(damaged: Signal<Vec<Damaged>>) -> View {
    let page = Page::here();
    live(move || {
        let all = damaged.get_clone();
        let several = all.len() > 1;
        let rows = (1..).zip(all).map(|(place, one): (usize, Damaged)| {
            row(&page, one, several.then(|| place.to_string()))
        });
        rows.collect::<Vec<View>>()
    })
}

/// `place` tells it from others.
fn row(page: &Page, one: Damaged, place: Option<String>) -> View {
    let page = page.clone();
    let result = create_signal(Told::Nothing);
    let size = super::data::size(one.bytes);
    let about = match one.begun {
        Some((at_ms, version)) => {
            msg_with("options_unreadable_begun", &[&version, &date(at_ms), &size])
        }
        None => msg_with("options_unreadable_kept", &[&size]),
    };
    let (title, export) = (msg("options_unreadable"), msg("options_export"));
    let name = match place {
        None => msg("options_export_unreadable"),
        Some(place) => msg_with("options_export_unreadable_one", &[&place]),
    };
    let told = told(result);
    let run = one.run;
    let keep = move |_| {
        let name = format!("{FILE}-{run}.json");
        page.ask(
            Ask::ExportDamaged { run: run.clone() },
            move |outcome| match outcome {
                Outcome::Exported { text } => save_as(&name, &text),
                other => result.set(Told::of(other)),
            },
        );
    };
    view! {
        li {
            div(class="grow") {
                (title)
                p(class="num") { (about) }
                (told)
            }
            div(class="row") {
                button(r#type="button", class="btn", aria-label=name, on:click=handler(keep)) { (export) }
            }
        }
    }
}
