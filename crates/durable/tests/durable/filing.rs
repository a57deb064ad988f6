//! Filing: the archive contains the journal from its first batch on, and the intent of an effect is
//! in the archive before the effect begins.

use super::kills::{assert_life_was_honest, has_cut_off_act};
use super::toys::{Failure, World, tame, wild};
use gloss_durable::{Class, Halt, StoreError};
use std::rc::Rc;

fn filing(seed: u64) -> Rc<World> {
    let world = World::new(seed);
    world.files.set(true);
    world
}

fn denied() -> StoreError {
    StoreError::Denied {
        message: "no session".to_owned(),
    }
}

#[test]
fn a_run_killed_at_any_tick_goes_on_from_both_tiers() {
    for seed in 0..6 {
        let expected = filing(seed);
        let answer = expected.life(u64::MAX, tame).unwrap();
        for kill_at in 0..expected.sim.ticks() {
            let world = filing(seed);
            assert_eq!(world.life(kill_at, tame), None);
            assert_eq!(world.life(u64::MAX, tame).unwrap(), answer, "{kill_at}");
            assert_life_was_honest(&world);
        }
    }
}

#[test]
fn what_is_filed_has_no_gap_and_leaves_the_newest_batch_in_the_session() {
    for seed in 0..6 {
        let whole = filing(seed);
        whole.life(u64::MAX, wild).unwrap().unwrap();
        for kill_at in 0..whole.sim.ticks() {
            let world = filing(seed);
            assert_eq!(world.life(kill_at, wild), None);
            let filed = world.sim.archived();
            let numbers = filed.iter().map(|batch| batch.number);
            assert!(numbers.eq(0..filed.len() as u64), "{kill_at}");
            let all = world.sim.batches();
            let newest = all.last().map(|batch| batch.number);
            let hot = world.sim.session();
            assert_eq!(hot.last().map(|batch| batch.number), newest, "{kill_at}");
        }
    }
}

#[test]
fn a_session_that_ends_at_any_tick_repeats_no_act_unasked() {
    let (mut unknown, mut same) = (0, 0);
    for seed in 0..10 {
        let expected = filing(seed);
        let answer = expected.life(u64::MAX, wild).unwrap();
        for kill_at in 0..expected.sim.ticks() {
            let world = filing(seed);
            assert_eq!(world.life(kill_at, wild), None);
            world.sim.end_session();
            let cut_off = has_cut_off_act(&world.stored());
            let second = world.life(u64::MAX, wild).unwrap();
            assert_life_was_honest(&world);
            if cut_off {
                let halted = matches!(second, Err(Failure::Halt(Halt::Unknown { .. })));
                assert!(halted, "{kill_at}: {second:?}");
                unknown += 1;
            } else {
                assert_eq!(second, answer, "{kill_at}");
                same += 1;
            }
        }
    }
    assert!(unknown > 20 && same > 100, "{unknown} {same}");
}

#[test]
fn without_a_session_a_run_goes_on_in_memory_but_acts_no_more() {
    let whole = World::new(1);
    let answer = whole.life(u64::MAX, tame).unwrap();
    let mut refused = 0;
    for n in 1..whole.sim.writes() {
        let world = World::new(1);
        world.sim.deny_session_after(n);
        assert_eq!(world.life(u64::MAX, tame).unwrap(), answer, "{n}");
        let world = World::new(1);
        world.sim.deny_session_after(n);
        if let Err(ended) = world.life(u64::MAX, wild).unwrap() {
            assert_eq!(ended, Failure::Halt(denied().into()), "{n}");
            refused += 1;
        }
        let stored = world.stored();
        for (class, _, path) in world.done.borrow().iter() {
            let recorded = stored.iter().any(|record| record.path == *path);
            assert!(*class != Class::External || recorded, "{n}: {path}");
        }
    }
    assert!(refused > 2, "{refused}");
}

#[test]
fn without_a_session_a_run_goes_on_in_the_archive_and_acts() {
    let whole = filing(1);
    let answer = whole.life(u64::MAX, wild).unwrap();
    for n in 1..whole.sim.writes() {
        let world = filing(1);
        world.sim.deny_session_after(n);
        assert_eq!(world.life(u64::MAX, wild).unwrap(), answer, "{n}");
        assert!(world.sim.refused_at().is_some(), "{n}");
        // The archive contains every record, so a later life performs no effect.
        world.sim.heal_storage();
        assert_eq!(world.life(u64::MAX, wild).unwrap(), answer, "{n}");
        assert_eq!(world.begun.borrow().len(), 0, "{n}");
    }
}

#[test]
fn an_act_begins_in_no_run_whose_archive_was_given_up_after_its_session() {
    let whole = filing(1);
    whole.life(u64::MAX, wild).unwrap().unwrap();
    let (mut refused, mut acted) = (0, 0);
    for n in 1..whole.sim.writes() {
        for tick in 0..whole.sim.ticks() {
            let world = filing(1);
            world.sim.deny_session_after(n);
            let hooked = world.clone();
            world.sim.at_tick(tick, move || {
                if let Some(journal) = hooked.journal.borrow().as_ref() {
                    journal.stop_filing();
                }
            });
            if let Err(ended) = world.life(u64::MAX, wild).unwrap() {
                assert_eq!(ended, Failure::Halt(denied().into()), "{n} {tick}");
                refused += 1;
            }
            let stored = world.stored();
            for (class, _, path) in world.done.borrow().iter() {
                let recorded = stored.iter().any(|record| record.path == *path);
                assert!(*class != Class::External || recorded, "{n} {tick}: {path}");
                acted += usize::from(*class == Class::External);
            }
        }
    }
    assert!(refused > 50 && acted > 50, "{refused} {acted}");
}
