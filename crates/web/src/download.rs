//! Downloads one page, with retries and with limits on time and size.

use super::allowed_address::{Refusal, check};
use super::content_type::{ContentType, medium};
use super::error::FetchError;
use futures::{FutureExt, StreamExt};
use gloss_documents::DocumentKind;
use gloss_durable::{Clock, backoff_ms, within};
use gloss_host::{Address, HttpError, HttpResponse, Web, retry_after_ms};
use gloss_page::without_place;

/// The maximum size of a page, in bytes. A typical page has 2 MB, including its images.
pub const MOST_BYTES: usize = 5 * 1024 * 1024;

/// The maximum size of a PDF or a DOCX, in bytes. Documents contain their images, so they are
/// larger than pages. The document reader itself accepts larger files, but limits the size of the
/// unpacked data.
pub const MOST_DOCUMENT_BYTES: usize = 20 * 1024 * 1024;

/// The time limit for all attempts and waits together, in ms.
pub const MOST_MS: u64 = 25_000;

/// The maximum wait before a retry, in ms. If a server asks for a longer wait, there is no retry.
const MOST_WAIT_MS: u64 = 8_000;

/// The `Accept` header for pages.
pub(super) const ACCEPT: &str = "text/html,application/xhtml+xml,text/markdown,text/plain,\
    application/pdf,application/json;q=0.9,*/*;q=0.5";

#[derive(Debug)]
pub(super) struct Download {
    /// The final address, after redirects.
    pub(super) url: String,
    /// The declared content type.
    pub(super) declared: String,
    /// The complete body.
    pub(super) bytes: Vec<u8>,
}

/// Downloads an address that was checked. Dropping the future aborts the download.
///
/// # Errors
/// If no usable response arrives.
pub(super) async fn download(
    web: &dyn Web,
    clock: &dyn Clock,
    address: &Address,
) -> Result<Download, FetchError> {
    let tries = tries(web, clock, address).boxed_local();
    let result = within(clock, MOST_MS, tries).await;
    result.unwrap_or(Err(FetchError::TimedOut {
        seconds: MOST_MS / 1000,
    }))
}

async fn tries(
    web: &dyn Web,
    clock: &dyn Clock,
    address: &Address,
) -> Result<Download, FetchError> {
    let mut attempt = 1;
    loop {
        let error = match once(web, clock, address).await {
            Ok(download) => return Ok(download),
            Err(error) => error,
        };
        let wait_ms = error.wait_ms(backoff_ms(attempt, &address.href));
        match wait_ms.filter(|wait_ms| attempt < error.tries() && *wait_ms <= MOST_WAIT_MS) {
            Some(wait_ms) => clock.sleep(wait_ms).await,
            None => return Err(error),
        }
        attempt += 1;
    }
}

async fn once(web: &dyn Web, clock: &dyn Clock, address: &Address) -> Result<Download, FetchError> {
    // A fragment is not sent to the server.
    let url = without_place(&address.href);
    let found = web.get(url, ACCEPT).await.map_err(unreachable)?;
    // The final address is checked before the content is used.
    let ended = web.address(&found.url);
    if let Err(refusal) = ended.as_ref().map_or(Err(Refusal::NotAnAddress), check) {
        return Err(FetchError::RedirectRefused { refusal });
    }
    let response = found.response;
    if !(200..300).contains(&response.status) {
        return Err(FetchError::Status {
            status: response.status,
            retry_after_ms: retry_after_ms(&response.headers, clock.now_ms()),
        });
    }
    let declared = response
        .header("content-type")
        .unwrap_or_default()
        .to_owned();
    let bytes = body(response, |head| most(&declared, &found.url, head)).await?;
    Ok(Download {
        url: found.url,
        declared,
        bytes,
    })
}

/// Returns the maximum size of a body that begins with `head`. A body that is declared as a
/// document, but does not begin like one, gets the limit of a page.
fn most(declared: &str, url: &str, head: &[u8]) -> usize {
    match medium(declared, url, head) {
        ContentType::Document(DocumentKind::Pdf | DocumentKind::Docx) => MOST_DOCUMENT_BYTES,
        ContentType::Document(DocumentKind::Feed) | ContentType::Text(_) | ContentType::Other => {
            MOST_BYTES
        }
    }
}

async fn body(
    mut response: HttpResponse,
    most: impl Fn(&[u8]) -> usize,
) -> Result<Vec<u8>, FetchError> {
    let mut bytes: Vec<u8> = Vec::new();
    while let Some(piece) = response.body.next().await {
        bytes.extend(piece.map_err(unreachable)?);
        if bytes.len() > MOST_BYTES {
            let most = most(&bytes);
            if bytes.len() > most {
                let megabytes = most >> 20;
                return Err(FetchError::TooLarge { megabytes });
            }
        }
    }
    Ok(bytes)
}

fn unreachable(error: HttpError) -> FetchError {
    match error {
        HttpError::Cut { .. } => FetchError::Cut,
        other => FetchError::Unreachable {
            message: other.to_string(),
        },
    }
}
