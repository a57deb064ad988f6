//! Who can be asked.

use super::dialect::Dialect;
use super::{Kind, brave, google, searxng, tavily, wikipedia};
use serde::{Deserialize, Serialize};

/// A search provider (SPEC §7).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Engine {
    /// Wikipedia, or any other `MediaWiki`: no key.
    #[default]
    Wikipedia,
    /// A `SearXNG` of the person's own.
    Searxng,
    /// Brave Search.
    Brave,
    /// Google's Programmable Search Engine.
    Google,
    /// Tavily.
    Tavily,
}

/// Whether a provider wants a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyNeed {
    /// It has none.
    None,
    /// What stands before it may want one.
    Optional,
    /// It answers nobody without.
    Required,
}

impl Engine {
    /// In the order of Options.
    pub const ALL: [Self; 5] = [
        Self::Wikipedia,
        Self::Searxng,
        Self::Brave,
        Self::Google,
        Self::Tavily,
    ];

    /// As people know it, in any language.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wikipedia => "Wikipedia",
            Self::Searxng => "SearXNG",
            Self::Brave => "Brave",
            Self::Google => "Google Custom Search",
            Self::Tavily => "Tavily",
        }
    }

    /// Where it is, unless the person says otherwise; empty where only they know.
    pub fn base_url(self) -> &'static str {
        match self {
            Self::Wikipedia => "https://en.wikipedia.org",
            Self::Searxng => "",
            Self::Brave => "https://api.search.brave.com",
            Self::Google => "https://www.googleapis.com",
            Self::Tavily => "https://api.tavily.com",
        }
    }

    /// Whether it wants a key.
    pub fn key(self) -> KeyNeed {
        match self {
            Self::Wikipedia => KeyNeed::None,
            Self::Searxng => KeyNeed::Optional,
            Self::Brave | Self::Google | Self::Tavily => KeyNeed::Required,
        }
    }

    /// Under which name its key is kept. No profile's id is one.
    pub fn key_name(self) -> &'static str {
        match self {
            Self::Wikipedia => "search-wikipedia",
            Self::Searxng => "search-searxng",
            Self::Brave => "search-brave",
            Self::Google => "search-google",
            Self::Tavily => "search-tavily",
        }
    }

    /// Where a key is made.
    pub fn keys_page(self) -> Option<&'static str> {
        match self {
            Self::Wikipedia | Self::Searxng => None,
            Self::Brave => Some("https://api-dashboard.search.brave.com/app/keys"),
            Self::Google => Some("https://developers.google.com/custom-search/v1/introduction"),
            Self::Tavily => Some("https://app.tavily.com/home"),
        }
    }

    /// Whether it wants to know which of the person's search engines is meant, too
    /// (Google's `cx`).
    pub fn wants_id(self) -> bool {
        self == Self::Google
    }

    /// Whether the browser lets us speak to it by the person's leave alone. A `MediaWiki`
    /// lets every origin read what it says to strangers (DETAILS §6).
    pub fn wants_leave(self) -> bool {
        self != Self::Wikipedia
    }

    /// Whether it tells when a page was published, or one domain from another: what does
    /// not is asked without these.
    pub(super) fn narrows(self) -> bool {
        self != Self::Wikipedia
    }

    /// Whether it has results of this kind.
    pub(super) fn has(self, kind: Kind) -> bool {
        match self {
            Self::Searxng | Self::Brave => true,
            Self::Wikipedia => kind != Kind::News,
            Self::Google => matches!(kind, Kind::Web | Kind::Image),
            Self::Tavily => matches!(kind, Kind::Web | Kind::News),
        }
    }

    pub(super) fn dialect(self) -> &'static dyn Dialect {
        match self {
            Self::Wikipedia => &wikipedia::Wikipedia,
            Self::Searxng => &searxng::Searxng,
            Self::Brave => &brave::Brave,
            Self::Google => &google::Google,
            Self::Tavily => &tavily::Tavily,
        }
    }
}
