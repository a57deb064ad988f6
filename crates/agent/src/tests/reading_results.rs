//! Tests of reading the pages that a search found. The user is asked for all sites at once. No
//! result is graded twice, and no query is sent twice (DETAILS §12).

use super::search::{SERVER, wikipedia};
use super::toys::{ReplyWith as _, Scripted, call, calls, says};
use super::world::{RunResult, World};
use crate::{Disclaimer, Event, Goal, Status, Verdict};
use gloss_durable::Entry;
use gloss_host::HttpRequest;
use gloss_host_sim::Answer;
use gloss_model::{Calling, ModelError, Part, Purpose, Reply, Request, testing::in_words};
use gloss_tools::StandingApproval;
use gloss_web::PassageOrigin;
use gloss_web::search::{ProviderKind, Server};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

const SITE: &str = "https://lamp.example";

/// A run of this many searches. Each search finds a page on a site that Gloss may not read. The
/// user refuses access to the site.
fn world(searches: usize, says_at_last: &'static str) -> World {
    let mut world = World::scripted(Vec::new()).asked_for(Goal::Ask {
        question: "When was the lamp lit: 0, 1, 2 or 3?".to_owned(),
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
                    // The user's answer arrives before the run asks for the site.
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

/// Returns the number of questions to the user, and the origin of the cited passage.
fn came_to(world: &World, ran: &RunResult) -> (usize, PassageOrigin) {
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
    assert_eq!(came_to(&world, &world.run()), (1, PassageOrigin::Excerpt));
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

/// Returns the addresses of the pages that were read, in order.
fn read(world: &World) -> Vec<String> {
    let records = world.recorded().into_iter();
    let urls = records.filter_map(|record| match record.entry {
        Entry::Intent { effect, label, .. } if effect == "read" => {
            label["url"].as_str().map(str::to_owned)
        }
        _ => None,
    });
    urls.collect()
}

#[test]
fn what_was_read_before_the_person_was_asked_is_not_read_again() {
    const ARTICLE: &str = "https://en.wikipedia.org/wiki/Lamp";
    let mut world = world(1, "In 1823 [[s1a1.p1]] [[s1a2.p1]].");
    let answers = world.model.answers.clone();
    world.model = Rc::new(Scripted {
        sim: world.sim.clone(),
        answers: Rc::new(move |request: &Request| {
            let reply = answers(request)?;
            let grade = |n| json!({ "n": n, "relevant": true, "confidence": 0.9, "reason": "so" });
            Ok(match request.purpose {
                Purpose::Grade => says(&json!({ "grades": [grade(1), grade(2)] }).to_string()),
                _ => reply,
            })
        }),
        asked: RefCell::default(),
    });
    let hit = |url: &str| json!({ "title": "Lamp", "url": url, "snippet": "Of a lamp." });
    let found = wikipedia(&[hit(ARTICLE), hit(&format!("{SITE}/lamp"))]);
    world.sim.serve(move |request: &HttpRequest, _| {
        if !request.url.contains("action=parse") {
            return Answer::status(200).send(found.clone());
        }
        let text = "<p>It was lit in 1823 by Fresnel.</p>";
        let article = json!({ "parse": { "title": "Lamp", "text": text } });
        Answer::status(200)
            .header("access-control-allow-origin", "*")
            .header("content-type", "application/json")
            .send(article.to_string())
    });
    let answer = world.run().answer();
    assert_eq!(
        read(&world),
        [
            ARTICLE.to_owned(),
            format!("{SITE}/lamp"),
            format!("{SITE}/lamp")
        ]
    );
    let stands = answer.citations.iter().map(|citation| {
        let found = citation.found.as_ref().expect("what the search says");
        (citation.quote.as_str(), found.standing)
    });
    let stands: Vec<_> = stands.collect();
    assert_eq!(
        stands,
        [
            ("It was lit in 1823 by Fresnel.", PassageOrigin::Read),
            ("Of a lamp.", PassageOrigin::Excerpt)
        ]
    );
}

/// A run that calls one tool once; `answers` replies to all other requests.
fn calling(name: &'static str, arguments: Value, answers: fn(&Request) -> Reply) -> World {
    World::new(Rc::new(move |request: &Request| {
        Ok(match request.purpose {
            Purpose::Reason => calls([call("1", name, arguments.clone())]),
            Purpose::Grade | Purpose::Rewrite => answers(request),
            _ => says("In 1823 [[s1a1.p1]].").sure(0.9),
        })
    }))
    .asked_for(Goal::Ask {
        question:
            "May I visit the lamp? And its keeper? Visits, year it was lit, price of tickets?"
                .to_owned(),
    })
}

/// Returns the result of a run's only call: its data, and the summary that the user sees.
fn gave(world: &World, ran: &RunResult) -> (Value, String) {
    let asked = world.model.asked.borrow();
    let messages = asked.iter().flat_map(|it| it.transcript.messages());
    let data = messages
        .flat_map(|it| &it.parts)
        .find_map(|part| match part {
            Part::Result { outcome, .. } => outcome.clone().ok(),
            _ => None,
        });
    let told = ran.events.iter().find_map(|event| match event {
        Event::ToolFinished { summary, .. } => {
            Some(format!("{} {}", summary.key, summary.args.join(" ")))
        }
        _ => None,
    });
    (data.expect("a result"), told.expect("an end"))
}

/// Returns the whole text of the light model's request for a purpose.
fn prompt(world: &World, purpose: Purpose) -> String {
    let asked = world.model.asked.borrow();
    let request = asked.iter().find(|it| it.purpose == purpose);
    let parts = request.expect("a request").transcript.messages();
    let texts = parts
        .flat_map(|it| &it.parts)
        .filter_map(|part| match part {
            Part::Text { text } => Some(text.as_str()),
            _ => None,
        });
    texts.collect::<Vec<_>>().join("\n")
}

#[test]
fn what_grades_and_what_rewrites_can_each_be_called_alone() {
    let grade = json!({ "question": "who lit the lamp", "results": [
        { "title": "Lamp", "url": "https://a.example/" },
        { "title": "Birds", "url": "https://b.example/" },
    ] });
    let world = calling("grade_search_results", grade, |_| {
        let grade = |n, relevant| json!({ "n": n, "relevant": relevant, "confidence": 85 });
        says(&json!({ "grades": [grade(1, true), grade(2, false)] }).to_string())
    });
    let (data, told) = gave(&world, &world.run());
    assert_eq!(told, "summary_graded 2 1");
    assert_eq!(data["graded"][0]["confidencePercent"], 85);
    assert_eq!(data["graded"][1]["relevant"], false);
    let asked = prompt(&world, Purpose::Grade);
    assert!(asked.contains("May I visit the lamp?"), "{asked}");

    let rewrite =
        json!({ "question": "who lit the lamp", "queries": ["lamp"], "found": ["Birds"] });
    let world = calling("rewrite_search_query", rewrite, |_| {
        says(r#"{"query": "keeper of the lamp"}"#)
    });
    let (data, told) = gave(&world, &world.run());
    assert_eq!(told, "summary_rewritten keeper of the lamp");
    assert_eq!(data["query"], "keeper of the lamp");
}

/// Two results of Wikipedia that contain no word of the search or of the question.
fn of_other_things(request: &HttpRequest) -> Answer {
    if !request.url.starts_with(SERVER) {
        return Answer::status(404);
    }
    let hit = |title: &str| json!({ "title": title, "url": format!("https://{title}.example/"), "snippet": "Of wings." });
    Answer::status(200).send(wikipedia(&[hit("heron"), hit("gull")]))
}

#[test]
fn where_no_model_grades_and_no_word_is_shared_nothing_is_cited() {
    let mut world = calling("web_search", json!({ "query": "lamp keeper" }), |_| {
        says("")
    });
    let answers = world.model.answers.clone();
    world.model = Rc::new(Scripted {
        sim: world.sim.clone(),
        answers: Rc::new(move |request: &Request| match request.purpose {
            Purpose::Grade | Purpose::Rewrite => Err(ModelError::Failed {
                message: "gone".to_owned(),
            }),
            _ => answers(request),
        }),
        asked: RefCell::default(),
    });
    world.sim.serve(|request, _| of_other_things(request));
    let ran = world.run();
    let (data, _) = gave(&world, &ran);
    let answer = ran.answer();
    assert_eq!(answer.citations, []);
    let research = answer.research.expect("a search");
    assert_eq!(research.disclaimer, Some(Disclaimer::Alone));
    assert_eq!(research.searched[0].len(), 3, "{:?}", research.searched);
    assert_eq!(data["notRelevant"][0]["reason"], "has none of the words");
    assert_eq!(data.get("unchecked"), None);
}

/// A search whose results are of birds. The user always allows searches with the provider, so a
/// query in any words is sent.
fn of_birds(query: &str) -> World {
    let world = calling("web_search", json!({ "query": query }), |request| {
        let grade =
            |n| json!({ "n": n, "relevant": false, "confidence": 1, "reason": "is of birds" });
        match request.purpose {
            Purpose::Grade => says(&json!({ "grades": [grade(1), grade(2)] }).to_string()),
            _ => says(r#"{"query": "lamp visits"}"#),
        }
    });
    let provider = "Wikipedia".to_owned();
    let always = StandingApproval::Searches { provider };
    world.switches.set_always_allowed([always].into());
    world.sim.serve(|request, _| of_other_things(request));
    world
}

#[test]
fn why_results_are_not_relevant_and_what_the_person_asked_are_told_to_who_judges() {
    // Only a query in the user's own words needs no approval, so its results may not choose words.
    for (query, is_approved) in [("lamp", false), ("lamp lens", true)] {
        let world = of_birds(query);
        world.run();
        let graded = prompt(&world, Purpose::Grade);
        assert!(graded.contains("May I visit the lamp?"), "{graded}");
        let rewritten = prompt(&world, Purpose::Rewrite);
        let why = r#"{"reason":"is of birds","relevant":false,"title":"heron"}"#;
        assert_eq!(rewritten.contains(why), is_approved, "{rewritten}");
        assert_eq!(rewritten.contains("heron"), is_approved, "{rewritten}");
    }
}

#[test]
fn who_grades_and_who_rewrites_are_sent_this() {
    for language in ["en", "zh-CN"] {
        let mut world = of_birds("lamp lens");
        world.language = language.to_owned();
        world.run();
        for purpose in [Purpose::Grade, Purpose::Rewrite] {
            let asked = world.model.asked.borrow();
            let request = asked.iter().find(|it| it.purpose == purpose);
            let sent = in_words(request.expect("a request"), Calling::Native);
            insta::assert_snapshot!(format!("{purpose:?}.{language}"), sent);
        }
    }
}

#[test]
fn what_no_passage_covers_is_told_to_the_model_and_to_the_person() {
    let wanted =
        json!({ "query": "lamp", "targetInfo": ["year the lamp was lit", "price of tickets"] });
    let world = calling("web_search", wanted, |_| {
        let grade = json!({ "n": 1, "relevant": true, "confidence": 1, "reason": "so" });
        says(&json!({ "grades": [grade] }).to_string())
    });
    world.sim.grant("https:/");
    world.sim.serve(|request: &HttpRequest, _| {
        if !request.url.starts_with(SERVER) {
            return Answer::status(404);
        }
        let lit = "The lamp was lit in the year 1823.";
        let hit = json!({ "title": "Lamp", "url": format!("{SITE}/lamp"), "snippet": lit });
        Answer::status(200).send(wikipedia(&[hit]))
    });
    let ran = world.run();
    let (data, _) = gave(&world, &ran);
    assert_eq!(data["missing"], json!(["price of tickets"]));
    let advice = data["advice"].as_str().expect("advice");
    assert!(
        advice.contains("No passage contains the words of: price of tickets."),
        "{advice}"
    );
    let research = ran.answer().research.expect("a search");
    assert_eq!(research.missing, [["price of tickets"]]);
}

#[test]
fn nothing_is_read_or_looked_through_while_the_provider_is_not_allowed() {
    let wanted = json!({ "query": "lamp", "targetInfo": ["year"] });
    let mut world = calling("web_search", wanted, |_| says(""));
    let own = Server {
        base_url: "https://search.example".to_owned(),
        ..Server::default()
    };
    world.search.engine = ProviderKind::Searxng;
    world.search.servers.insert(ProviderKind::Searxng, own);
    let told = world.told.clone();
    world.sim.at_tick(200, move || {
        let journal = told.journal.borrow();
        journal.as_ref().unwrap().deliver("word", &Verdict::Refused);
    });
    world.run();
    let steps = world.recorded().into_iter().map(|it| it.path.to_string());
    let steps: Vec<String> = steps.filter(|it| it.contains("/try.1/")).collect();
    assert!(steps.iter().any(|it| it.contains("/search.1")), "{steps:?}");
    assert!(!steps.iter().any(|it| it.contains("/cover")), "{steps:?}");
}
