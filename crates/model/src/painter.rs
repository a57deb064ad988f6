//! Models that make images.

use super::{Image, ModelError, Usage};
use gloss_durable::Fut;

/// What one image is expected to use, before its provider says: a few lines of words, and
/// what a square of some 1 000 pixels is counted as at a middling quality (1 056 tokens of
/// `gpt-image-1`, 1 290 of `gemini-2.5-flash-image`, 1 760 of `gpt-image-2`).
pub const A_PICTURE: Usage = Usage {
    input_tokens: 100,
    output_tokens: 1_500,
    cached_tokens: 0,
    cache_written_tokens: 0,
    reasoning_tokens: 0,
};

/// A model that makes images.
pub trait Painter {
    /// Makes the image that is described. Dropping the future abandons it, and what it costs
    /// may be charged all the same.
    fn paint(&self, description: String) -> Fut<Result<Painted, ModelError>>;
}

/// An image that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Painted {
    /// It.
    pub image: Image,
    /// What its provider counted; nothing where it does not count.
    pub usage: Usage,
}
