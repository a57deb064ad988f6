//! `rewrite_search_query`: writes a better search query. It does not search.

use super::query::QueryText;
use super::schema::{BoundedList, arguments};
use super::{Destination, Group, ModelRole, Output, Requirement, Tool, ToolContext, ToolError};
use futures::FutureExt;
use gloss_durable::Fut;
use gloss_model::phrase::phrase;
use gloss_model::provenance::{Origin, Provenance};
use gloss_web::rag::{A_REWRITE_MS, Judge, JudgeCall, Wanted};
use serde_json::{Value, json};

pub(super) const NAME: &str = "rewrite_search_query";

/// The maximum numbers of queries and of titles of results.
const MOST: usize = 20;

arguments! {
    /// The arguments.
    pub(super) struct Arguments {
        /// The question to answer.
        question: QueryText,
        /// The earlier queries, in order.
        queries: BoundedList<QueryText, 1, MOST>,
        /// The titles of their results.
        found: Option<BoundedList<String, 1, MOST>>,
    }
}

pub(super) struct RewriteSearchQuery {
    pub(super) judge: Judge,
}

impl Tool for RewriteSearchQuery {
    type Arguments = Arguments;

    const NAME: &'static str = NAME;

    const TITLE: &'static str = "msg:tool_rewrite";
    const SUMMARY: &'static str = "msg:tool_rewrite_means";

    const DESTINATION: Destination = Destination::ChosenModel;

    const GROUP: Option<Group> = Some(Group::WebSearch);

    const MODEL_ROLE: Option<ModelRole> = Some(ModelRole::Light);

    const NEEDS: Option<Requirement> = Some(Requirement::Search);

    const DESCRIPTION: &'static str = "Writes a new search query that differs from all earlier \
        ones. Use when the user asks for better search words. Don't use with web_search, which \
        rewrites its own queries.";

    const EXAMPLES: [&'static str; 2] = [
        r#"{ "question": "height of a spring tide at Brest", "queries": ["Brest tide"] }"#,
        r#"{
            "question": "who lit the lamp",
            "queries": ["lamp 1823", "lighthouse lamp first lit"],
            "found": ["Lamps for sale"]
        }"#,
    ];

    fn run(&self, arguments: Arguments, context: ToolContext) -> Fut<Result<Output, ToolError>> {
        let judging = JudgeCall {
            judge: self.judge.clone(),
            aid: context.aid,
            prompts: context.run.prompts,
        };
        async move {
            let Arguments {
                question: QueryText(question),
                queries: BoundedList(queries),
                found,
            } = arguments;
            let earlier: Vec<String> = queries.into_iter().map(|QueryText(query)| query).collect();
            let found = found.map(|BoundedList(found)| found).unwrap_or_default();
            let found: Vec<Value> = found.into_iter().map(Value::from).collect();
            let wanted = Wanted {
                aspects: vec![question.clone()],
                question,
                by_person: context.run.asked,
            };
            let rewritten = judging
                .rewrite(&wanted, &earlier, &found, A_REWRITE_MS)
                .await;
            let summary = phrase("summary_rewritten").with(&rewritten.query);
            let provenance = Provenance::of(Origin::Model);
            let data = json!({ "query": rewritten.query });
            Ok(Output::new(data, summary, provenance))
        }
        .boxed_local()
    }
}
