//! Images that were made for the person: their box while they are made, then the image, larger
//! at a press, and a way to keep it.
//!
//! Driving example: a panel opens on a conversation in which an image was made. Its turn says
//! so and what it shows; its bytes are asked for, and become an address of this page's own
//! (`blob:`), which is given back when the turn goes.

use crate::browser;
use crate::icon::icon;
use crate::live::live;
use crate::parts::{bool_text, button, meta, tag};
use crate::save::{Address, offer};
use crate::surface::Surface;
use crate::words::msg;
use gloss::agent::Status;
use gloss::app::surface::{CallState, Command, Turn};
use gloss::host::RunId;
use gloss::model::Image;
use std::collections::BTreeMap;
use std::rc::Rc;
use sycamore::prelude::*;

/// The images that were asked for and whose turns are shown, by run, step and call.
pub(crate) type Pictures = BTreeMap<(RunId, u8, String), Known>;

/// What is known of an image that was asked for.
#[derive(Clone)]
pub(crate) enum Known {
    /// No answer came yet.
    Asked,
    /// It is not kept any more.
    Gone,
    /// It is in this page.
    Here(Rc<Here>),
}

/// The tool that makes them.
pub(crate) const IMAGES: &str = "image_generate";

/// An image in this page.
pub(crate) struct Here {
    address: Address,
    /// What its file's name ends in.
    ending: String,
}

impl Here {
    /// Puts among the others what was answered about one, if its turn is still shown.
    pub(crate) fn keep(known: Signal<Pictures>, of: (RunId, u8, String), image: Option<Image>) {
        if !known.with_untracked(|known| known.contains_key(&of)) {
            return;
        }
        let here = image.and_then(|image| Self::of(&image));
        known.update(|known| {
            known.insert(of, here.map_or(Known::Gone, Known::Here));
        });
    }

    /// `None` if it is no image.
    fn of(image: &Image) -> Option<Rc<Self>> {
        // Whatever stands in a record, this page shows no other kind.
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

/// An image of a turn.
#[derive(Clone, PartialEq)]
struct Made {
    key: (RunId, u8, String),
    /// What it shows; `None` while it is made.
    shows: Option<String>,
}

/// The images of a turn, in the order in which they were asked for.
pub(crate) fn pictures(run: &RunId) -> View {
    let surface = Surface::here();
    let made = surface.of(run, made);
    let known = surface.pictures;
    create_effect(move || {
        for Made { key, shows } in made.get_clone().unwrap_or_default() {
            let is_open = known.with_untracked(|known| {
                let answer = known.get(&key);
                answer.is_none_or(|it| matches!(it, Known::Asked))
            });
            if shows.is_some() && is_open {
                known.update_silent(|known| {
                    known.insert(key.clone(), Known::Asked);
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
        let views = made.iter().map(|made| picture(made, known));
        views.collect::<Vec<_>>()
    })
}

fn made(turn: &Turn) -> Vec<Made> {
    // Not while the person is asked, nor once the run stands still.
    let works = turn.status == Status::Running && turn.wait.is_none();
    let calls = turn.steps.iter().flat_map(|step| {
        let number = step.number;
        step.calls.iter().map(move |call| (number, call))
    });
    let ours = calls.filter(|(_, call)| {
        let is_made = works && call.tool == IMAGES && call.state == CallState::Running;
        call.picture.is_some() || is_made
    });
    ours.map(|(step, call)| Made {
        key: (turn.run.clone(), step, call.id.clone()),
        shows: call.picture.clone(),
    })
    .collect()
}

fn picture(made: &Made, known: Signal<Pictures>) -> View {
    let Some(shows) = made.shows.clone() else {
        return boxed(msg("making_image"));
    };
    let key = made.key.clone();
    let here = create_selector(move || {
        known
            .with(|known| known.get(&key).cloned())
            .unwrap_or(Known::Asked)
    });
    live(move || match here.get_clone() {
        Known::Asked => boxed(msg("fetching_image")),
        Known::Gone => boxed(msg("image_gone")),
        Known::Here(here) => whole(&here, &shows),
    })
}

/// The same image is the same address.
impl PartialEq for Known {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Asked, Self::Asked) | (Self::Gone, Self::Gone) => true,
            (Self::Here(one), Self::Here(other)) => Rc::ptr_eq(one, other),
            (Self::Asked | Self::Gone | Self::Here(_), _) => false,
        }
    }
}

/// Words in the place of the image.
fn boxed(words: String) -> View {
    tag("div.made", tag("div.box", meta(words))).into()
}

fn whole(here: &Rc<Here>, shows: &str) -> View {
    let large = create_signal(false);
    let name = format!("{}.{}", browser::file_name(shows), here.ending);
    let image = tag("img", ()).attr("src", here.address.href().to_owned());
    let image = tag("div.box", image.attr("alt", shows.to_owned()));
    let here = here.clone();
    let keep = (icon("export"), msg("image_download"));
    let keep = button("quiet tiny", keep, move || offer(&name, &here.address));
    let enlarge = button("quiet tiny", msg("image_enlarge"), move || {
        large.set(!large.get_untracked())
    });
    let enlarge = enlarge.attr("aria-pressed", move || bool_text(large.get()));
    let class = move || if large.get() { "made large" } else { "made" };
    tag("figure", (image, tag("div.row", (keep, enlarge))))
        .class(class)
        .into()
}
