//! Tests that new results that don't fit are cut before any earlier message is removed.

use super::context::{
    asked, expected, is_paired, long_page, long_run, read_all, refuses, results, steps, windowed,
};
use super::toys::{ReplyWith as _, call, calls, says};
use super::world::World;
use crate::{Event, Exchange, Goal};
use gloss_model::{Complexity, ContextWindow, Part, Purpose, Request};
use serde_json::json;

fn turn(question: &str, answer: String) -> Exchange {
    Exchange {
        provenance: crate::tests::toys::of_a_page(),
        goal: Goal::Ask {
            question: question.to_owned(),
        },
        answer,
    }
}

/// Returns true if a request's messages contain this text.
fn says_before(request: &Request, words: &str) -> bool {
    let mut parts = request.transcript.messages().flat_map(|it| &it.parts);
    parts.any(|part| matches!(part, Part::Text { text } if text.contains(words)))
}

#[test]
fn new_results_that_do_not_fit_are_cut_and_the_conversation_stays() {
    for (count, older) in [(1, 3_300), (1, 4_700), (2, 3_300), (2, 4_700), (4, 4_500)] {
        let mut world = World::new(steps(
            move |step, _| match step {
                1 => {
                    let mut next = calls(["a", "b", "c", "d"].map(read_all));
                    next.calls.truncate(count);
                    if count == 1 {
                        // The result is longer than any tool result of the page.
                        next.calls = vec![call("a", "wobble", json!({ "tokens": 18_000 }))];
                    }
                    next
                }
                2 => calls([read_all("again")]),
                _ => says("Done.").sure(1.0),
            },
            refuses,
        ));
        world.model_chosen = windowed(200_000);
        let sentence = "The gauge of Hilbre was read again. ";
        world.history = vec![
            turn("What of Hilbre?", sentence.repeat(older / 9)),
            turn("What is a neap?", "The lower one of the two.".to_owned()),
        ];
        long_page(&world, 40_000);
        let ran = world.run();
        assert_eq!(ran.answer().markdown, "Done.");
        assert!(ran.remarks().is_empty(), "{:?}", ran.remarks());
        let asked = asked(&world);
        assert_eq!(asked.len(), 3);
        for (at, request) in asked.iter().enumerate() {
            let what = format!("{count} results, {older}, request {at}");
            assert!(says_before(request, "What of Hilbre?"), "{what}");
            assert!(says_before(request, "What is a neap?"), "{what}");
            assert!(says_before(request, "The lower one of the two."), "{what}");
            assert!(is_paired(request) && expected(request) <= 30_000, "{what}");
        }
        let shortened = results(&asked[1]);
        let shortened = shortened.iter().filter(|it| it["resultId"].is_string());
        assert!(shortened.count() > 0, "nothing was to be cut");
    }
}

#[test]
fn a_model_is_given_no_more_to_write_anew_than_it_has_room_for() {
    for (window, is_asked) in [(500, false), (1_500, false), (3_000, true), (8_192, true)] {
        let mut world = long_run(7_000, || Ok(says("Gauges were read [r1].").costs(900, 30)));
        world.model_roles.light = Some(windowed(window));
        let ran = world.run();
        assert_eq!(ran.remarks(), ["bound_steps"], "{window}");
        let compacted = ran.events.iter();
        let compacted = compacted.filter(|it| matches!(it, Event::Compacted { .. }));
        assert!(compacted.count() > 0, "{window}");
        let asked = asked(&world);
        let compact = asked.iter().filter(|it| it.purpose == Purpose::Compact);
        let told: Vec<u32> = compact.map(|it| it.transcript.tokens()).collect();
        let prompt = ContextWindow::of(Some(window))
            .budget(Complexity::Complex)
            .prompt();
        assert!(told.iter().all(|it| *it <= prompt), "{told:?} of {prompt}");
        assert_eq!(!told.is_empty(), is_asked, "{window}: {told:?}");
    }
}
