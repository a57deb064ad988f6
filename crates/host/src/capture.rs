//! Captures: the content of pages, as the injected script returns it.

use super::ClosedSite;
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
    /// The tab's slot. Open background tabs have different slots. The slot determines the ids of
    /// the tab's request rules.
    pub place: u8,
}

/// The content of a tab at one moment: the serialised document. The document lacks invisible parts,
/// and includes open shadow roots and frames of the same origin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capture {
    /// Chrome's id of the document. A tab gets a new document id when it navigates.
    pub document: String,
    /// The page's address.
    pub url: String,
    /// The tab's title.
    pub title: String,
    /// The value of `<html lang>`; empty if there is none.
    pub language: String,
    /// The document's HTML.
    pub html: String,
    /// The user's selection, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selection: Option<Selection>,
    /// The bytes of the PDF that the tab shows, as a `data:` URL. The text is empty if the bytes
    /// could not be read. `None` if the tab shows no PDF.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pdf: Option<String>,
}

impl Capture {
    /// Returns the bytes of the PDF; empty if they could not be read. `None` if the tab shows no
    /// PDF.
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

/// Selected text, with the text of the block that contains it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selection {
    /// The selected text.
    pub text: String,
    /// The text of the whole block that contains the selection, such as a paragraph.
    pub block: String,
}

/// The reason that a page could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum CaptureError {
    /// Chrome allows no extension on this page: `chrome://`, the Web Store, `about:blank`.
    #[error("Chrome doesn't allow extensions on this page")]
    Forbidden,
    /// Gloss has no permission for this tab, because the user has not opened Gloss on the tab.
    #[error("Gloss isn't allowed to read this tab")]
    NoAccess,
    /// The tab shows a file, and the user has not allowed Gloss access to files.
    #[error("Gloss isn't allowed to read files")]
    Files,
    /// The tab was closed.
    #[error("the tab is gone")]
    Gone,
    /// The user closed the site of the page.
    #[error(transparent)]
    Closed(#[from] ClosedSite),
    /// Any other error.
    #[error("the page could not be read: {message}")]
    Failed {
        /// The browser's message.
        message: String,
    },
}

impl CaptureError {
    /// Returns true if Chrome allows no extension at this address. Chrome's permissions cover only
    /// web pages and files.
    pub fn is_of(address: &str) -> bool {
        const OPEN: [&str; 4] = ["http", "https", "file", "ftp"];
        let scheme = address.split_once(':').map(|(scheme, _)| scheme);
        scheme.is_some_and(|scheme| OPEN.iter().all(|open| !scheme.eq_ignore_ascii_case(open)))
    }
}

/// The sites to which a page in a background tab may send requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SiteAccess {
    /// Any site. Gloss may read all sites, so its request rules apply to all requests of the page.
    Everywhere,
    /// Only the page's own site. Gloss may read no other site, so its request rules don't apply to
    /// requests to other sites.
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
