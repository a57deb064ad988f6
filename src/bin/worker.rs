//! The entry point of the service worker. It connects Chrome's events to the core.
//!
//! Example: `worker_boot.js` registers the listeners and creates one [`Core`] in each
//! worker. The script forwards ports and messages to that core. The code in this file converts
//! between JavaScript values and Rust types, and runs the core's futures.

use gloss::agent::{Goal, failure};
use gloss::app::surface::{Command, Reply};
use gloss::app::{App, Panic, Send, SurfaceId};
use gloss::durable::sorted::SortedMap;
use gloss::durable::{RunId, polled_run};
use gloss::host::TabId;
use gloss::host_browser::offscreen::relay;
use gloss::host_browser::{self as browser, json};
use gloss::page_service::PageService;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;

fn main() {
    std::panic::set_hook(Box::new(|panic| {
        console_error_panic_hook::hook(panic);
        panicked(&panic.to_string(), polled_run().map(|run| run.0));
    }));
}

#[wasm_bindgen]
extern "C" {
    /// A `chrome.runtime.Port`.
    pub type Port;
    #[wasm_bindgen(method, catch, js_name = postMessage)]
    fn post_message(this: &Port, message: &JsValue) -> Result<(), JsValue>;
    #[wasm_bindgen(method, getter)]
    fn name(this: &Port) -> String;

    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn milliseconds_of_life() -> f64;
    #[wasm_bindgen(js_namespace = glossHost)]
    fn panicked(words: &str, run: Option<String>);
    #[wasm_bindgen(js_namespace = console)]
    fn warn(message: &str);
}

/// The core of one worker, with the functions that the boot script calls.
#[wasm_bindgen]
pub struct Core {
    app: Rc<App>,
    surfaces: RefCell<SortedMap<SurfaceId, Send>>,
}

#[wasm_bindgen]
impl Core {
    /// Creates a core from the state that earlier workers stored. If a panic ended the last wasm
    /// instance, `panicked` is the panic's message, and `run` is the run in which it happened.
    /// `born_ms` is the time from the worker's start to this call, in milliseconds.
    pub async fn load(born_ms: f64, panicked: Option<String>, run: Option<String>) -> Self {
        let page_service = PageService::new(Rc::new(browser::Modules::default()));
        let app = App::new(browser::host(), page_service, js_sys::Date::now() as u64);
        let panic = panicked.map(|message| Panic {
            run: run.map(RunId),
            message,
        });
        spawn_local(async {
            if let Err(error) = browser::restrict_to_extension().await {
                warn(&format!("storage stays open to content scripts: {error}"));
            }
        });
        app.load(panic).await;
        app.ready(milliseconds_of_life() - born_ms);
        let resumed = app.clone();
        spawn_local(async move { resumed.resume().await });
        spawn_local(async {
            if let Err(error) = browser::install_menus().await {
                warn(&format!("the menus were not made: {error}"));
            }
        });
        Self {
            app,
            surfaces: RefCell::default(),
        }
    }

    /// Handles the watchdog's alarm.
    pub fn wake(&self) {
        let app = self.app.clone();
        spawn_local(async move { app.wake().await });
    }

    /// Handles the connection of a surface or of the offscreen page. `id` is the boot script's
    /// number for the port.
    pub fn connect(&self, id: u32, port: Port) {
        if port.name() == relay::PORT {
            return relay::connected(id, &port);
        }
        let is_options = port.name() == "options";
        let send: Send = Rc::new(move |reply| post(&port, reply));
        self.surfaces
            .borrow_mut()
            .insert(SurfaceId(id), send.clone());
        if is_options {
            self.app.connect_options(SurfaceId(id), send);
        } else {
            self.app.connect(SurfaceId(id), send);
        }
    }

    /// Handles the disconnection of a surface.
    pub fn disconnect(&self, id: u32) {
        relay::left(id);
        self.surfaces.borrow_mut().remove(&SurfaceId(id));
        self.app.disconnect(SurfaceId(id));
    }

    /// Handles a message of a surface.
    pub fn message(&self, id: u32, message: &JsValue) {
        if relay::on_message(id, message) {
            return;
        }
        match json::read::<Command>(message) {
            Ok(command) => spawn_local(self.app.clone().command(SurfaceId(id), command)),
            Err(error) => self.refuse(SurfaceId(id), &error.to_string()),
        }
    }

    /// Starts a run from a context menu or a keyboard shortcut. `goal` is a [`Goal`], and
    /// `language` is the interface's language.
    ///
    /// # Errors
    /// Returns an error if `goal` is not a [`Goal`].
    pub fn begin(
        &self,
        run: String,
        goal: &JsValue,
        tab: i32,
        language: String,
    ) -> Result<(), JsValue> {
        let goal: Goal = json::read(goal).map_err(|error| error.to_string())?;
        let app = self.app.clone();
        spawn_local(async move { app.begin(RunId(run), goal, TabId(tab), language).await });
        Ok(())
    }
}

impl Core {
    fn refuse(&self, surface: SurfaceId, error: &str) {
        let send = self.surfaces.borrow().get(&surface).cloned();
        if let Some(send) = send {
            send(&Reply::Refused {
                message: None,
                failure: failure("message_unknown")
                    .remedy_with(error)
                    .not_recoverable(),
            });
        }
    }
}

/// Sends a reply. If the port was closed before, the error is only logged, because `disconnect`
/// handles the closed port.
fn post(port: &Port, reply: &Reply) {
    let sent = json::write(reply).and_then(|message| port.post_message(&message));
    if let Err(error) = sent {
        warn(&format!("a surface could not be notified: {error:?}"));
    }
}
