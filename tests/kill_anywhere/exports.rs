//! Exported runs can be read, folded and replayed, and contain no API key.

use crate::stage::{
    Life, Models, NEVER, PANEL, TAB, article, ask, embedded, listen, run_id, start, start_by,
    steady, world,
};
use futures::FutureExt;
use gloss::agent::export::{Export, ExportError};
use gloss::agent::replay::{ReplayResult, replay};
use gloss::agent::trajectory::{Charge, LogEntryKind, Trajectory};
use gloss::agent::{Closing, Event, Goal, Status};
use gloss::app::options::{OptionsRequest, TypedKey};
use gloss::app::surface::{Command, ConversationSettings, Snapshot};
use gloss::app::{App, SurfaceId};
use gloss::durable::Unreadable;
use gloss::host::CaptureError;
use gloss::host_sim::{Answer, Sim};
use gloss::model::Profile;
use gloss::page_service::PageService;
use gloss::retrieval::words_only;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::rc::Rc;

/// The name of a fixture, and the function that makes its file.
type Golden = (&'static str, fn() -> String);

/// The runs that are stored as fixtures, with the functions that make them.
fn golden() -> [Golden; 7] {
    [
        ("summary", || whole(|_| embedded(), Goal::Summarize, 12)),
        ("explanation", || {
            let selection = "neaps".to_owned();
            whole(|_| embedded(), Goal::Explain { selection }, 12)
        }),
        ("parallel_tools", chat),
        ("long_page", || whole(|_| embedded(), Goal::Summarize, 170)),
        ("stopped_and_continued", stopped_and_continued),
        ("parked", parked),
        ("killed", killed),
    ]
}

fn whole(model: Models, goal: Goal, paragraphs: usize) -> String {
    let sim = world(1);
    sim.set_page(TAB, Ok(article(paragraphs)));
    let life = Life::new(&sim, 1, &model(&sim));
    assert!(life.until(NEVER, &[start("run", goal)]));
    exported(&life)
}

/// A world with a profile. If a server answers a run, the run's first record names the server.
fn connected() -> Sim {
    let sim = world(1);
    let app = App::new(sim.host(), PageService::in_process(words_only()), 1);
    let saved = async {
        app.load(None).await;
        app.connect_options(OPTIONS, Rc::new(|_| ()));
        app.clone().command(OPTIONS, save()).await;
    };
    sim.life(NEVER, saved.boxed_local())
        .expect("nobody kills it");
    sim
}

fn question() -> Command {
    let tuning = ConversationSettings {
        model: "p1".to_owned(),
        ..Snapshot::unknown().tuning
    };
    start_by("run", ask(), tuning)
}

fn chat() -> String {
    let sim = connected();
    let life = Life::new(&sim, 1, &steady(&sim));
    assert!(life.until(NEVER, &[question()]));
    exported(&life)
}

/// A run that was stopped as late as a stop has an effect, and then continued.
fn stopped_and_continued() -> String {
    let stopped = |tick| {
        let sim = connected();
        let life = Life::new(&sim, 1, &steady(&sim));
        life.stop_at(tick);
        assert!(life.until(NEVER, &[question()]));
        let turns = life.panel.borrow().turns();
        let stopped = turns
            .first()
            .is_some_and(|turn| matches!(turn.status, Status::Terminated(_)));
        stopped.then_some((sim, life))
    };
    let (sim, life) = (0..99).rev().find_map(stopped).expect("it can be stopped");
    assert_eq!(life.turn().step, 2);
    let life = Life::new(&sim, 2, &steady(&sim));
    assert!(life.until(NEVER, &[Command::Continue { run: run_id() }]));
    assert_eq!(life.turn().status, Status::Completed);
    exported(&life)
}

fn parked() -> String {
    let sim = world(1);
    sim.set_page(TAB, Err(CaptureError::NoAccess));
    let life = Life::new(&sim, 1, &embedded());
    assert!(life.until(NEVER, &[start("run", Goal::Summarize)]));
    assert_eq!(life.turn().status, Status::AwaitingUser);
    exported(&life)
}

/// A run that was killed while a model was answering, so that the model call was repeated.
fn killed() -> String {
    for kill_at in 20.. {
        let sim = connected();
        let life = Life::new(&sim, 1, &steady(&sim));
        assert!(!life.until(kill_at, &[question()]), "never in a call");
        let life = Life::new(&sim, 2, &steady(&sim));
        assert!(life.until(NEVER, &[question()]));
        let text = exported(&life);
        if abandoned(&Export::read(&text).expect("an export").trajectory) > 0 {
            return text;
        }
    }
    unreachable!("the loop ends by itself")
}

fn abandoned(trajectory: &Trajectory) -> usize {
    let calls = trajectory.log.iter().filter(
        |logged| matches!(&logged.what, LogEntryKind::Asked(asked) if asked.charge == Some(Charge::Abandoned)),
    );
    calls.count()
}

/// The exported file of the run, as the panel receives it.
fn exported(life: &Life) -> String {
    assert!(life.live(NEVER, async {
        life.say(PANEL, &Command::Export { run: run_id() }).await;
    }));
    life.panel.borrow_mut().exported.pop().expect("a file")
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/runs")
}

/// Writes the fixtures of a new version of Gloss. Run this test after a change of the records; the
/// files of older versions stay unchanged. The command is `cargo test --features sim --test
/// kill_anywhere golden_runs_are_written -- --ignored`.
#[test]
#[ignore = "writes tests/fixtures/runs"]
fn golden_runs_are_written() {
    std::fs::create_dir_all(folder()).unwrap();
    for (name, run) in golden() {
        let version = env!("CARGO_PKG_VERSION");
        let file = folder().join(format!("{version}-{name}.json"));
        std::fs::write(file, run() + "\n").unwrap();
    }
}

/// The fold by the current code, without fields that did not exist when the run was recorded.
fn as_recorded(mut folded: Value, recorded: &Value) -> Value {
    match (&mut folded, recorded) {
        (Value::Object(folded), Value::Object(recorded)) => {
            folded.retain(|name, _| recorded.contains_key(name));
            for (name, value) in folded {
                *value = as_recorded(value.take(), &recorded[name]);
            }
        }
        (Value::Array(folded), Value::Array(recorded)) => {
            for (value, recorded) in folded.iter_mut().zip(recorded) {
                *value = as_recorded(value.take(), recorded);
            }
        }
        _ => {}
    }
    folded
}

/// The fixtures are runs of earlier versions, as users have them. Never edit a fixture.
#[test]
fn golden_runs_load_fold_as_they_did_and_replay_or_say_where_they_diverge() {
    let mut files = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let export = Export::read(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let recorded: Value = serde_json::from_str(&text).unwrap();
        let folded = serde_json::to_value(&export.trajectory).unwrap();
        let recorded = &recorded["trajectory"];
        assert_eq!(as_recorded(folded, recorded), *recorded, "{path:?}");
        // A prompt that changed later leads to another request, and the replay must report the
        // difference.
        match replay(&export) {
            ReplayResult::Diverged { path: step, why } => {
                println!("{path:?} diverges at {step}: {why}");
                assert!(!why.is_empty());
            }
            ReplayResult::Unfinished { next } => panic!("{path:?}: the record ends before {next}"),
            ReplayResult::Ended(_) | ReplayResult::Rests { .. } => {}
        }
        files += 1;
    }
    assert!(files >= 7, "{files}");
}

#[test]
fn what_this_code_records_it_replays() {
    for (name, run) in golden() {
        let export = Export::read(&run()).unwrap();
        let completed = Closing {
            status: Status::Completed,
            failure: None,
        };
        match (name, replay(&export)) {
            ("parked", ReplayResult::Rests { path }) => assert_eq!(path.as_str(), "site.1"),
            (_, ReplayResult::Ended(closing)) => assert_eq!(closing, completed, "{name}"),
            (_, other) => panic!("{name}: {other:?}"),
        }
        assert_eq!(export.bodies.is_empty(), name != "long_page", "{name}");
    }
}

#[test]
fn a_replay_of_part_of_a_record_says_where_it_ends_and_of_another_one_where_it_diverges() {
    let export = Export::read(&chat()).unwrap();
    let mut unfinished = 0;
    for length in 1..export.records.len() {
        let mut part = export.clone();
        part.records.truncate(length);
        match replay(&part) {
            ReplayResult::Unfinished { next } => {
                unfinished += 1;
                let known = &export.records[length..];
                let recorded = known.iter().any(|record| record.path == next);
                assert!(recorded || next.as_str().is_empty(), "{length}: {next}");
            }
            other => panic!("{length}: {other:?}"),
        }
    }
    assert!(unfinished > 10, "{unfinished}");
    let mut other = export.clone();
    for record in &mut other.records {
        let mut json = serde_json::to_value(&*record).unwrap();
        if record.path.as_str() == "1/act/0/try.1"
            && let Some(intent) = json["entry"].get_mut("intent")
        {
            intent["fingerprint"] = json!("0000000000000000");
            *record = serde_json::from_value(json).unwrap();
        }
    }
    let ReplayResult::Diverged { path, .. } = replay(&other) else {
        panic!("it does not diverge");
    };
    assert_eq!(path.as_str(), "1/act/0/try.1");
}

#[test]
fn a_run_killed_in_a_call_is_charged_for_it() {
    let export = Export::read(&killed()).unwrap();
    let metrics = &export.trajectory.metrics;
    assert!(metrics.abandoned_tokens > 100, "{metrics:?}");
    assert!(metrics.tokens.input >= metrics.abandoned_tokens);
}

#[test]
fn files_that_are_no_run_of_this_version_are_refused_with_words() {
    let whole = whole(|_| embedded(), Goal::Summarize, 170);
    let good: Value = serde_json::from_str(&whole).unwrap();
    let with = |change: &dyn Fn(&mut Value)| {
        let mut file = good.clone();
        change(&mut file);
        Export::read(&file.to_string())
    };
    let foreign = |read: Result<Export, ExportError>| {
        assert!(matches!(read, Err(ExportError::Foreign(_))), "{read:?}");
    };
    foreign(Export::read("no JSON"));
    foreign(Export::read("[]"));
    foreign(with(&|file| file["format"] = json!("gloss-settings")));
    assert_eq!(
        with(&|file| file["v"] = json!(9)),
        Err(ExportError::Newer(9))
    );
    let newer = with(&|file| file["records"][1]["v"] = json!(9));
    assert_eq!(newer, Err(ExportError::Unreadable(Unreadable::Newer(9))));
    let corrupt = with(&|file| file["records"][1]["entry"] = json!({ "unheard_of": {} }));
    assert!(matches!(
        corrupt,
        Err(ExportError::Unreadable(Unreadable::Corrupt(_)))
    ));
    let hash = good["bodies"].as_object().unwrap().keys().next().unwrap();
    let missing = with(&|file| file["bodies"] = json!({}));
    let flipped = with(&|file| file["bodies"][hash] = json!("{}"));
    for (damaged, why) in [(missing, "is missing"), (flipped, hash.as_str())] {
        let error = damaged.unwrap_err();
        assert!(matches!(error, ExportError::Damaged(_)), "{error:?}");
        assert!(error.to_string().contains(why), "{error}");
    }
    // Fields that a later version added are ignored.
    let read = with(&|file| {
        file["added"] = json!(1);
        file["records"][0]["added"] = json!(1);
    });
    assert_eq!(read.unwrap(), Export::read(&whole).unwrap());
}

#[test]
fn a_run_that_is_not_there_is_said_not_to_be() {
    let sim = world(1);
    let life = Life::new(&sim, 1, &embedded());
    assert!(life.until(NEVER, &[Command::Export { run: run_id() }]));
    assert_eq!(life.panel.borrow().refused.len(), 1);
    assert!(life.panel.borrow().exported.is_empty());
}

/// The API key that no exported file may contain.
const CANARY: &str = "sk-canary-41d7e0";

const OPTIONS: SurfaceId = SurfaceId(9);

#[test]
fn no_export_holds_a_key_even_if_the_server_says_it_back() {
    let refused = json!({ "error": { "message": format!("Incorrect API key: {CANARY}") } });
    let answered = json!({ "choices": [{ "index": 0, "finish_reason": "stop", "message": {
        "role": "assistant", "content": "The Moon pulls.",
    } }] });
    for (status, body) in [(401, refused), (200, answered)] {
        let sim = world(1);
        let arrived = Rc::new(std::cell::Cell::new(0));
        let count = arrived.clone();
        sim.serve(move |request, _| {
            assert!(format!("{:?}", request.url).contains("api.example"));
            count.set(count.get() + 1);
            Answer::status(status)
                .header("content-type", "application/json")
                .send(body.to_string())
        });
        sim.grant("https://api.example");
        let text = with_key(&sim);
        assert!(arrived.get() > 0, "nobody was asked");
        assert!(!text.contains(CANARY), "{status}: {text}");
        assert!(text.contains("api.example"), "the profile is in it");
        let export = Export::read(&text).unwrap();
        let failed = export.trajectory.status == Status::Failed;
        assert_eq!(failed, status == 401, "{:?}", export.trajectory);
    }
}

/// The command that saves a profile with its key.
fn save() -> Command {
    let profile = Profile {
        id: "p1".to_owned(),
        name: "Example".to_owned(),
        base_url: "https://api.example/v1".to_owned(),
        model: "m".to_owned(),
        ..Profile::default()
    };
    let key = TypedKey(CANARY.to_owned());
    let ask = OptionsRequest::SaveProfile { profile, key };
    Command::Options { n: 1, ask }
}

/// The exported file of a run that a server with a key answered.
fn with_key(sim: &Sim) -> String {
    let app = App::new(sim.host(), PageService::in_process(words_only()), 1);
    let panel = listen(&app, PANEL);
    app.connect_options(OPTIONS, Rc::new(|_| ()));
    let whole = async {
        app.load(None).await;
        app.clone().command(OPTIONS, save()).await;
        app.clone().command(PANEL, crate::stage::hello(TAB)).await;
        app.clone().command(PANEL, question()).await;
        app.clone()
            .command(PANEL, Command::Export { run: run_id() })
            .await;
    };
    sim.life(NEVER, whole.boxed_local())
        .expect("nobody kills it");
    let text = panel.borrow_mut().exported.pop();
    text.expect("a file")
}

#[test]
fn the_drawer_gets_the_trajectory_that_the_file_has() {
    let sim = connected();
    let life = Life::new(&sim, 1, &steady(&sim));
    assert!(life.until(NEVER, &[question()]));
    let export = Export::read(&exported(&life)).unwrap();
    assert!(life.live(NEVER, async {
        life.say(PANEL, &Command::Inspect { run: run_id() }).await;
    }));
    let inspected = life.panel.borrow_mut().inspected.pop().expect("it");
    let trajectory: Trajectory = serde_json::from_str(&inspected).unwrap();
    assert_eq!(trajectory, export.trajectory);
    let bounds = |event: &Event| matches!(event, Event::BoundHit { .. });
    assert!(
        !trajectory
            .log
            .iter()
            .any(|l| matches!(&l.what, LogEntryKind::Seam(e) if bounds(e)))
    );
    // The run has two steps. One or both of them found the passages that the answer cites.
    assert!(trajectory.metrics.steps >= 2, "{:?}", trajectory.metrics);
    let efficiency = trajectory.metrics.efficiency.unwrap();
    assert!(efficiency > 0.0 && efficiency <= 1.0);
}
