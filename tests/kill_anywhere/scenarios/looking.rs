//! A screenshot of the tab, and the user's permission for it.

use super::talking::{calls, results, says};
use crate::proof::{Outside, Scenario, UserAction, scripted};
use crate::stage::{TAB, ask, find, run_id};
use gloss::agent::Verdict;
use gloss::app::surface::{Command, Turn};
use gloss::host::{RecognizedText, Shot, ShotError};
use gloss::host_sim::Sim;
use gloss::model::{Model, ToolCall};
use serde_json::json;
use std::rc::Rc;

fn shot() -> Shot {
    Shot {
        data_url: "data:image/png;base64,AAAA".to_owned(),
        width: Some(1_000),
    }
}

fn readable(sim: &Sim) {
    sim.set_words(RecognizedText {
        text: "High water at noon".to_owned(),
        confidence_percent: 90,
    });
}

fn looks(outside: &Rc<Outside>) -> Rc<dyn Model> {
    scripted(outside, |request, _| {
        Ok(match results(request) {
            0 => calls(vec![
                ToolCall {
                    name: "extract_screenshot_text".to_owned(),
                    arguments: json!({ "region": "bottom" }),
                    ..find("1", "")
                },
                find("2", "springs"),
            ]),
            _ => says("At noon."),
        })
    })
}

/// A screenshot is taken and read on the device, while another call runs.
pub(crate) fn picture() -> Scenario {
    Scenario {
        prepare: |sim| {
            sim.set_picture(TAB, Ok(shot()));
            readable(sim);
        },
        model: looks,
        seeds: 4,
        ..Scenario::new("picture", ask())
    }
}

fn answer(turns: &[Turn], verdict: Verdict) -> Option<Command> {
    let wait = turns.last()?.wait.as_ref()?.id;
    let run = run_id();
    Some(Command::Permit { run, wait, verdict })
}

/// A screenshot that needs the user's permission, which the user grants in a later life.
pub(crate) fn picture_permitted() -> Scenario {
    Scenario {
        prepare: |sim| {
            sim.set_picture(TAB, Err(ShotError::NoAccess));
            readable(sim);
        },
        model: looks,
        actions: vec![UserAction::later(|turns, outside| {
            let allow = answer(turns, Verdict::Granted)?;
            outside.sim.set_picture(TAB, Ok(shot()));
            Some(allow)
        })],
        seeds: 4,
        ..Scenario::new("picture_permitted", ask())
    }
}

/// The user declines the permission for the screenshot.
pub(crate) fn picture_refused() -> Scenario {
    Scenario {
        prepare: |sim| {
            sim.set_picture(TAB, Err(ShotError::NoAccess));
            readable(sim);
        },
        model: looks,
        actions: vec![UserAction::later(|turns, _| {
            answer(turns, Verdict::Refused)
        })],
        seeds: 3,
        ..Scenario::new("picture_refused", ask())
    }
}
