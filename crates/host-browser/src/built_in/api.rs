//! Bindings for `LanguageModel`, following the API's explainer and IDL
//! (<https://github.com/webmachinelearning/prompt-api>, June 2026). `contextUsage` and
//! `measureContextUsage` have other names in older browsers. In those browsers, token counts are
//! missing.
//!
//! A session is always ended with an `AbortSignal`, which also destroys the session. `abort` is a
//! JavaScript function, so it can still be called after this wasm instance has panicked.

use super::super::chrome::{error_message, settled};
use super::super::object::{bytes_of_base64, field, object, set, text_of};
use futures::stream::{self, LocalBoxStream};
use futures::{Stream, StreamExt};
use gloss_host::{BuiltInError, Prompt, PromptEvent, PromptMessage, PromptRole, Sampling};
use js_sys::{Array, Function, JSON, Object, Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{ReadableStream, ReadableStreamDefaultReader};

#[wasm_bindgen]
extern "C" {
    /// A session of the browser's model.
    #[derive(Clone)]
    type LanguageModel;
    #[wasm_bindgen(catch, static_method_of = LanguageModel)]
    fn availability(options: &Object) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, static_method_of = LanguageModel)]
    fn create(options: &Object) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch, js_name = promptStreaming)]
    fn prompt_streaming(
        this: &LanguageModel,
        input: &Array,
        options: &Object,
    ) -> Result<ReadableStream, JsValue>;
    #[wasm_bindgen(method, catch, js_name = measureContextUsage)]
    fn measure(this: &LanguageModel, input: &Array, options: &Object) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, getter, js_name = contextUsage)]
    fn usage(this: &LanguageModel) -> Option<f64>;
    #[wasm_bindgen(method)]
    fn destroy(this: &LanguageModel);
    #[wasm_bindgen(method, getter, js_name = destroy)]
    fn destroyer(this: &LanguageModel) -> Function;

    type AbortController;
    #[wasm_bindgen(constructor)]
    fn new() -> AbortController;
    #[wasm_bindgen(method, getter)]
    fn abort(this: &AbortController) -> Function;
    #[wasm_bindgen(method, getter)]
    fn signal(this: &AbortController) -> Target;

    /// An object with event listeners, such as an `AbortSignal`.
    type Target;
    #[wasm_bindgen(method, js_name = addEventListener)]
    fn listen(this: &Target, event: &str, listener: &Function);

    /// The `ProgressEvent` of a download.
    type Progress;
    #[wasm_bindgen(method, getter)]
    fn loaded(this: &Progress) -> f64;
}

/// The availability of the browser's model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Availability {
    /// The browser has no model, or no model that runs on this device.
    Unavailable,
    /// The model must be downloaded first.
    Downloadable,
    /// The model is being downloaded.
    Downloading,
    /// The model can be used.
    Available,
}

impl Availability {
    fn of(said: &JsValue) -> Self {
        match said.as_string().as_deref() {
            Some("available") => Self::Available,
            Some("downloading") => Self::Downloading,
            Some("downloadable") => Self::Downloadable,
            _ => Self::Unavailable,
        }
    }

    fn or_error(self) -> Result<(), BuiltInError> {
        match self {
            Self::Unavailable => Err(BuiltInError::Unavailable),
            Self::Downloadable => Err(BuiltInError::Downloadable),
            Self::Downloading => Err(BuiltInError::Downloading),
            Self::Available => Ok(()),
        }
    }
}

/// Returns true if the API exists in this worker or page.
pub(super) fn exists() -> bool {
    !field(&js_sys::global(), "LanguageModel").is_undefined()
}

/// Returns the availability of the model for sessions with text.
pub async fn available() -> Availability {
    if !exists() {
        return Availability::Unavailable;
    }
    let said = available_for(&Object::new()).await;
    said.unwrap_or(Availability::Unavailable)
}

async fn available_for(options: &Object) -> Result<Availability, JsValue> {
    let said = settled(LanguageModel::availability(options)).await?;
    Ok(Availability::of(&said))
}

/// Asks the browser to download its model. `progress` is called with the downloaded share, between
/// 0 and 1. Call this in a click handler before the handler's first await. The browser starts a
/// download only for a click of the user.
///
/// # Errors
/// The browser doesn't start the download, or the download fails.
pub fn download(
    progress: impl FnMut(f64) + 'static,
) -> impl Future<Output = Result<(), BuiltInError>> {
    let mut progress = progress;
    let heard = Closure::<dyn FnMut(Progress)>::new(move |event: Progress| {
        progress(event.loaded());
    })
    .into_js_value();
    let monitor = Closure::once_into_js(move |monitor: Target| {
        monitor.listen("downloadprogress", heard.unchecked_ref());
    });
    let options = object(&[("monitor", monitor)]);
    let made = LanguageModel::create(&options).map(JsFuture::from);
    async move {
        let made = made.map_err(|error| error_of(&error))?;
        let session = made.await.map_err(|error| error_of(&error))?;
        session.unchecked_into::<LanguageModel>().destroy();
        Ok(())
    }
}

/// A guard that aborts a session when dropped.
struct Release(Function);

impl Drop for Release {
    fn drop(&mut self) {
        // `abort` never throws, and a second call has no effect.
        let _ = self.0.call0(&JsValue::UNDEFINED);
    }
}

/// A session that is streaming its answer.
struct Answering {
    session: LanguageModel,
    reader: ReadableStreamDefaultReader,
    /// The number of input tokens.
    read: Option<f64>,
    _release: Release,
}

/// Prompts a new session. `hold` gets the function that ends the session, and registers this
/// function with the boot script, which calls it after a panic. `hold` returns the function with
/// which this code must end the session.
pub(in super::super) fn prompt(
    prompt: Prompt,
    hold: impl FnOnce(&Function) -> Function + 'static,
) -> LocalBoxStream<'static, Result<PromptEvent, BuiltInError>> {
    let begun = async move {
        match begin(&prompt, hold).await {
            Ok(answering) => answer(answering).left_stream(),
            Err(error) => stream::iter([Err(error)]).right_stream(),
        }
    };
    stream::once(begun).flatten().boxed_local()
}

async fn begin(
    prompt: &Prompt,
    hold: impl FnOnce(&Function) -> Function,
) -> Result<Answering, BuiltInError> {
    if !exists() {
        return Err(BuiltInError::Unavailable);
    }
    let options = session_options(prompt);
    supported(&options, prompt).await?;
    let controller = AbortController::new();
    let signal = controller.signal();
    let release = Release(hold(&controller.abort().bind0(&controller)));
    let Some((last, earlier)) = prompt.messages.split_last() else {
        let message = "nothing is asked".to_owned();
        return Err(BuiltInError::Refused { message });
    };
    let earlier: Array = messages(earlier)?;
    set(&options, "initialPrompts", &earlier);
    set(&options, "signal", &signal);
    let created = settled(LanguageModel::create(&options)).await;
    let session = created.map_err(|error| match error_of(&error) {
        _ if text_of(&error, "name") == "NotAllowedError" => BuiltInError::Downloadable,
        error => error,
    })?;
    let session: LanguageModel = session.unchecked_into();
    signal.listen("abort", &session.destroyer().bind0(&session));
    let asked = messages(std::slice::from_ref(last))?;
    let options = prompt_options(prompt);
    let read = tokens_of(&session, &asked, &options).await;
    set(&options, "signal", &signal);
    let stream = session
        .prompt_streaming(&asked, &options)
        .map_err(|error| error_of(&error))?;
    Ok(Answering {
        reader: stream.get_reader().unchecked_into(),
        session,
        read,
        _release: release,
    })
}

fn answer(answering: Answering) -> impl Stream<Item = Result<PromptEvent, BuiltInError>> {
    stream::unfold(Some(answering), |state| async move {
        let answering = state?;
        let read = JsFuture::from(answering.reader.read()).await;
        let said = match read {
            Err(error) => Err(error_of(&error)),
            Ok(read) if field(&read, "done").is_truthy() => Ok(answering.whole()),
            Ok(read) => {
                let words = PromptEvent::Words(text_of(&read, "value"));
                return Some((Ok(words), Some(answering)));
            }
        };
        Some((said, None))
    })
}

impl Answering {
    fn whole(&self) -> PromptEvent {
        let count = |tokens: f64| (tokens > 0.0).then_some(tokens as u32);
        let written = self.session.usage().zip(self.read);
        PromptEvent::Whole {
            input_tokens: self.read.and_then(count),
            output_tokens: written.and_then(|(all, read)| count(all - read)),
        }
    }
}

/// Returns the number of input tokens of the conversation, including this prompt. Returns `None` if
/// the browser can't count tokens.
async fn tokens_of(session: &LanguageModel, asked: &Array, options: &Object) -> Option<f64> {
    let measured = settled(session.measure(asked, options)).await.ok()?;
    Some(session.usage()? + measured.as_f64()?)
}

/// Fails if the browser can't create a session with these options. If the browser supports all
/// options except images, the error names images.
async fn supported(options: &Object, prompt: &Prompt) -> Result<(), BuiltInError> {
    let of = |options| async move {
        let found = available_for(options).await;
        found.map_err(|error| error_of(&error))
    };
    let found = of(options).await?;
    if found == Availability::Unavailable
        && has_images(prompt)
        && of(&Object::new()).await? == Availability::Available
    {
        let message = "this model takes no images".to_owned();
        return Err(BuiltInError::Refused { message });
    }
    found.or_error()
}

fn has_images(prompt: &Prompt) -> bool {
    prompt.messages.iter().any(|it| !it.images.is_empty())
}

/// Returns the options for both `availability` and `create`.
fn session_options(prompt: &Prompt) -> Object {
    let options = Object::new();
    if has_images(prompt) {
        let kinds = ["text", "image"].map(|kind| object(&[("type", kind.into())]));
        set(&options, "expectedInputs", &kinds.iter().collect::<Array>());
    }
    match prompt.sampling {
        Sampling::Usual => {}
        Sampling::MostPredictable => set(&options, "samplingMode", &"most-predictable".into()),
    }
    options
}

fn prompt_options(prompt: &Prompt) -> Object {
    let options = Object::new();
    let schema = prompt.schema.as_ref();
    // The conversion can't fail, because the schema is JSON.
    if let Some(schema) = schema.and_then(|schema| JSON::parse(&schema.to_string()).ok()) {
        set(&options, "responseConstraint", &schema);
    }
    options
}

fn messages(all: &[PromptMessage]) -> Result<Array, BuiltInError> {
    all.iter().map(message).collect()
}

fn message(message: &PromptMessage) -> Result<Object, BuiltInError> {
    let role = match message.role {
        PromptRole::System => "system",
        PromptRole::User => "user",
        PromptRole::Assistant => "assistant",
    };
    let part = |kind: &str, value: JsValue| object(&[("type", kind.into()), ("value", value)]);
    let content = if message.images.is_empty() {
        JsValue::from(&message.text)
    } else {
        let content = Array::of1(&part("text", (&message.text).into()));
        for (_, base64) in &message.images {
            let bytes = bytes_of_base64(base64).map_err(|error| error_of(&error))?;
            content.push(&part("image", Uint8Array::from(&bytes[..]).into()));
        }
        content.into()
    };
    Ok(object(&[("role", role.into()), ("content", content)]))
}

/// Converts an exception by its name, because the API specifies the names of exceptions.
fn error_of(error: &JsValue) -> BuiltInError {
    let name = text_of(error, "name");
    let said = error_message(error);
    let message = if said.is_empty() { name.clone() } else { said };
    match name.as_str() {
        "QuotaExceededError" => BuiltInError::TooLong { message },
        "NotSupportedError" | "NotAllowedError" | "NotReadableError" | "EncodingError"
        | "SyntaxError" | "TypeError" => BuiltInError::Refused { message },
        _ => BuiltInError::Failed { message },
    }
}
