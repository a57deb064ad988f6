//! The known facts and their changes.

use super::facts::Facts;
use super::{
    Category, Draft, FactId, Loss, Memory, Origin, Query, RecallLimits, Refusal, SaveResult,
    SourceKind, Tier, document,
};
use gloss_host_sim::Sim;
use gloss_model::provenance::{self, Provenance};

pub(super) const DAY: u64 = 24 * 60 * 60 * 1000;

pub(super) fn origin(act: &str, now_ms: u64) -> Origin {
    Origin {
        provenance: Provenance::of(provenance::Origin::User),
        act: act.to_owned(),
        how: SourceKind::Conversation,
        conversation: Some(format!("talk-{act}")),
        now_ms,
    }
}

/// The id of the fact that an action saves for the draft with index `place`.
pub(super) fn id_at(act: &str, place: usize) -> FactId {
    origin(act, 0).id(place)
}

/// The id of the only fact that an action saves.
pub(super) fn id(act: &str) -> FactId {
    id_at(act, 0)
}

pub(super) fn draft(content: &str) -> Draft {
    Draft {
        content: content.to_owned(),
        by_itself: true,
        ..Draft::default()
    }
}

pub(super) fn keep(facts: &mut Facts, act: &str, now_ms: u64, content: &str) -> SaveResult {
    let reports = facts.keep(&[draft(content)], &origin(act, now_ms));
    reports[0].became.clone()
}

pub(super) fn known(facts: &Facts) -> Vec<&str> {
    facts
        .all()
        .iter()
        .map(|fact| fact.content.as_str())
        .collect()
}

pub(super) fn room(most: usize, tokens: u32) -> RecallLimits {
    RecallLimits { most, tokens }
}

/// Returns sentence `n`. All sentences begin alike and have no other word in common.
pub(super) fn hobby(n: usize) -> String {
    const WHAT: [&str; 16] = [
        "chess",
        "sloops",
        "beekeeping",
        "fencing",
        "jazz",
        "pottery",
        "orchids",
        "origami",
        "falconry",
        "opera",
        "astronomy",
        "calligraphy",
        "cycling",
        "baking",
        "marathons",
        "puppetry",
    ];
    format!("The user enjoys {}", WHAT[n % WHAT.len()])
}

#[test]
fn a_fact_has_its_defaults_and_where_it_is_from() {
    let mut facts = Facts::default();
    let became = keep(
        &mut facts,
        "a",
        5,
        "  The user   prefers metric\u{202e} units ",
    );
    assert_eq!(became, SaveResult::Kept(id("a")));
    let fact = facts.get(&id("a")).expect("a fact");
    assert_eq!(fact.content, "The user prefers metric units");
    assert_eq!(
        (fact.category, fact.tier),
        (Category::Preference, Tier::Important)
    );
    assert!((fact.confidence - 0.8).abs() < 1e-9);
    assert_eq!(fact.source.conversations, ["talk-a"]);
    assert!(fact.source.by_itself);
    assert_eq!(fact.expires_at_ms, Some(5 + 90 * DAY));
}

#[test]
fn the_same_act_done_again_says_the_same_and_changes_nothing() {
    let mut facts = Facts::default();
    let drafts = [
        draft("The user sails a 6-metre sloop"),
        draft("The user's password is hunter2"),
    ];
    let first = facts.keep(&drafts, &origin("a", 1));
    let once = facts.clone();
    assert_eq!(facts.keep(&drafts, &origin("a", 99)), first);
    assert_eq!(facts, once);
    // A repeated action doesn't save a fact again that the user has deleted since.
    facts.forget(&id("a"));
    assert_eq!(facts.keep(&drafts, &origin("a", 101)).len(), 2);
    assert_eq!(known(&facts), Vec::<&str>::new());
    // The stored text contains no word of a refused draft.
    assert!(!document::write(&facts).contains("hunter2"));
}

#[test]
fn a_fact_in_the_same_words_is_told_again_and_in_others_it_is_another() {
    for (older, newer, same) in [
        ("The user lives in Berlin", "Lives in Berlin.", true),
        ("用户喜欢公制单位", "喜欢公制单位", true),
        (
            "The user lives in Berlin",
            "Lives in Berlin, Germany",
            false,
        ),
        (
            "The user lives in Berlin",
            "The user lives in Munich",
            false,
        ),
        ("The user drinks coffee", "The user drinks no coffee", false),
    ] {
        let mut facts = Facts::default();
        keep(&mut facts, "a", 1, older);
        let reports = facts.keep(&[draft(newer)], &origin("b", 2));
        assert_eq!(reports[0].replaced, None, "{newer}");
        if same {
            assert_eq!(reports[0].became, SaveResult::Known(id("a")), "{newer}");
            assert_eq!(facts.all()[0].source.conversations, ["talk-a", "talk-b"]);
            assert_eq!(known(&facts), [older]);
        } else {
            assert_eq!(reports[0].became, SaveResult::Kept(id("b")), "{newer}");
            assert_eq!(known(&facts), [older, newer]);
        }
    }
}

#[test]
fn the_same_words_twice_in_a_call_are_one_fact() {
    let mut facts = Facts::default();
    let twice = [draft("Plays chess"), draft("The user plays chess")];
    let reports = facts.keep(&twice, &origin("a", 1));
    assert_eq!(reports[0].became, SaveResult::Kept(id("a")));
    assert_eq!(reports[1].became, SaveResult::Known(id("a")));
    assert_eq!(known(&facts), ["Plays chess"]);
}

#[test]
fn a_value_halves_with_disuse_and_grows_with_use() {
    let mut facts = Facts::default();
    keep(&mut facts, "a", 0, "The user enjoys chess");
    let mut fact = facts.all()[0].clone();
    let close =
        |value: f64, wanted: f64| assert!((value - wanted).abs() < 1e-12, "{value} {wanted}");
    close(fact.value(0), 0.8);
    close(fact.value(45 * DAY), 0.4);
    fact.uses = 2;
    fact.used_at_ms = Some(10 * DAY);
    close(fact.value(55 * DAY), 0.8 * (1.0 + 3f64.ln()) * 0.5);
    fact.tier = Tier::Context;
    close(fact.value(40 * DAY), 0.8 * (1.0 + 3f64.ln()) * 0.25);
    fact.tier = Tier::Core;
    close(fact.value(4_000 * DAY), 0.8 * (1.0 + 3f64.ln()));
}

#[test]
fn a_full_tier_lets_go_of_what_is_worth_least_and_never_of_what_is_pinned() {
    let mut facts = Facts::default();
    for n in 0..12 {
        keep(&mut facts, &format!("a{n}"), n as u64, &hobby(n));
    }
    // The oldest fact would be removed first. Pinned and used facts stay.
    facts.pin(&id("a0"), true, 20);
    let query = Query {
        terms: vec!["sloops".to_owned()],
        most: 5,
        ..Query::default()
    };
    assert_eq!(facts.retrieve(&query, "look", 20).facts.len(), 1);
    keep(&mut facts, "b", 30, &hobby(12));
    assert_eq!(facts.count(Tier::Important), 12);
    let ids: Vec<FactId> = facts.all().iter().map(|fact| fact.id.clone()).collect();
    assert!(
        ids.contains(&id("a0")) && ids.contains(&id("a1")) && !ids.contains(&id("a2")),
        "{ids:?}"
    );
    for fact in facts.all().to_vec() {
        facts.pin(&fact.id, true, 40);
    }
    assert_eq!(
        keep(&mut facts, "c", 50, &hobby(13)),
        SaveResult::Refused(Refusal::NoRoom)
    );
    assert_eq!(facts.count(Tier::Important), 12);
}

#[test]
fn of_facts_of_one_call_the_first_makes_room() {
    let mut facts = Facts::default();
    let drafts: Vec<Draft> = (0..13).map(|n| draft(&hobby(n))).collect();
    facts.keep(&drafts, &origin("a", 1));
    let told: Vec<String> = (1..13).map(hobby).collect();
    assert_eq!(known(&facts), told);
}

#[test]
fn it_is_known_why_a_fact_went() {
    let mut facts = Facts::default();
    for n in 0..13 {
        keep(&mut facts, &format!("a{n}"), n as u64, &hobby(n));
    }
    keep(&mut facts, "b", 20, "The user lives in Berlin");
    let newer = Draft {
        replaces: Some(id("b")),
        ..draft("The user lives in Munich")
    };
    facts.keep(&[newer], &origin("c", 21));
    facts.forget(&id("a5"));
    let why = |facts: &Facts, act: &str| {
        let mut lost = facts.lost();
        lost.find(|(lost, _)| **lost == id(act)).map(|(_, why)| why)
    };
    assert_eq!(why(&facts, "a0"), Some(Loss::MadeRoom));
    assert_eq!(why(&facts, "b"), Some(Loss::Replaced));
    // No reason is stored for facts that the user deleted.
    assert_eq!(why(&facts, "a5"), None);
    assert_eq!(why(&facts, "c"), None);
    // After *Undo*, the earlier fact has its own id again, and no reason for a loss is stored.
    facts.undo(&id("c"), 23);
    assert!(facts.get(&id("b")).is_some());
    assert_eq!(why(&facts, "b"), None);
    let read = document::read(&document::write(&facts)).expect("facts");
    assert_eq!(why(&read, "a0"), Some(Loss::MadeRoom));
    facts.expire(91 * DAY);
    assert_eq!(why(&facts, "a6"), Some(Loss::Expired));
}

#[test]
fn each_tier_lasts_as_long_as_it_says_and_what_is_pinned_for_ever() {
    for tier in Tier::ALL {
        let mut facts = Facts::default();
        let said = Draft {
            tier: Some(tier),
            ..draft("The user enjoys chess")
        };
        facts.keep(&[said], &origin("a", 0));
        let last = tier.days().unwrap_or(10_000) * DAY;
        facts.expire(last - 1);
        assert_eq!(facts.all().len(), 1, "{tier:?}");
        let mut pinned = facts.clone();
        pinned.pin(&id("a"), true, 1);
        facts.expire(last);
        pinned.expire(last);
        assert_eq!(facts.all().len(), usize::from(tier == Tier::Core));
        assert_eq!(pinned.all().len(), 1);
    }
}

#[test]
fn a_person_finds_a_fact_by_its_words_in_any_form_and_by_all_of_them() {
    let mut facts = Facts::default();
    let sloop = Draft {
        keywords: vec!["boat".to_owned()],
        ..draft("The user sails a sloop out of Hoylake")
    };
    facts.keep(&[sloop, draft("用户喜欢公制单位")], &origin("a", 1));
    for (typed, found) in [
        ("sloop Hoylake", vec![0]),
        ("sailed in boats", vec![0]),
        ("Hoylaek", vec![0]),
        ("sloop airport", vec![]),
        ("喜欢公制", vec![1]),
        ("制", vec![1]),
        ("茶", vec![]),
        ("…", vec![]),
    ] {
        let ids: Vec<FactId> = found.into_iter().map(|place| id_at("a", place)).collect();
        assert_eq!(facts.with_words(typed), ids, "{typed}");
    }
}

#[test]
fn facts_are_found_by_term_category_keyword_and_misspelling() {
    let mut facts = Facts::default();
    let sloop = Draft {
        category: Some(Category::Profile),
        keywords: vec!["boat".to_owned(), "sailing".to_owned()],
        ..draft("The user sails a 7-metre sloop out of Hoylake")
    };
    let said = [
        sloop,
        draft("用户喜欢公制单位"),
        Draft {
            category: Some(Category::Project),
            ..draft("The user is writing a tide clock in Rust")
        },
    ];
    facts.keep(&said, &origin("a", 1));
    for (terms, categories, found) in [
        (vec!["sloops"], vec![], vec![0]),
        (vec!["boats"], vec![], vec![0]),
        (vec!["Hoylakes"], vec![], vec![0]),
        (vec!["公制"], vec![], vec![1]),
        // A single Chinese character is searched as it is.
        (vec!["制"], vec![], vec![1]),
        (vec![" 位 "], vec![], vec![1]),
        (vec!["茶"], vec![], vec![]),
        (vec!["tide", "clock"], vec![], vec![2]),
        (vec![], vec![Category::Project], vec![2]),
        (vec!["sloop"], vec![Category::Project], vec![]),
        (vec!["quantum"], vec![], vec![]),
        (vec![], vec![], vec![0, 1, 2]),
    ] {
        let query = Query {
            terms: terms.iter().map(|&it| it.to_owned()).collect(),
            categories,
            near: Vec::new(),
            most: 10,
        };
        let ids = facts.find(&query, 2);
        assert_eq!(
            ids,
            found
                .into_iter()
                .map(|place| id_at("a", place))
                .collect::<Vec<_>>(),
            "{terms:?}"
        );
    }
}

#[test]
fn what_means_the_like_comes_behind_what_has_the_words() {
    let mut facts = Facts::default();
    keep(&mut facts, "a", 1, "The user enjoys chess");
    keep(&mut facts, "b", 2, "The user sails a sloop");
    let near = ["b", "a", "gone"].map(id);
    let mut query = Query {
        terms: vec!["chess".to_owned()],
        near: near.to_vec(),
        most: 5,
        ..Query::default()
    };
    let ids = facts.find(&query, 2);
    assert_eq!(ids, ["a", "b"].map(id));
    query.categories = vec![Category::Project];
    assert_eq!(facts.find(&query, 2), []);
}

#[test]
fn a_look_up_marks_what_it_gives_once_for_each_act() {
    let mut facts = Facts::default();
    keep(&mut facts, "a", 1, "The user enjoys chess");
    let query = Query {
        terms: vec!["chess".to_owned()],
        most: 5,
        ..Query::default()
    };
    let first = facts.retrieve(&query, "look", 7);
    assert_eq!((first.matched, first.total), (1, 1));
    let once = facts.clone();
    facts.retrieve(&query, "look", 9);
    assert_eq!(facts, once);
    assert_eq!(
        (facts.all()[0].uses, facts.all()[0].used_at_ms),
        (1, Some(7))
    );
    facts.retrieve(&query, "look again", 9);
    assert_eq!(facts.all()[0].uses, 2);
    assert_eq!(Facts::default().retrieve(&query, "x", 1).total, 0);
}

#[test]
fn a_run_begins_with_what_holds_always_and_what_bears_on_it() {
    let mut facts = Facts::default();
    let of = |category, content: &str| Draft {
        category: Some(category),
        ..draft(content)
    };
    let said = [
        of(Category::Preference, "The user prefers metric units"),
        of(
            Category::Project,
            "The user is writing a tide clock in Rust",
        ),
        of(Category::Technical, "The user works with PostgreSQL"),
    ];
    facts.keep(&said, &origin("a", 1));
    let found = facts.facts_for_question("When do tides turn?", room(12, 600), "look", 2);
    let found = found.facts;
    assert_eq!(
        found,
        [
            format!(
                "The user is writing a tide clock in Rust [id {}]",
                id_at("a", 1).0
            ),
            format!("The user prefers metric units [id {}]", id("a").0),
        ]
    );
}

#[test]
fn a_secret_beside_the_sentence_is_refused_on_every_way_in() {
    let card = "4111 1111 1111 1111";
    let said = Draft {
        keywords: vec![card.to_owned()],
        ..draft("The user enjoys chess")
    };
    let mut facts = Facts::default();
    let reports = facts.keep(std::slice::from_ref(&said), &origin("a", 1));
    assert_eq!(reports[0].became, SaveResult::Refused(Refusal::Card));
    assert_eq!(facts.write(&id("typed"), &said, 1), Err(Refusal::Card));
    assert_eq!(facts, {
        let mut none = Facts::default();
        none.acts.clone_from(&facts.acts);
        none
    });
}

#[test]
fn version_1_is_read_as_it_was_written() {
    let text = r#"{"format": "gloss-facts", "version": 1, "facts": [{"id": "3f9a12c4",
        "content": "The user enjoys chess", "category": "profile", "tier": "core",
        "confidence": 0.9, "keywords": ["game"], "source": {"conversations": ["r"],
        "how": "conversation", "by_itself": true}, "created_at_ms": 1, "used_at_ms": 3,
        "uses": 4, "pinned": true, "replaced": {"at_ms": 2, "fact": {"id": "b",
        "content": "The user enjoys go", "source": {"how": "typed"}, "created_at_ms": 1}},
        "later": 1}],
        "acts": [{"key": "r/1/act/0", "did": {"kept": [{"kept": "3f9a12c4"},
        {"refused": "card"}, {"known": "x"}]}},
        {"key": "r/2", "did": {"used": {"ids": ["x"], "matched": 2, "total": 3}}}],
        "gone": [{"id": "x", "why": "made_room"}]}"#;
    let facts = document::read(text).expect("facts");
    assert_eq!(facts.all()[0].uses, 4);
    assert_eq!(facts.acts.len(), 2);
    assert_eq!(document::read(&document::write(&facts)), Ok(facts));
}

#[test]
fn what_cannot_be_read_stands_aside_and_what_cannot_be_kept_is_not_known() {
    let sim = Sim::new(1);
    sim.set_shelved("facts", "damaged");
    let memory = Memory::new(&sim.host());
    let empty = sim.life(u64::MAX, async {
        memory.load().await;
        memory.is_empty()
    });
    assert_eq!(empty, Some(true));
    assert_eq!(sim.shelved("facts.unreadable").as_deref(), Some("damaged"));
    let mut keeps = |facts: &mut Facts, now_ms| {
        keep(facts, "a", now_ms, "The user enjoys chess");
    };
    let kept = sim.life(u64::MAX, memory.change(&mut keeps));
    assert_eq!(kept, Some(Ok(())));
    let later = Memory::new(&sim.host());
    let known = sim
        .life(u64::MAX, async { later.now().await })
        .expect("a life");
    assert_eq!(known.map(|it| it.all().len()), Ok(1));
}

#[test]
fn a_fact_states_where_it_is_from_and_never_less_than_what_it_replaced() {
    use provenance::Origin as From;
    let page = || Provenance::of(From::Page("https://evil.example/".to_owned()));
    let mut facts = Facts::default();
    let of_page = Origin {
        provenance: page().and(From::Model),
        ..origin("a", 1)
    };
    facts.keep(&[draft("The user sails a sloop")], &of_page);
    let id = id_at("a", 0);
    assert_eq!(facts.get(&id).unwrap().provenance(), of_page.provenance);
    // A fact in the user's words that replaces it still shows the older text to a model.
    let newer = Draft {
        replaces: Some(id.clone()),
        ..draft("The user sails a ketch")
    };
    facts.keep(&[newer], &origin("b", 2));
    let newer = facts.get(&id_at("b", 0)).unwrap().provenance();
    assert_eq!(newer, page().and(From::Model).and(From::User));
    // A file can't say that the user wrote its facts.
    let mut typed = Facts::default();
    typed
        .write(&FactId("t".into()), &draft("The user rows"), 1)
        .unwrap();
    assert_eq!(typed.all()[0].provenance(), Provenance::of(From::User));
    let file = document::export(&typed);
    let read = document::facts_of(&file).unwrap().remove(0).unwrap();
    assert_eq!(read.provenance(), Provenance::of(From::Document));
}
