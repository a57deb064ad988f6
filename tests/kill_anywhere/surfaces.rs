//! The state that surfaces show: one that connects late, two at once, several tabs, several turns.

use crate::stage::{
    Life, NEVER, PANEL, TAB, article, ask, embedded, hello, listen, start, steady, whole, world,
};
use futures::channel::oneshot;
use futures::future::{join, join3};
use gloss::agent::{Goal, Status};
use gloss::app::SurfaceId;
use gloss::app::surface::Command;
use gloss::host::TabId;

const LATE: SurfaceId = SurfaceId(2);
const OTHER: TabId = TabId(8);

#[test]
fn a_surface_that_connects_at_any_tick_ends_with_what_the_first_one_shows() {
    for seed in 0..4 {
        let (_, ticks) = whole(seed, steady, &ask());
        for tick in 0..ticks + 4 {
            let sim = world(seed);
            let life = Life::new(&sim, 1, &steady(&sim));
            let late = listen(&life.app, LATE);
            let (send, receive) = oneshot::channel();
            sim.at_tick(tick, move || send.send(()).expect("somebody waits"));
            let connect = async {
                receive.await.expect("the tick comes");
                life.say(LATE, &hello(TAB)).await;
            };
            let command = start("run", ask());
            let run = async {
                join(life.say(PANEL, &command), connect).await;
            };
            assert!(life.live(NEVER, run));
            assert_eq!(life.turn().status, Status::Completed);
            assert_eq!(late.borrow().gaps, 0, "{seed} {tick}");
            assert_eq!(
                late.borrow().snapshot,
                life.panel.borrow().snapshot,
                "{seed} {tick}"
            );
        }
    }
}

#[test]
fn a_run_asked_for_twice_is_started_once() {
    let sim = world(1);
    let life = Life::new(&sim, 1, &steady(&sim));
    let command = start("run", ask());
    assert!(life.until(NEVER, &[command.clone(), command.clone()]));
    let writes = sim.writes();
    assert_eq!(life.turn().status, Status::Completed);
    let (once, _) = whole(1, steady, &ask());
    assert_eq!(life.turn().answer, once.answer);
    let life = Life::new(&sim, 2, &steady(&sim));
    assert!(life.until(NEVER, &[command]));
    assert_eq!(sim.writes(), writes);
}

#[test]
fn runs_of_two_tabs_go_side_by_side_and_each_surface_sees_its_own() {
    for kill_at in (0..40).chain([NEVER]) {
        let sim = world(6);
        sim.set_page(OTHER, Ok(article(5)));
        let live = |epoch: u64, kill_at: u64| {
            let life = Life::new(&sim, epoch, &steady(&sim));
            let other = listen(&life.app, LATE);
            let (mine, theirs) = (start("run", ask()), start("other", Goal::Summarize));
            let ended = life.live(kill_at, async {
                life.say(LATE, &hello(OTHER)).await;
                let commands = (life.say(PANEL, &mine), life.say(LATE, &theirs));
                join3(life.app.resume(), commands.0, commands.1).await;
            });
            ended.then(|| (life.turn(), other.borrow().turn()))
        };
        let (mine, theirs) = live(1, kill_at)
            .or_else(|| live(2, NEVER))
            .expect("the last life is not killed");
        assert_eq!(
            (mine.run.0.as_str(), mine.status),
            ("run", Status::Completed)
        );
        assert_eq!(
            (theirs.run.0.as_str(), theirs.status),
            ("other", Status::Completed)
        );
    }
}

fn runs_shown(life: &Life) -> Vec<String> {
    let turns = life.panel.borrow().turns();
    turns.into_iter().map(|turn| turn.run.0).collect()
}

#[test]
fn turns_keep_their_order_over_lives_whatever_their_ids() {
    let sim = world(1);
    let life = Life::new(&sim, 1, &embedded());
    assert!(life.live(NEVER, async {
        for run in ["m", "z", "a"] {
            life.say(PANEL, &start(run, ask())).await;
            life.sim.jump_clock(1_000);
        }
    }));
    assert_eq!(runs_shown(&life), ["m", "z", "a"]);
    let life = Life::new(&sim, 2, &embedded());
    assert!(life.until(NEVER, &[]));
    assert_eq!(runs_shown(&life), ["m", "z", "a"]);
}

#[test]
fn a_new_chat_is_empty_for_every_surface_of_its_tab_and_takes_the_next_turn() {
    let sim = world(1);
    let life = Life::new(&sim, 1, &embedded());
    let beside = listen(&life.app, LATE);
    assert!(life.live(NEVER, async {
        life.say(LATE, &hello(TAB)).await;
        life.say(PANEL, &start("first", ask())).await;
        assert_eq!(beside.borrow().turn().run.0, "first");
        life.say(PANEL, &Command::NewChat).await;
        assert!(runs_shown(&life).is_empty() && beside.borrow().turns().is_empty());
        life.say(PANEL, &start("second", Goal::Summarize)).await;
    }));
    assert_eq!(runs_shown(&life), ["second"]);
    assert_eq!(beside.borrow().snapshot, life.panel.borrow().snapshot);
    assert_eq!(beside.borrow().gaps, 0);
}

#[test]
fn an_explanation_opens_a_conversation_of_its_own() {
    let sim = world(1);
    let life = Life::new(&sim, 1, &embedded());
    let explain = Goal::Explain {
        selection: "neaps".to_owned(),
    };
    assert!(life.live(NEVER, async {
        life.say(PANEL, &start("first", ask())).await;
        life.say(PANEL, &start("second", explain)).await;
    }));
    assert_eq!(runs_shown(&life), ["second"]);
}
