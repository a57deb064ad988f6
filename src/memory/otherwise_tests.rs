//! What is said otherwise, and taken back.

use super::facts::Facts;
use super::tests::{DAY, draft, keep, known, origin};
use super::{Became, Category, Draft, Fact, FactId, Refusal, Tier, document};

fn replaces(content: &str, older: &str) -> Draft {
    Draft {
        replaces: Some(older.to_owned()),
        ..draft(content)
    }
}

#[test]
fn undo_gives_back_the_whole_older_fact() {
    let mut facts = Facts::default();
    let older = Draft {
        category: Some(Category::Profile),
        tier: Some(Tier::Core),
        confidence: Some(0.9),
        keywords: vec!["bicycle".to_owned()],
        by_itself: false,
        ..draft("The user cycles to the office")
    };
    facts.keep(&[older], &origin("a", 1));
    let before = facts.all()[0].clone();
    let newer = Draft {
        category: Some(Category::Project),
        tier: Some(Tier::Context),
        keywords: vec!["home".to_owned()],
        ..replaces("The user works from home", "cycles to the office")
    };
    facts.keep(&[newer], &origin("b", DAY));
    // Over a death, too.
    let mut facts = document::read(&document::write(&facts)).expect("facts");
    facts.undo(&FactId("b.0".to_owned()), 2 * DAY);
    let mut after = facts.all()[0].clone();
    assert_eq!(after.changed_at_ms, 2 * DAY);
    after.id = before.id.clone();
    after.changed_at_ms = before.changed_at_ms;
    assert_eq!(after, before);
}

#[test]
fn a_note_of_what_was_replaced_holds_no_note_of_its_own() {
    let mut facts = Facts::default();
    keep(&mut facts, "a", 1, "The user lives in Berlin");
    keep(&mut facts, "b", 2, "The user lives in Munich");
    keep(&mut facts, "c", 3, "The user lives in Paris");
    assert!(!document::write(&facts).contains("Berlin"));
    facts.undo(&FactId("c.0".to_owned()), 4);
    assert_eq!(known(&facts), ["The user lives in Munich"]);
}

#[test]
fn a_category_is_that_of_what_is_replaced_where_none_is_said() {
    let mut facts = Facts::default();
    let older = Draft {
        category: Some(Category::Project),
        ..draft("Is writing a tide clock in Python")
    };
    facts.keep(&[older], &origin("a", 1));
    keep(&mut facts, "b", 2, "Is writing a tide clock in Rust");
    assert_eq!(facts.all().len(), 1);
    assert_eq!(facts.all()[0].category, Category::Project);
}

#[test]
fn the_fact_that_is_named_goes_and_not_the_first_alike() {
    let mut facts = Facts::default();
    keep(&mut facts, "a", 1, "The user sails a red sloop at weekends");
    keep(&mut facts, "b", 1, "The user cycles to the office");
    let newer = replaces(
        "The user sails a blue sloop at weekends",
        "cycles to the office",
    );
    let reports = facts.keep(&[newer], &origin("c", 2));
    assert_eq!(
        reports[0].replaced.as_deref(),
        Some("The user cycles to the office")
    );
    assert_eq!(facts.all().len(), 2);
}

#[test]
fn what_is_known_already_still_replaces_what_is_named() {
    let mut facts = Facts::default();
    keep(&mut facts, "a", 1, "The user works from home");
    keep(&mut facts, "b", 1, "The user cycles to the office");
    let again = replaces("The user works from home", "cycles to the office");
    let reports = facts.keep(&[again], &origin("c", 2));
    assert_eq!(known(&facts), ["The user works from home"]);
    assert_eq!(
        reports[0].replaced.as_deref(),
        Some("The user cycles to the office")
    );
    assert_eq!(facts.all()[0].source.conversations, ["talk-a", "talk-c"]);
    // What is named in the same words that it is said in is known, and no more than that.
    let again = replaces("The user works from home", "works from home");
    let reports = facts.keep(&[again], &origin("d", 3));
    assert!(matches!(reports[0].became, Became::Known(_)));
}

#[test]
fn a_merge_that_changes_words_is_shown_and_can_be_taken_back() {
    let mut facts = Facts::default();
    keep(&mut facts, "a", 1, "The user lives in Berlin");
    facts.pin(&FactId("a.0".to_owned()), true, 1);
    let reports = facts.keep(&[draft("Lives in Berlin, Germany")], &origin("b", DAY));
    let id = FactId("b.0".to_owned());
    assert_eq!(reports[0].became, Became::Kept(id.clone()));
    assert_eq!(
        reports[0].replaced.as_deref(),
        Some("The user lives in Berlin")
    );
    let fact = facts.all()[0].clone();
    assert!(fact.pinned);
    assert_eq!((fact.created_at_ms, fact.changed_at_ms), (1, DAY));
    assert_eq!(fact.source.conversations, ["talk-a", "talk-b"]);
    facts.undo(&id, 2 * DAY);
    assert_eq!(known(&facts), ["The user lives in Berlin"]);
    assert_eq!(facts.all()[0].source.conversations, ["talk-a"]);
}

#[test]
fn where_all_is_pinned_nothing_goes_for_what_is_refused() {
    let mut facts = Facts::default();
    keep(&mut facts, "a", 1, "The user cycles to the office");
    let core = |n: usize| Draft {
        tier: Some(Tier::Core),
        ..draft(&super::tests::hobby(n))
    };
    for n in 0..8 {
        facts.keep(&[core(n)], &origin(&format!("c{n}"), 1));
        facts.pin(&FactId(format!("c{n}.0")), true, 1);
    }
    let before = facts.all().to_vec();
    let newer = Draft {
        tier: Some(Tier::Core),
        ..replaces("The user works from home", "cycles to the office")
    };
    let reports = facts.keep(&[newer], &origin("d", 2));
    assert_eq!(reports[0].became, Became::Refused(Refusal::NoRoom));
    assert_eq!(facts.all(), before);
    assert_eq!(facts.gone, []);
}

#[test]
fn what_is_typed_is_judged_beside_what_is_known_as_what_is_saved_is() {
    let mut facts = Facts::default();
    keep(&mut facts, "a", 1, "The user lives in Berlin");
    keep(&mut facts, "b", 1, "The user likes coffee");
    facts.pin(&FactId("b.0".to_owned()), true, 2);
    let id = FactId("typed".to_owned());
    let type_in = |facts: &mut Facts, id: &FactId, content: &str, now_ms| {
        facts.write(id, &draft(content), now_ms).expect("written");
    };
    // Said otherwise: the newer stands, and keeps the older for an Undo.
    type_in(&mut facts, &id, "Lives in Munich", 5);
    let typed = facts.get(&id).expect("a fact").clone();
    let replaced = typed.replaced.as_ref().map(|it| it.content.as_str());
    assert_eq!(replaced, Some("The user lives in Berlin"));
    assert_eq!(facts.get(&FactId("a.0".to_owned())), None);
    // Asked twice, as of a worker that died before it answered: nothing is lost by that.
    let once = facts.clone();
    type_in(&mut facts, &id, "Lives in Munich", 6);
    assert_eq!(facts, once);
    // Said again, in the person's words: one fact, of all that was known of it.
    let again = FactId("again".to_owned());
    type_in(&mut facts, &again, "Loves coffee", 7);
    assert_eq!(known(&facts), ["Lives in Munich", "Loves coffee"]);
    let coffee = facts.get(&again).expect("a fact");
    assert!(coffee.pinned && coffee.confidence >= 1.0 && coffee.created_at_ms == 1);
    assert_eq!(coffee.source.conversations, ["talk-b"]);
    // What is changed to say what another says is that one, once.
    type_in(&mut facts, &id, "Doesn't like coffee", 8);
    assert_eq!(known(&facts), ["Doesn't like coffee"]);
    facts.undo(&id, 9);
    assert_eq!(known(&facts), ["Loves coffee"]);
}

#[test]
fn a_fact_that_may_hold_beside_another_takes_nothing_from_it() {
    let mut facts = Facts::default();
    keep(&mut facts, "a", 1, "The user knows Python and Rust well");
    keep(&mut facts, "b", 2, "The user knows Python and Go well");
    keep(&mut facts, "c", 3, "The user uses macOS");
    keep(&mut facts, "d", 4, "The user uses Windows");
    assert_eq!(facts.all().len(), 4);
    // A model that knows says what it replaces, about in the words in which it is known.
    let newer = replaces("The user uses Linux", "uses Windows");
    let reports = facts.keep(&[newer], &origin("e", 5));
    assert_eq!(
        reports[0].replaced.as_deref(),
        Some("The user uses Windows")
    );
}

#[test]
fn what_is_saved_in_one_call_stands_side_by_side() {
    let save = |facts: &mut Facts, all: &[&str]| {
        let drafts: Vec<Draft> = all.iter().map(|it| draft(it)).collect();
        let reports = facts.keep(&drafts, &origin("call", 2));
        assert_eq!(facts.clone().keep(&drafts, &origin("call", 3)), reports);
        reports
    };
    // What jars: neither is newer.
    let mut facts = Facts::default();
    let both = ["The user lives in Berlin", "The user lives in Munich"];
    let reports = save(&mut facts, &both);
    assert_eq!(known(&facts), both);
    assert!(reports.iter().all(|it| it.replaced.is_none()));
    // What was known goes for the first that says it otherwise, and for no more.
    let mut facts = Facts::default();
    keep(&mut facts, "before", 1, "The user lives in Oslo");
    let reports = save(&mut facts, &both);
    assert_eq!(known(&facts), both);
    let replaced = reports.iter().map(|it| it.replaced.as_deref());
    let oslo = Some("The user lives in Oslo");
    assert_eq!(replaced.collect::<Vec<_>>(), [oslo, None]);
    // What the call itself says once more does not go for what it says beside that.
    let mut facts = Facts::default();
    keep(&mut facts, "before", 1, "The user lives in Berlin");
    save(&mut facts, &both);
    assert_eq!(known(&facts), both);
}

#[test]
fn what_is_said_twice_in_one_call_is_one_fact_in_the_words_that_say_more() {
    for all in [
        ["Lives in Berlin", "Lives in Berlin, Germany"],
        ["Lives in Berlin, Germany", "Lives in Berlin"],
    ] {
        let mut facts = Facts::default();
        let drafts = all.map(draft);
        let reports = facts.keep(&drafts, &origin("call", 1));
        assert_eq!(known(&facts), ["Lives in Berlin, Germany"]);
        let id = FactId("call.0".to_owned());
        assert_eq!(reports[0].content, "Lives in Berlin, Germany");
        assert_eq!(reports[0].became, Became::Kept(id.clone()));
        assert_eq!(reports[1].became, Became::Known(id.clone()));
        // Its Undo takes back all of it.
        facts.undo(&id, 2);
        assert_eq!(known(&facts), [""; 0]);
    }
}

#[test]
fn a_draft_that_names_another_of_its_own_call_takes_nothing_from_it() {
    let mut facts = Facts::default();
    let drafts = [
        draft("The user works in Go"),
        replaces("The user works in Rust", "works in Go"),
    ];
    facts.keep(&drafts, &origin("call", 1));
    assert_eq!(facts.all().len(), 2);
}

#[test]
fn what_was_erased_is_brought_back_whole_and_once() {
    let mut facts = Facts::default();
    keep(&mut facts, "a", 1, "The user lives in Berlin");
    keep(&mut facts, "b", 2, "The user lives in Munich");
    let id = facts.all()[0].id.clone();
    facts.pin(&id, true, 3);
    let whole = facts.all()[0].clone();
    facts.forget(&id, 4);
    let mut elsewhere = facts.clone();
    assert!(facts.unforget(whole.clone(), 5));
    let changed_at_ms = facts.all()[0].changed_at_ms;
    let back = Fact {
        changed_at_ms,
        ..whole.clone()
    };
    assert_eq!(facts.all(), [back]);
    let once = facts.clone();
    assert!(facts.unforget(whole.clone(), 6));
    assert_eq!(facts, once);
    // Wherever it was known to be gone.
    elsewhere.merge(facts.to_sync(), 7);
    assert_eq!(known(&elsewhere), ["The user lives in Munich"]);
    // What was told since stands for it where it says the same.
    facts.forget(&id, 8);
    keep(&mut facts, "c", 9, "Lives in Munich");
    assert!(facts.unforget(whole, 10));
    assert_eq!(known(&facts), ["Lives in Munich"]);
    assert!(facts.all()[0].pinned);
}

#[test]
fn what_was_erased_comes_back_only_where_its_tier_has_room() {
    let mut facts = Facts::default();
    let core = |n: usize| Draft {
        tier: Some(Tier::Core),
        ..draft(&super::tests::hobby(n))
    };
    for n in 0..Tier::Core.most() {
        facts.keep(&[core(n)], &origin(&format!("c{n}"), 1));
    }
    let erased = facts.all()[0].clone();
    facts.forget(&erased.id, 2);
    facts.keep(&[core(Tier::Core.most())], &origin("later", 3));
    let before = facts.clone();
    assert!(!facts.unforget(erased.clone(), 4));
    assert_eq!(facts, before);
    let later = facts.all().last().expect("the later one").id.clone();
    facts.forget(&later, 5);
    assert!(facts.unforget(erased.clone(), 6));
    assert!(facts.get(&erased.id).is_some());
}

#[test]
fn a_fact_that_went_while_it_was_being_written_is_known_again_everywhere() {
    let mut facts = Facts::default();
    keep(&mut facts, "a", 5 * DAY, "The user plays chess");
    let id = facts.all()[0].id.clone();
    facts.forget(&id, 9 * DAY);
    let mut elsewhere = facts.clone();
    // By a clock that is behind that of whoever erased it.
    let written = facts.write(&id, &draft("Plays go"), 6 * DAY);
    assert_eq!(written, Ok(vec![]));
    elsewhere.merge(facts.to_sync(), 10 * DAY);
    assert_eq!(known(&elsewhere), ["Plays go"]);
    assert_eq!(facts.lost().count(), 0);
}
