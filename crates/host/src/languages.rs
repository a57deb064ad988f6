//! Language detection by the browser, so that Gloss needs no tables for it.

use gloss_durable::Fut;

/// The browser's language and language detection. Read only within a recorded step, because
/// detection changes with the browser.
pub trait Languages {
    /// The language of the browser's interface as a BCP 47 tag.
    fn interface(&self) -> String;

    /// Returns the main language of a text as a BCP 47 tag; `None` if the browser doesn't trust its
    /// guess, as for a few words.
    fn detect(&self, text: &str) -> Fut<Option<String>>;
}
