//! A fact replaces another one, and *Undo* restores the older fact.

use super::facts::Facts;
use super::tests::{DAY, draft, id, keep, known, origin};
use super::{Category, Draft, FactId, Refusal, SaveResult, Tier, document};

fn replaces(content: &str, older: FactId) -> Draft {
    Draft {
        replaces: Some(older),
        ..draft(content)
    }
}

#[test]
fn a_fact_takes_the_place_of_the_one_that_it_names() {
    let mut facts = Facts::default();
    keep(&mut facts, "a", 1, "The user cycles to the office");
    keep(&mut facts, "b", 1, "The user plays chess");
    let newer = replaces("The user works from home", id("a"));
    let reports = facts.keep(&[newer], &origin("c", 2));
    let older = "The user cycles to the office";
    assert_eq!(reports[0].became, SaveResult::Kept(id("c")));
    assert_eq!(reports[0].replaced.as_deref(), Some(older));
    let now = ["The user plays chess", "The user works from home"];
    assert_eq!(known(&facts), now);
    facts.undo(&id("c"), 3);
    assert_eq!(known(&facts), ["The user plays chess", older]);
    assert_eq!(facts.get(&id("a")).expect("it is back").replaced, None);
}

#[test]
fn an_unknown_id_is_an_error_of_that_fact_alone() {
    let mut facts = Facts::default();
    let drafts = [
        replaces("The user works from home", FactId("none".to_owned())),
        draft("The user plays chess"),
    ];
    let reports = facts.keep(&drafts, &origin("a", 1));
    assert_eq!(reports[0].became, SaveResult::Refused(Refusal::UnknownFact));
    assert!(Refusal::UnknownFact.reason().contains("memory_retrieve"));
    assert_eq!(known(&facts), ["The user plays chess"]);
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
        ..replaces("The user works from home", id("a"))
    };
    facts.keep(&[newer], &origin("b", DAY));
    // *Undo* also works after the worker died and the facts were read from storage.
    let mut facts = document::read(&document::write(&facts)).expect("facts");
    facts.undo(&id("b"), 2 * DAY);
    assert_eq!(facts.all(), [before]);
}

#[test]
fn a_replaced_fact_is_kept_without_the_one_that_it_replaced() {
    let mut facts = Facts::default();
    keep(&mut facts, "a", 1, "The user lives in Berlin");
    for (act, town, older) in [("b", "Munich", "a"), ("c", "Paris", "b")] {
        let newer = replaces(&format!("The user lives in {town}"), id(older));
        facts.keep(&[newer], &origin(act, 2));
    }
    assert!(!document::write(&facts).contains("Berlin"));
    facts.undo(&id("c"), 4);
    assert_eq!(known(&facts), ["The user lives in Munich"]);
}

#[test]
fn a_fact_is_of_the_kind_of_the_one_that_it_replaces_where_none_is_named() {
    let mut facts = Facts::default();
    let older = Draft {
        category: Some(Category::Project),
        tier: Some(Tier::Core),
        ..draft("Is writing a tide clock in Python")
    };
    facts.keep(&[older], &origin("a", 1));
    facts.pin(&id("a"), true, 1);
    let newer = replaces("Is writing a tide clock in Rust", id("a"));
    facts.keep(&[newer], &origin("b", 2));
    let fact = &facts.all()[0];
    assert_eq!((fact.category, fact.tier), (Category::Project, Tier::Core));
    assert!(fact.pinned);
}

#[test]
fn what_is_known_already_replaces_nothing_as_undo_could_bring_back_one_fact_only() {
    let mut facts = Facts::default();
    keep(&mut facts, "a", 1, "The user works from home");
    keep(&mut facts, "b", 1, "The user cycles to the office");
    let again = replaces("Works from home", id("b"));
    let reports = facts.keep(&[again], &origin("c", 2));
    assert_eq!(known(&facts).len(), 2);
    assert_eq!(reports[0].became, SaveResult::Known(id("a")));
    assert_eq!(reports[0].replaced, None);
    // A fact with the same words as the one that it replaces is known already.
    let again = replaces("The user works from home", id("a"));
    let reports = facts.keep(&[again], &origin("d", 3));
    assert_eq!(reports[0].became, SaveResult::Known(id("a")));
}

#[test]
fn where_all_room_is_pinned_nothing_is_replaced() {
    let mut facts = Facts::default();
    for n in 0..8 {
        let core = Draft {
            tier: Some(Tier::Core),
            ..draft(&super::tests::hobby(n))
        };
        let act = format!("a{n}");
        facts.keep(&[core], &origin(&act, 1));
        facts.pin(&id(&act), true, 1);
    }
    keep(&mut facts, "b", 1, "The user lives in Berlin");
    let before = facts.all().to_vec();
    let newer = Draft {
        tier: Some(Tier::Core),
        ..replaces("The user lives in Munich", id("b"))
    };
    let reports = facts.keep(&[newer], &origin("c", 2));
    assert_eq!(reports[0].became, SaveResult::Refused(Refusal::NoRoom));
    assert_eq!(facts.all(), before);
}
