//! Pictures of what tabs show, and the words in them.
//!
//! Driving example: a chart is a canvas, so that the page's HTML has none of its words; a
//! [`Shot`] of the tab is read on this device ([`Sight::read`]), or a part of it is cut out
//! for a model that looks at images. A picture is never recorded: who takes one reads it in
//! the same effect and lets it go.

use gloss_durable::Fut;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A picture of what a tab showed at one moment.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shot {
    /// A `data:` URL of a PNG.
    pub data_url: String,
    /// How wide the tab is, in CSS pixels, where Chrome says so.
    pub width: Option<u32>,
}

/// Why no picture could be taken.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ShotError {
    /// The tab is not the one that its window shows.
    #[error("the tab is not in front")]
    Hidden,
    /// It shows another document than the one that was asked for.
    #[error("the tab now shows another page")]
    Moved,
    /// Chrome wants a click on the icon in the toolbar, or the right to all sites.
    #[error("Gloss isn't allowed to take a picture of this tab")]
    NoAccess,
    /// The tab was closed.
    #[error("the tab is gone")]
    Gone,
    /// Anything else, as the browser says it.
    #[error("no picture of the tab could be taken: {message}")]
    Failed {
        /// The browser's words.
        message: String,
    },
}

/// A part of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Region {
    /// All of it.
    Whole,
    /// Its upper half.
    Top,
    /// Its lower half.
    Bottom,
    /// Its left half.
    Left,
    /// Its right half.
    Right,
    /// The half of each side around its centre.
    Centre,
}

/// What words are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Script {
    /// English, and what shares its letters.
    Latin,
    /// Simplified Chinese.
    Chinese,
}

/// The words in a picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// As they were read, a line for each line.
    pub text: String,
    /// How sure the reading is, in percent.
    pub confidence_percent: u8,
}

/// What is done with a picture.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    /// The picture.
    pub shot: Shot,
    /// The part of it that matters.
    pub region: Region,
    /// What for.
    pub aim: Aim,
}

/// What a picture is looked at for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aim {
    /// The part as a JPEG in base64, whose longer side has no more pixels than this.
    Cut(u32),
    /// Its words.
    Read(Script),
}

/// What comes of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Looked {
    /// A JPEG in base64.
    Cut(String),
    /// The words.
    Read(Seen),
}

/// Why nothing did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum SightError {
    /// The page in which it is done is gone.
    #[error("reading the picture was interrupted")]
    Cut,
    /// It failed.
    #[error("the picture could not be read: {message}")]
    Failed {
        /// The browser's words.
        message: String,
    },
}

/// Looks at pictures, on this device.
pub trait Sight {
    /// Does what the look aims at. What loads for it ends with it; dropping the future ends
    /// it at once.
    fn look(&self, look: Look) -> Fut<Result<Looked, SightError>>;
}
