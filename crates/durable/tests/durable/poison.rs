//! The first write that fails ends the drive, and no effect is performed after it.

use super::toys::{Does, Failure, Toy, World, tame, wild};
use futures::future::join_all;
use gloss_durable::{Class, Ctx, Halt, StoreError};
use std::rc::Rc;

const FULL: Failure = Failure::Halt(Halt::Store {
    source: StoreError::Full,
});

/// Asserts that the run halted in the tick in which the write was refused, and began no effect
/// afterwards.
fn assert_halted_at_once(world: &World) {
    let refused_at = world.sim.refused_at().unwrap();
    assert_eq!(world.sim.ticks(), refused_at, "the run went on");
    assert!(
        world.last_begun_at.get() < refused_at,
        "an effect was begun"
    );
}

#[test]
fn the_first_refused_batch_halts_the_run_and_nothing_is_begun_after_it() {
    for seed in 0..20 {
        let unhurt = World::new(seed);
        let answer = unhurt.life(u64::MAX, wild).unwrap();
        for refused in 0..unhurt.sim.writes() {
            let world = World::new(seed);
            world.sim.fail_writes_after(refused, StoreError::Full);
            let life = world.life(u64::MAX, wild).unwrap();
            assert_eq!(life, Err(FULL), "{seed} {refused}");
            assert_halted_at_once(&world);
            // Once storage accepts writes again, the run ends with the same answer. If an External
            // effect was cut off, the run reports that its outcome is unknown.
            world.sim.heal_storage();
            match world.life(u64::MAX, wild).unwrap() {
                Err(Failure::Halt(Halt::Unknown { .. })) => {}
                ended => assert_eq!(ended, answer),
            }
        }
    }
}

#[test]
fn a_refused_batch_before_one_that_landed_leaves_a_journal_that_goes_on() {
    for seed in 0..20 {
        let unhurt = World::new(seed);
        let answer = unhurt.life(u64::MAX, tame).unwrap();
        for refused in 1..unhurt.sim.writes() {
            let world = World::new(seed);
            world.sim.fail_one_write(refused, StoreError::Full);
            let life = world.life(u64::MAX, tame).unwrap();
            assert_eq!(life, Err(FULL), "{seed} {refused}");
            // The next lives are killed early; the last one ends.
            for kill_at in [1, 2, 3, 6] {
                world.life(kill_at, tame);
            }
            let ended = world.life(u64::MAX, tame).unwrap();
            assert_eq!(ended, answer, "{seed} {refused}");
        }
    }
}

async fn large_in_parallel(ctx: Ctx, world: Rc<World>) -> Result<String, Halt> {
    let branches = (0..4).map(|place| {
        let (ctx, world) = (ctx.at(place), world.clone());
        async move {
            for turn in 0..3 {
                let class = [Class::Safe, Class::Keyed, Class::External][turn];
                let does = if place == 0 { Does::Big } else { Does::Say };
                let toy = Toy::new(&world, class, does, &format!("{place}/{turn}"));
                ctx.step(turn, toy).await?;
            }
            Ok(())
        }
    });
    let ended: Result<Vec<()>, Halt> = join_all(branches).await.into_iter().collect();
    ended.map(|_| "done".to_owned())
}

#[test]
fn a_refused_body_halts_the_parallel_branches_too() {
    for seed in 0..40 {
        let world = World::new(seed);
        world.sim.fail_blobs_after(0, StoreError::Full);
        let life = world.life(u64::MAX, large_in_parallel).unwrap();
        assert_eq!(life, Err(FULL), "{seed}");
        assert_halted_at_once(&world);
    }
}

#[test]
fn denied_storage_halts_before_anything_is_done() {
    let world = World::new(0);
    world.sim.deny_storage("policy");
    let life = world.life(u64::MAX, tame).unwrap();
    let denied = StoreError::Denied {
        message: "policy".to_owned(),
    };
    assert_eq!(life, Err(Failure::Halt(denied.into())));
    assert_eq!(world.begun.borrow().len(), 0);
}

#[test]
fn a_run_that_overlooks_a_refusal_begins_nothing_more() {
    let overlooks = |ctx: Ctx, world: Rc<World>| async move {
        let large = Toy::new(&world, Class::Safe, Does::Big, "large");
        let refused = ctx.step("large", large).await;
        assert!(refused.is_err());
        ctx.step("next", Toy::safe(&world, "next")).await
    };
    let world = World::new(0);
    world.sim.fail_blobs_after(0, StoreError::Full);
    assert_eq!(world.life(u64::MAX, overlooks), Some(Err(FULL)));
    assert_halted_at_once(&world);
    assert_eq!(world.begun.borrow().len(), 1);
}
