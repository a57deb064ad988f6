//! The trusted domains of each category, in a table that users can edit.
//!
//! The first seven rows are from the specification (DETAILS §4). The rows for news, health, legal
//! and sports are Gloss's own.

use super::Category;
use gloss_durable::sorted::SortedMap;
use serde::{Deserialize, Serialize};

/// The maximum number of domains of a category. A query can hardly contain more.
const MOST: usize = 20;
/// The maximum length of a domain's name, in characters (RFC 1035).
const MOST_LETTERS: usize = 253;

impl Category {
    /// All categories, in the order of SPEC §4.
    pub const ALL: [Self; 11] = [
        Self::Encyclopedia,
        Self::Programming,
        Self::Academic,
        Self::Government,
        Self::Finance,
        Self::Tech,
        Self::Reference,
        Self::News,
        Self::Health,
        Self::Legal,
        Self::Sports,
    ];

    /// Returns the name that models use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Encyclopedia => "encyclopedia",
            Self::Programming => "programming",
            Self::Academic => "academic",
            Self::Government => "government",
            Self::Finance => "finance",
            Self::Tech => "tech",
            Self::Reference => "reference",
            Self::News => "news",
            Self::Health => "health",
            Self::Legal => "legal",
            Self::Sports => "sports",
        }
    }

    /// Returns the default domains of a category. `*.gov` means every domain that ends in `.gov`.
    fn domains(self) -> &'static [&'static str] {
        match self {
            Self::Encyclopedia => &["wikipedia.org", "britannica.com"],
            Self::Programming => &["stackoverflow.com", "github.com", "developer.mozilla.org"],
            Self::Academic => &["arxiv.org", "scholar.google.com", "ncbi.nlm.nih.gov"],
            Self::Government => &["*.gov", "who.int", "un.org"],
            Self::Finance => &["reuters.com", "bloomberg.com", "sec.gov"],
            Self::Tech => &["techcrunch.com", "arstechnica.com", "wired.com"],
            Self::Reference => &["wikipedia.org", "britannica.com", "merriam-webster.com"],
            Self::News => &["apnews.com", "reuters.com", "bbc.com", "theguardian.com"],
            Self::Health => &["who.int", "nih.gov", "cdc.gov", "nhs.uk", "mayoclinic.org"],
            Self::Legal => &["law.cornell.edu", "eur-lex.europa.eu", "justia.com"],
            Self::Sports => &["espn.com", "olympics.com", "skysports.com"],
        }
    }
}

/// The rows of the table that the user has changed. All other categories have their defaults.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Domains(SortedMap<Category, Vec<String>>);

impl Domains {
    /// Returns true if the user has changed no row.
    pub fn is_default(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the domains of a category.
    pub fn of(&self, category: Category) -> Vec<String> {
        let at_first = || category.domains().iter().map(|it| (*it).to_owned());
        let own = self.0.get(&category).cloned();
        own.unwrap_or_else(|| at_first().collect())
    }

    /// Sets a row from the text that the user entered: names separated by spaces or commas. An
    /// empty text restores the default. An invalid text changes nothing.
    ///
    /// # Errors
    /// The first invalid name; an empty text if there are too many names.
    pub fn set(&mut self, category: Category, typed: &str) -> Result<(), String> {
        let apart =
            |letter: char| letter.is_whitespace() || matches!(letter, ',' | ';' | '，' | '、');
        let mut domains: Vec<String> = Vec::new();
        for word in typed.split(apart).filter(|word| !word.is_empty()) {
            let domain = domain(word).ok_or_else(|| word.to_owned())?;
            if !domains.contains(&domain) {
                domains.push(domain);
            }
        }
        if domains.len() > MOST {
            return Err(String::new());
        }
        if domains.is_empty() || domains == category.domains() {
            self.0.remove(&category);
        } else {
            self.0.insert(category, domains);
        }
        Ok(())
    }

    /// Returns true if every name is valid. An imported file must meet this condition.
    pub fn is_sound(&self) -> bool {
        let sound = |names: &Vec<String>| {
            (1..=MOST).contains(&names.len())
                && names.iter().all(|name| domain(name).as_ref() == Some(name))
        };
        self.0.values().all(sound)
    }
}

/// Returns true if a host belongs to a domain. `*.gov` includes every host that ends in `.gov`.
pub(super) fn covers(domain: &str, host: &str) -> bool {
    let (suffix, is_ending) = match domain.strip_prefix("*.") {
        Some(ending) => (ending, true),
        None => (domain, false),
    };
    match host.strip_suffix(suffix) {
        Some("") => !is_ending,
        Some(rest) => rest.ends_with('.'),
        None => false,
    }
}

/// Normalises a domain that the user entered; `None` if it is invalid. If the user entered a whole
/// address, its host is used.
fn domain(typed: &str) -> Option<String> {
    let lower = typed.to_ascii_lowercase();
    let (_, place) = lower.split_once("://").unwrap_or(("", &lower));
    let host = place.split('/').next().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host);
    let name = host.strip_prefix("*.").unwrap_or(host);
    let is_ending = name.len() < host.len();
    let label = |label: &str| {
        let letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        !label.is_empty() && label.len() < 64 && label.chars().all(letter)
    };
    let has_dot = is_ending || name.contains('.');
    let sound = has_dot && name.len() <= MOST_LETTERS && name.split('.').all(label);
    sound.then(|| host.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_of_the_table_stands_as_it_was_given() {
        let rows = [
            ("encyclopedia", "wikipedia.org britannica.com"),
            (
                "programming",
                "stackoverflow.com github.com developer.mozilla.org",
            ),
            ("academic", "arxiv.org scholar.google.com ncbi.nlm.nih.gov"),
            ("government", "*.gov who.int un.org"),
            ("finance", "reuters.com bloomberg.com sec.gov"),
            ("tech", "techcrunch.com arstechnica.com wired.com"),
            (
                "reference",
                "wikipedia.org britannica.com merriam-webster.com",
            ),
            ("news", "apnews.com reuters.com bbc.com theguardian.com"),
            ("health", "who.int nih.gov cdc.gov nhs.uk mayoclinic.org"),
            ("legal", "law.cornell.edu eur-lex.europa.eu justia.com"),
            ("sports", "espn.com olympics.com skysports.com"),
        ];
        assert_eq!(rows.len(), Category::ALL.len());
        for (category, (id, domains)) in Category::ALL.into_iter().zip(rows) {
            assert_eq!(category.name(), id);
            assert_eq!(serde_json::to_value(category).unwrap(), id);
            assert_eq!(Domains::default().of(category).join(" "), domains);
            for name in domains.split(' ') {
                assert_eq!(domain(name).as_deref(), Some(name));
            }
        }
    }

    #[test]
    fn a_row_is_edited_and_is_as_at_first_when_it_is_emptied() {
        let mut table = Domains::default();
        let typed = "https://www.Tagesschau.de/inland, *.gov.uk;example.org\nexample.org";
        table.set(Category::News, typed).unwrap();
        assert_eq!(
            table.of(Category::News),
            ["tagesschau.de", "*.gov.uk", "example.org"]
        );
        assert!(table.is_sound() && !table.is_default());
        for wrong in [
            "here",
            "a..b",
            "http://",
            "bücher.de",
            "a b.c",
            "site:a.b",
            "*.",
            "a.b?c",
        ] {
            assert!(table.set(Category::News, wrong).is_err(), "{wrong}");
        }
        let many: Vec<String> = (0..21).map(|n| format!("s{n}.example")).collect();
        assert_eq!(
            table.set(Category::News, &many.join(" ")),
            Err(String::new())
        );
        assert_eq!(table.of(Category::News).len(), 3, "nothing was changed");
        table.set(Category::News, " ").unwrap();
        assert!(table.is_default());
        let of_a_file: Domains = serde_json::from_str(r#"{"news":["site:x OR y"]}"#).unwrap();
        assert!(!of_a_file.is_sound());
    }

    #[test]
    fn a_domain_covers_its_own_and_no_others() {
        for (domain, host, covered) in [
            ("wikipedia.org", "wikipedia.org", true),
            ("wikipedia.org", "de.wikipedia.org", true),
            ("wikipedia.org", "notwikipedia.org", false),
            ("wikipedia.org", "wikipedia.org.evil.example", false),
            ("*.gov", "nasa.gov", true),
            ("*.gov", "www.nasa.gov", true),
            ("*.gov", "nasa.gov.evil.example", false),
            ("*.gov", "notgov", false),
            ("*.gov", "gov", false),
        ] {
            assert_eq!(covers(domain, host), covered, "{domain} {host}");
        }
    }
}
