//! The simulated web. The scripted server provides the pages, and `get` follows redirects as a
//! browser does.

use super::Sim;
use encoding_rs::Encoding;
use futures::FutureExt;
use gloss_durable::Fut;
use gloss_host::{
    Address, Grants, Http, HttpError, HttpRequest, HttpResponse, Method, Web, WebResponse,
};
use url::Url;

/// The maximum number of redirects that browsers follow.
const REDIRECTS: usize = 20;

impl Web for Sim {
    fn address(&self, text: &str) -> Option<Address> {
        let url = Url::parse(text).ok()?;
        Some(Address {
            scheme: url.scheme().to_owned(),
            host: url.host_str().unwrap_or_default().to_owned(),
            origin: url.origin().ascii_serialization(),
            has_credentials: !url.username().is_empty() || url.password().is_some(),
            href: url.into(),
        })
    }

    fn get(&self, url: &str, accept: &'static str) -> Fut<Result<WebResponse, HttpError>> {
        let (net, mut url) = (self.clone(), url.to_owned());
        async move {
            for _ in 0..=REDIRECTS {
                let origin = origin(&url)?;
                let covered = net.covers(&origin).await;
                let response = Http::send(&net, get(&url, accept)).await?;
                let is_open = response.header("access-control-allow-origin") == Some("*");
                if !covered && !is_open {
                    return Err(HttpError::Unreachable {
                        message: "Failed to fetch".to_owned(),
                    });
                }
                match next(&url, &response) {
                    Some(next) => url = next,
                    None => return Ok(WebResponse { url, response }),
                }
            }
            Err(HttpError::Unreachable {
                message: "too many redirects".to_owned(),
            })
        }
        .boxed_local()
    }

    fn leads_on(&self, url: &str, accept: &'static str) -> Fut<bool> {
        let (net, url) = (self.clone(), url.to_owned());
        async move {
            let response = Http::send(&net, get(&url, accept)).await;
            response.is_ok_and(|response| next(&url, &response).is_some())
        }
        .boxed_local()
    }

    fn decode(&self, bytes: &[u8], encoding: &str) -> Option<String> {
        let encoding = Encoding::for_label(encoding.as_bytes())?;
        Some(encoding.decode(bytes).0.into_owned())
    }
}

fn get(url: &str, accept: &str) -> HttpRequest {
    HttpRequest {
        method: Method::Get,
        url: url.to_owned(),
        headers: vec![("accept".to_owned(), accept.to_owned())],
        body: None,
    }
}

fn origin(url: &str) -> Result<String, HttpError> {
    let parsed = Url::parse(url).map_err(|_| HttpError::BadUrl {
        url: url.to_owned(),
    })?;
    Ok(parsed.origin().ascii_serialization())
}

/// Returns the target of a redirect; `None` if the response is no redirect.
fn next(url: &str, response: &HttpResponse) -> Option<String> {
    let leads_on = matches!(response.status, 301 | 302 | 303 | 307 | 308);
    let location = response.header("location").filter(|_| leads_on)?;
    let next = Url::parse(url).ok()?.join(location).ok()?;
    Some(next.into())
}
