//! A run is paused, its worker dies, and the run resumes. The answer must be the same, and every
//! repeated effect must be reported.

use crate::stage::{
    Life, NEVER, PANEL, TAB, article, ask, embedded, run_id, start, steady, whole, world,
};
use futures::FutureExt;
use gloss::agent::{Bound, Event, Goal, Status, Verdict};
use gloss::app::surface::{Command, Notice, Turn};
use gloss::durable::{Fut, RunId, Sink, Stop};
use gloss::host::CaptureError;
use gloss::host_sim::Sim;
use gloss::model::{AnswerOrigin, Model, ModelError, Reply, Request};
use std::cell::Cell;
use std::rc::Rc;

fn pause() -> Command {
    Command::Pause { run: run_id() }
}

fn resume() -> Command {
    Command::Continue { run: run_id() }
}

fn stop() -> Command {
    Command::Stop { run: run_id() }
}

/// The number of requests to a model: begun and ended.
#[derive(Clone, Default)]
struct Asked {
    begun: Rc<Cell<u32>>,
    ended: Rc<Cell<u32>>,
}

struct Counted(Rc<dyn Model>, Asked);

impl Model for Counted {
    fn reply(&self, request: Request, sink: Sink) -> Fut<Result<Reply, ModelError>> {
        let (reply, asked) = (self.0.reply(request, sink), self.1.clone());
        asked.begun.set(asked.begun.get() + 1);
        async move {
            let reply = reply.await;
            asked.ended.set(asked.ended.get() + 1);
            reply
        }
        .boxed_local()
    }

    fn voice(&self) -> AnswerOrigin {
        self.0.voice()
    }
}

fn counted(sim: &Sim, asked: &Asked) -> Rc<dyn Model> {
    Rc::new(Counted(steady(sim), asked.clone()))
}

fn say_at(life: &Life, tick: u64, command: &Command) {
    let said = life.say(PANEL, command);
    life.sim.at_tick(tick, move || {
        // If no worker runs at that tick, the command is lost.
        let _ = said.now_or_never();
    });
}

/// A world in which the run is paused at `tick`, and the worker is killed at `kill_at` if it lives
/// so long.
fn paused(tick: u64, kill_at: u64, asked: &Asked) -> (Sim, Life, bool) {
    let sim = world(2);
    let life = Life::new(&sim, 1, &counted(&sim, asked));
    say_at(&life, tick, &pause());
    let survived = life.until(kill_at, &[start("run", ask())]);
    (sim, life, survived)
}

fn next(sim: &Sim, epoch: u64, asked: &Asked) -> Life {
    Life::new(sim, epoch, &counted(sim, asked))
}

fn pauses(turn: &Turn) -> usize {
    let paused = |seam: &&Notice| matches!(seam, Notice::Paused { .. });
    turn.notices.iter().filter(paused).count()
}

fn assert_rests(sim: &Sim, life: &Life, at: &str) {
    assert_eq!(life.turn().status, Status::Paused, "{at}");
    assert!(!sim.is_armed(), "{at}");
    assert!(!sim.is_locked(&run_id()), "{at}");
}

#[test]
fn a_run_paused_at_any_tick_rests_through_lives_and_goes_on_to_the_same_answer() {
    let (whole, ticks) = whole(2, steady, &ask());
    let mut halts = 0;
    let mut cut = 0;
    for tick in 0..ticks {
        let asked = Asked::default();
        let (sim, life, survived) = paused(tick, NEVER, &asked);
        assert!(survived);
        if life.turn().status == Status::Completed {
            assert_eq!(life.turn().answer, whole.answer);
            continue;
        }
        halts += 1;
        let at = format!("{tick}");
        assert_rests(&sim, &life, &at);
        let events = life.panel.borrow().events.clone();
        assert!(
            !events.iter().any(|e| matches!(e, Event::RunEnded { .. })),
            "{at}"
        );
        // A life in which the user does nothing leaves the run unchanged.
        let (writes, begun) = (sim.writes(), asked.begun.get());
        let second = next(&sim, 2, &asked);
        assert!(second.until(NEVER, &[start("run", ask()), pause()]));
        assert_rests(&sim, &second, &at);
        assert_eq!((sim.writes(), asked.begun.get()), (writes, begun), "{at}");
        assert_eq!(second.turn().growing, life.turn().growing, "{at}");
        let dropped = asked.begun.get() - asked.ended.get();
        let third = next(&sim, 3, &asked);
        assert!(third.until(NEVER, &[resume()]));
        let turn = third.turn();
        assert_eq!(turn.status, Status::Completed, "{at}");
        assert_eq!(turn.answer, whole.answer, "{at}");
        assert!(turn.growing.is_empty(), "{at}");
        assert_eq!(pauses(&turn), 1, "{at}");
        // Every call that ended was requested once. Calls that the pause dropped are requested
        // again.
        assert_eq!(asked.begun.get() - dropped, asked.ended.get(), "{at}");
        let restarted = turn
            .notices
            .iter()
            .any(|s| matches!(s, Notice::Restarted { .. }));
        assert_eq!(restarted, dropped > 0, "{at}");
        cut += dropped;
    }
    assert!(halts > 15 && cut > 5, "{halts} {cut}");
}

#[test]
fn a_run_paused_then_killed_at_any_tick_stays_paused_or_never_was() {
    let (whole, ticks) = whole(2, steady, &ask());
    let (mut kills, mut held) = (0, 0);
    for tick in 0..ticks {
        for kill_at in tick..tick + 8 {
            let asked = Asked::default();
            let (sim, _, survived) = paused(tick, kill_at, &asked);
            if survived {
                break;
            }
            kills += 1;
            let at = format!("{tick} {kill_at}");
            let second = next(&sim, 2, &asked);
            assert!(second.until(NEVER, &[start("run", ask())]));
            if second.turn().status != Status::Completed {
                held += 1;
                assert_rests(&sim, &second, &at);
            }
            let third = next(&sim, 3, &asked);
            assert!(third.until(NEVER, &[resume()]));
            assert_eq!(third.turn().status, Status::Completed, "{at}");
            assert_eq!(third.turn().answer, whole.answer, "{at}");
        }
    }
    assert!(kills > 80 && held > 20, "{kills} {held}");
}

#[test]
fn a_run_that_is_killed_anywhere_after_its_resume_gives_the_same_answer() {
    let (whole, ticks) = whole(2, steady, &ask());
    let mut kills = 0;
    for tick in (0..ticks).step_by(3) {
        let mut kill_at = 0;
        loop {
            let asked = Asked::default();
            let (sim, _, _) = paused(tick, NEVER, &asked);
            let survived = next(&sim, 2, &asked).until(kill_at, &[resume()]);
            let third = next(&sim, 3, &asked);
            // The command is sent again, as by a surface that received no confirmation.
            assert!(third.until(NEVER, &[resume()]));
            assert_eq!(third.turn().answer, whole.answer, "{tick} {kill_at}");
            assert_eq!(third.turn().status, Status::Completed, "{tick} {kill_at}");
            if survived {
                break;
            }
            kills += 1;
            kill_at += 1;
        }
    }
    assert!(kills > 60, "{kills}");
}

#[test]
fn a_paused_run_that_is_stopped_ends_and_can_still_go_on() {
    let (whole, _) = whole(2, steady, &ask());
    for in_the_same_life in [true, false] {
        let asked = Asked::default();
        let (sim, life, _) = paused(14, NEVER, &asked);
        let begun = asked.begun.get();
        let life = if in_the_same_life {
            life
        } else {
            next(&sim, 2, &asked)
        };
        assert!(life.live(NEVER, async { life.say(PANEL, &stop()).await }));
        let turn = life.turn();
        assert_eq!(turn.status, Status::Terminated(Bound::Stopped));
        assert!(matches!(turn.notices.last(), Some(Notice::Stopped { .. })));
        assert_eq!(asked.begun.get(), begun);
        assert!(!sim.is_armed());
        let life = next(&sim, 3, &asked);
        assert!(life.until(NEVER, &[resume()]));
        assert_eq!(life.turn().answer, whole.answer);
    }
}

#[test]
fn pause_stop_and_resume_at_once_end_as_the_last_word_says() {
    let (whole, _) = whole(2, steady, &ask());
    let stopped = Status::Terminated(Bound::Stopped);
    for (commands, status) in [
        (vec![pause(), pause()], Status::Paused),
        (vec![pause(), stop()], stopped),
        (vec![stop(), pause()], stopped),
        (vec![pause(), resume()], Status::Completed),
        (vec![pause(), resume(), pause()], Status::Paused),
        (vec![pause(), resume(), stop()], stopped),
    ] {
        // The loop begins with the first tick at which the run is active.
        for tick in 11..20 {
            let sim = world(2);
            let life = Life::new(&sim, 1, &steady(&sim));
            for command in &commands {
                say_at(&life, tick, command);
            }
            assert!(life.until(NEVER, &[start("run", ask())]));
            let turn = life.turn();
            assert_eq!(turn.status, status, "{commands:?} {tick}");
            if status == Status::Completed {
                assert_eq!(turn.answer, whole.answer);
            }
        }
    }
}

#[test]
fn pausing_what_is_not_there_or_has_ended_changes_nothing() {
    let sim = world(2);
    let life = Life::new(&sim, 1, &steady(&sim));
    let nobody = RunId("nobody".to_owned());
    assert!(life.live(NEVER, async {
        life.say(PANEL, &Command::Pause { run: nobody }).await;
        life.say(PANEL, &start("run", ask())).await;
        let writes = sim.writes();
        life.say(PANEL, &pause()).await;
        assert_eq!(sim.writes(), writes);
    }));
    assert_eq!(life.turn().status, Status::Completed);
    assert!(life.panel.borrow().refused.is_empty());
}

#[test]
fn a_run_taken_up_by_a_new_life_can_be_paused_before_it_is_driven() {
    let (whole, _) = whole(2, steady, &ask());
    let asked = Asked::default();
    let sim = world(2);
    assert!(!next(&sim, 1, &asked).until(14, &[start("run", ask())]));
    let begun = asked.begun.get();
    let life = next(&sim, 2, &asked);
    assert!(life.live(NEVER, async {
        life.say(PANEL, &pause()).await;
        life.app.resume().await;
    }));
    assert_rests(&sim, &life, "");
    assert_eq!(asked.begun.get(), begun);
    let life = next(&sim, 3, &asked);
    assert!(life.until(NEVER, &[resume()]));
    assert_eq!(life.turn().answer, whole.answer);
}

#[test]
fn a_run_that_waits_for_the_person_can_be_paused_and_waits_again() {
    let sim = world(1);
    sim.set_page(TAB, Err(CaptureError::NoAccess));
    let life = Life::new(&sim, 1, &embedded());
    assert!(life.until(NEVER, &[start("run", Goal::Summarize), pause()]));
    let life = Life::new(&sim, 2, &embedded());
    assert!(life.live(NEVER, async { life.say(PANEL, &pause()).await }));
    assert_rests(&sim, &life, "");
    assert_eq!(life.turn().wait, None);
    let life = Life::new(&sim, 3, &embedded());
    assert!(life.until(NEVER, &[resume()]));
    assert_eq!(life.turn().status, Status::AwaitingUser);
    let wait = life.turn().wait.expect("it waits again").id;
    let granted = Command::Permit {
        run: run_id(),
        wait,
        verdict: Verdict::Granted,
    };
    // The user grants a permission during the pause. The run reads this decision when it resumes.
    sim.set_page(TAB, Ok(article(12)));
    assert!(life.live(NEVER, async {
        life.say(PANEL, &pause()).await;
        life.say(PANEL, &granted).await;
        assert_eq!(life.turn().status, Status::Paused);
        life.say(PANEL, &resume()).await;
    }));
    let (expected, _) = whole(1, |_| embedded(), &Goal::Summarize);
    assert_eq!(life.turn().status, Status::Completed);
    assert_eq!(life.turn().answer, expected.answer);
}

#[test]
fn what_is_sent_to_a_paused_run_is_read_when_it_goes_on() {
    let asked = Asked::default();
    let (sim, _, _) = paused(14, NEVER, &asked);
    let life = next(&sim, 2, &asked);
    let more = Goal::Ask {
        question: "And neaps?".to_owned(),
    };
    assert!(life.until(NEVER, &[start("more", more)]));
    let turn = life.turn();
    assert_eq!(turn.status, Status::Paused);
    assert_eq!(turn.messages.len(), 1);
    assert_eq!(turn.messages[0].read_at_ms, None);
    let life = next(&sim, 3, &asked);
    assert!(life.until(NEVER, &[resume()]));
    let turns = life.panel.borrow().turns();
    assert!(
        turns.iter().all(|turn| turn.status == Status::Completed),
        "{turns:?}"
    );
    let read = turns[0].messages.iter().any(|m| m.read_at_ms.is_some());
    assert!(read || turns.len() == 2, "{turns:?}");
}

#[test]
fn pausing_one_conversation_leaves_the_others_at_work() {
    let sim = world(2);
    let life = Life::new(&sim, 1, &steady(&sim));
    say_at(&life, 14, &pause());
    let explain = Goal::Explain {
        selection: "neaps".to_owned(),
    };
    assert!(life.until(NEVER, &[start("run", ask()), start("other", explain)]));
    let life = Life::new(&sim, 2, &steady(&sim));
    assert!(life.until(NEVER, &[Command::History]));
    let past = life.panel.borrow().past.clone();
    let status = |id: &str| {
        let of = past.iter().find(|past| past.conversation.0 == id);
        of.map(|past| past.status)
    };
    assert_eq!(status("run"), Some(Status::Paused));
    assert_eq!(status("other"), Some(Status::Completed));
}

#[test]
fn a_pause_is_told_once_however_many_steps_it_drops() {
    let (_, ticks) = whole(2, steady, &ask());
    let mut told = 0;
    for tick in 0..ticks {
        let (_, life, _) = paused(tick, NEVER, &Asked::default());
        let events = life.panel.borrow().events.clone();
        let paused = |event: &&Event| matches!(event, Event::Paused { by: Stop::Pause });
        let count = events.iter().filter(paused).count();
        assert_eq!(
            count,
            usize::from(life.turn().status == Status::Paused),
            "{tick}"
        );
        told += count;
    }
    assert!(told > 15, "{told}");
}
