//! The offscreen page's end of the connection to the worker. The page performs the worker's
//! requests.
//!
//! The page connects once, when it is loaded, and closes itself when the port closes. If the worker
//! dies, the next worker creates a new page.

use super::super::built_in::api;
use super::super::json;
use super::relay::{PORT, PageMessage, PagePort, PageRequest};
use super::{ocr, sentences};
use futures::StreamExt;
use futures::future::{AbortHandle, Abortable};
use gloss_durable::sorted::SortedMap;
use gloss_host::{Prompt, ScreenshotRequest};
use js_sys::{Function, JSON};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = ["chrome", "runtime"], js_name = connect)]
    fn connect_page(info: &JsValue) -> PagePort;
    #[wasm_bindgen(method, getter, js_name = onMessage)]
    fn on_message(this: &PagePort) -> PortEvent;
    #[wasm_bindgen(method, getter, js_name = onDisconnect)]
    fn on_disconnect(this: &PagePort) -> PortEvent;

    type PortEvent;
    #[wasm_bindgen(method, js_name = addListener)]
    fn add(this: &PortEvent, listener: &Function);

    /// Closes the page. All its sessions and engines end with the page.
    #[wasm_bindgen(js_name = close)]
    fn close_page();
}

/// The requests in progress, by the number that the worker gave each request.
type Asked = Rc<RefCell<SortedMap<u32, AbortHandle>>>;

/// Closes the page after a panic, since the state of its module may be invalid.
pub fn close() {
    close_page();
}

/// Connects to the worker and performs its requests until the port closes.
///
/// # Errors
/// The browser refuses the connection.
pub fn serve() -> Result<(), JsValue> {
    let port = Rc::new(connect_page(&JSON::parse(&format!(
        "{{\"name\": \"{PORT}\"}}"
    ))?));
    let asked = Asked::default();
    let (to, at_work) = (port.clone(), asked.clone());
    let heard = Closure::<dyn Fn(JsValue)>::new(move |message: JsValue| {
        match json::read(&message) {
            Ok(PageRequest::Prompt(id, prompt)) => answer(&to, &at_work, id, prompt),
            Ok(PageRequest::Look(id, asked)) => look(&to, &at_work, id, asked),
            Ok(PageRequest::Compare(id, comparison)) => compare(&to, &at_work, id, comparison),
            Ok(PageRequest::Leave(id)) => leave(&at_work, |at| at == id),
            Ok(PageRequest::Reset) => leave(&at_work, |_| true),
            // A message is always valid, because page and worker are of the same version.
            Err(_) => {}
        }
    });
    port.on_message().add(heard.into_js_value().unchecked_ref());
    let left = Closure::<dyn Fn()>::new(move || {
        leave(&asked, |_| true);
        // The cancelled requests release their resources first, and then the page is closed.
        spawn_local(async { close_page() });
    });
    port.on_disconnect()
        .add(left.into_js_value().unchecked_ref());
    Ok(())
}

fn leave(asked: &Asked, which: impl Fn(u32) -> bool) {
    asked.borrow_mut().retain(|id, handle| {
        if which(*id) {
            handle.abort();
        }
        !which(*id)
    });
}

fn answer(port: &Rc<PagePort>, asked: &Asked, id: u32, prompt: Prompt) {
    let port = port.clone();
    work(asked, id, async move {
        let mut said = api::prompt(prompt, Function::clone);
        while let Some(said) = said.next().await {
            tell(
                &port,
                &match said {
                    Ok(said) => PageMessage::Event(id, said),
                    Err(error) => PageMessage::Failed(id, error),
                },
            );
        }
    });
}

fn look(port: &Rc<PagePort>, asked: &Asked, id: u32, look: ScreenshotRequest) {
    let port = port.clone();
    work(asked, id, async move {
        let looked = ocr::look(look).await;
        tell(&port, &PageMessage::Looked(id, looked));
    });
}

fn compare(port: &Rc<PagePort>, asked: &Asked, id: u32, comparison: String) {
    let port = port.clone();
    work(asked, id, async move {
        let cosines = sentences::cosines(comparison).await;
        tell(&port, &PageMessage::Compared(id, cosines));
    });
}

fn tell(port: &PagePort, tell: &PageMessage) {
    // If the worker is gone, the page gets a disconnect event soon, so the error is ignored.
    if let Ok(message) = json::write(tell) {
        let _ = port.post(&message);
    }
}

/// Performs a request until it is done or cancelled.
fn work(asked: &Asked, id: u32, work: impl Future<Output = ()> + 'static) {
    let (handle, registration) = AbortHandle::new_pair();
    asked.borrow_mut().insert(id, handle);
    let asked = asked.clone();
    let work = async move {
        work.await;
        asked.borrow_mut().remove(&id);
    };
    spawn_local(async move {
        // A cancelled request needs no answer.
        let _ = Abortable::new(work, registration).await;
    });
}
