//! `grade_search_results`: grades the relevance of given results to a question. It does not search.

use super::query::QueryText;
use super::schema::{BoundedList, arguments};
use super::{
    Destination, ErrorKind, Group, ModelRole, Output, Requirement, Tool, ToolContext, ToolError,
};
use futures::FutureExt;
use gloss_durable::Fut;
use gloss_model::phrase::phrase;
use gloss_model::provenance::{Origin, Provenance};
use gloss_web::rag::{A_GRADING_MS, Grade, Judge, JudgeCall, Wanted};
use gloss_web::search::Hit;
use serde_json::json;

pub(super) const NAME: &str = "grade_search_results";

/// The maximum number of results in one call.
const MOST: usize = 20;

arguments! {
    /// A search result.
    pub(super) struct Candidate {
        /// Its title.
        title: String,
        /// Its address.
        url: String,
        /// The text that the search showed of it.
        snippet: Option<String>,
    }
}

arguments! {
    /// The arguments.
    pub(super) struct Arguments {
        /// The question that the results should answer.
        question: QueryText,
        /// The results, at most 20.
        results: BoundedList<Candidate, 1, MOST>,
    }
}

pub(super) struct GradeSearchResults {
    pub(super) judge: Judge,
}

impl Tool for GradeSearchResults {
    type Arguments = Arguments;

    const NAME: &'static str = NAME;

    const TITLE: &'static str = "msg:tool_grade";
    const SUMMARY: &'static str = "msg:tool_grade_means";

    const DESTINATION: Destination = Destination::ChosenModel;

    const GROUP: Option<Group> = Some(Group::WebSearch);

    const MODEL_ROLE: Option<ModelRole> = Some(ModelRole::Light);

    const NEEDS: Option<Requirement> = Some(Requirement::Search);

    const DESCRIPTION: &'static str = "Grades search results: relevant or not, how sure, and \
        why. Use for results on the user's page, or results that were not graded in time. Don't \
        use after web_search, which grades its own.";

    const EXAMPLES: [&'static str; 2] = [
        r#"{
            "question": "when was the lamp at Brest lit",
            "results": [{
                "title": "Brest",
                "url": "https://lamps.example/brest",
                "snippet": "The lamp was lit in 1823."
            }]
        }"#,
        r#"{
            "question": "safety of lithium cells",
            "results": [
                { "title": "Cells", "url": "https://a.example/cells" },
                { "title": "Cell phones", "url": "https://b.example/phones" }
            ]
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
                results: BoundedList(results),
            } = arguments;
            let hits = results.into_iter().map(|result| Hit {
                title: result.title,
                url: result.url,
                snippet: result.snippet.unwrap_or_default(),
                ..Hit::default()
            });
            let hits: Vec<Hit> = hits.collect();
            let wanted = Wanted {
                question,
                aspects: Vec::new(),
                by_person: context.run.asked,
            };
            let graded = judging.grade(&wanted, &hits, A_GRADING_MS).await;
            let grades = graded.grades.ok_or_else(|| {
                let seconds = A_GRADING_MS / 1000;
                ToolError::permanent_failure(
                    ErrorKind::Timeout,
                    format!("not graded within {seconds} s: treat the results as unchecked"),
                    phrase("summary_not_graded").with(&seconds),
                )
            })?;
            Ok(result_output(&hits, &grades))
        }
        .boxed_local()
    }
}

fn result_output(hits: &[Hit], grades: &[Grade]) -> Output {
    let graded = hits.iter().zip(grades).map(|(hit, grade)| {
        json!({
            "title": hit.title,
            "url": hit.url,
            "relevant": grade.relevant,
            "confidencePercent": grade.confidence_percent,
            "reason": grade.reason,
        })
    });
    let relevant = grades.iter().filter(|grade| grade.relevant).count();
    let data = json!({ "graded": graded.collect::<Vec<_>>() });
    let summary = phrase("summary_graded").with(&grades.len());
    Output::new(data, summary.with(&relevant), Provenance::of(Origin::Model))
}
