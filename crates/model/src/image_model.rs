//! Models that make images.

use super::{Image, ModelError, Usage};
use gloss_durable::Fut;

/// The expected usage for one image, until the provider reports the real usage. The estimate
/// assumes a short description, and a square of about 1 000 pixels a side at medium quality. Such
/// an image costs 1 056 output tokens of `gpt-image-1`, 1 290 of `gemini-2.5-flash-image` and 1 760
/// of `gpt-image-2`.
pub const A_PICTURE: Usage = Usage {
    input_tokens: 100,
    output_tokens: 1_500,
    cached_tokens: 0,
    cache_written_tokens: 0,
    reasoning_tokens: 0,
};

/// A model that makes images.
pub trait ImageModel {
    /// Makes an image from a description. If the future is dropped, the image is lost. The provider
    /// may still charge for the lost image.
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
