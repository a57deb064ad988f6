//! Kills and faults together: storage fails, the clock jumps, or a second worker starts. The run
//! must end with the right answer or a message, and the next run must work.

use crate::stage::{Life, Models, NEVER, PANEL, TAB, ask, embedded, run_id, start, steady};
use futures::channel::oneshot;
use futures::future::{Either, join, join3, select};
use gloss::agent::{Answer, Goal, Status};
use gloss::app::surface::Command;
use gloss::durable::{RunId, StoreError};
use gloss::host_sim::{Damage, Sim};
use std::pin::pin;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// A fault during the life that is killed, or a fault at the moment of the kill.
struct Fault {
    name: &'static str,
    in_life: fn(&Sim, u64),
    at_kill: fn(&Sim, u64),
}

impl Fault {
    fn in_life(name: &'static str, in_life: fn(&Sim, u64)) -> Self {
        Self {
            name,
            in_life,
            at_kill: |_, _| (),
        }
    }

    fn at_kill(name: &'static str, at_kill: fn(&Sim, u64)) -> Self {
        Self {
            name,
            in_life: |_, _| (),
            at_kill,
        }
    }
}

/// Calls `happens` half-way between the start and the kill.
fn half_way(sim: &Sim, kill_at: u64, happens: fn(&Sim)) {
    let world = sim.clone();
    sim.at_tick(kill_at / 2, move || happens(&world));
}

fn faults() -> Vec<Fault> {
    vec![
        Fault::in_life("a small quota", |sim, n| {
            sim.set_quota(300 + 120 * n as usize);
        }),
        Fault::at_kill("a quota that is used up", |sim, _| {
            let stored: usize = sim.session().iter().map(|b| b.records.len()).sum();
            sim.set_quota(stored + 200);
        }),
        Fault::at_kill("a truncated batch", |sim, _| {
            sim.corrupt(Damage::Truncated);
        }),
        Fault::at_kill("a flipped byte", |sim, _| {
            sim.corrupt(Damage::Flipped);
        }),
        Fault::at_kill("a lost batch", |sim, _| {
            sim.corrupt(Damage::Lost);
        }),
        Fault::in_life("a day forward", |sim, n| {
            half_way(sim, n, |sim| sim.jump_clock(DAY_MS));
        }),
        Fault::in_life("a day back", |sim, n| {
            half_way(sim, n, |sim| sim.jump_clock(-DAY_MS));
        }),
        Fault::at_kill("a day's sleep", |sim, _| sim.jump_clock(DAY_MS)),
        Fault::at_kill("a day back in the sleep", |sim, _| sim.jump_clock(-DAY_MS)),
        Fault::in_life("storage denied in mid-run", |sim, n| {
            half_way(sim, n, |sim| sim.deny_storage("no"));
        }),
        Fault::at_kill("storage denied at birth", |sim, _| sim.deny_storage("no")),
        Fault::at_kill("storage denied at birth, and given then", |sim, n| {
            sim.deny_storage("not yet");
            let world = sim.clone();
            sim.at_tick(n % 20, move || world.heal_storage());
        }),
        Fault::in_life("the session's storage denied", |sim, n| {
            sim.deny_session_after(n / 3);
        }),
        Fault::in_life("a full disk", |sim, n| {
            sim.fail_archive_after(n / 4, StoreError::Full);
        }),
        Fault::at_kill("a database that hangs", |sim, _| sim.hang_archive()),
        Fault::in_life("a reader that fails", |sim, n| {
            sim.set_reading_delay(3);
            sim.fail_reading(n % 3);
        }),
        Fault::at_kill("a reader that fails after the kill", |sim, n| {
            sim.set_reading_delay(3);
            sim.fail_reading(n % 5);
        }),
        Fault::at_kill("a restart of the browser", |sim, _| sim.end_session()),
        Fault::at_kill("no Web Locks", |sim, _| sim.set_lockable(false)),
    ]
}

fn world(seed: u64) -> Sim {
    let sim = Sim::new(seed);
    sim.set_page(TAB, Ok(crate::proof::page()));
    sim
}

fn right_answer(models: Models, goal: &Goal) -> Answer {
    let sim = world(1);
    let life = Life::new(&sim, 1, &models(&sim));
    assert!(life.until(NEVER, &[start("run", goal.clone())]));
    life.turn().answer.expect("an answer")
}

fn resume() -> Command {
    Command::Continue { run: run_id() }
}

/// Runs one case. The first result is true if the worker lived until its kill. The second is true
/// if the run ended with an answer rather than with a message.
fn faulted(fault: &Fault, models: Models, goal: &Goal, right: &Answer, n: u64) -> (bool, bool) {
    let case = format!("{} at {n}", fault.name);
    let sim = world(n);
    (fault.in_life)(&sim, n);
    let again = [start("run", goal.clone())];
    let survived = Life::new(&sim, 0, &models(&sim)).until(n, &again);
    (fault.at_kill)(&sim, n);
    let life = Life::new(&sim, 1, &models(&sim));
    assert!(life.until(NEVER, &again), "{case}");
    let mut panel = life.panel;
    let paused = |life: &Life| {
        let turns = life.panel.borrow().turns();
        turns.iter().any(|turn| turn.status == Status::Paused)
    };
    // After a browser restart, the user has to continue the run.
    let life = Life::new(&sim, 2, &models(&sim));
    assert!(life.until(NEVER, &[]), "{case}");
    if paused(&life) {
        let life = Life::new(&sim, 3, &models(&sim));
        assert!(life.until(NEVER, &[resume()]), "{case}");
        panel = life.panel;
    }
    let mut answered = false;
    {
        let panel = panel.borrow();
        let shown = panel.snapshot.as_ref().expect("a snapshot");
        for turn in &shown.turns {
            if let Some(answer) = &turn.answer {
                // Remarks may differ. A clock that jumped may, for example, have used up the run's
                // time limit.
                let remarks = right.remarks.clone();
                let same = Answer {
                    remarks,
                    ..answer.clone()
                };
                let mut right = right.clone();
                if turn.page.is_none() {
                    // If the page can't be read, a question is answered without the page, and then
                    // has no citations.
                    right.citations.clear();
                    right.share_percent = None;
                }
                assert_eq!(same, right, "{case}");
                answered = true;
            }
        }
        let said = shown.turns.iter().filter_map(|turn| turn.failure.as_ref());
        let said = said.chain(&shown.warnings).chain(&panel.refused);
        let codes: Vec<&str> = said.map(|failure| failure.code.as_str()).collect();
        assert!(!codes.contains(&"run_diverged"), "{case}");
        assert!(
            answered || codes.iter().any(|code| !code.is_empty()),
            "{case}: {:?}",
            shown.turns
        );
    }
    sim.heal_storage();
    sim.fail_reading(u64::MAX);
    let life = Life::new(&sim, 9, &models(&sim));
    assert!(life.live(NEVER, async {
        life.app.resume().await;
        life.say(PANEL, &Command::NewChat).await;
        life.say(PANEL, &start("fresh", goal.clone())).await;
    }));
    let fresh = life.turn();
    assert_eq!(fresh.run, RunId("fresh".to_owned()), "{case}");
    assert_eq!(fresh.answer.as_ref(), Some(right), "{case}");
    (survived, answered)
}

fn every_fault(models: Models, goal: &Goal, least: usize) {
    let right = right_answer(models, goal);
    for fault in faults() {
        let (mut kills, mut answered) = (0, 0);
        for n in 0.. {
            let (survived, whole) = faulted(&fault, models, goal, &right, n);
            if survived {
                break;
            }
            kills += 1;
            answered += usize::from(whole);
        }
        println!("{:<42}{kills:>4} kills, {answered} answered", fault.name);
        assert!(kills >= least, "{}: {kills}", fault.name);
    }
}

#[test]
fn a_summary_under_any_fault_killed_anywhere_is_right_or_says_why_not() {
    every_fault(|_| embedded(), &Goal::Summarize, 2);
}

#[test]
fn parallel_tools_under_any_fault_killed_anywhere_are_right_or_say_why_not() {
    every_fault(steady, &ask(), 2);
}

#[test]
fn three_wake_ups_at_once_never_do_one_step_twice() {
    let right = right_answer(steady, &ask());
    for lockable in [true, false] {
        for n in 0..60 {
            let sim = world(n);
            sim.set_lockable(lockable);
            let again = [start("run", ask())];
            if Life::new(&sim, 0, &steady(&sim)).until(n, &again) {
                break;
            }
            let life = Life::new(&sim, 1, &steady(&sim));
            assert!(life.live(NEVER, async {
                let wakes = join3(life.app.wake(), life.app.resume(), life.app.wake());
                join(wakes, life.say(PANEL, &again[0])).await;
            }));
            assert_eq!(life.turn().status, Status::Completed, "{lockable} {n}");
            assert_eq!(life.turn().answer.as_ref(), Some(&right));
            sound(&sim);
        }
    }
}

/// Two workers use one store at the same time, as when Chrome starts a worker while another one is
/// dying. The worker with the lock drives the run. The other worker takes over when the alarm
/// wakes it.
#[test]
fn two_workers_that_overlap_never_do_one_step_twice() {
    let right = right_answer(steady, &ask());
    for n in 0..60 {
        let sim = world(n);
        let again = [start("run", ask())];
        let first = Life::new(&sim, 0, &steady(&sim));
        let second = Life::new(&sim, 1, &steady(&sim));
        let (dies, death) = oneshot::channel::<()>();
        let (wakes, birth) = oneshot::channel::<()>();
        sim.at_tick(n, move || dies.send(()).unwrap_or_default());
        sim.at_tick(n / 2, move || wakes.send(()).unwrap_or_default());
        let whole = async {
            let dying = async {
                let work = pin!(async {
                    first.app.load(None).await;
                    first.say(PANEL, &crate::stage::hello(TAB)).await;
                    join(first.app.resume(), first.say(PANEL, &again[0])).await;
                });
                if let Either::Left(((), death)) = select(work, death).await {
                    let _ = death.await;
                }
            };
            let born = async {
                let _ = birth.await;
                second.app.load(None).await;
                second.say(PANEL, &crate::stage::hello(TAB)).await;
                second.app.resume().await;
            };
            join(dying, born).await;
            // The alarm fires after the first worker has died.
            second.app.wake().await;
        };
        assert!(sim.life(NEVER, whole).is_some(), "{n}");
        drop(first);
        let life = Life::new(&sim, 2, &steady(&sim));
        assert!(life.until(NEVER, &again));
        assert_eq!(life.turn().status, Status::Completed, "{n}");
        assert_eq!(life.turn().answer.as_ref(), Some(&right), "{n}");
        sound(&sim);
    }
}

/// Checks that no step has two outcomes, and that no step begins after its outcome.
fn sound(sim: &Sim) {
    let records: Vec<_> = crate::proof::records(sim);
    let mut ended = std::collections::BTreeSet::new();
    for record in &records {
        match &record.entry {
            gloss::durable::Entry::Intent { .. } => {
                assert!(!ended.contains(&record.path), "{} again", record.path);
            }
            gloss::durable::Entry::Outcome { .. } => {
                assert!(ended.insert(&record.path), "{} twice", record.path);
            }
            _ => {}
        }
    }
}

#[test]
fn a_step_that_is_cut_off_in_ten_lives_ends_its_run_in_words() {
    let sim = world(4);
    sim.set_capture_delay(1_000);
    let mut lives = 0;
    loop {
        let life = Life::new(&sim, lives, &embedded());
        // The hello also reads the page, and waits for the capture.
        if life.until(1_040, &[start("run", Goal::Summarize)]) {
            assert_eq!(life.turn().status, Status::Failed);
            assert_eq!(life.turn().failure.expect("words").code, "run_panicked");
            break;
        }
        lives += 1;
    }
    assert!((10..=11).contains(&lives), "{lives}");
}
