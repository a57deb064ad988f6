//! What the rows of facts share: what is being written, what was erased, and where the focus goes
//! from a row that is no more.

use super::super::page::Page;
use super::super::told::Told;
use super::edit;
use crate::browser::unique_id;
use crate::words::msg;
use gloss::app::options::{Ask, Outcome, TypedFact};
use gloss::app::preferences::{FieldName, Problem};
use gloss::memory::{Category, Fact, FactId, Tier};
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
        id: FactId(unique_id()),
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

#[derive(Clone)]
pub(super) struct Table {
    pub(super) page: Page,
    pub(super) facts: ReadSignal<Vec<Fact>>,
    writing: Signal<Option<Writing>>,
    /// What was erased last, and may be taken back.
    pub(super) erased: Signal<Option<Fact>>,
    pub(super) told: Signal<Told>,
}

impl Table {
    pub(super) fn new(page: Page) -> Self {
        let state = page.state;
        let facts = create_selector(move || {
            let facts = state.with(|state| state.as_ref().map(|it| it.facts.clone()));
            facts.unwrap_or_default()
        });
        let (writing, erased) = (create_signal(None), create_signal(None));
        // What was erased with everything else does not come back.
        let since = create_selector(move || {
            state.with(|state| state.as_ref().map(|it| it.counted_since_ms))
        });
        create_effect(move || {
            since.track();
            erased.set(None);
        });
        Self {
            page,
            facts,
            writing,
            erased,
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
        let (id, writing) = (fact.id.clone(), self.writing);
        let saved = fact.clone();
        self.ask(Ask::WriteFact { fact }, move || {
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
        let (told, erased) = (self.told, self.erased);
        let ask = Ask::ForgetFact {
            id: fact.id.clone(),
        };
        self.ask(ask, move || {
            told.set(Told::Done(msg("options_learned_erased")));
            erased.set(Some(fact));
            // The row that had it is gone.
            focus_later(vec![UNDO.to_owned()]);
        });
    }

    /// Takes back the last erasure.
    pub(super) fn undo(&self) {
        let Some(fact) = self.erased.get_clone_untracked() else {
            return;
        };
        let (told, erased) = (self.told, self.erased);
        let row = opener(&fact.id);
        let fact = Box::new(fact);
        self.ask(Ask::BringBackFact { fact }, move || {
            told.set(Told::Done(msg("options_learned_back")));
            erased.set(None);
            focus_later(vec![row, HEADING.to_owned()]);
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
