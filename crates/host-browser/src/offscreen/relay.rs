//! The worker's end of the way to the offscreen page.
//!
//! Driving example: a prompt comes and there is no page; it is made, connects to the
//! worker by a port named [`PORT`], and is told the prompt. The page lives as long as
//! that port: a worker that dies takes it along. Chrome allows an extension one such
//! page; one that an earlier life left is closed first.

use super::super::{chrome, json};
use futures::StreamExt;
use futures::channel::{mpsc, oneshot};
use futures::stream::{self, LocalBoxStream};
use gloo_timers::future::TimeoutFuture;
use gloss_durable::Fut;
use gloss_durable::sorted::SortedMap;
use gloss_host::{BuiltInError, BuiltInSaid as Said, Look, Looked, Prompt, SightError};
use js_sys::JSON;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};

/// The name of the page's port.
pub const PORT: &str = "offscreen";

/// Why the page is there, as Chrome wants it said. None of its reasons is a model: the
/// nearest is that something is to run which a service worker has not.
const PAGE: &str = r#"{"url": "offscreen.html", "reasons": ["WORKERS"],
"justification": "A service worker can neither ask the browser's own language model nor read pictures."}"#;

/// What the page is told.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Ask {
    /// To ask the model.
    Prompt(u32, Prompt),
    /// To look at a picture.
    Look(u32, Look),
    /// To leave one of these.
    Leave(u32),
    /// To leave everything: whoever asked has died.
    Reset,
}

/// What the page tells.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Tell {
    /// Of a prompt: the answer goes on, or is whole.
    Said(u32, Said),
    /// Of a prompt: it failed.
    Failed(u32, BuiltInError),
    /// Of a picture: what came of it.
    Looked(u32, Result<Looked, SightError>),
}

#[wasm_bindgen]
extern "C" {
    /// A `chrome.runtime.Port`.
    pub(super) type PagePort;
    #[wasm_bindgen(method, catch, js_name = postMessage)]
    pub(super) fn post(this: &PagePort, message: &JsValue) -> Result<(), JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "offscreen"], js_name = createDocument)]
    fn create_document(page: &JsValue) -> Result<js_sys::Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "offscreen"], js_name = closeDocument)]
    fn close_document() -> Result<js_sys::Promise, JsValue>;
}

/// What is heard of something that was asked.
enum Heard {
    /// Of a prompt.
    Said(Result<Said, BuiltInError>),
    /// Of a picture.
    Looked(Result<Looked, SightError>),
    /// Nothing more, as the page is gone.
    Cut,
}

/// Why there is no page, in words; `None`: this end was left.
type NoPage = Option<String>;

#[derive(Default)]
struct Relay {
    /// The page, once it has connected.
    page: Option<(u32, PagePort)>,
    /// It is being made.
    is_opening: bool,
    /// How often it was made in this life.
    openings: u32,
    /// Who waits for that.
    waiting: Vec<oneshot::Sender<Result<(), NoPage>>>,
    asked: SortedMap<u32, mpsc::UnboundedSender<Heard>>,
    /// The number of what was last asked; 0 before the first.
    last: u32,
}

/// A page that has not connected this long after it was made never will.
const CONNECTS_WITHIN_MS: u32 = 10_000;

thread_local! {
    static RELAY: RefCell<Relay> = RefCell::default();
}

/// A port of that name connected: the page, or in a core that follows one that panicked,
/// the page that knew the other.
pub fn connected(id: u32, port: &JsValue) {
    RELAY.with_borrow_mut(|relay| {
        relay.page = Some((id, port.clone().unchecked_into()));
        relay.is_opening = false;
        relay.tell(&Ask::Reset);
        for waiting in relay.waiting.drain(..) {
            // One that no longer waits was dropped.
            let _ = waiting.send(Ok(()));
        }
    });
}

/// Takes what the port `id` says, if it is the page's.
pub fn heard(id: u32, message: &JsValue) -> bool {
    RELAY.with_borrow_mut(|relay| {
        if !relay.is_page(id) {
            return false;
        }
        let (asked, said) = match json::read(message) {
            Ok(Tell::Said(asked, said)) => (asked, Heard::Said(Ok(said))),
            Ok(Tell::Failed(asked, error)) => (asked, Heard::Said(Err(error))),
            Ok(Tell::Looked(asked, looked)) => (asked, Heard::Looked(looked)),
            // From a page of this very version.
            Err(_) => return true,
        };
        if let Some(told) = relay.asked.get(&asked) {
            let _ = told.unbounded_send(said);
        }
        true
    })
}

/// The port `id` is gone; what was asked there is cut.
pub fn left(id: u32) {
    RELAY.with_borrow_mut(|relay| {
        if relay.is_page(id) {
            relay.page = None;
            for (_, told) in std::mem::take(&mut relay.asked) {
                let _ = told.unbounded_send(Heard::Cut);
            }
        }
    });
}

impl Relay {
    fn is_page(&self, id: u32) -> bool {
        self.page.as_ref().is_some_and(|(page, _)| *page == id)
    }

    /// A page that is gone is told of by [`left`].
    fn tell(&self, ask: &Ask) {
        if let (Some((_, port)), Ok(message)) = (&self.page, json::write(ask)) {
            let _ = port.post(&message);
        }
    }
}

/// What was asked and is on its way; dropping it leaves it.
struct Asked(u32);

impl Drop for Asked {
    fn drop(&mut self) {
        RELAY.with_borrow_mut(|relay| {
            if relay.asked.remove(&self.0).is_some() {
                relay.tell(&Ask::Leave(self.0));
            }
        });
    }
}

/// Asks the model in the page, which is made if it is not there.
pub(in super::super) fn prompt(
    prompt: Prompt,
) -> LocalBoxStream<'static, Result<Said, BuiltInError>> {
    let begun = async move {
        match opened().await {
            Ok(()) => asked(|id| Ask::Prompt(id, prompt)).left_stream(),
            Err(why) => stream::iter([Heard::Said(Err(match why {
                Some(message) => BuiltInError::Failed { message },
                None => BuiltInError::Cut,
            }))])
            .right_stream(),
        }
    };
    let heard = stream::once(begun).flatten();
    heard
        .map(|heard| match heard {
            Heard::Said(said) => said,
            Heard::Looked(_) | Heard::Cut => Err(BuiltInError::Cut),
        })
        .boxed_local()
}

/// Has a picture looked at in the page, which is made if it is not there.
pub(super) fn look(look: Look) -> Fut<Result<Looked, SightError>> {
    Box::pin(async move {
        opened().await.map_err(|why| match why {
            Some(message) => SightError::Failed { message },
            None => SightError::Cut,
        })?;
        match asked(|id| Ask::Look(id, look)).next().await {
            Some(Heard::Looked(looked)) => looked,
            Some(Heard::Said(_) | Heard::Cut) | None => Err(SightError::Cut),
        }
    })
}

fn asked(ask: impl FnOnce(u32) -> Ask) -> LocalBoxStream<'static, Heard> {
    let (told, heard) = mpsc::unbounded();
    let asked = RELAY.with_borrow_mut(|relay| {
        // What the page still says to a core that panicked is no answer to this one's.
        relay.last = match relay.last {
            0 => js_sys::Date::now() as u32,
            last => last.wrapping_add(1),
        };
        relay.asked.insert(relay.last, told);
        relay.tell(&ask(relay.last));
        Asked(relay.last)
    });
    stream::unfold((heard, asked), |(mut heard, asked)| async move {
        heard.next().await.map(|said| (said, (heard, asked)))
    })
    .boxed_local()
}

/// Resolves when the page is there.
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
        // Whoever asked first may leave while others wait.
        spawn_local(open(RELAY.with_borrow(|relay| relay.openings)));
    }
    wait.await.unwrap_or(Err(None))
}

async fn open(opening: u32) {
    let mut made = create().await;
    if made.is_err() {
        // An earlier life's page may be in its place, and may be gone by now.
        if let Ok(closed) = close_document() {
            let _ = JsFuture::from(closed).await;
        }
        made = create().await;
    }
    let message = if let Err(error) = made {
        chrome::words(&error)
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
