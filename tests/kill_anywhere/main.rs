//! A run that is killed, stopped or refused at any instant ends as it should,
//! and every surface that watches it sees the same.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "the stage of these tests is no test itself, and must fail here"
)]

mod assets;
mod faults;
mod inbox;
mod renewed;
mod stage;
mod stops;
mod surfaces;
mod timers;
mod upkeep;
mod waits;

use gloss::agent::{Goal, Status};
use gloss::app::surface::Turn;
use stage::{Life, Models, NEVER, ask, embedded, start, steady, whole, world};

/// The model, what it is asked, and how many instants that has at least.
fn cases() -> [(&'static str, Models, Goal, u64); 8] {
    let explain = Goal::Explain {
        selection: "neaps".to_owned(),
    };
    let on_device: Models = |_| embedded();
    let slow: Models = steady;
    [
        ("summary", on_device, Goal::Summarize, 8),
        ("explanation", on_device, explain, 8),
        ("question", on_device, ask(), 8),
        (
            "question that is refused",
            on_device,
            asking("How do penguins sleep?"),
            8,
        ),
        ("term asked about", on_device, asking("What are neaps?"), 8),
        ("question to itself", on_device, asking("Who are you?"), 6),
        ("question, parallel tools", slow, ask(), 20),
        ("summary, then tools", slow, Goal::Summarize, 20),
    ]
}

fn asking(question: &str) -> Goal {
    Goal::Ask {
        question: question.to_owned(),
    }
}

fn killed(seed: u64, models: Models, goal: &Goal, kills: &[u64]) -> (Turn, bool) {
    let sim = world(seed);
    let again = [start("run", goal.clone())];
    let mut survived = false;
    for (epoch, kill_at) in kills.iter().enumerate() {
        let life = Life::new(&sim, epoch as u64, &models(&sim));
        survived = life.until(*kill_at, &again);
    }
    let life = Life::new(&sim, 99, &models(&sim));
    assert!(life.until(NEVER, &again));
    (life.turn(), survived)
}

#[test]
fn an_unkilled_summary_completes_with_cited_points() {
    let (turn, _) = whole(1, |_| embedded(), &Goal::Summarize);
    assert_eq!(turn.status, Status::Completed);
    let answer = turn.answer.as_ref().expect("an answer");
    assert!(answer.citations.len() >= 3, "{answer:?}");
    assert_eq!(answer.share_percent, Some(100));
    for citation in &answer.citations {
        let html = stage::article(12).html;
        assert!(html.contains(&citation.quote), "{citation:?}");
    }
}

#[test]
fn a_run_killed_at_any_instant_gives_the_same_answer() {
    let mut kills = 0;
    for (name, models, goal, least) in cases() {
        for seed in 0..6 {
            let (expected, _) = killed(seed, models, &goal, &[]);
            assert!(expected.answer.is_some(), "{name}");
            let mut kill_at = 0;
            loop {
                let (turn, survived) = killed(seed, models, &goal, &[kill_at]);
                assert_eq!(turn.status, Status::Completed, "{name} {seed} {kill_at}");
                assert_eq!(turn.answer, expected.answer, "{name} {seed} {kill_at}");
                if survived {
                    break;
                }
                kill_at += 1;
            }
            assert!(kill_at > least, "{name}: only {kill_at} instants");
            kills += kill_at;
        }
    }
    println!("{kills} kills");
}

#[test]
fn a_run_killed_twice_gives_the_same_answer() {
    for (name, models, goal, least) in cases() {
        let (expected, _) = killed(3, models, &goal, &[]);
        for first in 0..least + 12 {
            for second in (0..least + 12).step_by(2) {
                let (turn, _) = killed(3, models, &goal, &[first, second]);
                assert_eq!(turn.answer, expected.answer, "{name} {first} {second}");
            }
        }
    }
}
