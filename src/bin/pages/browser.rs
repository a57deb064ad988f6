//! Browser functions other than `chrome.*`: time, animation frames, focus, and the clipboard.

use gloss::agent::System;
use gloss::host_browser::object::{is_truthy, object, text_of};
use js_sys::Date;
use std::cell::RefCell;
use std::rc::Rc;
use sycamore::prelude::NodeRef;
use sycamore::web::window;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// Returns the current time, in milliseconds since the Unix epoch.
pub(crate) fn now_ms() -> u64 {
    Date::now() as u64
}

/// Calls `then` once, after `ms` milliseconds.
pub(crate) fn after(ms: i32, then: impl FnOnce() + 'static) {
    let callback = Closure::once_into_js(then);
    // The call fails only if the callback is not a function.
    let _ = window()
        .set_timeout_with_callback_and_timeout_and_arguments_0(callback.unchecked_ref(), ms);
}

/// Calls `then` before the next frame is painted.
pub(crate) fn next_frame(then: impl FnOnce() + 'static) {
    let callback = Closure::once_into_js(then);
    let _ = window().request_animation_frame(callback.unchecked_ref());
}

pub(crate) fn unique_id() -> String {
    window()
        .crypto()
        .map(|crypto| crypto.random_uuid())
        .unwrap_or_default()
}

/// Returns the local time of day, as in `14:06`.
pub(crate) fn time_of_day(at_ms: u64) -> String {
    let date = Date::new(&JsValue::from_f64(at_ms as f64));
    format!("{:02}:{:02}", date.get_hours(), date.get_minutes())
}

/// Returns the local time of day with seconds, as in `14:05:52`.
pub(crate) fn time_to_the_second(at_ms: u64) -> String {
    let date = Date::new(&JsValue::from_f64(at_ms as f64));
    format!("{}:{:02}", time_of_day(at_ms), date.get_seconds())
}

/// Returns the host of an address, without `www.`. If the address has no host, returns the address
/// itself.
pub(crate) fn host_of(url: &str) -> String {
    let host = web_sys::Url::new(url).map(|url| url.host());
    match host {
        Ok(host) if !host.is_empty() => host.strip_prefix("www.").unwrap_or(&host).to_owned(),
        _ => url.to_owned(),
    }
}

/// Returns an address as the browser reads it, without its scheme: the recipients of an email, or
/// host, path, query and fragment. Escapes are decoded only if no hidden character is among them.
pub(crate) fn address_of(url: &str) -> String {
    let Ok(parts) = web_sys::Url::new(url) else {
        return url.to_owned();
    };
    let rest = [parts.pathname(), parts.search(), parts.hash()].concat();
    let decoded = js_sys::decode_uri(&rest).map(String::from);
    let rest = decoded
        .ok()
        .filter(|it| gloss::markdown::line(it) == *it)
        .unwrap_or(rest);
    let host = parts.host();
    let host = host.strip_prefix("www.").unwrap_or(&host);
    let address = format!("{host}{rest}");
    address.trim_end_matches('/').to_owned()
}

/// Copies text to the clipboard, and then calls `then`.
pub(crate) fn copy(text: &str, then: impl FnOnce() + 'static) {
    let written = window().navigator().clipboard().write_text(text);
    wasm_bindgen_futures::spawn_local(async move {
        if JsFuture::from(written).await.is_ok() {
            then();
        }
    });
}

pub(crate) fn is_visible() -> bool {
    sycamore::web::document().visibility_state() == web_sys::VisibilityState::Visible
}

/// Calls `then` on each event of this name. The listener is never removed.
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
    // The call fails only for an invalid event name.
    let _ = target.add_event_listener_with_callback(name, listener.as_ref().unchecked_ref());
    listener.forget();
}

/// Calls `then` on each event of this name in the document.
pub(crate) fn on_document<E: JsCast>(name: &str, then: impl Fn(E) + 'static) {
    listen(&sycamore::web::document(), name, then);
}

/// Calls `then` whenever the page becomes visible again.
pub(crate) fn on_seen(then: impl Fn() + 'static) {
    on_document("visibilitychange", move |_: web_sys::Event| {
        if is_visible() {
            then();
        }
    });
}

/// Returns the value of the control that an event is about.
pub(crate) fn value(event: &web_sys::Event) -> String {
    text_of(&event.target().into(), "value")
}

/// Returns true if the switch or checkbox that an event is about is on.
pub(crate) fn is_checked(event: &web_sys::Event) -> bool {
    is_truthy(&event.target().into(), "checked")
}

/// Returns the element at which an event happened.
pub(crate) fn target(event: &web_sys::Event) -> Option<web_sys::Element> {
    event.target().and_then(|target| target.dyn_into().ok())
}

/// Returns true if Escape was pressed. Escape that closes an input method's window doesn't count.
pub(crate) fn is_escape(event: &web_sys::KeyboardEvent) -> bool {
    event.key() == "Escape" && !event.is_composing()
}

/// Returns the operating system of this browser; `None` if [`System`] doesn't list it.
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

/// Returns the date in the language of the interface, as in "21 November 2026".
pub(crate) fn day(at_ms: u64) -> String {
    shown(
        at_ms,
        [("day", "numeric"), ("month", "long"), ("year", "numeric")],
    )
}

fn shown<const N: usize>(at_ms: u64, parts: [(&str, &str); N]) -> String {
    let date = Date::new(&JsValue::from_f64(at_ms as f64));
    let parts = parts.map(|(part, style)| (part, style.into()));
    let language = crate::words::msg("language_tag");
    String::from(date.to_locale_date_string(&language, &object(&parts)))
}

/// The length of a day without a change to or from summer time, in milliseconds.
pub(crate) const DAY_MS: u64 = 86_400_000;

/// Returns the local midnight before a time, in milliseconds since the Unix epoch.
pub(crate) fn midnight(at_ms: u64) -> u64 {
    let date = Date::new(&JsValue::from_f64(at_ms as f64));
    date.set_hours(0);
    date.set_minutes(0);
    date.set_seconds(0);
    date.set_milliseconds(0);
    date.get_time() as u64
}

/// Returns the local day and month, as in "21 Nov".
pub(crate) fn day_and_month(at_ms: u64) -> String {
    shown(at_ms, [("day", "numeric"), ("month", "short")])
}

/// Focuses the element with this id. Returns false if no such element can take the focus.
pub(crate) fn focus_id(id: &str) -> bool {
    let element = sycamore::web::document().get_element_by_id(id);
    let element = element.and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok());
    element.is_some_and(|it| !it.has_attribute("disabled") && it.focus().is_ok())
}

/// In the next frame, focuses the first of these elements that can take the focus.
pub(crate) fn focus_later(ids: Vec<String>) {
    next_frame(move || {
        let _ = ids.iter().any(|id| focus_id(id));
    });
}

fn is_focus_free() -> bool {
    let active = sycamore::web::document().active_element();
    active.is_none_or(|active| active.tag_name() == "BODY")
}

/// The element that had the focus last.
#[derive(Clone, Default)]
pub(crate) struct LastFocus(Rc<RefCell<Option<web_sys::Element>>>);

impl LastFocus {
    /// Starts to listen for focus changes.
    pub(crate) fn heard() -> Self {
        let last = Self::default();
        let kept = last.clone();
        on_document("focusin", move |event: web_sys::Event| {
            *kept.0.borrow_mut() = target(&event);
        });
        last
    }

    /// Returns true if the element that had the focus was removed or disabled. Returns false if
    /// the user clicked on something that can't take the focus.
    pub(crate) fn is_lost(&self) -> bool {
        let last = self.0.borrow();
        let gone =
            |it: &web_sys::Element| !it.is_connected() || it.matches(":disabled") == Ok(true);
        is_focus_free() && last.as_ref().is_some_and(gone)
    }
}

/// Makes Enter press a button only once while the user holds the key down.
pub(crate) fn press_once() {
    on_document("keydown", |event: web_sys::KeyboardEvent| {
        let on_button = target(&event).is_some_and(|it| it.tag_name() == "BUTTON");
        if event.repeat() && event.key() == "Enter" && on_button {
            event.prevent_default();
        }
    });
}

/// Returns the date as it is used in file names: `2026-11-21`.
pub(crate) fn date(at_ms: u64) -> String {
    let date = Date::new(&JsValue::from_f64(at_ms as f64));
    let (year, month, day) = (date.get_full_year(), date.get_month() + 1, date.get_date());
    format!("{year}-{month:02}-{day:02}")
}

pub(crate) fn reload() {
    // The call fails only in a page that is being closed.
    let _ = window().location().reload();
}

/// Returns the element of a node reference; `None` before the element is on the page.
pub(crate) fn html_element(node: NodeRef) -> Option<web_sys::HtmlElement> {
    node.try_get()?.dyn_into().ok()
}
