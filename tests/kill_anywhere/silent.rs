//! A disk that answers late or never.

use crate::stage::{
    Life, NEVER, PANEL, TAB, article, ask, embedded, hello, listen, start, steady, world,
};
use futures::future::{join, join_all};
use gloss::agent::{Goal, Status};
use gloss::app::SurfaceId;
use gloss::app::surface::{Command, Reply as Say};
use gloss::durable::{DATABASE_TIMEOUT_MS, RunId};
use gloss::host::TabId;
use gloss::host_sim::Sim;
use std::cell::Cell;
use std::rc::Rc;

/// A world with three runs in three tabs, whose worker has died. The newest records of each run
/// are in session storage, and the others on disk.
fn three_cut_off() -> Sim {
    let sim = world(2);
    let life = Life::new(&sim, 1, &steady(&sim));
    let surfaces: Vec<SurfaceId> = (10..13).map(SurfaceId).collect();
    assert!(!life.live(112, async {
        let begun = surfaces.iter().map(|id| async {
            let tab = TabId(id.0.cast_signed());
            sim.set_page(tab, Ok(article(12)));
            listen(&life.app, *id);
            life.say(*id, &hello(tab)).await;
            life.say(*id, &start(&format!("run{}", id.0), ask())).await;
        });
        join_all(begun).await;
    }));
    let hot = sim.session();
    for id in 10..13 {
        let run = RunId(format!("run{id}"));
        let mut hot = hot.iter().filter(|batch| batch.run == run);
        assert!(hot.next().is_some_and(|first| first.number > 0), "{run}");
    }
    sim
}

/// The time from the hello of a surface to its first snapshot, in milliseconds.
async fn greeted_after_ms(life: &Life, id: SurfaceId, tab: TabId) -> u64 {
    let (sim, first) = (life.sim.clone(), Rc::new(Cell::new(None)));
    let (clock, told) = (sim.clone(), first.clone());
    let hear = move |say: &Say| {
        if matches!(say, Say::Snapshot { .. }) && told.get().is_none() {
            told.set(Some(clock.now_ms()));
        }
    };
    life.app.connect(id, Rc::new(hear));
    let since_ms = sim.now_ms();
    life.say(id, &hello(tab)).await;
    first.get().expect("a snapshot") - since_ms
}

#[test]
fn a_surface_waits_for_one_patience_at_most_wherever_the_disk_falls_silent() {
    let (mut waited, mut whole) = (0, 0);
    for tick in 0..40 {
        let sim = three_cut_off();
        let life = Life::new(&sim, 2, &steady(&sim));
        let disk = sim.clone();
        sim.at_tick(tick, move || disk.hang_archive());
        let lived = sim.life(NEVER, async {
            life.app.load(None).await;
            let greet = greeted_after_ms(&life, PANEL, TabId(12));
            let (after_ms, ()) = join(greet, life.app.resume()).await;
            // The tolerance is for other events of the same tick, which take some time.
            assert!(after_ms < DATABASE_TIMEOUT_MS + 1_000, "{tick}: {after_ms}");
            waited += u32::from(after_ms >= DATABASE_TIMEOUT_MS);
            whole += u32::from(after_ms < DATABASE_TIMEOUT_MS);
            // A surface that connects later doesn't wait for the disk again.
            let after_ms = greeted_after_ms(&life, SurfaceId(2), TabId(12)).await;
            assert!(after_ms < DATABASE_TIMEOUT_MS / 3, "{tick}: {after_ms}");
        });
        assert!(lived.is_some(), "{tick}");
    }
    assert!(waited > 3 && whole > 3, "{waited} {whole}");
}

#[test]
fn what_the_disk_did_not_tell_is_asked_for_again_by_whoever_connects_or_looks() {
    let asks: [Command; 2] = [hello(TAB), Command::History];
    for ask in asks {
        let sim = world(3);
        let life = Life::new(&sim, 1, &embedded());
        assert!(life.until(NEVER, &[start("run", Goal::Summarize)]));
        let turn = life.turn();
        assert_eq!(sim.session(), []);
        sim.hang_archive();
        let life = Life::new(&sim, 2, &embedded());
        assert!(life.live(NEVER, async {
            life.app.resume().await;
            assert!(life.panel.borrow().turns().is_empty());
            life.say(PANEL, &Command::History).await;
            assert_eq!(life.panel.borrow().past, []);
            sim.heal_storage();
            life.say(PANEL, &ask).await;
        }));
        match ask {
            Command::History => assert_eq!(life.panel.borrow().past.len(), 1),
            _ => assert_eq!(life.turn(), turn),
        }
    }
}

#[test]
fn a_run_that_another_worker_began_after_the_disk_was_listed_is_never_set_aside() {
    for wait in (0..60).step_by(2) {
        let sim = world(2);
        let first = Life::new(&sim, 1, &steady(&sim));
        let second = Life::new(&sim, 2, &steady(&sim));
        let whole = async {
            first.app.load(None).await;
            first.app.resume().await;
            second.app.load(None).await;
            second.say(PANEL, &hello(TAB)).await;
            let begun = start("run", ask());
            let wakes = async {
                for _ in 0..wait {
                    sim.send(|| ()).await;
                }
                first.app.wake().await;
            };
            join(second.say(PANEL, &begun), wakes).await;
        };
        assert!(sim.life(NEVER, whole).is_some());
        assert_eq!(sim.set_aside(), [], "{wait}");
        let life = Life::new(&sim, 3, &steady(&sim));
        assert!(life.until(NEVER, &[]));
        assert_eq!(life.turn().status, Status::Completed, "{wait}");
    }
}
