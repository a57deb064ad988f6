//! [`Http`] on `fetch`, through `worker_boot.js`.
//!
//! Example: a model's answer streams for minutes, and the user stops the run. The run drops
//! the future or the body, and the connection to the server is closed. Requests send no cookies,
//! cache no response and follow no redirect.

use super::chrome::{self, Held, error_message};
use super::{json, redirect_guard};
use futures::StreamExt;
use futures::stream;
use gloss_durable::Fut;
use gloss_host::{Http, HttpError, HttpRequest, HttpResponse, Method};
use js_sys::{Array, Reflect, Uint8Array};
use serde::Serialize;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{ReadableStreamDefaultReader, Response, ResponseType};

pub(super) struct Fetch;

#[derive(Serialize)]
struct Init {
    method: &'static str,
    headers: Vec<(String, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<String>,
    credentials: &'static str,
    cache: &'static str,
    redirect: &'static str,
    /// Empty, because requests would otherwise contain the extension's own address.
    referrer: &'static str,
}

/// A request in flight; dropping it aborts the request.
struct Flight(Held);

impl Drop for Flight {
    fn drop(&mut self) {
        self.0.release();
    }
}

#[derive(Clone, Copy)]
pub(super) enum Redirects {
    Refused,
    Followed,
}

impl Http for Fetch {
    fn send(&self, request: HttpRequest) -> Fut<Result<HttpResponse, HttpError>> {
        if web_sys::Url::new(&request.url).is_err() {
            let url = request.url;
            return Box::pin(async { Err(HttpError::BadUrl { url }) });
        }
        Box::pin(async move {
            let request = match request.method {
                Method::Get => redirect_guard::exempt(request).await,
                Method::Post => request,
            };
            Ok(send(request, Redirects::Refused).await?.1)
        })
    }
}

/// Sends a request. Returns the response, and the final address of the response.
pub(super) async fn send(
    request: HttpRequest,
    redirects: Redirects,
) -> Result<(String, HttpResponse), HttpError> {
    let init = Init {
        method: match request.method {
            Method::Get => "GET",
            Method::Post => "POST",
        },
        headers: request.headers,
        body: request.body,
        credentials: "omit",
        cache: "no-store",
        redirect: match redirects {
            Redirects::Refused => "manual",
            Redirects::Followed => "follow",
        },
        referrer: "",
    };
    let init = json::write(&init).map_err(|error| unreachable(&error))?;
    let flight = Flight(chrome::send(&request.url, &init));
    // If this future is dropped, a rejection of the promise is still handled, so the browser logs
    // no error.
    let response = JsFuture::from(flight.0.done());
    let response = response.await.map_err(|error| unreachable(&error))?;
    let response: Response = response.unchecked_into();
    if response.type_() == ResponseType::Opaqueredirect {
        return Err(HttpError::Redirected);
    }
    let head = HttpResponse {
        status: response.status(),
        headers: headers(&response),
        body: body(&response, flight),
    };
    Ok((response.url(), head))
}

/// Returns the headers. The browser returns their names in lower case.
fn headers(response: &Response) -> Vec<(String, String)> {
    let pairs = Array::from(&response.headers());
    pairs
        .iter()
        .filter_map(|pair| {
            let pair: Array = pair.unchecked_into();
            Some((pair.get(0).as_string()?, pair.get(1).as_string()?))
        })
        .collect()
}

type Body = stream::LocalBoxStream<'static, Result<Vec<u8>, HttpError>>;

fn body(response: &Response, flight: Flight) -> Body {
    let reader = response
        .body()
        .map(|body| body.get_reader().unchecked_into());
    let state = reader.map(|reader: ReadableStreamDefaultReader| (reader, flight));
    stream::unfold(state, |state| async move {
        let (reader, flight) = state?;
        match JsFuture::from(reader.read()).await {
            Ok(read) => piece(&read).map(|piece| (Ok(piece), Some((reader, flight)))),
            Err(error) => {
                let message = error_message(&error);
                Some((Err(HttpError::Cut { message }), None))
            }
        }
    })
    .boxed_local()
}

/// Returns the bytes of one `read` of the body; `None` at the end of the body.
fn piece(read: &JsValue) -> Option<Vec<u8>> {
    let value = Reflect::get(read, &"value".into()).ok()?;
    Some(value.dyn_into::<Uint8Array>().ok()?.to_vec())
}

/// Converts an error that occurred before the response's head arrived. `fetch` reports all such
/// errors as `TypeError`.
fn unreachable(error: &JsValue) -> HttpError {
    HttpError::Unreachable {
        message: error_message(error),
    }
}
