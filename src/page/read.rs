//! From a page's HTML to its [`Document`].
//!
//! Driving example: the worker hands over what the capturing script sent. The page
//! is parsed once; encodings are the script's business, and so is leaving out what
//! a reader does not see.

use super::extract::{self, Content};
use super::{Document, links, tree};

/// Why a page could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// There is no text on the page.
    #[error("the page has no text")]
    Empty,
}

/// Reads the main content of a page whose serialised DOM is `html` and whose
/// address is `url`.
///
/// # Errors
/// [`ReadError::Empty`] when no text stands on the page.
pub fn read(html: &str, url: &str) -> Result<Document, ReadError> {
    let page = dom_query::Document::from(html);
    tree::flatten(&page.root());
    let base = links::base(url, page.base_uri().as_deref());
    let language = language(&page);
    let Content {
        title,
        site: _,
        paragraphs,
    } = extract::content(page, &base);
    if paragraphs.is_empty() {
        return Err(ReadError::Empty);
    }
    Ok(Document {
        title,
        language,
        paragraphs,
    })
}

fn language(page: &dom_query::Document) -> String {
    tree::attr(&page.html_root(), "lang")
}
