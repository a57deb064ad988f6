//! Fetching web pages.

use super::talking::{calls, results, says};
use crate::proof::{Outside, Scenario, UserAction, scripted};
use crate::stage::run_id;
use gloss::agent::{AnsweredFrom, ApprovalScope, Goal, MissingRight, Verdict};
use gloss::app::surface::{Command, Turn};
use gloss::host_sim::{Answer, Sim};
use gloss::model::{Model, ToolCall};
use serde_json::json;
use std::rc::Rc;

const SITE: &str = "https://tides.example";

/// Serves a page that arrives in several chunks.
fn serve(sim: &Sim) {
    sim.serve(|request, _| {
        Answer::status(200)
            .header("content-type", "text/html; charset=utf-8")
            .head_after(20)
            .send("<html lang=en><title>Brest</title><main><h1>Brest</h1>")
            .wait(20)
            .send(format!(
                "<p>The lamp at {} was lit in 1823.</p>",
                request.url
            ))
    });
}

fn goal() -> Goal {
    Goal::Ask {
        question: format!("What do {SITE}/brest and {SITE}/dover say?"),
    }
}

fn fetch(id: &str, path: &str) -> ToolCall {
    ToolCall {
        id: id.to_owned(),
        name: "web_fetch".to_owned(),
        arguments: json!({ "urls": [format!("{SITE}{path}")], "query": "when was the lamp lit" }),
        reasoning: None,
        after: None,
    }
}

/// A model that makes two calls at once, and then answers.
fn model(outside: &Rc<Outside>) -> Rc<dyn Model> {
    scripted(outside, |request, _| {
        Ok(match results(request) {
            0 => calls(vec![fetch("1", "/brest"), fetch("2", "/dover")]),
            _ => says("The lamp was lit in 1823."),
        })
    })
}

/// Pages that arrive in chunks, and pages from the cache.
pub(crate) fn fetches() -> Scenario {
    Scenario {
        prepare: |sim| {
            serve(sim);
            sim.grant(SITE);
        },
        model,
        seeds: 4,
        ..Scenario::new("fetches", goal())
    }
}

fn one(outside: &Rc<Outside>) -> Rc<dyn Model> {
    scripted(outside, |request, _| {
        Ok(match results(request) {
            0 => calls(vec![fetch("1", "/brest")]),
            _ => says("So it says."),
        })
    })
}

pub(super) fn answer(turns: &[Turn], verdict: Verdict) -> Option<Command> {
    let wait = turns.last()?.wait.as_ref()?.id;
    let run = run_id();
    Some(Command::Permit { run, wait, verdict })
}

/// A site that needs the user's permission, which the user grants in a later life.
pub(crate) fn fetch_allowed() -> Scenario {
    Scenario {
        prepare: serve,
        model: one,
        actions: vec![UserAction::later(|turns, outside| {
            let allow = answer(turns, Verdict::Granted)?;
            outside.sim.grant(SITE);
            Some(allow)
        })],
        seeds: 4,
        ..Scenario::new("fetch_allowed", goal())
    }
}

/// The user declines the permission for the site.
pub(crate) fn fetch_refused() -> Scenario {
    Scenario {
        prepare: serve,
        model: one,
        actions: vec![UserAction::later(|turns, _| {
            answer(turns, Verdict::Refused)
        })],
        seeds: 3,
        ..Scenario::new("fetch_refused", goal())
    }
}

/// A model that fetches an address that the user didn't write.
fn unnamed(outside: &Rc<Outside>) -> Rc<dyn Model> {
    scripted(outside, |request, _| {
        Ok(match results(request) {
            0 => calls(vec![fetch("1", "/secret?port=hilbre")]),
            _ => says("So it says."),
        })
    })
}

/// Returns the user's decision about that address, on the sheet.
fn decide(turns: &[Turn], verdict: Verdict) -> Option<Command> {
    let wait = turns.last()?.wait.as_ref()?;
    let MissingRight::Send(request) = &wait.need else {
        return None;
    };
    assert_eq!(request.unedited(), format!("{SITE}/secret?port=hilbre"));
    let (run, wait) = (run_id(), wait.id);
    Some(Command::Permit { run, wait, verdict })
}

/// The user decides in a later life.
fn decided(name: &'static str, says: fn(&[Turn], &Outside) -> Option<Command>) -> Scenario {
    Scenario {
        prepare: |sim| {
            serve(sim);
            sim.grant(SITE);
        },
        model: unnamed,
        actions: vec![UserAction::later(says)],
        seeds: 4,
        ..Scenario::new(name, goal())
    }
}

/// The user edits the address and approves the fetch. Only the edited address is fetched, whenever
/// the worker dies.
pub(crate) fn fetch_approved() -> Scenario {
    decided("fetch_approved", |turns, _| {
        let verdict = Verdict::Approved {
            parts: vec!["/brest".to_owned(), "dover".to_owned()],
            scope: ApprovalScope::Once,
            from: AnsweredFrom::Panel,
        };
        decide(turns, verdict)
    })
}

/// The user rejects the fetch with a reason. Nothing is fetched.
pub(crate) fn fetch_rejected() -> Scenario {
    decided("fetch_rejected", |turns, _| {
        let verdict = Verdict::Rejected {
            reason: "Use the almanac".to_owned(),
            from: AnsweredFrom::Popup,
        };
        decide(turns, verdict)
    })
}

const OTHER: &str = "https://ships.example";

fn both_goal() -> Goal {
    Goal::Ask {
        question: format!("What do {SITE}/brest and {OTHER}/dover say?"),
    }
}

fn both(outside: &Rc<Outside>) -> Rc<dyn Model> {
    scripted(outside, |request, _| {
        let mut other = fetch("2", "/dover");
        other.arguments = json!({ "urls": [format!("{OTHER}/dover")] });
        Ok(match results(request) {
            0 => calls(vec![fetch("1", "/brest"), other]),
            _ => says("So they say."),
        })
    })
}

/// The user's permission, if the card asks for this site (or the site with `www.`) and no other.
fn allow(turns: &[Turn], outside: &Outside, site: &str) -> Option<Command> {
    let need = &turns.last()?.wait.as_ref()?.need;
    let asks = matches!(need, MissingRight::Pages { origins } if origins.first().is_some_and(|it| it == site));
    let allow = answer(turns, Verdict::Granted).filter(|_| asks)?;
    outside.sim.grant(site);
    Some(allow)
}

/// Two calls of one step need permissions for different sites. The cards appear one after the
/// other, in the order of the calls. Then both pages are fetched.
pub(crate) fn fetches_allowed_one_by_one() -> Scenario {
    Scenario {
        prepare: serve,
        model: both,
        actions: vec![
            UserAction::later(|turns, outside| allow(turns, outside, SITE)),
            UserAction::later(|turns, outside| allow(turns, outside, OTHER)),
        ],
        seeds: 2,
        ..Scenario::new("fetches_allowed_one_by_one", both_goal())
    }
}

/// A model that fetches three pages in one call, without a cache, so that each request is counted.
/// A page that is recorded is not requested again (`proof::checks`).
fn several(outside: &Rc<Outside>) -> Rc<dyn Model> {
    scripted(outside, |request, _| {
        let mut several = fetch("1", "/brest");
        let urls = ["/brest", "/dover", "/calais"].map(|path| format!("{SITE}{path}"));
        several.arguments = json!({ "urls": urls, "fresh": true });
        Ok(match results(request) {
            0 => calls(vec![several]),
            _ => says("The lamps were lit in 1823."),
        })
    })
}

fn several_goal() -> Goal {
    Goal::Ask {
        question: format!("What do {SITE}/brest, {SITE}/dover and {SITE}/calais say?"),
    }
}

/// Serves each page with a different delay.
fn one_after_another(sim: &Sim) {
    sim.serve(|request, _| {
        let pace = match request.url.as_bytes().last() {
            Some(b't') => 20,
            Some(b'r') => 60,
            _ => 100,
        };
        Answer::status(200)
            .header("content-type", "text/plain")
            .head_after(pace)
            .send(format!("The lamp at {} was lit in 1823.", request.url))
    });
}

/// The worker is killed between the pages of one call.
pub(crate) fn fetches_several() -> Scenario {
    Scenario {
        prepare: |sim| {
            one_after_another(sim);
            sim.grant(SITE);
        },
        model: several,
        seeds: 3,
        ..Scenario::new("fetches_several", several_goal())
    }
}

fn read_and_lacking(outside: &Rc<Outside>) -> Rc<dyn Model> {
    scripted(outside, |request, _| {
        let mut both = fetch("1", "/brest");
        let urls = [format!("{SITE}/brest"), format!("{OTHER}/dover")];
        both.arguments = json!({ "urls": urls, "fresh": true });
        Ok(match results(request) {
            0 => calls(vec![both]),
            _ => says("So they say."),
        })
    })
}

/// One page of a call is read while the user is asked about another page. After the user's answer,
/// the first page is not read again.
pub(crate) fn fetch_beside_a_card() -> Scenario {
    Scenario {
        prepare: |sim| {
            serve(sim);
            sim.grant(SITE);
        },
        model: read_and_lacking,
        actions: vec![UserAction::later(|turns, outside| {
            allow(turns, outside, OTHER)
        })],
        seeds: 2,
        ..Scenario::new("fetch_beside_a_card", both_goal())
    }
}

/// A permitted site redirects to a site without permission. CORS allows reading the response, so
/// that Gloss knows the target and asks the user for it.
pub(crate) fn fetch_led_on() -> Scenario {
    Scenario {
        prepare: |sim| {
            sim.serve(|request, _| {
                let answer = if request.url.starts_with(SITE) {
                    let location = request.url.replace(SITE, OTHER);
                    Answer::status(302).header("location", &location)
                } else {
                    Answer::status(200)
                        .header("content-type", "text/plain")
                        .send("The lamp was lit in 1823.")
                };
                answer.header("access-control-allow-origin", "*")
            });
            sim.grant(SITE);
        },
        model: one,
        actions: vec![UserAction::later(|turns, outside| {
            allow(turns, outside, OTHER)
        })],
        seeds: 2,
        ..Scenario::new("fetch_led_on", goal())
    }
}
