//! Every conversation there is: by day, found by words, shown again by a press.
//! It takes the panel; Back or Esc comes back to where one was.

use crate::browser;
use crate::icon::icon;
use crate::live::{handler, live, live_text};
use crate::surface::{Surface, focus, said_by_person};
use crate::words::{counted, grouped, msg, msg_with};
use gloss::agent::Status;
use gloss::app::surface::{Command, Past};
use gloss::host::RunId;
use sycamore::prelude::*;

/// The button that lists them.
pub(crate) fn button() -> View {
    let surface = Surface::here();
    let (name, tip, clock) = (msg("history"), msg("history"), icon("clock"));
    view! {
        button(
            class="icon-btn",
            id="history",
            aria-label=name,
            title=tip,
            on:click=handler(move |_| surface.connection().ask(&Command::History)),
        ) { (clock) }
    }
}

/// The list, while it is open.
pub(crate) fn history() -> View {
    let surface = Surface::here();
    let past = surface.past;
    live(move || past.get_clone().map(|past| listed(&surface, &past)))
}

/// Closes it; the focus goes back to its button.
pub(crate) fn close(surface: &Surface) {
    surface.past.set(None);
    let _ = browser::focus_id("history");
}

fn listed(surface: &Surface, past: &[Past]) -> View {
    let wanted = create_signal(String::new());
    let found = {
        let past = past.to_vec();
        create_memo(move || {
            let words = wanted.with(|wanted| wanted.trim().to_lowercase());
            let fits =
                |past: &&Past| words.is_empty() || text_of(past).to_lowercase().contains(&words);
            past.iter().filter(fits).cloned().collect::<Vec<_>>()
        })
    };
    let field = create_node_ref();
    on_mount(move || focus(&field));
    let (back, keys, shown) = (surface.clone(), surface.clone(), surface.clone());
    let (title, back_name, back_tip, back_icon) =
        (msg("history"), msg("back"), msg("back"), icon("left"));
    let (search_name, search_hint, search_icon) =
        (msg("search_history"), msg("search_history"), icon("search"));
    let (kept, turn_off) = (msg("past_kept_here"), msg("past_turn_off"));
    let (anew, all) = (surface.clone(), past.len());
    let (new_name, new_tip, new_icon) = (msg("new_chat"), msg("new_chat"), icon("plus"));
    let count = live_text(move || {
        let found = found.with(Vec::len);
        if wanted.with(|wanted| wanted.trim().is_empty()) || found == 0 {
            return String::new();
        }
        let [found, all] = [found, all].map(|count| grouped(count as u64));
        msg_with("history_found", &[&found, &all])
    });
    let days = live(move || days(&shown, &found.get_clone()));
    view! {
        section(
            class="takes-panel",
            aria-labelledby="history-h",
            on:keydown=handler(move |event: web_sys::KeyboardEvent| {
                if event.key() == "Escape" && !event.is_composing() {
                    event.prevent_default();
                    close(&keys);
                }
            }),
        ) {
            header(class="bar") {
                button(
                    r#type="button",
                    class="icon-btn",
                    aria-label=back_name,
                    title=back_tip,
                    on:click=handler(move |_| close(&back)),
                ) { (back_icon) }
                h2(id="history-h", class="grow") { (title) }
                button(
                    r#type="button",
                    class="icon-btn",
                    aria-label=new_name,
                    title=new_tip,
                    on:click=handler(move |_| {
                        anew.past.set(None);
                        anew.new_chat();
                        anew.focus_message();
                    }),
                ) { (new_icon) }
            }
            div(class="log past") {
                div(class="search") {
                    (search_icon)
                    input(
                        r#type="search",
                        aria-label=search_name,
                        placeholder=search_hint,
                        r#ref=field,
                        bind:value=wanted,
                    )
                }
                p(class="meta", role="status") { (count) }
                (days)
                p(class="meta") {
                    (kept)
                    " "
                    a(href="options.html#privacy", target="_blank") { (turn_off) }
                }
            }
        }
    }
}

fn days(surface: &Surface, found: &[Past]) -> View {
    if found.is_empty() {
        let words = msg("history_empty");
        return view! { p(class="meta", role="status") { (words) } };
    }
    found
        .chunk_by(|one, other| browser::day(one.at_ms) == browser::day(other.at_ms))
        .map(|day| {
            let title = day
                .first()
                .map(|past| browser::day(past.at_ms))
                .unwrap_or_default();
            let rows: Vec<View> = day.iter().map(|past| row(surface, past)).collect();
            view! { h3(class="label") { (title) } ul { (rows) } }
        })
        .collect::<Vec<_>>()
        .into()
}

fn row(surface: &Surface, past: &Past) -> View {
    let words = said_by_person(&past.goal).unwrap_or_else(|| msg("continue"));
    let page = past.page.as_ref().map(|page| page.title.clone());
    let site = past.page.as_ref().map(|page| browser::host_of(&page.url));
    let turns = counted(["turns_one", "turns_many"], past.turns.into());
    let parts = [
        page,
        site,
        Some(turns),
        Some(browser::time_of_day(past.at_ms)),
    ];
    let meta = parts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    let (paused, conversation) = (past.paused.clone(), past.conversation.clone());
    let (tag, is_open) = (tag(past.status), is_open(past.status));
    let surface = surface.clone();
    let asking = create_signal(false);
    live(move || {
        if asking.get() {
            return erasing(&surface, &conversation, &words, asking);
        }
        let tag = tag.map(|(class, key)| {
            let word = msg(key);
            view! { span(class=class) { (word) } }
        });
        let resume = paused
            .clone()
            .map(|run| resume(&surface, &conversation, run));
        let erase = (!is_open).then(|| erase(&words, asking));
        let (title, meta) = (words.clone(), meta.clone());
        let (surface, conversation) = (surface.clone(), conversation.clone());
        view! {
            li {
                button(
                    r#type="button",
                    class="grow",
                    on:click=handler(move |_| show(&surface, &conversation)),
                ) {
                    span(class="clip") { (title) }
                    span(class="meta clip num") { (meta) }
                }
                (tag)
                (resume)
                (erase)
            }
        }
    })
}

fn show(surface: &Surface, conversation: &RunId) {
    surface.past.set(None);
    let conversation = conversation.clone();
    surface.connection().send(Command::Show { conversation });
    surface.focus_message();
}

/// Shows an unfinished conversation, and lets it go on.
fn resume(surface: &Surface, conversation: &RunId, run: RunId) -> View {
    let (surface, conversation, word) = (surface.clone(), conversation.clone(), msg("resume"));
    view! {
        button(
            r#type="button",
            class="btn tiny",
            on:click=handler(move |_| {
                show(&surface, &conversation);
                surface.connection().send(Command::Continue { run: run.clone() });
            }),
        ) { (word) }
    }
}

fn erase(words: &str, asking: Signal<bool>) -> View {
    let (name, sign) = (msg_with("past_erase", &[words]), icon("trash"));
    let tip = name.clone();
    view! {
        button(
            r#type="button",
            class="icon-btn tiny",
            aria-label=name,
            title=tip,
            on:click=handler(move |_| asking.set(true)),
        ) { (sign) }
    }
}

/// The row asks whether it is to go: there is no undo.
fn erasing(surface: &Surface, conversation: &RunId, words: &str, asking: Signal<bool>) -> View {
    let (surface, conversation) = (surface.clone(), conversation.clone());
    let [ask, erase, keep] = [
        msg_with("past_erase_ask", &[words]),
        msg("past_erase_do"),
        msg("past_erase_keep"),
    ];
    let field = create_node_ref();
    let name = ask.clone();
    on_mount(move || focus(&field));
    view! {
        li {
            div(role="group", class="row grow", aria-label=name) {
                span(class="grow clip") { (ask) }
                button(
                    r#type="button",
                    class="btn danger tiny",
                    on:click=handler(move |_| {
                        let conversation = conversation.clone();
                        surface.connection().ask(&Command::EraseConversation { conversation });
                    }),
                ) { (erase) }
                button(
                    r#type="button",
                    class="btn tiny",
                    r#ref=field,
                    on:click=handler(move |_| asking.set(false)),
                ) { (keep) }
            }
        }
    }
}

/// Whether it is at work, or waits for the person.
fn is_open(status: Status) -> bool {
    matches!(status, Status::Running | Status::AwaitingUser)
}

/// Only what is unfinished is marked.
fn tag(status: Status) -> Option<(&'static str, &'static str)> {
    match status {
        Status::Running => Some(("tag", "past_running")),
        Status::AwaitingUser => Some(("tag due", "status_waiting")),
        Status::Paused => Some(("tag", "past_unfinished")),
        Status::Failed => Some(("tag danger", "status_failed")),
        Status::Terminated(gloss::agent::Bound::Stopped) => Some(("tag", "status_stopped")),
        Status::Completed | Status::Terminated(_) => None,
    }
}

fn text_of(past: &Past) -> String {
    let words = said_by_person(&past.goal).unwrap_or_default();
    match &past.page {
        Some(page) => format!("{words} {} {}", page.title, page.url),
        None => words,
    }
}
