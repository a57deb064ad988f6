//! Tests of a search's numbers: the results, the pages read, and the time limits (DETAILS §2, §4,
//! §6).

use super::search::{SERVER, wikipedia};
use super::toys::{ReplyWith as _, Scripted, call, calls, says};
use super::world::{RunResult, World};
use crate::{Disclaimer, Goal, Status};
use gloss_durable::Entry;
use gloss_host::HttpRequest;
use gloss_host_sim::Answer;
use gloss_model::{Part, Purpose, Request};
use gloss_web::PassageOrigin;
use gloss_web::rag::Findings;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The durations of the parts of a search, in milliseconds.
#[derive(Clone, Copy, Default)]
struct Pace {
    provider: u64,
    grading: u64,
    rewriting: u64,
}

/// Grades by the titles: "good 90" is relevant, with a confidence of 90 %.
fn grades(request: &Request) -> Value {
    let parts = request.transcript.messages().flat_map(|it| &it.parts);
    let texts = parts.filter_map(|part| match part {
        Part::Text { text } => Some(text.as_str()),
        _ => None,
    });
    let grades = texts.flat_map(str::lines).filter_map(|line| {
        let result: Value = serde_json::from_str(line.strip_prefix("- ")?).ok()?;
        let (mark, percent) = result["title"].as_str()?.split_once(' ')?;
        let confidence = percent.parse::<f64>().ok()? / 100.0;
        let relevant = mark == "good";
        let n = &result["n"];
        Some(json!({ "n": n, "relevant": relevant, "confidence": confidence, "reason": "so" }))
    });
    json!({ "grades": grades.collect::<Vec<_>>() })
}

struct Done {
    world: World,
    ran: RunResult,
    took_ms: u64,
}

/// A world in which the model searches, grades by the titles, and answers from the first page.
fn world() -> World {
    let rewritten = Cell::new(0);
    let world = World::new(Rc::new(move |request: &Request| {
        Ok(match request.purpose {
            Purpose::Reason => calls([call("1", "web_search", json!({ "query": "lamp lit" }))]),
            Purpose::Grade => says(&grades(request).to_string()),
            Purpose::Rewrite => {
                let number = rewritten.replace(rewritten.get() + 1);
                says(&json!({ "query": format!("lamp {number}") }).to_string())
            }
            _ => says("It was lit [[s1a1.p1]].").sure(0.9),
        })
    }));
    // Gloss may read all pages that the search finds.
    world.sim.grant("https:/");
    world.asked_for(Goal::Ask {
        question: "When was the lamp lit: 0, 1 or 2?".to_owned(),
    })
}

/// Runs searches that find these titles, round by round, at this pace.
fn done(rounds: &'static [&'static [&'static str]], pace: Pace) -> Done {
    let mut world = world();
    let searched = Cell::new(0);
    world.sim.serve(move |request: &HttpRequest, _| {
        if !request.url.starts_with(SERVER) {
            let page = "<html lang=en><title>Lamp</title><main><p>The lamp was lit.</p></main>";
            return Answer::status(200)
                .header("content-type", "text/html")
                .send(page);
        }
        let round = searched.replace(searched.get() + 1);
        let titles = rounds.get(round).copied().unwrap_or_default();
        let hits = titles.iter().map(|title| {
            let site = title.replace(' ', "");
            json!({ "title": title, "url": format!("https://{site}.example/"), "snippet": "Of a lamp." })
        });
        let hits: Vec<Value> = hits.collect();
        Answer::status(200)
            .head_after(pace.provider)
            .send(wikipedia(&hits))
    });
    world.pace = Some(Rc::new(move |purpose| match purpose {
        Purpose::Grade => pace.grading,
        Purpose::Rewrite => pace.rewriting,
        _ => 0,
    }));
    let begun_ms = world.sim.now_ms();
    let ran = world.run();
    let took_ms = world.sim.now_ms() - begun_ms;
    assert_eq!(ran.closing.status, Status::Completed);
    Done {
        world,
        ran,
        took_ms,
    }
}

impl Done {
    fn findings(&self) -> Findings {
        let asked = self.world.model.asked.borrow();
        let messages = asked.iter().flat_map(|it| it.transcript.messages());
        let mut parts = messages.flat_map(|it| &it.parts);
        let data = parts.find_map(|part| match part {
            Part::Result { outcome, .. } => outcome.clone().ok(),
            _ => None,
        });
        serde_json::from_value(data.expect("a result")).unwrap()
    }

    /// Returns the inner steps of the search, in the order in which they began.
    fn steps(&self) -> Vec<String> {
        let records = self.world.recorded();
        let begun = records.iter().filter_map(|record| match record.entry {
            Entry::Intent { .. } => Some(record.path.to_string()),
            _ => None,
        });
        let last = begun.filter_map(|path| Some(path.rsplit_once('/')?.1.to_owned()));
        let parts = ["search.", "grade.", "rewrite.", "read."];
        last.filter(|it| parts.iter().any(|part| it.starts_with(part)))
            .collect()
    }

    fn disclaimer(&self) -> Option<Disclaimer> {
        self.ran.answer().research.expect("a search").disclaimer
    }
}

#[test]
fn five_results_are_asked_for_and_the_three_surest_are_read() {
    // The provider returns more results than requested.
    const TITLES: &[&str] = &[
        "good 60", "good 90", "good 70", "good 95", "good 80", "good 99",
    ];
    let done = done(&[TITLES], Pace::default());
    let requests = done.world.sim.requests();
    assert!(
        requests[0].url.contains("&gsrlimit=5&"),
        "{}",
        requests[0].url
    );
    // The pages are read in parallel, so the order of the requests is not fixed.
    assert_eq!(requests.len(), 4);
    assert_eq!(
        done.steps(),
        ["search.1", "grade.1", "read.1", "read.2", "read.3"]
    );
    let pages = done.findings().pages;
    let told: Vec<(&str, PassageOrigin)> = pages
        .iter()
        .map(|page| (page.url.as_str(), page.found.as_ref().unwrap().standing))
        .collect();
    let (read, excerpt) = (PassageOrigin::Read, PassageOrigin::Excerpt);
    assert_eq!(
        told,
        [
            ("https://good95.example/", read),
            ("https://good90.example/", read),
            ("https://good80.example/", read),
            ("https://good70.example/", excerpt),
            ("https://good60.example/", excerpt)
        ]
    );
}

#[test]
fn a_grading_of_nineteen_seconds_counts_and_one_of_twenty_one_does_not() {
    for (grading, pages, unchecked) in [(19_000, 1, 0), (21_000, 0, 1)] {
        let pace = Pace {
            grading,
            ..Pace::default()
        };
        let done = done(&[&["good 90"]], pace);
        let found = done.findings();
        assert_eq!(
            (found.pages.len(), found.unchecked.len()),
            (pages, unchecked)
        );
        let is_unchecked = done.disclaimer() == Some(Disclaimer::Unchecked);
        assert_eq!(is_unchecked, pages == 0, "{:?}", done.disclaimer());
    }
}

#[test]
fn after_two_minutes_what_was_found_is_given_and_no_part_of_a_search_is_begun() {
    let pace = Pace {
        provider: 14_000,
        grading: 19_000,
        rewriting: 14_000,
    };
    // A round takes 47 s. The third grading is the last that begins, and has 12 s left.
    let rounds: &[&[&str]] = &[
        &["good 90", "bad 90", "bad 91"],
        &["bad 92", "bad 93"],
        &["good 94"],
    ];
    let done = done(rounds, pace);
    let parts = [
        "search.1",
        "grade.1",
        "rewrite.1",
        "search.2",
        "grade.2",
        "rewrite.2",
        "search.3",
        "grade.3",
    ];
    assert_eq!(done.steps(), parts);
    let found = done.findings();
    let standing = |at: usize| found.pages[at].found.as_ref().unwrap().standing;
    assert_eq!((found.pages.len(), found.unchecked.len()), (1, 1));
    assert_eq!(
        (found.pages[0].title.as_str(), standing(0)),
        ("good 90", PassageOrigin::Excerpt)
    );
    assert_eq!(done.ran.answer().citations.len(), 1);
    let took_ms = done.took_ms;
    assert!((120_000..125_000).contains(&took_ms), "{took_ms}");
}

#[test]
fn news_that_a_provider_has_none_of_are_looked_for_among_its_pages_and_that_is_said() {
    let mut world = world();
    let answers = world.model.answers.clone();
    world.model = Rc::new(Scripted {
        sim: world.sim.clone(),
        answers: Rc::new(move |request: &Request| match request.purpose {
            Purpose::Reason => {
                let news = json!({ "query": "lamp lit", "kind": "news" });
                Ok(calls([call("1", "web_search", news)]))
            }
            _ => answers(request),
        }),
        asked: RefCell::default(),
    });
    world.sim.serve(|_, _| {
        let hit = json!({ "title": "good 90", "url": "https://en.wikipedia.org/wiki/Lamp", "snippet": "Lit." });
        Answer::status(200).send(wikipedia(&[hit]))
    });
    let ran = world.run();
    assert_eq!(ran.answer().citations.len(), 1);
    let asked = world.model.asked.borrow();
    let told = asked.iter().any(|request| {
        let said = super::reflexion::told(request);
        said.contains("Wikipedia has no news of its own: pages were searched instead.")
    });
    assert!(told);
}
