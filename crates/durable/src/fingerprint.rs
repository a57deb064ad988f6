//! The fingerprint of a step's request, in sixteen hexadecimal digits.

use crate::json;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// A hash of a request. If the fingerprint of a replayed request differs from the recorded one, the
/// recorded outcome is not used. The run halts with [`super::Halt::Diverged`].
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// Returns the fingerprint of a text.
    pub fn of(text: &str) -> Self {
        Self::default().then(text)
    }

    /// Returns the fingerprint of any value that can be written as JSON.
    ///
    /// Fields of structs are hashed in the order of their declaration. The keys of maps must be
    /// sorted, so that equal values have equal fingerprints.
    pub fn of_value(value: &impl Serialize) -> Self {
        Self::default().then_value(value)
    }

    /// Returns the fingerprint of this fingerprint followed by `text`. A transcript grows by one
    /// message in each step. Hashing only the new message takes as long at step 500 as at step 1.
    #[must_use]
    pub fn then(&self, text: &str) -> Self {
        let mut hasher = Sha256::new();
        hasher.update(self.0.as_bytes());
        hasher.update([0]);
        hasher.update(text.as_bytes());
        Self(hex(hasher.finalize().as_slice(), 8))
    }

    /// Returns the fingerprint of this fingerprint followed by a value. A value that can't be
    /// written as JSON counts as an empty text.
    #[must_use]
    pub fn then_value(&self, value: &impl Serialize) -> Self {
        self.then(&json::text(value).unwrap_or_default())
    }
}

/// The length of a [`content_hash`], in hexadecimal digits.
const HASH_DIGITS: usize = 64;

/// Returns the SHA-256 of a body in hexadecimal digits. The database stores the body under this
/// hash.
pub fn content_hash(body: &str) -> String {
    hex(Sha256::digest(body.as_bytes()).as_slice(), HASH_DIGITS / 2)
}

fn hex(bytes: &[u8], most: usize) -> String {
    bytes.iter().take(most).fold(String::new(), |mut out, b| {
        // Writing to a String cannot fail.
        let _ = write!(out, "{b:02x}");
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chaining_depends_on_order_and_on_boundaries() {
        let ab = Fingerprint::of("a").then("b");
        assert_ne!(ab, Fingerprint::of("b").then("a"));
        assert_ne!(ab, Fingerprint::of("ab"));
        assert_eq!(ab, Fingerprint::of("a").then("b"));
    }

    #[test]
    fn a_content_hash_is_the_published_sha_256() {
        assert_eq!(
            content_hash("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
