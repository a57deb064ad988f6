//! The origins of a text: the user, a page, a search, a tool, and so on.
//!
//! Example: a run reads a page and then a search result. Everything that the model writes
//! afterwards may follow either of them, so an argument of its next tool call has the origins
//! [`Origin::Model`], [`Origin::Page`] and [`Origin::SearchResult`]. The table in `gloss_tools`
//! decides by these origins if the call needs the user's approval.
//!
//! Deliberately absent: a way to remove an origin, and a way for a model to state one.

use gloss_durable::sorted::SortedSet;
use serde::{Deserialize, Serialize};

/// The origin of a text or of a part of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The user wrote it.
    User,
    /// It is from the page with this address.
    Page(String),
    /// A search provider returned it.
    SearchResult,
    /// It is from a page of this host, which a tool fetched.
    Fetched(String),
    /// It is from a document or a file.
    Document,
    /// A model wrote it, from everything that the model had read.
    Model,
    /// The tool with this name returned it.
    Tool(String),
    /// It was saved as a fact or a lesson. The origins that it was saved with are listed too.
    Memory,
    /// It is a fixed text of Gloss.
    Gloss,
}

impl Origin {
    /// The number of kinds of origins.
    pub const KINDS: usize = 9;

    /// Returns the number of this kind of origin, from 0: the column in a table of origins.
    pub fn kind(&self) -> usize {
        match self {
            Self::User => 0,
            Self::Page(_) => 1,
            Self::SearchResult => 2,
            Self::Fetched(_) => 3,
            Self::Document => 4,
            Self::Model => 5,
            Self::Tool(_) => 6,
            Self::Memory => 7,
            Self::Gloss => 8,
        }
    }
}

/// All origins of a text. The set only grows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Provenance(SortedSet<Origin>);

impl Provenance {
    /// Creates the provenance of a text with one origin.
    pub fn of(origin: Origin) -> Self {
        Self([origin].into_iter().collect())
    }

    /// Returns this provenance with one more origin.
    #[must_use]
    pub fn and(mut self, origin: Origin) -> Self {
        self.0.insert(origin);
        self
    }

    /// Adds all origins of another text.
    pub fn add(&mut self, other: &Self) {
        self.0.extend(other.0.iter().cloned());
    }

    /// Returns the origins, each once, in a fixed order.
    pub fn origins(&self) -> impl Iterator<Item = &Origin> {
        self.0.iter()
    }

    /// Returns true if there is no origin.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<Origin> for Provenance {
    fn from_iter<I: IntoIterator<Item = Origin>>(origins: I) -> Self {
        Self(origins.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provenance_only_grows_and_is_the_same_in_any_order() {
        let page = || Origin::Page("https://tides.example/".to_owned());
        let one = Provenance::of(Origin::User).and(page()).and(Origin::Model);
        let mut other = Provenance::of(Origin::Model);
        other.add(&Provenance::of(page()));
        other.add(&Provenance::of(Origin::User));
        other.add(&Provenance::default());
        assert_eq!(one, other);
        let written = serde_json::to_string(&one).unwrap();
        assert_eq!(serde_json::from_str::<Provenance>(&written).unwrap(), one);
    }
}
