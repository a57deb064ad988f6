//! A run is stopped, its worker dies, and the run is continued.

use crate::stage::{Life, NEVER, PANEL, ask, run_id, start, steady, whole, world};
use gloss::agent::{Bound, Event, Status};
use gloss::app::surface::{Command, Notice, Turn};
use gloss::durable::RunId;
use gloss::host_sim::Sim;

fn go_on() -> Command {
    Command::Continue { run: run_id() }
}

fn expected() -> (Turn, u64) {
    whole(2, steady, &ask())
}

/// A world in which the run was stopped at `tick`, and the worker killed at `kill_at` if it lived
/// so long.
fn stopped(tick: u64, kill_at: u64) -> (Sim, Life, bool) {
    let sim = world(2);
    let life = Life::new(&sim, 1, &steady(&sim));
    life.stop_at(tick);
    let survived = life.until(kill_at, &[start("run", ask())]);
    (sim, life, survived)
}

#[test]
fn a_run_stopped_at_any_tick_goes_on_to_the_same_answer() {
    let (whole, ticks) = expected();
    let mut stops = 0;
    for tick in 0..ticks {
        let (sim, life, _) = stopped(tick, NEVER);
        let turn = life.turn();
        if turn.status == Status::Completed {
            // The stop arrived before the run began, or after it ended.
            assert_eq!(turn.answer, whole.answer);
            continue;
        }
        stops += 1;
        assert_eq!(turn.status, Status::Terminated(Bound::Stopped), "{tick}");
        let events = life.panel.borrow().events.clone();
        let ends = |event: &&Event| matches!(event, Event::RunEnded { .. });
        assert_eq!(events.iter().filter(ends).count(), 1, "{tick}");
        let life = Life::new(&sim, 2, &steady(&sim));
        assert!(life.until(NEVER, &[go_on()]));
        let turn = life.turn();
        assert_eq!(turn.status, Status::Completed, "{tick}");
        assert_eq!(turn.answer, whole.answer, "{tick}");
        let seams = |seam: &&Notice| matches!(seam, Notice::Stopped { .. });
        assert_eq!(turn.notices.iter().filter(seams).count(), 1, "{tick}");
    }
    assert!(stops > 15, "{stops}");
}

#[test]
fn a_run_stopped_then_killed_at_any_tick_goes_on_to_the_same_answer() {
    let (whole, ticks) = expected();
    let mut kills = 0;
    for tick in 0..ticks {
        for kill_at in tick..tick + 8 {
            let (sim, _, survived) = stopped(tick, kill_at);
            if survived {
                break;
            }
            kills += 1;
            // The worker may have died before it recorded the stop.
            let second = Life::new(&sim, 2, &steady(&sim));
            assert!(second.until(NEVER, &[start("run", ask())]));
            let lost = second.turn().status == Status::Completed;
            if !lost {
                assert_eq!(second.turn().status, Status::Terminated(Bound::Stopped));
            }
            let third = Life::new(&sim, 3, &steady(&sim));
            assert!(third.until(NEVER, &[go_on()]));
            assert_eq!(third.turn().answer, whole.answer, "{tick} {kill_at}");
        }
    }
    assert!(kills > 80, "{kills}");
}

#[test]
fn a_stopped_run_goes_on_in_the_same_life() {
    let (whole, _) = expected();
    let sim = world(2);
    let life = Life::new(&sim, 1, &steady(&sim));
    life.stop_at(12);
    assert!(life.live(NEVER, async {
        life.say(PANEL, &start("run", ask())).await;
        assert_eq!(life.turn().status, Status::Terminated(Bound::Stopped));
        life.say(PANEL, &go_on()).await;
    }));
    assert_eq!(life.turn().answer, whole.answer);
}

#[test]
fn a_stop_before_the_run_is_taken_up_again_stands() {
    let sim = world(2);
    let life = Life::new(&sim, 1, &steady(&sim));
    assert!(!life.until(14, &[start("run", ask())]));
    let life = Life::new(&sim, 2, &steady(&sim));
    assert!(life.live(NEVER, async {
        life.say(PANEL, &Command::Stop { run: run_id() }).await;
        life.app.resume().await;
    }));
    assert_eq!(life.turn().status, Status::Terminated(Bound::Stopped));
}

#[test]
fn stopping_or_continuing_what_is_not_there_changes_nothing() {
    let sim = world(2);
    let life = Life::new(&sim, 1, &steady(&sim));
    let nobody = RunId("nobody".to_owned());
    assert!(life.live(NEVER, async {
        life.say(
            PANEL,
            &Command::Stop {
                run: nobody.clone(),
            },
        )
        .await;
        life.say(PANEL, &Command::Continue { run: nobody }).await;
        life.say(PANEL, &start("run", ask())).await;
        // A run that has ended can neither be stopped nor continued.
        life.say(PANEL, &Command::Stop { run: run_id() }).await;
        life.say(PANEL, &go_on()).await;
    }));
    assert_eq!(life.turn().status, Status::Completed);
    // The worker reports that the conversation no longer exists.
    let refused = life.panel.borrow().refused.clone();
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert_eq!(refused[0].code, "conversation_gone");
}
