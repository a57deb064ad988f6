//! Tests of switches that the user turns off during a run (DETAILS, Options: global switches).

use super::search::{SERVER, wikipedia};
use super::toys::{call, calls, says};
use super::world::World;
use crate::{Goal, OnToolFailure, Status};
use gloss_durable::sorted::SortedSet;
use gloss_host::HttpRequest;
use gloss_host_sim::Answer;
use gloss_model::Purpose::{self, Observe, Reason};
use gloss_model::{Part, Reply};
use gloss_tools::Group;
use serde_json::{Value, json};

/// A run whose model calls this tool and then answers.
fn calling(tool: &str, arguments: Value, further: Vec<(Purpose, Reply)>) -> World {
    let mut said = vec![(Reason, calls([call("1", tool, arguments)]))];
    said.extend(further);
    said.push((Observe, says("So be it.")));
    World::scripted(said).asked_for(Goal::Ask {
        question: "What does https://tides.example/ say of tides, a lamp or something else?"
            .to_owned(),
    })
}

/// Returns the error of the call, as the model reads it; `None` if it succeeded.
fn failure(world: &World) -> Option<String> {
    let asked = world.model.asked.borrow();
    let mut parts = asked
        .iter()
        .flat_map(|request| request.transcript.messages())
        .flat_map(|it| &it.parts);
    let outcome = parts.find_map(|part| match part {
        Part::Result { outcome, .. } => Some(outcome.clone()),
        _ => None,
    });
    outcome.expect("a result").err()
}

#[test]
fn what_is_turned_off_before_a_call_is_not_made() {
    for (tool, arguments, group, name) in [
        (
            "web_fetch",
            json!({ "urls": ["https://tides.example/"] }),
            Group::WebSearch,
            "web search",
        ),
        (
            "web_search",
            json!({ "query": "tides" }),
            Group::WebSearch,
            "web search",
        ),
        (
            "memory_retrieve",
            json!({ "query": "boats" }),
            Group::Memory,
            "memory",
        ),
    ] {
        let world = calling(tool, arguments, Vec::new())
            .with(|settings| settings.on_tool_failure = OnToolFailure::Fail);
        world.switches.set(SortedSet::from([group]));
        let ran = world.run();
        assert_eq!(ran.closing.status, Status::Completed, "{tool}");
        let expected = format!("the user has turned {name} off");
        let failure = failure(&world).unwrap_or_default();
        assert!(failure.contains(&expected), "{tool}: {failure}");
        assert_eq!(world.sim.requests().len(), 0, "{tool}");
        // A tool that is off is not a failure: the run learns no lesson from it and does not end.
        assert_eq!(world.sim.shelved("reflections"), None, "{tool}");
    }
}

/// A world whose search finds one page; the user turns searches off when the result arrives.
fn turned_off_at_work(title: &str) -> World {
    let grade = |relevant| {
        let grade = json!({ "n": 1, "relevant": relevant, "confidence": 0.8, "reason": "so" });
        says(&json!({ "grades": [grade] }).to_string())
    };
    let mut further = vec![(Purpose::Grade, grade(title == "good"))];
    if title != "good" {
        let query = json!({ "query": "something else" });
        further.push((Purpose::Rewrite, says(&query.to_string())));
    }
    let world = calling("web_search", json!({ "query": "lamp" }), further);
    let hit = json!({ "title": title, "url": "https://lamp.example/", "snippet": "A lamp." });
    let switches = world.switches.clone();
    world.sim.serve(move |request: &HttpRequest, _| {
        assert!(request.url.starts_with(SERVER), "{}", request.url);
        switches.set(SortedSet::from([Group::WebSearch]));
        Answer::status(200).send(wikipedia(std::slice::from_ref(&hit)))
    });
    world
}

#[test]
fn a_search_that_is_turned_off_in_its_midst_sends_nothing_more() {
    let world = turned_off_at_work("bad");
    world.run();
    assert_eq!(world.sim.requests().len(), 1);
    let told = failure(&world).unwrap_or_default();
    assert!(told.contains("turned web search off"), "{told}");

    // The results that were found before the switch are returned, with their excerpts.
    let world = turned_off_at_work("good");
    world.run();
    assert_eq!(world.sim.requests().len(), 1);
    assert_eq!(failure(&world), None);
}
