//! Waits with a time limit, for alarms that are early, late or missing and clocks that jump.

use super::toys::{Failure, Toy, World, facts};
use gloss_durable::{Ctx, Entry, Halt, Message, Record, Stop, drive, is_parked};
use quickcheck::quickcheck;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::rc::Rc;

const WAIT_MS: u64 = 35_000;
const DAY_MS: i64 = 86_400_000;
const NEVER: u64 = u64::MAX;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Word(String);

impl Message for Word {
    const NAME: &'static str = "word";
}

/// A run with a step, a timer and another step.
async fn patient(ctx: Ctx, world: Rc<World>) -> Result<String, Halt> {
    let before = ctx.step("before", Toy::safe(&world, "a")).await?;
    ctx.timer("wait", WAIT_MS).await?;
    let after = ctx.step("after", Toy::safe(&world, &before)).await?;
    Ok(after)
}

/// A run that waits for a time, then for an answer.
async fn asking(ctx: Ctx, world: Rc<World>) -> Result<String, Halt> {
    ctx.step("before", Toy::safe(&world, "a")).await?;
    ctx.timer("ask", WAIT_MS).await?;
    ctx.note("open", "open", &"stopped, question open")?;
    let Word(late) = ctx.signal("late", &"why").await?;
    ctx.step("late.answer", Toy::safe(&world, &late)).await
}

/// The time of the next wake-up, if any.
type Next = Option<u64>;

/// Does what a wake-up does before it drives a run: ends the waits whose time is up. `None` if the
/// worker was killed.
fn wake(world: &Rc<World>, kill_at: u64) -> Option<Next> {
    let host = world.host();
    world.sim.life(kill_at, async {
        let journal = world.open(&host).await.unwrap();
        let next = journal.elapse(host.clock.now_ms());
        journal.flushed().await.unwrap();
        next
    })
}

/// Delivers a message while the run is not being driven.
fn say(world: &Rc<World>, word: &str) {
    let host = world.host();
    world.sim.life(NEVER, async {
        let journal = world.open(&host).await.unwrap();
        journal.deliver(&format!("m.{word}"), &Word(word.to_owned()));
        journal.flushed().await.unwrap();
    });
}

fn parked(life: Option<&Result<String, Failure>>) -> bool {
    matches!(life, Some(Err(Failure::Halt(Halt::Parked { .. }))))
}

/// The one message that each path read. Asserts that no path read more than one.
fn heard(records: &[Record]) -> BTreeMap<String, String> {
    let mut heard = BTreeMap::new();
    for record in records {
        if let Entry::MessagesRead { messages } = &record.entry {
            let path = record.path.to_string();
            assert!(heard.insert(path, messages.join(",")).is_none(), "twice");
        }
    }
    heard
}

fn waits(world: &World) -> Vec<Record> {
    let mut records = world.stored();
    records.retain(|record| matches!(record.entry, Entry::Waiting { .. }));
    records
}

#[test]
fn a_timer_parks_and_goes_on_when_its_time_is_up() {
    let world = World::new(1);
    assert!(parked(world.life(NEVER, patient).as_ref()));
    assert!(is_parked(&world.stored()));
    let due = waits(&world)[0].at_ms + WAIT_MS;
    // Checks before the time is up change nothing.
    for _ in 0..3 {
        assert_eq!(wake(&world, NEVER), Some(Some(due)));
        assert!(is_parked(&world.stored()));
        assert!(parked(world.life(NEVER, patient).as_ref()));
    }
    world.sim.jump_clock(WAIT_MS.cast_signed());
    assert_eq!(wake(&world, NEVER), Some(None));
    assert!(!is_parked(&world.stored()));
    assert_eq!(world.life(NEVER, patient), Some(Ok("<<a>>".to_owned())));
    // Two checks long after the time was up.
    world.sim.jump_clock(DAY_MS);
    assert_eq!(wake(&world, NEVER), Some(None));
    assert_eq!(world.life(NEVER, patient), Some(Ok("<<a>>".to_owned())));
    assert_eq!(waits(&world).len(), 1);
    assert_eq!(heard(&world.stored()).len(), 1);
}

#[test]
fn an_alarm_that_is_early_late_doubled_or_missing_at_any_tick_changes_nothing() {
    // Names of cases, and the clock's change in milliseconds before each wake-up.
    let wait = WAIT_MS.cast_signed();
    let ways: [(&str, &[i64]); 6] = [
        ("in time", &[wait]),
        ("early, then in time", &[wait - 9_000, 10_000]),
        ("a day late", &[DAY_MS]),
        ("twice", &[wait, 0]),
        ("the clock jumped a day back", &[-DAY_MS, wait + 1_000]),
        ("a day on, then a day back", &[DAY_MS, -DAY_MS, wait]),
    ];
    let expected = World::new(3);
    expected.life(NEVER, patient);
    let ticks = expected.sim.ticks() + 2;
    let mut deaths = 0;
    for (name, jumps) in ways {
        for kill_at in 0..ticks {
            for wake_killed_at in 0..4 {
                let world = World::new(3);
                deaths += u32::from(world.life(kill_at, patient).is_none());
                if parked(world.life(NEVER, patient).as_ref()) {
                    for jump in jumps {
                        world.sim.jump_clock(*jump);
                        deaths += u32::from(wake(&world, wake_killed_at).is_none());
                        wake(&world, NEVER);
                        deaths += u32::from(world.life(wake_killed_at, patient).is_none());
                    }
                }
                let ended = world.life(NEVER, patient);
                let at = format!("{name} {kill_at} {wake_killed_at}");
                assert_eq!(ended, Some(Ok("<<a>>".to_owned())), "{at}");
                assert_eq!(heard(&world.stored()).len(), 1, "{at}");
                let records = world.stored();
                let outcomes = records.iter().filter(|record| {
                    matches!(record.entry, Entry::Outcome { .. }) && record.path.as_str() == "after"
                });
                assert_eq!(outcomes.count(), 1, "{at}");
            }
        }
    }
    assert!(deaths > 200, "{deaths}");
}

#[test]
fn a_wait_under_a_clock_that_jumped_back_lasts_its_time_from_then() {
    let world = World::new(2);
    world.life(NEVER, patient);
    world.sim.jump_clock(-DAY_MS);
    let jumped = world.sim.now_ms();
    let next = wake(&world, NEVER).unwrap().unwrap();
    // Reading the run took up to a second of the simulated clock.
    assert!((jumped + WAIT_MS..jumped + WAIT_MS + 1_000).contains(&next));
    assert_eq!(wake(&world, NEVER), Some(Some(next)), "noted once");
    assert_eq!(waits(&world).len(), 2);
    world.sim.jump_clock(WAIT_MS.cast_signed() - 5_000);
    assert_eq!(wake(&world, NEVER), Some(Some(next)));
    world.sim.jump_clock(6_000);
    assert_eq!(wake(&world, NEVER), Some(None));
    assert_eq!(world.life(NEVER, patient), Some(Ok("<<a>>".to_owned())));
}

#[test]
fn an_answer_that_comes_days_after_its_time_resumes_the_run_where_it_stood() {
    for kill_at in 0..30 {
        let world = World::new(4);
        world.life(NEVER, asking);
        world.sim.jump_clock(WAIT_MS.cast_signed());
        wake(&world, NEVER);
        world.life(kill_at, asking);
        assert!(parked(world.life(NEVER, asking).as_ref()), "question open");
        world.sim.jump_clock(3 * DAY_MS);
        assert_eq!(wake(&world, NEVER), Some(None), "no alarm is left");
        assert!(parked(world.life(NEVER, asking).as_ref()));
        say(&world, "late");
        world.life(kill_at, asking);
        let answer = world.life(NEVER, asking);
        assert_eq!(answer, Some(Ok("<late>".to_owned())), "{kill_at}");
        let taken = heard(&world.stored());
        assert_eq!(taken["late"], "m.late");
        assert!(taken["ask"].starts_with("elapsed."), "{taken:?}");
    }
}

#[test]
fn a_stop_ends_a_wait_at_once_and_it_waits_on_when_it_is_let_go_on() {
    let world = World::new(1);
    world.life(NEVER, patient);
    let host = world.host();
    let stopped = world.sim.life(NEVER, async {
        let journal = world.open(&host).await.unwrap();
        journal.stop(Stop::User);
        let run = patient(Ctx::new(journal.clone()), world.clone());
        drive(&journal, run).await
    });
    assert_eq!(stopped, Some(Err(Halt::Stopped(Stop::User))));
    let on = world.continued(patient);
    assert!(parked(Some(&on)), "{on:?}");
    world.sim.jump_clock(WAIT_MS.cast_signed());
    wake(&world, NEVER);
    assert_eq!(world.life(NEVER, patient), Some(Ok("<<a>>".to_owned())));
    assert_eq!(waits(&world).len(), 1);
}

#[test]
fn several_waits_at_once_end_one_by_one() {
    let run = |ctx: Ctx, world: Rc<World>| async move {
        let one = |place: u64| {
            let (ctx, world) = (ctx.at(place), world.clone());
            async move {
                ctx.timer("wait", WAIT_MS * place).await?;
                ctx.step("after", Toy::safe(&world, &place.to_string()))
                    .await
            }
        };
        let all = futures::future::join_all([1, 2, 3].map(one)).await;
        let all: Result<Vec<String>, Halt> = all.into_iter().collect();
        Ok(all?.concat())
    };
    let world = World::new(1);
    for place in 1..=3_usize {
        assert!(parked(world.life(NEVER, run).as_ref()), "{place}");
        assert_eq!(world.done.borrow().len(), place - 1);
        assert!(is_parked(&world.stored()));
        world.sim.jump_clock(WAIT_MS.cast_signed());
        wake(&world, NEVER);
        assert!(!is_parked(&world.stored()));
    }
    assert_eq!(world.life(NEVER, run), Some(Ok("<1><2><3>".to_owned())));
}

#[test]
fn a_wait_that_is_recorded_as_another_is_not_used() {
    let world = World::new(1);
    world.life(NEVER, patient);
    let other = |ctx: Ctx, world: Rc<World>| async move {
        ctx.step("before", Toy::safe(&world, "a")).await?;
        let Word(word) = ctx.signal("wait", &"why").await?;
        Ok(word)
    };
    let halted = world.life(NEVER, other).unwrap();
    assert!(matches!(halted, Err(Failure::Halt(Halt::Diverged { .. }))));
}

quickcheck! {
    fn whatever_the_clock_does_a_wait_ends_once_and_its_replay_is_the_same(seed: u64, jumps: Vec<i32>, kills: Vec<u8>) -> bool {
        let world = World::new(seed);
        let mut kills = kills.into_iter();
        for jump in jumps.into_iter().take(6) {
            let kill_at = kills.next().map_or(NEVER, |kill| u64::from(kill) % 12);
            world.life(kill_at, asking);
            // The clock jumps up to three and a half weeks back or forward.
            world.sim.jump_clock(i64::from(jump));
            wake(&world, kills.next().map_or(NEVER, |kill| u64::from(kill) % 4));
        }
        world.life(NEVER, asking);
        wake(&world, NEVER);
        world.sim.jump_clock(WAIT_MS.cast_signed() + 1_000);
        wake(&world, NEVER);
        assert!(parked(world.life(NEVER, asking).as_ref()));
        say(&world, "word");
        let answer = world.life(NEVER, asking);
        let (records, known) = (world.stored(), facts(&world.stored()));
        let again = world.life(NEVER, asking);
        assert_eq!(answer, Some(Ok("<word>".to_owned())));
        assert_eq!(heard(&records).len(), 2);
        answer == again && facts(&world.stored()) == known
    }
}
