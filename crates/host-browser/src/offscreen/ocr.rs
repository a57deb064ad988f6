//! Processes screenshots. A canvas cuts and enlarges the screenshots, and Tesseract
//! (<https://github.com/naptha/tesseract.js>) recognises text. `cargo xtask build` copies
//! Tesseract's files to the folder `ocr/`.
//!
//! Tesseract's script is loaded when a text must be recognised for the first time. Tesseract's
//! engine is a `Worker`. It is started for each screenshot and ended afterwards, because it uses
//! about 100 MB.

use super::super::chrome::{address, error_message, fetch};
use super::super::object::{field, object, text_of};
use gloss_host::{
    RecognizedText, Region, ScreenshotError, ScreenshotRequest, ScreenshotResult, ScreenshotTarget,
    Script, Shot,
};
use js_sys::{Object, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};

#[wasm_bindgen]
extern "C" {
    /// The `Response` of a `fetch`.
    type Fetched;
    #[wasm_bindgen(method)]
    fn blob(this: &Fetched) -> Promise;
    #[wasm_bindgen(js_name = createImageBitmap)]
    fn create_bitmap(blob: &JsValue) -> Promise;
    /// A decoded picture, an `ImageBitmap`.
    type Picture;
    #[wasm_bindgen(method, getter)]
    fn width(this: &Picture) -> u32;
    #[wasm_bindgen(method, getter)]
    fn height(this: &Picture) -> u32;

    #[wasm_bindgen(js_namespace = document, js_name = createElement)]
    fn create_canvas(tag: &str) -> Canvas;
    type Canvas;
    #[wasm_bindgen(method, setter, js_name = width)]
    fn set_width(this: &Canvas, pixels: u32);
    #[wasm_bindgen(method, setter, js_name = height)]
    fn set_height(this: &Canvas, pixels: u32);
    #[wasm_bindgen(method, js_name = getContext)]
    fn context(this: &Canvas, kind: &str) -> Option<Context>;
    #[wasm_bindgen(method, catch, js_name = toDataURL)]
    fn data_url(this: &Canvas, kind: &str, quality: f64) -> Result<String, JsValue>;

    type Context;
    #[wasm_bindgen(method, setter, js_name = imageSmoothingQuality)]
    fn set_smoothing(this: &Context, quality: &str);
    #[wasm_bindgen(method, catch, js_name = drawImage)]
    fn draw(
        this: &Context,
        picture: &Picture,
        x: f64,
        y: f64,
        width: f64,
        height: f64,
        to_x: f64,
        to_y: f64,
        to_width: f64,
        to_height: f64,
    ) -> Result<(), JsValue>;

    #[wasm_bindgen(js_namespace = document, js_name = createElement)]
    fn create_script(tag: &str) -> ScriptElement;
    type ScriptElement;
    #[wasm_bindgen(method, setter, js_name = src)]
    fn set_source(this: &ScriptElement, url: &str);
    #[wasm_bindgen(method, setter, js_name = onload)]
    fn set_loaded(this: &ScriptElement, then: &JsValue);
    #[wasm_bindgen(method, setter, js_name = onerror)]
    fn set_failed(this: &ScriptElement, then: &JsValue);
    #[wasm_bindgen(js_namespace = ["document", "head"], js_name = append)]
    fn append(script: &ScriptElement);

    /// Creates the engine. The promise resolves when the engine and its data are loaded.
    #[wasm_bindgen(catch, js_namespace = ["Tesseract"], js_name = createWorker)]
    fn create_engine(language: &str, mode: u32, options: &Object) -> Result<Promise, JsValue>;
    type Recogniser;
    #[wasm_bindgen(method)]
    fn recognize(this: &Recogniser, picture: &Canvas) -> Promise;
    #[wasm_bindgen(method)]
    fn terminate(this: &Recogniser) -> Promise;
}

/// The folder of the package with Tesseract's files.
const FOLDER: &str = "ocr";
/// The engine mode that uses only the neural network.
const LSTM_ONLY: u32 = 1;
/// The minimum scale of a screenshot, in image pixels per CSS pixel. Below this scale, small
/// letters are hard to recognise, so the screenshot is enlarged.
const SHARP: f64 = 1.5;
/// The JPEG quality of images for a vision model. With this value, little detail is lost.
const JPEG_QUALITY: f64 = 0.85;

pub(super) async fn look(look: ScreenshotRequest) -> Result<ScreenshotResult, ScreenshotError> {
    let picture = decoded(&look.shot).await?;
    match look.aim {
        ScreenshotTarget::Cut(most_px) => {
            let part = Part::of(&picture, look.region);
            let scale = (f64::from(most_px) / part.width.max(part.height)).min(1.0);
            let url = part
                .drawn(&picture, scale)?
                .data_url("image/jpeg", JPEG_QUALITY);
            let url = url.map_err(|error| failed(&error))?;
            let (_, base64) = url.split_once(',').unwrap_or_default();
            Ok(ScreenshotResult::Cut(base64.to_owned()))
        }
        ScreenshotTarget::Read(script) => {
            let part = Part::of(&picture, look.region);
            let sharpness = look.shot.width.map_or(1.0, |width| {
                f64::from(picture.width()) / f64::from(width.max(1))
            });
            let scale = if sharpness < SHARP { 2.0 } else { 1.0 };
            read(&part.drawn(&picture, scale)?, script)
                .await
                .map(ScreenshotResult::Read)
        }
    }
}

/// Decodes a screenshot with `createImageBitmap`. The `decode()` of an `img` element isn't used,
/// because it never finishes in a page without a window.
async fn decoded(shot: &Shot) -> Result<Picture, ScreenshotError> {
    let done = async {
        let fetched = JsFuture::from(fetch(&shot.data_url)).await?;
        let blob = JsFuture::from(fetched.unchecked_into::<Fetched>().blob()).await?;
        JsFuture::from(create_bitmap(&blob)).await
    };
    let bitmap: Result<JsValue, JsValue> = done.await;
    Ok(bitmap.map_err(|error| failed(&error))?.unchecked_into())
}

/// A part of a picture, in pixels.
struct Part {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

impl Part {
    fn of(picture: &Picture, region: Region) -> Self {
        let (width, height) = (f64::from(picture.width()), f64::from(picture.height()));
        let (half_width, half_height) = ((width / 2.0).ceil(), (height / 2.0).ceil());
        let part = |x, y, width, height| Self {
            x,
            y,
            width,
            height,
        };
        match region {
            Region::Whole => part(0.0, 0.0, width, height),
            Region::Top => part(0.0, 0.0, width, half_height),
            Region::Bottom => part(0.0, height - half_height, width, half_height),
            Region::Left => part(0.0, 0.0, half_width, height),
            Region::Right => part(width - half_width, 0.0, half_width, height),
            Region::Centre => part(
                ((width - half_width) / 2.0).floor(),
                ((height - half_height) / 2.0).floor(),
                half_width,
                half_height,
            ),
        }
    }

    /// Draws this part of the picture, scaled by the factor `scale`.
    fn drawn(&self, picture: &Picture, scale: f64) -> Result<Canvas, ScreenshotError> {
        let canvas = create_canvas("canvas");
        let (width, height) = ((self.width * scale).round(), (self.height * scale).round());
        canvas.set_width(width as u32);
        canvas.set_height(height as u32);
        let context = canvas
            .context("2d")
            .ok_or_else(|| ScreenshotError::Failed {
                message: "no canvas".to_owned(),
            })?;
        context.set_smoothing("high");
        let drawn = context.draw(
            picture,
            self.x,
            self.y,
            self.width,
            self.height,
            0.0,
            0.0,
            width,
            height,
        );
        drawn.map_err(|error| failed(&error))?;
        Ok(canvas)
    }
}

/// The engine, as a promise that resolves when the engine is loaded. Dropping this ends the engine,
/// even while the engine is being loaded.
struct Engine(Promise);

impl Drop for Engine {
    fn drop(&mut self) {
        let made = JsFuture::from(self.0.clone());
        spawn_local(async move {
            if let Ok(engine) = made.await {
                let ended = engine.unchecked_into::<Recogniser>().terminate();
                // The engine may have ended already.
                let _ = JsFuture::from(ended).await;
            }
        });
    }
}

async fn read(picture: &Canvas, script: Script) -> Result<RecognizedText, ScreenshotError> {
    load().await?;
    let language = match script {
        Script::Latin => "eng",
        // Chinese is not combined with English, because Chinese text would be recognised worse.
        Script::Chinese => "chi_sim",
    };
    let folder = address(FOLDER);
    let options = object(&[
        ("workerPath", format!("{folder}/worker.min.js").into()),
        ("corePath", folder.clone().into()),
        ("langPath", folder.into()),
        ("workerBlobURL", false.into()),
        ("gzip", true.into()),
        ("cacheMethod", "none".into()),
    ]);
    let made = create_engine(language, LSTM_ONLY, &options).map_err(|error| failed(&error))?;
    let engine = Engine(made.clone());
    let made = JsFuture::from(made).await.map_err(|error| failed(&error))?;
    let made: Recogniser = made.unchecked_into();
    let seen = JsFuture::from(made.recognize(picture)).await;
    drop(engine);
    let data = field(&seen.map_err(|error| failed(&error))?, "data");
    let confidence = field(&data, "confidence").as_f64();
    Ok(RecognizedText {
        text: text_of(&data, "text"),
        confidence_percent: confidence.unwrap_or_default().clamp(0.0, 100.0).round() as u8,
    })
}

/// Loads Tesseract's script, unless it is loaded already.
async fn load() -> Result<(), ScreenshotError> {
    if !field(&js_sys::global(), "Tesseract").is_undefined() {
        return Ok(());
    }
    let loaded = Promise::new(&mut |resolve, reject| {
        let script = create_script("script");
        script.set_loaded(&resolve);
        script.set_failed(&reject);
        script.set_source(&address(&format!("{FOLDER}/tesseract.min.js")));
        append(&script);
    });
    match JsFuture::from(loaded).await {
        Ok(_) => Ok(()),
        Err(_) => Err(ScreenshotError::Failed {
            message: "the package contains no text recognition".to_owned(),
        }),
    }
}

fn failed(error: &JsValue) -> ScreenshotError {
    ScreenshotError::Failed {
        message: error_message(error),
    }
}
