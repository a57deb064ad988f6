//! Runs that wait for a time, without a worker. The result must not depend on when the alarm
//! fires, how often it fires, or what the clock shows.

use crate::server::Shut;
use crate::stage::{Life, NEVER, PANEL, ask, run_id, seen_at, start, steady, whole, world};
use futures::future::join;
use gloss::agent::{Bound, Status};
use gloss::app::surface::{Command, Turn};
use gloss::host_sim::Sim;
use gloss::model::{Fault, Model};
use std::cell::Cell;
use std::rc::Rc;

/// The delay that the server demands before a retry, in milliseconds.
const RETRY_AFTER_MS: u64 = 35_000;
const WAIT_MS: i64 = 35_000;
const DAY_MS: i64 = 86_400_000;

/// A question to a server that demands a delay.
struct Waiting {
    sim: Sim,
    is_open: Rc<Cell<bool>>,
    asked: Rc<Cell<u32>>,
}

impl Waiting {
    fn new(seed: u64) -> Self {
        Self {
            sim: world(seed),
            is_open: Rc::default(),
            asked: Rc::default(),
        }
    }

    fn life(&self, epoch: u64) -> Life {
        let fault = Fault::RateLimited {
            retry_after_ms: Some(RETRY_AFTER_MS),
        };
        let model: Rc<dyn Model> = Rc::new(Shut {
            is_open: self.is_open.clone(),
            asked: self.asked.clone(),
            fault,
            behind: steady(&self.sim),
        });
        Life::new(&self.sim, epoch, &model)
    }

    /// Sends the question, and waits until the run is parked. The worker is killed at this tick.
    fn parked(seed: u64, kill_at: u64) -> (Self, bool) {
        let waiting = Self::new(seed);
        let survived = waiting.life(1).until(kill_at, &question());
        let life = waiting.life(2);
        assert!(life.until(NEVER, &question()));
        assert!(life.turn().until_ms.is_some());
        assert_eq!(life.turn().status, Status::Running);
        waiting.is_open.set(true);
        (waiting, survived)
    }

    /// Fires the alarm, which starts a new worker. That worker is killed at this tick.
    fn ring(&self, epoch: u64, kill_at: u64) -> (Life, bool) {
        let life = self.life(epoch);
        let survived = life.live(kill_at, life.app.wake());
        (life, survived)
    }
}

fn question() -> [Command; 1] {
    [start("run", ask())]
}

fn is_answered(turn: &Turn, expected: &Turn) -> bool {
    turn.status == Status::Completed && turn.answer == expected.answer && turn.until_ms.is_none()
}

#[test]
fn a_run_that_waits_for_a_time_holds_no_worker_and_says_until_when() {
    let (waiting, _) = Waiting::parked(1, NEVER);
    let sim = &waiting.sim;
    assert!(!sim.is_armed() && !sim.is_locked(&run_id()));
    let due = sim.rings_at().expect("an alarm");
    let left = due - sim.now_ms();
    assert!(
        (RETRY_AFTER_MS - 2_000..=RETRY_AFTER_MS).contains(&left),
        "{left}"
    );
    // The alarm is lost, so that later lives have to set it again. They do nothing else.
    sim.lose_alarm();
    let (writes, asked) = (sim.writes(), waiting.asked.get());
    let (life, _) = waiting.ring(3, NEVER);
    assert_eq!(life.turn().until_ms, Some(due));
    assert_eq!((sim.writes(), waiting.asked.get()), (writes, asked));
    assert_eq!(sim.rings_at(), Some(due));
    assert!(!sim.is_armed());
    // After the end of the run, no alarm is set.
    sim.jump_clock(WAIT_MS);
    let (life, _) = waiting.ring(4, NEVER);
    assert_eq!(life.turn().status, Status::Completed);
    assert_eq!(sim.rings_at(), None);
    assert!(!sim.is_armed());
}

#[test]
fn an_alarm_early_late_doubled_or_missing_leads_to_the_same_answer_wherever_a_kill_falls() {
    let (expected, _) = whole(1, steady, &ask());
    // Each row lists how far the clock moves before each alarm, in milliseconds.
    let ways: [(&str, &[i64]); 6] = [
        ("in time", &[WAIT_MS]),
        ("early, then in time", &[WAIT_MS - 9_000, 9_500]),
        ("a day late", &[DAY_MS]),
        ("twice", &[WAIT_MS, 0]),
        ("the clock a day back", &[-DAY_MS, WAIT_MS + 500]),
        ("a day on, a day back", &[DAY_MS, -DAY_MS]),
    ];
    let mut deaths = 0;
    for (name, jumps) in ways {
        for kill_at in 0.. {
            let (waiting, survived) = Waiting::parked(1, kill_at);
            for (epoch, jump) in (3..).zip(jumps) {
                waiting.sim.jump_clock(*jump);
                let (life, _) = waiting.ring(epoch, NEVER);
                let is_last = epoch as usize == jumps.len() + 2;
                let waits = life.turn().until_ms.is_some();
                assert!(waits || is_answered(&life.turn(), &expected), "{name}");
                assert!(!(waits && is_last), "{name} {kill_at}: {:?}", life.turn());
            }
            deaths += u32::from(!survived);
            if survived {
                break;
            }
        }
        for kill_at in 0.. {
            let (waiting, _) = Waiting::parked(1, NEVER);
            let mut all = true;
            for (epoch, jump) in (3..).zip(jumps) {
                waiting.sim.jump_clock(*jump);
                all &= waiting.ring(epoch, kill_at).1;
                // Chrome fires the alarm again after a worker died, or a surface connects.
                waiting.ring(epoch + 10, NEVER);
            }
            let life = waiting.life(99);
            assert!(life.until(NEVER, &question()));
            assert!(is_answered(&life.turn(), &expected), "{name} {kill_at}");
            deaths += u32::from(!all);
            if all {
                break;
            }
        }
    }
    println!("{deaths} deaths");
    assert!(deaths > 150, "{deaths}");
}

#[test]
fn the_alarm_that_rings_while_the_worker_lives_twice_at_once_drives_the_run_once() {
    let (expected, _) = whole(1, steady, &ask());
    let waiting = Waiting::new(1);
    let life = waiting.life(1);
    assert!(life.live(NEVER, async {
        life.say(PANEL, &question()[0]).await;
        assert_eq!(waiting.asked.get(), 1);
        waiting.is_open.set(true);
        waiting.sim.alarm().await;
        join(life.app.wake(), life.app.wake()).await;
    }));
    assert!(is_answered(&life.turn(), &expected));
    // The server refuses one request, and then receives the usual number of requests.
    let (plain, _) = Waiting::parked(1, NEVER);
    let refused = plain.asked.get();
    plain.sim.jump_clock(WAIT_MS);
    plain.ring(3, NEVER);
    assert_eq!(waiting.asked.get(), plain.asked.get() - refused + 1);
}

#[test]
fn a_surface_that_connects_after_its_time_lets_it_go_on_without_any_alarm() {
    let (waiting, _) = Waiting::parked(1, NEVER);
    waiting.sim.lose_alarm();
    waiting.sim.jump_clock(WAIT_MS);
    let life = waiting.life(3);
    assert!(life.until(NEVER, &[]));
    assert_eq!(life.turn().status, Status::Completed);
}

#[test]
fn a_stop_at_any_tick_of_the_wait_ends_it_at_once_and_continue_waits_on() {
    let mut stopped = 0;
    // Once the run is parked, a stop has to drive the run itself.
    let life = Waiting::new(1).life(1);
    let waits = |turn: &Turn| turn.until_ms.is_some();
    for tick in 0..seen_at(&life, &question(), waits) {
        let waiting = Waiting::new(1);
        let life = waiting.life(1);
        life.stop_at(tick);
        assert!(life.until(NEVER, &question()));
        if life.turn().status == Status::Terminated(Bound::Stopped) {
            assert_eq!(life.turn().until_ms, None);
            assert_eq!(waiting.sim.rings_at(), None, "{tick}");
            stopped += 1;
        }
    }
    println!("{stopped} stopped");
    assert!(stopped > 3, "{stopped}");
    let (waiting, _) = Waiting::parked(1, NEVER);
    let run = run_id();
    for (epoch, command, until) in [
        (3, Command::Stop { run: run.clone() }, false),
        (4, Command::Continue { run: run.clone() }, true),
    ] {
        let life = waiting.life(epoch);
        assert!(life.live(NEVER, life.say(PANEL, &command)));
        assert_eq!(life.turn().until_ms.is_some(), until, "{command:?}");
        assert_eq!(waiting.sim.rings_at().is_some(), until, "{command:?}");
    }
    // If the run is continued after its waiting time, it runs at once.
    let life = waiting.life(5);
    assert!(life.live(NEVER, life.say(PANEL, &Command::Stop { run: run.clone() })));
    waiting.sim.jump_clock(DAY_MS);
    let life = waiting.life(6);
    assert!(life.live(NEVER, life.say(PANEL, &Command::Continue { run })));
    assert_eq!(life.turn().status, Status::Completed);
}

#[test]
fn a_wait_that_a_restart_of_the_browser_interrupts_is_offered_and_goes_on_when_told_to() {
    let (expected, _) = whole(1, steady, &ask());
    // The user continues the run before its waiting time is over, or afterwards.
    for late in [false, true] {
        let (waiting, _) = Waiting::parked(1, NEVER);
        let sim = &waiting.sim;
        sim.end_session();
        if late {
            sim.jump_clock(DAY_MS);
        }
        let asked = waiting.asked.get();
        let life = waiting.life(3);
        assert!(life.until(NEVER, &[Command::History]));
        assert!(life.live(NEVER, life.app.wake()));
        let past = life.panel.borrow().past.clone();
        assert_eq!(past.len(), 1);
        assert_eq!(past[0].status, Status::Paused);
        assert_eq!(past[0].paused, Some(run_id()));
        // The run doesn't continue by itself: there is no alarm, no lock and no request.
        assert_eq!(sim.rings_at(), None);
        assert!(!sim.is_armed() && !sim.is_locked(&run_id()));
        assert_eq!(waiting.asked.get(), asked);
        let life = waiting.life(4);
        let conversation = run_id();
        assert!(life.live(NEVER, async {
            life.say(PANEL, &Command::Show { conversation }).await;
            life.say(PANEL, &Command::Continue { run: run_id() }).await;
        }));
        if !late {
            assert!(life.turn().until_ms.is_some(), "it waits on");
            assert!(sim.rings_at().is_some());
            sim.jump_clock(WAIT_MS);
            let (life, _) = waiting.ring(5, NEVER);
            assert!(is_answered(&life.turn(), &expected));
            continue;
        }
        assert!(is_answered(&life.turn(), &expected));
    }
}

#[test]
fn a_message_sent_while_it_waits_is_read_when_it_goes_on() {
    let (waiting, _) = Waiting::parked(1, NEVER);
    let life = waiting.life(3);
    let second = start("second", ask());
    assert!(life.live(NEVER, life.say(PANEL, &second)));
    assert_eq!(life.turn().messages.len(), 1);
    assert!(life.turn().until_ms.is_some());
    waiting.sim.jump_clock(WAIT_MS);
    let (life, _) = waiting.ring(4, NEVER);
    let turns = life.panel.borrow().turns();
    assert!(turns.iter().all(|turn| turn.status == Status::Completed));
    let read = turns[0].messages.iter().any(|m| m.read_at_ms.is_some());
    assert!(read || turns.len() == 2, "{turns:?}");
}
