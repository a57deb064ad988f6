//! Requests the list of a server's models: `GET {base}/models`.
//!
//! A response that is not a list of models is [`Fault::Nonsense`]. A listed model may still fail to
//! answer, which only a request to that model shows.

use super::dialect::Dialect;
use super::{AttemptError, Connection, ServerModel};
use crate::{Awaited, Fault, ModelError};
use gloss_host::{HttpRequest, Method};
use serde_json::Value;

/// The timeout for the list, in ms.
const LIST_MS: u64 = 30_000;
/// The maximum length of the list in bytes. A list of hundreds of models with descriptions has
/// about 1 MB.
const LIST_BYTES: usize = 8 << 20;
/// The tag of an Ollama model that users may leave out of its name.
const LATEST: &str = ":latest";

impl ServerModel {
    /// Returns the names of the server's models, in the server's order.
    ///
    /// # Errors
    /// The errors of [`Model::reply`](crate::Model::reply).
    pub async fn models(&self) -> Result<Vec<String>, ModelError> {
        let line = match self.line().await {
            Ok(line) => line,
            Err(fault) => return Err(self.failed(fault, None)),
        };
        let listed = line.list().await;
        listed.map_err(|fault| self.failed(fault, line.key.as_ref()))
    }

    /// Returns the error if the profile's model is not in the list `models`. `None` if the model is
    /// in the list.
    pub fn missing_among(&self, models: &[String]) -> Option<ModelError> {
        let wanted = &self.profile.model;
        let is_it = |name: &String| name == wanted || name.strip_suffix(LATEST) == Some(wanted);
        let missing = !models.iter().any(is_it);
        missing.then(|| self.failed(Fault::MissingModel, None))
    }
}

impl Connection<'_> {
    async fn list(&self) -> Result<Vec<String>, Fault> {
        let url = self.address.at(self.dialect.list());
        let mut headers = self.dialect.headers(self.key.as_ref());
        headers.push(("accept".to_owned(), "application/json".to_owned()));
        let sent = self.model.http.send(HttpRequest {
            method: Method::Get,
            url: url.clone(),
            headers,
            body: None,
        });
        let fetched = self.fetched(sent, &url, LIST_BYTES);
        let body = self.within(LIST_MS, Awaited::Head, fetched).await?;
        let body = body.map_err(AttemptError::fault)?;
        names(&body, self.dialect).ok_or_else(|| nonsense(&body))
    }
}

fn nonsense(body: &[u8]) -> Fault {
    let text = String::from_utf8_lossy(body);
    // An HTML page is not useful in an error message.
    let said = Some(text.trim().to_owned()).filter(|it| !it.is_empty() && !it.starts_with('<'));
    Fault::Nonsense { said }
}

/// Returns the names in a list of models. `OpenAI` sends the list as `{"data": [{"id": …}]}`. Other
/// servers send `{"models": […]}` or a bare JSON list.
fn names(body: &[u8], dialect: &dyn Dialect) -> Option<Vec<String>> {
    let list: Value = serde_json::from_str(&String::from_utf8_lossy(body)).ok()?;
    let models = ["data", "models"].iter().find_map(|name| list.get(name));
    let models = models.unwrap_or(&list).as_array()?;
    let names = models.iter().filter_map(|model| dialect.model_name(model));
    Some(names.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::chat_completions::ChatCompletions;

    #[test]
    fn every_shape_of_a_list_gives_its_names() {
        let cases: [(&str, Option<&[&str]>); 7] = [
            (
                r#"{"object":"list","data":[{"id":"a"},{"id":"b"}]}"#,
                Some(&["a", "b"]),
            ),
            (r#"{"models":[{"name":"a:1b"}]}"#, Some(&["a:1b"])),
            (r#"[{"id":"a"}]"#, Some(&["a"])),
            (r#"{"data":[]}"#, Some(&[])),
            (r#"{"data":[{"owned_by":"x"}]}"#, Some(&[])),
            (r#"{"status":"ok"}"#, None),
            ("<html>", None),
        ];
        for (body, expected) in cases {
            let expected = expected.map(|all| all.iter().map(|it| (*it).to_owned()).collect());
            assert_eq!(names(body.as_bytes(), &ChatCompletions), expected, "{body}");
        }
    }
}
