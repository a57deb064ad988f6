//! A provider for tests: a simulated server asked in the plainest form there is.

use super::{Hit, Provider, Query, SearchError};
use crate::host::{Fut, Http, HttpRequest, Method};
use futures::{FutureExt, StreamExt};
use std::future::ready;
use std::rc::Rc;

/// Where [`Plain`] is served in simulations.
pub const SERVER: &str = "https://search.example";

/// Asks `GET https://search.example/?q=…`, the blanks as `+`, for a JSON list of [`Hit`]s.
pub struct Plain {
    /// The way to it.
    pub http: Rc<dyn Http>,
}

impl Provider for Plain {
    fn name(&self) -> &'static str {
        "Plain"
    }

    fn search(&self, query: Query, _: u8, _: bool) -> Fut<Result<Vec<Hit>, SearchError>> {
        let sent = self.http.send(HttpRequest {
            method: Method::Get,
            url: format!("{SERVER}/?q={}", query.text.replace(' ', "+")),
            headers: Vec::new(),
            body: None,
        });
        async move {
            let unreachable = |message: String| SearchError::Unreachable {
                provider: "Plain".to_owned(),
                message,
            };
            let response = sent.await.map_err(|error| unreachable(error.to_string()))?;
            let status = response.status;
            let mut body = Vec::new();
            let mut pieces = response.body;
            while let Some(piece) = pieces.next().await {
                body.extend(piece.map_err(|error| unreachable(error.to_string()))?);
            }
            serde_json::from_slice(&body).map_err(|error| SearchError::Answered {
                provider: "Plain".to_owned(),
                status,
                message: error.to_string(),
            })
        }
        .boxed_local()
    }
}

/// Nobody.
pub struct Nobody;

impl Provider for Nobody {
    fn name(&self) -> &'static str {
        "Nobody"
    }

    fn search(&self, _: Query, _: u8, _: bool) -> Fut<Result<Vec<Hit>, SearchError>> {
        let provider = "Nobody".to_owned();
        let message = "there is none".to_owned();
        Box::pin(ready(Err(SearchError::Unreachable { provider, message })))
    }
}
