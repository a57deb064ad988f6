//! The browser's built-in model. It calls a tool as text, and answers while it is still loading.

use crate::proof::{Outside, Scenario};
use crate::stage::ask;
use gloss::host::Prompt;
use gloss::host_sim::{ScriptedAnswer, Sim};
use gloss::model::{BuiltInModel, Model};
use std::rc::Rc;

pub(crate) fn built_in() -> Scenario {
    Scenario {
        prepare: |sim: &Sim| sim.recite(|prompt, _| recital(prompt)),
        model,
        seeds: 3,
        ..Scenario::new("built_in", ask())
    }
}

fn model(outside: &Rc<Outside>) -> Rc<dyn Model> {
    let host = outside.sim.host();
    Rc::new(BuiltInModel {
        built_in: host.built_in,
        clock: host.clock,
    })
}

/// The replies of the built-in model. They depend only on the prompt.
fn recital(prompt: &Prompt) -> ScriptedAnswer {
    let told = prompt.messages.iter().skip(1);
    let results = told.filter(|it| it.text.contains("<tool_result")).count();
    let words: &[&str] = if results == 0 {
        &[
            "<gloss>{\"thought\": \"The page may",
            " say it.\"}</gloss>\n```json\n{\"tool_calls\": [{\"id\": \"1\", \"name\": ",
            "\"find_in_page\", \"arguments\": {\"query\": \"springs\"}}]}\n```",
        ]
    } else {
        &[
            "<gloss>{\"goal_met\": true, ",
            "\"confidence\": 0.9}</gloss>Springs come ",
            "when both *pull* ",
            "[[p2]].",
        ]
    };
    ScriptedAnswer::default()
        .wait(2_000)
        .say(words[0])
        .wait(40)
        .say(&words[1..].concat())
        .whole(900, 30)
}
