//! Facts and lessons, as an options page sees and changes them.

use super::tests::{last_state, outcomes, told};
use super::*;
use crate::surface::{Command, Reply, VERSION};
use crate::{App, SurfaceId};
use gloss_host_sim::Sim;
use gloss_memory::{Category, Draft, Facts, Origin, SourceKind, Tier};
use gloss_reader::PageService;
use gloss_reader::retrieval::words_only;
use std::cell::RefCell;
use std::rc::Rc;

const LEARNED: &str = r#"{"v": 1, "reflections": [
    {"id": "a/1/act/0", "tool": "web_fetch", "kind": "refused", "arguments": "{}",
     "error": "403", "fix": {"words": "Ask another."}},
    {"id": "a/2/act/0", "tool": "web_fetch", "kind": "empty", "arguments": "{}", "error": "",
     "fix": {"phrase": {"key": "reflection_empty"}}, "applied": true}]}"#;

fn ids(outcome: &Outcome) -> Vec<&str> {
    let Outcome::Learned { reflections } = outcome else {
        panic!("{outcome:?}");
    };
    reflections.iter().map(|one| one.id.as_str()).collect()
}

#[test]
fn what_was_learned_is_listed_the_newest_first_forgotten_and_brought_back() {
    let sim = Sim::new(1);
    sim.set_shelved("reflections", LEARNED);
    let first = told(&sim, vec![OptionsRequest::Learned]);
    let Some(Outcome::Learned { reflections }) = outcomes(&first).pop() else {
        panic!("{first:?}");
    };
    let all = ["a/2/act/0", "a/1/act/0"];
    assert_eq!(ids(outcomes(&first)[0]), all);
    let forget = OptionsRequest::ForgetLearned {
        ids: vec![all[0].to_owned()],
    };
    let back = OptionsRequest::BringBackLearned {
        reflections: reflections[..1].to_vec(),
    };
    // Each request is sent twice, as if the worker had died before it answered.
    let asks = [
        &forget,
        &forget,
        &OptionsRequest::Learned,
        &back,
        &back,
        &OptionsRequest::Learned,
    ];
    let replies = told(&sim, asks.into_iter().cloned().collect());
    let outcomes = outcomes(&replies);
    assert_eq!(ids(outcomes[2]), [all[1]]);
    assert_eq!(ids(outcomes[5]), all);
    assert!(last_state(&replies).learned > last_state(&first).learned);
}

#[test]
fn an_import_says_what_came_of_each_fact() {
    let sim = Sim::new(1);
    let fact = |id: &str, content: &str, more: &str| {
        format!(
            r#"{{"id": "{id}", "content": "{content}", "source": {{"how": "typed"}},
            "created_at_ms": 1 {more}}}"#
        )
    };
    let facts = [
        fact("1", "Plays chess", ""),
        fact("2", "The user plays chess", ""),
        fact("3", "My password is hunter2", ""),
        fact("4", "Sails a sloop", r#", "expires_at_ms": 2"#),
    ];
    let text = format!(
        r#"{{"format": "gloss-facts", "version": 1, "facts": [{}]}}"#,
        facts.join(",")
    );
    let import = || OptionsRequest::ImportFacts {
        act: "one".to_owned(),
        text: text.clone(),
    };
    let left = |why| LeftOutFacts { why, facts: 1 };
    let taken = Outcome::TakenIn {
        facts: 2,
        left_out: vec![left(SkipReason::Known), left(SkipReason::Secret)],
    };
    // The worker dies before it answers. The next worker gets the same request and gives the same
    // answer.
    for _ in 0..2 {
        let replies = told(&sim, vec![import(), import()]);
        assert_eq!(outcomes(&replies), [&taken, &taken]);
        assert_eq!(last_state(&replies).facts.len(), 2);
    }
}

#[test]
fn a_written_fact_says_what_went_for_it_and_that_comes_back() {
    let sim = Sim::new(1);
    let write = |id: &str, content: &str| OptionsRequest::WriteFact {
        fact: TypedFact {
            id: FactId(id.to_owned()),
            content: content.to_owned(),
            category: Category::default(),
            tier: Tier::default(),
        },
    };
    let asks = vec![
        write("a", "Lives in Berlin"),
        write("b", "The user lives in Berlin"),
    ];
    let replies = told(&sim, asks);
    let said = outcomes(&replies);
    assert_eq!(said[0], &Outcome::Saved);
    let Outcome::Wrote { went } = said[1] else {
        panic!("{said:?}");
    };
    assert_eq!(went[0].content, "Lives in Berlin");
    let back = OptionsRequest::BringBackFacts {
        written: Some(FactId("b".to_owned())),
        facts: went.clone(),
    };
    let replies = told(&sim, vec![back.clone(), back]);
    assert_eq!(outcomes(&replies), [&Outcome::Saved, &Outcome::Saved]);
    let facts = &last_state(&replies).facts;
    let contents: Vec<&str> = facts.iter().map(|fact| fact.content.as_str()).collect();
    assert_eq!(contents, ["Lives in Berlin"]);
}

#[test]
fn what_a_run_remembers_and_learns_comes_to_an_open_page_by_itself() {
    let sim = Sim::new(1);
    let page = SurfaceId(1);
    let app = App::new(sim.host(), PageService::in_process(words_only()), 1);
    let replies = Rc::new(RefCell::new(Vec::new()));
    let heard = replies.clone();
    let life = async move {
        app.load(None).await;
        app.connect_options(
            page,
            Rc::new(move |reply: &Reply| heard.borrow_mut().push(reply.clone())),
        );
        let hello = Command::Hello {
            version: VERSION,
            tab: None,
            language: "en".to_owned(),
        };
        app.clone().command(page, hello).await;
        let origin = Origin {
            act: "a".to_owned(),
            how: SourceKind::Conversation,
            conversation: None,
            provenance: gloss_model::provenance::Provenance::default(),
            now_ms: 1,
        };
        let draft = Draft {
            content: "The user plays chess".to_owned(),
            ..Draft::default()
        };
        let mut keep = |facts: &mut Facts, _: u64| {
            facts.keep(std::slice::from_ref(&draft), &origin);
        };
        let kept = app.memory.change(&mut keep).await;
        let erased = app.episodes.erase(&["a/1".to_owned()]).await;
        (kept, erased)
    };
    assert_eq!(sim.life(u64::MAX, life), Some((Ok(()), Ok(()))));
    let replies = replies.take();
    assert_eq!(replies.len(), 3);
    assert_eq!(outcomes(&replies), Vec::<&Outcome>::new());
    let state = last_state(&replies);
    assert_eq!(state.facts.len(), 1);
    // `State::learned` is sent twice unchanged, and then increased by one.
    let learned: Vec<u64> = replies.iter().filter_map(learned).collect();
    assert_eq!(learned, [learned[0], learned[0], learned[0] + 1]);
}

/// Returns [`State::learned`] of a reply.
fn learned(reply: &Reply) -> Option<u64> {
    match reply {
        Reply::Options { state, .. } => Some(state.learned),
        _ => None,
    }
}
