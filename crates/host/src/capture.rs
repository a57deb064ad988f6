//! Captures: pages as the capturing script returns them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Chrome's id of a tab.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TabId(pub i32);

/// A tab that Gloss opened in the background.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackgroundTab {
    /// The tab's id.
    pub tab: TabId,
    /// The tab's slot among the background tabs that are open at once; its request rules depend on
    /// it.
    pub place: u8,
}

/// The content of a tab at one moment: the serialised document without invisible parts, with open
/// shadow roots and same-origin frames inlined (DESIGN, "How a page reaches the worker").
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capture {
    /// Chrome's id of the document; a different id means that the tab navigated.
    pub document: String,
    /// The page's address.
    pub url: String,
    /// The tab's title.
    pub title: String,
    /// `<html lang>`, or empty.
    pub language: String,
    /// The document's HTML.
    pub html: String,
    /// The user's selection, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selection: Option<Selection>,
    /// The bytes of the PDF that the tab shows, as a `data:` URL; an empty text if they could not
    /// be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pdf: Option<String>,
}

impl Capture {
    /// Returns the bytes of the PDF that the tab shows, if it shows one.
    pub fn pdf_bytes(&self) -> Option<Vec<u8>> {
        let address = self.pdf.as_ref()?;
        let coded = address
            .split_once(";base64,")
            .map_or("", |(_, coded)| coded);
        Some(STANDARD.decode(coded).unwrap_or_default())
    }

    /// Returns the capture with these bytes as its PDF.
    #[must_use]
    pub fn with_pdf(self, bytes: &[u8]) -> Self {
        let coded = STANDARD.encode(bytes);
        let pdf = Some(format!("data:application/pdf;base64,{coded}"));
        Self { pdf, ..self }
    }
}

/// Selected text with the block that contains it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selection {
    /// The selected text.
    pub text: String,
    /// The text of the surrounding block.
    pub block: String,
}

/// The reason for which a page could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum CaptureError {
    /// A page that Chrome closes to every extension: `chrome://`, the Web Store, `about:blank`.
    #[error("Chrome doesn't allow extensions on this page")]
    Forbidden,
    /// The user has not opened Gloss on this tab, so the extension may not read it.
    #[error("Gloss isn't allowed to read this tab")]
    NoAccess,
    /// The tab shows a file, and the user has not given Gloss access to files.
    #[error("Gloss isn't allowed to read files")]
    Files,
    /// The tab was closed.
    #[error("the tab is gone")]
    Gone,
    /// Any other error.
    #[error("the page could not be read: {message}")]
    Failed {
        /// The browser's message.
        message: String,
    },
}

impl CaptureError {
    /// Returns true if no permission opens the page at this address: Chrome gives permissions only
    /// for the web and for files.
    pub fn is_of(address: &str) -> bool {
        const OPEN: [&str; 4] = ["http", "https", "file", "ftp"];
        let scheme = address.split_once(':').map(|(scheme, _)| scheme);
        scheme.is_some_and(|scheme| OPEN.iter().all(|open| !scheme.eq_ignore_ascii_case(open)))
    }
}

/// The sites that a page in a background tab may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SiteAccess {
    /// Any site. Gloss may read all sites, so that its request rules apply to all of them.
    Everywhere,
    /// The page's own site. Gloss may read only this site, so the page is confined to it.
    ItsSite,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_the_web_and_files_may_be_opened_by_a_permission() {
        for address in [
            "https://a.example/",
            "HTTP://a.example",
            "file:///a.html",
            "",
        ] {
            assert!(!CaptureError::is_of(address), "{address}");
        }
        for address in [
            "about:blank",
            "data:text/html,<p>Tides",
            "chrome://settings",
            "view-source:https://a.example/",
            "chrome-extension://abc/options.html",
        ] {
            assert!(CaptureError::is_of(address), "{address}");
        }
    }
}
