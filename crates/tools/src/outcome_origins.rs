//! The origins of the text that a call brought, and the pages that the call fetched.

use super::{ToolError, ToolOutcome, web_fetch, web_search};
use gloss_model::ToolCall;
use gloss_model::provenance::{Origin, Provenance};
use gloss_web::rag::MOST_READ;
use serde_json::Value;

impl ToolOutcome {
    /// Returns the addresses of the pages that a call may have fetched: those that it was given, or
    /// the first results of a search, which it reads. A failed fetch counts too.
    pub fn fetched(&self, call: &ToolCall) -> Vec<String> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let list = |value: Option<&Value>| value.and_then(Value::as_array).cloned();
        match (call.name.as_str(), &self.result) {
            (
                web_fetch::NAME,
                Ok(_) | Err(ToolError::Failed { .. } | ToolError::NotPermitted { .. }),
            ) => {
                let urls = call.arguments.get("urls");
                let urls = list(urls).or_else(|| urls.cloned().map(|one| vec![one]));
                let urls = urls.unwrap_or_default();
                urls.iter()
                    .take(web_fetch::MOST_PAGES)
                    .filter_map(text)
                    .collect()
            }
            (web_search::NAME | web_search::ALIAS, Ok(output)) => {
                let pages = list(output.data.get("pages")).unwrap_or_default();
                let read = pages.iter().take(MOST_READ);
                read.filter_map(|page| text(page.get("asked").or_else(|| page.get("url"))?))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the origins of the text that the model reads. The error of a failed tool may contain
    /// a server's words; the other errors are Gloss's own.
    pub fn provenance(&self, tool: &str) -> Provenance {
        match &self.result {
            Ok(output) => output.provenance.clone(),
            Err(
                ToolError::Failed { .. }
                | ToolError::NotPermitted { .. }
                | ToolError::RepeatedFailure { .. },
            ) => Provenance::of(Origin::Tool(tool.to_owned())),
            Err(_) => Provenance::of(Origin::Gloss),
        }
    }
}
