use super::*;
use crate::preferences::FieldName;
use crate::preferences::FieldName::{BaseUrl, File, Key, Limit as At, Model, Name, Passphrase};
use crate::surface::{Command, Reply, VERSION};
use crate::{App, SurfaceId};
use futures::future::join;
use gloss_agent::Goal;
use gloss_durable::{RunId, StoredBatch};
use gloss_host::{Capture, HttpError, TabId};
use gloss_host_sim::{Answer, Sim};
use gloss_reader::PageService;
use gloss_reader::retrieval::words_only;
use std::cell::RefCell;
use std::rc::Rc;

const CANARY: &str = "sk-canary-3141592653589793";
const PAGE: SurfaceId = SurfaceId(1);

/// Sends requests of an options page in one life. Returns the replies in order.
pub(super) fn told(sim: &Sim, asks: Vec<OptionsRequest>) -> Vec<Reply> {
    let replies = Rc::new(RefCell::new(Vec::new()));
    let heard = replies.clone();
    let app = App::new(sim.host(), PageService::in_process(words_only()), 1);
    let life = async move {
        app.load(None).await;
        let send = Rc::new(move |reply: &Reply| heard.borrow_mut().push(reply.clone()));
        app.connect_options(PAGE, send);
        let hello = Command::Hello {
            version: VERSION,
            tab: None,
            language: "en".to_owned(),
        };
        app.clone().command(PAGE, hello).await;
        for (n, ask) in (1..).zip(asks) {
            app.clone().command(PAGE, Command::Options { n, ask }).await;
        }
    };
    sim.life(u64::MAX, life).unwrap();
    replies.take()
}

pub(super) fn outcomes(replies: &[Reply]) -> Vec<&Outcome> {
    let answered = replies.iter().filter_map(|reply| match reply {
        Reply::Options { answered, .. } => answered.as_ref(),
        _ => None,
    });
    answered.map(|answered| &answered.outcome).collect()
}

pub(super) fn last_state(replies: &[Reply]) -> &State {
    let mut states = replies.iter().rev().filter_map(|reply| match reply {
        Reply::Options { state, .. } => Some(state),
        _ => None,
    });
    states.next().unwrap()
}

fn profile(base_url: &str) -> Profile {
    Profile {
        id: "p1".to_owned(),
        name: "Mine".to_owned(),
        base_url: base_url.to_owned(),
        model: "m".to_owned(),
        ..Profile::default()
    }
}

fn save(base_url: &str, key: &str) -> OptionsRequest {
    OptionsRequest::SaveProfile {
        profile: profile(base_url),
        key: TypedKey(key.to_owned()),
    }
}

#[test]
fn a_key_is_told_to_nobody() {
    let sim = Sim::new(1);
    let asks = vec![save("https://a.example/v1", CANARY), OptionsRequest::Export];
    assert!(!format!("{asks:?}").contains(CANARY));
    let replies = told(&sim, asks);
    assert_eq!(last_state(&replies).with_key, ["p1"]);
    assert!(matches!(
        outcomes(&replies)[..],
        [Outcome::Saved, Outcome::Exported { .. }]
    ));
    let everything = format!("{replies:?} {}", serde_json::to_string(&replies).unwrap());
    assert!(!everything.contains(CANARY));
    assert!(!sim.shelved("preferences").unwrap().contains(CANARY));
}

#[test]
fn an_empty_key_keeps_the_one_that_is_there_while_the_server_stays() {
    let cases = [
        ("https://a.example/v2", vec!["p1"]),
        // A key must not be sent to another server when the address changes.
        ("https://b.example/v1", vec![]),
        ("http://a.example/v1", vec![]),
        ("https://a.example:444/v1", vec![]),
    ];
    for (moved_to, keys) in cases {
        let sim = Sim::new(1);
        let replies = told(
            &sim,
            vec![save("https://a.example/v1", CANARY), save(moved_to, "")],
        );
        assert_eq!(last_state(&replies).with_key, keys, "{moved_to}");
        assert_eq!(sim.key_names(), keys, "{moved_to}");
    }
}

#[test]
fn an_imported_profile_gets_no_key_of_another_server() {
    let sim = Sim::new(1);
    let exported = told(
        &sim,
        vec![save("https://a.example/v1", CANARY), OptionsRequest::Export],
    );
    let Some(Outcome::Exported { text }) = outcomes(&exported).pop() else {
        panic!("no export");
    };
    let text = text.replace("a.example", "evil.example");
    let replies = told(&sim, vec![OptionsRequest::Import { text }]);
    let state = last_state(&replies);
    assert_eq!(
        state.preferences.profiles[0].base_url,
        "https://evil.example/v1"
    );
    assert_eq!(state.with_key, Vec::<String>::new());
    assert_eq!(sim.key_names(), Vec::<String>::new());
}

#[test]
fn what_is_refused_changes_nothing_and_names_its_field() {
    let limit = |typed: &str| OptionsRequest::Change {
        change: Change::Limit(Limit::Steps, typed.to_owned()),
    };
    let import = |text: &str| OptionsRequest::Import {
        text: text.to_owned(),
    };
    let unnamed = OptionsRequest::SaveProfile {
        profile: Profile {
            name: " ".to_owned(),
            model: String::new(),
            ..profile("nowhere")
        },
        key: TypedKey("a\nb".to_owned()),
    };
    let cases = [
        (limit("99"), vec![At(Limit::Steps)]),
        (import("{"), vec![File]),
        (unnamed, vec![Name, BaseUrl, Model, Key]),
    ];
    for (ask, fields) in cases {
        let sim = Sim::new(1);
        let replies = told(&sim, vec![ask]);
        let Some(Outcome::Refused { problems }) = outcomes(&replies).pop() else {
            panic!("{replies:?}");
        };
        let at: Vec<_> = problems.iter().map(|problem| problem.field).collect();
        assert_eq!(at, fields);
        assert_eq!(last_state(&replies).preferences, Preferences::default());
        assert_eq!(sim.shelved("preferences"), None);
        assert_eq!(sim.key_names(), Vec::<String>::new());
    }
}

#[test]
fn the_first_server_answers_and_a_removed_one_no_longer_does() {
    let sim = Sim::new(1);
    let saved = told(
        &sim,
        vec![save("https://a.example/v1/chat/completions/", CANARY)],
    );
    let preferences = &last_state(&saved).preferences;
    assert_eq!(preferences.answers.as_deref(), Some("p1"));
    assert_eq!(preferences.profiles[0].base_url, "https://a.example/v1");
    let id = "p1".to_owned();
    let removed = told(&sim, vec![OptionsRequest::RemoveProfile { id }]);
    assert_eq!(last_state(&removed).preferences, Preferences::default());
    assert_eq!(sim.key_names(), Vec::<String>::new());
}

#[test]
fn resetting_keeps_the_servers() {
    let sim = Sim::new(1);
    let thinking = OptionsRequest::Change {
        change: Change::ShowThinking(true),
    };
    let replies = told(
        &sim,
        vec![
            save("https://a.example", CANARY),
            thinking,
            OptionsRequest::Reset,
        ],
    );
    let state = last_state(&replies);
    assert!(!state.preferences.show_thinking);
    assert_eq!(state.preferences.profiles.len(), 1);
    assert_eq!(state.with_key, ["p1"]);
}

#[test]
fn each_tool_has_a_switch_and_what_is_off_is_kept_exported_and_reset() {
    let sim = Sim::new(1);
    let change = |change| OptionsRequest::Change { change };
    let tool = "find_in_page".to_owned();
    let replies = told(
        &sim,
        vec![
            change(Change::Tool(tool.clone(), Switch::Off)),
            change(Change::Group(Group::WebSearch, Switch::Off)),
            change(Change::OnToolFailure(OnToolFailure::Fail)),
            OptionsRequest::Export,
        ],
    );
    let state = last_state(&replies);
    let names: Vec<&str> = state.tools.iter().map(|it| it.name.as_str()).collect();
    assert!(names.contains(&"find_in_page") && names.contains(&"summarize_page_content"));
    assert_eq!(state.preferences.tools_off, [tool.clone()].into());
    assert_eq!(state.preferences.groups_off, [Group::WebSearch].into());
    let settings = state.preferences.settings();
    assert_eq!(settings.on_tool_failure, OnToolFailure::Fail);
    let Some(Outcome::Exported { text }) = outcomes(&replies).pop().cloned() else {
        panic!("no export");
    };
    let again = told(&Sim::new(2), vec![OptionsRequest::Import { text }]);
    assert_eq!(last_state(&again).preferences, state.preferences);
    let replies = told(
        &sim,
        vec![
            change(Change::Tool(tool, Switch::On)),
            OptionsRequest::Reset,
        ],
    );
    assert_eq!(last_state(&replies).preferences, Preferences::default());
}

#[test]
fn erasing_leaves_nothing() {
    let sim = Sim::new(1);
    sim.set_shelved("preferences.unreadable", "{ torn");
    sim.grant("https://a.example");
    let replies = told(
        &sim,
        vec![save("https://a.example", CANARY), OptionsRequest::Erase],
    );
    assert_eq!(outcomes(&replies).pop(), Some(&Outcome::Erased));
    assert_eq!(last_state(&replies).preferences, Preferences::default());
    // Each page must ask for the usage again.
    let since = |state: &State| state.counted_since_ms;
    let before = replies.iter().find_map(|reply| match reply {
        Reply::Options { state, .. } => Some(since(state)),
        _ => None,
    });
    assert!(before.is_some_and(|before| before < since(last_state(&replies))));
    assert_eq!(sim.shelved("preferences"), None);
    assert_eq!(sim.shelved("preferences.unreadable"), None);
    assert_eq!(sim.key_names(), Vec::<String>::new());
    assert_eq!(sim.batches(), []);
    assert_eq!(sim.blob_hashes(), Vec::<String>::new());
    assert_eq!(sim.grants(), Vec::<String>::new());
}

#[test]
fn what_cannot_be_read_is_named_and_exported_as_it_was() {
    let sim = Sim::new(1);
    let batch = |number, records: &str| StoredBatch {
        run: RunId("r1".to_owned()),
        number,
        records: records.to_owned(),
    };
    let begun = r#"[{"v":1,"seq":0,"at_ms":7,"path":"","entry":{"begun":{"config":{},"revision":"0.3.0+abc"}}}]"#;
    let kept = vec![batch(0, begun), batch(1, "[{\"v\":1,\"s\u{fffd}")];
    let archive = sim.host().archive.unwrap();
    sim.life(u64::MAX, archive.quarantine(kept))
        .unwrap()
        .unwrap();
    let run = RunId("r1".to_owned());
    let replies = told(
        &sim,
        vec![
            OptionsRequest::Damaged,
            OptionsRequest::ExportDamaged { run: run.clone() },
        ],
    );
    let outcomes = outcomes(&replies);
    let Outcome::Damaged { runs } = outcomes[0] else {
        panic!("{outcomes:?}");
    };
    let bytes = (begun.len() + "[{\"v\":1,\"s\u{fffd}".len()) as u64;
    let begun_by = Some((7, "0.3.0".to_owned()));
    assert_eq!(
        *runs,
        [Damaged {
            run,
            bytes,
            begun: begun_by
        }]
    );
    let Outcome::Exported { text } = outcomes[1] else {
        panic!("{outcomes:?}");
    };
    let file: serde_json::Value = serde_json::from_str(text).unwrap();
    assert_eq!(file["batches"][0]["text"], begun);
    assert_eq!(file["batches"][1]["text"], "[{\"v\":1,\"s\u{fffd}");
    assert!(sim.batches().is_empty(), "it stays apart from all runs");
}

#[test]
fn facts_of_a_newer_gloss_are_named_and_exported_as_they_were() {
    let newer = r#"{"format": "gloss-facts", "version": 2, "facts": [{"what": "later"}]}"#;
    for (text, remedy) in [
        (newer, "facts_newer_remedy"),
        ("{ torn", "facts_unreadable_remedy"),
    ] {
        let sim = Sim::new(1);
        sim.set_shelved("facts", text);
        let fact = TypedFact {
            id: FactId("a".to_owned()),
            content: "Plays chess".to_owned(),
            category: gloss_memory::Category::Preference,
            tier: gloss_memory::Tier::Core,
        };
        let run = RunId("facts".to_owned());
        let asks = vec![
            OptionsRequest::WriteFact { fact },
            OptionsRequest::Damaged,
            OptionsRequest::ExportDamaged { run: run.clone() },
        ];
        let replies = told(&sim, asks);
        let warnings = &last_state(&replies).warnings;
        assert!(format!("{warnings:?}").contains(remedy), "{warnings:?}");
        let bytes = text.len() as u64;
        let begun = None;
        let runs = vec![Damaged { run, bytes, begun }];
        let exported = Outcome::Exported {
            text: text.to_owned(),
        };
        assert_eq!(
            outcomes(&replies),
            [&Outcome::Saved, &Outcome::Damaged { runs }, &exported]
        );
    }
}

#[test]
fn an_options_page_may_not_chat_and_a_chat_page_may_not_set() {
    let sim = Sim::new(1);
    let replies = Rc::new(RefCell::new(Vec::new()));
    let app = App::new(sim.host(), PageService::in_process(words_only()), 1);
    let (heard, chat) = (replies.clone(), SurfaceId(2));
    let send = Rc::new(move |reply: &Reply| heard.borrow_mut().push(reply.clone()));
    app.connect_options(PAGE, send.clone());
    app.connect(chat, send);
    let life = async move {
        app.clone().command(PAGE, Command::NewChat).await;
        let ask = OptionsRequest::Export;
        app.command(chat, Command::Options { n: 1, ask }).await;
    };
    sim.life(u64::MAX, life).unwrap();
    let refused = |reply: &Reply| matches!(reply, Reply::Refused { .. });
    assert_eq!(replies.borrow().len(), 2);
    assert!(replies.borrow().iter().all(refused));
}

/// Tests a profile at a server that gives this answer, and returns the outcome.
fn tested(sim: &Sim, key: &str, answer: Answer) -> Outcome {
    sim.serve(move |_, _| answer.clone());
    let ask = OptionsRequest::Test {
        profile: profile("https://a.example/v1"),
        key: TypedKey(key.to_owned()),
    };
    let replies = told(sim, vec![ask]);
    outcomes(&replies).pop().unwrap().clone()
}

#[test]
fn a_test_says_exactly_what_is_wrong_or_what_works() {
    let list = |status: u16, body: &str| Answer::status(status).send(body);
    let code = |outcome: &Outcome| match outcome {
        Outcome::Listed { missing: None, .. } => "works".to_owned(),
        Outcome::Listed {
            missing: Some(failure),
            ..
        }
        | Outcome::Failed { failure } => failure.code.clone(),
        other => panic!("{other:?}"),
    };
    let unreachable = Answer::refuse(HttpError::Unreachable {
        message: "Failed to fetch".to_owned(),
    });
    let cases = [
        (list(200, r#"{"data":[{"id":"m"},{"id":"n"}]}"#), "works"),
        (list(200, r#"{"data":[{"id":"m:latest"}]}"#), "works"),
        (list(200, r#"{"data":[{"id":"n"}]}"#), "model_missing"),
        (
            list(401, r#"{"error":{"message":"Bad key sk-canary"}}"#),
            "model_bad_key",
        ),
        (list(403, ""), "model_forbidden"),
        (list(404, "Not found"), "model_wrong_address"),
        (list(200, "<html>Welcome</html>"), "model_nonsense"),
        (list(500, ""), "model_failing"),
        (unreachable, "model_unreachable"),
    ];
    for (answer, expected) in cases {
        let sim = Sim::new(1);
        sim.grant("https://a.example");
        let outcome = tested(&sim, CANARY, answer);
        assert_eq!(code(&outcome), expected);
        assert!(!format!("{outcome:?}").contains(CANARY));
        let sent = sim.requests().remove(0);
        assert_eq!(sent.url, "https://a.example/v1/models");
        assert!(
            sent.headers
                .contains(&("authorization".to_owned(), format!("Bearer {CANARY}")))
        );
        assert_eq!(sim.key_names(), Vec::<String>::new(), "tried, not kept");
    }
}

#[test]
fn without_leave_nothing_is_sent_and_the_test_says_so() {
    let sim = Sim::new(1);
    let outcome = tested(&sim, CANARY, Answer::status(200));
    let Outcome::Failed { failure } = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!(failure.code, "model_not_permitted");
    assert_eq!(sim.requests().len(), 0);
}

#[test]
fn a_test_sends_the_kept_key_to_its_own_server_alone() {
    for (kept_for, sent) in [
        ("https://a.example/v2", true),
        ("HTTPS://A.Example", true),
        ("https://b.example/v1", false),
        ("http://a.example/v1", false),
        ("https://a.example:8443/v1", false),
    ] {
        let sim = Sim::new(1);
        sim.grant("https://a.example");
        told(&sim, vec![save(kept_for, CANARY)]);
        tested(&sim, "", Answer::status(200).send(r#"{"data":[]}"#));
        let request = sim.requests().remove(0);
        let carries = |(name, _): &(String, String)| name == "authorization";
        assert_eq!(request.headers.iter().any(carries), sent, "{kept_for}");
    }
}

#[test]
fn erasing_stops_what_is_at_work_and_nothing_is_written_behind_it() {
    let sim = Sim::new(1);
    let tab = TabId(3);
    let html = "<main><p>The tide comes in twice a day, and goes out again.</p></main>";
    sim.set_page(
        tab,
        Ok(Capture {
            document: "d1".to_owned(),
            url: "https://x.example/".to_owned(),
            title: "Tides".to_owned(),
            language: "en".to_owned(),
            html: html.to_owned(),
            selection: None,
            pdf: None,
        }),
    );
    let app = App::new(sim.host(), PageService::in_process(words_only()), 1);
    let life = async {
        app.load(None).await;
        app.connect_options(PAGE, Rc::new(|_: &Reply| {}));
        let run = app.begin(RunId("r1".into()), Goal::Summarize, tab, "en".to_owned());
        let ask = OptionsRequest::Erase;
        let erase = app.clone().command(PAGE, Command::Options { n: 1, ask });
        join(Box::pin(run), Box::pin(erase)).await;
    };
    sim.life(u64::MAX, life).unwrap();
    assert_eq!(sim.batches(), []);
    assert_eq!(sim.blob_hashes(), Vec::<String>::new());
    assert!(!sim.is_armed());
}

fn keep(keeping: KeyStorage, passphrase: &str) -> OptionsRequest {
    OptionsRequest::KeepKeys {
        keeping,
        passphrase: TypedKey(passphrase.to_owned()),
    }
}

#[test]
fn a_passphrase_is_asked_for_once_a_session_and_a_wrong_one_is_refused() {
    let sim = Sim::new(1);
    let sealed = told(
        &sim,
        vec![
            save("https://a.example/v1", CANARY),
            keep(KeyStorage::Sealed, "short"),
            keep(KeyStorage::Sealed, "correct horse"),
        ],
    );
    assert!(matches!(
        outcomes(&sealed)[..],
        [Outcome::Saved, Outcome::Refused { .. }, Outcome::Saved]
    ));
    let state = last_state(&sealed);
    assert_eq!((state.keeping, state.locked), (KeyStorage::Sealed, false));
    assert!(!format!("{:?}", sim.key_texts()).contains(CANARY));

    sim.end_session();
    let unlock = |typed: &str| OptionsRequest::Unlock {
        passphrase: TypedKey(typed.to_owned()),
    };
    let asks = vec![
        unlock("wrong horse"),
        save("https://a.example/v2", "sk-other"),
        keep(KeyStorage::Device, ""),
        unlock("correct horse"),
    ];
    let replies = told(&sim, asks);
    let [
        Outcome::Refused { problems: wrong },
        Outcome::Refused { problems: locked },
        Outcome::Refused { problems: moved },
        Outcome::Saved,
    ] = &outcomes(&replies)[..]
    else {
        panic!("{replies:?}");
    };
    let at = [wrong, locked, moved].map(|problems| problems[0].field);
    assert_eq!(at, [Passphrase, Key, Key]);
    let state = last_state(&replies);
    assert!(!state.locked);
    assert_eq!(state.with_key, ["p1"], "the key of before");
    let everything = format!("{replies:?} {:?}", sim.key_texts());
    assert!(!everything.contains(CANARY) && !everything.contains("horse"));
}

#[test]
fn a_model_s_call_says_that_the_keys_are_locked() {
    let sim = Sim::new(1);
    sim.grant("https://a.example");
    told(
        &sim,
        vec![
            save("https://a.example/v1", CANARY),
            keep(KeyStorage::Sealed, "correct horse"),
            OptionsRequest::Lock,
        ],
    );
    let Outcome::Failed { failure } = tested(&sim, "", Answer::status(200)) else {
        panic!("it was asked");
    };
    assert_eq!(failure.code, "model_keys_locked");
    assert_eq!(sim.requests().len(), 0);
    // A key that the user just typed can be tested while the stored keys are locked.
    let typed = tested(&sim, "sk-typed", Answer::status(200).send(r#"{"data":[]}"#));
    assert!(matches!(typed, Outcome::Listed { .. }), "{typed:?}");
}

#[test]
fn forgotten_keys_are_gone_and_the_next_ones_are_on_this_device() {
    let sim = Sim::new(1);
    let sealed = vec![
        save("https://a.example/v1", CANARY),
        keep(KeyStorage::Sealed, "correct horse"),
    ];
    told(&sim, sealed);
    sim.end_session();
    let replies = told(
        &sim,
        vec![
            OptionsRequest::ForgetKeys,
            save("https://a.example/v1", CANARY),
        ],
    );
    let state = last_state(&replies);
    assert_eq!((state.keeping, state.locked), (KeyStorage::Device, false));
    assert_eq!(state.with_key, ["p1"]);
    assert_eq!(sim.key_names(), ["p1"]);
}

#[test]
fn forgetting_keys_does_not_forget_that_none_is_to_stand_on_the_disk() {
    let sim = Sim::new(1);
    let replies = told(
        &sim,
        vec![
            keep(KeyStorage::Session, ""),
            save("https://a.example/v1", CANARY),
            OptionsRequest::ForgetKeys,
        ],
    );
    let state = last_state(&replies);
    assert_eq!(state.keeping, KeyStorage::Session);
    assert_eq!(state.with_key, Vec::<String>::new());
}

fn put(name: gloss_model::prompts::Name, text: Option<&str>) -> OptionsRequest {
    let text = text.map(str::to_owned);
    OptionsRequest::Change {
        change: Change::Prompt(name, Language::English, text),
    }
}

#[test]
fn a_prompt_of_ones_own_is_kept_refused_at_its_field_and_reset() {
    use gloss_model::prompts::Name::{Observe, Reason};
    const OWN: &str = "<task>\nMind {{question}} well.\n</task>";
    let sim = Sim::new(1);
    let own = |replies: &[Reply], name| {
        let prompts = &last_state(replies).preferences.prompts;
        prompts.get(name, Language::English).map(str::to_owned)
    };
    let replies = told(
        &sim,
        vec![
            put(Reason, Some(&format!("{OWN}\n\n"))),
            put(Observe, Some("<task>\nMind {{questoin}}.\n</task>")),
        ],
    );
    let [Outcome::Saved, Outcome::Refused { problems }] = &outcomes(&replies)[..] else {
        panic!("{:?}", outcomes(&replies));
    };
    assert_eq!(problems[0].field, FieldName::Prompt);
    assert_eq!(problems[0].words.key, "prompt_placeholder_unknown");
    assert_eq!(
        problems[0].words.args,
        ["observe", "2", "questoin", "question, tool_summaries, step"]
    );
    assert_eq!(own(&replies, Reason).as_deref(), Some(OWN));
    assert_eq!(own(&replies, Observe), None);

    // In the next life the text is still there, and "Reset to defaults" doesn't change it. A text
    // that equals the default is not stored.
    let default = gloss_model::prompts::default_body(Observe, Language::English);
    let replies = told(
        &sim,
        vec![OptionsRequest::Reset, put(Observe, Some(&default))],
    );
    assert_eq!(own(&replies, Reason).as_deref(), Some(OWN));
    assert_eq!(own(&replies, Observe), None);
    let replies = told(&sim, vec![put(Reason, None)]);
    assert!(last_state(&replies).preferences.prompts.is_empty());

    let all = OptionsRequest::Change {
        change: Change::ResetPrompts,
    };
    let replies = told(&sim, vec![put(Reason, Some(OWN)), all]);
    assert!(last_state(&replies).preferences.prompts.is_empty());
}

#[test]
fn a_prompt_that_is_no_longer_valid_costs_nothing_else() {
    let text = r#"{ "format": "gloss-preferences", "version": 1, "preferences": {
        "max_steps": 3, "prompts": { "reason.en": "nothing", "later.en": "x" } } }"#;
    let sim = Sim::new(1);
    let import = OptionsRequest::Import {
        text: text.to_owned(),
    };
    let replies = told(&sim, vec![import]);
    assert_eq!(outcomes(&replies), [&Outcome::Saved]);
    let replies = told(&sim, Vec::new());
    let state = last_state(&replies);
    let [warning] = &state.warnings[..] else {
        panic!("{:?}", state.warnings);
    };
    assert_eq!(warning.code, "prompt_not_in_force");
    assert_eq!(warning.remedy.args[0], "reason");
    assert_eq!(state.preferences.max_steps, Some(3));
    let prompts = &state.preferences.prompts;
    let reason = prompts.get(gloss_model::prompts::Name::Reason, Language::English);
    // The invalid text is kept so that the user can correct it. Runs use the default.
    assert_eq!(reason, Some("nothing"));
}

#[test]
fn a_site_is_closed_by_its_name_once_and_opened_again() {
    let sim = Sim::new(1);
    let close = |typed: &str| OptionsRequest::Change {
        change: Change::CloseSite(typed.to_owned()),
    };
    let open = OptionsRequest::Change {
        change: Change::OpenSite("bank.example".to_owned()),
    };
    let asks = vec![
        close("https://www.bank.example:443/x"),
        close("Bank.example"),
    ];
    let replies = told(&sim, asks);
    let sites = &last_state(&replies).preferences.closed_sites;
    let [(site, since_ms)] = sites.iter().collect::<Vec<_>>()[..] else {
        panic!("{sites:?}");
    };
    assert_eq!(site, "bank.example");
    assert!(*since_ms > 1_000_000_000_000);
    let replies = told(&sim, vec![close(" my bank ")]);
    let words = phrase("options_never_refused").with("my bank");
    let problems = vec![Problem::at(FieldName::ClosedSite, words)];
    assert_eq!(outcomes(&replies), [&Outcome::Refused { problems }]);
    let replies = told(&sim, vec![OptionsRequest::Reset]);
    assert_eq!(last_state(&replies).preferences.closed_sites.len(), 1);
    let replies = told(&sim, vec![open]);
    assert!(last_state(&replies).preferences.closed_sites.is_empty());
}
