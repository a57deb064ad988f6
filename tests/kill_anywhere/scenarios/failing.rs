//! Failures that are retried.

use super::talking::{calls, results, says};
use crate::proof::{Act, Outside, Scenario, scripted};
use crate::stage::ask;
use gloss::durable::Class;
use gloss::model::{
    Control, Fault, ModelError, Reflection, Reply, Request, Server, ServerKind, ToolCall, Usage,
};
use serde_json::json;
use std::rc::Rc;

pub(super) fn act(id: &str, tool: &str, what: &str) -> ToolCall {
    ToolCall {
        id: id.to_owned(),
        name: tool.to_owned(),
        arguments: json!({ "what": what }),
        reasoning: None,
        after: None,
    }
}

/// A tool that exceeds its time limit when it is called for the first time.
pub(crate) fn tool_that_hangs() -> Scenario {
    Scenario {
        model: |outside| {
            scripted(outside, |request, _| {
                Ok(match results(request) {
                    0 => calls(vec![act("1", "look", "sea")]),
                    _ => says("It is calm."),
                })
            })
        },
        tools: |outside| {
            vec![Rc::new(Act {
                name: "look",
                class: Class::Safe,
                outside: outside.clone(),
                hangs: |outside, _| outside.variant == 0 && outside.count("look") == 0,
            })]
        },
        // If the worker is killed before the timeout of the first call, the call is repeated. The
        // repeated call is the tool's second call, which doesn't hang.
        variants: 2,
        seeds: 10,
        ..Scenario::new("tool_that_hangs", ask())
    }
}

/// A lesson that an earlier run learned from a similar failure.
const LEARNED: &str = r#"{"v": 1, "reflections": [{"id": "earlier/1/act.0", "tool": "find_in_page",
    "kind": "validation", "arguments": "{\"words\":\"neaps\"}", "error": "argument `query`: missing",
    "fix": "Give it a query.", "at_ms": 1}]}"#;

/// Two calls fail in different ways, and a model draws a lesson from each. The next call is valid,
/// and applies a new lesson and the earlier run's lesson.
pub(crate) fn reflected() -> Scenario {
    Scenario {
        prepare: |sim| sim.set_shelved("reflections", LEARNED),
        model: |outside| {
            scripted(outside, |request, _| {
                Ok(match results(request) {
                    0 => calls(vec![
                        act("1", "find_in_page", "springs"),
                        act("2", "recall_details", "r9"),
                    ]),
                    2 if !request.state.contains("Give it a query.") => says("It was not given."),
                    2 => reflects(calls(vec![crate::stage::find("3", "springs")])),
                    _ => says("It comes with the Moon [[p2]]."),
                })
            })
        },
        ..Scenario::new("reflected", ask())
    }
}

fn reflects(next: Reply) -> Reply {
    let lesson = |why: &str, instead: &str| Reflection {
        why: Some(why.to_owned()),
        instead: instead.to_owned(),
    };
    let reflections = vec![
        lesson("It takes no `what`.", "Ask with a query."),
        lesson("Nothing was shortened.", "Read the page."),
    ];
    Reply {
        control: Control {
            reflections,
            ..next.control
        },
        ..next
    }
}

/// A server that fails at its first and third request.
pub(crate) fn model_that_fails() -> Scenario {
    Scenario {
        model: |outside| scripted(outside, fails),
        variants: 4,
        seeds: 9,
        ..Scenario::new("model_that_fails", ask())
    }
}

/// A kill may hide each of the two failures from the run. The valid result is then that of the
/// world without that failure.
fn fails(request: &Request, outside: &Outside) -> Result<Reply, ModelError> {
    let results = results(request);
    let before = outside.count(if results == 0 { "first" } else { "second" });
    let swallowed = outside.variant & (1 << results.min(1)) != 0;
    if before == 0 && !swallowed {
        return Err(ModelError::Server {
            server: Box::new(Server {
                name: "Acme".to_owned(),
                origin: "https://api.acme.example".to_owned(),
                model: "m".to_owned(),
                kind: ServerKind::Other,
            }),
            fault: Fault::Failing {
                status: Some(503),
                retry_after_ms: None,
                said: None,
            },
            partial: "It".to_owned(),
            used: Usage::default(),
        });
    }
    Ok(match results {
        0 => calls(vec![crate::stage::find("1", "springs")]),
        _ => says("It comes with the Moon [[p2]]."),
    })
}
