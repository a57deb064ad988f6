//! What Gloss learned from calls that failed: seen, erased one by one or all at once, and taken
//! back while the page is open.

use super::super::page::Page;
use super::super::told::{Told, told};
use super::table::focus_later;
use super::undo;
use crate::browser::date;
use crate::icon::icon;
use crate::keyed::keyed;
use crate::live::{handler, live};
use crate::words::{days_whole, msg, msg_with, said};
use gloss::agent::Reflection;
use gloss::app::options::{Ask, Outcome};
use gloss::phrase::Said;
use gloss::tools::ErrorKind;
use sycamore::prelude::*;

/// The buttons that take the focus where the one that was pressed is gone.
const UNDO: &str = "learned-undo";
const ERASE_ALL: &str = "learned-erase-all";

/// What the rows share.
#[derive(Clone)]
struct Book {
    page: Page,
    /// `None`: the worker has not said yet.
    all: Signal<Option<Vec<Reflection>>>,
    /// What was erased and may be taken back, by erasure, the latest at the end.
    erased: Signal<Vec<Vec<Reflection>>>,
    told: Signal<Told>,
}

/// The part of the section.
pub(super) fn learned() -> View {
    let book = Book {
        page: Page::here(),
        all: create_signal(None),
        erased: create_signal(Vec::new()),
        told: create_signal(Told::Nothing),
    };
    let state = book.page.state;
    let changes = create_selector(move || state.with(|it| it.as_ref().map(|it| it.learned)));
    let asking = book.clone();
    create_effect(move || {
        if changes.get().is_some() {
            untrack(|| asking.ask());
        }
    });
    // What was erased with everything else does not come back.
    let since = create_selector(move || state.with(|it| it.as_ref().map(|it| it.counted_since_ms)));
    let erased = book.erased;
    create_effect(move || {
        since.track();
        erased.set(Vec::new());
    });
    let all = book.all;
    let any = create_selector(move || all.with(|all| all.as_ref().map(|all| !all.is_empty())));
    let rows = {
        let book = book.clone();
        live(move || match any.get() {
            None => View::new(),
            Some(false) => empty(),
            Some(true) => rows(&book),
        })
    };
    let foot = foot(&book, any);
    let [name, means] = [msg("options_learned"), msg("options_learned_means")];
    view! {
        h3(id="learned-h") { (name) }
        p(class="meta") { (means) }
        (rows)
        (foot)
    }
}

fn empty() -> View {
    let (none, hint) = (
        msg("options_nothing_learned"),
        msg("options_nothing_learned_hint"),
    );
    view! {
        div(class="note", style="margin-top:.75rem") { p { b { (none) } " " (hint) } }
    }
}

fn rows(book: &Book) -> View {
    let (all, book) = (book.all, book.clone());
    let rows = keyed(
        move || all.get_clone().unwrap_or_default(),
        |one| format!("{one:?}"),
        move |one| row(&book, one),
    );
    view! { ul(class="rows learned", aria-labelledby="learned-h") { (rows) } }
}

/// One: what to do otherwise and why, then where that was learned, when, and whether it was
/// heeded since.
fn row(book: &Book, one: Reflection) -> View {
    let fix = words(&one.fix);
    let why = one.analysis.clone().map(|why| view! { (why) " " });
    let tool = book.name_of(&one.tool);
    let mut facts = vec![kind(one.kind)];
    facts.extend(one.at_ms.map(date));
    facts.push(msg(if one.applied {
        "options_learned_applied"
    } else {
        "options_learned_not_applied"
    }));
    let facts = days_whole(&format!(" · {}", facts.join(" · ")));
    let (name, tip) = (
        msg_with("options_learned_erase", &[&fix]),
        msg("options_erase_fact"),
    );
    let sign = icon("trash");
    let book = book.clone();
    let erases = move |_| book.erase(vec![one.clone()]);
    view! {
        li {
            div(class="grow") {
                (why) (fix)
                p(class="num") { (tool) (facts) }
            }
            button(
                r#type="button",
                class="icon-btn tiny",
                aria-label=name,
                title=tip,
                on:click=handler(erases),
            ) { (sign) }
        }
    }
}

/// What became of the last erasure, the way back from it, and all at once.
fn foot(book: &Book, any: ReadSignal<Option<bool>>) -> View {
    let told = told(book.told);
    let undo = {
        let (erased, book) = (book.erased, book.clone());
        let words = || (msg("options_learned_erased"), msg("options_learned_undo"));
        let latest = move || erased.with(|erased| (!erased.is_empty()).then(words));
        undo::undo(UNDO, latest, move || book.undo())
    };
    let erase = {
        let book = book.clone();
        live(move || {
            if any.get() != Some(true) {
                return View::new();
            }
            let (book, words) = (book.clone(), msg("options_learned_erase_all"));
            let erases = move |_| {
                let all = book.all.get_clone_untracked();
                book.erase(all.unwrap_or_default());
            };
            view! {
                button(
                    r#type="button",
                    class="btn danger",
                    id=ERASE_ALL,
                    on:click=handler(erases),
                ) { (words) }
            }
        })
    };
    view! {
        div(class="row wrap", style="margin-top:.5rem") {
            span(class="grow") { (told) (undo) }
            (erase)
        }
    }
}

impl Book {
    fn ask(&self) {
        let all = self.all;
        self.page.ask(Ask::Learned, move |outcome| {
            if let Outcome::Learned { reflections } = outcome {
                all.set(Some(reflections));
            }
        });
    }

    fn erase(&self, these: Vec<Reflection>) {
        let (told, erased) = (self.told, self.erased);
        let ids = these.iter().map(|one| one.id.clone()).collect();
        self.page
            .ask(Ask::ForgetLearned { ids }, move |outcome| match outcome {
                Outcome::Saved => {
                    told.set(Told::Nothing);
                    erased.update(|erased| erased.push(these));
                    // The row that had it is gone.
                    focus_later(vec![UNDO.to_owned()]);
                }
                other => told.set(Told::of(other)),
            });
    }

    fn undo(&self) {
        let (told, erased) = (self.told, self.erased);
        let Some(last) = erased.with_untracked(|erased| erased.last().cloned()) else {
            return;
        };
        let ask = Ask::BringBackLearned {
            reflections: last.clone(),
        };
        self.page.ask(ask, move |outcome| match outcome {
            Outcome::Saved => {
                told.set(Told::Done(msg("options_learned_back")));
                erased.update(|erased| erased.retain(|it| *it != last));
                focus_later(vec![ERASE_ALL.to_owned()]);
            }
            other => told.set(Told::of(other)),
        });
    }

    /// A tool as a person is shown it.
    fn name_of(&self, tool: &str) -> String {
        let title = self.page.state.with_untracked(|state| {
            let tools = state.iter().flat_map(|state| &state.tools);
            let mut same = tools.filter(|offer| offer.name == tool);
            same.next().map(|offer| said(&offer.title))
        });
        title.unwrap_or_else(|| tool.to_owned())
    }
}

fn words(of: &Said) -> String {
    match of {
        Said::Phrase(phrase) => said(phrase),
        Said::Words(words) => words.clone(),
    }
}

fn kind(kind: ErrorKind) -> String {
    msg(match kind {
        ErrorKind::Validation => "error_kind_validation",
        ErrorKind::NotFound => "error_kind_not_found",
        ErrorKind::Timeout => "error_kind_timeout",
        ErrorKind::Network => "error_kind_network",
        ErrorKind::RateLimit => "error_kind_rate_limit",
        ErrorKind::Refused => "error_kind_refused",
        ErrorKind::Empty => "error_kind_empty",
        ErrorKind::Other => "error_kind_other",
    })
}
