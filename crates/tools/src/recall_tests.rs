//! Tests of the errors for ids that don't exist, or whose results can't be read now.

use super::*;
use gloss_context::{Context, EarlierResults, ResultLocation};
use gloss_durable::{Key, Path, RunId};
use gloss_host_sim::Sim;
use gloss_model::{ContextWindow, Language, ToolCall};
use gloss_reader::PageService;
use gloss_reader::retrieval::words_only;
use serde_json::json;

const NEVER: u64 = u64::MAX;

/// Calls `recall_details` with this id in a run that has `known` earlier results.
fn recalled(sim: &Sim, id: &str, known: u32) -> Result<Output, ToolError> {
    let place = |n: u32| ResultLocation {
        id: format!("r{n}"),
        tool: "web_fetch".to_owned(),
        of: String::new(),
        run: RunId("before".to_owned()),
        seq: 3,
    };
    let earlier = EarlierResults {
        results: known,
        messages: 0,
        kept: (1..=known).map(place).collect(),
    };
    let context = Context::new(Language::English, &earlier);
    let tools = all(&sim.host(), &PageService::in_process(words_only()));
    let mut toolbox = Toolbox::new(tools, None, ContextWindow::of(None));
    toolbox.run.results = context.results().clone();
    let call = ToolCall {
        id: "1".to_owned(),
        name: recall_details::NAME.to_owned(),
        arguments: json!({ "resultId": id }),
        reasoning: None,
        after: None,
    };
    let key = Key {
        run: RunId("run".to_owned()),
        path: Path::root(),
    };
    let work = toolbox.run(
        &call,
        &key,
        (ConsentState::MayBeAsked, crate::Approval::NotAsked),
        RoleModels::default(),
    );
    sim.life(NEVER, work).expect("nobody kills it")
}

#[test]
fn a_disk_that_does_not_answer_is_no_unknown_id() {
    let sim = Sim::new(1);
    sim.hang_archive();
    let error = recalled(&sim, "r1", 1).unwrap_err();
    assert!(error.is_retryable() && error.is_failure(), "{error}");
    let said = error.to_string();
    assert!(
        said.starts_with("the result `r1` can't be read now: "),
        "{said}"
    );
    sim.heal_storage();
    let error = recalled(&sim, "r1", 1).unwrap_err();
    assert!(!error.is_retryable(), "it is gone for good: {error}");
    assert_eq!(error.kind(), ErrorKind::NotFound);
}

#[test]
fn what_there_is_instead_is_told_by_its_newest_and_not_at_all_where_there_is_nothing() {
    let sim = Sim::new(1);
    let told = |known| recalled(&sim, "r999", known).unwrap_err().to_string();
    assert_eq!(
        told(0),
        "there is no shortened result `r999`, and there is no other"
    );
    assert_eq!(
        told(2),
        "there is no shortened result `r999`; there are: r1, r2"
    );
    let many = told(300);
    assert!(
        many.contains("; there are: r281, ") && many.ends_with("r300 and 280 older"),
        "{many}"
    );
    let unknown = ToolError::Unknown {
        name: "look".to_owned(),
        known: Vec::new(),
    };
    assert_eq!(
        unknown.to_string(),
        "unknown tool `look`, and there is no other"
    );
}
