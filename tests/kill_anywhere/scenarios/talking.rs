//! A model that calls tools and answers.

use crate::proof::{Outside, Scenario, scripted};
use crate::stage::{TAB, article, ask, find};
use gloss::host_sim::Sim;
use gloss::model::{
    Complexity, Control, Model, ModelError, Part, Purpose, Reply, Request, Role, Source, ToolCall,
};
use gloss::phrase::DisplayText;
use std::rc::Rc;

/// The number of tool results in the request.
pub(super) fn results(request: &Request) -> usize {
    let read = request.transcript.messages();
    let of_tools = read.filter(|message| message.role == Role::Tool);
    let parts = of_tools.flat_map(|message| &message.parts);
    parts
        .filter(|part| matches!(part, Part::Result { .. }))
        .count()
}

pub(super) fn calls(calls: Vec<ToolCall>) -> Reply {
    let thought = Some(DisplayText::Words("The page may say it.".to_owned()));
    Reply {
        calls,
        control: Control {
            thought,
            ..Control::default()
        },
        ..Reply::default()
    }
}

pub(crate) fn says(text: &str) -> Reply {
    Reply {
        text: text.to_owned(),
        ..calls(Vec::new())
    }
}

const ANSWER: &str = "The Moon *pulls* [[p2]].";

fn two_at_once(request: &Request, _: &Outside) -> Result<Reply, ModelError> {
    Ok(match (request.purpose, results(request)) {
        (Purpose::Synthesise, _) => says(ANSWER),
        (_, 0) => calls(vec![find("1", "springs"), find("2", "neaps")]),
        (_, 2) => calls(vec![find("3", "harbour")]),
        _ => says(ANSWER),
    })
}

pub(crate) fn parallel_tools() -> Scenario {
    Scenario {
        model: |outside| scripted(outside, two_at_once),
        seeds: 10,
        ..Scenario::new("parallel_tools", ask())
    }
}

pub(crate) fn streaming() -> Scenario {
    Scenario {
        model: streams,
        seeds: 9,
        ..Scenario::new("streaming", ask())
    }
}

fn streams(outside: &Rc<Outside>) -> Rc<dyn Model> {
    scripted(outside, |request, _| {
        Ok(match results(request) {
            0 => calls(vec![find("1", "springs")]),
            _ => says(
                "Twice a day it comes\n\n- for the Moon *pulls* [[p2]]\n- and the Sun\n\nand goes.",
            ),
        })
    })
}

/// A run with many steps, and a page whose capture is stored as a separate body.
pub(crate) fn long_context() -> Scenario {
    Scenario {
        prepare: |sim: &Sim| sim.set_page(TAB, Ok(article(170))),
        model: |outside| scripted(outside, again_and_again),
        seeds: 2,
        ..Scenario::new("long_context", ask())
    }
}

/// A model with a small context window, and more text than fits. The same model compacts the older
/// text.
pub(crate) fn compacted() -> Scenario {
    Scenario {
        prepare: |sim: &Sim| {
            sim.set_shelved("preferences", SMALL);
        },
        model: |outside| scripted(outside, at_length),
        seeds: 1,
        ..Scenario::new("compacted", ask())
    }
}

/// A model that calls tools in every step. Its closing answer contains only a call, so Gloss
/// requests the answer once more.
pub(crate) fn withheld() -> Scenario {
    Scenario {
        model: |outside| scripted(outside, to_the_last),
        seeds: 2,
        ..Scenario::new("withheld", ask())
    }
}

fn to_the_last(request: &Request, _: &Outside) -> Result<Reply, ModelError> {
    let mut parts = request.transcript.messages().flat_map(|it| &it.parts);
    let is_told = parts.any(|part| match part {
        Part::Text { text } => text.contains("No tool can be called any more"),
        _ => false,
    });
    Ok(match (request.purpose, results(request)) {
        (Purpose::Synthesise, _) if is_told => says(ANSWER),
        (_, n) => {
            let mut next = calls(vec![find(&n.to_string(), ["springs", "neaps", "port"][n])]);
            // A simple task gets at most two steps, which is enough for this scenario.
            next.control.complexity = Some(Complexity::Simple);
            next
        }
    })
}

const SMALL: &str = r#"{"format": "gloss-preferences", "version": 1, "preferences": {
    "profiles": [{"id": "small", "name": "Small", "model": "m",
        "base_url": "https://api.small.example/v1", "facts": {"window": 4200}}],
    "answers": "small", "max_steps": 9}}"#;

/// A model that takes seven steps. It counts them by the decisions in the request.
fn at_length(request: &Request, _: &Outside) -> Result<Reply, ModelError> {
    let done = request.state.matches("Part ").count();
    let mut reply = match request.purpose {
        Purpose::Compact => says("Ports were read one by one [r1]."),
        Purpose::Synthesise => says(ANSWER),
        _ if done >= 6 => {
            assert!(is_shortened(request), "what is old was written anew by now");
            says(ANSWER)
        }
        _ => {
            let mut next = calls(vec![find(&done.to_string(), "springs")]);
            let told = "Springs come when both pull together. ".repeat(16);
            next.control.observation = Some(DisplayText::Words(told));
            next.control.completed = vec![format!("Part {done} is known.")];
            next
        }
    };
    // The month's limit is checked after each call, and before a call of another role.
    reply.usage.input_tokens = 90;
    Ok(reply)
}

fn is_shortened(request: &Request) -> bool {
    let mut parts = request.transcript.messages().flat_map(|it| &it.parts);
    parts.any(|part| match part {
        Part::Quoted {
            source: Source::Earlier,
            text,
        } => text.starts_with("Ports were read"),
        _ => false,
    })
}

fn again_and_again(request: &Request, _: &Outside) -> Result<Reply, ModelError> {
    Ok(match (request.purpose, results(request)) {
        (Purpose::Synthesise, _) | (_, 4..) => says(ANSWER),
        (_, n) => calls(vec![find(
            &format!("{n}"),
            ["springs", "neaps", "port", "sea"][n],
        )]),
    })
}
