//! New results that do not fit are cut before anything that was said goes.

use super::context::{
    asked, expected, is_paired, long_page, read_all, refuses, results, steps, windowed,
};
use super::toys::{calls, says};
use super::world::World;
use crate::agent::{Exchange, Goal};
use crate::model::{Part, Request};

fn turn(question: &str, answer: String) -> Exchange {
    Exchange {
        goal: Goal::Ask {
            question: question.to_owned(),
        },
        answer,
    }
}

/// Whether these words stand in what was said.
fn says_before(request: &Request, words: &str) -> bool {
    let mut parts = request.transcript.messages().flat_map(|it| &it.parts);
    parts.any(|part| matches!(part, Part::Text { text } if text.contains(words)))
}

#[test]
fn new_results_that_do_not_fit_are_cut_and_the_conversation_stays() {
    for (count, older) in [(2, 3_300), (2, 4_700), (4, 4_500)] {
        let mut world = World::new(steps(
            move |step, _| match step {
                1 => {
                    let mut next = calls(["a", "b", "c", "d"].map(read_all));
                    next.calls.truncate(count);
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
