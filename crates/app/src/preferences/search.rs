//! The user's settings of a search provider.

use super::profiles::{MOST_LETTERS, NOT_IN_AN_ADDRESS, origin_of};
use super::{FieldName, Problem};
use gloss_model::phrase::{Phrase, phrase};
use gloss_web::search::{Category, MOST_A_DAY, MOST_A_MINUTE, ProviderKind, Server, Settings};
use serde::{Deserialize, Serialize};

/// A search provider's settings as the user typed them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypedServer {
    /// The server's address.
    pub base_url: String,
    /// The id of the user's own search engine (Google's `cx`).
    pub id: String,
    /// The maximum numbers of searches per minute and per day.
    pub limits: [String; 2],
}

impl TypedServer {
    /// Converts a provider's settings to the texts of the form.
    pub fn of(server: &Server) -> Self {
        Self {
            base_url: server.base_url.clone(),
            id: server.id.clone(),
            limits: [server.per_minute, server.per_day].map(|limit| limit.to_string()),
        }
    }

    /// Parses the settings and removes spaces at the ends.
    ///
    /// # Errors
    /// The problems with values that are not allowed.
    pub(crate) fn read(&self, engine: ProviderKind) -> Result<Server, Vec<Problem>> {
        let [per_minute, per_day] = &self.limits;
        // A text that isn't a number becomes 0. The limit 0 is not allowed, so it becomes a
        // problem.
        let number = |typed: &str| typed.trim().parse().unwrap_or_default();
        let server = Server {
            base_url: self.base_url.trim().trim_end_matches('/').to_owned(),
            id: self.id.trim().to_owned(),
            per_minute: number(per_minute),
            per_day: number(per_day),
        };
        let mut problems = of_server(engine, &server);
        if server.base_url.is_empty() {
            let words = phrase("options_search_url_refused");
            problems.push(Problem::at(FieldName::SearchUrl, words));
        }
        if engine.wants_id() && server.id.is_empty() {
            let words = phrase("options_search_id_refused");
            problems.push(Problem::at(FieldName::SearchId, words));
        }
        if problems.is_empty() {
            Ok(server)
        } else {
            Err(problems)
        }
    }
}

pub(super) fn problems(settings: &Settings) -> Vec<Problem> {
    let servers = settings.servers.iter();
    let servers = servers.flat_map(|(engine, server)| of_server(*engine, server));
    let mut problems: Vec<Problem> = servers.collect();
    if !settings.domains.is_sound() {
        let field = FieldName::SearchDomains(Category::Encyclopedia);
        problems.push(Problem::at(field, phrase("options_domains_many")));
    }
    problems
}

/// Returns the problem with a list of trusted domains. `wrong` is the first entry that isn't a
/// domain. If `wrong` is empty, the list is too long.
pub(crate) fn no_domains(category: Category, wrong: &str) -> Problem {
    let words = match wrong {
        "" => phrase("options_domains_many"),
        wrong => phrase("options_domain_refused").with(wrong),
    };
    Problem::at(FieldName::SearchDomains(category), words)
}

fn of_server(engine: ProviderKind, server: &Server) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut refuse = |field, words: Phrase| problems.push(Problem::at(field, words));
    let long = |text: &str| text.chars().count() > MOST_LETTERS;
    if server.base_url.contains(NOT_IN_AN_ADDRESS) {
        refuse(FieldName::SearchUrl, phrase("options_url_private"));
    } else if !server.base_url.is_empty()
        && (long(&server.base_url) || origin_of(&server.base_url).is_none())
    {
        refuse(FieldName::SearchUrl, phrase("options_search_url_refused"));
    }
    if long(&server.id) || (!engine.wants_id() && !server.id.is_empty()) {
        refuse(FieldName::SearchId, phrase("options_search_id_refused"));
    }
    for (field, set, most) in [
        (FieldName::SearchMinute, server.per_minute, MOST_A_MINUTE),
        (FieldName::SearchDay, server.per_day, MOST_A_DAY),
    ] {
        if !(1..=most).contains(&set) {
            refuse(field, phrase("options_range").with(&1).with(&most));
        }
    }
    problems
}
