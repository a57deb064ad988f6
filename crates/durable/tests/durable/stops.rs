//! Stops: they act at once, in every branch, and the user can continue the run.

use super::toys::{Does, Failure, Toy, World, facts, finished, tame, wild};
use futures::future::try_join_all;
use gloss_durable::{Class, Ctx, Entry, Halt, JournalEvent, Path, Record, Stop, StoreError};
use quickcheck::quickcheck;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

const STOPPED: Result<String, Failure> = Err(Failure::Halt(Halt::Stopped(Stop::User)));

fn paths(records: &[Record], which: impl Fn(&Entry) -> bool) -> BTreeSet<Path> {
    let such = records.iter().filter(|record| which(&record.entry));
    such.map(|record| record.path.clone()).collect()
}

/// The text that each attempt streamed, by the number of the attempt's intent record.
fn streamed(world: &World) -> BTreeMap<u64, String> {
    let mut streamed: BTreeMap<u64, String> = BTreeMap::new();
    for told in world.told.borrow().iter() {
        if let JournalEvent::Delta {
            intent,
            offset,
            text,
        } = told
        {
            let so_far = streamed.entry(*intent).or_default();
            assert_eq!(so_far.len(), *offset);
            so_far.push_str(text);
        }
    }
    streamed
}

fn assert_stopped_cleanly(world: &World) {
    let stored = world.stored();
    let intents = paths(&stored, |entry| matches!(entry, Entry::Intent { .. }));
    let gone = paths(&stored, |entry| matches!(entry, Entry::Stopped { .. }));
    let known = finished(&stored);
    let open: BTreeSet<&Path> = intents.difference(&known).collect();
    assert!(open.iter().all(|path| gone.contains(path)), "{open:?}");
    assert!(gone.is_disjoint(&known));
    let dropped: BTreeSet<Path> = world.dropped.borrow().iter().cloned().collect();
    assert!(dropped.is_subset(&gone), "dropped and not recorded");
    assert!(!world.dropped_late.get(), "dropped after its end was noted");
    let streamed = streamed(world);
    for record in &stored {
        let Entry::Stopped { partial, .. } = &record.entry else {
            continue;
        };
        let intent = stored.iter().rfind(|intent| {
            intent.path == record.path && matches!(intent.entry, Entry::Intent { .. })
        });
        let said = intent.and_then(|intent| streamed.get(&intent.seq));
        assert_eq!(*partial, said.cloned().unwrap_or_default());
    }
}

#[test]
fn a_run_stopped_at_any_tick_stands_still_until_it_is_let_go_on() {
    let (mut stops, mut partials) = (0, 0);
    for seed in 0..20 {
        let expected = World::new(seed);
        let answer = expected.life(u64::MAX, tame).unwrap();
        for tick in 0..expected.sim.ticks() {
            let world = World::new(seed);
            world.stop_at(tick);
            let stopped = world.life(u64::MAX, tame).unwrap();
            if stopped.is_ok() {
                assert_eq!(stopped, answer);
                continue;
            }
            stops += 1;
            assert_eq!(stopped, STOPPED);
            assert_stopped_cleanly(&world);
            partials += usize::from(world.stored().iter().any(
                |record| matches!(&record.entry, Entry::Stopped { partial, .. } if !partial.is_empty()),
            ));
            let again = world.life(u64::MAX, tame).unwrap();
            assert_eq!(again, STOPPED);
            assert_eq!(world.begun.borrow().len(), 0, "a stopped run acted");
            assert_eq!(world.continued(tame), answer, "{seed} {tick}");
            assert_eq!(facts(&world.stored()), facts(&expected.stored()));
        }
    }
    assert!(stops > 400 && partials > 20, "{stops} {partials}");
}

quickcheck! {
    fn a_stop_and_a_kill_together_lose_nothing(seed: u64, stop_at: u8, kill_at: u8) -> bool {
        let expected = World::new(seed);
        let answer = expected.life(u64::MAX, tame).unwrap();
        let world = World::new(seed);
        world.stop_at(u64::from(stop_at) % 40);
        world.life(u64::from(kill_at) % 50, tame);
        let was_stopped = !paths(&world.stored(), |entry| matches!(entry, Entry::Stopped { .. })).is_empty();
        let second = world.life(u64::MAX, tame).unwrap();
        if was_stopped {
            assert_eq!(second, STOPPED);
            assert_eq!(world.begun.borrow().len(), 0, "a stopped run acted");
        } else {
            assert_eq!(second, answer);
        }
        world.continued(tame) == answer
    }
}

#[test]
fn no_effect_begins_after_a_stop() {
    for seed in 0..20 {
        for tick in 0..45 {
            let world = World::new(seed);
            let begun_by_then = Rc::new(std::cell::Cell::new(usize::MAX));
            world.stop_at(tick);
            let (count, seen) = (begun_by_then.clone(), world.clone());
            world
                .sim
                .at_tick(tick, move || count.set(seen.begun.borrow().len()));
            let stopped = world.life(u64::MAX, wild).unwrap() == STOPPED;
            if stopped {
                assert_eq!(
                    world.begun.borrow().len(),
                    begun_by_then.get(),
                    "{seed} {tick}"
                );
            }
        }
    }
}

#[test]
fn an_external_effect_stopped_half_way_is_stopped_first_and_unknown_when_let_go_on() {
    let mut unknown = 0;
    for tick in 0..40 {
        let world = World::new(4);
        world.stop_at(tick);
        if world.life(u64::MAX, wild).unwrap() != STOPPED {
            continue;
        }
        assert_eq!(world.life(u64::MAX, wild).unwrap(), STOPPED);
        let went_on = world.continued(wild);
        let is_unknown = matches!(went_on, Err(Failure::Halt(Halt::Unknown { .. })));
        assert!(went_on.is_ok() || is_unknown, "{went_on:?}");
        unknown += usize::from(is_unknown);
    }
    assert!(unknown > 0);
}

#[test]
fn a_stopped_run_does_nothing_in_the_branches_that_had_not_noticed() {
    // `try_join_all` drops the second branch as soon as the first has stopped.
    let run = |ctx: Ctx, world: Rc<World>| async move {
        let branches = [0, 1, 2].map(|place| {
            let (ctx, world) = (ctx.at(place), world.clone());
            async move {
                let toy = Toy::safe(&world, &place.to_string());
                ctx.step("call", toy).await
            }
        });
        // The second life polls the branches in the opposite order.
        let mut branches: Vec<_> = branches.into_iter().collect();
        if !world.found.borrow().is_empty() {
            branches.reverse();
        }
        let mut answers = try_join_all(branches).await?;
        answers.sort();
        Ok(answers.concat())
    };
    let world = World::new(0);
    world.stop_at(2);
    assert_eq!(world.life(u64::MAX, run), Some(STOPPED));
    assert_eq!(world.life(u64::MAX, run), Some(STOPPED));
    assert_eq!(world.begun.borrow().len(), 0);
    assert_eq!(world.continued(run), Ok("<0><1><2>".to_owned()));
}

#[test]
fn what_is_in_flight_passes_to_the_next_life_of_the_same_worker() {
    let world = World::new(4);
    world.stop_at(9);
    assert_eq!(world.life(u64::MAX, tame), Some(STOPPED));
    assert!(world.continued(tame).is_ok());
    let told = world.told_records();
    let stored = world.stored();
    assert_eq!(told, stored[stored.len() - told.len()..]);
    assert_eq!(told[0].entry, Entry::Resumed);
    assert_eq!(told[1].entry, Entry::Continued);
}

#[test]
fn a_refusal_passes_to_the_next_life_of_the_same_worker() {
    let world = World::new(4);
    world.stop_at(9);
    assert_eq!(world.life(u64::MAX, tame), Some(STOPPED));
    world.sim.fail_writes_after(0, StoreError::Full);
    let full = Halt::from(StoreError::Full);
    assert_eq!(world.continued(tame), Err(Failure::Halt(full)));
    assert_eq!(world.sim.refused_at(), Some(world.sim.ticks()));
}

#[test]
fn what_was_written_and_kept_is_still_known_in_the_next_life_of_the_same_worker() {
    let world = World::new(4);
    assert!(world.life(u64::MAX, tame).unwrap().is_ok());
    let journal = world.journal.take().unwrap();
    let (written, kept) = (journal.written_bytes(), journal.stored_bodies());
    assert!(written > 1_000 && kept.len() == 2, "{written} {kept:?}");
    let next = journal.next_life();
    assert_eq!(
        (next.written_bytes(), next.stored_bodies()),
        (written, kept)
    );
}

#[test]
fn a_slow_step_may_be_stopped_any_number_of_times() {
    let run = |ctx: Ctx, world: Rc<World>| async move {
        let slow = Toy::new(&world, Class::Safe, Does::Stream(30), "slow");
        ctx.step("slow", slow).await
    };
    let world = World::new(4);
    world.stop_at(12);
    assert_eq!(world.life(u64::MAX, run), Some(STOPPED));
    for _ in 0..14 {
        world.stop_at(12);
        assert_eq!(world.continued(run), STOPPED);
    }
    let intents = |world: &World| {
        let stored = world.stored();
        let intent = |record: &&Record| matches!(record.entry, Entry::Intent { .. });
        stored.iter().filter(intent).count()
    };
    assert_eq!(intents(&world), 15);
    // A life that was cut off counts, even if the user stopped other lives in the same step.
    assert_eq!(world.life(0, run), None);
    let host = world.host();
    world.sim.life(u64::MAX, async {
        let journal = world.open(&host).await.unwrap();
        journal.mark(&Path::root(), Entry::Continued);
        journal.flushed().await.unwrap();
    });
    for _ in 0..10 {
        assert_eq!(world.life(12, run), None);
    }
    let path = Path::root().child("slow");
    let exhausted = Err(Failure::Halt(Halt::Exhausted { path }));
    assert_eq!(world.life(u64::MAX, run), Some(exhausted));
    assert_eq!(intents(&world), 25);
}
