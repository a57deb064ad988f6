//! The list of all conversations, by day and with a search. A click on a conversation opens it.
//! The list covers the whole panel; *Back* or Esc closes the list.

use crate::browser::{self, is_escape};
use crate::prelude::*;
use crate::surface::{Surface, focus};
use crate::words::editable_text;
use gloss::agent::{Bound, Status};
use gloss::app::surface::{Command, ConversationSummary};
use gloss::durable::RunId;

/// The button that opens the list.
pub(crate) fn history_button() -> Tag {
    let surface = Surface::from_context();
    let ask = move || surface.connection().ask(&Command::History);
    icon_button("", "clock", msg("history"), ask).id("history")
}

pub(crate) fn history() -> View {
    let surface = Surface::from_context();
    let past = surface.past;
    live(move || past.get_clone().map(|past| listed(&surface, past)))
}

/// Closes the list, and focuses the button that opened it.
pub(crate) fn close(surface: &Surface) {
    surface.past.set(None);
    let _ = browser::focus_id("history");
}

fn listed(surface: &Surface, past: Vec<ConversationSummary>) -> View {
    let typed = create_signal(String::new());
    let all = past.len();
    let found = create_memo(move || {
        let words = typed.with(|typed| typed.trim().to_lowercase());
        let fits = |past: &&ConversationSummary| {
            words.is_empty() || text_of(past).to_lowercase().contains(&words)
        };
        past.iter().filter(fits).cloned().collect::<Vec<_>>()
    });
    let field = create_node_ref();
    on_mount(move || focus(&field));
    let [closing, keys, shown, starting] = [(); 4].map(|()| surface.clone());
    let back = icon_button("", "left", msg("back"), move || close(&closing));
    let new = icon_button("", "plus", msg("new_chat"), move || {
        starting.past.set(None);
        starting.new_chat();
    });
    let title = tag("h2.grow", msg("history")).id("history-h");
    let input = tag("input", ())
        .attr("type", "search")
        .name(msg("search_history"));
    let input = input
        .attr("placeholder", msg("search_history"))
        .node(field)
        .bind(typed);
    let count = live_text(move || {
        let found = found.with(Vec::len);
        if typed.with(|typed| typed.trim().is_empty()) || found == 0 {
            return String::new();
        }
        let [found, all] = [found, all].map(|count| grouped(count as u64));
        msg_with("history_found", &[&found, &all])
    });
    let days = live(move || days(&shown, &found.get_clone()));
    let turn_off = tag("a", msg("past_turn_off")).attr("href", "options.html#privacy");
    let kept = meta((
        msg("past_kept_here"),
        " ",
        turn_off.attr("target", "_blank"),
    ));
    let search = tag("div.search", (icon("search"), input));
    let list = tag("div.log.past", (search, status_meta(count), days, kept));
    let section = tag(
        "section.takes-panel",
        (tag("header.bar", (back, title, new)), list),
    );
    let section = section.attr("aria-labelledby", "history-h");
    section
        .on("keydown", move |event: web_sys::KeyboardEvent| {
            if is_escape(&event) {
                event.prevent_default();
                close(&keys);
            }
        })
        .into()
}

fn days(surface: &Surface, found: &[ConversationSummary]) -> View {
    if found.is_empty() {
        return status_meta(msg("history_empty")).into();
    }
    let day_of = |past: &ConversationSummary| browser::day(past.at_ms);
    let days = found
        .chunk_by(|one, other| day_of(one) == day_of(other))
        .map(|day| {
            let title = tag("h3.label", day.first().map(day_of).unwrap_or_default());
            let rows: Vec<_> = day.iter().map(|past| row(surface, past)).collect();
            fragment((title, tag("ul", rows)))
        });
    days.collect::<Vec<_>>().into()
}

fn row(surface: &Surface, past: &ConversationSummary) -> View {
    let words = editable_text(&past.goal).unwrap_or_else(|| msg("continue"));
    let page = past.page.as_ref();
    let parts = [
        page.map(|page| page.title.clone()),
        page.map(|page| browser::host_of(&page.url)),
        Some(counted(["turns_one", "turns_many"], past.turns.into())),
        Some(browser::time_of_day(past.at_ms)),
    ];
    let facts = parts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    let (past, surface) = (past.clone(), surface.clone());
    let asking = create_signal(false);
    live(move || {
        if asking.get() {
            return deletion(&surface, &past.conversation, &words, asking);
        }
        let status = status(past.status).map(|(class, key)| tag_label(class, msg(key)));
        let resume = past.paused.clone().map(|run| {
            let (surface, conversation) = (surface.clone(), past.conversation.clone());
            View::from(button("tiny", msg("resume"), move || {
                show(&surface, &conversation);
                surface
                    .connection()
                    .send(Command::Continue { run: run.clone() });
            }))
        });
        // Deleting would stop the run, so a conversation that is running or waits for the user has
        // no delete button.
        let is_open = matches!(past.status, Status::Running | Status::AwaitingUser);
        let delete = (!is_open).then(|| {
            let name = msg_with("past_erase", &[&words]);
            View::from(icon_button("tiny", "trash", name, move || asking.set(true)))
        });
        let (surface, conversation) = (surface.clone(), past.conversation.clone());
        let title = tag("span.clip", words.clone());
        let inside = (title, tag("span.meta.clip.num", facts.clone()));
        let open = tag("button.grow", inside).attr("type", "button");
        let open = open.press(move || show(&surface, &conversation));
        tag("li", (open, status, resume, delete))
    })
}

fn show(surface: &Surface, conversation: &RunId) {
    surface.past.set(None);
    let conversation = conversation.clone();
    surface.connection().send(Command::Show { conversation });
    surface.focus_message();
}

/// The row's question before a deletion, which can't be undone.
fn deletion(surface: &Surface, conversation: &RunId, words: &str, asking: Signal<bool>) -> Tag {
    let (surface, conversation) = (surface.clone(), conversation.clone());
    let question = msg_with("past_erase_ask", &[words]);
    let field = create_node_ref();
    on_mount(move || focus(&field));
    let delete = button("danger tiny", msg("past_erase_do"), move || {
        let conversation = conversation.clone();
        surface
            .connection()
            .ask(&Command::EraseConversation { conversation });
    });
    let keep = button("tiny", msg("past_erase_keep"), move || asking.set(false)).node(field);
    let group = tag(
        "div.row.grow",
        (tag("span.grow.clip", question.clone()), delete, keep),
    );
    tag("li", group.role("group").name(question))
}

/// Returns the style and the label of a conversation's status; `None` for a finished conversation.
fn status(status: Status) -> Option<(&'static str, &'static str)> {
    match status {
        Status::Running => Some(("", "past_running")),
        Status::AwaitingUser => Some(("due", "status_waiting")),
        Status::Paused => Some(("", "past_unfinished")),
        Status::Failed => Some(("danger", "status_failed")),
        Status::Terminated(Bound::Stopped) => Some(("", "status_stopped")),
        Status::Completed | Status::Terminated(_) => None,
    }
}

fn text_of(past: &ConversationSummary) -> String {
    let words = editable_text(&past.goal).unwrap_or_default();
    match &past.page {
        Some(page) => format!("{words} {} {}", page.title, page.url),
        None => words,
    }
}
