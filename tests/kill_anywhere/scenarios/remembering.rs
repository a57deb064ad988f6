//! Remembering facts about the user. Each fact is saved once, whenever the worker dies.

use super::talking::{calls, results, says};
use crate::proof::{Outside, Scenario, UserAction, scripted};
use crate::stage::{TAB, ask, find, run_id};
use gloss::agent::{Goal, MissingRight, Verdict};
use gloss::app::surface::{Command, Turn};
use gloss::host::CaptureError;
use gloss::model::{Model, Part, Purpose, Reply, Request, ToolCall};
use serde_json::{Value, json};
use std::rc::Rc;

/// The stored fact, which the new fact contradicts.
pub(crate) const KNOWN: &str = r#"{"format": "gloss-facts", "version": 1, "facts": [{"id": "f1",
    "content": "The user sails a 6-metre sloop", "source": {"how": "typed"}, "created_at_ms": 1,
    "pinned": true}]}"#;

pub(crate) const TOLD: &str = "The user sails a 7-metre sloop";

fn tool(id: &str, name: &str, arguments: Value) -> ToolCall {
    ToolCall {
        name: name.to_owned(),
        arguments,
        ..find(id, "")
    }
}

fn save(id: &str, content: &str) -> ToolCall {
    let fact = |content: &str| json!({ "content": content, "aboutUser": true, "lasting": true });
    let card = fact("My card is 4111 1111 1111 1111");
    let mut told = fact(content);
    if content == TOLD {
        told["replaces"] = json!("f1");
    }
    tool(id, "memory_save", json!({ "facts": [told, card] }))
}

/// A model that repeats the last tool result literally. A repeated act would have another result.
fn tells(request: &Request) -> Reply {
    let parts = request.transcript.messages().flat_map(|it| &it.parts);
    let mut given = parts.filter_map(|part| match part {
        Part::Result { outcome, .. } => Some(format!("{outcome:?}")),
        _ => None,
    });
    says(
        &given
            .next_back()
            .unwrap_or_default()
            .replace(['[', ']', '*', '_'], " "),
    )
}

fn minds(outside: &Rc<Outside>, said: &'static str) -> Rc<dyn Model> {
    let script = match said {
        TOLD => |request: &Request, _: &Outside| Ok(remembers(request, TOLD)),
        _ => |request: &Request, _: &Outside| Ok(remembers(request, "The user likes springs")),
    };
    scripted(outside, script)
}

fn remembers(request: &Request, fact: &str) -> Reply {
    let told: Vec<_> = request.transcript.messages().collect();
    let told = serde_json::to_string(&told).unwrap_or_default();
    let grounded = told.contains("6-metre") && request.purpose == Purpose::Reason;
    // In the scenario without a stored fact, no page is open either.
    let mut first = vec![save("1", fact)];
    if fact == TOLD {
        first.push(find("2", "springs"));
    }
    match (request.purpose, results(request)) {
        (Purpose::Synthesise, _) => tells(request),
        // Either every reasoning request contains the stored facts, or none does.
        (Purpose::Reason, _) if grounded != (fact == TOLD) => says("It was not looked up."),
        (_, 0) => calls(first),
        (_, results) if results == first.len() => {
            calls(vec![tool("3", "memory_retrieve", json!({}))])
        }
        _ => tells(request),
    }
}

/// A question that mentions a fact to remember.
pub(crate) fn tells_of_springs() -> Goal {
    Goal::Ask {
        question: "I like springs. Why do they come?".to_owned(),
    }
}

/// Without a page, a fact is saved without asking. A card number is not saved.
pub(crate) fn memory() -> Scenario {
    Scenario {
        prepare: |sim| sim.set_page(TAB, Err(CaptureError::Forbidden)),
        model: |outside| minds(outside, "springs"),
        seeds: 4,
        ..Scenario::new("memory", tells_of_springs())
    }
}

fn answer(turns: &[Turn], verdict: Verdict) -> Option<Command> {
    let wait = turns.last()?.wait.as_ref()?;
    let MissingRight::Memory(unsaid) = &wait.need else {
        return None;
    };
    assert_eq!(unsaid.facts, [TOLD]);
    assert_eq!(unsaid.replaces, ["The user sails a 6-metre sloop"]);
    let (run, wait) = (run_id(), wait.id);
    Some(Command::Permit { run, wait, verdict })
}

/// If a page is open, the user is asked. The new fact replaces the stored one, and is saved once.
pub(crate) fn memory_allowed() -> Scenario {
    Scenario {
        prepare: |sim| sim.set_shelved("facts", KNOWN),
        model: |outside| minds(outside, TOLD),
        actions: vec![UserAction::at_once(|turns, _| {
            answer(turns, Verdict::Granted)
        })],
        seeds: 3,
        ..Scenario::new("memory_allowed", ask())
    }
}

/// The user declines, so that the stored facts stay unchanged.
pub(crate) fn memory_refused() -> Scenario {
    Scenario {
        prepare: |sim| sim.set_shelved("facts", KNOWN),
        model: |outside| minds(outside, TOLD),
        actions: vec![UserAction::later(|turns, _| {
            answer(turns, Verdict::Refused)
        })],
        seeds: 2,
        ..Scenario::new("memory_refused", ask())
    }
}
