//! A model that calls tools and answers.

use crate::proof::{Outside, Scenario, scripted};
use crate::stage::{TAB, article, ask, find};
use gloss::host::sim::Sim;
use gloss::model::{Control, Model, ModelError, Part, Purpose, Reply, Request, Role, ToolCall};
use gloss::phrase::Said;
use std::rc::Rc;

/// How many results of tools a model has read.
pub(super) fn results(request: &Request) -> usize {
    let read = request.transcript.messages();
    let of_tools = read.filter(|message| message.role == Role::Tool);
    let parts = of_tools.flat_map(|message| &message.parts);
    parts
        .filter(|part| matches!(part, Part::Result { .. }))
        .count()
}

pub(super) fn calls(calls: Vec<ToolCall>) -> Reply {
    let thought = Some(Said::Words("The page may say it.".to_owned()));
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
        least: 10_000,
        ..Scenario::new("parallel_tools", ask())
    }
}

pub(crate) fn streaming() -> Scenario {
    Scenario {
        model: streams,
        seeds: 9,
        least: 11_000,
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

/// A page whose capture is a body of its own, and many steps.
pub(crate) fn long_context() -> Scenario {
    Scenario {
        lay: |sim: &Sim| sim.set_page(TAB, Ok(article(170))),
        model: |outside| scripted(outside, again_and_again),
        seeds: 2,
        least: 3_200,
        ..Scenario::new("long_context", ask())
    }
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
