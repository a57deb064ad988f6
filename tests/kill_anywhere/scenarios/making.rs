//! An image that costs money. It is made after the user has seen what is sent.

use super::talking::{calls, results, says};
use crate::proof::{Outside, Scenario, UserAction, scripted};
use crate::stage::{ask, find, run_id};
use gloss::agent::{MissingRight, Verdict};
use gloss::app::surface::{Command, Turn};
use gloss::model::{Model, ToolCall};
use serde_json::json;
use std::rc::Rc;

/// Settings with an image model.
pub(crate) const PREFERENCES: &str = r#"{"format": "gloss-preferences", "version": 1,
    "preferences": {"profiles": [{"id": "p2", "name": "Painter", "model": "brush-1",
    "base_url": "https://api.painter.example/v1"}], "roles": {"image": "p2"}}}"#;

pub(crate) const DESCRIPTION: &str = "A spring tide at dusk";

pub(crate) fn image_call() -> ToolCall {
    ToolCall {
        name: "image_generate".to_owned(),
        arguments: json!({ "description": DESCRIPTION, "style": "woodcut" }),
        ..find("1", "")
    }
}

fn paints(outside: &Rc<Outside>) -> Rc<dyn Model> {
    scripted(outside, |request, _| {
        Ok(match results(request) {
            0 => calls(vec![image_call(), find("2", "springs")]),
            _ => says("There it is."),
        })
    })
}

fn answer(turns: &[Turn], verdict: Verdict) -> Option<Command> {
    let wait = turns.last()?.wait.as_ref()?;
    // If an image call was cut off, Gloss asks if it should be repeated. This scenario leaves that
    // question open.
    let MissingRight::Send(request) = &wait.need else {
        return None;
    };
    assert_eq!(
        request.unedited(),
        "A spring tide at dusk\n\nStyle: woodcut"
    );
    assert_eq!(request.to, "Painter, brush-1");
    let (run, wait) = (run_id(), wait.id);
    Some(Command::Permit { run, wait, verdict })
}

/// The image is made once. If the outcome is unknown, the user is asked, so that it is never made
/// twice.
pub(crate) fn image() -> Scenario {
    Scenario {
        prepare: |sim| sim.set_shelved("preferences", PREFERENCES),
        model: paints,
        actions: vec![UserAction::at_once(|turns, _| {
            answer(turns, Verdict::Granted)
        })],
        seeds: 4,
        ..Scenario::new("image", ask())
    }
}

/// The user declines, so nothing is sent.
pub(crate) fn image_refused() -> Scenario {
    Scenario {
        prepare: |sim| sim.set_shelved("preferences", PREFERENCES),
        model: paints,
        actions: vec![UserAction::later(|turns, outside| {
            assert_eq!(outside.count_of("image"), 0);
            answer(turns, Verdict::Refused)
        })],
        seeds: 2,
        ..Scenario::new("image_refused", ask())
    }
}
