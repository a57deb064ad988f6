//! What two machines know, made one.

use super::facts::Facts;
use super::likeness::{Essence, Likeness};
use super::tests::{DAY, draft, hobby, keep, known};
use super::{Fact, FactId, Loss, Tier, export};
use quickcheck::quickcheck;

/// What happens, and to which fact.
type Deeds = Vec<(u8, u8)>;

/// Of some things one may be so at a time.
fn said(n: u8) -> String {
    match n % 8 {
        0 => "The user lives in Berlin".to_owned(),
        1 => "Lives in Munich".to_owned(),
        2 => "Lives in Berlin, Germany".to_owned(),
        3 => "The user likes coffee".to_owned(),
        4 => "The user dislikes coffee".to_owned(),
        _ => hobby(usize::from(n)),
    }
}

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
                let _ = facts.write(&id, &draft(&said(*n)), now_ms);
            }
            _ => {
                keep(&mut facts, &format!("{machine}{at}"), now_ms, &said(*n));
            }
        }
    }
    facts
}

/// As other machines know it.
fn content(facts: &Facts) -> Vec<Fact> {
    facts.all().iter().map(Fact::shared).collect()
}

/// What both know at first, and what they do apart: the one edits what the other erases.
fn apart(shared: &[(u8, u8)], lives: &[&Vec<(u8, u8)>]) -> Vec<Facts> {
    let cut = |deeds: &[(u8, u8)]| deeds.iter().copied().take(6).collect::<Vec<_>>();
    let mut begun = Facts::default();
    let first = lived(Facts::default(), &cut(shared), "s", 1);
    begun.merge(first.to_sync(), 10 * DAY);
    let machines = lives.iter().zip(["a", "b", "c"]);
    let lived = machines.map(|(deeds, name)| lived(begun.clone(), &cut(deeds), name, 11));
    lived.collect()
}

fn of_no_conversation(mut facts: Facts) -> Facts {
    facts.known = content(&facts);
    facts
}

quickcheck! {
    fn two_machines_come_to_the_same_whoever_merges_first(
        shared: Vec<(u8, u8)>,
        one: Vec<(u8, u8)>,
        other: Vec<(u8, u8)>
    ) -> bool {
        let now_ms = 100 * DAY;
        let machines = apart(&shared, &[&one, &other]);
        let [one, other] = [0, 1].map(|at| of_no_conversation(machines[at].clone()));
        let mut first = one.clone();
        first.merge(other.to_sync(), now_ms);
        let mut second = other.clone();
        second.merge(one.to_sync(), now_ms);
        let mut again = first.clone();
        again.merge(other.to_sync(), now_ms);
        again.merge(second.to_sync(), now_ms);
        content(&first) == content(&second) && content(&again) == content(&first)
    }

    fn three_machines_come_to_the_same_in_whatever_order_they_look(
        shared: Vec<(u8, u8)>,
        lives: (Deeds, Deeds, Deeds),
        order: Vec<(u8, u8)>
    ) -> bool {
        let now_ms = 100 * DAY;
        let mut machines = apart(&shared, &[&lives.0, &lives.1, &lives.2]);
        let mut tell = |from: usize, to: usize| {
            let told = machines[from % 3].to_sync();
            machines[to % 3].merge(told, now_ms);
            machines.iter().map(content).collect::<Vec<_>>()
        };
        for (from, to) in order.into_iter().take(6) {
            tell(usize::from(from), usize::from(to));
        }
        for _ in 0..2 {
            for (from, to) in [(0, 1), (1, 2), (2, 0), (2, 1)] {
                tell(from, to);
            }
        }
        let known = tell(0, 1);
        known[0] == known[1] && known[1] == known[2]
    }

    fn no_two_facts_that_say_the_same_or_otherwise_stand_once_machines_have_merged(
        one: Vec<(u8, u8)>,
        other: Vec<(u8, u8)>
    ) -> bool {
        let mut machines = apart(&[], &[&one, &other]);
        let told = machines[1].to_sync();
        machines[0].merge(told, 100 * DAY);
        let all = machines[0].all();
        let said: Vec<(Essence, &Fact)> =
            all.iter().map(|fact| (Essence::of(&fact.content), fact)).collect();
        said.iter().enumerate().all(|(at, (one, fact))| {
            let mut others = said.iter().skip(at + 1);
            others.all(|(other, another)| match one.likeness(other) {
                Likeness::Apart => true,
                Likeness::Same => false,
                // What a model saved later, beside the person's own.
                Likeness::Otherwise => fact.is_the_persons() != another.is_the_persons(),
            })
        })
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
    read_in.import(&export(&ahead), "act", DAY).expect("a file");
    read_in.merge(erased.to_sync(), 2 * DAY);
    assert_eq!(read_in.all().len(), 1);
}

/// Both know what each was told, whoever asks first.
fn both(one: &Facts, other: &Facts, now_ms: u64) -> Facts {
    let (mut first, mut second) = (one.clone(), other.clone());
    first.merge(other.to_sync(), now_ms);
    second.merge(one.to_sync(), now_ms);
    assert_eq!(content(&first), content(&second));
    first
}

#[test]
fn what_two_machines_were_told_alike_stands_once() {
    let (mut here, mut there) = (Facts::default(), Facts::default());
    keep(&mut here, "a", 1, "Lives in Berlin, Germany");
    keep(&mut there, "b", 2, "The user lives in Berlin");
    here.pin(&FactId("a.0".to_owned()), true, 1);
    let merged = both(&here, &there, 3);
    // The later of them, in the words that say more.
    assert_eq!(known(&merged), ["Lives in Berlin, Germany"]);
    let fact = &merged.all()[0];
    assert_eq!(fact.id, FactId("b.0".to_owned()));
    assert!(fact.pinned && fact.created_at_ms == 1);
    assert_eq!(
        merged.lost().collect::<Vec<_>>(),
        [(&FactId("a.0".to_owned()), Loss::Replaced)]
    );
}

#[test]
fn of_what_two_machines_were_told_otherwise_the_later_holds_and_keeps_the_other() {
    let (mut here, mut there) = (Facts::default(), Facts::default());
    keep(&mut here, "a", 5 * DAY, "The user lives in Berlin");
    keep(&mut there, "b", 4 * DAY, "The user lives in Munich");
    let mut merged = both(&here, &there, 6 * DAY);
    assert_eq!(known(&merged), ["The user lives in Berlin"]);
    let replaced = merged.all()[0].replaced.clone().expect("a note");
    assert_eq!(replaced.content, "The user lives in Munich");
    // What comes late from where that was not known yet changes nothing.
    let before = content(&merged);
    merged.merge(there.to_sync(), 7 * DAY);
    merged.merge(here.to_sync(), 7 * DAY);
    assert_eq!(content(&merged), before);
    // Taken back, the other is known again, everywhere.
    merged.undo(&FactId("a.0".to_owned()), 8 * DAY);
    let merged = both(&merged, &there, 9 * DAY);
    assert_eq!(known(&merged), ["The user lives in Munich"]);
    // What was changed later than that is known again, too.
    let mut edited = there.clone();
    edited
        .write(&FactId("b.0".to_owned()), &draft("Lives in Oslo"), 10 * DAY)
        .expect("written");
    let merged = both(&both(&here, &there, 9 * DAY), &edited, 11 * DAY);
    assert_eq!(known(&merged), ["Lives in Oslo"]);
}

#[test]
fn what_the_person_pinned_or_wrote_gives_way_to_no_later_word_of_a_model_elsewhere() {
    let later = "The user lives in Munich";
    let mut there = Facts::default();
    keep(&mut there, "b", 5 * DAY, later);
    let told = {
        let mut here = Facts::default();
        keep(&mut here, "a", DAY, "The user lives in Berlin");
        here
    };
    let id = told.all()[0].id.clone();
    let mut pinned = told.clone();
    pinned.pin(&id, true, 2 * DAY);
    let mut edited = told;
    edited
        .write(&id, &draft("Lives in Oslo"), 2 * DAY)
        .expect("written");
    let mut typed = Facts::default();
    typed
        .write(&id, &draft("Lives in Oslo"), 2 * DAY)
        .expect("written");
    for (here, own) in [
        (pinned, "The user lives in Berlin"),
        (edited, "Lives in Oslo"),
        (typed, "Lives in Oslo"),
    ] {
        assert_eq!(known(&both(&here, &there, 6 * DAY)), [own, later]);
        // Their later word holds against their own.
        let mut later = there.clone();
        let id = later.all()[0].id.clone();
        later
            .write(&id, &draft("Lives in Rome"), 6 * DAY)
            .expect("written");
        assert_eq!(known(&both(&here, &later, 7 * DAY)), ["Lives in Rome"]);
    }
}

#[test]
fn their_own_words_stand_where_a_model_said_the_same_later() {
    let (mut here, mut there) = (Facts::default(), Facts::default());
    here.write(&FactId("a".to_owned()), &draft("Lives in Berlin"), 1)
        .expect("written");
    keep(&mut there, "b", 2, "The user lives in Berlin, Germany");
    let merged = both(&here, &there, 3);
    assert_eq!(known(&merged), ["Lives in Berlin"]);
    assert!(merged.all()[0].is_worded());
}

#[test]
fn a_pin_passes_on_to_what_stands_in_the_place_of_several() {
    let (mut here, mut there) = (Facts::default(), Facts::default());
    keep(&mut there, "b", 1, "The user lives in Munich");
    keep(&mut here, "a", 2, "The user lives in Berlin");
    here.pin(&FactId("a.0".to_owned()), true, 2);
    // It stands in the place of one already.
    there
        .write(&FactId("c".to_owned()), &draft("Lives in Oslo"), 6)
        .expect("written");
    let merged = both(&here, &there, 7);
    assert_eq!(known(&merged), ["Lives in Oslo"]);
    assert!(merged.all()[0].pinned);
}
