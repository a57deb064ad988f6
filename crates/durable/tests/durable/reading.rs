//! Journals that are damaged, incomplete, or written by another version.

use super::toys::{Failure, World, facts, run_id, tame, wild};
use gloss_durable::{Halt, RunId, StoredBatch, Unreadable, read_batches};
use quickcheck::quickcheck;
use std::rc::Rc;

fn ended(seed: u64) -> Rc<World> {
    let world = World::new(seed);
    world.life(u64::MAX, tame).unwrap().unwrap();
    world
}

fn is_corrupt(life: Option<&Result<String, Failure>>) -> bool {
    matches!(life, Some(Err(Failure::Unreadable(Unreadable::Corrupt(_)))))
}

#[test]
fn a_batch_truncated_anywhere_is_reported_as_corrupt() {
    let world = ended(0);
    let whole = world.sim.batches()[2].records.clone();
    for length in (0..whole.len()).filter(|length| whole.is_char_boundary(*length)) {
        world
            .sim
            .damage(&run_id(), 2, |_| Some(whole[..length].to_owned()));
        assert!(is_corrupt(world.life(u64::MAX, tame).as_ref()), "{length}");
    }
}

quickcheck! {
    fn a_batch_with_any_byte_changed_never_panics_and_never_acts_unseen(place: usize, byte: u8) -> bool {
        let world = ended(1);
        let number = (place % world.sim.batches().len()) as u64;
        let did = world.done.borrow().len();
        let before = world.sim.batches();
        world.sim.damage(&run_id(), number, |records| {
            let mut bytes = records.into_bytes();
            let place = place % bytes.len();
            bytes[place] = 32 + byte % 95;
            String::from_utf8(bytes).ok()
        });
        let changed = world.sim.batches() != before;
        match world.life(u64::MAX, tame) {
            Some(Ok(_)) => !changed,
            Some(Err(Failure::Unreadable(_))) => changed && world.done.borrow().len() == did,
            Some(Err(Failure::Halt(_))) | None => false,
        }
    }

    fn no_stored_text_makes_reading_panic(texts: Vec<String>) -> bool {
        let batches = texts.into_iter().enumerate().map(|(number, records)| StoredBatch {
            run: run_id(),
            number: number as u64,
            records,
        });
        read_batches(batches.collect()).values().all(Result::is_err)
    }
}

#[test]
fn a_newer_format_is_named_even_if_the_rest_is_unknown() {
    let world = ended(0);
    world.sim.damage(&run_id(), 1, |_| {
        Some(r#"[{"v":3,"seq":1,"soul":{"deep":true}}]"#.to_owned())
    });
    let newer = Failure::Unreadable(Unreadable::Newer(3));
    assert_eq!(world.life(u64::MAX, tame), Some(Err(newer)));
}

#[test]
fn an_entry_of_an_unknown_kind_is_corrupt() {
    let world = ended(0);
    world.sim.damage(&run_id(), 1, |_| {
        Some(r#"[{"v":1,"seq":1,"path":"","at_ms":0,"entry":"dreamt"}]"#.to_owned())
    });
    assert!(is_corrupt(world.life(u64::MAX, tame).as_ref()));
}

#[test]
fn an_unknown_field_is_skipped() {
    let world = ended(0);
    let answer = world.life(u64::MAX, tame);
    let known = world.stored();
    let count = world.sim.batches().len() as u64;
    for number in 0..count {
        world.sim.damage(&run_id(), number, |records| {
            // The other version of Gloss writes its own checksum.
            let (_, json) = records.split_once('\n').unwrap();
            Some(json.replace("{\"v\":1,", "{\"v\":1,\"mood\":[1,{\"a\":null}],"))
        });
    }
    assert!(world.sim.batches()[1].records.contains("mood"));
    assert_eq!(world.stored(), known);
    assert_eq!(world.life(u64::MAX, tame), answer);
}

#[test]
fn batches_may_be_loaded_in_any_order_and_other_runs_between_them() {
    let world = ended(2);
    let mut batches = world.sim.batches();
    let other = StoredBatch {
        run: RunId("other".to_owned()),
        number: 0,
        records: "[".to_owned(),
    };
    batches.insert(1, other);
    batches.reverse();
    let mut runs = read_batches(batches);
    assert!(runs.remove(&RunId("other".to_owned())).unwrap().is_err());
    let (next, records) = runs.remove(&run_id()).unwrap().unwrap();
    assert_eq!(records, world.stored());
    assert_eq!(next as usize, world.sim.batches().len());
}

#[test]
fn a_run_that_lost_a_batch_in_the_middle_goes_on_before_it() {
    let expected = ended(3);
    for lost in 1..expected.sim.batches().len() as u64 {
        let world = ended(3);
        world.sim.damage(&run_id(), lost, |_| None);
        let kept = world.stored().len();
        assert!(kept < expected.stored().len());
        // The tail stays in storage and must not mix with new batches.
        for kill_at in [1, 2, 4] {
            world.life(kill_at, tame);
        }
        assert!(world.life(u64::MAX, tame).unwrap().is_ok(), "{lost}");
        assert_eq!(facts(&world.stored()), facts(&expected.stored()));
    }
}

#[test]
fn a_run_that_lost_what_came_before_an_act_on_the_world_is_not_taken_up() {
    let world = World::new(3);
    world.life(u64::MAX, wild).unwrap().unwrap();
    world.sim.damage(&run_id(), 1, |_| None);
    let did = world.done.borrow().len();
    assert!(is_corrupt(world.life(u64::MAX, wild).as_ref()));
    assert_eq!(world.done.borrow().len(), did);
}

#[test]
fn a_run_without_its_first_batch_is_corrupt() {
    let world = ended(3);
    world.sim.damage(&run_id(), 0, |_| None);
    assert!(is_corrupt(world.life(u64::MAX, tame).as_ref()));
}

#[test]
fn two_batches_that_overlap_are_corrupt() {
    let world = ended(3);
    let first = world.sim.batches()[0].records.clone();
    world.sim.damage(&run_id(), 1, |_| Some(first.clone()));
    assert!(is_corrupt(world.life(u64::MAX, tame).as_ref()));
}

#[test]
fn a_lost_body_is_an_error_of_its_step() {
    let world = ended(3);
    for hash in world.sim.blob_hashes() {
        world.sim.lose_blob(&hash);
    }
    let life = world.life(u64::MAX, tame).unwrap();
    let Err(Failure::Halt(Halt::Unreadable { path, .. })) = life else {
        panic!("{life:?}");
    };
    assert_eq!(path.as_str(), "page");
}
