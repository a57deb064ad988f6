//! [`Secret`], the type that keeps a key out of logs, journals and error texts.

use std::fmt;

/// A secret, such as an API key. `Debug` doesn't show the text of the secret. A secret can't be
/// displayed or serialised.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a key. White space before and after the key, which is often copied with it, is
    /// removed.
    pub fn new(key: &str) -> Self {
        Self(key.trim().to_owned())
    }

    /// Returns the key's text, to send it in a header.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}
