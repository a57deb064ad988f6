//! Images that a run made. A placeholder is shown while an image is being made. A click on the
//! image enlarges it, and a button saves it.
//!
//! Example: a panel opens a conversation in which an image was made. The turn contains a
//! description of the image, but not its bytes. The panel requests the bytes from the worker, and
//! makes a `blob:` URL of them. The URL is revoked when the turn is removed from the page.

use crate::loaded_image::{ImageState, LoadedImage, Pictures};
use crate::prelude::*;
use crate::save::offer;
use crate::surface::Surface;
use gloss::app::surface::Command;
use gloss::durable::RunId;
use gloss::ui::figures::file_name;
use gloss::ui::turns::{CallKey, images_of};
use std::rc::Rc;

/// The images of a run's turn, in the order of the tool calls.
pub(crate) fn pictures(run: &RunId) -> View {
    let surface = Surface::from_context();
    let made = surface.of(run, images_of);
    let known = surface.pictures;
    create_effect(move || {
        for (key, shows) in made.get_clone().unwrap_or_default() {
            let is_open = known.with_untracked(|known| {
                let answer = known.get(&key);
                answer.is_none_or(|it| matches!(it, ImageState::Asked))
            });
            if shows.is_some() && is_open {
                known.update_silent(|known| {
                    known.insert(key.clone(), ImageState::Asked);
                });
                let (run, step, call) = key;
                let ask = Command::Picture { run, step, call };
                surface.connection().ask(&ask);
            }
        }
    });
    let run = run.clone();
    on_cleanup(move || {
        if known.is_alive() {
            known.update_silent(|known| known.retain(|(of, ..), _| *of != run));
        }
    });
    live(move || {
        let made = made.get_clone().unwrap_or_default();
        let views = made
            .into_iter()
            .map(|(key, shows)| picture(key, shows, known));
        views.collect::<Vec<_>>()
    })
}

fn picture(key: CallKey, shows: Option<String>, known: Signal<Pictures>) -> View {
    let Some(shows) = shows else {
        return boxed(msg("making_image")).into();
    };
    let here = create_selector(move || {
        known
            .with(|known| known.get(&key).cloned())
            .unwrap_or(ImageState::Asked)
    });
    live(move || match here.get_clone() {
        ImageState::Asked => boxed(msg("fetching_image")),
        ImageState::Gone => boxed(msg("image_gone")),
        ImageState::Here(here) => whole(&here, &shows),
    })
}

/// Text in place of the image.
fn boxed(words: String) -> Tag {
    tag("div.made", tag("div.box", meta(words)))
}

fn whole(here: &Rc<LoadedImage>, shows: &str) -> Tag {
    let large = create_signal(false);
    let name = format!("{}.{}", file_name(shows), here.ending);
    let image = tag("img", ()).attr("src", here.address.href().to_owned());
    let image = tag("div.box", image.attr("alt", shows.to_owned()));
    let here = here.clone();
    let keep = (icon("export"), msg("image_download"));
    let keep = button("quiet tiny", keep, move || offer(&name, &here.address));
    let enlarge = button("quiet tiny", msg("image_enlarge"), move || {
        large.set(!large.get_untracked());
    });
    let enlarge = enlarge.attr("aria-pressed", move || bool_text(large.get()));
    let class = move || if large.get() { "made large" } else { "made" };
    tag("figure", (image, tag("div.row", (keep, enlarge)))).class(class)
}
