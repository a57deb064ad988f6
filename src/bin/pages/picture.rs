//! Images that a run made. A placeholder is shown while an image is being made. A click on the
//! image enlarges it, and a button saves it.
//!
//! Driving example: a panel opens a conversation in which an image was made. The turn contains a
//! description of the image, but not its bytes. The panel requests the bytes from the worker, and
//! makes a `blob:` URL of them. The URL is revoked when the turn is removed from the page.

use crate::icon::icon;
use crate::live::live;
use crate::parts::{bool_text, button, meta, tag};
use crate::save::{Address, offer};
use crate::surface::Surface;
use crate::words::msg;
use gloss::app::surface::Command;
use gloss::durable::RunId;
use gloss::model::Image;
use gloss::ui::figures::file_name;
use gloss::ui::turns::{CallKey, images_of};
use std::collections::BTreeMap;
use std::rc::Rc;
use sycamore::prelude::*;

/// The requested images of the shown turns, by run, step and call.
pub(crate) type Pictures = BTreeMap<CallKey, ImageState>;

/// The state of a requested image.
#[derive(Clone)]
pub(crate) enum ImageState {
    /// The worker has not answered yet.
    Asked,
    /// The image is no longer stored.
    Gone,
    /// The image's bytes are in this page.
    Here(Rc<LoadedImage>),
}

/// An image whose bytes are in this page.
pub(crate) struct LoadedImage {
    address: Address,
    /// The file name extension, as in `png`.
    ending: String,
}

impl LoadedImage {
    /// Stores the worker's answer about an image, if the image's turn is still shown.
    pub(crate) fn keep(known: Signal<Pictures>, of: CallKey, image: Option<Image>) {
        if !known.with_untracked(|known| known.contains_key(&of)) {
            return;
        }
        let here = image.and_then(|image| Self::of(&image));
        known.update(|known| {
            known.insert(of, here.map_or(ImageState::Gone, ImageState::Here));
        });
    }

    /// Loads an image; `None` if its media type is not allowed or its bytes are invalid.
    fn of(image: &Image) -> Option<Rc<Self>> {
        // The list is complete: no other media type is shown, whatever a record contains.
        let ending = match image.media_type.as_str() {
            "image/png" => "png",
            "image/jpeg" => "jpg",
            "image/webp" => "webp",
            _ => return None,
        };
        Some(Rc::new(Self {
            address: Address::of_base64(&image.base64, &image.media_type)?,
            ending: ending.to_owned(),
        }))
    }
}

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
        return boxed(msg("making_image"));
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

/// Two loaded images are equal if they have the same URL.
impl PartialEq for ImageState {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Asked, Self::Asked) | (Self::Gone, Self::Gone) => true,
            (Self::Here(one), Self::Here(other)) => Rc::ptr_eq(one, other),
            (Self::Asked | Self::Gone | Self::Here(_), _) => false,
        }
    }
}

/// A text that is shown in place of an image.
fn boxed(words: String) -> View {
    tag("div.made", tag("div.box", meta(words))).into()
}

fn whole(here: &Rc<LoadedImage>, shows: &str) -> View {
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
    tag("figure", (image, tag("div.row", (keep, enlarge))))
        .class(class)
        .into()
}
