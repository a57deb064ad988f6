//! Failures of the environment: pages, storage, locks, panics.

use crate::stage::{Life, NEVER, TAB, article, ask, embedded, run_id, start, steady, whole, world};
use gloss::agent::{Goal, Status};
use gloss::app::Panic;
use gloss::durable::StoreError;
use gloss::host::CaptureError;
use gloss::host_sim::Sim;
use std::cell::RefCell;
use std::rc::Rc;

#[test]
fn a_page_that_cannot_be_captured_fails_the_run_in_words() {
    let failed = CaptureError::Failed {
        message: "no frame".to_owned(),
    };
    for (error, code) in [
        (CaptureError::Forbidden, "capture_forbidden"),
        (CaptureError::Gone, "capture_gone"),
        (failed, "capture_failed"),
    ] {
        let sim = world(1);
        sim.set_page(TAB, Err(error));
        let life = Life::new(&sim, 1, &embedded());
        assert!(life.until(NEVER, &[start("run", Goal::Summarize)]));
        assert_eq!(life.turn().status, Status::Failed);
        assert_eq!(life.turn().failure.expect("a failure").code, code);
        // The failure is on record, so the next life does not try again.
        let life = Life::new(&sim, 2, &embedded());
        let writes = sim.writes();
        assert!(life.until(NEVER, &[start("run", Goal::Summarize)]));
        assert_eq!(life.turn().failure.expect("a failure").code, code);
        assert_eq!(sim.writes(), writes);
    }
}

type Fault = fn(&Sim, u64);

#[test]
fn a_full_session_at_any_write_is_gone_on_without() {
    let faults: [(&str, Fault); 2] = [
        ("from then on", |sim, n| {
            sim.fail_writes_after(n, StoreError::Full);
        }),
        ("once", |sim, n| sim.fail_one_write(n, StoreError::Full)),
    ];
    let (expected, _) = whole(4, steady, &ask());
    for (name, fault) in faults {
        for n in 0.. {
            let sim = world(4);
            let model = steady(&sim);
            fault(&sim, n);
            let life = Life::new(&sim, 1, &model);
            assert!(life.until(NEVER, &[start("run", ask())]));
            if sim.refused_at().is_none() {
                assert_eq!(life.turn().status, Status::Completed);
                assert!(n > 6, "{name}: only {n} writes");
                break;
            }
            // Only the session is full; the disk still has space.
            assert_eq!(life.turn().status, Status::Completed, "{name} {n}");
            assert_eq!(life.turn().answer, expected.answer, "{name} {n}");
            sim.heal_storage();
            let life = Life::new(&sim, 2, &model);
            assert!(life.until(NEVER, &[start("run", ask())]));
            assert_eq!(life.turn().status, Status::Completed, "{name} {n}");
            assert_eq!(life.turn().answer, expected.answer, "{name} {n}");
        }
    }
}

#[test]
fn a_session_and_a_disk_that_stay_full_halt_the_run_in_words_and_lose_nothing_that_had_landed() {
    let mut halted = 0;
    for n in 1.. {
        let sim = world(4);
        sim.fail_writes_after(n, StoreError::Full);
        // The journal tries the write a second time, because some records might fit. Here the disk
        // is completely full.
        sim.fail_archive_after(0, StoreError::Full);
        let life = Life::new(&sim, 1, &steady(&sim));
        assert!(life.until(NEVER, &[start("run", ask())]));
        if sim.writes() <= n {
            break;
        }
        assert!(sim.writes() > n + 1, "it is tried once more");
        if life.turn().answer.is_none() {
            assert_eq!(
                life.turn().failure.expect("words").code,
                "store_full",
                "{n}"
            );
            halted += 1;
        }
        let landed = sim.batches();
        assert!(landed.iter().map(|batch| batch.number).eq(0..n), "{n}");
        sim.heal_storage();
        let life = Life::new(&sim, 2, &steady(&sim));
        assert!(life.until(NEVER, &[]));
        assert_eq!(life.turn().status, Status::Completed, "{n}");
        // The run continues from its records; it does not start again.
        let all = sim.batches();
        assert!(landed.iter().all(|batch| all.contains(batch)), "{n}");
    }
    assert!(halted > 3, "{halted}");
}

#[test]
fn a_clock_that_jumps_a_day_in_the_middle_of_a_life_uses_up_no_runs_time() {
    const DAY_MS: i64 = 86_400_000;
    let (expected, ticks) = whole(4, steady, &ask());
    for by_ms in [DAY_MS, -DAY_MS] {
        for tick in 0..ticks {
            let sim = world(4);
            let life = Life::new(&sim, 1, &steady(&sim));
            let clock = sim.clone();
            sim.at_tick(tick, move || clock.jump_clock(by_ms));
            assert!(life.until(NEVER, &[start("run", ask())]));
            // The remarks are equal too. A remark would name a limit that was reached.
            assert_eq!(life.turn().answer, expected.answer, "{by_ms} {tick}");
        }
    }
}

#[test]
fn a_large_page_that_cannot_be_kept_fails_the_run_in_words() {
    let sim = world(4);
    sim.set_page(TAB, Ok(article(400)));
    sim.fail_blobs_after(0, StoreError::Full);
    let life = Life::new(&sim, 1, &embedded());
    assert!(life.until(NEVER, &[start("run", Goal::Summarize)]));
    assert_eq!(life.turn().failure.expect("a failure").code, "store_full");
    sim.heal_storage();
    let life = Life::new(&sim, 2, &embedded());
    assert!(life.until(NEVER, &[]));
    assert_eq!(life.turn().status, Status::Completed);
}

#[test]
fn a_step_that_panics_twice_fails_its_run() {
    let sim = world(4);
    sim.set_capture_delay(40);
    let panic = Panic {
        run: Some(run_id()),
        message: "index out of bounds".to_owned(),
    };
    let life = Life::new(&sim, 1, &embedded());
    assert!(!life.until(60, &[start("run", Goal::Summarize)]));
    let mut life = Life::new(&sim, 2, &embedded());
    life.panic = Some(panic.clone());
    assert!(!life.until(60, &[]));
    let mut life = Life::new(&sim, 3, &embedded());
    life.panic = Some(panic);
    assert!(life.until(NEVER, &[]));
    assert_eq!(life.turn().status, Status::Failed);
    assert_eq!(life.turn().failure.expect("a failure").code, "run_panicked");
}

/// A world in which the worker died after the start of the run and before the first step.
fn begun() -> Sim {
    for kill_at in 0..20 {
        let sim = world(4);
        Life::new(&sim, 1, &embedded()).until(kill_at, &[start("run", Goal::Summarize)]);
        let stored = sim.batches();
        if stored.len() == 1 && !stored[0].records.contains("intent") {
            return sim;
        }
    }
    unreachable!("a run begins with a batch of its own");
}

#[test]
fn a_run_that_panics_twice_between_steps_fails() {
    let sim = begun();
    sim.set_capture_delay(40);
    let panic = Panic {
        run: Some(run_id()),
        message: "index out of bounds".to_owned(),
    };
    for (epoch, kill_at) in [(2, 20), (3, NEVER)] {
        let mut life = Life::new(&sim, epoch, &embedded());
        life.panic = Some(panic.clone());
        if life.until(kill_at, &[]) {
            let turn = life.turn();
            assert_eq!(turn.status, Status::Failed);
            assert_eq!(turn.failure.expect("a failure").code, "run_panicked");
        } else {
            assert_eq!(kill_at, 20);
        }
    }
}

#[test]
fn a_run_that_another_worker_drives_is_left_alone() {
    let sim = world(4);
    let life = Life::new(&sim, 1, &embedded());
    assert!(!life.until(7, &[start("run", Goal::Summarize)]));
    sim.set_locked(&run_id(), true);
    let writes = sim.writes();
    let life = Life::new(&sim, 2, &embedded());
    assert!(life.until(NEVER, &[]));
    assert_eq!(sim.writes(), writes);
    assert_eq!(life.turn().status, Status::Running);
    sim.set_locked(&run_id(), false);
    let life = Life::new(&sim, 3, &embedded());
    assert!(life.until(NEVER, &[]));
    assert_eq!(life.turn().status, Status::Completed);
}

#[test]
fn the_watchdog_is_armed_while_a_run_is_at_work_and_no_longer() {
    let sim = world(4);
    let life = Life::new(&sim, 1, &embedded());
    let seen = Rc::new(RefCell::new(Vec::new()));
    for tick in 0..40 {
        let (seen, world, panel) = (seen.clone(), sim.clone(), life.panel.clone());
        sim.at_tick(tick, move || {
            let snapshot = panel.borrow().snapshot.clone();
            let runs = snapshot.is_some_and(|s| s.running().is_some());
            seen.borrow_mut().push((runs, world.is_armed()));
        });
    }
    assert!(life.until(NEVER, &[start("run", Goal::Summarize)]));
    let at_work = seen.borrow().iter().filter(|(runs, _)| *runs).count();
    assert!(at_work > 3, "{seen:?}");
    assert!(
        seen.borrow().iter().all(|(runs, armed)| *armed || !runs),
        "{seen:?}"
    );
    assert!(!sim.is_armed());
    let life = Life::new(&sim, 2, &embedded());
    assert!(!life.until(14, &[start("second", Goal::Summarize)]));
    assert!(sim.is_armed());
}
