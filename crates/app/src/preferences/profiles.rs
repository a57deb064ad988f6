//! The rules for the values that the user types on the options page, such as a server's address.

use super::{Figure, Limit};
use gloss_model::Profile;
use gloss_model::phrase::{Phrase, phrase};
use gloss_web::search::Category;
use serde::{Deserialize, Serialize};

/// Characters that an address must not contain. `?` and `#` begin a query or a fragment, and `@`
/// follows a user name or a password. Each of these may contain a key, and addresses are recorded
/// and exported.
pub(super) const NOT_IN_AN_ADDRESS: [char; 3] = ['?', '#', '@'];

/// The maximum length of a name, an address or a model's name, in characters.
pub(super) const MOST_LETTERS: usize = 200;

/// A field whose value may be refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldName {
    /// A profile's name.
    Name,
    /// A server's address.
    BaseUrl,
    /// A profile's key.
    Key,
    /// A profile's model.
    Model,
    /// The current passphrase that seals the keys.
    Passphrase,
    /// The new passphrase that seals the keys.
    NewPassphrase,
    /// A limit of a run.
    Limit(Limit),
    /// A number that the user enters for a model, such as its price or context window.
    Figure(Figure),
    /// A prompt.
    Prompt,
    /// A search provider's address.
    SearchUrl,
    /// A search provider's key.
    SearchKey,
    /// The id of the user's own search engine (Google's `cx`).
    SearchId,
    /// The maximum number of searches per minute.
    SearchMinute,
    /// The maximum number of searches per day.
    SearchDay,
    /// The domains that are trusted for a category.
    SearchDomains(Category),
    /// A site that Gloss shall never read.
    ClosedSite,
    /// A file that the user chose.
    File,
    /// A fact about the user.
    Fact,
}

/// A reason for which a value is refused, and the field where the reason is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The field with the value.
    pub field: FieldName,
    /// The reason, with the values that are allowed.
    pub words: Phrase,
}

impl Problem {
    pub(crate) fn at(field: FieldName, words: Phrase) -> Self {
        Self { field, words }
    }
}

/// Returns a profile as it is stored. Its name, address and model are trimmed. The path
/// `/chat/completions` is removed from the address, because Gloss adds the path itself.
pub(crate) fn tidied(profile: Profile) -> Profile {
    let base_url = profile.base_url.trim().trim_end_matches('/');
    let base_url = base_url
        .strip_suffix("/chat/completions")
        .unwrap_or(base_url);
    Profile {
        base_url: base_url.trim_end_matches('/').to_owned(),
        name: profile.name.trim().to_owned(),
        model: profile.model.trim().to_owned(),
        ..profile
    }
}

pub(crate) fn problems(profile: &Profile) -> Vec<Problem> {
    let long = |text: &str| text.chars().count() > MOST_LETTERS;
    let mut problems = Vec::new();
    let mut refuse = |field, words| problems.push(Problem::at(field, words));
    if profile.name.is_empty() || long(&profile.name) || !is_id(&profile.id) {
        refuse(FieldName::Name, phrase("options_name_refused"));
    }
    if profile.base_url.contains(NOT_IN_AN_ADDRESS) {
        refuse(FieldName::BaseUrl, phrase("options_url_private"));
    } else if long(&profile.base_url) || origin_of(&profile.base_url).is_none() {
        refuse(FieldName::BaseUrl, phrase("options_url_refused"));
    }
    if profile.model.is_empty() || long(&profile.model) {
        refuse(FieldName::Model, phrase("options_model_refused"));
    }
    problems
}

/// Returns true if the text can be sent unchanged in an HTTP header.
pub(crate) fn is_key(key: &str) -> bool {
    key.chars().all(|letter| letter.is_ascii_graphic())
}

/// Returns true if the text can be the name under which a key is stored.
fn is_id(id: &str) -> bool {
    let letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    (1..=64).contains(&id.len()) && id.chars().all(letter)
}

/// Returns the scheme, host and port of an address, in lower case: `"HTTPS://A.example/v1"` ->
/// `"https://a.example"`. `None` if the address can't be the base address of a server.
pub fn origin_of(url: &str) -> Option<String> {
    let (scheme, rest) = url.trim().split_once("://")?;
    let scheme = scheme.to_ascii_lowercase();
    let odd = |letter: char| {
        letter.is_whitespace() || letter == '\\' || NOT_IN_AN_ADDRESS.contains(&letter)
    };
    if !["http", "https"].contains(&scheme.as_str()) || rest.contains(odd) {
        return None;
    }
    let place = rest.split('/').next()?.to_ascii_lowercase();
    let bracketed = place.starts_with('[') && place.contains(']');
    let (host, port) = match place.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (place.as_str(), None),
    };
    let plain = !host.is_empty() && (bracketed || !host.contains([':', '[', ']']));
    let port = match port {
        None => true,
        Some(port) => port.parse::<u16>().is_ok_and(|port| port > 0),
    };
    (plain && port).then(|| format!("{scheme}://{place}"))
}

/// Returns the host and port of a base address: `"http://localhost:8080/v1"` -> `"localhost:8080"`.
pub(crate) fn host_of(url: &str) -> Option<&str> {
    url.split_once("://")?.1.split(['/', '?']).next()
}
