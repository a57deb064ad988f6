//! A worker dies while it loads a file of the extension, or continues without that file.

use crate::stage::{Life, NEVER, ask, start, steady, world};
use gloss::agent::Status;
use gloss::app::surface::Turn;
use gloss::host_sim::Sim;
use gloss::retrieval::EMBEDDINGS;
use gloss::text::embedding::sample;

/// A world whose extension contains embeddings that make "springs" similar to "neaps".
fn packed(seed: u64) -> Sim {
    let sim = world(seed);
    sim.lay(
        EMBEDDINGS,
        sample(&[("springs", 0), ("neaps", 0), ("harbour", 1)]),
    );
    sim
}

/// The turn of a question with three searches, whose worker is killed at a tick; and true if it
/// was killed.
fn killed(sim: &Sim, kill_at: u64) -> (Turn, bool) {
    let again = [start("run", ask())];
    let survived = Life::new(sim, 0, &steady(sim)).until(kill_at, &again);
    let life = Life::new(sim, 1, &steady(sim));
    assert!(life.until(NEVER, &again));
    (life.turn(), survived)
}

#[test]
fn a_worker_that_dies_while_embeddings_load_loads_them_again_and_answers_the_same() {
    let mut loaded_again = 0;
    for seed in 0..4 {
        let (expected, _) = killed(&packed(seed), NEVER);
        assert!(expected.answer.is_some());
        for kill_at in 0.. {
            let sim = packed(seed);
            let (turn, survived) = killed(&sim, kill_at);
            assert_eq!(turn.status, Status::Completed, "{seed} {kill_at}");
            assert_eq!(turn.answer, expected.answer, "{seed} {kill_at}");
            // Each life makes at most three searches and loads the file at most once.
            assert!((1..=2).contains(&sim.assets_asked()), "{seed} {kill_at}");
            loaded_again += u32::from(sim.assets_asked() == 2);
            if survived {
                break;
            }
        }
    }
    assert!(loaded_again >= 4, "{loaded_again}");
}

#[test]
fn a_package_without_embeddings_is_asked_once_and_the_run_goes_by_words() {
    for seed in 0..4 {
        let sim = world(seed);
        let life = Life::new(&sim, 0, &steady(&sim));
        assert!(life.until(NEVER, &[start("run", ask())]));
        let turn = life.turn();
        assert_eq!(turn.status, Status::Completed);
        let (expected, _) = killed(&packed(seed), NEVER);
        assert_eq!(
            turn.answer.map(|a| a.citations),
            expected.answer.map(|a| a.citations),
            "{seed}"
        );
        assert_eq!(sim.assets_asked(), 1);
    }
}
