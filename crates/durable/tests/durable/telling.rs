//! The events that the listener gets, and the times at which it gets them.

use super::toys::{Does, Toy, World, tame};
use gloss_durable::{Class, Ctx, Entry, JournalEvent, Path};
use std::cell::Cell;
use std::rc::Rc;

#[test]
fn a_record_is_told_only_after_it_landed() {
    for seed in 0..10 {
        let world = World::new(seed);
        world.checks_told.set(true);
        for kill_at in [10, 20, u64::MAX] {
            world.life(kill_at, tame);
        }
        assert_eq!(world.told_records().last(), world.stored().last());
    }
}

#[test]
fn deltas_follow_their_intent_in_order_and_without_a_gap() {
    for seed in 0..20 {
        let world = World::new(seed);
        world.life(u64::MAX, tame);
        let (mut open, mut deltas) = (None, 0);
        for told in world.told.borrow().iter() {
            match told {
                JournalEvent::Record(record) if matches!(record.entry, Entry::Intent { .. }) => {
                    open = Some((record.seq, 0));
                }
                JournalEvent::Record(_) => {}
                JournalEvent::Delta {
                    intent,
                    offset,
                    text,
                } => {
                    let (seq, end) = open.unwrap();
                    assert_eq!((*intent, *offset), (seq, end));
                    open = Some((seq, end + text.len()));
                    deltas += 1;
                }
            }
        }
        assert_eq!(deltas, 4);
    }
}

#[test]
fn replayed_steps_tell_nothing() {
    let world = World::new(0);
    world.life(u64::MAX, tame);
    world.life(u64::MAX, tame);
    let told = world.told.borrow();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(matches!(&told[0], JournalEvent::Record(record) if record.entry == Entry::Resumed));
}

#[test]
fn a_life_tells_in_order_what_it_did_not_find() {
    for kill_at in 0..40 {
        let world = World::new(2);
        world.life(kill_at, tame);
        world.life(u64::MAX, tame);
        let found = world.found.borrow().len() as u64;
        let told = world.told_records();
        let numbers: Vec<u64> = told.iter().map(|record| record.seq).collect();
        let expected: Vec<u64> = (found..found + told.len() as u64).collect();
        assert_eq!(numbers, expected);
    }
}

#[test]
fn a_mark_made_while_a_step_waits_is_told_at_once() {
    let world = World::new(0);
    let (send, receive) = futures::channel::oneshot::channel::<()>();
    let heard = Rc::new(Cell::new(false));
    let (marks, looks) = (world.clone(), world.clone());
    let told = heard.clone();
    let note = || Entry::Note {
        topic: "meanwhile".to_owned(),
        body: 1.into(),
    };
    world.sim.at_tick(10, move || {
        let journal = marks.journal.borrow().clone().unwrap();
        journal.mark(&Path::root().child("aside"), note());
    });
    world.sim.at_tick(20, move || {
        let records = looks.told_records();
        told.set(records.iter().any(|record| record.entry == note()));
        send.send(()).unwrap();
    });
    let receive = Rc::new(Cell::new(Some(receive)));
    let waits = |ctx: Ctx, world: Rc<World>| async move {
        let step = ctx.step("one", Toy::new(&world, Class::Safe, Does::Stream(1), "a"));
        let answer = step.await?;
        let waiting = super::toys::Waits(receive.take().unwrap());
        ctx.step("two", waiting).await?;
        Ok(answer)
    };
    assert!(world.life(u64::MAX, waits).unwrap().is_ok());
    assert!(heard.get(), "told only when something else happened");
}
