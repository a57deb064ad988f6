//! The state of the table of facts: the fact that is being edited, and the changes that can be
//! undone.

use super::super::prelude::*;
use super::undo;
use crate::browser::{focus_later, unique_id};
use gloss::app::options::TypedFact;
use gloss::app::preferences::FieldName;
use gloss::memory::{Category, Fact, FactId, Tier, without_subject};
use gloss::ui::undo::{Change, UndoStack};

/// The ids of the list's heading, of the button that adds a fact, and of the undo button.
pub(super) const HEADING: &str = "facts-h";
pub(super) const ADD: &str = "add-fact";
const UNDO: &str = "fact-undo";
/// The id of the content field, of which there is only one at a time.
pub(super) const CONTENT: &str = "fact-content";

pub(super) fn edit_button(id: &FactId) -> String {
    format!("edit-{}", id.0)
}

pub(super) fn blank() -> TypedFact {
    TypedFact {
        // Models read the id, so it is as short as the ids that the worker creates.
        id: FactId(unique_id().chars().take(8).collect()),
        content: String::new(),
        category: Category::default(),
        tier: Tier::default(),
    }
}

/// The fact that is being edited. Its text is stored here, because the row may be rebuilt while
/// the user types.
#[derive(Clone, PartialEq)]
struct Edited {
    typed: TypedFact,
    before: TypedFact,
}

#[derive(Clone)]
pub(super) struct Table {
    pub(super) page: Page,
    pub(super) facts: ReadSignal<Vec<Fact>>,
    editing: Signal<Option<Edited>>,
    changes: Signal<UndoStack>,
    pub(super) feedback: Signal<Feedback>,
}

impl Table {
    pub(super) fn new(page: Page) -> Self {
        let changes = create_signal(UndoStack::default());
        // When the user erases everything, the deleted facts can no longer be restored.
        let since = page.counted_since();
        create_effect(move || {
            since.track();
            changes.set(UndoStack::default());
        });
        Self {
            facts: page.of(|state| state.facts.clone()),
            page,
            editing: create_signal(None),
            changes,
            feedback: create_signal(Feedback::None),
        }
    }

    /// Returns the id of the fact that is being edited, as a signal.
    pub(super) fn edited(&self) -> ReadSignal<Option<FactId>> {
        let editing = self.editing;
        create_selector(move || editing.with(|it| it.as_ref().map(|it| it.typed.id.clone())))
    }

    /// Returns the id of the fact that is being edited if that fact is new, as a signal.
    pub(super) fn adding(&self) -> ReadSignal<Option<FactId>> {
        let (edited, facts) = (self.edited(), self.facts);
        create_selector(move || {
            let is_new = |id: &FactId| facts.with(|facts| facts.iter().all(|it| it.id != *id));
            edited.get_clone().filter(is_new)
        })
    }

    /// Opens a fact for editing. If another fact is open with unsaved changes, that one stays
    /// open, so that no text is lost.
    pub(super) fn begin(&self, fact: TypedFact) {
        let open = self.editing.get_clone_untracked();
        if open.is_some_and(|it| it.typed != it.before && it.typed.id != fact.id) {
            self.feedback
                .set(Feedback::refused(FieldName::Fact, "options_fact_unsaved"));
        } else {
            self.feedback.set(Feedback::None);
            self.editing.set(Some(Edited {
                typed: fact.clone(),
                before: fact,
            }));
        }
        focus_later(vec![CONTENT.to_owned()]);
    }

    /// Returns the text that the user has typed so far.
    pub(super) fn typed(&self) -> Option<TypedFact> {
        self.editing.get_clone_untracked().map(|it| it.typed)
    }

    /// Changes the text that the user has typed.
    pub(super) fn update_typed(&self, change: impl FnOnce(&mut TypedFact)) {
        self.editing.update(|editing| {
            if let Some(editing) = editing {
                change(&mut editing.typed);
            }
        });
    }

    /// Saves the text that the user has typed.
    pub(super) fn save(&self) {
        let Some(fact) = self.typed() else {
            return;
        };
        let (this, saved, id) = (self.clone(), fact.clone(), fact.id.clone());
        self.page
            .ask(OptionsRequest::WriteFact { fact }, move |outcome| {
                match outcome {
                    Outcome::Wrote { went } => {
                        this.feedback.set(Feedback::None);
                        this.push_undo(Change {
                            written: Some(id.clone()),
                            facts: went,
                        });
                    }
                    Outcome::Saved => this.feedback.set(Feedback::Saved),
                    other => return this.feedback.set(Feedback::of(other)),
                }
                let open = this.editing.get_clone_untracked();
                let Some(open) = open.filter(|open| open.typed.id == id) else {
                    return;
                };
                if open.typed == saved {
                    this.editing.set(None);
                    focus_later(vec![edit_button(&id), HEADING.to_owned()]);
                } else {
                    // The user has typed more text since *Save* was pressed. That text is not
                    // saved yet.
                    this.editing.set(Some(Edited {
                        before: saved,
                        ..open
                    }));
                }
            });
    }

    /// Closes the row that is being edited, without saving.
    pub(super) fn close(&self) {
        let opened_by = self.typed().map(|fact| edit_button(&fact.id));
        self.feedback.set(Feedback::None);
        self.editing.set(None);
        focus_later(opened_by.into_iter().chain([ADD.to_owned()]).collect());
    }

    /// Deletes a fact. The deletion can be undone.
    pub(super) fn erase(&self, fact: Fact) {
        let (this, id) = (self.clone(), fact.id.clone());
        self.page.ask_for(
            OptionsRequest::ForgetFact { id },
            self.feedback,
            move || {
                this.feedback.set(Feedback::None);
                this.push_undo(Change {
                    written: None,
                    facts: vec![fact],
                });
                // The pressed button was in the row that is now removed.
                focus_later(vec![UNDO.to_owned()]);
            },
        );
    }

    fn push_undo(&self, change: Change) {
        self.changes.update(|changes| changes.push(change));
    }

    /// The button that undoes the latest change.
    pub(super) fn undo_button(&self) -> Tag {
        let (changes, this) = (self.changes, self.clone());
        let latest = move || changes.with(|changes| changes.last().map(words));
        undo::undo(UNDO, latest, move || this.undo())
    }

    fn undo(&self) {
        let Some(last) = self
            .changes
            .with_untracked(|changes| changes.last().cloned())
        else {
            return;
        };
        let (feedback, changes) = (self.feedback, self.changes);
        let row = last.facts.first().map(|fact| edit_button(&fact.id));
        let Change { written, facts } = last.clone();
        self.page.ask(
            OptionsRequest::BringBackFacts { written, facts },
            move |outcome| {
                let is_refused = matches!(outcome, Outcome::Refused { .. });
                if outcome == Outcome::Saved {
                    feedback.set(Feedback::Done(msg("options_learned_back")));
                    focus_later(row.into_iter().chain([HEADING.to_owned()]).collect());
                    changes.update(|changes| changes.undone(&last));
                } else {
                    feedback.set(Feedback::of(outcome));
                    changes.update(|changes| changes.failed(is_refused));
                }
            },
        );
    }
}

/// Returns a text about the change, and the accessible name of its undo button.
fn words(change: &Change) -> undo::Words {
    let others = change.facts.iter();
    let others = others.filter(|fact| Some(&fact.id) != change.written.as_ref());
    let others: Vec<String> = others.map(|fact| without_subject(&fact.content)).collect();
    // The message already contains the first and the last quotation mark.
    let names = others.join(&format!("”{}“", msg("comma")));
    let words = match change.written {
        Some(_) => msg_with("options_fact_instead", &[&names]),
        None => msg_with("options_fact_erased", &[&names]),
    };
    (words, msg_with("memory_undo_named", &[&names]))
}
