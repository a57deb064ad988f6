//! Tests of redirects, within a site and to another site, and of the questions to the user.

use super::toys::{ReplyWith as _, call, calls, says};
use super::world::{NEVER, RunResult, World};
use crate::{Event, Goal, MissingRight, Verdict};
use Purpose::{Observe, Reason};
use gloss_host::{HttpError, HttpRequest};
use gloss_host_sim::Answer;
use gloss_model::{Part, Purpose};
use gloss_tools::CallEnd;
use serde_json::{Value, json};

/// A run that reads these addresses, which the user wrote. The user grants every permission that
/// the run asks for.
fn reading(
    urls: &[&str],
    granted: &[&str],
    serve: impl FnMut(&HttpRequest, usize) -> Answer + 'static,
) -> (World, RunResult) {
    let one = call("1", "web_fetch", json!({ "urls": urls }));
    let answer = says("It was lit in 1823.").sure(0.9);
    let mut world = World::scripted(vec![(Reason, calls([one])), (Observe, answer)]);
    world.goal = Goal::Ask {
        question: format!("What do {} say?", urls.join(" and ")),
    };
    for origin in granted {
        world.sim.grant(origin);
    }
    world.sim.serve(serve);
    let mut ran = world.run();
    for word in ["first", "second", "third"] {
        let Some(asked) = waits_for(&ran) else { break };
        for origin in &asked {
            world.sim.grant(origin);
        }
        let journal = world.told.journal.borrow().clone().expect("a life");
        let answering = async {
            journal.deliver(word, &Verdict::Granted);
            journal.flushed().await
        };
        let answered = world.sim.life(NEVER, answering);
        answered.expect("nobody kills it").unwrap();
        ran = world.run();
    }
    (world, ran)
}

/// Returns the origins that the run waits for the user to permit.
fn waits_for(ran: &RunResult) -> Option<Vec<String>> {
    let last = ran.events.iter().rev().find_map(|event| match event {
        Event::PermissionNeeded { wait } => Some(Some(wait.need.clone())),
        Event::PermissionAnswered { .. } => Some(None),
        _ => None,
    });
    match last.flatten() {
        Some(MissingRight::Pages { origins }) => Some(origins),
        _ => None,
    }
}

/// Returns the permission cards that the user was shown, each as its origins.
fn cards(ran: &RunResult) -> Vec<Vec<String>> {
    let mut shown: Vec<Vec<String>> = Vec::new();
    for event in &ran.events {
        let Event::PermissionNeeded { wait } = event else {
            continue;
        };
        let MissingRight::Pages { origins } = &wait.need else {
            panic!("{wait:?}");
        };
        // If a worker wakes, a card that is still open is sent again.
        if shown.last() != Some(origins) {
            shown.push(origins.clone());
        }
    }
    shown
}

/// Returns the result in the last request to the model.
fn result(world: &World) -> Result<Value, String> {
    let asked = world.model.asked.borrow();
    let messages = asked.last().unwrap().transcript.messages();
    let mut parts = messages.flat_map(|message| message.parts.clone());
    let result = parts.find_map(|part| match part {
        Part::Result { outcome, .. } => Some(outcome),
        _ => None,
    });
    result.expect("a result")
}

fn to(location: &str) -> Answer {
    Answer::status(301)
        .header("location", location)
        .header("access-control-allow-origin", "*")
}

fn lamp() -> Answer {
    Answer::status(200)
        .header("content-type", "text/html")
        .send("<title>Lamps</title><main><p>The lamp was lit in 1823.</p></main>")
}

#[test]
fn one_card_covers_a_site_under_each_name_that_it_sends_on_to() {
    for (asked, ended, origins) in [
        (
            "https://a.example/x",
            "https://www.a.example/x",
            &["https://a.example", "https://www.a.example"][..],
        ),
        (
            "https://www.a.example/x",
            "https://a.example/x",
            &["https://www.a.example", "https://a.example"],
        ),
        (
            "http://a.example/x",
            "https://www.a.example/x",
            &[
                "http://a.example",
                "https://a.example",
                "http://www.a.example",
                "https://www.a.example",
            ],
        ),
    ] {
        let (world, ran) = reading(&[asked], &[], move |request, _| {
            if request.url == ended {
                lamp()
            } else {
                Answer::status(301).header("location", ended)
            }
        });
        assert_eq!(cards(&ran), [origins], "{asked}");
        let given = result(&world).unwrap_or_else(|error| panic!("{asked}: {error}"));
        assert_eq!(given["pages"][0]["url"], ended);
    }
}

#[test]
fn a_site_that_may_be_read_is_asked_for_under_its_other_name_only_where_it_cannot_be_without() {
    let granted = ["https://a.example"];
    let (world, ran) = reading(&["https://a.example/x"], &granted, |_, _| lamp());
    assert!(cards(&ran).is_empty());
    assert_eq!(result(&world).unwrap()["fetchedCount"], 1);
    let (world, ran) = reading(&["https://a.example/x"], &granted, |request, _| {
        if request.url.starts_with("https://www.") {
            lamp()
        } else {
            Answer::status(301).header("location", "https://www.a.example/x")
        }
    });
    assert_eq!(cards(&ran), [["https://www.a.example"]]);
    assert_eq!(result(&world).unwrap()["fetchedCount"], 1);
    // If a site can't be reached, its redirect asks for no permission.
    let (world, ran) = reading(&["https://a.example/x"], &granted, |_, _| {
        Answer::refuse(HttpError::Unreachable {
            message: "no route".to_owned(),
        })
    });
    assert!(cards(&ran).is_empty());
    assert!(result(&world).is_err());
}

#[test]
fn where_a_site_sends_on_to_another_that_is_known_the_person_is_asked_for_that_one() {
    for urls in [
        &["https://a.example/x"][..],
        &["https://a.example/x", "https://b.example/y"],
    ] {
        let granted = ["https://a.example", "https://b.example"];
        let (world, ran) = reading(urls, &granted, |request, _| {
            if request.url.starts_with("https://a.example/") {
                to("https://c.example/z")
            } else {
                lamp().header("access-control-allow-origin", "*")
            }
        });
        assert_eq!(cards(&ran), [["https://c.example"]], "{urls:?}");
        let given = result(&world).unwrap();
        assert_eq!(given["fetchedCount"], urls.len());
        assert_eq!(given["pages"][0]["url"], "https://c.example/z");
    }
}

#[test]
fn where_a_site_sends_on_is_known_once_it_may_be_read_and_asked_for_then() {
    for urls in [
        &["https://a.example/x"][..],
        &["https://a.example/x", "https://b.example/y"],
    ] {
        let (world, ran) = reading(urls, &["https://b.example"], |request, _| {
            if request.url.starts_with("https://a.example/") {
                Answer::status(301).header("location", "https://c.example/z")
            } else {
                lamp().header("access-control-allow-origin", "*")
            }
        });
        assert_eq!(
            cards(&ran),
            [
                vec!["https://a.example", "https://www.a.example"],
                vec!["https://c.example"]
            ],
            "{urls:?}"
        );
        assert_eq!(result(&world).unwrap()["fetchedCount"], urls.len());
    }
}

#[test]
fn the_server_that_redirects_can_not_choose_an_address_that_goes_without_a_question() {
    let read = |id: &str, url: &str| call(id, "web_fetch", json!({ "urls": [url] }));
    let mut world = World::scripted(vec![
        (Reason, calls([read("1", "https://a.example/x")])),
        (Observe, calls([read("2", "https://www.a.example/x?id=7")])),
        (Observe, says("It was lit in 1823.").sure(0.9)),
    ]);
    world.goal = Goal::Ask {
        question: "What does https://a.example/x say?".to_owned(),
    };
    world.sim.grant("https://a.example");
    world.sim.grant("https://www.a.example");
    world.sim.serve(|request, _| {
        if request.url == "https://a.example/x" {
            to("https://www.a.example/x?id=7")
        } else {
            lamp()
        }
    });
    let ran = world.run();
    let ends = ran.events.iter().filter_map(|event| match event {
        Event::ToolFinished { end, .. } => Some(*end == CallEnd::Completed),
        _ => None,
    });
    assert_eq!(ends.collect::<Vec<_>>(), [true]);
    let asks = |event: &&Event| matches!(event, Event::PermissionNeeded { wait } if matches!(wait.need, MissingRight::Send(_)));
    assert_eq!(ran.events.iter().filter(asks).count(), 1);
}
