//! The user turns off "Keep history", and the worker dies while it clears the disk.

use crate::stage::{Life, NEVER, PANEL, TAB, ask, embedded, hello, start, world};
use gloss::agent::{Goal, Status};
use gloss::app::SurfaceId;
use gloss::app::options::{Change, OptionsRequest};
use gloss::app::surface::{Command, Turn, VERSION};
use gloss::durable::RunId;
use gloss::host::TabId;
use gloss::host_sim::Sim;
use std::rc::Rc;

const OPTIONS: SurfaceId = SurfaceId(9);
const OTHER: TabId = TabId(8);

/// A world with two conversations on disk, and the turns of the one that a tab shows.
fn two_conversations() -> (Sim, Vec<Turn>) {
    let sim = world(2);
    sim.set_page(OTHER, Ok(crate::stage::article(12)));
    let life = Life::new(&sim, 1, &embedded());
    assert!(life.live(NEVER, async {
        life.say(PANEL, &start("shown", Goal::Summarize)).await;
        life.say(PANEL, &hello(OTHER)).await;
        life.say(PANEL, &start("left", ask())).await;
        life.say(PANEL, &Command::NewChat).await;
        life.say(PANEL, &hello(TAB)).await;
    }));
    let turns = life.panel.borrow().turns();
    assert_eq!(turns.len(), 1);
    (sim, turns)
}

/// Turns the setting off in Options.
async fn turn_off(life: &Life) {
    life.app.connect_options(OPTIONS, Rc::new(|_| ()));
    let greeting = Command::Hello {
        version: VERSION,
        tab: None,
        language: "en".to_owned(),
    };
    life.say(OPTIONS, &greeting).await;
    let ask = OptionsRequest::Change {
        change: Change::KeepHistory(false),
    };
    life.say(OPTIONS, &Command::Options { n: 1, ask }).await;
}

#[test]
fn history_turned_off_and_killed_at_any_tick_leaves_what_is_shown_and_nothing_on_disk() {
    let mut kills = 0;
    for kill_at in 0.. {
        let (sim, turns) = two_conversations();
        let life = Life::new(&sim, 2, &embedded());
        let survived = life.live(kill_at, turn_off(&life));
        let life = Life::new(&sim, 3, &embedded());
        // The worker may have died before it received the change, so send it again.
        assert!(life.live(NEVER, async {
            turn_off(&life).await;
            life.app.resume().await;
        }));
        assert_eq!(sim.archived(), [], "{kill_at}");
        assert_eq!(sim.digests(), [], "{kill_at}");
        let life = Life::new(&sim, 4, &embedded());
        assert!(life.until(NEVER, &[Command::History]));
        assert_eq!(life.panel.borrow().turns(), turns, "{kill_at}");
        let past = life.panel.borrow().past.clone();
        let here: Vec<&RunId> = past.iter().map(|past| &past.conversation).collect();
        assert_eq!(here, [&RunId("shown".to_owned())], "{kill_at}");
        if survived {
            break;
        }
        kills += 1;
    }
    assert!(kills > 10, "{kills}");
}

#[test]
fn a_run_begun_with_history_off_is_never_filed_and_survives_its_worker() {
    for kill_at in 0.. {
        let (sim, _) = two_conversations();
        let life = Life::new(&sim, 2, &embedded());
        assert!(life.live(NEVER, turn_off(&life)));
        let life = Life::new(&sim, 3, &embedded());
        let again = [start("new", Goal::Summarize)];
        let survived = life.until(kill_at, &again);
        let life = Life::new(&sim, 4, &embedded());
        assert!(life.until(NEVER, &again));
        let turns = life.panel.borrow().turns();
        assert_eq!(turns.len(), 2, "{kill_at}");
        assert!(turns.iter().all(|turn| turn.status == Status::Completed));
        assert_eq!(sim.archived(), [], "{kill_at}");
        if survived {
            break;
        }
    }
}
