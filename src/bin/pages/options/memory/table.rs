//! What the rows of facts share: what is being written, what was taken away, and where the focus
//! goes from a row that is no more.

use super::super::page::Page;
use super::super::told::Told;
use super::{edit, undo};
use crate::browser::unique_id;
use crate::words::{msg, msg_with};
use gloss::app::options::{Ask, Outcome, TypedFact};
use gloss::app::preferences::{FieldName, Problem};
use gloss::memory::{Category, Fact, FactId, Tier, plainly};
use gloss::phrase::phrase;
use sycamore::prelude::*;

/// The ids of the list's heading, and of what adds a fact to it.
pub(super) const HEADING: &str = "facts-h";
pub(super) const ADD: &str = "add-fact";
/// That of the way back from an erasure.
pub(super) const UNDO: &str = "fact-undo";

/// That of the button that opens a fact.
pub(super) fn opener(id: &FactId) -> String {
    format!("edit-{}", id.0)
}

/// A fact that is not there yet.
pub(super) fn blank() -> TypedFact {
    TypedFact {
        // As short as those of the core: models read it.
        id: FactId(unique_id().chars().take(8).collect()),
        content: String::new(),
        category: Category::default(),
        tier: Tier::default(),
    }
}

/// What is being written. It stands here and not in its row, which may be made anew meanwhile.
#[derive(Clone, PartialEq)]
struct Writing {
    typed: TypedFact,
    /// As it was before.
    begun: TypedFact,
}

/// What may be taken back.
#[derive(Clone, PartialEq)]
struct Taken {
    /// The fact that was written, if one was: else these were erased.
    written: Option<FactId>,
    /// All that an Undo brings back.
    facts: Vec<Fact>,
}

impl Taken {
    fn words(&self) -> undo::Told {
        let others = self.facts.iter();
        let others = others.filter(|fact| Some(&fact.id) != self.written.as_ref());
        let others: Vec<String> = others.map(|fact| plainly(&fact.content)).collect();
        // Within the quotes of the message.
        let names = others.join(&format!("”{}“", msg("comma")));
        let key = match self.written {
            Some(_) => "options_fact_instead",
            None => "options_fact_erased",
        };
        (
            msg_with(key, &[&names]),
            msg_with("memory_undo_named", &[&names]),
        )
    }
}

#[derive(Clone)]
pub(super) struct Table {
    pub(super) page: Page,
    pub(super) facts: ReadSignal<Vec<Fact>>,
    writing: Signal<Option<Writing>>,
    /// What may be taken back, what an Undo takes back first at the end.
    taken: Signal<Vec<Taken>>,
    /// Whether the one at the end was refused when it was to be taken back.
    refused: Signal<bool>,
    pub(super) told: Signal<Told>,
}

impl Table {
    pub(super) fn new(page: Page) -> Self {
        let state = page.state;
        let facts = create_selector(move || {
            let facts = state.with(|state| state.as_ref().map(|it| it.facts.clone()));
            facts.unwrap_or_default()
        });
        let (writing, taken) = (create_signal(None), create_signal(Vec::new()));
        // What was erased with everything else does not come back.
        let since = create_selector(move || {
            state.with(|state| state.as_ref().map(|it| it.counted_since_ms))
        });
        create_effect(move || {
            since.track();
            taken.set(Vec::new());
        });
        Self {
            page,
            facts,
            writing,
            taken,
            refused: create_signal(false),
            told: create_signal(Told::Nothing),
        }
    }

    /// The fact that is being written.
    pub(super) fn written(&self) -> ReadSignal<Option<FactId>> {
        let writing = self.writing;
        create_selector(move || writing.with(|it| it.as_ref().map(|it| it.typed.id.clone())))
    }

    /// The same, if it is not known.
    pub(super) fn adding(&self) -> ReadSignal<Option<FactId>> {
        let (written, facts) = (self.written(), self.facts);
        create_selector(move || {
            let is_new = |id: &FactId| facts.with(|facts| facts.iter().all(|it| it.id != *id));
            written.get_clone().filter(is_new)
        })
    }

    /// Opens a fact to be written, unless another one is that was changed: what was typed goes
    /// by nobody's oversight.
    pub(super) fn begin(&self, fact: TypedFact) {
        let open = self.writing.get_clone_untracked();
        if open.is_some_and(|it| it.typed != it.begun && it.typed.id != fact.id) {
            let (field, words) = (FieldName::Fact, phrase("options_fact_unsaved"));
            self.told.set(Told::Refused(vec![Problem { field, words }]));
        } else {
            self.told.set(Told::Nothing);
            self.writing.set(Some(Writing {
                typed: fact.clone(),
                begun: fact,
            }));
        }
        focus_later(vec![edit::CONTENT.to_owned()]);
    }

    /// What was typed so far.
    pub(super) fn typed(&self) -> Option<TypedFact> {
        self.writing.get_clone_untracked().map(|it| it.typed)
    }

    /// It is typed on.
    pub(super) fn retype(&self, change: impl FnOnce(&mut TypedFact)) {
        self.writing.update(|writing| {
            if let Some(writing) = writing {
                change(&mut writing.typed);
            }
        });
    }

    /// Keeps what was typed.
    pub(super) fn save(&self) {
        let Some(fact) = self.typed() else {
            return;
        };
        let (id, writing, told) = (fact.id.clone(), self.writing, self.told);
        let (saved, table) = (fact.clone(), self.clone());
        self.page.ask(Ask::WriteFact { fact }, move |outcome| {
            match outcome {
                Outcome::Wrote { went } => {
                    told.set(Told::Nothing);
                    let written = Some(id.clone());
                    table.may_take_back(Taken {
                        written,
                        facts: went,
                    });
                }
                Outcome::Saved => told.set(Told::Saved),
                other => return told.set(Told::of(other)),
            }
            let open = writing.get_clone_untracked();
            let Some(open) = open.filter(|open| open.typed.id == id) else {
                return;
            };
            if open.typed == saved {
                writing.set(None);
                focus_later(vec![opener(&id), HEADING.to_owned()]);
            } else {
                // Typed on since: that is not kept yet.
                writing.set(Some(Writing {
                    begun: saved,
                    ..open
                }));
            }
        });
    }

    /// Writes no more, and keeps nothing of it.
    pub(super) fn shut(&self) {
        let fact = self.typed();
        self.told.set(Told::Nothing);
        self.writing.set(None);
        let opened_by = fact.map(|fact| opener(&fact.id));
        focus_later(opened_by.into_iter().chain([ADD.to_owned()]).collect());
    }

    /// Erases a fact, which may be taken back.
    pub(super) fn erase(&self, fact: Fact) {
        let table = self.clone();
        let ask = Ask::ForgetFact {
            id: fact.id.clone(),
        };
        self.ask(ask, move || {
            table.told.set(Told::Nothing);
            table.may_take_back(Taken {
                written: None,
                facts: vec![fact],
            });
            // The row that had it is gone.
            focus_later(vec![UNDO.to_owned()]);
        });
    }

    /// The latest is taken back first; but what was refused for want of room goes before the one
    /// that was erased to make it.
    fn may_take_back(&self, it: Taken) {
        let is_refused = self.refused.replace(false);
        self.taken.update(|taken| {
            let at = taken.len().saturating_sub(usize::from(is_refused));
            taken.insert(at, it);
        });
    }

    /// The way back from what was taken away last.
    pub(super) fn way_back(&self) -> View {
        let (taken, table) = (self.taken, self.clone());
        let latest = move || taken.with(|taken| taken.last().map(Taken::words));
        undo::undo(UNDO, latest, move || table.undo())
    }

    fn undo(&self) {
        let Some(last) = self.taken.with_untracked(|taken| taken.last().cloned()) else {
            return;
        };
        let (told, taken, refused) = (self.told, self.taken, self.refused);
        let row = last.facts.first().map(|fact| opener(&fact.id));
        let ask = Ask::BringBackFacts {
            written: last.written.clone(),
            facts: last.facts.clone(),
        };
        self.page.ask(ask, move |outcome| {
            refused.set(matches!(outcome, Outcome::Refused { .. }));
            if outcome != Outcome::Saved {
                return told.set(Told::of(outcome));
            }
            told.set(Told::Done(msg("options_learned_back")));
            taken.update(|taken| taken.retain(|it| *it != last));
            focus_later(row.into_iter().chain([HEADING.to_owned()]).collect());
        });
    }

    pub(super) fn ask(&self, ask: Ask, then: impl FnOnce() + 'static) {
        let of = self.told;
        self.page.ask(ask, move |outcome| {
            let is_done = outcome == Outcome::Saved;
            of.set(Told::of(outcome));
            if is_done {
                then();
            }
        });
    }
}

/// The first of these ids that is there takes the focus, once the page stands.
pub(super) fn focus_later(ids: Vec<String>) {
    crate::browser::next_frame(move || {
        use wasm_bindgen::JsCast;
        let document = sycamore::web::document();
        let mut there = ids.iter().filter_map(|id| document.get_element_by_id(id));
        let field = there.next();
        if let Some(field) = field.and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok()) {
            // Fails for no element that is there.
            let _ = field.focus();
        }
    });
}
