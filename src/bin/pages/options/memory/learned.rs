//! The lessons from failed tool calls. The user can delete one lesson or all lessons. While the
//! page is open, deleted lessons can be restored.

use super::super::controls::rows as list;
use super::super::prelude::*;
use super::undo;
use crate::browser::{date, focus_later};
use crate::words::text_of;
use gloss::agent::Lesson;
use gloss::tools::ErrorKind;

/// The ids of the buttons that get the focus when the pressed button is removed.
const UNDO: &str = "learned-undo";
const ERASE_ALL: &str = "learned-erase-all";

/// The state that the rows share.
#[derive(Clone)]
struct Reflections {
    page: Page,
    /// `None` until the worker has answered.
    all: Signal<Option<Vec<Lesson>>>,
    /// The deletions that can be undone; the latest is last.
    deleted: Signal<Vec<Vec<Lesson>>>,
    feedback: Signal<Feedback>,
}

/// The list of lessons, as a part of the memory section.
pub(super) fn learned() -> View {
    let page = Page::from_context();
    let (changes, since) = (page.of(|state| Some(state.learned)), page.counted_since());
    let this = Reflections {
        page,
        all: create_signal(None),
        deleted: create_signal(Vec::new()),
        feedback: create_signal(Feedback::None),
    };
    let (asking, all, deleted) = (this.clone(), this.all, this.deleted);
    create_effect(move || {
        if changes.get().is_some() {
            untrack(|| asking.ask());
        }
    });
    // When the user erases everything, the deleted lessons can no longer be restored.
    create_effect(move || {
        since.track();
        deleted.set(Vec::new());
    });
    let any = create_selector(move || all.with(|all| all.as_ref().map(|all| !all.is_empty())));
    let shown = this.clone();
    let rows = live(move || match any.get() {
        None => View::new(),
        Some(false) => super::nothing(
            msg("options_nothing_learned"),
            msg("options_nothing_learned_hint"),
        )
        .into(),
        Some(true) => rows(&shown).into(),
    });
    let heading = tag("h3", msg("options_learned")).id("learned-h");
    fragment((
        heading,
        meta(msg("options_learned_means")),
        rows,
        foot(&this, any),
    ))
}

fn rows(this: &Reflections) -> Tag {
    let (all, this) = (this.all, this.clone());
    let rows = keyed(
        move || all.get_clone().unwrap_or_default(),
        |one| format!("{one:?}"),
        move |one| row(&this, one),
    );
    list(rows)
        .class("rows learned")
        .attr("aria-labelledby", "learned-h")
}

/// A row: the cause and the advice; then the tool, the kind of error, the day, and whether the
/// lesson was applied.
fn row(this: &Reflections, one: Lesson) -> Tag {
    let fix = text_of(&one.fix);
    let why = one.analysis.clone().map(|why| (why, " "));
    let applied = if one.applied {
        "options_learned_applied"
    } else {
        "options_learned_not_applied"
    };
    let facts = [
        Some(kind(one.kind)),
        one.at_ms.map(date),
        Some(msg(applied)),
    ];
    let facts = facts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    let facts = tag(
        "p.num",
        (
            this.tool_name(&one.tool),
            days_whole(&format!(" · {facts}")),
        ),
    );
    let name = msg_with("options_learned_erase", &[&fix]);
    let this = this.clone();
    let erase = icon_button("tiny", "trash", name, move || this.erase(vec![one.clone()]));
    let words = tag("div.grow", (why, fix, facts));
    tag("li", (words, erase.tip(msg("options_erase_fact"))))
}

/// The outcome of the last deletion, its undo, and the deletion of all.
fn foot(this: &Reflections, any: ReadSignal<Option<bool>>) -> Tag {
    let (deleted, undoing, erasing) = (this.deleted, this.clone(), this.clone());
    let words = || (msg("options_learned_erased"), msg("options_learned_undo"));
    let latest = move || deleted.with(|deleted| (!deleted.is_empty()).then(words));
    let undo = undo::undo(UNDO, latest, move || undoing.undo());
    let erase = live_if(
        move || any.get() == Some(true),
        move || {
            let this = erasing.clone();
            let erase = move || this.erase(this.all.get_clone_untracked().unwrap_or_default());
            View::from(button("danger", msg("options_learned_erase_all"), erase).id(ERASE_ALL))
        },
    );
    let result = tag("span.grow", (feedback_line(this.feedback), undo));
    tag("div.row.wrap.gap-2", (result, erase))
}

impl Reflections {
    fn ask(&self) {
        let all = self.all;
        self.page.ask(OptionsRequest::Learned, move |outcome| {
            if let Outcome::Learned { reflections } = outcome {
                all.set(Some(reflections));
            }
        });
    }

    fn erase(&self, these: Vec<Lesson>) {
        let (feedback, deleted) = (self.feedback, self.deleted);
        let ids = these.iter().map(|one| one.id.clone()).collect();
        self.page
            .ask_for(OptionsRequest::ForgetLearned { ids }, feedback, move || {
                feedback.set(Feedback::None);
                deleted.update(|deleted| deleted.push(these));
                // The pressed button was in the row that is now removed.
                focus_later(vec![UNDO.to_owned()]);
            });
    }

    fn undo(&self) {
        let (feedback, deleted) = (self.feedback, self.deleted);
        let Some(last) = deleted.with_untracked(|deleted| deleted.last().cloned()) else {
            return;
        };
        let ask = OptionsRequest::BringBackLearned {
            reflections: last.clone(),
        };
        self.page.ask_for(ask, feedback, move || {
            feedback.set(Feedback::Done(msg("options_learned_back")));
            deleted.update(|deleted| deleted.retain(|it| *it != last));
            focus_later(vec![ERASE_ALL.to_owned()]);
        });
    }

    /// Returns the title of a tool, in the language of the interface.
    fn tool_name(&self, tool: &str) -> String {
        let title = self.page.state.with_untracked(|state| {
            let mut tools = state.iter().flat_map(|state| &state.tools);
            tools
                .find(|offer| offer.name == tool)
                .map(|offer| phrase_text(&offer.title))
        });
        title.unwrap_or_else(|| tool.to_owned())
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
