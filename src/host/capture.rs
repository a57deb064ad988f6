//! A page as the capturing script hands it over.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Chrome's id of a tab.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TabId(pub i32);

/// What a tab showed at one moment: the serialised document less what is
/// invisible, open shadow roots and same-origin frames inlined
/// (DESIGN, "How a page reaches the worker").
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capture {
    /// Chrome's id of the document: another one means that the tab navigated.
    pub document: String,
    /// The page's address.
    pub url: String,
    /// The tab's title.
    pub title: String,
    /// `<html lang>`, or empty.
    pub language: String,
    /// The document's HTML.
    pub html: String,
    /// What the user had selected, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selection: Option<Selection>,
}

/// Selected words with the block they stand in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selection {
    /// The selected words.
    pub text: String,
    /// The text of the block around them.
    pub block: String,
}

/// Why a page could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum CaptureError {
    /// A page no extension may read: `chrome://`, the Web Store.
    #[error("Chrome lets no extension into this page")]
    Forbidden,
    /// The user has not opened Gloss on this tab.
    #[error("Gloss has no right to this tab")]
    NoAccess,
    /// The tab was closed.
    #[error("the tab is gone")]
    Gone,
    /// Anything else, as the browser says it.
    #[error("the page could not be read: {message}")]
    Failed {
        /// The browser's words.
        message: String,
    },
}
