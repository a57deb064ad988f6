//! Tests of the limits on the cost of a run and on the cost of a month.

use super::toys::{Answers, ReplyWith as _, calls, find, queue, says};
use super::world::{RunResult, World};
use crate::trajectory::{Bodies, Trajectory};
use crate::{Bound, Event, Goal, Settings, SpendingLimit, Status};
use gloss_model::{
    Facts, Fault, ModelChoice, ModelError, Price, Profile, Purpose, Reply, Server, ServerKind,
    Usage,
};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A price of $10 for a million tokens, read or written.
const DEAR: Price = Price {
    input: 10_000,
    cached: 10_000,
    output: 10_000,
};

fn profile(id: &str, price: Option<Price>) -> ModelChoice {
    ModelChoice::Profile(Profile {
        id: id.to_owned(),
        name: id.to_owned(),
        model: id.to_owned(),
        facts: Some(Facts {
            price,
            ..Facts::default()
        }),
        ..Profile::default()
    })
}

/// A model that calls a tool in every reply, at this cost, until it is asked for the closing
/// answer.
fn insatiable(input_tokens: u32) -> Answers {
    let closing = queue(Vec::new());
    Rc::new(move |request| match request.purpose {
        Purpose::Synthesise => closing(request),
        _ => Ok(calls([find("1")]).costs(input_tokens, 0)),
    })
}

fn priced(answers: Answers, set: impl FnOnce(&mut Settings)) -> World {
    let mut world = World::new(answers).with(|settings| {
        settings.max_steps = Some(10);
        settings.max_tokens = 1_000_000;
        settings.max_cost_cents = 1_000;
        set(settings);
    });
    world.model_chosen = profile("dear", Some(DEAR));
    world
}

/// Sets the month's spending, in millionths of a dollar.
fn has_spent(world: &World, spent: u64) {
    let month = world.sim.host().clock.month();
    world
        .sim
        .set_shelved("spent", &format!(r#"{{"{month}":{spent}}}"#));
}

fn warnings(ran: &RunResult) -> Vec<(SpendingLimit, u8)> {
    let near = ran.events.iter().filter_map(|event| match event {
        Event::BudgetNear { budget, percent } => Some((*budget, *percent)),
        _ => None,
    });
    near.collect()
}

#[test]
fn what_the_closing_answer_has_to_read_is_kept_back_of_the_tokens() {
    // The question has about 7 500 tokens, which the closing answer must read, too.
    let goal = Goal::Ask {
        question: "tide ".repeat(6_000),
    };
    for (max_tokens, steps) in [(25_000, 1), (40_000, 3)] {
        let world = World::new(insatiable(9_000)).with(|settings| {
            settings.max_steps = Some(10);
            settings.max_tokens = max_tokens;
        });
        let ran = world.asked_for(goal.clone()).run();
        assert_eq!(ran.closing.status, Status::Terminated(Bound::Tokens));
        // A fixed reserve of 4 000 tokens would have allowed one step more.
        assert_eq!(ran.steps(), steps, "{max_tokens}");
        assert_eq!(ran.answer().markdown, "The closing answer.");
    }
}

#[test]
fn a_reply_that_was_cut_is_charged_what_it_had_used() {
    let cut = ModelError::Server {
        server: Box::new(Server {
            name: "Acme".to_owned(),
            origin: "https://api.acme.example".to_owned(),
            model: "m".to_owned(),
            kind: ServerKind::Other,
        }),
        fault: Fault::Cut,
        partial: "The".to_owned(),
        used: Usage {
            input_tokens: 900,
            output_tokens: 100,
            ..Usage::default()
        },
    };
    let whole = says("The Moon.").sure(1.0).costs(900, 200);
    let left = RefCell::new(vec![Ok(whole), Err(cut)]);
    let answers: Answers = Rc::new(move |_| left.borrow_mut().pop().expect("asked twice"));
    let world = priced(answers, |_| ());
    let ran = world.run();
    assert_eq!(ran.answer().markdown, "The Moon.");
    let told = ran.events.iter().filter_map(|event| match event {
        Event::TokensUsed { total, cost, .. } => Some((*total, *cost)),
        _ => None,
    });
    let told: Vec<_> = told.collect();
    assert_eq!(told, [(1_000, Some(10_000)), (2_100, Some(21_000))]);
    let trajectory = Trajectory::of(&world.recorded(), &Bodies::new());
    let tokens = trajectory.metrics.tokens;
    assert_eq!((tokens.input, tokens.output), (1_800, 300));
    assert_eq!(charged(&world), 21_000);
}

fn fails(fault: Fault, used: Usage) -> Answers {
    Rc::new(move |_| {
        Err(ModelError::Server {
            server: Box::new(Server {
                name: "Acme".to_owned(),
                origin: "https://api.acme.example".to_owned(),
                model: "m".to_owned(),
                kind: ServerKind::Other,
            }),
            fault: fault.clone(),
            partial: String::new(),
            used,
        })
    })
}

#[test]
fn a_free_model_hands_over_to_no_dear_one_beyond_a_budget() {
    for (spent, cents, calls) in [(0, 100, 2), (1_000_000, 100, 1), (0, 0, 1)] {
        let missing = fails(Fault::MissingModel, Usage::default());
        let mut world = priced(missing, |settings| {
            settings.max_month_dollars = Some(1);
            settings.max_cost_cents = cents;
        });
        has_spent(&world, spent);
        world.model_chosen = profile("free", Some(Price::NOTHING));
        world.then = vec![profile("dear", Some(DEAR))];
        assert_eq!(world.run().closing.status, Status::Failed, "{spent}");
        assert_eq!(world.model.calls().len(), calls, "{spent} {cents}");
    }
}

#[test]
fn a_failing_model_is_not_asked_again_beyond_a_budget() {
    let used = Usage {
        input_tokens: 990_000,
        output_tokens: 10_000,
        ..Usage::default()
    };
    let world = priced(fails(Fault::Cut, used), |_| ());
    assert_eq!(world.run().closing.status, Status::Failed);
    assert_eq!(world.model.calls().len(), 1);
}

#[test]
fn at_the_months_limit_a_run_ends_with_what_there_is() {
    // Each call costs 30 cents.
    let world = priced(insatiable(30_000), |settings| {
        settings.max_month_dollars = Some(1);
    });
    let ran = world.run();
    assert_eq!(ran.closing.status, Status::Terminated(Bound::Month));
    assert_eq!(ran.remarks(), ["bound_month"]);
    assert_eq!(ran.answer().remarks[0].args, ["$1.00"]);
    // The fourth call exceeds the limit. Then one closing call is made.
    assert_eq!(world.model.calls().len(), 5);
    assert_eq!(ran.answer().markdown, "The closing answer.");
    let month = SpendingLimit::Month { most_dollars: 1 };
    let warned: Vec<_> = warnings(&ran)
        .into_iter()
        .filter(|it| it.0 == month)
        .collect();
    assert_eq!(warned, [(month, 90)]);
    assert_eq!(charged(&world), 1_200_000);
    // Without a limit for the month, the run ends at another limit.
    let world = priced(insatiable(30_000), |_| ());
    let ran = world.run();
    assert_eq!(ran.closing.status, Status::Terminated(Bound::Steps));
}

#[test]
fn a_run_that_begins_over_the_months_limit_is_answered_without_cost_and_says_why() {
    let free = profile("free", Some(Price::NOTHING));
    let dear = profile("dearer", Some(DEAR));
    for (spent, then, to, asked) in [
        (980_000, vec![], None, 0),
        // Less than the cost of an answer is left of the limit.
        (995_000, vec![], Some(""), 1),
        (2_000_000, vec![dear.clone()], Some(""), 1),
        (1_000_000, vec![dear, free], Some("free"), 1),
    ] {
        let mut world = priced(
            Rc::new(|_| Ok(says("So.").sure(1.0).costs(10, 10))),
            |settings| {
                settings.max_month_dollars = Some(1);
            },
        );
        world.then = then;
        has_spent(&world, spent);
        let ran = world.run();
        assert_eq!(ran.closing.status, Status::Completed, "{spent}");
        let changes = ran.events.iter().filter_map(|event| match event {
            Event::ModelChanged { to, failure, .. } => {
                let failure = failure.as_ref().expect("it says why");
                assert_eq!(failure.code, "month_limit");
                assert_eq!(failure.title.args, ["$1.00"]);
                Some(to.profile.clone())
            }
            _ => None,
        });
        let changes: Vec<String> = changes.collect();
        assert_eq!(
            changes,
            to.map(str::to_owned).into_iter().collect::<Vec<_>>()
        );
        // A free model adds no cost.
        let more = if asked == 0 { 200 } else { 0 };
        assert_eq!(charged(&world), spent + more);
    }
}

#[test]
fn a_model_whose_price_is_not_known_is_used_until_the_limit_is_reached_by_others() {
    for (spent, changed) in [(999_999, false), (1_000_000, true)] {
        let mut world = priced(
            Rc::new(|_| Ok(says("So.").sure(1.0).costs(10, 10))),
            |settings| {
                settings.max_month_dollars = Some(1);
            },
        );
        world.model_chosen = profile("unknown", None);
        has_spent(&world, spent);
        let ran = world.run();
        let changes = |event: &Event| matches!(event, Event::ModelChanged { .. });
        assert_eq!(ran.events.iter().any(changes), changed, "{spent}");
    }
}

fn estimates(ran: &World) -> Vec<(Purpose, u32, u32, Option<u64>)> {
    let records = ran.recorded();
    let labels = records.iter().filter_map(|record| match &record.entry {
        gloss_durable::Entry::Intent { effect, label, .. } if effect == "model" => {
            use serde::Deserialize;
            let label = gloss_model::AskLabel::deserialize(label).ok()?;
            Some((
                label.purpose,
                label.prompt_tokens,
                label.reply_tokens,
                label.cost,
            ))
        }
        _ => None,
    });
    labels.collect()
}

#[test]
fn each_call_is_noted_with_its_estimate() {
    let world = priced(insatiable(30_000), |settings| settings.max_steps = Some(1));
    world.run();
    let estimates = estimates(&world);
    assert!(estimates.len() >= 2);
    for (purpose, prompt, reply, cost) in estimates {
        assert!(prompt > 100 && reply >= 200, "{purpose:?}");
        assert_eq!(cost, Some(u64::from(prompt + reply) * 10), "{purpose:?}");
    }
}

/// After a reply without usage, the run does not read the month's sum.
#[test]
fn what_used_nothing_is_not_looked_at() {
    let world = priced(Rc::new(|_| Ok(Reply::default())), |settings| {
        settings.max_month_dollars = Some(1);
    });
    world.run();
    let looks = |path: &str| {
        path.rsplit_once('.')
            .is_some_and(|(_, last)| last == "month")
    };
    let records = world.recorded();
    assert!(!records.iter().any(|record| looks(record.path.as_str())));
}

/// Returns the month's spending, in millionths of a dollar.
pub(super) fn charged(world: &World) -> u64 {
    let months = world.sim.shelved("spent").unwrap_or_default();
    let months: BTreeMap<u32, u64> = serde_json::from_str(&months).unwrap_or_default();
    months.values().next_back().copied().unwrap_or_default()
}

fn cost(world: &World) -> Option<u64> {
    Trajectory::of(&world.recorded(), &Bodies::new())
        .metrics
        .cost
}

/// Returns the cost that the events report, and the number of abandoned prompts in that cost.
fn told(ran: &RunResult) -> (Option<u64>, u32) {
    let (mut counted, mut given_up, mut abandoned) = (0, 0, 0);
    for event in &ran.events {
        match event {
            Event::TokensUsed { cost, .. } => counted = cost.expect("a price"),
            Event::CallAbandoned { cost, by, .. } => {
                assert_eq!(*by, None);
                given_up += cost.expect("a price");
                abandoned += 1;
            }
            _ => {}
        }
    }
    (Some(counted + given_up), abandoned)
}

fn asks_twice() -> World {
    let replies = vec![
        (Purpose::Reason, calls([find("1")]).costs(1_000, 10)),
        (Purpose::Observe, says("So.").sure(1.0).costs(1_200, 10)),
    ];
    let again = replies.clone();
    priced(queue(replies.into_iter().chain(again).collect()), |_| {})
}

#[test]
fn a_run_that_is_stopped_anywhere_cost_what_the_month_was_charged() {
    let mut abandoned = 0;
    for tick in 1.. {
        let world = asks_twice();
        world.stop_at(tick);
        let ran = world.run();
        let (told, given_up) = told(&ran);
        assert_eq!(told, cost(&world), "{tick}");
        // The ledger may lack a call, if the run was stopped while the run read the month's cost
        // for the first time.
        let is_charged = charged(&world) > 0;
        assert!(told == Some(charged(&world)) || !is_charged, "{tick}");
        abandoned += given_up;
        if ran.closing.status == Status::Completed {
            break;
        }
    }
    assert!(abandoned > 2, "{abandoned}");
}

#[test]
fn the_prompts_that_deaths_abandoned_are_in_what_a_run_cost() {
    let mut abandoned = 0;
    for kill_at in 0.. {
        let world = asks_twice();
        if world.life(kill_at).is_some() {
            break;
        }
        let ran = world.run();
        let (told, given_up) = told(&ran);
        assert_eq!(told, cost(&world), "{kill_at}");
        assert_eq!(told > Some(22_200), given_up > 0, "{kill_at}");
        abandoned += given_up;
    }
    assert!(abandoned > 2, "{abandoned}");
}
