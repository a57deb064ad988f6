//! Stored data that this version of Gloss did not write: values that are not text, and missing
//! digests. A digest is the stored summary of a conversation in lists.

use crate::stage::{Life, NEVER, PANEL, ask, embedded, run_id, start, steady, world};
use gloss::agent::{Goal, Status};
use gloss::app::surface::Command;
use gloss::durable::RunId;
use gloss::host_sim::Sim;

fn warnings(life: &Life) -> Vec<String> {
    let panel = life.panel.borrow();
    let snapshot = panel.snapshot.as_ref().expect("a snapshot");
    let codes = snapshot.warnings.iter().map(|failure| failure.code.clone());
    codes.collect()
}

fn unfinished(life: &Life) -> u32 {
    let panel = life.panel.borrow();
    panel.snapshot.as_ref().expect("a snapshot").unfinished
}

fn other() -> RunId {
    RunId("other".to_owned())
}

/// A new life in which the user has opened the list of conversations.
fn look(sim: &Sim, epoch: u64) -> Life {
    let life = Life::new(sim, epoch, &steady(sim));
    assert!(life.until(NEVER, &[]));
    assert!(life.live(NEVER, life.say(PANEL, &Command::History)));
    life
}

/// The listed conversations, sorted by id, each with true if it can be continued.
fn past(life: &Life) -> Vec<(RunId, bool)> {
    let past = life.panel.borrow().past.clone();
    let past = past.into_iter();
    let mut past: Vec<_> = past
        .map(|past| (past.conversation, past.paused.is_some()))
        .collect();
    past.sort();
    past
}

/// A world with a finished conversation, `other`, and one that the end of the browser session
/// interrupted.
fn one_done_one_interrupted() -> Sim {
    let sim = world(2);
    let life = Life::new(&sim, 1, &embedded());
    assert!(life.live(NEVER, async {
        life.say(PANEL, &start("other", Goal::Summarize)).await;
        life.say(PANEL, &Command::NewChat).await;
    }));
    let life = Life::new(&sim, 2, &steady(&sim));
    assert!(!life.until(30, &[start("run", ask())]));
    sim.end_session();
    sim
}

#[test]
fn a_stored_value_that_is_no_text_is_its_runs_trouble_alone_and_resume_says_so() {
    let sim = one_done_one_interrupted();
    let life = look(&sim, 3);
    assert_eq!(past(&life), [(other(), false), (run_id(), true)]);
    assert_eq!(unfinished(&life), 1);
    // The digest already says "interrupted". So the worker reads the damaged records only when the
    // user continues the run.
    sim.damage(&run_id(), 0, |_| Some(String::new()));
    let life = look(&sim, 4);
    assert_eq!(unfinished(&life), 1);
    let run = run_id();
    assert!(life.live(NEVER, life.say(PANEL, &Command::Continue { run })));
    let refused = life.panel.borrow().refused.clone();
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert_eq!(refused[0].code, "run_corrupt");
    assert!(life.live(NEVER, life.say(PANEL, &Command::History)));
    assert_eq!(past(&life), [(other(), false)]);
    assert_eq!(unfinished(&life), 0);
    assert!(sim.set_aside().iter().all(|batch| batch.run == run_id()));
    assert!(!sim.set_aside().is_empty());
    // The other conversation can still be opened completely.
    let conversation = other();
    assert!(life.live(NEVER, life.say(PANEL, &Command::Show { conversation })));
    assert_eq!(life.turn().status, Status::Completed);
}

#[test]
fn a_run_that_the_disk_does_not_give_is_not_gone_on_with_and_that_is_said() {
    let sim = one_done_one_interrupted();
    look(&sim, 3);
    let life = Life::new(&sim, 4, &steady(&sim));
    assert!(life.until(NEVER, &[]));
    let run = run_id();
    assert!(life.live(NEVER, async {
        sim.hang_archive();
        life.say(PANEL, &Command::Continue { run }).await;
    }));
    assert_eq!(life.panel.borrow().refused[0].code, "disk_silent");
    assert_eq!(unfinished(&life), 1);
}

#[test]
fn conversations_whose_digests_are_gone_are_described_anew() {
    let sim = one_done_one_interrupted();
    let digests = sim.digests().len();
    sim.lose_digests();
    let life = look(&sim, 3);
    assert_eq!(past(&life), [(other(), false), (run_id(), true)]);
    assert_eq!(warnings(&life), Vec::<String>::new());
    assert_eq!(sim.digests().len(), digests);
    assert!(sim.digests().iter().all(|(_, digest)| digest.is_some()));
    // The records of one conversation can't be read, so that one is set aside and reported.
    sim.lose_digests();
    sim.damage(&other(), 0, |_| None);
    let life = look(&sim, 4);
    assert_eq!(past(&life), [(run_id(), true)]);
    assert_eq!(warnings(&life), ["run_corrupt"]);
    assert!(sim.archived().iter().all(|batch| batch.run == run_id()));
}
