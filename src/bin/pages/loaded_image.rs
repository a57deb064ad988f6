//! The images of tool calls that this page holds.

use crate::prelude::*;
use crate::save::Address;
use gloss::model::Image;
use gloss::ui::turns::CallKey;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The images that were requested and whose turns are shown, by run, step and call.
pub(crate) type Pictures = BTreeMap<CallKey, ImageState>;

/// The state of a requested image.
#[derive(Clone)]
pub(crate) enum ImageState {
    /// The worker has not answered yet.
    Asked,
    /// The image is no longer stored.
    Gone,
    /// The image is in this page.
    Here(Rc<LoadedImage>),
}

/// An image in this page.
pub(crate) struct LoadedImage {
    pub(crate) address: Address,
    /// The extension of its file name.
    pub(crate) ending: String,
}

impl LoadedImage {
    /// Stores the answer about an image, if its turn is still shown.
    pub(crate) fn keep(known: Signal<Pictures>, of: CallKey, image: Option<Image>) {
        if !known.with_untracked(|known| known.contains_key(&of)) {
            return;
        }
        let here = image.and_then(|image| Self::of(&image));
        known.update(|known| {
            known.insert(of, here.map_or(ImageState::Gone, ImageState::Here));
        });
    }

    /// Decodes an image; `None` if it is not an image of an accepted type.
    fn of(image: &Image) -> Option<Rc<Self>> {
        // Whatever a record contains, this page shows no other types.
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

/// Two images are equal if they are the same object.
impl PartialEq for ImageState {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Asked, Self::Asked) | (Self::Gone, Self::Gone) => true,
            (Self::Here(one), Self::Here(other)) => Rc::ptr_eq(one, other),
            (Self::Asked | Self::Gone | Self::Here(_), _) => false,
        }
    }
}
