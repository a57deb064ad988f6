//! [`Web`] on `fetch`, which follows redirects here. Addresses are parsed, and bytes decoded, by
//! the browser's own parsers.

use super::http::{Redirects, send};
use super::redirect_guard;
use gloss_durable::Fut;
use gloss_host::{Address, HttpError, HttpRequest, Method, Web, WebResponse};
use web_sys::TextDecoder;

pub(super) struct Pages;

impl Web for Pages {
    fn address(&self, text: &str) -> Option<Address> {
        let url = web_sys::Url::new(text).ok()?;
        Some(Address {
            scheme: url.protocol().trim_end_matches(':').to_owned(),
            host: url.hostname(),
            origin: url.origin(),
            has_credentials: !url.username().is_empty() || !url.password().is_empty(),
            href: url.href(),
        })
    }

    fn get(&self, url: &str, accept: &'static str) -> Fut<Result<WebResponse, HttpError>> {
        let request = request(url, accept);
        Box::pin(async move {
            redirect_guard::install_rules().await;
            let (url, response) = send(request, Redirects::Followed).await?;
            Ok(WebResponse { url, response })
        })
    }

    fn leads_on(&self, url: &str, accept: &'static str) -> Fut<bool> {
        let request = request(url, accept);
        Box::pin(async move {
            redirect_guard::install_rules().await;
            let sent = send(request, Redirects::Refused).await;
            matches!(sent, Err(HttpError::Redirected))
        })
    }

    fn decode(&self, bytes: &[u8], encoding: &str) -> Option<String> {
        let decoder = TextDecoder::new_with_label(encoding).ok()?;
        decoder.decode_with_u8_array(bytes).ok()
    }
}

fn request(url: &str, accept: &str) -> HttpRequest {
    HttpRequest {
        method: Method::Get,
        url: url.to_owned(),
        headers: vec![("accept".to_owned(), accept.to_owned())],
        body: None,
    }
}
