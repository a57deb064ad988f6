//! Prints what happens in each life of one case, to examine a failure.

use super::case::Case;
use super::checks::{Expected, check_against};
use super::lives::{Lives, World};
use super::scenario::Scenario;
use super::sweep::words;
use super::trajectory::journals;
use crate::scenarios;
use gloss::agent::Goal;
use gloss::durable::Entry;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Describes the lives of a case. If the case fails, returns an error with the description and the
/// failure.
fn story(scenario: &Scenario, case: &Case) -> Result<String, String> {
    let mut text = format!("{case}\n");
    let lives = Lives::of(scenario, case.seed, &case.kills, World::default());
    let mut from = 0;
    for (number, life) in lives.lives.iter().enumerate() {
        let end = if life.killed { "killed" } else { "over" };
        let _ = writeln!(text, "\nlife {number}: {end} after {} ticks", life.ticks);
        let found = journals(lives.found(number));
        for (run, records) in journals(&life.left) {
            let known = found.get(&run).map_or(0, Vec::len);
            for record in records.iter().skip(known) {
                let mut line = entry(&record.entry);
                line.truncate(line.floor_char_boundary(160));
                let _ = writeln!(
                    text,
                    "  {} {:>3} {:<16} {line}",
                    run.0, record.seq, record.path
                );
            }
        }
        let panel = lives.panel.borrow();
        for (run, event) in &panel.updates[from..life.told] {
            let mut line = format!("{event:?}");
            line.truncate(line.floor_char_boundary(160));
            let _ = writeln!(text, "  told of {}: {line}", run.0);
        }
        from = life.told;
    }
    let judged = catch_unwind(AssertUnwindSafe(|| {
        check_against(&lives, &Expected::all(scenario, case.seed));
    }));
    match judged {
        Ok(()) => Ok(format!("{text}\nall is well")),
        Err(panic) => Err(format!("{text}\n{}", words(panic.as_ref()))),
    }
}

fn entry(entry: &Entry) -> String {
    serde_json::to_string(entry).unwrap_or_default()
}

fn known(case: &Case) -> Scenario {
    let mut all = scenarios::all().into_iter();
    let found = all.find(|scenario| scenario.name == case.scenario);
    found.unwrap_or_else(|| panic!("there is no scenario {:?}", case.scenario))
}

/// Run it with `GLOSS_CASE='summary:0:5,2' cargo test --features sim --test kill_anywhere replay
/// -- --nocapture`.
#[test]
fn replay() {
    let case =
        std::env::var("GLOSS_CASE").unwrap_or_else(|_| "keyed_and_external:1:9,4".to_owned());
    let case: Case = case.parse().expect("a case");
    match story(&known(&case), &case) {
        Ok(told) => println!("{told}"),
        Err(told) => panic!("{told}"),
    }
}

#[test]
fn a_case_is_told_life_by_life() {
    let case = Case::new("parallel_tools", 1, &[9, 4]);
    let told = story(&known(&case), &case).expect("all is well");
    for words in [
        "life 0: killed after 9 ticks",
        "life 1: killed after 4 ticks",
        "life 2: over",
        "run   0",
        "1/act/0/try.1",
        "told of run: ",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
}

#[test]
fn a_case_is_named_so_that_it_is_found_again() {
    for case in [
        Case::new("summary", 7, &[]),
        Case::new("follow_up", 0, &[17, 4, 2]),
    ] {
        assert_eq!(case.to_string().parse(), Ok(case));
    }
    for wrong in ["", "summary", "summary:x:1", "summary:1:a", "a:1:2:3"] {
        assert!(wrong.parse::<Case>().is_err(), "{wrong}");
    }
}

#[test]
fn a_scenario_that_diverges_is_caught_with_the_command_that_shows_it() {
    let moody = || Scenario {
        model: |outside| {
            super::scripted(outside, |_, outside| {
                Ok(scenarios::says(&format!(
                    "Answer {}.",
                    outside.count("asked")
                )))
            })
        },
        seeds: 1,
        ..Scenario::new(
            "moody",
            Goal::Ask {
                question: "Well?".to_owned(),
            },
        )
    };
    let caught = catch_unwind(|| super::prove(&moody())).expect_err("it diverges");
    let told = words(caught.as_ref());
    let command = told.rsplit_once("see it again: ").expect("a command").1;
    let quoted = command.split('\'').nth(1).expect("a quoted case");
    let case: Case = quoted.parse().expect("a case");
    assert_eq!(case.scenario, "moody");
    assert!(!case.kills.is_empty(), "{command}");
    assert!(
        command.ends_with("--test kill_anywhere replay -- --nocapture"),
        "{command}"
    );
    let told = story(&moody(), &case).expect_err("it still diverges");
    assert!(
        told.contains("life 0: killed") && told.contains("diverged: "),
        "{told}"
    );
}
