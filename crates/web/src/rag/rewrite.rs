//! Rewrites a query after a search that found too few relevant results (Property 8).

use super::findings::Round;
use super::judge::{LightModelReply, SENT, words};
use super::query::{is_new, reword, tidied};
use super::{Grader, JudgeCall, ResearchState, Wanted};
use futures::FutureExt;
use gloss_durable::{Call, Class, Effect, Fingerprint, Fut, Halt};
use gloss_model::Purpose;
use gloss_model::prompts::{Name, Note, Value};
use gloss_model::protocol::json_within;
use gloss_model::role_models::RoleCall;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

/// The maximum number of rewrites of a query in one search (Property 8).
pub const MOST_REWRITES: usize = 2;

/// The time limit of one rewrite, in ms.
pub const MOST_MS: u64 = 15_000;

/// The prompt, and the fixed text about the format of the reply.
const PROMPT: (Name, Note) = (Name::QueryRewrite, Note::Query);

/// A query that differs from every earlier one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rewritten {
    /// The query, with at most [`MOST_CHARACTERS`](crate::search::MOST_CHARACTERS) characters.
    pub query: String,
    /// The origin of the query.
    pub by: Grader,
    /// The model calls that were made for the query.
    #[serde(default)]
    pub role_calls: Vec<RoleCall>,
    /// The active time, in milliseconds.
    pub duration_ms: u64,
}

impl JudgeCall {
    /// Writes a better query for `wanted`, whose question includes its aspects. If no model writes
    /// a new query, the device makes one from the words of the earlier queries. `found` contains a
    /// summary of each result so far.
    pub async fn rewrite(
        &self,
        wanted: &Wanted,
        earlier: &[String],
        found: &[Json],
        within_ms: u64,
    ) -> Rewritten {
        let began_ms = self.judge.clock.now_ms();
        let values = values(wanted, earlier, found);
        let said = self.ask(Purpose::Rewrite, PROMPT, &values, within_ms).await;
        let written = match said {
            LightModelReply::Reply(reply) => Some(query(&reply)),
            LightModelReply::TooLate | LightModelReply::Nothing => None,
        };
        let written = written.filter(|query| is_new(query, earlier));
        let (query, by) = if let Some(query) = written {
            (query, Grader::Model)
        } else {
            // Words of the results are not used. Otherwise a page that was rejected could choose
            // the next query.
            (reword(earlier, &wanted.aspects), Grader::Words)
        };
        Rewritten {
            query,
            by,
            role_calls: self.aid.calls_so_far(),
            duration_ms: self.judge.clock.now_ms().saturating_sub(began_ms),
        }
    }
}

/// Returns the values for the placeholders of the prompt.
fn values(wanted: &Wanted, earlier: &[String], found: &[Json]) -> [(&'static str, Value); 4] {
    let queries = earlier.iter().map(|it| json!(it)).collect();
    [
        ("question", Value::Words(wanted.question.clone())),
        ("asked", Value::Words(wanted.user_request().to_owned())),
        ("queries", Value::List(queries)),
        ("results", Value::List(found.to_vec())),
    ]
}

/// Reads the query from a model's reply: from its JSON, otherwise from its first line.
fn query(text: &str) -> String {
    if let Some(said) = json_within(text) {
        return tidied(words(&said, "query").unwrap_or_default());
    }
    let mut lines = text.lines().map(str::trim);
    tidied(lines.find(|line| !line.is_empty()).unwrap_or_default())
}

/// Rewrites a query, as an effect that may be repeated.
pub(super) struct RewriteQuery {
    judging: JudgeCall,
    wanted: Wanted,
    earlier: Vec<String>,
    found: Vec<Json>,
    within_ms: u64,
}

impl Effect for RewriteQuery {
    type Outcome = Rewritten;

    const KIND: &'static str = "rewrite";
    const CLASS: Class = Class::Safe;

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_value(&(&self.wanted, &self.earlier, &self.found))
    }

    fn label(&self) -> Json {
        let values = values(&self.wanted, &self.earlier, &self.found);
        let sent = self
            .judging
            .sends(Purpose::Rewrite, PROMPT, &values, self.within_ms);
        json!({ "queries": self.earlier, (SENT): sent })
    }

    fn perform(self, _call: Call) -> Fut<Rewritten> {
        async move {
            let Self {
                judging,
                wanted,
                earlier,
                found,
                within_ms,
            } = &self;
            judging.rewrite(wanted, earlier, found, *within_ms).await
        }
        .boxed_local()
    }
}

impl ResearchState<'_> {
    /// Rewrites the last of the `earlier` queries, and returns the next query.
    pub(super) async fn rewrite(
        &mut self,
        earlier: &[String],
        round: &Round,
    ) -> Result<String, Halt> {
        let rewrite = RewriteQuery {
            judging: self.judging(),
            wanted: Wanted {
                question: self.question(),
                aspects: self.asked.aspects.clone(),
                by_person: self.asked.by_person.clone(),
            },
            earlier: earlier.to_vec(),
            found: if self.with.may_show_results {
                round.judged.clone()
            } else {
                Vec::new()
            },
            within_ms: self.within(MOST_MS),
        };
        let place = format!("rewrite.{}", earlier.len());
        let rewritten = self.ctx.step(place, rewrite).await?;
        self.duration_ms += rewritten.duration_ms;
        self.role_calls.extend(rewritten.role_calls);
        Ok(rewritten.query)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_read_in_whatever_form_it_is_written() {
        for (text, expected) in [
            (r#"{"query": " Hilbre  tide gauge "}"#, "Hilbre tide gauge"),
            ("```json\n{\"query\": \"a b\"}\n```", "a b"),
            (
                "\n\"Hilbre tide gauge\"\n\nIt is better.",
                "Hilbre tide gauge",
            ),
            (r#"{"other": 1}"#, ""),
            ("", ""),
        ] {
            assert_eq!(query(text), expected, "{text}");
        }
    }
}
