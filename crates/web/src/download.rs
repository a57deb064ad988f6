//! One page, downloaded: again where that may help, within its time and its size.

use super::address::{Refusal, check};
use super::error::FetchError;
use super::medium::{Medium, medium};
use futures::{FutureExt, StreamExt};
use gloss_documents::DocumentKind;
use gloss_durable::{Clock, backoff_ms, within};
use gloss_host::{Address, HttpError, HttpResponse, Web, retry_after_ms};
use gloss_page::without_place;

/// The most of a page, in bytes. Pages have 2 MB with all they show.
pub const MOST_BYTES: usize = 5 * 1024 * 1024;

/// The most of a PDF or a DOCX, in bytes: reports with pictures have more than pages. What
/// reads them takes apart more than that, and bounds what it unpacks.
pub const MOST_DOCUMENT_BYTES: usize = 20 * 1024 * 1024;

/// How long a page may take, tries and waits together.
pub const MOST_MS: u64 = 25_000;

/// A server that wants a longer wait is not waited for.
const MOST_WAIT_MS: u64 = 8_000;

/// What pages are asked for as.
pub(super) const ACCEPT: &str = "text/html,application/xhtml+xml,text/markdown,text/plain,\
    application/pdf,application/json;q=0.9,*/*;q=0.5";

/// What was downloaded.
#[derive(Debug)]
pub(super) struct Download {
    /// Where it was in the end.
    pub(super) url: String,
    /// Its content type.
    pub(super) declared: String,
    /// All of it.
    pub(super) bytes: Vec<u8>,
}

/// Downloads what is at an address that was judged. Dropping the future aborts.
///
/// # Errors
/// When there is nothing that may be used.
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
    // What stands behind the # is for the reader, not for the server.
    let url = without_place(&address.href);
    let found = web.get(url, ACCEPT).await.map_err(unreachable)?;
    // Before anything of it is used.
    let ended = web.address(&found.url);
    if let Err(refusal) = ended.as_ref().map_or(Err(Refusal::NotAnAddress), check) {
        return Err(FetchError::LedTo { refusal });
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

/// The most of a body that begins so, in bytes. What only calls itself a document is none.
fn most(declared: &str, url: &str, head: &[u8]) -> usize {
    match medium(declared, url, head) {
        Medium::Document(DocumentKind::Pdf | DocumentKind::Docx) => MOST_DOCUMENT_BYTES,
        Medium::Document(DocumentKind::Feed) | Medium::Text(_) | Medium::Other => MOST_BYTES,
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
