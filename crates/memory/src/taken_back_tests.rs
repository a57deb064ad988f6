//! *Undo* restores the facts that were removed because the user wrote another fact.

use super::tests::{DAY, draft, hobby, id, keep, known, origin};
use super::{Draft, FactId, Facts, Tier};

fn page_id(of: &str) -> FactId {
    FactId(of.to_owned())
}

fn of_tier(tier: Tier, content: &str) -> Draft {
    Draft {
        tier: Some(tier),
        ..draft(content)
    }
}

/// Creates facts that fill a tier.
fn full() -> Facts {
    let mut facts = Facts::default();
    for n in 0..Tier::Important.most() {
        let at_ms = 1 + n as u64;
        keep(&mut facts, &format!("a{n}"), at_ms, &hobby(n));
    }
    facts
}

#[test]
fn what_is_written_into_a_full_tier_says_which_fact_went_and_gives_it_back() {
    let mut facts = full();
    let before = known(&facts).join("|");
    let (new, typed) = (page_id("typed"), draft("Plays the cello"));
    let went = facts.write(&new, &typed, DAY).expect("room is made");
    assert_eq!(went.len(), 1);
    assert_eq!(went[0].content, hobby(0));
    // A second call finds the fact written already, and removes nothing.
    assert_eq!(facts.write(&new, &typed, DAY), Ok(vec![]));
    for _ in 0..2 {
        assert!(facts.undo_edit(Some(&new), &went, 2 * DAY));
        assert_eq!(facts.get(&new), None);
        let mut now = known(&facts);
        now.rotate_right(1);
        assert_eq!(now.join("|"), before);
    }
}

#[test]
fn where_there_was_room_and_nothing_like_it_nothing_went() {
    let mut facts = Facts::default();
    let written = facts.write(&page_id("typed"), &draft("Plays the cello"), 1);
    assert_eq!(written, Ok(vec![]));
    // No fact is removed either when the user changes the words of their own fact.
    let written = facts.write(&page_id("typed"), &draft("Plays the viola"), 2);
    assert_eq!(written, Ok(vec![]));
}

#[test]
fn a_fact_with_the_written_words_comes_back_whole_and_so_does_what_it_was_itself() {
    let mut facts = Facts::default();
    keep(&mut facts, "a", 1, "The user lives in Berlin");
    let berlin = facts.all()[0].clone();
    let typed = page_id("typed");
    let first = facts.write(&typed, &draft("Plays the cello"), 2);
    assert_eq!(first, Ok(vec![]));
    let cello = facts.get(&typed).cloned().expect("it is known");
    let went = facts
        .write(&typed, &draft("Lives in Berlin"), 3)
        .expect("it is written");
    let mut names: Vec<&str> = went.iter().map(|fact| fact.content.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["Plays the cello", "The user lives in Berlin"]);
    for _ in 0..2 {
        assert!(facts.undo_edit(Some(&typed), &went, 4));
        for older in [&berlin, &cello] {
            assert_eq!(facts.get(&older.id), Some(older));
        }
        assert_eq!(facts.all().len(), 2);
    }
}

#[test]
fn all_of_it_comes_back_or_nothing_has_changed() {
    let mut facts = full();
    let (context, important) = (keep(&mut facts, "c", 2, "Reads atlases"), id("a3"));
    drop(context);
    let lost = facts.get(&important).cloned().expect("it is known");
    facts.forget(&important);
    let small = of_tier(Tier::Context, "Is moving house");
    facts.keep(&[small], &origin("small", 21));
    let moving = facts.get(&id("small")).cloned().expect("it is known");
    facts.forget(&moving.id);
    // Another fact has filled the tier since then.
    keep(&mut facts, "later", 23, "The user collects stamps");
    let before = facts.clone();
    assert!(!facts.undo_edit(None, &[moving.clone(), lost], 24));
    assert_eq!(facts, before);
    assert!(facts.undo_edit(None, &[moving], 25));
}
