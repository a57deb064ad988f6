//! Words for people: every one comes from `_locales`, and only through here.

use crate::chrome;
use gloss::phrase::{Phrase, Said};
use js_sys::Array;
use sycamore::prelude::*;
use wasm_bindgen::JsValue;

/// A message.
pub(crate) fn msg(key: &str) -> String {
    msg_with(key, &[])
}

/// The message of a key that stands in a table, marked `msg:`.
pub(crate) fn msg_of(marked: &str) -> String {
    msg_of_with(marked, &[])
}

/// The same with the values of `$1`, `$2`, …
pub(crate) fn msg_of_with(marked: &str, args: &[&str]) -> String {
    let (_, key) = marked.split_once(':').unwrap_or_default();
    msg_with(key, args)
}

/// A message with the values of `$1`, `$2`, …
pub(crate) fn msg_with(key: &str, args: &[&str]) -> String {
    let args: Array = args.iter().map(|arg| JsValue::from_str(arg)).collect();
    let text = chrome::message(key, &args);
    // A missing message shows its key rather than nothing.
    if text.is_empty() {
        key.to_owned()
    } else {
        text
    }
}

/// What the core said.
pub(crate) fn said(phrase: &Phrase) -> String {
    let args: Vec<&str> = phrase.args.iter().map(String::as_str).collect();
    msg_with(&phrase.key, &args)
}

/// A message about a number: the first for one, the second for any other.
pub(crate) fn counted([one, many]: [&str; 2], count: u64) -> String {
    let key = if count == 1 { one } else { many };
    msg_with(key, &[&grouped(count)])
}

/// A number with its thousands apart, as in 2,140.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A span of time, as in 0.3 s, 42 s, 3 min.
pub(crate) fn span(ms: u64) -> String {
    match ms {
        0..10_000 => {
            let tenths = (ms + 50) / 100;
            let text = format!("{}.{}", tenths / 10, tenths % 10);
            msg_with("seconds", &[&text])
        }
        10_000..120_000 => msg_with("seconds", &[&(ms / 1000).to_string()]),
        _ => msg_with("minutes", &[&(ms / 60_000).to_string()]),
    }
}

/// How long a page of so many words takes to read, in whole minutes. Chinese
/// is counted in characters, of which people read about 400 a minute.
pub(crate) fn reading_minutes(title: &str, words: u32) -> u64 {
    let a_minute = if is_chinese(title) { 400 } else { 230 };
    u64::from((words + a_minute / 2) / a_minute).max(1)
}

/// Whether a title is Chinese.
pub(crate) fn is_chinese(title: &str) -> bool {
    title
        .chars()
        .any(|letter| ('\u{4e00}'..='\u{9fff}').contains(&letter))
}

/// What the core or a model said.
pub(crate) fn words_of(said_so: &Said) -> String {
    match said_so {
        Said::Phrase(phrase) => said(phrase),
        Said::Words(words) => words.clone(),
    }
}

/// Words whose days, as in 2026-11-21, break at no hyphen.
pub(crate) fn days_whole(words: &str) -> View {
    const LENGTH: usize = "2026-11-21".len();
    let is_day = |text: &str| {
        let mut letters = text.chars().enumerate();
        letters.all(|(at, it)| match at {
            4 | 7 => it == '-',
            _ => it.is_ascii_digit(),
        })
    };
    let mut views: Vec<View> = Vec::new();
    let mut rest = words;
    while let Some((before, day, after)) = rest.char_indices().find_map(|(at, _)| {
        let day = rest.get(at..at + LENGTH).filter(|it| is_day(it))?;
        Some((rest.get(..at)?, day, rest.get(at + LENGTH..)?))
    }) {
        let (before, day) = (before.to_owned(), day.to_owned());
        views.push(view! { (before) span(class="day") { (day) } });
        rest = after;
    }
    views.push(View::from(rest.to_owned()));
    views.into()
}
