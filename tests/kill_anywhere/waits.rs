//! Runs that wait for the user. No worker has to live while they wait, and no record is lost.

use crate::server::{ORIGIN, Shut};
use crate::stage::{
    Life, NEVER, PANEL, TAB, article, ask, embedded, run_id, seen_at, start, start_by, steady,
    whole, world,
};
use gloss::agent::{Bound, Goal, MissingRight, Status, Verdict};
use gloss::app::surface::{Command, ConversationSettings, Notice, Snapshot, Turn};
use gloss::host::CaptureError;
use gloss::host_sim::Sim;
use gloss::model::{AnswerOrigin, Fault, Model, ModelChoice, Models};
use gloss::page_service::PageService;
use gloss::retrieval::words_only;
use std::cell::Cell;
use std::rc::Rc;

/// The user's decision about the permission for which the run waits now.
fn permit(life: &Life, verdict: Verdict) -> Command {
    let run = run_id();
    let wait = life.turn().wait.expect("it waits").id;
    Command::Permit { run, wait, verdict }
}

fn summary() -> Command {
    start("run", Goal::Summarize)
}

/// A world with a run that waits for the permission to read its page.
fn waiting(seed: u64) -> (Sim, Life) {
    let sim = world(seed);
    sim.set_page(TAB, Err(CaptureError::NoAccess));
    let life = Life::new(&sim, 1, &embedded());
    assert!(life.until(NEVER, &[summary()]));
    (sim, life)
}

fn next(sim: &Sim, epoch: u64) -> Life {
    Life::new(sim, epoch, &embedded())
}

#[test]
fn a_run_that_waits_lets_the_worker_sleep_and_says_what_for() {
    let (sim, life) = waiting(1);
    assert_eq!(life.turn().status, Status::AwaitingUser);
    let need = life.turn().wait.map(|wait| wait.need);
    assert_eq!(need, Some(MissingRight::Site { tab: TAB }));
    assert!(!sim.is_armed());
    assert!(!sim.is_locked(&run_id()));
    // Later lives show the same wait, and write nothing.
    let writes = sim.writes();
    let life = next(&sim, 2);
    assert!(life.until(NEVER, &[summary()]));
    assert_eq!(life.turn().status, Status::AwaitingUser);
    assert_eq!(sim.writes(), writes);
    assert!(!sim.is_armed());
}

#[test]
fn a_permission_given_in_any_life_and_killed_at_any_instant_leads_to_the_same_answer() {
    let (expected, _) = whole(1, |_| embedded(), &Goal::Summarize);
    let mut kills = 0;
    loop {
        let (sim, life) = waiting(1);
        let granted = permit(&life, Verdict::Granted);
        sim.set_page(TAB, Ok(article(12)));
        let survived = next(&sim, 2).until(kills, std::slice::from_ref(&granted));
        let life = next(&sim, 3);
        // The command is sent again, as by a surface that received no confirmation.
        assert!(life.until(NEVER, &[granted]));
        let turn = life.turn();
        assert_eq!(turn.status, Status::Completed, "{kills}");
        assert_eq!(turn.answer, expected.answer, "{kills}");
        assert_eq!(permissions(&turn), [Verdict::Granted], "{kills}");
        if survived {
            break;
        }
        kills += 1;
    }
    assert!(kills > 8, "{kills}");
}

fn permissions(turn: &Turn) -> Vec<Verdict> {
    let seams = turn.notices.iter().filter_map(|seam| match seam {
        Notice::Permission { verdict, .. } => Some(verdict.clone()),
        _ => None,
    });
    seams.collect()
}

#[test]
fn a_permission_that_does_not_help_is_asked_for_again() {
    let (sim, life) = waiting(1);
    let first = permit(&life, Verdict::Granted);
    assert!(life.live(NEVER, async {
        life.say(PANEL, &first).await;
    }));
    assert_eq!(life.turn().status, Status::AwaitingUser);
    let second = permit(&life, Verdict::Granted);
    assert_ne!(first, second);
    sim.set_page(TAB, Ok(article(12)));
    // A decision about the first permission does not count for another permission.
    let life = next(&sim, 2);
    assert!(life.until(NEVER, &[first]));
    assert_eq!(life.turn().status, Status::AwaitingUser);
    let life = next(&sim, 3);
    assert!(life.until(NEVER, &[second]));
    assert_eq!(life.turn().status, Status::Completed);
}

#[test]
fn a_permission_refused_ends_what_cannot_do_without() {
    let (_, life) = waiting(1);
    let refused = permit(&life, Verdict::Refused);
    assert!(life.live(NEVER, async {
        life.say(PANEL, &refused).await;
    }));
    let turn = life.turn();
    assert_eq!(turn.status, Status::Failed);
    assert_eq!(turn.failure.expect("a failure").code, "capture_no_access");
}

#[test]
fn a_run_that_waits_can_be_stopped_and_waits_again_when_it_goes_on() {
    let (sim, _) = waiting(1);
    let life = next(&sim, 2);
    let run = run_id();
    assert!(life.live(NEVER, async {
        life.say(PANEL, &Command::Stop { run: run.clone() }).await;
    }));
    assert_eq!(life.turn().status, Status::Terminated(Bound::Stopped));
    let life = next(&sim, 3);
    assert!(life.live(NEVER, async {
        life.say(PANEL, &Command::Continue { run: run.clone() })
            .await;
    }));
    assert_eq!(life.turn().status, Status::AwaitingUser);
    let granted = permit(&life, Verdict::Granted);
    sim.set_page(TAB, Ok(article(12)));
    let life = next(&sim, 4);
    assert!(life.until(NEVER, &[granted]));
    assert_eq!(life.turn().status, Status::Completed);
}

/// The choice between a server for which Gloss has no permission, and the on-device model.
struct Guarded {
    open: Rc<Cell<bool>>,
    behind: Rc<dyn Model>,
}

impl Models for Guarded {
    fn of(&self, choice: &ModelChoice) -> Rc<dyn Model> {
        match choice {
            ModelChoice::Embedded | ModelChoice::BuiltIn => {
                Rc::new(PageService::in_process(words_only()))
            }
            ModelChoice::Profile(_) => Rc::new(Shut {
                is_open: self.open.clone(),
                asked: Rc::default(),
                fault: Fault::NotPermitted {
                    origin: ORIGIN.to_owned(),
                },
                behind: self.behind.clone(),
            }),
        }
    }
}

const PREFERENCES: &str = r#"{"format": "gloss-preferences", "version": 1, "preferences": {
    "profiles": [{"id": "acme", "name": "Acme", "base_url": "https://api.acme.example/v1", "model": "m"}]
}}"#;

/// A question to a server for which Gloss has no permission.
struct Asked {
    sim: Sim,
    open: Rc<Cell<bool>>,
    /// The life in which the user sent the question.
    first: Life,
}

impl Asked {
    fn of_a_server() -> Self {
        let sim = world(2);
        sim.set_shelved("preferences", PREFERENCES);
        let open = Rc::new(Cell::new(false));
        let first = lived(&sim, &open, 1);
        let tuning = ConversationSettings {
            model: "acme".to_owned(),
            ..Snapshot::unknown().tuning
        };
        let command = start_by("run", ask(), tuning);
        assert!(first.until(NEVER, &[command]));
        let need = first.turn().wait.map(|wait| wait.need);
        assert!(
            matches!(need, Some(MissingRight::Provider { .. })),
            "{need:?}"
        );
        assert!(!sim.is_armed());
        Self { sim, open, first }
    }

    fn life(&self, epoch: u64) -> Life {
        lived(&self.sim, &self.open, epoch)
    }
}

fn lived(sim: &Sim, open: &Rc<Cell<bool>>, epoch: u64) -> Life {
    let models = Guarded {
        open: open.clone(),
        behind: steady(sim),
    };
    Life::with(sim, epoch, Rc::new(models))
}

/// The turn after the user's decision. The second life of the run is killed at this tick.
fn asked_of_a_server(verdict: &Verdict, kill_at: u64) -> (Turn, bool) {
    let asked = Asked::of_a_server();
    let answer = permit(&asked.first, verdict.clone());
    asked.open.set(*verdict == Verdict::Granted);
    let survived = asked.life(2).until(kill_at, std::slice::from_ref(&answer));
    let last = asked.life(3);
    assert!(last.until(NEVER, &[answer]));
    (last.turn(), survived)
}

#[test]
fn a_grant_that_no_surface_heard_of_is_found_when_one_connects_or_the_worker_wakes() {
    type Way = fn(&Life) -> bool;
    let ways: [Way; 2] = [
        |life| life.live(NEVER, async {}),
        |life| life.live(NEVER, life.app.wake()),
    ];
    for way in ways {
        let asked = Asked::of_a_server();
        asked.open.set(true);
        asked.sim.grant(ORIGIN);
        let life = asked.life(2);
        assert!(way(&life));
        assert_eq!(life.turn().status, Status::Completed);
    }
}

#[test]
fn a_server_that_needs_the_persons_word_answers_once_it_is_given() {
    for kill_at in 0.. {
        let (turn, survived) = asked_of_a_server(&Verdict::Granted, kill_at);
        assert_eq!(turn.status, Status::Completed, "{kill_at}");
        assert_eq!(turn.model.provider, "Acme");
        assert_eq!(permissions(&turn), [Verdict::Granted]);
        if survived {
            assert!(kill_at > 20, "{kill_at}");
            break;
        }
    }
}

#[test]
fn a_server_that_is_refused_leaves_the_answer_to_the_device() {
    for kill_at in 0.. {
        let (turn, survived) = asked_of_a_server(&Verdict::Refused, kill_at);
        assert_eq!(turn.status, Status::Completed, "{kill_at}");
        assert_eq!(turn.model.voice, AnswerOrigin::Page);
        assert_eq!(
            turn.answer.as_ref().map(|a| a.voice),
            Some(AnswerOrigin::Page)
        );
        let changed = |seam: &Notice| matches!(seam, Notice::ModelChanged { .. });
        assert_eq!(turn.notices.iter().filter(|seam| changed(seam)).count(), 1);
        if survived {
            assert!(kill_at > 8, "{kill_at}");
            break;
        }
    }
}

#[test]
fn a_message_from_a_surface_that_knows_nothing_yet_goes_to_the_main_model() {
    let sim = world(2);
    let main = PREFERENCES.replacen("\"profiles\"", "\"answers\": \"acme\", \"profiles\"", 1);
    sim.set_shelved("preferences", &main);
    let life = Life::new(&sim, 1, &steady(&sim));
    let command = Command::Start {
        run: run_id(),
        goal: ask(),
        tuning: None,
        replaces: None,
    };
    assert!(life.until(NEVER, &[command]));
    assert_eq!(life.turn().model.provider, "Acme");
}

#[test]
fn a_stop_at_any_tick_of_laying_a_run_down_stands() {
    let mut stopped = 0;
    // Once the run is parked, a stop has to drive the run itself.
    let sim = world(1);
    sim.set_page(TAB, Err(CaptureError::NoAccess));
    let life = Life::new(&sim, 1, &embedded());
    let waits = |turn: &Turn| turn.status == Status::AwaitingUser;
    let laid_down = seen_at(&life, &[summary()], waits);
    for tick in 0..laid_down {
        let sim = world(1);
        sim.set_page(TAB, Err(CaptureError::NoAccess));
        let life = Life::new(&sim, 1, &embedded());
        life.stop_at(tick);
        assert!(life.until(NEVER, &[summary()]));
        let status = life.turn().status;
        match status {
            Status::Terminated(Bound::Stopped) => stopped += 1,
            // The stop arrived before the run could be stopped.
            Status::AwaitingUser => assert!(tick < 7, "{tick}"),
            other => panic!("{tick}: {other:?}"),
        }
    }
    assert!(stopped > 2, "{stopped}");
}
