//! Replays whose requests match the records, and replays whose requests don't.

use super::toys::{Does, Failure, Toy, World};
use gloss_durable::{Call, Class, Ctx, Effect, Entry, Fingerprint, Fut, Halt, Path, Record};
use quickcheck::quickcheck;
use std::future::ready;
use std::rc::Rc;

/// The expected result of the second life in these tests.
fn diverged() -> Result<String, Failure> {
    let path = Path::root().child("one");
    Err(Failure::Halt(Halt::Diverged { path }))
}

/// Runs two lives with different code: the first must end, the second is tested.
macro_rules! lives {
    ($world:ident, $first:expr, $second:expr) => {{
        let run = |ctx: Ctx, $world: Rc<World>| async move { $first(ctx, &$world).await };
        assert!($world.life(u64::MAX, run).unwrap().is_ok());
        let run = |ctx: Ctx, $world: Rc<World>| async move { $second(ctx, &$world).await };
        $world.life(u64::MAX, run).unwrap()
    }};
}

async fn asks(ctx: Ctx, world: &Rc<World>, text: &str) -> Result<String, Halt> {
    ctx.step("one", Toy::safe(world, text)).await
}

#[expect(clippy::unused_async, reason = "a run is a future")]
async fn notes(ctx: Ctx, topic: &'static str, fact: u32) -> Result<String, Halt> {
    ctx.note("one", topic, &fact)?;
    Ok(String::new())
}

#[test]
fn a_changed_request_is_reported_and_never_answered() {
    let world = World::new(0);
    let life = lives!(world, |ctx, world| asks(ctx, world, "was"), |ctx, world| {
        asks(ctx, world, "is")
    });
    assert_eq!(life, diverged());
    assert_eq!(world.begun.borrow().len(), 0);
}

#[test]
fn another_effect_under_the_same_path_is_reported() {
    let world = World::new(0);
    let measure = |ctx: Ctx, _: &Rc<World>| async move {
        let measured = ctx.step("one", Measure(0.5)).await?;
        Ok(measured.to_string())
    };
    let life = lives!(world, |ctx, world| asks(ctx, world, "was"), measure);
    assert_eq!(life, diverged());
}

#[test]
fn a_changed_fact_is_reported() {
    for (topic, fact) in [("size", 2), ("weight", 1)] {
        let world = World::new(0);
        let life = lives!(
            world,
            |ctx, _: &Rc<World>| notes(ctx, "size", 1),
            |ctx, _: &Rc<World>| notes(ctx, topic, fact)
        );
        assert_eq!(life, diverged());
    }
}

#[test]
fn a_step_where_a_fact_was_and_a_fact_where_a_step_was_are_reported() {
    let world = World::new(0);
    let life = lives!(
        world,
        |ctx, _: &Rc<World>| notes(ctx, "size", 1),
        |ctx, world| asks(ctx, world, "is")
    );
    assert_eq!(life, diverged());
    assert_eq!(world.begun.borrow().len(), 0);
    let world = World::new(0);
    let life = lives!(world, |ctx, world| asks(ctx, world, "was"), |ctx,
                                                                    _: &Rc<
        World,
    >| notes(
        ctx, "size", 1
    ));
    assert_eq!(life, diverged());
}

#[test]
fn one_path_taken_twice_in_one_life_is_reported_in_both_lives() {
    let twice = |ctx: Ctx, world: Rc<World>| async move {
        asks(ctx.clone(), &world, "a").await?;
        asks(ctx, &world, "a").await
    };
    let world = World::new(0);
    let path = Path::root().child("one");
    let expected = Err(Failure::Halt(Halt::Twice { path }));
    for _ in 0..2 {
        assert_eq!(world.life(u64::MAX, twice), Some(expected.clone()));
    }
    assert_eq!(world.done.borrow().len(), 1);
}

#[test]
fn nested_places_keep_equal_names_apart() {
    let nested = |ctx: Ctx, world: Rc<World>| async move {
        let (a, b) = (ctx.at(1).at("x"), ctx.at(1).at("y"));
        let first = asks(a, &world, "a").await?;
        let second = asks(b, &world, "b").await?;
        Ok(first + &second + &asks(ctx, &world, "c").await?)
    };
    let world = World::new(0);
    for _ in 0..2 {
        let life = world.life(u64::MAX, nested);
        assert_eq!(life, Some(Ok("<a><b><c>".to_owned())));
    }
    let paths: Vec<String> = world
        .done
        .borrow()
        .iter()
        .map(|d| d.2.to_string())
        .collect();
    assert_eq!(paths, ["1/x/one", "1/y/one", "one"]);
}

#[test]
fn two_panics_at_one_path_fail_the_run_and_one_does_not() {
    let world = World::new(0);
    let run = |ctx: Ctx, world: Rc<World>| async move {
        let toy = Toy::new(&world, Class::Safe, Does::Stream(4), "a");
        ctx.at(1).step("one", toy).await
    };
    let path = Path::root().child(1).child("one");
    for panics in 1..=2 {
        assert_eq!(world.life(4, run), None);
        let journal = world.journal.take().unwrap();
        let elsewhere = Path::root().child(1).child("two");
        for (path, words) in [
            (&path, format!("boom {panics}")),
            (&elsewhere, "else".to_owned()),
        ] {
            journal.mark(path, Entry::Panicked { message: words });
        }
        world
            .sim
            .life(u64::MAX, journal.flushed())
            .unwrap()
            .unwrap();
        if panics == 1 {
            assert_eq!(world.life(3, run), None);
            assert!(!world.begun.borrow().is_empty(), "one panic is forgiven");
        }
    }
    let message = "boom 2".to_owned();
    let panicked = Err(Failure::Halt(Halt::Panicked { path, message }));
    assert_eq!(world.life(u64::MAX, run), Some(panicked));
    assert_eq!(world.begun.borrow().len(), 0);
}

#[test]
fn attempts_are_counted_over_all_lives() {
    let world = World::new(0);
    let run = |ctx: Ctx, world: Rc<World>| async move {
        let toy = Toy::new(&world, Class::Safe, Does::Stream(8), "a");
        ctx.step("one", toy).await
    };
    for kill_at in [6, 6, u64::MAX] {
        world.life(kill_at, run);
    }
    let attempt = |record: &Record| match record.entry {
        Entry::Intent { attempt, .. } => Some(attempt),
        _ => None,
    };
    let attempts: Vec<u32> = world.stored().iter().filter_map(attempt).collect();
    assert_eq!(attempts, [1, 2, 3]);
}

/// An effect whose outcome is any number.
struct Measure(f64);

impl Effect for Measure {
    type Outcome = f64;
    const KIND: &'static str = "measure";
    const CLASS: Class = Class::Safe;

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of("measure")
    }

    fn perform(self, _: Call) -> Fut<f64> {
        Box::pin(ready(self.0))
    }
}

quickcheck! {
    fn a_replay_sees_a_number_to_the_last_bit(number: f64) -> bool {
        let measure = |ctx: Ctx, _: Rc<World>| async move {
            let measured = ctx.step("one", Measure(number)).await?;
            ctx.note("fact", "number", &measured)?;
            Ok(format!("{:x}", measured.to_bits()))
        };
        let world = World::new(0);
        let first = world.life(u64::MAX, measure).unwrap();
        let replayed = world.life(u64::MAX, measure).unwrap();
        if number.is_finite() {
            first == replayed && first == Ok(format!("{:x}", number.to_bits()))
        } else {
            // JSON has no number for NaN and infinity, so the outcome is reported as unreadable.
            matches!(first, Err(Failure::Halt(Halt::Unreadable { .. })))
        }
    }
}
