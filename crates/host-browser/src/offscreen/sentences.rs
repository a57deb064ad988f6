//! Runs the sentence model in a `Worker`, and ends the `Worker` when it is idle.
//!
//! The `Worker` is started for the first question. It needs about 110 MB, and some tenths of a
//! second to start. All its memory is free when it has ended.

use futures::channel::oneshot;
use gloo_timers::callback::Timeout;
use js_sys::Float32Array;
use std::cell::RefCell;
use std::collections::VecDeque;
use wasm_bindgen::prelude::*;
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};

/// The script of the `Worker`.
const SCRIPT: &str = "offscreen_boot.js";

/// The time after the last request or answer when the `Worker` is ended. A request that waits then
/// goes without an answer.
const IDLE_MS: u32 = 30_000;

/// The `Worker`, and the requests that it answers in order.
struct Running {
    worker: Worker,
    waiting: VecDeque<oneshot::Sender<Vec<f32>>>,
    /// Ends the `Worker`. Dropping a timer stops it.
    end: Timeout,
}

thread_local! {
    static RUNNING: RefCell<Option<Running>> = const { RefCell::new(None) };
}

/// Compares a question with texts. `comparison` is JSON with `question` and `texts`. Returns a
/// cosine for each text, or nothing if the model can't run.
pub(super) async fn cosines(comparison: String) -> Vec<f32> {
    let (answer, answered) = oneshot::channel();
    let asked = RUNNING.with_borrow_mut(|running| {
        if running.is_none() {
            *running = Some(Running::start()?);
        }
        if let Some(running) = running {
            running.end = end_later();
            running.waiting.push_back(answer);
            running.worker.post_message(&comparison.into())?;
        }
        Ok::<(), JsValue>(())
    });
    match asked {
        Ok(()) => answered.await.unwrap_or_default(),
        Err(_) => Vec::new(),
    }
}

impl Running {
    fn start() -> Result<Self, JsValue> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(SCRIPT, &options)?;
        let heard = |event: MessageEvent| answer(event.data().dyn_into().ok());
        let heard = Closure::<dyn Fn(MessageEvent)>::new(heard).into_js_value();
        worker.set_onmessage(Some(heard.unchecked_ref()));
        let failed = Closure::<dyn Fn()>::new(|| answer(None)).into_js_value();
        worker.set_onerror(Some(failed.unchecked_ref()));
        Ok(Self {
            worker,
            waiting: VecDeque::new(),
            end: end_later(),
        })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}

fn end_later() -> Timeout {
    Timeout::new(IDLE_MS, || drop(RUNNING.take()))
}

/// Passes an answer to the first request that waits. `None` means that the `Worker` has failed: it
/// is ended, and all requests go without an answer.
fn answer(cosines: Option<Float32Array>) {
    RUNNING.with_borrow_mut(|running| {
        let Some((current, cosines)) = running.as_mut().zip(cosines) else {
            *running = None;
            return;
        };
        if let Some(waiting) = current.waiting.pop_front() {
            // The receiver is dropped if the request was cancelled.
            let _ = waiting.send(cosines.to_vec());
        }
        current.end = end_later();
    });
}
