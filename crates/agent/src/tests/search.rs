//! Tests of searching the web: grading, rewriting, reading and citing (Properties 7 to 9, 14).

use super::toys::{ReplyWith as _, Scripted, call, calls, says};
use super::world::{RunResult, World};
use crate::{Citation, Disclaimer, Event, Goal, Status, Timeline};
use gloss_durable::{Entry, Path, Record, Stop};
use gloss_host::HttpRequest;
use gloss_host_sim::Answer;
use gloss_model::{ModelError, Part, Purpose, Reply, Request};
use gloss_page::without_place;
use gloss_tools::CallEnd;
use gloss_web::PassageOrigin;
use gloss_web::rag::{Findings, MOST_REWRITES, is_new};
use quickcheck::{Arbitrary, Gen, QuickCheck};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

/// The results of each search, round by round. Each result has a grade (the mark) and a number.
/// "good" results are relevant; the grader returns no grade for "mute" results.
#[derive(Debug, Clone)]
struct Found {
    rounds: Vec<Vec<(Mark, u8)>>,
    /// The light model's rewritten queries: true for a new query, false for a repeated one.
    rewrites: Vec<bool>,
    /// The pages that the answer cites, which may not exist.
    cites: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Mark {
    Good,
    Bad,
    Mute,
}

impl Arbitrary for Found {
    fn arbitrary(g: &mut Gen) -> Self {
        let mark = |g: &mut Gen| {
            let mark = *g
                .choose(&[Mark::Good, Mark::Bad, Mark::Bad, Mark::Mute])
                .unwrap();
            (mark, u8::arbitrary(g) % 12)
        };
        let round = |g: &mut Gen| (0..u8::arbitrary(g) % 6).map(|_| mark(g)).collect();
        Self {
            rounds: (0..3).map(|_| round(g)).collect(),
            rewrites: (0..3).map(|_| bool::arbitrary(g)).collect(),
            cites: (0..4).map(|_| u8::arbitrary(g) % 9).collect(),
        }
    }
}

/// The search provider of the default settings.
pub(super) const SERVER: &str = "https://en.wikipedia.org/";

/// Results in Wikipedia's format.
pub(super) fn wikipedia(hits: &[Value]) -> String {
    let pages = (1..).zip(hits).map(|(number, hit)| {
        json!({
            "pageid": number,
            "index": number,
            "title": hit["title"],
            "canonicalurl": hit["url"],
            "extract": hit["snippet"],
        })
    });
    let pages: Vec<Value> = pages.collect();
    json!({ "batchcomplete": true, "query": { "pages": pages } }).to_string()
}

fn hit(mark: Mark, number: u8) -> Value {
    // The mark belongs to the page's address, so a page has the same mark in all searches.
    let name = match mark {
        Mark::Good => "good",
        Mark::Bad => "bad",
        Mark::Mute => "mute",
    };
    json!({
        "title": format!("{name} {number}"),
        "url": format!("https://{name}{number}.example/lamp"),
        "snippet": format!("The {name} lamp number {number} was lit."),
    })
}

/// Returns the grader's reply for the results in the request.
fn grades(request: &Request) -> Reply {
    let said = request.transcript.messages().flat_map(|it| &it.parts);
    let texts = said.filter_map(|part| match part {
        Part::Text { text } => Some(text.as_str()),
        _ => None,
    });
    let results = texts.flat_map(str::lines).filter_map(|line| {
        let result: Value = serde_json::from_str(line.strip_prefix("- ")?).ok()?;
        let title = result["title"].as_str()?.to_owned();
        let is_mute = title.starts_with("mute");
        let relevant = title.starts_with("good");
        (!is_mute).then(
            || json!({ "n": result["n"], "relevant": relevant, "confidence": 0.8, "reason": "so" }),
        )
    });
    says(&json!({ "grades": results.collect::<Vec<_>>() }).to_string())
}

impl Found {
    fn world(&self) -> World {
        let found = self.clone();
        let (cites, rewrites) = (self.cites.clone(), self.rewrites.clone());
        let rewritten = RefCell::new(0_usize);
        let world = World::new(Rc::new(move |request: &Request| {
            Ok::<Reply, ModelError>(match request.purpose {
                Purpose::Reason => calls([call("1", "web_search", json!({ "query": "lamp lit" }))]),
                Purpose::Grade => grades(request),
                Purpose::Rewrite => {
                    let number = rewritten.replace_with(|it| *it + 1);
                    let is_new = rewrites.get(number).copied().unwrap_or_default();
                    let query = if is_new {
                        format!("lamp {number}")
                    } else {
                        "LIT lamp".to_owned()
                    };
                    says(&json!({ "query": query }).to_string())
                }
                _ => {
                    let cited = cites.iter().map(|n| format!("It was lit [[s1a{n}.p1]]. "));
                    says(&cited.collect::<String>()).sure(0.9)
                }
            })
        }));
        let world = world.asked_for(Goal::Ask {
            question: "When was the lamp lit: 0, 1 or 2?".to_owned(),
        });
        // Gloss may read all sites, but none of the pages exists.
        world.sim.grant("https:/");
        let asked = RefCell::new(0_usize);
        world.sim.serve(move |request: &HttpRequest, _| {
            if !request.url.starts_with(SERVER) {
                return Answer::status(404);
            }
            let round = asked.replace_with(|it| *it + 1);
            let hits = found.rounds.get(round).cloned().unwrap_or_default();
            let hits: Vec<Value> = hits.into_iter().map(|(mark, n)| hit(mark, n)).collect();
            Answer::status(200).send(wikipedia(&hits))
        });
        world
    }
}

/// Returns the findings that the model read.
fn findings(world: &World) -> Findings {
    let asked = world.model.asked.borrow();
    let mut parts = asked
        .iter()
        .flat_map(|request| request.transcript.messages())
        .flat_map(|it| &it.parts);
    let data = parts.find_map(|part| match part {
        Part::Result { outcome, .. } => outcome.clone().ok(),
        _ => None,
    });
    serde_json::from_value(data.expect("a result")).unwrap()
}

fn each(law: fn(&Found, &World, &RunResult)) {
    fn holds(found: &Found, law: fn(&Found, &World, &RunResult)) -> bool {
        let world = found.world();
        let ran = world.run();
        assert_eq!(ran.closing.status, Status::Completed);
        law(found, &world, &ran);
        true
    }
    struct Law(fn(&Found, &World, &RunResult));
    impl quickcheck::Testable for Law {
        fn result(&self, g: &mut Gen) -> quickcheck::TestResult {
            quickcheck::TestResult::from_bool(holds(&Found::arbitrary(g), self.0))
        }
    }
    QuickCheck::new().tests(150).quickcheck(Law(law));
}

/// Feature: agent-architecture-upgrade, Property 7: for any set of search results, the grading
/// function shall assign a relevance grade to each result. Each grade has a confidence and a
/// reason.
#[test]
fn every_result_has_one_grade_with_its_confidence_and_its_reason() {
    each(|found, world, _| {
        let given = findings(world);
        let rounds = found.rounds.iter().take(given.searched.len());
        let mut all: Vec<String> = rounds
            .flatten()
            .map(|(mark, n)| hit(*mark, *n)["url"].as_str().unwrap().to_owned())
            .collect();
        all.sort_unstable();
        all.dedup();
        let pages = given.pages.iter().map(|page| &page.url);
        let others = given.not_relevant.iter().map(|it| &it.url);
        let mut graded: Vec<String> = pages.chain(others).cloned().collect();
        graded.sort_unstable();
        assert_eq!(graded, all);
        assert!(given.unchecked.is_empty());
        for page in &given.pages {
            let says = page.found.as_ref().expect("a grade");
            assert!(says.confidence_percent <= 100 && !says.relevant.is_empty());
        }
        for judged in &given.not_relevant {
            assert!(judged.confidence_percent <= 100 && !judged.reason.is_empty());
        }
    });
}

/// Feature: agent-architecture-upgrade, Property 8: for any search where the majority of results
/// are graded not relevant, the system shall generate a rewritten query that differs from the
/// original. At most two queries are generated, and each differs from all earlier ones.
#[test]
fn a_search_that_finds_too_little_is_made_again_in_other_words_at_most_twice() {
    each(|found, world, _| {
        let given = findings(world);
        let queries = &given.searched;
        assert!(
            (1..=1 + MOST_REWRITES).contains(&queries.len()),
            "{queries:?}"
        );
        for (at, query) in queries.iter().enumerate() {
            assert!(is_new(query, &queries[..at]), "{queries:?}");
            let mut hits = found.rounds[at].clone();
            hits.sort_unstable_by_key(|(mark, n)| (*mark as u8, *n));
            hits.dedup();
            let relevant = |(mark, _): &&(Mark, u8)| *mark != Mark::Bad;
            let good = hits.iter().filter(relevant).count();
            let is_enough = good > 0 && good * 2 >= hits.len();
            let is_last = at + 1 == queries.len();
            let is_third = at == MOST_REWRITES;
            // A result without a grade from the model is graded by its words, and that grade may be
            // anything.
            let by_model = found.rounds[at].iter().all(|(mark, _)| *mark != Mark::Mute);
            if by_model {
                assert_eq!(
                    is_last,
                    is_enough || is_third,
                    "{at} of {queries:?} in {found:?}"
                );
            }
        }
    });
}

/// Returns true if the cited page was graded relevant.
fn is_graded(given: &Findings, citation: &Citation) -> bool {
    let url = without_place(&citation.url);
    given.pages.iter().any(|page| page.url == url)
}

/// Feature: agent-architecture-upgrade, Property 9: for any final response that includes citations,
/// all cited sources shall have been graded as relevant.
#[test]
fn only_what_was_graded_relevant_is_cited() {
    each(|_, world, ran| {
        let given = findings(world);
        let answer = ran.answer();
        for citation in &answer.citations {
            assert!(is_graded(&given, citation), "{citation:?}");
            // The address is checked, too, independently of the recorded grade.
            assert!(!citation.url.contains("://bad"), "{citation:?}");
            let found = citation.found.as_ref().expect("why it is relevant");
            assert_eq!(found.standing, PassageOrigin::Excerpt);
        }
        let research = answer.research.expect("a search");
        let is_alone = research.disclaimer == Some(Disclaimer::Alone);
        assert_eq!(is_alone, given.pages.is_empty());
    });
}

/// Feature: agent-architecture-upgrade, Property 14: for any search operation that fails after all
/// retries, the system shall fall back to an LLM-only response with a disclaimer.
#[test]
fn a_search_that_fails_is_tried_twice_then_the_model_answers_alone_and_says_so() {
    fn falls_back(status: u16, cuts: bool) -> bool {
        let world = Found {
            rounds: Vec::new(),
            rewrites: Vec::new(),
            cites: vec![1],
        }
        .world();
        world.sim.serve(move |_, _| {
            let answer = Answer::status(500 + status % 100).send("no");
            if cuts { answer.cut() } else { answer }
        });
        let ran = world.run();
        let answer = ran.answer();
        let research = answer.research.expect("a search");
        let searched = world.sim.requests();
        let ended = ran.events.iter().any(|event| {
            matches!(
                event,
                Event::ToolFinished {
                    end: CallEnd::Completed,
                    ..
                }
            )
        });
        ran.closing.status == Status::Completed
            && answer.citations.is_empty()
            && research.disclaimer == Some(Disclaimer::Failed)
            && research.searched == [["lamp lit"]]
            && findings(&world).failure.is_some()
            && searched.len() == 2
            && ended
    }
    QuickCheck::new()
        .tests(100)
        .quickcheck(falls_back as fn(u16, bool) -> bool);
}

#[test]
fn a_search_says_what_it_is_doing_while_it_is_at_it() {
    let world = Found {
        rounds: vec![vec![(Mark::Bad, 1), (Mark::Bad, 2)], vec![(Mark::Good, 3)]],
        rewrites: vec![true],
        cites: vec![1],
    }
    .world();
    let ran = world.run();
    let doing = ran.events.iter().filter_map(|event| match event {
        Event::ToolProgressed { doing, call, step } => {
            assert_eq!((call.as_str(), *step), ("1", 1));
            Some(format!("{} {}", doing.key, doing.args.join(" ")))
        }
        _ => None,
    });
    let doing: Vec<String> = doing.collect();
    assert_eq!(
        doing,
        [
            "doing_search lamp lit",
            "doing_grade ",
            "doing_rewrite ",
            "doing_search lamp 0",
            "doing_grade ",
            "doing_read good3.example",
        ]
    );
}

/// A search of two rounds. Each model request costs 110 tokens.
fn priced() -> World {
    let found = Found {
        rounds: vec![vec![(Mark::Bad, 1), (Mark::Bad, 2)], vec![(Mark::Good, 3)]],
        rewrites: vec![true],
        cites: vec![1],
    };
    let mut world = found.world();
    let (sim, answers) = (world.sim.clone(), world.model.answers.clone());
    world.model = Rc::new(Scripted {
        sim,
        answers: Rc::new(move |request| answers(request).map(|reply| reply.costs(100, 10))),
        asked: RefCell::default(),
    });
    world
}

/// Returns the reported tokens, and the number of requests that were reported as abandoned.
fn counted(events: &[Event]) -> (u32, usize) {
    let total = events.iter().rev().find_map(|event| match event {
        Event::TokensUsed { total, .. } => Some(*total),
        _ => None,
    });
    let given_up = |event: &&Event| matches!(event, Event::CallAbandoned { .. });
    let given_up = events.iter().filter(given_up).count();
    (total.unwrap_or_default(), given_up)
}

#[test]
fn what_a_search_asked_of_models_is_counted_wherever_it_is_stopped() {
    for tick in 1.. {
        let world = priced();
        world.stop_at(tick);
        let ran = world.run();
        let asked = world.model.asked.borrow().len();
        let (total, given_up) = counted(&ran.events);
        // Only the interrupted request may be missing.
        let missing = asked - usize::try_from(total / 110).unwrap();
        assert!(missing <= 1, "{tick}: {asked} asked, {total} told");
        assert!(given_up <= missing, "{tick}: {given_up} given up");
        if ran.closing.status == Status::Completed {
            break;
        }
    }
}

#[test]
fn what_a_search_asked_of_models_is_counted_once_wherever_it_is_killed() {
    for kill_at in 0.. {
        let world = priced();
        if world.life(kill_at).is_some() {
            break;
        }
        let ran = world.run();
        let asked = world.model.asked.borrow().len();
        let (total, given_up) = counted(&ran.events);
        // Two requests may be missing after the worker died: one whose reply was not recorded, and
        // one whose start was not recorded.
        let missing = asked - usize::try_from(total / 110).unwrap();
        assert!(missing <= 2, "{kill_at}: {asked} asked, {total} told");
        assert!(given_up <= missing, "{kill_at}: {given_up} given up");
    }
}

#[test]
fn a_pause_in_the_middle_of_a_search_is_no_death() {
    let mut sent_again = 0;
    for tick in 1.. {
        let world = priced();
        let ear = world.told.clone();
        world.sim.at_tick(tick, move || {
            if let Some(journal) = ear.journal.borrow().as_ref() {
                journal.stop(Stop::Pause);
            }
        });
        if world.run().closing.status == Status::Completed {
            break;
        }
        let mut records = world.recorded();
        let goes_on = Record {
            seq: records.len() as u64,
            path: Path::root(),
            entry: Entry::Continued,
            ..records[0].clone()
        };
        records.push(goes_on);
        let mut timeline = Timeline::default();
        for event in records.iter().flat_map(|record| timeline.read(record)) {
            let dies = matches!(event, Event::Resumed | Event::AskedAgain { .. });
            assert!(!dies, "{tick}: {event:?}");
            sent_again += usize::from(matches!(event, Event::SentAgain { .. }));
        }
    }
    // Searches, gradings, a rewrite and the reading of a page are sent again.
    assert!(sent_again > 5, "{sent_again}");
}
