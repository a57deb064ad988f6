//! Models that make images.

use super::{Image, ModelError, Usage};
use gloss_durable::Fut;

/// The expected usage for one image, until its provider reports the real one. It assumes a short
/// description, and a square of about 1 000 pixels at medium quality (1 056 tokens of
/// `gpt-image-1`, 1 290 of `gemini-2.5-flash-image`, 1 760 of `gpt-image-2`).
pub const A_PICTURE: Usage = Usage {
    input_tokens: 100,
    output_tokens: 1_500,
    cached_tokens: 0,
    cache_written_tokens: 0,
    reasoning_tokens: 0,
};

/// A model that makes images.
pub trait ImageModel {
    /// Makes an image from a description. If the future is dropped, the image is lost, but the
    /// provider may still charge for it.
    fn paint(&self, description: String) -> Fut<Result<GeneratedImage, ModelError>>;
}

/// An image that a model made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedImage {
    /// The image's bytes and media type.
    pub image: Image,
    /// The tokens that the provider reports; zero if it reports none.
    pub usage: Usage,
}
