//! Forks of a run. There is exactly one fork whenever the worker dies, and the original run stays.

use crate::stage::{Life, NEVER, PANEL, ask, embedded, run_id, start, steady, world};
use gloss::agent::export::Export;
use gloss::agent::fork::{Edit, ForkOrigin};
use gloss::agent::trajectory::LogEntryKind;
use gloss::agent::{Goal, Status};
use gloss::app::surface::{Command, Notice, Turn};
use gloss::durable::sorted::SortedMap;
use gloss::durable::{Entry, Record, RunId};
use gloss::host_sim::Sim;
use gloss::phrase::DisplayText;

fn fork_id() -> RunId {
    RunId("fork".to_owned())
}

fn fork(step: u8, edit: Edit) -> Command {
    Command::Fork {
        run: fork_id(),
        from: run_id(),
        forked: ForkOrigin { step, edit },
    }
}

fn says(text: &str) -> Edit {
    let text = text.to_owned();
    Edit::Message { text }
}

/// A world with an answered run of two steps.
fn answered() -> Sim {
    let sim = world(3);
    let life = Life::new(&sim, 1, &steady(&sim));
    assert!(life.until(NEVER, &[start("run", ask())]));
    assert_eq!(life.turn().step, 2);
    sim
}

/// Sends the command that forks the run, in a new life, and waits until the fork has ended.
fn forked(sim: &Sim, command: &Command) -> Life {
    let life = Life::new(sim, 2, &steady(sim));
    assert!(life.until(NEVER, std::slice::from_ref(command)));
    assert_eq!(life.panel.borrow().refused, []);
    life
}

fn turns(life: &Life) -> [Turn; 2] {
    let turns = life.panel.borrow().turns();
    <[Turn; 2]>::try_from(turns).expect("the run and its fork")
}

fn records(life: &Life, run: RunId) -> Vec<Record> {
    assert!(life.live(NEVER, async {
        life.say(PANEL, &Command::Export { run }).await;
    }));
    let text = life.panel.borrow_mut().exported.pop().expect("a file");
    Export::read(&text).expect("an export").records
}

fn thought(turn: &Turn, step: usize) -> String {
    match &turn.steps[step - 1].thought {
        Some(DisplayText::Words(words)) => words.clone(),
        other => panic!("{other:?}"),
    }
}

/// The number of records at the beginning of a fork that are equal to those of the run. Equal
/// records have the same number, path, time and entry.
fn copied(fork: &[Record], run: &[Record]) -> usize {
    let same = fork.iter().zip(run).skip(1).take_while(|(a, b)| a == b);
    same.count() + 1
}

#[test]
fn a_message_is_read_at_its_steps_reason_and_the_run_stays() {
    let sim = answered();
    let before = Life::new(&sim, 8, &steady(&sim));
    assert!(before.until(NEVER, &[]));
    let original = before.turn();
    let life = forked(&sim, &fork(2, says("Look at the harbour.")));
    let [run, forked] = turns(&life);
    assert_eq!(run, original);
    assert_eq!(forked.status, Status::Completed);
    assert_eq!(forked.goal, run.goal);
    assert!(forked.notices.contains(&Notice::Forked { step: 2 }));
    let read: Vec<&Goal> = forked.messages.iter().map(|m| &m.goal).collect();
    let question = "Look at the harbour.".to_owned();
    assert_eq!(read, [&Goal::Ask { question }]);
    assert!(forked.messages[0].read_at_ms.is_some());
    let (old, new) = (records(&life, run_id()), records(&life, fork_id()));
    let same = copied(&new, &old);
    // The first step is copied completely. The second step begins with a new thought.
    assert!(old[same].path.as_str().starts_with("2/inbox"), "{same}");
    let asks = |records: &[Record]| {
        let reason = |r: &&Record| r.path.as_str() == "2/reason";
        records.iter().filter(reason).count()
    };
    assert_eq!((asks(&old), asks(&new)), (0, 2));
    let Entry::Begun { forked, .. } = &new[0].entry else {
        panic!("no beginning");
    };
    let forked = forked.as_ref().expect("a fork");
    assert_eq!(forked.run, run_id());
    // The fork contains the copied records, and then the message.
    assert_eq!(forked.seq, same as u64);
}

#[test]
fn an_edited_thought_keeps_its_calls_and_what_follows_is_done_anew() {
    let text = "The page surely says it.".to_owned();
    let life = forked(&answered(), &fork(2, Edit::Thought { text: text.clone() }));
    let [run, forked] = turns(&life);
    assert_eq!(thought(&forked, 2), text);
    assert_eq!(thought(&forked, 1), thought(&run, 1));
    let calls = |turn: &Turn| turn.steps[1].calls[0].arguments.clone();
    assert_eq!(calls(&forked), calls(&run));
    assert_eq!(forked.status, Status::Completed);
    assert_ne!(thought(&run, 2), text);
}

#[test]
fn edited_arguments_are_what_the_tool_is_called_with() {
    let edit = |json: &str| Edit::Arguments {
        call: "3".to_owned(),
        json: json.to_owned(),
    };
    let life = forked(&answered(), &fork(2, edit(r#"{"query":"depth"}"#)));
    let [run, forked] = turns(&life);
    assert_eq!(forked.steps[1].calls[0].arguments, r#"{"query":"depth"}"#);
    assert_ne!(
        run.steps[1].calls[0].arguments,
        forked.steps[1].calls[0].arguments
    );
    // Arguments that are not a JSON object change nothing, and are refused with a message.
    for wrong in ["depth", "[1]"] {
        let sim = answered();
        let life = Life::new(&sim, 2, &steady(&sim));
        assert!(life.until(NEVER, &[fork(2, edit(wrong))]));
        assert_eq!(life.panel.borrow().refused[0].code, "no_json");
        assert_eq!(life.panel.borrow().turns().len(), 1);
    }
}

#[test]
fn an_edited_result_is_what_the_model_reads() {
    let edit = Edit::Result {
        call: "2".to_owned(),
        text: "Neaps come at half moon.".to_owned(),
    };
    let life = forked(&answered(), &fork(1, edit));
    let [_, forked] = turns(&life);
    assert_eq!(forked.status, Status::Completed);
    assert_eq!(forked.steps[0].calls.len(), 2);
    let (old, new) = (records(&life, run_id()), records(&life, fork_id()));
    let export = Export::new(fork_id(), "0", new, SortedMap::default());
    let read = export
        .trajectory
        .log
        .iter()
        .find_map(|logged| match &logged.what {
            LogEntryKind::Result(given) if given.id == "2" => Some(given.outcome.clone()),
            _ => None,
        });
    assert_eq!(read, Some(Ok("Neaps come at half moon.".into())));
    // The two calls of the first step are not repeated.
    let tries = |records: &[Record]| {
        let of_tool =
            |r: &&Record| matches!(&r.entry, Entry::Intent { effect, .. } if effect == "tool");
        let first = records.iter().filter(of_tool);
        first.filter(|r| r.path.as_str().starts_with("1/")).count()
    };
    assert_eq!((tries(&old), tries(&export.records)), (2, 2));
}

#[test]
fn a_buttons_own_thought_and_call_can_be_edited_too() {
    for edit in [
        Edit::Thought {
            text: "Only the gist.".to_owned(),
        },
        Edit::Arguments {
            call: "1".to_owned(),
            json: r#"{"detail":"brief"}"#.to_owned(),
        },
    ] {
        let sim = world(3);
        let life = Life::new(&sim, 1, &embedded());
        assert!(life.until(NEVER, &[start("run", Goal::Summarize)]));
        let life = Life::new(&sim, 2, &embedded());
        assert!(life.until(NEVER, &[fork(1, edit.clone())]));
        let [run, forked] = turns(&life);
        assert_eq!(forked.status, Status::Completed, "{edit:?}");
        let (was, is) = (&run.steps[0], &forked.steps[0]);
        match edit {
            Edit::Thought { .. } => assert_ne!(is.thought, was.thought),
            _ => assert_ne!(is.calls[0].arguments, was.calls[0].arguments),
        }
    }
}

#[test]
fn a_step_that_is_not_there_is_no_place_to_fork_at() {
    let sim = answered();
    let life = Life::new(&sim, 2, &steady(&sim));
    let unknown = Edit::Result {
        call: "9".to_owned(),
        text: String::new(),
    };
    assert!(life.until(NEVER, &[fork(7, says("x")), fork(1, unknown)]));
    let codes: Vec<String> = life
        .panel
        .borrow()
        .refused
        .iter()
        .map(|f| f.code.clone())
        .collect();
    assert_eq!(codes, ["no_fork", "no_fork"]);
    assert_eq!(life.panel.borrow().turns().len(), 1);
}

#[test]
fn killed_at_any_instant_there_is_exactly_one_fork_and_it_ends_the_same() {
    let edits = [
        fork(2, says("Look at the harbour.")),
        fork(
            1,
            Edit::Thought {
                text: "Look twice.".to_owned(),
            },
        ),
        fork(
            1,
            Edit::Result {
                call: "1".to_owned(),
                text: "Nothing.".to_owned(),
            },
        ),
    ];
    let mut kills = 0;
    for command in edits {
        let life = forked(&answered(), &command);
        let expected = turns(&life);
        for kill_at in 0.. {
            let sim = answered();
            let life = Life::new(&sim, 2, &steady(&sim));
            let survived = life.until(kill_at, std::slice::from_ref(&command));
            let life = Life::new(&sim, 3, &steady(&sim));
            // The command is sent again, as by a surface that received no confirmation.
            assert!(life.until(NEVER, std::slice::from_ref(&command)));
            let [run, forked] = turns(&life);
            assert_eq!(run.answer, expected[0].answer, "{kill_at}");
            assert_eq!(forked.answer, expected[1].answer, "{kill_at}");
            assert_eq!(forked.status, Status::Completed, "{kill_at}");
            let thoughts = |turn: &Turn| {
                let steps = turn.steps.iter();
                steps.map(|step| step.thought.clone()).collect::<Vec<_>>()
            };
            assert_eq!(thoughts(&forked), thoughts(&expected[1]), "{kill_at}");
            if survived {
                break;
            }
            kills += 1;
        }
    }
    println!("{kills} kills of forks");
    assert!(kills > 30, "{kills}");
}

#[test]
fn a_run_at_work_that_is_forked_is_stopped_and_can_go_on() {
    let mut forks = 0;
    for tick in 8..40 {
        let sim = world(3);
        let life = Life::new(&sim, 1, &steady(&sim));
        let begin = life.say(PANEL, &start("run", ask()));
        let command = fork(1, says("Shorter."));
        let say = life.say(PANEL, &command);
        let late = async {
            // The command is sent when the first step is shown, as a user would do.
            sim.send(|| ()).await;
            for _ in 0..tick {
                sim.send(|| ()).await;
            }
            say.await;
        };
        assert!(life.live(NEVER, async {
            futures::future::join(begin, late).await;
        }));
        let turns = life.panel.borrow().turns();
        let [run, forked] = &turns[..] else {
            continue;
        };
        forks += 1;
        assert!(!run.is_open(), "{tick}: {:?}", run.status);
        assert_eq!(forked.status, Status::Completed, "{tick}");
    }
    assert!(forks > 5, "{forks}");
}
