//! Builds image requests and parses their responses, for each form of an image API.

use crate::server::AttemptError;
use crate::server::dialect::Dialect;
use crate::server::rejected_features::{Feature, Shape};
use crate::{Api, Fault, Image, Usage};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gloss_durable::fields;
use serde_json::{Value, json};

/// The kind of image API, which determines the form of requests and responses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ImageApi {
    /// `OpenAI`'s image API. The value is the quality to request; with `None`, the server chooses
    /// it. The response contains the image's bytes or its address.
    OpenAi(Option<&'static str>),
    /// `OpenAI`'s image API, with a parameter that requests the image's bytes. Without this
    /// parameter, many servers return an address.
    Bytes,
    Gemini,
    /// Chat Completions, for example on `OpenRouter`. The values are the output modalities to
    /// request.
    Chat(&'static [&'static str]),
}

/// The output modalities to request. Most image models also return text, so both are requested
/// first. For a model that returns only images, `OpenRouter` then finds no endpoint, and the
/// request is repeated with [`DRAWS`].
const DRAWS_AND_SAYS: &[&str] = &["image", "text"];
const DRAWS: &[&str] = &["image"];

/// A server that makes images only through Chat Completions.
const DRAWS_IN_CHAT: &str = "https://openrouter.ai";

impl ImageApi {
    /// Returns the form of requests to a server. `OpenAI`'s own models always return bytes, and
    /// reject the parameter `response_format`. Without a requested quality, these models may choose
    /// one that costs four times as much.
    pub(super) fn of(api: Api, model: &str, origin: &str) -> Self {
        match api {
            Api::Gemini => Self::Gemini,
            Api::ChatCompletions if origin == DRAWS_IN_CHAT => Self::Chat(DRAWS_AND_SAYS),
            _ if model.contains("gpt-image") => Self::OpenAi(Some("medium")),
            _ => Self::Bytes,
        }
    }

    /// Returns the form to use after a server refused this one. `None` if there is no other form.
    pub(super) fn instead(self, refused: &AttemptError) -> Option<Self> {
        match (self, refused) {
            (Self::Bytes, AttemptError::Without(Feature::Schema, _)) => Some(Self::OpenAi(None)),
            // If a model does not support a modality, `OpenRouter` reports that no endpoint exists,
            // by a message or by a status.
            (
                Self::Chat(kinds),
                AttemptError::Without(..) | AttemptError::Over(Fault::WrongAddress { .. }, ..),
            ) if kinds == DRAWS_AND_SAYS => Some(Self::Chat(DRAWS)),
            _ => None,
        }
    }

    /// Returns the path of the endpoint, relative to the base URL.
    pub(super) fn path(self, dialect: &dyn Dialect, model: &str) -> String {
        match self {
            Self::OpenAi(_) | Self::Bytes => "/images/generations".to_owned(),
            Self::Gemini | Self::Chat(_) => dialect.endpoint(model, &Shape::whole()),
        }
    }

    pub(super) fn body(self, model: &str, description: &str) -> Value {
        let openai = |quality: Option<&str>, format: Option<&str>| {
            fields! { "model": model, "prompt": description, "n": 1, "quality": quality,
            "response_format": format }
        };
        match self {
            Self::OpenAi(quality) => openai(quality, None),
            Self::Bytes => openai(None, Some("b64_json")),
            Self::Gemini => json!({
                "contents": [{ "role": "user", "parts": [{ "text": description }] }],
                "generationConfig": { "responseModalities": ["TEXT", "IMAGE"] },
            }),
            Self::Chat(kinds) => json!({
                "model": model,
                "messages": [{ "role": "user", "content": description }],
                "modalities": kinds,
            }),
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum ImageLocation {
    /// The image is in the response, in base64.
    Here(String),
    There(String),
}

/// Finds the location of the image in a response. If the response has no image, returns an error
/// with the text of the response.
pub(super) fn drawn(made: &Value) -> Result<ImageLocation, Fault> {
    let text = |value: &Value, places: &str| {
        let mut texts = places
            .split(' ')
            .filter_map(|at| value.pointer(at)?.as_str());
        texts.find(|it| !it.trim().is_empty()).map(str::to_owned)
    };
    let parts = made.pointer("/candidates/0/content/parts");
    let parts = parts.and_then(Value::as_array).into_iter().flatten();
    let part = |place| parts.clone().find_map(|part| text(part, place));
    if let Some(base64) = text(made, "/data/0/b64_json").or_else(|| part("/inlineData/data")) {
        return Ok(ImageLocation::Here(base64));
    }
    // `OpenRouter` returns data URLs.
    let places = "/data/0/url /choices/0/message/images/0/image_url/url";
    if let Some(url) = text(made, places) {
        return Ok(ImageLocation::There(url));
    }
    // A server that declines to make an image still responds with status 200, and gives the reason
    // in the body.
    let places = "/promptFeedback/blockReason /candidates/0/finishMessage \
        /candidates/0/finishReason /choices/0/error/message /choices/0/message/refusal \
        /choices/0/message/content";
    let why = || text(made, places).filter(|it| it != "STOP");
    Err(match part("/text").or_else(why) {
        Some(said) => Fault::Rejected {
            status: None,
            said: Some(said),
        },
        None => nonsense("it contains no image"),
    })
}

pub(super) fn usage(made: &Value) -> Usage {
    let count = |place: &str| {
        let count = made.pointer(place).and_then(Value::as_u64);
        count.map_or(0, |it| u32::try_from(it).unwrap_or(u32::MAX))
    };
    // A response has only one of these forms. Fields of the other forms are missing, and count as
    // 0.
    let sum = |places: &str| places.split(' ').map(count).fold(0, u32::saturating_add);
    Usage {
        input_tokens: sum(
            "/usage/input_tokens /usage/prompt_tokens /usageMetadata/promptTokenCount",
        ),
        output_tokens: sum("/usage/output_tokens /usage/completion_tokens \
            /usageMetadata/candidatesTokenCount /usageMetadata/thoughtsTokenCount"),
        ..Usage::default()
    }
}

/// Returns the image if it is base64 and its first bytes are those of PNG, JPEG or WebP, or else
/// `None`. Files of these formats contain no scripts, unlike SVG.
pub(super) fn image(base64: String) -> Option<Image> {
    let head = STANDARD.decode(base64.get(..16)?).ok()?;
    let kind = match head.as_slice() {
        [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => "image/png",
        [0xff, 0xd8, 0xff, ..] => "image/jpeg",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P'] => "image/webp",
        _ => return None,
    };
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
    base64.bytes().all(is_base64).then(|| Image {
        media_type: kind.to_owned(),
        base64,
    })
}

pub(super) fn nonsense(said: &str) -> Fault {
    Fault::Nonsense {
        said: Some(said.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_of_an_answer_is_read() {
        let here = |base64: &str| Ok(ImageLocation::Here(base64.to_owned()));
        let there = Ok(ImageLocation::There("http://a.example/1.png".to_owned()));
        let rejected = |said: &str| {
            Err(Fault::Rejected {
                status: None,
                said: Some(said.to_owned()),
            })
        };
        let parts = |parts: Value| json!({ "candidates": [{ "content": { "parts": parts } }] });
        for (made, expected) in [
            (json!({ "data": [{ "b64_json": "iVBO" }] }), here("iVBO")),
            (
                json!({ "data": [{ "url": "http://a.example/1.png" }] }),
                there,
            ),
            (
                parts(json!([
                    { "text": "Here it is." },
                    { "inlineData": { "mimeType": "image/png", "data": "iVBO" } },
                ])),
                here("iVBO"),
            ),
            (
                json!({ "choices": [{ "message": { "content": "Here.", "images": [{
                    "type": "image_url", "image_url": { "url": "http://a.example/1.png" },
                }] } }] }),
                Ok(ImageLocation::There("http://a.example/1.png".to_owned())),
            ),
            (
                json!({ "choices": [{ "message": { "content": "I can't." } }] }),
                rejected("I can't."),
            ),
            (
                json!({ "choices": [{ "message": { "content": "" } }] }),
                Err(nonsense("it contains no image")),
            ),
            (json!({ "data": [] }), Err(nonsense("it contains no image"))),
            (
                parts(json!([{ "text": "I can't draw that." }])),
                rejected("I can't draw that."),
            ),
            (
                json!({ "promptFeedback": { "blockReason": "PROHIBITED_CONTENT" } }),
                rejected("PROHIBITED_CONTENT"),
            ),
            (
                json!({ "candidates": [{ "finishReason": "IMAGE_SAFETY" }] }),
                rejected("IMAGE_SAFETY"),
            ),
        ] {
            assert_eq!(drawn(&made), expected, "{made}");
        }
    }

    #[test]
    fn only_pictures_are_images() {
        let kind = |bytes: &[u8]| {
            let image = image(STANDARD.encode(bytes));
            image.map(|image| image.media_type)
        };
        assert_eq!(
            kind(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").as_deref(),
            Some("image/png")
        );
        assert_eq!(
            kind(b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01").as_deref(),
            Some("image/jpeg")
        );
        assert_eq!(
            kind(b"RIFF\x24\0\0\0WEBPVP8 ").as_deref(),
            Some("image/webp")
        );
        for no_picture in [
            &b"<svg xmlns='http://www.w3.org/2000/svg' onload='x()'/>"[..],
            b"<!doctype html><script>x()</script>",
            b"RIFF\x24\0\0\0WAVEfmt ",
            b"GIF89a\x01\0\x01\0\0\0\0",
            b"\x89PNG",
        ] {
            assert_eq!(kind(no_picture), None, "{no_picture:?}");
        }
        // The quotation mark would end an HTML attribute.
        assert_eq!(image("iVBORw0KGgoAAAAN\" onload=\"x".to_owned()), None);
    }

    #[test]
    fn tokens_are_counted_where_they_are_told() {
        let counted = |made: Value| (usage(&made).input_tokens, usage(&made).output_tokens);
        let openai = json!({ "usage": { "input_tokens": 50, "output_tokens": 4160 } });
        assert_eq!(counted(openai), (50, 4_160));
        let gemini = json!({ "usageMetadata": {
            "promptTokenCount": 9, "candidatesTokenCount": 1290, "thoughtsTokenCount": 100,
        } });
        assert_eq!(counted(gemini), (9, 1_390));
        let chat = json!({ "usage": { "prompt_tokens": 7, "completion_tokens": 1304 } });
        assert_eq!(counted(chat), (7, 1_304));
        assert_eq!(counted(json!({ "data": [] })), (0, 0));
    }
}
