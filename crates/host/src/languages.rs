//! Language detection by the browser, so that Gloss needs no tables of its own.

use gloss_durable::Fut;

/// The browser's language, and language detection. A run calls both only in a step whose
/// outcome is recorded, because another version of the browser may answer differently.
pub trait Languages {
    /// Returns the language of the browser's interface as a BCP 47 tag.
    fn interface(&self) -> String;

    /// Returns the main language of a text as a BCP 47 tag. Returns `None` if the detection is
    /// unreliable, for example if the text has only a few words.
    fn detect(&self, text: &str) -> Fut<Option<String>>;
}
