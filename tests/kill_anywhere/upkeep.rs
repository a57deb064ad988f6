//! The data that runs store, the data that Gloss removes, and the surfaces that are informed.

use crate::stage::{Life, NEVER, PANEL, TAB, article, ask, embedded, run_id, start, world};
use gloss::agent::{Goal, Status};
use gloss::app::surface::Command;
use gloss::durable::{RunId, StoreError};
use gloss::host_sim::Sim;
use std::collections::BTreeSet;

fn session_bytes(sim: &Sim) -> usize {
    sim.session().iter().map(|batch| batch.records.len()).sum()
}

#[test]
fn finished_runs_that_cannot_be_filed_make_room_oldest_first_and_take_their_bodies_along() {
    let sim = world(5);
    sim.fail_archive_after(0, StoreError::Full);
    let mut most = 0;
    for n in 0..90 {
        // The journals have about 35 KB. Every fifth page is so large that it is stored as a
        // separate body.
        let paragraphs = if n % 5 == 0 { 240 + n } else { 110 };
        sim.set_page(TAB, Ok(article(paragraphs)));
        let life = Life::new(&sim, n as u64, &embedded());
        assert!(life.until(NEVER, &[start(&format!("run-{n:03}"), Goal::Summarize)]));
        most = most.max(session_bytes(&sim));
    }
    assert!(most < 2_500_000, "{most}");
    let kept: BTreeSet<RunId> = sim.batches().into_iter().map(|batch| batch.run).collect();
    assert!(kept.contains(&RunId("run-089".to_owned())));
    assert!(!kept.contains(&RunId("run-000".to_owned())));
    // The snapshot of a new life contains complete turns only.
    let life = Life::new(&sim, 1_000, &embedded());
    assert!(life.until(NEVER, &[]));
    let turns = life.panel.borrow().turns();
    assert!(turns.iter().all(|turn| turn.answer.is_some()));
    assert_eq!(turns.len(), kept.len());
    assert!(sim.blob_hashes().len() <= kept.len());
}

#[test]
fn bodies_outlive_nothing_but_a_load_that_failed_or_a_journal_that_is_damaged() {
    for damaged in [false, true] {
        let sim = world(6);
        sim.set_page(TAB, Ok(article(400)));
        let life = Life::new(&sim, 1, &embedded());
        assert!(life.until(NEVER, &[start("run", Goal::Summarize)]));
        let bodies = sim.blob_hashes();
        assert!(!bodies.is_empty());
        if damaged {
            sim.damage(&run_id(), 0, |_| Some("[{\"v\":1".to_owned()));
        } else {
            sim.deny_storage("not now");
        }
        let life = Life::new(&sim, 2, &embedded());
        assert!(life.until(NEVER, &[]));
        assert_eq!(sim.blob_hashes(), bodies);
        let snapshot = life.panel.borrow().snapshot.clone().expect("a snapshot");
        let code = if damaged {
            "run_corrupt"
        } else {
            "store_denied"
        };
        assert_eq!(snapshot.warnings[0].code, code);
    }
}

#[test]
fn after_a_restart_of_the_browser_bodies_stay_with_the_runs_that_are_filed() {
    for filed in [true, false] {
        let sim = world(6);
        sim.set_page(TAB, Ok(article(400)));
        if !filed {
            sim.fail_archive_after(0, StoreError::Full);
        }
        let life = Life::new(&sim, 1, &embedded());
        assert!(life.until(NEVER, &[start("run", Goal::Summarize)]));
        assert_eq!(sim.session().is_empty(), filed);
        sim.end_session();
        let life = Life::new(&sim, 2, &embedded());
        assert!(life.until(NEVER, &[]));
        assert_eq!(sim.blob_hashes().is_empty(), !filed);
        assert!(life.panel.borrow().turns().is_empty());
    }
}

#[test]
fn a_run_that_another_worker_owns_is_taken_up_by_a_later_alarm() {
    let sim = world(7);
    let life = Life::new(&sim, 1, &embedded());
    assert!(!life.until(8, &[start("run", Goal::Summarize)]));
    sim.set_locked(&run_id(), true);
    let life = Life::new(&sim, 2, &embedded());
    assert!(life.until(NEVER, &[]));
    assert!(sim.is_armed(), "the alarm must ring again");
    sim.set_locked(&run_id(), false);
    assert!(life.live(NEVER, life.app.wake()));
    assert_eq!(life.turn().status, Status::Completed);
}

#[test]
fn a_new_chat_stays_new_when_the_worker_dies() {
    let sim = world(8);
    let life = Life::new(&sim, 1, &embedded());
    assert!(life.live(NEVER, async {
        life.say(PANEL, &start("run", Goal::Summarize)).await;
        life.say(PANEL, &Command::NewChat).await;
    }));
    assert!(life.panel.borrow().turns().is_empty());
    let life = Life::new(&sim, 2, &embedded());
    assert!(life.until(NEVER, &[]));
    assert!(life.panel.borrow().turns().is_empty());
    // The next question starts a new conversation.
    let life = Life::new(&sim, 3, &embedded());
    assert!(life.until(NEVER, &[start("other", ask())]));
    assert_eq!(life.turn().run, RunId("other".to_owned()));
}
