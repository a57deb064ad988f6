//! The user erases everything, and the worker dies in the middle, or a run is storing data.

use crate::proof::Outside;
use crate::scenarios::all;
use crate::stage::{Life, NEVER, PANEL, TAB, article, ask, embedded, hello, start, steady, world};
use futures::future::join;
use gloss::agent::Goal;
use gloss::app::SurfaceId;
use gloss::app::options::OptionsRequest;
use gloss::app::surface::{Command, VERSION};
use gloss::host::TabId;
use gloss::host_sim::Sim;
use std::cell::Cell;
use std::rc::Rc;

const OPTIONS: SurfaceId = SurfaceId(9);
const OTHER: TabId = TabId(8);

/// A world with a finished conversation on disk and an interrupted one. The page of each is stored
/// as a separate body.
fn two_conversations() -> Sim {
    for kill_at in 20.. {
        let sim = world(2);
        sim.set_page(TAB, Ok(article(400)));
        sim.set_page(OTHER, Ok(article(401)));
        let life = Life::new(&sim, 1, &embedded());
        assert!(life.until(NEVER, &[start("done", Goal::Summarize)]));
        let kept = sim.blob_hashes().len();
        let life = Life::new(&sim, 2, &steady(&sim));
        assert!(!life.live(kill_at, async {
            life.say(PANEL, &hello(OTHER)).await;
            life.say(PANEL, &start("at work", ask())).await;
        }));
        // The worker was killed after the second page was stored.
        if sim.blob_hashes().len() > kept {
            assert!(!sim.session().is_empty());
            return sim;
        }
    }
    unreachable!("its page is kept before it ends")
}

/// Erases everything as the user does in Options, while the worker resumes its runs.
async fn erase(life: &Life) {
    life.app.connect_options(OPTIONS, Rc::new(|_| ()));
    let greeting = Command::Hello {
        version: VERSION,
        tab: None,
        language: "en".to_owned(),
    };
    life.say(OPTIONS, &greeting).await;
    let ask = OptionsRequest::Erase;
    life.say(OPTIONS, &Command::Options { n: 1, ask }).await;
}

#[test]
fn everything_erased_and_killed_at_any_tick_is_gone_whole_or_was_never_touched() {
    let (mut kills, mut gone) = (0, 0);
    for kill_at in 0.. {
        let sim = two_conversations();
        let life = Life::new(&sim, 3, &steady(&sim));
        let survived = life.live(kill_at, async {
            join(life.app.resume(), erase(&life)).await;
        });
        let life = Life::new(&sim, 4, &steady(&sim));
        assert!(life.until(NEVER, &[Command::History]));
        let past = life.panel.borrow().past.clone();
        if past.is_empty() {
            gone += 1;
            assert_eq!(sim.batches(), [], "{kill_at}");
            assert_eq!(sim.digests(), [], "{kill_at}");
            assert_eq!(sim.blob_hashes(), Vec::<String>::new(), "{kill_at}");
            assert!(life.panel.borrow().turns().is_empty(), "{kill_at}");
            assert!(!sim.is_armed(), "{kill_at}");
            // A run that begins after the erasure is not erased.
            let life = Life::new(&sim, 5, &embedded());
            assert!(life.until(NEVER, &[start("new", Goal::Summarize)]));
            let life = Life::new(&sim, 6, &embedded());
            assert!(life.until(NEVER, &[]));
            assert_eq!(life.turn().run.0, "new", "{kill_at}");
        } else {
            assert!(!survived);
            assert_eq!(past.len(), 2, "{kill_at}");
            assert!(sim.blob_hashes().len() > 1, "{kill_at}");
            assert!(life.panel.borrow().refused.is_empty());
        }
        if survived {
            break;
        }
        kills += 1;
    }
    println!("{kills} kills, {gone} after which nothing was left");
    assert!(gone > 10, "{gone} of {kills}");
}

#[test]
fn a_run_that_is_about_to_remember_or_to_learn_writes_nothing_behind_an_erasure() {
    for (name, local_storage) in [("memory", "facts"), ("reflected", "reflections")] {
        let scenarios = all();
        let scenario = scenarios.iter().find(|it| it.name == name);
        let scenario = scenario.expect("a scenario");
        let model = scenario.model;
        let (mut before, mut after) = (0, 0);
        for seed in 3..6 {
            for wait in 0.. {
                let sim = world(seed);
                (scenario.prepare)(&sim);
                let laid = sim.shelved(local_storage);
                let life = Life::new(&sim, 1, &model(&Outside::new(&sim, 0)));
                let [ended, kept, over] = [false; 3].map(Cell::new);
                let run = async {
                    life.say(PANEL, &start("run", scenario.goal.clone())).await;
                    ended.set(true);
                };
                let erased = async {
                    for _ in 0..wait {
                        sim.send(|| ()).await;
                    }
                    kept.set(sim.shelved(local_storage) != laid);
                    over.set(ended.get());
                    erase(&life).await;
                };
                assert!(life.live(NEVER, async {
                    join(run, erased).await;
                }));
                assert_eq!(sim.shelved("facts"), None, "{seed} {wait}");
                assert_eq!(sim.shelved("reflections"), None, "{seed} {wait}");
                assert_eq!(sim.batches(), [], "{seed} {wait}");
                *(if kept.get() { &mut after } else { &mut before }) += 1;
                if over.get() {
                    break;
                }
            }
        }
        println!("{local_storage}: erased {before} times before it was kept, {after} times after");
        assert!(
            before > 10 && after > 1,
            "{local_storage}: {before} {after}"
        );
    }
}
