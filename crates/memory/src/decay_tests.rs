//! Values of facts decrease over time. A fact that is used keeps its value longer.

use super::facts::Facts;
use super::tests::{DAY, draft, hobby, known, origin, room};
use super::{Category, Draft, FactId, Query};

/// Creates facts, of which one relates to tides.
fn told() -> Facts {
    let of = |category, content: &str| Draft {
        category: Some(category),
        ..draft(content)
    };
    let mut facts = Facts::default();
    let said = [
        of(Category::Preference, "The user prefers metric units"),
        of(
            Category::Project,
            "The user is writing a tide clock in Rust",
        ),
        of(Category::Profile, "The user enjoys chess"),
    ];
    facts.keep(&said, &origin("a", 0));
    facts
}

fn uses(facts: &Facts) -> Vec<u32> {
    facts.all().iter().map(|fact| fact.uses).collect()
}

#[test]
fn over_sixty_days_what_bears_on_what_is_asked_grows_and_what_only_stands_there_decays() {
    let mut facts = told();
    for day in 1..=60 {
        let act = format!("run{day}");
        let question = "When does the user see the tide turn?";
        let shown = facts
            .facts_for_question(question, room(12, 600), &act, day * DAY)
            .facts;
        assert_eq!(shown.len(), 3, "all of it is shown");
    }
    assert_eq!(uses(&facts), [0, 60, 0]);
    let now_ms = 60 * DAY;
    let value = |at: usize| facts.all()[at].value(now_ms);
    let left = 0.8 * 0.5f64.powf(60.0 / 45.0);
    assert!((value(0) - left).abs() < 1e-9 && (value(2) - left).abs() < 1e-9);
    assert!(value(1) > 0.8 * 5.0);
    // When a tier is full, unused facts are removed first, whatever their category is.
    for n in 1..12 {
        let more = Draft {
            category: Some(Category::Technical),
            ..draft(&hobby(n))
        };
        facts.keep(&[more], &origin(&format!("b{n}"), now_ms));
    }
    let now = known(&facts);
    assert!(now.contains(&"The user is writing a tide clock in Rust"));
    assert!(!now.contains(&"The user prefers metric units"), "{now:?}");
}

#[test]
fn what_there_is_no_room_for_is_not_shown_and_was_not_used() {
    let mut facts = Facts::default();
    let long = format!(
        "The user sails by the tide {}",
        "out of Hoylake ".repeat(12)
    );
    let said = [
        draft("The user reads the tide tables of every tide"),
        draft(&long),
        draft("The user likes the tide"),
    ];
    facts.keep(&said, &origin("a", 0));
    let question = "When does the tide turn?";
    let shown = facts
        .facts_for_question(question, room(12, 60), "run", DAY)
        .facts;
    assert_eq!(shown.len(), 2);
    assert!(shown[0].starts_with("The user reads the tide tables of every tide [id "));
    assert!(shown[1].starts_with("The user likes the tide [id "));
    assert_eq!(uses(&facts), [1, 0, 1]);
    // A search that is repeated with the same key returns the same facts, and is not counted as a
    // second use.
    assert_eq!(
        facts
            .facts_for_question(question, room(12, 60), "run", 2 * DAY)
            .facts,
        shown
    );
    assert_eq!(uses(&facts), [1, 0, 1]);
    assert_eq!(
        facts
            .facts_for_question(question, room(1, 60), "next", 2 * DAY)
            .facts
            .len(),
        1
    );
}

#[test]
fn what_only_means_the_like_is_shown_and_not_marked_beside_what_has_the_words() {
    let mut facts = told();
    let near: Vec<FactId> = facts.all().iter().map(|fact| fact.id.clone()).collect();
    let mut query = Query {
        terms: vec!["tide".to_owned()],
        near,
        most: 10,
        ..Query::default()
    };
    assert_eq!(facts.retrieve(&query, "look", DAY).facts.len(), 3);
    assert_eq!(uses(&facts), [0, 1, 0]);
    // If no fact contains the words, the nearest fact is counted as used.
    query.terms = vec!["measures".to_owned()];
    assert_eq!(facts.retrieve(&query, "look again", DAY).facts.len(), 3);
    assert_eq!(uses(&facts), [1, 1, 0]);
}
