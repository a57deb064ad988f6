//! A run that is killed at any point ends like a run that is never killed.

use super::toys::{Does, Failure, Toy, World, facts, finished, tame, wild};
use futures::future::join_all;
use gloss_durable::{Class, Ctx, Entry, Halt, Path, Record};
use quickcheck::quickcheck;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The results of a run that is never killed.
struct Unkilled {
    answer: String,
    facts: BTreeSet<String>,
    ticks: u64,
}

fn unkilled(seed: u64) -> Unkilled {
    let world = World::new(seed);
    let answer = world.life(u64::MAX, tame).unwrap().unwrap();
    Unkilled {
        answer,
        facts: facts(&world.stored()),
        ticks: world.sim.ticks(),
    }
}

/// Asserts what must be true after every life, even if the life was killed.
pub(super) fn assert_life_was_honest(world: &World) {
    let begun = world.begun.borrow();
    let known = finished(&world.found.borrow());
    assert!(begun.iter().all(|path| !known.contains(path)), "done again");
    let distinct: BTreeSet<&Path> = begun.iter().collect();
    assert_eq!(distinct.len(), begun.len(), "done twice in one life");
    let mut keys: BTreeMap<(&str, &str), BTreeSet<&Path>> = BTreeMap::new();
    let done = world.done.borrow();
    for (class, asks, key) in done.iter() {
        match class {
            Class::Safe => {}
            Class::Keyed => {
                let keys = keys.entry((asks, "keyed")).or_default();
                keys.insert(key);
                assert_eq!(keys.len(), 1, "repeated under another key");
            }
            Class::External => {
                let first = keys.entry((asks, "external")).or_default().insert(key);
                assert!(first, "an external effect was repeated");
            }
        }
    }
}

/// Asserts that the records that this life found, together with those passed to the listener, are
/// the records in the store.
fn assert_told_all(world: &World) {
    let mut seen = world.found.borrow().clone();
    seen.extend(world.told_records());
    assert_eq!(seen, world.stored());
}

/// Runs lives that are killed at `kills`, and a last one. Asserts that the last one ends like
/// `expected`. Returns the number of killed lives.
fn ends_the_same(seed: u64, kills: &[u64], expected: &Unkilled) -> u64 {
    let world = World::new(seed);
    let mut deaths = 0;
    for kill_at in kills {
        let killed = world.life(*kill_at, tame).is_none();
        deaths += u64::from(killed);
        assert_life_was_honest(&world);
    }
    let answer = world.life(u64::MAX, tame).unwrap();
    assert_life_was_honest(&world);
    assert_told_all(&world);
    assert_eq!(answer.as_ref(), Ok(&expected.answer), "{seed} {kills:?}");
    assert_eq!(facts(&world.stored()), expected.facts, "{seed} {kills:?}");
    deaths
}

#[test]
fn a_run_killed_at_any_tick_ends_as_the_unkilled_one() {
    let mut deaths = 0;
    for seed in 0..40 {
        let expected = unkilled(seed);
        for kill_at in 0..expected.ticks {
            deaths += ends_the_same(seed, &[kill_at], &expected);
        }
    }
    println!("{deaths} deaths");
    assert!(deaths > 1_500, "{deaths}");
}

#[test]
fn a_run_killed_at_any_two_ticks_ends_as_the_unkilled_one() {
    let expected = unkilled(3);
    let mut deaths = 0;
    for first in 0..expected.ticks {
        for second in 0..expected.ticks {
            deaths += ends_the_same(3, &[first, second], &expected);
        }
    }
    println!("{deaths} deaths");
    assert!(deaths > 1_000, "{deaths}");
}

quickcheck! {
    fn a_run_killed_any_number_of_times_ends_as_the_unkilled_one(seed: u64, kills: Vec<u8>) -> bool {
        let kills: Vec<u64> = kills.iter().take(8).map(|kill| u64::from(*kill) % 50).collect();
        let expected = unkilled(seed);
        ends_the_same(seed, &kills, &expected);
        true
    }
}

/// Returns true if an intent of class External has no outcome.
pub(super) fn has_cut_off_act(records: &[Record]) -> bool {
    let known = finished(records);
    records.iter().any(|record| match record.entry {
        Entry::Intent { class, .. } => class == Class::External && !known.contains(&record.path),
        _ => false,
    })
}

#[test]
fn an_external_effect_cut_off_by_a_kill_is_unknown_and_never_repeated() {
    let (mut unknown, mut same) = (0, 0);
    for seed in 0..20 {
        let expected = World::new(seed);
        let answer = expected.life(u64::MAX, wild).unwrap();
        for kill_at in 0..expected.sim.ticks() {
            let world = World::new(seed);
            assert_eq!(world.life(kill_at, wild), None);
            let cut_off = has_cut_off_act(&world.stored());
            let second = world.life(u64::MAX, wild).unwrap();
            assert_life_was_honest(&world);
            if cut_off {
                let halted = matches!(second, Err(Failure::Halt(Halt::Unknown { .. })));
                assert!(halted, "{second:?}");
                unknown += 1;
            } else {
                assert_eq!(second, answer);
                same += 1;
            }
            // The third life doesn't repeat the effect either.
            let third = world.life(u64::MAX, wild).unwrap();
            assert_life_was_honest(&world);
            assert_eq!(third.is_err(), cut_off);
        }
    }
    println!("{unknown} unknown, {same} the same");
    assert!(unknown > 50 && same > 50, "{unknown} {same}");
}

#[test]
fn time_may_jump_back_between_two_lives() {
    let expected = unkilled(1);
    let world = World::new(1);
    world.life(expected.ticks / 2, tame);
    world.sim.jump_clock(-86_400_000);
    let answer = world.life(u64::MAX, tame).unwrap();
    assert_eq!(answer, Ok(expected.answer));
}

#[test]
fn a_run_that_ended_is_told_again_without_doing_anything() {
    let world = World::new(5);
    let first = world.life(u64::MAX, wild).unwrap();
    let did = world.done.borrow().len();
    assert_eq!(world.life(u64::MAX, wild), Some(first));
    assert_eq!(world.done.borrow().len(), did);
    assert_eq!(world.begun.borrow().len(), 0);
}

#[test]
fn a_kill_drops_what_is_in_flight() {
    // If the simulator killed nothing, the assertions above would also succeed.
    let dropped: usize = (5..15)
        .map(|kill_at| {
            let world = World::new(9);
            world.life(kill_at, tame);
            world.dropped.borrow().len()
        })
        .sum();
    assert!(dropped > 5, "{dropped}");
}

#[test]
fn forty_branches_that_wait_for_their_barriers_are_each_woken() {
    // `join_all` gives each branch its own waker if there are more than thirty futures.
    let wide = |ctx: Ctx, world: Rc<World>| async move {
        let branches = (0..40).map(|place| {
            let toy = Toy::new(&world, Class::Keyed, Does::Say, &place.to_string());
            let ctx = ctx.clone();
            async move { ctx.step(place, toy).await }
        });
        let answers: Result<Vec<String>, Halt> = join_all(branches).await.into_iter().collect();
        Ok(answers?.concat())
    };
    let world = World::new(0);
    let answer = world.life(u64::MAX, wide).unwrap();
    for kill_at in (0..world.sim.ticks()).step_by(7) {
        let world = World::new(kill_at);
        world.life(kill_at, wide);
        assert_eq!(world.life(u64::MAX, wide), Some(answer.clone()));
    }
}
