//! Finds past conversations that relate to a search.
//!
//! Example: a search for "boats, sailing" finds last month's question "Which sails for a
//! 7-metre sloop?", because "sailing" and "sails" have the same stem. This crate does not store
//! conversations; a function supplies them ([`Conversations::set_source`]).

use super::find::words_of;
use gloss_durable::RunId;
use gloss_durable::sorted::sort_by_key;
use std::cell::RefCell;
use std::rc::Rc;

/// The maximum number of conversations that are found.
const MOST: usize = 2;

/// The minimum share of the search words that a found conversation must contain, in percent.
const LEAST_PERCENT: usize = 30;

/// The data of a past conversation that a search uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversation {
    /// The conversation's id.
    pub id: RunId,
    /// The user's first message.
    pub asked: String,
    /// The title of the page on which the conversation began; empty without a page.
    pub page: String,
    /// The time of the conversation's last event, in milliseconds since the Unix epoch.
    pub at_ms: u64,
}

/// A function that returns all conversations.
type ConversationSource = Rc<dyn Fn() -> Vec<Conversation>>;

/// Access to the user's conversations.
#[derive(Default)]
pub struct Conversations(RefCell<Option<ConversationSource>>);

impl Conversations {
    /// Sets the function that returns all conversations.
    pub fn set_source(&self, told: ConversationSource) {
        self.0.replace(Some(told));
    }

    /// Returns at most two conversations that contain the most words of `terms`. If two contain
    /// equally many, the newer one comes first. The conversation `this` is left out.
    pub fn related(&self, terms: &[String], this: &RunId) -> Vec<Conversation> {
        let told = self.0.borrow().clone();
        let all = told.map(|told| told()).unwrap_or_default();
        let wanted = words_of(terms);
        let share = |one: &Conversation| {
            let own = words_of(&[one.asked.clone(), one.page.clone()]);
            wanted.intersection(&own).count() * 100 / wanted.len().max(1)
        };
        let others = all.into_iter().filter(|one| one.id != *this);
        let shared = others.map(|one| (share(&one), one));
        let mut near: Vec<_> = shared
            .filter(|(share, _)| *share >= LEAST_PERCENT)
            .collect();
        sort_by_key(&mut near, |(share, one)| {
            std::cmp::Reverse((*share, one.at_ms))
        });
        near.into_iter().map(|(_, one)| one).take(MOST).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conversation(id: &str, asked: &str, page: &str, at_ms: u64) -> Conversation {
        Conversation {
            id: RunId(id.to_owned()),
            asked: asked.to_owned(),
            page: page.to_owned(),
            at_ms,
        }
    }

    #[test]
    fn the_two_that_share_most_are_related_and_the_newer_of_two_alike() {
        let conversations = Conversations::default();
        assert!(
            conversations
                .related(&["sail".to_owned()], &RunId("x".to_owned()))
                .is_empty()
        );
        conversations.set_source(Rc::new(|| {
            vec![
                conversation("a", "Which sails for a sloop?", "", 1),
                conversation("b", "Which sails for a sloop?", "", 2),
                conversation("c", "", "Sailing a sloop out of Hoylake", 3),
                conversation("d", "How do tides work?", "Tides", 4),
                conversation("e", "我想买一艘帆船", "", 5),
            ]
        }));
        for (terms, this, related) in [
            (vec!["sailing", "sloop"], "x", vec!["c", "b"]),
            (vec!["sailing", "sloop"], "c", vec!["b", "a"]),
            (vec!["tide"], "x", vec!["d"]),
            (vec!["帆船"], "x", vec!["e"]),
            (vec!["recipes", "baking"], "x", vec![]),
            (vec![], "x", vec![]),
        ] {
            let terms: Vec<String> = terms.into_iter().map(str::to_owned).collect();
            let found = conversations.related(&terms, &RunId(this.to_owned()));
            let ids: Vec<&str> = found.iter().map(|one| one.id.0.as_str()).collect();
            assert_eq!(ids, related, "{terms:?}");
        }
    }
}
