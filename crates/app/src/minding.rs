//! What is known of the person: whether a run may look it up, and what surfaces take back.

use super::hub::Hub;
use super::surface::Past;
use super::{App, SurfaceId};
use gloss_agent::{Episodes, Failure, Goal, Known, failure};
use gloss_memory::{Conversation, FactId, Facts, Memory, Unreadable};
use gloss_model::phrase::phrase;
use gloss_tools::Group;
use std::rc::{Rc, Weak};

/// Has every surface told which facts are known, and why others are not: a note of one that is
/// gone says so and offers no Undo.
pub(super) fn tell(memory: &Memory, hub: &Rc<Hub>, app: Weak<App>) {
    let hub = hub.clone();
    memory.on_change(Rc::new(move |facts: &Facts| {
        let known = facts.all().iter().map(|fact| fact.id.clone());
        let lost = facts.lost().map(|(id, why)| (id.clone(), why));
        hub.set_known(known.collect(), lost.collect());
        if let Some(app) = app.upgrade() {
            app.options.tell_known(facts);
        }
    }));
}

/// Has the options pages told when a run learns something.
pub(super) fn tell_of_learned(episodes: &Episodes, app: Weak<App>) {
    episodes.on_change(Rc::new(move || {
        if let Some(app) = app.upgrade() {
            app.options.tell_learned();
        }
    }));
}

/// Has whoever looks something up told of the conversations that `app` keeps.
pub(super) fn tell_of_past(memory: &Memory, app: Weak<App>) {
    memory.conversations().told_by(Rc::new(move || {
        let past = app.upgrade().map(|app| app.runs.past());
        let asked = |past: Past| Conversation {
            id: past.conversation,
            asked: match past.goal {
                Goal::Ask { question } => question,
                // Words of a page, and not of the person.
                Goal::Explain { .. } | Goal::Summarize | Goal::GoOn => String::new(),
            },
            page: past.page.map(|page| page.title).unwrap_or_default(),
            at_ms: past.at_ms,
        };
        past.into_iter().flatten().map(asked).collect()
    }));
}

/// What is known cannot be read: there is nothing then, and it can be exported as it was.
pub(super) fn unreadable(why: Unreadable) -> Failure {
    let corrupt = failure("facts_unreadable").for_good();
    match why {
        Unreadable::Newer => corrupt.advising(phrase("facts_newer_remedy")),
        Unreadable::Foreign => corrupt,
    }
}

impl App {
    /// Whether a run that begins now has anything to look up.
    pub(super) fn known(&self) -> Known {
        if self.kept.now().groups_off.contains(&Group::Memory) || self.memory.is_empty() {
            Known::Nothing
        } else {
            Known::Facts
        }
    }

    /// Takes back that a fact was remembered.
    pub(super) async fn unremember(&self, surface: SurfaceId, fact: &FactId) {
        let mut undo = |facts: &mut Facts, now_ms: u64| facts.undo(fact, now_ms);
        if let Err(error) = self.memory.change(&mut undo).await {
            let failure = super::preferences::unstored(&error);
            self.hub.refuse(surface, failure, None);
        }
    }
}
