//! The search providers.

use super::dialect::Dialect;
use super::{Kind, brave, google, searxng, tavily, wikipedia};
use serde::{Deserialize, Serialize};

/// A search provider (SPEC §7).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProviderKind {
    /// Wikipedia, or any other `MediaWiki`. It needs no key.
    #[default]
    Wikipedia,
    /// The user's own `SearXNG` server.
    Searxng,
    /// Brave Search.
    Brave,
    /// Google's Programmable Search Engine.
    Google,
    /// Tavily Search.
    Tavily,
}

/// The need of a provider for a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyNeed {
    /// The provider has no keys.
    None,
    /// The provider has no keys, but a proxy in front of its server may require one.
    Optional,
    /// The provider requires a key.
    Required,
}

impl ProviderKind {
    /// All providers, in the order in which Options shows them.
    pub const ALL: [Self; 5] = [
        Self::Wikipedia,
        Self::Searxng,
        Self::Brave,
        Self::Google,
        Self::Tavily,
    ];

    /// Returns the provider's name for the user, the same in every language.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wikipedia => "Wikipedia",
            Self::Searxng => "SearXNG",
            Self::Brave => "Brave",
            Self::Google => "Google Custom Search",
            Self::Tavily => "Tavily",
        }
    }

    /// Returns the default base address; empty if only the user knows the address.
    pub fn base_url(self) -> &'static str {
        match self {
            Self::Wikipedia => "https://en.wikipedia.org",
            Self::Searxng => "",
            Self::Brave => "https://api.search.brave.com",
            Self::Google => "https://www.googleapis.com",
            Self::Tavily => "https://api.tavily.com",
        }
    }

    /// Returns the need of this provider for a key.
    pub fn key(self) -> KeyNeed {
        match self {
            Self::Wikipedia => KeyNeed::None,
            Self::Searxng => KeyNeed::Optional,
            Self::Brave | Self::Google | Self::Tavily => KeyNeed::Required,
        }
    }

    /// Returns the name of the provider's key in the vault. It never equals the id of a profile.
    pub fn key_name(self) -> &'static str {
        match self {
            Self::Wikipedia => "search-wikipedia",
            Self::Searxng => "search-searxng",
            Self::Brave => "search-brave",
            Self::Google => "search-google",
            Self::Tavily => "search-tavily",
        }
    }

    /// Returns the page on which the user creates a key; `None` for providers without keys.
    pub fn keys_page(self) -> Option<&'static str> {
        match self {
            Self::Wikipedia | Self::Searxng => None,
            Self::Brave => Some("https://api-dashboard.search.brave.com/app/keys"),
            Self::Google => Some("https://developers.google.com/custom-search/v1/introduction"),
            Self::Tavily => Some("https://app.tavily.com/home"),
        }
    }

    /// Returns true if the provider also requires the id of the user's search engine (Google's
    /// `cx`).
    pub fn wants_id(self) -> bool {
        self == Self::Google
    }

    /// Returns true if the extension needs the user's permission for the provider's host. A
    /// `MediaWiki` allows every origin to read anonymous responses (DETAILS §6).
    pub fn needs_host_permission(self) -> bool {
        self != Self::Wikipedia
    }

    /// Returns true if the provider can filter by date and domain. Searches at other providers
    /// leave these filters out.
    pub(super) fn narrows(self) -> bool {
        self != Self::Wikipedia
    }

    /// Returns true if the provider has results of this kind.
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
