//! Screenshots of tabs, and the text in them.
//!
//! Example: a chart is drawn on a canvas, so the page's HTML doesn't contain the chart's
//! text. Gloss takes a screenshot of the tab. The text in the screenshot is recognised on this
//! device ([`ScreenshotTarget::Read`]), or a part of the screenshot is cut out for a vision model.
//! A screenshot is never recorded: the effect that takes a screenshot also processes and discards
//! it.

use super::ClosedSite;
use gloss_durable::Fut;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A screenshot of a tab at one moment.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shot {
    /// A `data:` URL of a PNG.
    pub data_url: String,
    /// The tab's width in CSS pixels, if Chrome reports it.
    pub width: Option<u32>,
}

/// The reason that no screenshot could be taken.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ShotError {
    /// The tab is not the active one in its window.
    #[error("the tab is not in front")]
    Hidden,
    /// The tab shows another document than the one that the caller named.
    #[error("the tab now shows another page")]
    Moved,
    /// Gloss has no permission. Chrome requires that the user clicks the toolbar icon, or allows
    /// Gloss on all sites.
    #[error("Gloss isn't allowed to take a picture of this tab")]
    NoAccess,
    /// The tab was closed.
    #[error("the tab is gone")]
    Gone,
    /// The user closed the site of the page.
    #[error(transparent)]
    Closed(#[from] ClosedSite),
    /// Any other error.
    #[error("no picture of the tab could be taken: {message}")]
    Failed {
        /// The browser's message.
        message: String,
    },
}

/// A part of a screenshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Region {
    /// The whole screenshot.
    Whole,
    /// The upper half.
    Top,
    /// The lower half.
    Bottom,
    /// The left half.
    Left,
    /// The right half.
    Right,
    /// The centre, half as wide and half as high.
    Centre,
}

/// The writing system of the text in a screenshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Script {
    /// Latin letters, for English and other languages.
    Latin,
    /// Chinese in simplified characters.
    Chinese,
}

/// The text in a screenshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecognizedText {
    /// The recognised text, line by line.
    pub text: String,
    /// The engine's confidence in the text, in percent.
    pub confidence_percent: u8,
}

/// A request to process a screenshot.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScreenshotRequest {
    /// The screenshot to process.
    pub shot: Shot,
    /// The part of the screenshot to process.
    pub region: Region,
    /// The kind of processing.
    pub aim: ScreenshotTarget,
}

/// The kind of processing of a screenshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScreenshotTarget {
    /// Cut out the part as a JPEG. The number is the maximum length of the longer side, in pixels.
    Cut(u32),
    /// Recognise the text, which is written in this writing system.
    Read(Script),
}

/// The result of processing a screenshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScreenshotResult {
    /// A JPEG in base64.
    Cut(String),
    /// The recognised text.
    Read(RecognizedText),
}

/// The reason that a screenshot could not be processed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum ScreenshotError {
    /// The page that processes screenshots was closed.
    #[error("reading the picture was interrupted")]
    Cut,
    /// The processing failed.
    #[error("the picture could not be read: {message}")]
    Failed {
        /// The browser's message.
        message: String,
    },
}

/// Processes screenshots on this device.
pub trait Screenshots {
    /// Processes a screenshot. If text must be recognised, the engine is loaded for this screenshot
    /// and unloaded afterwards. Dropping the future cancels the processing.
    fn look(&self, look: ScreenshotRequest) -> Fut<Result<ScreenshotResult, ScreenshotError>>;
}
