//! What the pages ask of the browser besides `chrome.*`: time, frames, focus, the clipboard.

use gloss::agent::System;
use js_sys::{Date, Reflect};
use std::cell::RefCell;
use std::rc::Rc;
use sycamore::prelude::NodeRef;
use sycamore::web::window;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// Milliseconds since the Unix epoch.
pub(crate) fn now_ms() -> u64 {
    Date::now() as u64
}

/// Calls `then` once, after `ms` milliseconds.
pub(crate) fn after(ms: i32, then: impl FnOnce() + 'static) {
    let callback = Closure::once_into_js(then);
    // Fails only if the callback were no function.
    let _ = window()
        .set_timeout_with_callback_and_timeout_and_arguments_0(callback.unchecked_ref(), ms);
}

/// Calls `then` before the next frame is painted.
pub(crate) fn next_frame(then: impl FnOnce() + 'static) {
    let callback = Closure::once_into_js(then);
    let _ = window().request_animation_frame(callback.unchecked_ref());
}

/// A new unique id.
pub(crate) fn unique_id() -> String {
    window()
        .crypto()
        .map(|crypto| crypto.random_uuid())
        .unwrap_or_default()
}

/// The local time of day, as in 14:06.
pub(crate) fn time_of_day(at_ms: u64) -> String {
    let date = Date::new(&JsValue::from_f64(at_ms as f64));
    format!("{:02}:{:02}", date.get_hours(), date.get_minutes())
}

/// The local time of day, as in 14:05:52.
pub(crate) fn time_to_the_second(at_ms: u64) -> String {
    let date = Date::new(&JsValue::from_f64(at_ms as f64));
    format!("{}:{:02}", time_of_day(at_ms), date.get_seconds())
}

/// The host of an address, without "www."; the address itself if it has none.
pub(crate) fn host_of(url: &str) -> String {
    let host = web_sys::Url::new(url).map(|url| url.host());
    match host {
        Ok(host) if !host.is_empty() => host.strip_prefix("www.").unwrap_or(&host).to_owned(),
        _ => url.to_owned(),
    }
}

/// Puts text on the clipboard; `then` is called once it is there.
pub(crate) fn copy(text: &str, then: impl FnOnce() + 'static) {
    let written = window().navigator().clipboard().write_text(text);
    wasm_bindgen_futures::spawn_local(async move {
        if JsFuture::from(written).await.is_ok() {
            then();
        }
    });
}

/// Whether the page can be seen.
pub(crate) fn is_visible() -> bool {
    sycamore::web::document().visibility_state() == web_sys::VisibilityState::Visible
}

/// Calls `then` on each such event, for as long as the page lives.
pub(crate) fn listen<E: JsCast>(
    target: &web_sys::EventTarget,
    name: &str,
    then: impl Fn(E) + 'static,
) {
    listen_to(
        target,
        name,
        Box::new(move |event| then(event.unchecked_into())),
    );
}

fn listen_to(target: &web_sys::EventTarget, name: &str, then: Box<dyn Fn(web_sys::Event)>) {
    let listener = Closure::<dyn Fn(web_sys::Event)>::new(then);
    // Fails only for an event name that is none.
    let _ = target.add_event_listener_with_callback(name, listener.as_ref().unchecked_ref());
    listener.forget();
}

/// The same for an event of the whole document.
pub(crate) fn on_document<E: JsCast>(name: &str, then: impl Fn(E) + 'static) {
    listen(&sycamore::web::document(), name, then);
}

/// Calls `then` whenever the page can be seen again.
pub(crate) fn on_seen(then: impl Fn() + 'static) {
    on_document("visibilitychange", move |_: web_sys::Event| {
        if is_visible() {
            then();
        }
    });
}

/// Text in an object of JavaScript; empty where there is none.
pub(crate) fn text_of(object: &JsValue, key: &str) -> String {
    let value = Reflect::get(object, &JsValue::from_str(key)).unwrap_or_default();
    value.as_string().unwrap_or_default()
}

/// Whether a property of an object of JavaScript is there and not false.
pub(crate) fn is_truthy(object: &JsValue, key: &str) -> bool {
    let value = Reflect::get(object, &JsValue::from_str(key));
    value.is_ok_and(|value| value.is_truthy())
}

/// The value of an event's control.
pub(crate) fn value(event: &web_sys::Event) -> String {
    text_of(&event.target().into(), "value")
}

/// Whether an event's switch or box is on.
pub(crate) fn is_checked(event: &web_sys::Event) -> bool {
    is_truthy(&event.target().into(), "checked")
}

/// The element that an event is about.
pub(crate) fn target(event: &web_sys::Event) -> Option<web_sys::Element> {
    event.target().and_then(|target| target.dyn_into().ok())
}

/// Whether Escape was pressed, and not to leave an input method.
pub(crate) fn is_escape(event: &web_sys::KeyboardEvent) -> bool {
    event.key() == "Escape" && !event.is_composing()
}

/// The system this browser runs on, where its settings are known.
pub(crate) fn system() -> Option<System> {
    let agent = window().navigator().user_agent();
    let agent = agent.unwrap_or_default().to_lowercase();
    [
        ("mac os x", System::MacOs),
        ("windows", System::Windows),
        ("linux", System::Linux),
    ]
    .into_iter()
    .find(|(word, _)| agent.contains(word))
    .map(|(_, system)| system)
}

/// The day, in the page's language, as in "21 November 2026".
pub(crate) fn day(at_ms: u64) -> String {
    shown(
        at_ms,
        &[("day", "numeric"), ("month", "long"), ("year", "numeric")],
    )
}

fn shown(at_ms: u64, parts: &[(&str, &str)]) -> String {
    let date = Date::new(&JsValue::from_f64(at_ms as f64));
    let how = js_sys::Object::new();
    for &(part, style) in parts {
        // Setting a property of a fresh object can't fail.
        let _ = js_sys::Reflect::set(&how, &part.into(), &style.into());
    }
    let language = crate::words::msg("language_tag");
    String::from(date.to_locale_date_string(&language, &how))
}

/// A day without a change of the clocks.
pub(crate) const DAY_MS: u64 = 86_400_000;

/// When the day of an instant began, by this computer's clock.
pub(crate) fn midnight(at_ms: u64) -> u64 {
    let date = Date::new(&JsValue::from_f64(at_ms as f64));
    date.set_hours(0);
    date.set_minutes(0);
    date.set_seconds(0);
    date.set_milliseconds(0);
    date.get_time() as u64
}

/// As in "21 Nov".
pub(crate) fn day_and_month(at_ms: u64) -> String {
    shown(at_ms, &[("day", "numeric"), ("month", "short")])
}

/// Gives the focus to the element of this id; false where none can take it.
pub(crate) fn focus_id(id: &str) -> bool {
    let element = sycamore::web::document().get_element_by_id(id);
    let element = element.and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok());
    element.is_some_and(|it| !it.has_attribute("disabled") && it.focus().is_ok())
}

/// The first of these ids that is there takes the focus, once the page is painted.
pub(crate) fn focus_later(ids: Vec<String>) {
    next_frame(move || {
        let _ = ids.iter().any(|id| focus_id(id));
    });
}

/// Whether nothing has the focus.
fn is_focus_free() -> bool {
    let active = sycamore::web::document().active_element();
    active.is_none_or(|active| active.tag_name() == "BODY")
}

/// What last took the focus.
#[derive(Clone, Default)]
pub(crate) struct LastFocus(Rc<RefCell<Option<web_sys::Element>>>);

impl LastFocus {
    /// Listens from now on.
    pub(crate) fn heard() -> Self {
        let last = Self::default();
        let kept = last.clone();
        on_document("focusin", move |event: web_sys::Event| {
            *kept.0.borrow_mut() = target(&event);
        });
        last
    }

    /// Whether the focus went with what had it: that is gone, or can no longer be used.
    /// Who let it go, by a press on what takes none, has left it where it was.
    pub(crate) fn is_lost(&self) -> bool {
        let last = self.0.borrow();
        let gone =
            |it: &web_sys::Element| !it.is_connected() || it.matches(":disabled") == Ok(true);
        is_focus_free() && last.as_ref().is_some_and(gone)
    }
}

/// A held Enter presses a button once, not as often as the key repeats.
pub(crate) fn press_once() {
    on_document("keydown", |event: web_sys::KeyboardEvent| {
        let on_button = target(&event).is_some_and(|it| it.tag_name() == "BUTTON");
        if event.repeat() && event.key() == "Enter" && on_button {
            event.prevent_default();
        }
    });
}

/// The day as files are named by it, as in 2026-11-21.
pub(crate) fn date(at_ms: u64) -> String {
    let date = Date::new(&JsValue::from_f64(at_ms as f64));
    let (year, month, day) = (date.get_full_year(), date.get_month() + 1, date.get_date());
    format!("{year}-{month:02}-{day:02}")
}

/// Loads the page again.
pub(crate) fn reload() {
    // Fails only in a page that is being closed.
    let _ = window().location().reload();
}

/// The element of a reference, once it is on the page.
pub(crate) fn html_element(node: NodeRef) -> Option<web_sys::HtmlElement> {
    node.try_get()?.dyn_into().ok()
}
