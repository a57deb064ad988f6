//! What two machines know, made one.

use super::facts::Facts;
use super::tests::{DAY, draft, hobby, keep};
use super::{Fact, Tier, export};
use quickcheck::quickcheck;

/// A few things that may happen to what is known on one machine.
fn lived(mut facts: Facts, deeds: &[(u8, u8)], machine: &str, from: u64) -> Facts {
    for (at, (deed, n)) in deeds.iter().enumerate() {
        let now_ms = (from + at as u64) * DAY;
        let fact = |facts: &Facts| {
            facts
                .all()
                .get(usize::from(*n) % facts.all().len().max(1))
                .map(|it| it.id.clone())
        };
        match (deed % 5, fact(&facts)) {
            (0, Some(id)) => facts.forget(&id, now_ms),
            (1, Some(id)) => facts.pin(&id, n % 2 == 0, now_ms),
            (2, Some(id)) => {
                let _ = facts.write(&id, &draft(&hobby(usize::from(*n))), now_ms);
            }
            _ => {
                keep(
                    &mut facts,
                    &format!("{machine}{at}"),
                    now_ms,
                    &hobby(usize::from(*n)),
                );
            }
        }
    }
    facts
}

fn content(facts: &Facts) -> Vec<Fact> {
    facts.all().to_vec()
}

quickcheck! {
    fn two_machines_come_to_the_same_whoever_merges_first(
        shared: Vec<(u8, u8)>,
        one: Vec<(u8, u8)>,
        other: Vec<(u8, u8)>
    ) -> bool {
        let now_ms = 100 * DAY;
        let cut = |deeds: Vec<(u8, u8)>| deeds.into_iter().take(6).collect::<Vec<_>>();
        // Both know the same at first: then one edits what the other erases.
        let mut begun = Facts::default();
        let first = lived(Facts::default(), &cut(shared), "s", 1);
        begun.merge(first.to_sync(), 10 * DAY);
        let one = lived(begun.clone(), &cut(one), "a", 11);
        let other = lived(begun, &cut(other), "b", 11);
        let bare = |mut facts: Facts| {
            for fact in &mut facts.known {
                fact.source.conversations.clear();
            }
            facts
        };
        let (one, other) = (bare(one), bare(other));
        let mut first = one.clone();
        first.merge(other.to_sync(), now_ms);
        let mut second = other.clone();
        second.merge(one.to_sync(), now_ms);
        let mut again = first.clone();
        again.merge(other.to_sync(), now_ms);
        again.merge(second.to_sync(), now_ms);
        content(&first) == content(&second) && content(&again) == content(&first)
    }

    fn a_tier_never_holds_more_than_it_has_room_for(said: Vec<(u8, u8)>) -> bool {
        let facts = lived(Facts::default(), &said, "a", 1);
        Tier::ALL.iter().all(|tier| facts.count(*tier) <= tier.most())
    }
}

#[test]
fn what_happened_last_holds_though_the_other_machines_clock_is_ahead() {
    let mut ahead = Facts::default();
    keep(&mut ahead, "a", 9 * DAY, "The user enjoys chess");
    let id = ahead.all()[0].id.clone();
    let begun = {
        let mut here = Facts::default();
        here.merge(ahead.to_sync(), DAY);
        here
    };
    let merged = |mut here: Facts| {
        here.merge(ahead.to_sync(), 2 * DAY);
        here
    };
    // Erased, taken back, edited, unpinned and read in: each a day after, by the clock here.
    let mut erased = begun.clone();
    erased.forget(&id, DAY);
    assert_eq!(merged(erased.clone()).all(), []);
    let mut undone = begun.clone();
    undone.undo(&id, DAY);
    assert_eq!(merged(undone).all(), []);
    let mut edited = begun.clone();
    edited
        .write(&id, &draft("The user enjoys baking"), DAY)
        .expect("written");
    assert_eq!(merged(edited).all()[0].content, "The user enjoys baking");
    let mut pinned = begun;
    pinned.pin(&id, true, DAY);
    assert!(merged(pinned).all()[0].pinned);
    let mut read_in = erased.clone();
    read_in.import(&export(&ahead), DAY).expect("a file");
    read_in.merge(erased.to_sync(), 2 * DAY);
    assert_eq!(read_in.all().len(), 1);
}
