//! Runs after the end of a browser session, and runs whose storage is full, denied, damaged or
//! silent.

use crate::stage::{
    Life, Models, NEVER, PANEL, TAB, article, ask, embedded, run_id, start, steady, whole, world,
};
use futures::FutureExt;
use futures::future::join;
use gloss::agent::{Goal, Status};
use gloss::app::surface::{Command, ConversationSummary};
use gloss::durable::{RunId, StoreError};
use gloss::host_sim::Sim;

fn cases() -> [(&'static str, Models, Goal); 2] {
    let on_device: Models = |_| embedded();
    let slow: Models = steady;
    [
        ("summary", on_device, Goal::Summarize),
        ("parallel tools", slow, ask()),
    ]
}

fn show() -> Command {
    Command::Show {
        conversation: run_id(),
    }
}

fn warnings(life: &Life) -> Vec<String> {
    let panel = life.panel.borrow();
    let snapshot = panel.snapshot.as_ref().expect("a snapshot");
    let codes = snapshot.warnings.iter().map(|failure| failure.code.clone());
    codes.collect()
}

/// A new life, and the conversations that it lists.
fn listed(sim: &Sim, epoch: u64, models: Models) -> (Life, Vec<ConversationSummary>) {
    let life = Life::new(sim, epoch, &models(sim));
    assert!(life.until(NEVER, &[Command::History]));
    assert!(life.live(NEVER, life.say(PANEL, &Command::History)));
    let past = life.panel.borrow().past.clone();
    (life, past)
}

#[test]
fn a_run_whose_session_ends_at_any_tick_is_offered_and_goes_on_to_the_same_answer() {
    for (name, models, goal) in cases() {
        let (expected, ticks) = whole(2, models, &goal);
        let (mut lost, mut interrupted, mut done) = (0, 0, 0);
        for tick in 0..ticks + 30 {
            let sim = world(2);
            Life::new(&sim, 1, &models(&sim)).until(tick, &[start("run", goal.clone())]);
            sim.end_session();
            let (second, past) = listed(&sim, 2, models);
            assert!(second.panel.borrow().turns().is_empty(), "{name} {tick}");
            assert!(!sim.is_armed(), "{name} {tick}");
            assert_eq!(sim.session(), [], "{name} {tick}");
            let Some(past) = past.first() else {
                lost += 1;
                continue;
            };
            let snapshot = second.panel.borrow().snapshot.clone().expect("a snapshot");
            let mut say = vec![show()];
            match past.status {
                Status::Completed => done += 1,
                Status::Paused => {
                    interrupted += 1;
                    assert_eq!(snapshot.unfinished, 1, "{name} {tick}");
                    let run = past.paused.clone().expect("what goes on");
                    say.push(Command::Continue { run });
                }
                other => panic!("{name} {tick}: {other:?}"),
            }
            let third = Life::new(&sim, 3, &models(&sim));
            assert!(third.until(NEVER, &say));
            assert_eq!(third.turn().status, Status::Completed, "{name} {tick}");
            assert_eq!(third.turn().answer, expected.answer, "{name} {tick}");
            assert_eq!(sim.session(), [], "{name} {tick}");
        }
        assert!(interrupted > 4 && done > 0, "{interrupted} {done}");
        println!("{name}: {lost} lost before they were filed, {interrupted} offered, {done} done");
    }
}

#[test]
fn a_conversation_that_left_the_session_is_shown_as_it_was_after_a_mere_death() {
    let sim = world(3);
    let life = Life::new(&sim, 1, &embedded());
    assert!(life.live(NEVER, async {
        life.say(PANEL, &start("run", Goal::Summarize)).await;
        life.say(PANEL, &start("second", ask())).await;
    }));
    let turns = life.panel.borrow().turns();
    assert_eq!(turns.len(), 2);
    assert_eq!(sim.session(), []);
    let life = Life::new(&sim, 2, &embedded());
    assert!(life.until(NEVER, &[]));
    assert_eq!(life.panel.borrow().turns(), turns);
}

#[test]
fn an_archive_that_refuses_from_any_write_on_stops_no_run() {
    let denied = || StoreError::Denied {
        message: "no".to_owned(),
    };
    for (name, models, goal) in cases() {
        let (expected, _) = whole(2, models, &goal);
        for error in [StoreError::Full, denied()] {
            for n in 0.. {
                let sim = world(2);
                sim.fail_archive_after(n, error.clone());
                let life = Life::new(&sim, 1, &models(&sim));
                assert!(life.until(NEVER, &[start("run", goal.clone())]));
                assert_eq!(life.turn().answer, expected.answer, "{name} {n} {error}");
                if sim.refused_at().is_none() {
                    assert!(n > 1, "{name}: only {n} writes");
                    break;
                }
                let told = warnings(&life);
                assert!(
                    told.iter().any(|code| code.starts_with("archive_")),
                    "{told:?}"
                );
                assert!(told.len() < 3, "{told:?}");
                // Session storage still has the records that the disk refused.
                sim.heal_storage();
                let life = Life::new(&sim, 2, &models(&sim));
                assert!(life.until(NEVER, &[]));
                assert_eq!(life.turn().answer, expected.answer, "{name} {n} {error}");
                assert_eq!(sim.session(), [], "{name} {n} {error}");
            }
        }
    }
}

#[test]
fn a_disk_that_does_not_answer_delays_and_hangs_nothing() {
    for (name, models, goal) in cases() {
        let (expected, ticks) = whole(2, models, &goal);
        for kill_at in [3, ticks / 2, NEVER] {
            let sim = world(2);
            sim.hang_archive();
            let again = [start("run", goal.clone())];
            Life::new(&sim, 1, &models(&sim)).until(kill_at, &again);
            let life = Life::new(&sim, 2, &models(&sim));
            assert!(life.until(NEVER, &again));
            assert_eq!(life.turn().answer, expected.answer, "{name} {kill_at}");
            assert!(warnings(&life).contains(&"archive_denied".to_owned()));
        }
    }
}

#[test]
fn a_run_whose_beginning_is_on_a_disk_that_does_not_answer_waits_for_it() {
    let sim = world(2);
    let model = steady(&sim);
    let life = Life::new(&sim, 1, &model);
    let (_, ticks) = whole(2, steady, &ask());
    assert!(!life.until(ticks - 4, &[start("run", ask())]));
    assert!(sim.session().iter().all(|batch| batch.number > 0));
    sim.hang_archive();
    let life = Life::new(&sim, 2, &model);
    assert!(life.until(NEVER, &[]));
    assert!(sim.is_armed(), "the alarm looks for it again");
    sim.heal_storage();
    let life = Life::new(&sim, 3, &model);
    assert!(life.until(NEVER, &[]));
    assert_eq!(life.turn().status, Status::Completed);
    assert!(!sim.is_armed());
}

#[test]
fn a_session_that_is_denied_from_any_write_on_is_gone_on_without() {
    for (name, models, goal) in cases() {
        let (expected, _) = whole(2, models, &goal);
        for n in 0.. {
            let sim = world(2);
            sim.deny_session_after(n);
            let life = Life::new(&sim, 1, &models(&sim));
            assert!(life.until(NEVER, &[start("run", goal.clone())]));
            if n > 0 || !life.panel.borrow().turns().is_empty() {
                assert_eq!(life.turn().answer, expected.answer, "{name} {n}");
            }
            if sim.refused_at().is_none() {
                assert!(n > 4, "{name}: only {n} writes");
                break;
            }
            sim.heal_storage();
            let (life, past) = listed(&sim, 2, models);
            assert_eq!(past.len(), 1, "{name} {n}");
            assert!(life.live(NEVER, life.say(PANEL, &show())));
            assert_eq!(life.turn().answer, expected.answer, "{name} {n}");
        }
    }
}

#[test]
fn a_session_that_is_full_once_makes_room_and_the_run_goes_on() {
    let (expected, _) = whole(2, steady, &ask());
    for n in 0.. {
        let sim = world(2);
        sim.fail_one_write(n, StoreError::Full);
        let life = Life::new(&sim, 1, &steady(&sim));
        assert!(life.until(NEVER, &[start("run", ask())]));
        assert_eq!(life.turn().answer, expected.answer, "{n}");
        assert_eq!(life.turn().status, Status::Completed, "{n}");
        if sim.refused_at().is_none() {
            assert!(n > 4, "only {n} writes");
            break;
        }
    }
}

#[test]
fn an_erased_conversation_leaves_nothing_in_either_tier() {
    let mut erased = 0;
    for wait in 0..60 {
        let sim = world(2);
        sim.set_page(TAB, Ok(article(400)));
        let life = Life::new(&sim, 1, &embedded());
        let conversation = run_id();
        let begun = life.say(PANEL, &start("run", Goal::Summarize));
        let erase = async {
            for _ in 0..wait {
                sim.send(|| ()).await;
            }
            life.say(PANEL, &Command::EraseConversation { conversation })
                .await;
        };
        assert!(life.live(NEVER, join(begun, erase).map(|_| ())));
        if sim.batches().is_empty() {
            erased += 1;
            assert_eq!(sim.digests(), [], "{wait}");
            assert_eq!(sim.blob_hashes(), Vec::<String>::new(), "{wait}");
            assert!(!sim.is_armed(), "{wait}");
            assert!(life.panel.borrow().turns().is_empty(), "{wait}");
            assert!(life.panel.borrow().past.is_empty(), "{wait}");
        } else {
            // The request came before any record was stored.
            assert!(wait < 6, "{wait}");
        }
    }
    assert!(erased > 50, "{erased}");
}

#[test]
fn what_cannot_be_read_is_set_aside_for_export_and_a_fresh_session_works() {
    let damages: [fn(String) -> Option<String>; 3] = [
        |text| Some(text[..text.len() / 2].to_owned()),
        |text| Some(text.replace("\"seq\":", "\"sqe\":")),
        |_| None,
    ];
    for damage in damages {
        let sim = world(2);
        let life = Life::new(&sim, 1, &steady(&sim));
        assert!(!life.until(25, &[start("run", ask())]));
        sim.damage(&run_id(), 0, damage);
        let life = Life::new(&sim, 2, &steady(&sim));
        assert!(life.until(NEVER, &[start("other", ask())]));
        assert_eq!(warnings(&life), ["run_corrupt"]);
        assert_eq!(life.turn().run, RunId("other".to_owned()));
        assert_eq!(life.turn().status, Status::Completed);
        let aside = sim.set_aside();
        assert!(!aside.is_empty());
        assert!(aside.iter().all(|batch| batch.run == run_id()));
        assert!(sim.batches().iter().all(|batch| batch.run != run_id()));
        // The damage is reported only once.
        let life = Life::new(&sim, 3, &steady(&sim));
        assert!(life.until(NEVER, &[]));
        assert_eq!(warnings(&life), Vec::<String>::new());
    }
}

#[test]
fn a_thousand_runs_leave_no_key_no_lock_and_no_alarm() {
    let sim = world(2);
    let life = Life::new(&sim, 1, &embedded());
    assert!(life.live(NEVER, async {
        for n in 0..1_000 {
            let selection = "neaps".to_owned();
            let goal = Goal::Explain { selection };
            life.say(PANEL, &start(&format!("run-{n}"), goal)).await;
        }
    }));
    assert_eq!(sim.session(), []);
    assert_eq!(sim.digests().len(), 1_000);
    assert!(!sim.is_armed());
    let locked = (0..1_000).filter(|n| sim.is_locked(&RunId(format!("run-{n}"))));
    assert_eq!(locked.count(), 0);
    println!("{} batches filed", sim.archived().len());
}
