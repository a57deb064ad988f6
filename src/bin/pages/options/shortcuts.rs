//! The keyboard shortcuts: Chrome's own, and those of the chat page.

use super::browser::{Shortcut, open_shortcuts, shortcuts as of_chrome};
use super::prelude::*;
use wasm_bindgen_futures::spawn_local;

/// The message keys of a shortcut's action, of its keys, and of the part of the page in which it
/// works.
const OURS: [[&str; 3]; 3] = [
    ["msg:send", "msg:key_enter", "msg:message"],
    ["msg:options_new_line", "msg:key_shift_enter", "msg:message"],
    ["msg:options_stop_key", "msg:key_escape", "msg:options_chat"],
];

/// Builds the section *Shortcuts*.
pub(crate) fn shortcuts() -> Tag {
    let chrome = create_signal(Vec::new());
    spawn_local(async move {
        let commands = of_chrome().await;
        if chrome.is_alive() {
            chrome.set(commands);
        }
    });
    let ours = OURS.map(|words| row(words.map(msg_of)));
    let of_chrome = live(move || {
        let row = |it: Shortcut| row([it.does, it.keys, msg("options_anywhere")]);
        chrome.get_clone().into_iter().map(row).collect::<Vec<_>>()
    });
    let heads = head_row([
        msg("options_does"),
        msg("options_keys"),
        msg("options_where"),
    ]);
    let table = scroll_table(
        msg("options_shortcuts"),
        heads,
        (of_chrome, Vec::from(ours)),
    );
    let table = table.role("group").class("scroll-x gap-3");
    let change = tag(
        "p.gap-2",
        button("", msg("options_change_shortcuts"), open_shortcuts),
    );
    section("shortcuts", msg("options_shortcuts"), (table, change))
}

fn row([does, keys, place]: [String; 3]) -> View {
    let keys = if keys.is_empty() {
        tag("span.meta", msg("options_no_key"))
    } else {
        tag("kbd", keys.replace('+', " "))
    };
    cell_row([does.into(), keys.into(), place.into()])
}
