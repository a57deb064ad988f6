//! The wasm module of the sentence model, for a `Worker` of the offscreen page.
//!
//! Example: a question is asked about a page. `offscreen_boot.js` starts this module, which
//! loads the model's file. A message is a question with texts, and the reply contains the cosine of
//! each text. The `Worker` is ended when it is idle, which frees all its memory.

use futures::FutureExt;
use gloss_sentence_model::{Comparer, FILE_BYTES, SentenceModel};
use js_sys::{Array, ArrayBuffer, Float32Array, JSON, Reflect, Uint8Array};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    DedicatedWorkerGlobalScope, MessageEvent, ReadableStreamByobReader,
    ReadableStreamGetReaderOptions, ReadableStreamReaderMode, Response, console,
};

/// The file of the model in the package.
const FILE: &str = "sentence-model.bin";

/// The file is read in parts of this size, into one buffer.
const PART_BYTES: u32 = 1 << 20;

fn main() {
    std::panic::set_hook(Box::new(console_error_panic_hook::hook));
    // The file is loaded at once. Messages wait for it.
    let model = async { load().await.map(RefCell::new).map(Rc::new) };
    let model = model.boxed_local().shared();
    spawn_local(model.clone().map(drop));
    let heard = Closure::<dyn Fn(MessageEvent)>::new(move |message: MessageEvent| {
        let model = model.clone();
        spawn_local(async move {
            let compared = match model.await {
                Ok(model) => compare(&mut model.borrow_mut(), &message.data()),
                Err(error) => Err(error),
            };
            let reply = compared.unwrap_or_else(|error| {
                console::error_1(&error);
                JsValue::NULL
            });
            // The page can't be told about an error in telling it something.
            let _ = scope().post_message(&reply);
        });
    });
    scope().set_onmessage(Some(heard.into_js_value().unchecked_ref()));
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// Loads the model, without a second copy of the file in memory.
async fn load() -> Result<Comparer, JsValue> {
    let response = JsFuture::from(scope().fetch_with_str(FILE)).await?;
    let body = response.unchecked_into::<Response>().body();
    let options = ReadableStreamGetReaderOptions::new();
    options.set_mode(ReadableStreamReaderMode::Byob);
    let reader = body.ok_or("no file")?.get_reader_with_options(&options);
    let reader: ReadableStreamByobReader = reader.unchecked_into();
    let mut bytes = Vec::with_capacity(FILE_BYTES);
    let mut buffer = ArrayBuffer::new(PART_BYTES);
    loop {
        let read = reader.read_with_array_buffer_view(&Uint8Array::new(&buffer));
        let read = JsFuture::from(read).await?;
        if Reflect::get(&read, &"done".into())?.is_truthy() {
            break;
        }
        let part: Uint8Array = Reflect::get(&read, &"value".into())?.unchecked_into();
        bytes.extend(part.to_vec());
        buffer = part.buffer();
    }
    let model = SentenceModel::read(bytes).map_err(|error| error.to_string())?;
    Ok(Comparer::new(model))
}

/// Returns the cosine between the question and each text of a message, in order.
fn compare(model: &mut Comparer, message: &JsValue) -> Result<JsValue, JsValue> {
    let message = JSON::parse(&message.as_string().unwrap_or_default())?;
    let question = Reflect::get(&message, &"question".into())?.as_string();
    let texts = Array::from(&Reflect::get(&message, &"texts".into())?);
    let texts: Vec<String> = texts.iter().filter_map(|text| text.as_string()).collect();
    let cosines = model.cosines(&question.unwrap_or_default(), &texts);
    Ok(Float32Array::from(cosines.as_slice()).into())
}
