//! Searching the web: queries, graded results, rewritten queries, and reading a page.

use super::fetching::answer as permit;
use super::talking::{calls, results, says};
use crate::proof::{Outside, Scenario, UserAction, scripted};
use crate::stage::run_id;
use futures::FutureExt;
use gloss::agent::{Goal, MissingRight, Status, Verdict};
use gloss::app::surface::{Command, Notice, Turn};
use gloss::durable::{Fut, Sink};
use gloss::host_sim::{Answer, Sim};
use gloss::model::{AnswerOrigin, Model, ModelError, Purpose, Reply, Request, ToolCall};
use serde_json::json;
use std::rc::Rc;

const LAMPS: &str = "https://lamps.example";

/// Search results in the format of Wikipedia, which is the default search provider.
fn found(hits: &[(&str, &str)]) -> String {
    let pages = (1..).zip(hits).map(|(number, (title, url))| {
        json!({
            "pageid": number,
            "index": number,
            "title": title,
            "canonicalurl": url,
            "extract": format!("{title}, as it was."),
        })
    });
    let pages: Vec<serde_json::Value> = pages.collect();
    json!({ "batchcomplete": true, "query": { "pages": pages } }).to_string()
}

/// Serves no results for the first search, irrelevant results for the second, and relevant ones
/// for the third. Also serves the page of the best result.
fn serve(sim: &Sim) {
    sim.grant(LAMPS);
    sim.serve(|request, _| {
        let answer = Answer::status(200).head_after(20);
        if request.url.starts_with(LAMPS) {
            return answer
                .header("content-type", "text/html; charset=utf-8")
                .send("<html lang=en><title>Brest</title><main><h1>Brest</h1>")
                .wait(20)
                .send("<p>The lamp of Brest was lit in 1823.</p>");
        }
        let asks = |words: &str| request.url.replace("%20", "+").contains(words);
        let hits = if asks("=lamp+lit&") {
            found(&[])
        } else if asks("=lighthouse+lamp&") {
            found(&[("Cars", "https://cars.example/")])
        } else {
            found(&[
                ("The lamp of Brest", "https://lamps.example/brest"),
                ("Lamps for sale", "https://shop.example/"),
            ])
        };
        answer.send(hits)
    });
}

fn goal() -> Goal {
    Goal::Ask {
        question: "When was the lamp of Brest lit, in its lighthouse?".to_owned(),
    }
}

fn search() -> ToolCall {
    ToolCall {
        id: "1".to_owned(),
        name: "web_search".to_owned(),
        arguments: json!({ "query": "lamp lit", "targetInfo": ["year"] }),
        reasoning: None,
        after: None,
    }
}

fn answer(request: &Request) -> Reply {
    match (request.purpose, results(request)) {
        // Only the first result is relevant. In the search about cars, no result is.
        (Purpose::Grade, _) => {
            let asked = serde_json::to_string(&request.transcript).unwrap_or_default();
            let relevant = !asked.contains("Cars");
            says(
                &json!({ "grades": [
                    { "n": 1, "relevant": relevant, "confidence": 0.9, "reason": "the lamp" },
                    { "n": 2, "relevant": false, "confidence": 0.9, "reason": "a shop" },
                ] })
                .to_string(),
            )
        }
        (Purpose::Rewrite, _) => {
            let asked = serde_json::to_string(&request.transcript).unwrap_or_default();
            let query = if asked.contains("lighthouse lamp") {
                "lamp of Brest"
            } else {
                "lighthouse lamp"
            };
            says(&json!({ "query": query }).to_string())
        }
        (_, 0) => calls(vec![search()]),
        _ => says("It was lit in 1823 [[s1a1.p1]]."),
    }
}

/// The query is rewritten twice, then a page is read. The worker is killed in each of these steps.
pub(crate) fn search_rewritten() -> Scenario {
    Scenario {
        prepare: serve,
        model: |outside| scripted(outside, |request, _| Ok(answer(request))),
        seeds: 2,
        ..Scenario::new("search_rewritten", goal())
    }
}

/// The user pauses the run during a search, and resumes it when the panel opens again.
pub(crate) fn search_paused() -> Scenario {
    Scenario {
        actions: vec![
            UserAction::at_once(|turns, _| {
                let turn = turns.last()?;
                let was = |seam: &Notice| matches!(seam, Notice::Paused { .. });
                let mut calls = turn.steps.iter().flat_map(|step| &step.calls);
                let searches = calls.any(|call| call.doing.is_some());
                let due = searches && turn.is_open() && !turn.notices.iter().any(was);
                due.then(|| Command::Pause { run: run_id() })
            }),
            UserAction::later(|turns, _| {
                let paused = turns.last()?.status == Status::Paused;
                paused.then(|| Command::Continue { run: run_id() })
            }),
        ],
        ..Scenario {
            name: "search_paused",
            ..search_rewritten()
        }
    }
}

/// A model for light tasks that exceeds the time limit of grading.
struct Slow {
    outside: Rc<Outside>,
    inner: Rc<dyn Model>,
}

impl Model for Slow {
    fn reply(&self, request: Request, sink: Sink) -> Fut<Result<Reply, ModelError>> {
        let waits = request.purpose == Purpose::Grade;
        let clock = self.outside.sim.host().clock;
        let reply = self.inner.reply(request, sink);
        async move {
            if waits {
                clock.sleep(60_000).await;
            }
            reply.await
        }
        .boxed_local()
    }

    fn voice(&self) -> AnswerOrigin {
        AnswerOrigin::Model
    }
}

/// The grading exceeds its time limit, so that the results stay unchecked.
pub(crate) fn search_ungraded() -> Scenario {
    Scenario {
        prepare: |sim| {
            sim.serve(|_, _| {
                let hits = [("The lamp of Brest", "https://lamps.example/brest")];
                Answer::status(200).send(found(&hits))
            });
        },
        model: |outside| {
            Rc::new(Slow {
                outside: outside.clone(),
                inner: scripted(outside, |request, _| Ok(answer(request))),
            })
        },
        seeds: 2,
        ..Scenario::new("search_ungraded", goal())
    }
}

/// The address of a `SearXNG` server of the user, for which Gloss has no permission yet.
const OWN: &str = "https://search.example";

const PREFERENCES: &str = r#"{"format": "gloss-preferences", "version": 1, "preferences": {
    "search": {"engine": "searxng", "servers": {"searxng": {"base_url": "https://search.example"}}}}}"#;

fn serve_own(sim: &Sim) {
    sim.set_shelved("preferences", PREFERENCES);
    sim.serve(|request, _| {
        let hit = json!({ "title": "The lamp of Brest", "url": "https://lamps.example/brest", "content": "It was lit." });
        let hits = if request.url.starts_with(OWN) {
            vec![hit]
        } else {
            Vec::new()
        };
        let body = json!({ "query": "lamp lit", "results": hits });
        Answer::status(200).head_after(20).send(body.to_string())
    });
}

fn needs(turns: &[Turn]) -> Option<&MissingRight> {
    let wait = turns.last().and_then(|turn| turn.wait.as_ref());
    wait.map(|wait| &wait.need)
}

fn asks(turns: &[Turn]) -> bool {
    matches!(needs(turns), Some(MissingRight::Search { origin, .. }) if origin == OWN)
}

fn asks_to_read(turns: &[Turn]) -> bool {
    matches!(needs(turns), Some(MissingRight::Pages { .. }))
}

/// The user permits the search provider, and then the page that was found.
pub(crate) fn search_allowed() -> Scenario {
    Scenario {
        prepare: serve_own,
        model: |outside| scripted(outside, |request, _| Ok(answer(request))),
        actions: vec![
            UserAction::later(|turns, outside| {
                let allow = permit(turns, Verdict::Granted).filter(|_| asks(turns))?;
                outside.sim.grant(OWN);
                Some(allow)
            }),
            UserAction::later(|turns, outside| {
                let allow = permit(turns, Verdict::Granted).filter(|_| asks_to_read(turns))?;
                outside.sim.grant(LAMPS);
                Some(allow)
            }),
        ],
        seeds: 2,
        ..Scenario::new("search_allowed", goal())
    }
}

/// The user declines, so that the model answers without sources, and the answer says so.
pub(crate) fn search_refused() -> Scenario {
    Scenario {
        prepare: serve_own,
        model: |outside| scripted(outside, |request, _| Ok(answer(request))),
        actions: vec![UserAction::later(|turns, _| {
            permit(turns, Verdict::Refused).filter(|_| asks(turns))
        })],
        seeds: 2,
        ..Scenario::new("search_refused", goal())
    }
}
