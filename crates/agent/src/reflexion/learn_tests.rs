//! Tests of the lessons that a call applies.

use super::RunLessons;
use crate::config::Lesson;
use crate::reflexion::tests::{call, failed, one};
use crate::run::CallResult;
use gloss_model::phrase::phrase;
use gloss_tools::{ErrorKind, Output, ToolOutcome};
use serde_json::{Value, json};

fn urls(url: &str) -> Value {
    json!({ "urls": [url] })
}

fn lesson(id: &str, kind: ErrorKind, url: &str) -> Lesson {
    Lesson {
        id: id.to_owned(),
        kind,
        arguments: urls(url).to_string(),
        ..one(1)
    }
}

fn well(tool: &str, arguments: Value) -> CallResult {
    let output = Output {
        data: json!({}),
        summary: phrase("summary_nothing_found"),
        share_percent: None,
        picture: None,
        provenance: crate::tests::toys::of_a_page(),
    };
    CallResult {
        call: call(tool, arguments),
        outcome: ToolOutcome {
            result: Ok(output),
            duration_ms: 1,
            role_calls: Vec::new(),
            so_far: None,
        },
        tries: 1,
    }
}

fn fails(tool: &str, arguments: Value) -> CallResult {
    CallResult {
        outcome: ToolOutcome::not_made(failed("no answer")),
        ..well(tool, arguments)
    }
}

#[test]
fn a_lesson_is_applied_by_another_call_that_went_well_and_is_about_the_like() {
    let fetched = |url| well("web_fetch", urls(url));
    let not = fails("web_fetch", urls("https://b.example/tides"));
    let elsewhere = well("find_in_page", json!({ "query": "tides" }));
    let same = "https://a.example/tides";
    // Each case is checked twice: an earlier run learned the lesson, or this run did.
    let table = [
        (fetched("https://b.example/tides"), true, true),
        (fetched("https://b.example/cake"), false, true),
        (fetched(same), false, false),
        (not, false, false),
        (elsewhere, false, false),
    ];
    for (done, given, own) in table {
        let lessons = vec![lesson("x", ErrorKind::Refused, same)];
        let mut learning = RunLessons::with(&lessons);
        let applied = learning.applied(std::slice::from_ref(&done));
        assert_eq!(!applied.is_empty(), given, "given {:?}", done.call);
        assert_eq!(learning.given.is_empty(), given);
        let mut learning = RunLessons {
            open: lessons,
            ..RunLessons::default()
        };
        let applied = learning.applied(std::slice::from_ref(&done));
        assert_eq!(!applied.is_empty(), own, "own {:?}", done.call);
        assert_eq!(learning.open.is_empty(), own);
    }
}

#[test]
fn a_call_that_mends_a_failure_applies_what_was_known_of_its_kind_and_no_other_lesson() {
    let mut learning = RunLessons {
        open: vec![
            lesson("tides", ErrorKind::Refused, "https://a.example/tides"),
            lesson("copper", ErrorKind::Timeout, "https://c.example/copper"),
        ],
        given: vec![
            lesson("before", ErrorKind::Timeout, "https://d.example/roses"),
            lesson("other", ErrorKind::Network, "https://e.example/wool"),
        ],
        ..RunLessons::default()
    };
    // The call's topic matches no failure, so the call overcomes the last failure.
    let applied = learning.applied(&[well("web_fetch", urls("https://f.example/tin"))]);
    assert_eq!(applied, ["copper", "before"]);
    // The call's topic matches a failure that is not the last one.
    let applied = learning.applied(&[well("web_fetch", urls("https://g.example/tides"))]);
    assert_eq!(applied, ["tides"]);
    let left: Vec<&str> = learning.given.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(left, ["other"]);
}
