//! Sites that send on to another name of theirs, or elsewhere: who is asked, and when.

use super::toys::{call, calls, says};
use super::world::{Ran, World};
use crate::agent::{Event, Goal, Need, Verdict};
use crate::host::HttpRequest;
use crate::host::sim::Answer;
use crate::model::{Part, Purpose};
use Purpose::{Observe, Reason};
use serde_json::{Value, json};

/// A run that reads these addresses, which the person wrote. They allow what they are asked for.
fn reading(
    urls: &[&str],
    granted: &[&str],
    serve: impl FnMut(&HttpRequest, usize) -> Answer + 'static,
) -> (World, Ran) {
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
    for nth in 1..40 {
        let (told, sim) = (world.told.clone(), world.sim.clone());
        world.sim.at_tick(nth * 100, move || {
            let events = told.events.borrow();
            let waits = events.iter().rev().find_map(|event| match event {
                Event::PermissionNeeded { wait } => Some(Some(wait.need.clone())),
                Event::PermissionAnswered { .. } => Some(None),
                _ => None,
            });
            if let Some(Need::Pages { origins }) = waits.flatten() {
                for origin in &origins {
                    sim.grant(origin);
                }
                let journal = told.journal.borrow();
                let journal = journal.as_ref().expect("a life");
                journal.deliver(&format!("word {nth}"), &Verdict::Granted);
            }
        });
    }
    let ran = world.run();
    (world, ran)
}

/// The cards that the person was shown, each by its origins.
fn cards(ran: &Ran) -> Vec<Vec<String>> {
    let needs = ran.events.iter().filter_map(|event| match event {
        Event::PermissionNeeded { wait } => Some(wait.need.clone()),
        _ => None,
    });
    let origins = needs.map(|need| match need {
        Need::Pages { origins } => origins,
        other => panic!("{other:?}"),
    });
    origins.collect()
}

/// What the model was given in the end.
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
        assert_eq!(given["pages"][0]["asked"], asked);
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
