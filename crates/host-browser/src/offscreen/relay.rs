//! The worker's end of the connection to the offscreen page.
//!
//! Example: the worker gets a prompt, and there is no offscreen page. The worker creates
//! the page. The page connects through a port named [`PORT`], and the worker sends the prompt. When
//! the worker ends, the port closes, and the page closes itself. Chrome allows an extension only
//! one such page, so a page of an earlier worker is closed before a new one is created.

use super::super::{chrome, json};
use futures::StreamExt;
use futures::channel::{mpsc, oneshot};
use futures::stream::{self, LocalBoxStream};
use gloo_timers::future::TimeoutFuture;
use gloss_durable::Fut;
use gloss_durable::sorted::SortedMap;
use gloss_host::{
    BuiltInError, Prompt, PromptEvent, ScreenshotError, ScreenshotRequest, ScreenshotResult,
};
use js_sys::JSON;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};

/// The name of the page's port.
pub const PORT: &str = "offscreen";

/// The options with which the page is created. Chrome requires a reason from a fixed list. The list
/// contains no reason for a model; `WORKERS` is the closest one.
const PAGE: &str = r#"{"url": "offscreen.html", "reasons": ["WORKERS"],
"justification": "A service worker can neither ask the browser's own language model nor read pictures."}"#;

/// A message to the page. The `u32` identifies the request.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum PageRequest {
    /// Prompt the model.
    Prompt(u32, Prompt),
    /// Process a screenshot.
    Look(u32, ScreenshotRequest),
    /// Cancel a request.
    Leave(u32),
    /// Cancel all requests, because the worker that sent them has died.
    Reset,
}

/// A message from the page. The `u32` identifies the request.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum PageMessage {
    /// More text of an answer, or its end.
    Event(u32, PromptEvent),
    /// A prompt got no complete answer.
    Failed(u32, BuiltInError),
    /// The result of processing a screenshot.
    Looked(u32, Result<ScreenshotResult, ScreenshotError>),
}

#[wasm_bindgen]
extern "C" {
    /// The page's `chrome.runtime.Port`.
    pub(super) type PagePort;
    #[wasm_bindgen(method, catch, js_name = postMessage)]
    pub(super) fn post(this: &PagePort, message: &JsValue) -> Result<(), JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "offscreen"], js_name = createDocument)]
    fn create_document(page: &JsValue) -> Result<js_sys::Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "offscreen"], js_name = closeDocument)]
    fn close_document() -> Result<js_sys::Promise, JsValue>;
}

/// An item of the response to a request.
enum Response {
    /// An item of a prompt's answer.
    Event(Result<PromptEvent, BuiltInError>),
    /// The result of a screenshot.
    Looked(Result<ScreenshotResult, ScreenshotError>),
    /// The page was closed. This is the last item.
    Cut,
}

/// The error with which the creation of the page failed. `None` if the wait was cancelled.
type NoPage = Option<String>;

#[derive(Default)]
struct Relay {
    /// The page's port and the port's number; `None` until the page has connected.
    page: Option<(u32, PagePort)>,
    /// True while the page is being created.
    is_opening: bool,
    /// The number of pages that this wasm instance has created.
    openings: u32,
    /// The requests that wait until the page has connected.
    waiting: Vec<oneshot::Sender<Result<(), NoPage>>>,
    asked: SortedMap<u32, mpsc::UnboundedSender<Response>>,
    /// The number of the last request; 0 before the first.
    last: u32,
}

/// The time limit, in milliseconds, in which a created page must connect.
const CONNECTS_WITHIN_MS: u32 = 10_000;

thread_local! {
    static RELAY: RefCell<Relay> = RefCell::default();
}

/// Handles a new connection through a port named [`PORT`]. The connection is from a new page or,
/// after a panic, from the page of the previous wasm instance.
pub fn connected(id: u32, port: &JsValue) {
    RELAY.with_borrow_mut(|relay| {
        relay.page = Some((id, port.clone().unchecked_into()));
        relay.is_opening = false;
        relay.tell(&PageRequest::Reset);
        for waiting in relay.waiting.drain(..) {
            // The receiver is dropped if the request was cancelled.
            let _ = waiting.send(Ok(()));
        }
    });
}

/// Handles a message that arrived on port `id`. Returns false if the offscreen page doesn't use
/// port `id`.
pub fn on_message(id: u32, message: &JsValue) -> bool {
    RELAY.with_borrow_mut(|relay| {
        if !relay.is_page(id) {
            return false;
        }
        let (asked, said) = match json::read(message) {
            Ok(PageMessage::Event(asked, said)) => (asked, Response::Event(Ok(said))),
            Ok(PageMessage::Failed(asked, error)) => (asked, Response::Event(Err(error))),
            Ok(PageMessage::Looked(asked, looked)) => (asked, Response::Looked(looked)),
            // A message is always valid, because page and worker are of the same version.
            Err(_) => return true,
        };
        if let Some(told) = relay.asked.get(&asked) {
            let _ = told.unbounded_send(said);
        }
        true
    })
}

/// Handles the disconnection of port `id`. If the offscreen page used the port, all requests fail.
pub fn left(id: u32) {
    RELAY.with_borrow_mut(|relay| {
        if relay.is_page(id) {
            relay.page = None;
            for (_, told) in std::mem::take(&mut relay.asked) {
                let _ = told.unbounded_send(Response::Cut);
            }
        }
    });
}

impl Relay {
    fn is_page(&self, id: u32) -> bool {
        self.page.as_ref().is_some_and(|(page, _)| *page == id)
    }

    /// Sends a message to the page. If the page is gone, [`left`] is called next.
    fn tell(&self, ask: &PageRequest) {
        if let (Some((_, port)), Ok(message)) = (&self.page, json::write(ask)) {
            let _ = port.post(&message);
        }
    }
}

/// A request in progress. Dropping this cancels the request.
struct PendingRequest(u32);

impl Drop for PendingRequest {
    fn drop(&mut self) {
        RELAY.with_borrow_mut(|relay| {
            if relay.asked.remove(&self.0).is_some() {
                relay.tell(&PageRequest::Leave(self.0));
            }
        });
    }
}

/// Prompts the model in the page. The page is created if needed.
pub(in super::super) fn prompt(
    prompt: Prompt,
) -> LocalBoxStream<'static, Result<PromptEvent, BuiltInError>> {
    let begun = async move {
        match opened().await {
            Ok(()) => request(|id| PageRequest::Prompt(id, prompt)).left_stream(),
            Err(why) => stream::iter([Response::Event(Err(match why {
                Some(message) => BuiltInError::Failed { message },
                None => BuiltInError::Cut,
            }))])
            .right_stream(),
        }
    };
    let heard = stream::once(begun).flatten();
    heard
        .map(|heard| match heard {
            Response::Event(said) => said,
            Response::Looked(_) | Response::Cut => Err(BuiltInError::Cut),
        })
        .boxed_local()
}

/// Processes a screenshot in the page. The page is created if needed.
pub(super) fn look(look: ScreenshotRequest) -> Fut<Result<ScreenshotResult, ScreenshotError>> {
    Box::pin(async move {
        opened().await.map_err(|why| match why {
            Some(message) => ScreenshotError::Failed { message },
            None => ScreenshotError::Cut,
        })?;
        match request(|id| PageRequest::Look(id, look)).next().await {
            Some(Response::Looked(looked)) => looked,
            Some(Response::Event(_) | Response::Cut) | None => Err(ScreenshotError::Cut),
        }
    })
}

fn request(ask: impl FnOnce(u32) -> PageRequest) -> LocalBoxStream<'static, Response> {
    let (told, heard) = mpsc::unbounded();
    let asked = RELAY.with_borrow_mut(|relay| {
        // Numbers begin at the current time. An answer to a request of an earlier wasm instance,
        // which panicked, then has a number that no request of this instance has.
        relay.last = match relay.last {
            0 => js_sys::Date::now() as u32,
            last => last.wrapping_add(1),
        };
        relay.asked.insert(relay.last, told);
        relay.tell(&ask(relay.last));
        PendingRequest(relay.last)
    });
    stream::unfold((heard, asked), |(mut heard, asked)| async move {
        heard.next().await.map(|said| (said, (heard, asked)))
    })
    .boxed_local()
}

/// Creates the page if needed, and resolves when the page is connected.
async fn opened() -> Result<(), NoPage> {
    let (there, wait) = oneshot::channel();
    let opens = RELAY.with_borrow_mut(|relay| {
        if relay.page.is_some() {
            let _ = there.send(Ok(()));
            return false;
        }
        relay.waiting.push(there);
        let opens = !std::mem::replace(&mut relay.is_opening, true);
        relay.openings += u32::from(opens);
        opens
    });
    if opens {
        // The page is created in a separate task. This request may be cancelled while other
        // requests still wait for the page.
        spawn_local(open(RELAY.with_borrow(|relay| relay.openings)));
    }
    wait.await.unwrap_or(Err(None))
}

async fn open(opening: u32) {
    let mut made = create().await;
    if made.is_err() {
        // A page of an earlier worker may still exist. If there is none, this call fails.
        if let Ok(closed) = close_document() {
            let _ = JsFuture::from(closed).await;
        }
        made = create().await;
    }
    let message = if let Err(error) = made {
        chrome::error_message(&error)
    } else {
        TimeoutFuture::new(CONNECTS_WITHIN_MS).await;
        "the page that it needs did not start".to_owned()
    };
    RELAY.with_borrow_mut(|relay| {
        if !relay.is_opening || relay.openings != opening {
            return;
        }
        relay.is_opening = false;
        for waiting in relay.waiting.drain(..) {
            let message = message.clone();
            let _ = waiting.send(Err(Some(message)));
        }
    });
}

async fn create() -> Result<(), JsValue> {
    JsFuture::from(create_document(&JSON::parse(PAGE)?)?).await?;
    Ok(())
}
