//! A worker dies while the sentence model compares texts, or continues without the model.

use crate::stage::{Life, MODEL, NEVER, ask, start, steady, world};
use gloss::agent::Status;
use gloss::app::surface::Turn;
use gloss::host_sim::Sim;

/// A world whose extension contains the sentence model.
fn packed(seed: u64) -> Sim {
    let sim = world(seed);
    sim.lay(MODEL, Vec::new());
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
fn a_worker_that_dies_while_the_model_compares_asks_it_again_and_answers_the_same() {
    let mut asked_again = 0;
    for seed in 0..4 {
        let whole = packed(seed);
        let (expected, _) = killed(&whole, NEVER);
        assert!(expected.answer.is_some());
        let comparisons = whole.assets_asked();
        for kill_at in 0.. {
            let sim = packed(seed);
            let (turn, survived) = killed(&sim, kill_at);
            assert_eq!(turn.status, Status::Completed, "{seed} {kill_at}");
            assert_eq!(turn.answer, expected.answer, "{seed} {kill_at}");
            // What was compared and recorded before the death isn't compared again.
            assert!(sim.assets_asked() <= 2 * comparisons, "{seed} {kill_at}");
            asked_again += u32::from(sim.assets_asked() > comparisons);
            if survived {
                break;
            }
        }
    }
    assert!(asked_again >= 4, "{asked_again}");
}

#[test]
fn without_a_model_the_run_goes_by_words() {
    for seed in 0..4 {
        let sim = world(seed);
        let life = Life::new(&sim, 0, &steady(&sim));
        assert!(life.until(NEVER, &[start("run", ask())]));
        let turn = life.turn();
        assert_eq!(turn.status, Status::Completed);
        assert!(turn.answer.is_some());
    }
}
