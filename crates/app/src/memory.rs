//! Connects the stored facts about the user with runs and surfaces. The user can undo saved facts.

use super::hub::Hub;
use super::surface::ConversationSummary;
use super::{App, SurfaceId};
use gloss_agent::{Failure, Goal, KnownFacts, LessonStore, failure};
use gloss_memory::{Conversation, FactId, Facts, Memory, Unreadable};
use gloss_model::phrase::phrase;
use gloss_tools::Group;
use std::rc::{Rc, Weak};

/// When the facts change, sends every surface the ids of the stored facts and the reasons of
/// removals. For a removed fact, a surface shows the reason instead of *Undo*.
pub(super) fn tell(memory: &Memory, hub: &Rc<Hub>, app: Weak<App>) {
    let hub = hub.clone();
    memory.on_change(Rc::new(move |facts: &Facts| {
        let known = facts.all().iter().map(|fact| fact.id.clone());
        let lost = facts.lost().map(|(id, why)| (id.clone(), why));
        hub.set_known(known.collect(), lost.collect());
        if let Some(app) = app.upgrade() {
            app.options.send_facts(facts);
        }
    }));
}

/// Informs the options pages when a run learns a lesson.
pub(super) fn tell_of_learned(episodes: &LessonStore, app: Weak<App>) {
    episodes.on_change(Rc::new(move || {
        if let Some(app) = app.upgrade() {
            app.options.send_lessons();
        }
    }));
}

/// Gives `memory` access to the summaries of all conversations, for the tools that search them.
pub(super) fn tell_of_past(memory: &Memory, app: Weak<App>) {
    memory.conversations().set_source(Rc::new(move || {
        let past = app.upgrade().map(|app| app.runs.past());
        let asked = |past: ConversationSummary| Conversation {
            id: past.conversation,
            asked: match past.goal {
                Goal::Ask { question } => question,
                // These goals contain no words of the user. The explained text of `Explain` is from
                // the page.
                Goal::Explain { .. } | Goal::Summarize | Goal::GoOn => String::new(),
            },
            page: past.page.map(|page| page.title).unwrap_or_default(),
            at_ms: past.at_ms,
        };
        past.into_iter().flatten().map(asked).collect()
    }));
}

/// Returns the warning that the stored facts can't be read. Gloss then starts without facts. The
/// user can export the unreadable text unchanged.
pub(super) fn unreadable(why: Unreadable) -> Failure {
    let corrupt = failure("facts_unreadable").not_recoverable();
    match why {
        Unreadable::Newer => corrupt.with_remedy(phrase("facts_newer_remedy")),
        Unreadable::Foreign => corrupt,
    }
}

impl App {
    /// Returns `Facts` if a new run can search facts, or `Nothing` if memory is off or empty.
    pub(super) fn known(&self) -> KnownFacts {
        if self.kept.now().groups_off.contains(&Group::Memory) || self.memory.is_empty() {
            KnownFacts::Nothing
        } else {
            KnownFacts::Facts
        }
    }

    /// Removes a fact that a run saved, because the user pressed *Undo*.
    pub(super) async fn unremember(&self, surface: SurfaceId, fact: &FactId) {
        let mut undo = |facts: &mut Facts, now_ms: u64| facts.undo(fact, now_ms);
        if let Err(error) = self.memory.change(&mut undo).await {
            let failure = super::preferences::unstored(&error);
            self.hub.refuse(surface, failure, None);
        }
    }
}
