//! Large bodies with a database that refuses requests or never answers.

use super::toys::{Failure, World, tame};
use gloss_durable::{Halt, StoreError};

#[test]
fn a_body_that_is_denied_or_not_answered_for_stays_in_its_record() {
    let whole = World::new(1);
    let answer = whole.life(u64::MAX, tame).unwrap();
    assert_eq!(whole.sim.blob_hashes().len(), 1);
    let hang: fn(&World) = |world| world.sim.hang_archive();
    let deny: fn(&World) = |world| {
        let message = "no".to_owned();
        world
            .sim
            .fail_blobs_after(0, StoreError::Denied { message });
    };
    for fault in [hang, deny] {
        for kill_at in 0..whole.sim.ticks() {
            let world = World::new(1);
            fault(&world);
            world.life(kill_at, tame);
            assert_eq!(world.life(u64::MAX, tame).unwrap(), answer, "{kill_at}");
            assert_eq!(world.sim.blob_hashes(), Vec::<String>::new());
            let kept = world.journal.take().unwrap().stored_bodies();
            assert_eq!(kept, [], "{kill_at}");
            // Session storage contains every record, so a later life performs no effect.
            assert_eq!(world.life(u64::MAX, tame).unwrap(), answer, "{kill_at}");
            assert_eq!(world.begun.borrow().len(), 0, "{kill_at}");
        }
    }
}

#[test]
fn a_body_that_is_not_given_back_halts_the_run_until_it_is() {
    let world = World::new(1);
    let answer = world.life(u64::MAX, tame).unwrap();
    world.sim.hang_archive();
    let source = StoreError::Denied {
        message: "the database does not respond".to_owned(),
    };
    let halted = Err(Failure::Halt(Halt::Store { source }));
    assert_eq!(world.life(u64::MAX, tame).unwrap(), halted);
    assert_eq!(world.begun.borrow().len(), 0);
    world.sim.heal_storage();
    assert_eq!(world.life(u64::MAX, tame).unwrap(), answer);
}
