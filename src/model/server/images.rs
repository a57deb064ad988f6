//! Images made by a server: in `OpenAI`'s form, which others speak too, and in Gemini's.
//!
//! Driving example: `POST {base}/images/generations` with a model and a prompt gives bytes in
//! base64, or an address, which is fetched at once: such addresses end within the hour. Each
//! form is a pure pair, a body and what is read of its response. What is no PNG, JPEG or WebP
//! by its first bytes is no image: nothing that could run is kept or shown.
//!
//! Deliberately absent: editing, sizes, several at once, and servers of other forms.

use super::request::{Feature, Shape, put};
use super::{Failed, Hosted, Line, address, fault_of, refusal};
use crate::host::{self, Fut, HttpError, HttpRequest, HttpResponse, Method, Secret, is_private};
use crate::model::{A_PICTURE, Api, Awaited, Fault, Image, ModelError, Painted, Painter, Usage};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures::{FutureExt, StreamExt};
use serde_json::{Value, json};

/// Some models take minutes for one.
const MADE_WITHIN_MS: u64 = 180_000;
/// What was made is fetched from an address within this.
const FETCHED_WITHIN_MS: u64 = 60_000;
/// An image takes no longer than this in all.
pub(crate) const MOST_MS: u64 = MADE_WITHIN_MS + FETCHED_WITHIN_MS;
/// The largest answer: an image of 12 MB in base64. It is kept in the run's archive.
const MOST_BYTES: usize = 16 << 20;
/// So much of an answer that is none is quoted.
const SAID_BYTES: usize = 200;

/// Whether servers of this kind make images in a form that is known here.
pub(in crate::model) fn is_known(api: Api) -> bool {
    match api {
        Api::ChatCompletions | Api::Responses | Api::Gemini => true,
        Api::Messages | Api::Ollama => false,
    }
}

impl Painter for Hosted {
    fn paint(&self, description: String) -> Fut<Result<Painted, ModelError>> {
        let hosted = self.clone();
        async move {
            let (fault, used, origin, key) = match hosted.line().await {
                Ok(line) => match line.paint(&description).await {
                    Ok(painted) => return Ok(painted),
                    Err((fault, used)) => (fault, used, line.address.origin, line.key),
                },
                Err(fault) => (fault, Usage::default(), hosted.server().origin, None),
            };
            let server = address::server(&hosted.profile, &origin);
            Err(ModelError::Server {
                fault: refusal::quote(fault, &server, key.as_ref().map(Secret::expose)),
                server: Box::new(server),
                partial: String::new(),
                used,
            })
        }
        .boxed_local()
    }
}

impl Line<'_> {
    /// The image; else why there is none, and what was used all the same.
    async fn paint(&self, description: &str) -> Result<Painted, (Fault, Usage)> {
        let made = self.made(description).await.map_err(|fault| {
            // It was asked, and may have made it: the estimate stands.
            let used = Some(A_PICTURE).filter(|_| fault.leaves_open());
            (fault, used.unwrap_or_default())
        })?;
        let usage = usage(&made);
        let drawn = drawn(&made).map_err(|fault| (fault, usage))?;
        // From here on one was made, whether it gets here or not.
        let used = if usage.is_none() { A_PICTURE } else { usage };
        let base64 = match drawn {
            Drawn::Here(base64) => Ok(base64),
            Drawn::There(url) => self.image_at(&url).await,
        };
        let image = base64.and_then(|base64| {
            image(base64).ok_or_else(|| nonsense("neither PNG nor JPEG nor WebP"))
        });
        image
            .map(|image| Painted { image, usage })
            .map_err(|fault| (fault, used))
    }

    /// What the server answers. One that refuses to be asked for bytes is asked without.
    async fn made(&self, description: &str) -> Result<Value, Fault> {
        let profile = &self.model.profile;
        let mut form = Form::of(profile.api, &profile.model);
        loop {
            let (path, body) = match form {
                Form::Gemini => (
                    self.dialect.endpoint(&profile.model, &Shape::whole()),
                    gemini_body(description),
                ),
                Form::OpenAi(_) | Form::Bytes => (
                    "/images/generations".to_owned(),
                    openai_body(&profile.model, description, form),
                ),
            };
            let url = self.address.at(&path);
            let request = self.http_request(&url, body.to_string());
            let answer = self.fetched(self.model.http.send(request), &url);
            let answer = self.within(MADE_WITHIN_MS, Awaited::FirstWord, answer);
            let answer = match answer.await? {
                Ok(answer) => answer,
                Err(Failed::Without(Feature::Schema, _)) if form == Form::Bytes => {
                    form = Form::OpenAi(None);
                    continue;
                }
                Err(Failed::Without(_, fault) | Failed::Over(fault, ..)) => return Err(fault),
            };
            return serde_json::from_slice(&answer).map_err(|_| {
                let begins = answer.get(..SAID_BYTES).unwrap_or(&answer);
                nonsense(&String::from_utf8_lossy(begins))
            });
        }
    }

    /// The image at an address that the server gave. No key goes there, and no address of a
    /// private network is asked but the server's own.
    async fn image_at(&self, url: &str) -> Result<String, Fault> {
        if let Some((_, base64)) = url.split_once(";base64,") {
            return Ok(base64.to_owned());
        }
        let unread = || nonsense("it gave the image at an address that can't be read");
        let web = &self.model.web;
        let there = web.address(url).filter(|it| !it.has_credentials);
        let there = there.ok_or_else(unread)?;
        let own = web.address(&self.address.origin);
        let sent: Fut<_> = if own.is_some_and(|own| own.origin == there.origin) {
            self.model.http.send(HttpRequest {
                method: Method::Get,
                url: there.href.clone(),
                headers: Vec::new(),
                body: None,
            })
        } else if is_public(&there) {
            // As any page: what stands guard over private networks stands over this.
            let (web, asked) = (web.clone(), web.get(&there.href, "image/*"));
            async move {
                let given = asked.await?;
                match web.address(&given.url).filter(is_public) {
                    Some(_) => Ok(given.response),
                    None => Err(HttpError::Redirected),
                }
            }
            .boxed_local()
        } else {
            return Err(unread());
        };
        let bytes = self.fetched(sent, &there.href);
        let bytes = self.within(FETCHED_WITHIN_MS, Awaited::FirstWord, bytes);
        // What was made is not in question: only that it did not come.
        match bytes.await {
            Ok(Ok(bytes)) => Ok(STANDARD.encode(bytes)),
            Ok(Err(_)) | Err(_) => Err(unread()),
        }
    }

    async fn fetched(
        &self,
        sent: Fut<Result<HttpResponse, HttpError>>,
        url: &str,
    ) -> Result<Vec<u8>, Failed> {
        let mut response = sent.await.map_err(|error| fault_of(error, &self.address))?;
        if !(200..300).contains(&response.status) {
            return Err(self.refused(response, url).await);
        }
        let mut body = Vec::new();
        while let Some(piece) = response.body.next().await {
            body.extend(piece.map_err(|error| fault_of(error, &self.address))?);
            if body.len() > MOST_BYTES {
                return Err(nonsense("an image of more than 12 MB").into());
            }
        }
        Ok(body)
    }
}

/// Whether anybody may be sent there: a public site, over a line that nobody listens on.
fn is_public(address: &host::Address) -> bool {
    address.scheme == "https" && !address.has_credentials && !is_private(&address.host)
}

/// How an image is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `OpenAI`'s, at this quality, with whatever it gives.
    OpenAi(Option<&'static str>),
    /// The same, where bytes have to be asked for: else many give an address.
    Bytes,
    /// Gemini's.
    Gemini,
}

impl Form {
    /// `OpenAI`'s own models give bytes alone and refuse to be asked; left to themselves they
    /// may choose a quality that costs four times as much.
    fn of(api: Api, model: &str) -> Self {
        match api {
            Api::Gemini => Self::Gemini,
            _ if model.contains("gpt-image") => Self::OpenAi(Some("medium")),
            _ => Self::Bytes,
        }
    }
}

fn openai_body(model: &str, description: &str, form: Form) -> Value {
    let mut body = json!({ "model": model, "prompt": description, "n": 1 });
    match form {
        Form::OpenAi(Some(quality)) => put(&mut body, "quality", quality.into()),
        Form::Bytes => put(&mut body, "response_format", "b64_json".into()),
        Form::OpenAi(None) | Form::Gemini => {}
    }
    body
}

fn gemini_body(description: &str) -> Value {
    json!({
        "contents": [{ "role": "user", "parts": [{ "text": description }] }],
        "generationConfig": { "responseModalities": ["TEXT", "IMAGE"] },
    })
}

/// Where an image is.
#[derive(Debug, PartialEq, Eq)]
enum Drawn {
    /// In the answer, in base64.
    Here(String),
    /// At this address.
    There(String),
}

/// The image in an answer; else what the answer says instead.
fn drawn(made: &Value) -> Result<Drawn, Fault> {
    let text = |value: &Value, place: &str| value.pointer(place)?.as_str().map(str::to_owned);
    let parts = made.pointer("/candidates/0/content/parts");
    let parts = parts.and_then(Value::as_array).into_iter().flatten();
    let here = text(made, "/data/0/b64_json")
        .or_else(|| {
            parts
                .clone()
                .find_map(|part| text(part, "/inlineData/data"))
        })
        .map(Drawn::Here);
    let there = || text(made, "/data/0/url").map(Drawn::There);
    here.or_else(there).ok_or_else(|| {
        // Gemini declines with a status of success.
        let said = parts.clone().find_map(|part| text(part, "/text"));
        let said = said
            .or_else(|| text(made, "/promptFeedback/blockReason"))
            .or_else(|| text(made, "/candidates/0/finishMessage"))
            .or_else(|| text(made, "/candidates/0/finishReason").filter(|it| it != "STOP"));
        match said {
            Some(said) => Fault::Rejected {
                status: None,
                said: Some(said),
            },
            None => nonsense("no image stands in it"),
        }
    })
}

fn usage(made: &Value) -> Usage {
    let count = |place: &str| {
        let count = made.pointer(place).and_then(Value::as_u64);
        count.map_or(0, |it| u32::try_from(it).unwrap_or(u32::MAX))
    };
    // An answer is of one form: the other's counts are nothing.
    let sum = |places: &[&str]| {
        places
            .iter()
            .fold(0, |sum: u32, at| sum.saturating_add(count(at)))
    };
    Usage {
        input_tokens: sum(&["/usage/input_tokens", "/usageMetadata/promptTokenCount"]),
        output_tokens: sum(&[
            "/usage/output_tokens",
            "/usageMetadata/candidatesTokenCount",
            "/usageMetadata/thoughtsTokenCount",
        ]),
        ..Usage::default()
    }
}

/// An image of a kind that browsers show and that runs nothing, by its first bytes.
fn image(base64: String) -> Option<Image> {
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

fn nonsense(said: &str) -> Fault {
    Fault::Nonsense {
        said: Some(said.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_of_an_answer_is_read() {
        let here = |base64: &str| Ok(Drawn::Here(base64.to_owned()));
        let there = Ok(Drawn::There("http://a.example/1.png".to_owned()));
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
                json!({ "data": [] }),
                Err(nonsense("no image stands in it")),
            ),
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
        // What would end an attribute.
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
        assert_eq!(counted(json!({ "data": [] })), (0, 0));
    }
}
