//! Storage space: a full session, finished conversations that are not on disk yet, and texts that
//! could not be stored.

use crate::stage::{
    Life, NEVER, PANEL, article, ask, hello, listen, run_id, start, steady, whole, world,
};
use futures::FutureExt;
use futures::future::join_all;
use gloss::agent::Status;
use gloss::app::SurfaceId;
use gloss::app::surface::Command;
use gloss::durable::{Fut, RunId, Sink, StoreError};
use gloss::host::TabId;
use gloss::host_sim::Sim;
use gloss::model::{AnswerOrigin, Model, ModelError, Reply, Request};
use std::rc::Rc;

/// A model whose answer takes about 1 MB in the journal.
struct Long(Sim);

impl Model for Long {
    fn reply(&self, _: Request, _: Sink) -> Fut<Result<Reply, ModelError>> {
        let sim = self.0.clone();
        async move {
            sim.send(|| ()).await;
            let text = "A sentence of the long answer.\n\n".repeat(9_000);
            Ok(Reply {
                text,
                ..Reply::default()
            })
        }
        .boxed_local()
    }

    fn voice(&self) -> AnswerOrigin {
        AnswerOrigin::Model
    }
}

fn long(sim: &Sim) -> Rc<dyn Model> {
    Rc::new(Long(sim.clone()))
}

fn ids() -> impl Iterator<Item = SurfaceId> {
    (10..14).map(SurfaceId)
}

/// Starts four conversations in four tabs at the same time.
async fn four(life: &Life) {
    let begun = ids().map(|id| async move {
        let tab = TabId(id.0.cast_signed());
        life.sim.set_page(tab, Ok(article(3)));
        listen(&life.app, id);
        life.say(id, &hello(tab)).await;
        life.say(id, &start(&format!("run{}", id.0), ask())).await;
    });
    join_all(begun).await;
}

fn warnings(life: &Life) -> Vec<String> {
    let panel = life.panel.borrow();
    let snapshot = panel.snapshot.as_ref().expect("a snapshot");
    let codes = snapshot.warnings.iter().map(|failure| failure.code.clone());
    codes.collect()
}

/// The conversations that a new life lists, sorted by id.
fn listed(sim: &Sim, epoch: u64) -> Vec<RunId> {
    let life = Life::new(sim, epoch, &steady(sim));
    assert!(life.live(NEVER, async {
        life.app.resume().await;
        life.say(PANEL, &Command::History).await;
    }));
    let past = life.panel.borrow().past.clone();
    let mut ids: Vec<RunId> = past.into_iter().map(|past| past.conversation).collect();
    ids.sort();
    ids
}

fn all_four() -> Vec<RunId> {
    ids().map(|id| RunId(format!("run{}", id.0))).collect()
}

#[test]
fn conversations_with_long_answers_that_end_together_are_all_kept() {
    for seed in 0..4 {
        let sim = world(seed);
        let life = Life::new(&sim, 1, &long(&sim));
        assert!(life.live(NEVER, four(&life)));
        assert_eq!(warnings(&life), Vec::<String>::new(), "{seed}");
        assert_eq!(sim.session(), [], "{seed}");
        let digests = sim.digests();
        assert_eq!(digests.len(), 4, "{seed}");
        assert!(digests.iter().all(|(_, digest)| digest.is_some()), "{seed}");
        assert_eq!(listed(&sim, 2), all_four(), "{seed}");
    }
}

#[test]
fn what_a_disk_that_does_not_answer_may_still_take_is_not_erased() {
    let sim = world(3);
    let life = Life::new(&sim, 1, &long(&sim));
    assert!(life.live(NEVER, async {
        sim.hang_archive();
        four(&life).await;
    }));
    assert_eq!(warnings(&life), ["archive_denied"]);
    sim.heal_storage();
    assert_eq!(listed(&sim, 2), all_four());
    assert_eq!(sim.session(), []);
}

#[test]
fn what_a_disk_refuses_for_good_goes_the_oldest_first_and_that_is_said() {
    let sim = world(3);
    sim.fail_archive_after(0, StoreError::Full);
    let life = Life::new(&sim, 1, &long(&sim));
    assert!(life.live(NEVER, async {
        for id in ids() {
            life.say(PANEL, &start(&format!("run{}", id.0), ask()))
                .await;
            life.say(PANEL, &Command::NewChat).await;
        }
    }));
    assert!(warnings(&life).contains(&"runs_dropped".to_owned()));
    let runs = |sim: &Sim| {
        let mut runs: Vec<RunId> = sim.session().into_iter().map(|batch| batch.run).collect();
        runs.dedup();
        runs
    };
    let kept = runs(&sim);
    assert!(!kept.is_empty() && kept.len() < 4, "{kept:?}");
    assert!(kept.contains(&RunId("run13".to_owned())), "{kept:?}");
    // The disk works again, so the other conversations are copied to it.
    sim.heal_storage();
    assert_eq!(listed(&sim, 2), kept);
}

#[test]
fn a_session_without_room_is_gone_on_without_on_disk() {
    let (expected, _) = whole(4, steady, &ask());
    let mut beyond = 0;
    for quota in (0..6_000).step_by(200) {
        let sim = world(4);
        sim.set_quota(quota);
        let life = Life::new(&sim, 1, &steady(&sim));
        assert!(life.until(NEVER, &[start("run", ask())]));
        assert_eq!(life.turn().answer, expected.answer, "{quota}");
        assert_eq!(life.turn().status, Status::Completed, "{quota}");
        if warnings(&life) == ["session_full"] {
            beyond += 1;
        } else {
            assert_eq!(warnings(&life), Vec::<String>::new(), "{quota}");
        }
        assert_eq!(listed(&sim, 2), [run_id()], "{quota}");
    }
    assert!(beyond > 3, "{beyond}");
}

#[test]
fn a_run_in_a_session_without_room_that_is_killed_anywhere_goes_on_to_the_same_answer() {
    let (expected, ticks) = whole(4, steady, &ask());
    for quota in [0, 2_000, 4_000] {
        let mut lost = 0;
        for tick in 0..ticks + 20 {
            let sim = world(4);
            sim.set_quota(quota);
            Life::new(&sim, 1, &steady(&sim)).until(tick, &[start("run", ask())]);
            let life = Life::new(&sim, 2, &steady(&sim));
            assert!(life.until(NEVER, &[Command::History]));
            if sim.batches().is_empty() {
                lost += 1;
                continue;
            }
            let (conversation, run) = (run_id(), run_id());
            let shown = life.say(PANEL, &Command::Show { conversation });
            assert!(life.live(NEVER, shown), "{quota} {tick}");
            if life.turn().status == Status::Paused {
                // The mark of this browser session could not be stored either.
                let goes_on = life.say(PANEL, &Command::Continue { run });
                assert!(life.live(NEVER, goes_on), "{quota} {tick}");
            }
            assert_eq!(life.turn().status, Status::Completed, "{quota} {tick}");
            assert_eq!(life.turn().answer, expected.answer, "{quota} {tick}");
        }
        // At these ticks the worker died so early that it had not received the command.
        assert!(lost < 30, "{quota}: {lost}");
    }
}

#[test]
fn words_that_could_be_kept_nowhere_are_given_back() {
    let sim = world(4);
    sim.set_quota(0);
    sim.fail_archive_after(0, StoreError::Full);
    let life = Life::new(&sim, 1, &steady(&sim));
    let begun = start("run", ask());
    assert!(life.until(NEVER, std::slice::from_ref(&begun)));
    assert_eq!(life.panel.borrow().refused[0].code, "store_full");
    assert!(life.panel.borrow().turns().is_empty());
    sim.heal_storage();
    assert!(life.live(NEVER, life.say(PANEL, &begun)));
    assert_eq!(life.turn().status, Status::Completed);
    assert_eq!(life.panel.borrow().refused.len(), 1);
}

#[test]
fn words_for_a_run_at_work_that_find_no_room_in_the_session_are_kept_on_disk() {
    for tick in 0..24 {
        let sim = world(4);
        let life = Life::new(&sim, 1, &steady(&sim));
        let disk = sim.clone();
        sim.at_tick(tick, move || disk.set_quota(0));
        let (first, second) = (start("run", ask()), start("second", ask()));
        assert!(life.until(NEVER, &[first, second]));
        assert!(life.panel.borrow().refused.is_empty(), "{tick}");
        let life = Life::new(&sim, 2, &steady(&sim));
        assert!(life.until(NEVER, &[]));
        let conversation = run_id();
        let shown = life.say(PANEL, &Command::Show { conversation });
        assert!(life.live(NEVER, shown), "{tick}");
        let turns = life.panel.borrow().turns();
        assert!(turns.iter().all(|turn| !turn.is_open()), "{tick}");
        let read = turns.iter().map(|turn| turn.messages.len());
        assert!(turns.len() + read.sum::<usize>() >= 2, "{tick}: {turns:?}");
    }
}
