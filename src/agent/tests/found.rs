//! Reading what a search found: the person is asked for its sites once, and nothing is graded
//! or searched for again (DETAILS §12).

use super::search::{SERVER, wikipedia};
use super::toys::{Scripted, call, calls, says};
use super::world::{Ran, World};
use crate::agent::{Disclaimer, Goal, Status, Verdict};
use crate::host::HttpRequest;
use crate::host::sim::Answer;
use crate::model::{Purpose, Reply, Request};
use crate::web::Standing;
use serde_json::json;
use std::cell::RefCell;
use std::rc::Rc;

const SITE: &str = "https://lamp.example";

/// A run of so many searches, each of which finds a page of a site that Gloss may not read;
/// asked for it, the person refuses.
fn world(searches: usize, says_at_last: &'static str) -> World {
    let mut world = World::scripted(Vec::new()).asked_for(Goal::Ask {
        question: "When was the lamp lit?".to_owned(),
    });
    let told = world.told.clone();
    let asked = RefCell::new(0_usize);
    let search = move || {
        let number = asked.replace_with(|it| *it + 1);
        if number < searches {
            let query = json!({ "query": format!("lamp {number}") });
            return calls([call(&number.to_string(), "web_search", query)]);
        }
        says(says_at_last).sure(0.9)
    };
    world.model = Rc::new(Scripted {
        sim: world.sim.clone(),
        answers: Rc::new(move |request: &Request| -> Result<Reply, _> {
            Ok(match request.purpose {
                Purpose::Grade => {
                    // By the time that the run asks for the site, they have answered.
                    let journal = told.journal.borrow();
                    journal.as_ref().unwrap().deliver("word", &Verdict::Refused);
                    let grade =
                        json!({ "n": 1, "relevant": true, "confidence": 0.8, "reason": "so" });
                    says(&json!({ "grades": [grade] }).to_string())
                }
                _ => search(),
            })
        }),
        asked: RefCell::default(),
    });
    world.sim.serve(|request: &HttpRequest, before| {
        if request.url.starts_with(SERVER) {
            let hit = json!({ "title": "Lamp", "url": format!("{SITE}/{before}"), "snippet": "Of a lamp." });
            return Answer::status(200).send(wikipedia(&[hit]));
        }
        let page = "<html lang=en><title>Lamp</title><main><p>The lamp was lit in 1823.</p></main>";
        Answer::status(200)
            .header("content-type", "text/html")
            .send(page)
    });
    world
}

fn graded(world: &World) -> usize {
    let asked = world.model.asked.borrow();
    let of = |it: &&Request| it.purpose == Purpose::Grade;
    asked.iter().filter(of).count()
}

/// How often the person was asked, and what the answer's citation stands on.
fn came_to(world: &World, ran: &Ran) -> (usize, Standing) {
    assert_eq!(ran.closing.status, Status::Completed);
    let permits = world.recorded().into_iter().map(|it| it.path.to_string());
    let mut permits: Vec<String> = permits.filter(|it| it.contains("/permit.")).collect();
    permits.dedup();
    let citation = &ran.answer().citations[0];
    let found = citation.found.as_ref().expect("what the search says");
    (permits.len(), found.standing)
}

#[test]
fn refused_its_excerpt_is_used_and_the_runs_later_searches_do_not_ask() {
    let world = world(2, "In 1823 [[s1a1.p1]].");
    assert_eq!(came_to(&world, &world.run()), (1, Standing::Excerpt));
    assert_eq!(graded(&world), 2);
    assert_eq!(world.sim.requests().len(), 2);
}

#[test]
fn an_answer_that_cites_none_of_what_was_found_says_so() {
    let research = world(1, "In 1823.")
        .run()
        .answer()
        .research
        .expect("a search");
    assert_eq!(research.disclaimer, Some(Disclaimer::Uncited));
    assert_eq!(research.uncited.len(), 1);
    assert_eq!(research.uncited[0].reason, "so");
    let cited = world(1, "In 1823 [[s1a1.p1]].").run().answer();
    let research = cited.research.expect("a search");
    assert_eq!((research.disclaimer, research.uncited.len()), (None, 0));
}

#[test]
fn why_a_search_failed_is_told_and_the_own_page_is_no_source_of_it() {
    let world = world(1, "In 1823 [[p1]].");
    world
        .sim
        .serve(|_, _| Answer::status(429).header("retry-after", "43"));
    let answer = world.run().answer();
    assert_eq!(answer.citations.len(), 1);
    let research = answer.research.expect("a search");
    assert_eq!(research.disclaimer, Some(Disclaimer::Failed));
    let [failure] = &research.failures[..] else {
        panic!("{:?}", research.failures);
    };
    assert_eq!(
        (&*failure.key, &*failure.args),
        ("search_limited_said", &["43".to_owned()][..])
    );
}
