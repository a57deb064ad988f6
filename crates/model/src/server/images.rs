//! Makes images on a server. `OpenAI` and compatible servers have an image API. Gemini has its own
//! API. `OpenRouter` makes images through Chat Completions.
//!
//! Example: `POST {base}/images/generations` with a model and a prompt. The response
//! contains the image in base64, or the address of the image. Gloss fetches the image from the
//! address at once, because the address expires within an hour. For each form of the API, `forms`
//! builds the request and parses the response, without I/O. Data whose first bytes are not PNG,
//! JPEG or WebP is rejected, so that nothing executable is stored or shown.
//!
//! Editing images, image sizes, several images at once and other image APIs are not supported.

mod forms;

use super::{Connection, ServerModel};
use crate::{A_PICTURE, Api, Awaited, Fault, GeneratedImage, ImageModel, ModelError, Usage};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use forms::{ImageApi, ImageLocation, drawn, image, nonsense, usage};
use futures::FutureExt;
use gloss_durable::Fut;
use gloss_host::{self as host, HttpError, HttpRequest, Method, is_private};
use serde_json::Value;

/// The timeout for making an image, in ms. Some models need minutes.
const MADE_WITHIN_MS: u64 = 180_000;
/// The timeout for fetching an image from its address, in ms.
const FETCHED_WITHIN_MS: u64 = 60_000;
/// The maximum time for one image, in ms: the time for making it and the time for fetching it.
pub const MOST_MS: u64 = MADE_WITHIN_MS + FETCHED_WITHIN_MS;
/// The maximum length of a response in bytes. An image of 12 MB in base64 fits into it.
const MOST_BYTES: usize = 16 << 20;
/// The maximum number of characters of an invalid response that an error message contains.
const SAID_CHARS: usize = 200;

/// Returns true if servers with this API may make images in a form that Gloss supports.
pub(crate) fn is_known(api: Api) -> bool {
    match api {
        Api::ChatCompletions | Api::Responses | Api::Gemini => true,
        Api::Messages | Api::Ollama => false,
    }
}

impl ImageModel for ServerModel {
    fn paint(&self, description: String) -> Fut<Result<GeneratedImage, ModelError>> {
        let hosted = self.clone();
        async move {
            let line = match hosted.line().await {
                Ok(line) => line,
                Err(fault) => return Err(hosted.failed(fault, None)),
            };
            let painted = line.paint(&description).await;
            painted.map_err(|(fault, used)| {
                hosted.broke_off(fault, line.key.as_ref(), String::new(), used)
            })
        }
        .boxed_local()
    }
}

impl Connection<'_> {
    /// Makes an image. An error includes the usage to charge.
    async fn paint(&self, description: &str) -> Result<GeneratedImage, (Fault, Usage)> {
        let made = self.make_image(description).await.map_err(|fault| {
            // The server received the request and may have made the image, so an estimate is
            // charged.
            let used = Some(A_PICTURE).filter(|_| fault.leaves_open());
            (fault, used.unwrap_or_default())
        })?;
        let usage = usage(&made);
        let drawn = drawn(&made).map_err(|fault| (fault, usage))?;
        // The server made the image, so its usage is charged, even if the image can't be fetched.
        let used = if usage.is_none() { A_PICTURE } else { usage };
        let base64 = match drawn {
            ImageLocation::Here(base64) => Ok(base64),
            ImageLocation::There(url) => self.image_at(&url).await,
        };
        let image = base64.and_then(|base64| {
            image(base64).ok_or_else(|| nonsense("neither PNG nor JPEG nor WebP"))
        });
        image
            .map(|image| GeneratedImage { image, usage })
            .map_err(|fault| (fault, used))
    }

    /// Requests the image, and returns the server's response. If the server rejects the form of the
    /// request, and another form is known, a second request is sent in that form.
    async fn make_image(&self, description: &str) -> Result<Value, Fault> {
        let profile = &self.model.profile;
        let mut form = ImageApi::of(profile.api, &profile.model, &self.address.origin);
        loop {
            let path = form.path(self.dialect, &profile.model);
            let body = form.body(&profile.model, description);
            let url = self.address.at(&path);
            let request = self.http_request(&url, body.to_string());
            let answer = self.fetched(self.model.http.send(request), &url, MOST_BYTES);
            let answer = self.within(MADE_WITHIN_MS, Awaited::FirstWord, answer);
            let answer = match answer.await? {
                Ok(answer) => answer,
                Err(failed) => {
                    form = form.instead(&failed).ok_or_else(|| failed.fault())?;
                    continue;
                }
            };
            let answer = String::from_utf8_lossy(&answer);
            let begins = || answer.chars().take(SAID_CHARS).collect::<String>();
            return serde_json::from_str(&answer).map_err(|_| nonsense(&begins()));
        }
    }

    /// Fetches the image from an address in the server's response. This request contains no key.
    /// The address must be public, or on the server itself.
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
            // The image is fetched like a page, so that the rules against access to private
            // networks apply.
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
        let bytes = self.fetched(sent, &there.href, MOST_BYTES);
        let bytes = self.within(FETCHED_WITHIN_MS, Awaited::FirstWord, bytes);
        // The provider made the image, but Gloss failed to fetch it.
        match bytes.await {
            Ok(Ok(bytes)) => Ok(STANDARD.encode(bytes)),
            Ok(Err(_)) | Err(_) => Err(unread()),
        }
    }
}

/// Returns true for an HTTPS address on a public site without credentials.
fn is_public(address: &host::Address) -> bool {
    address.scheme == "https" && !address.has_credentials && !is_private(&address.host)
}
