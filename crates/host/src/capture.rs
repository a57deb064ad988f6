//! A page as the capturing script hands it over.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Chrome's id of a tab.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TabId(pub i32);

/// A tab that was opened beside the person's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Beside {
    /// Which.
    pub tab: TabId,
    /// Its place among those that are open at once: what may be asked for in it is ruled there.
    pub place: u8,
}

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
    /// Where the tab shows a PDF, its bytes, as a `data:` address; none could be had where that
    /// is empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pdf: Option<String>,
}

impl Capture {
    /// The bytes of the PDF that the tab shows, if it shows one.
    pub fn pdf_bytes(&self) -> Option<Vec<u8>> {
        let address = self.pdf.as_ref()?;
        let coded = address
            .split_once(";base64,")
            .map_or("", |(_, coded)| coded);
        Some(STANDARD.decode(coded).unwrap_or_default())
    }

    /// The same with these bytes for those of the PDF.
    #[must_use]
    pub fn with_pdf(self, bytes: &[u8]) -> Self {
        let coded = STANDARD.encode(bytes);
        let pdf = Some(format!("data:application/pdf;base64,{coded}"));
        Self { pdf, ..self }
    }
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
    /// A page no extension may read, whatever is allowed: `chrome://`, the Web Store,
    /// `about:blank`.
    #[error("Chrome doesn't allow extensions on this page")]
    Forbidden,
    /// The user has not opened Gloss on this tab.
    #[error("Gloss isn't allowed to read this tab")]
    NoAccess,
    /// The tab shows a file, and the user has not let Gloss see files.
    #[error("Gloss isn't allowed to read files")]
    Files,
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

impl CaptureError {
    /// Whether no permission opens the page at this address: Chrome gives any only for the web
    /// and for files.
    pub fn is_of(address: &str) -> bool {
        const OPEN: [&str; 4] = ["http", "https", "file", "ftp"];
        let scheme = address.split_once(':').map(|(scheme, _)| scheme);
        scheme.is_some_and(|scheme| OPEN.iter().all(|open| !scheme.eq_ignore_ascii_case(open)))
    }
}

/// How far a page may reach that is shown in a tab of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Gloss may read all sites, and can see to whatever it asks for.
    Everywhere,
    /// Gloss may read its site alone: it is kept to that.
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
