//! Language detection, which the browser has and we ship no tables for.

use gloss_durable::Fut;

/// The languages of the browser and of texts. Read only within a journalled step: what is
/// detected changes with the browser.
pub trait Languages {
    /// The language of the browser's own interface, a BCP 47 tag.
    fn interface(&self) -> String;

    /// The language of most of a text, a BCP 47 tag; `None` where the browser does not trust its
    /// guess, as for a few words.
    fn detect(&self, text: &str) -> Fut<Option<String>>;
}
