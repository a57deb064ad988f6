//! A call that changes the world is cut off at any tick. The call is never repeated without
//! asking. The user is asked about each call whose outcome is unknown.

use crate::stage::{Life, NEVER, PANEL, ask, listen, run_id, start, world};
use futures::FutureExt;
use gloss::agent::{Bound, MissingRight, Services, Status, Verdict, Wait};
use gloss::app::App;
use gloss::app::surface::{Command, Notice, Turn};
use gloss::durable::{Class, Fut, Sink};
use gloss::host_sim::Sim;
use gloss::model::{
    AnswerOrigin, Control, Model, ModelChoice, ModelError, Models, Part, Purpose, Reply, Request,
    ToolCall, ToolDefinition,
};
use gloss::page_service::PageService;
use gloss::phrase::{DisplayText, phrase};
use gloss::retrieval::words_only;
use gloss::tools::{Destination, Output, ToolContext, ToolDyn, ToolError, ToolProperties};
use serde_json::{Value, json};
use std::cell::Cell;
use std::rc::Rc;

/// A post office, and the number of letters that it received. If `deaf` is true, the post office
/// never answers.
#[derive(Clone)]
struct Post {
    sim: Sim,
    posted: Rc<Cell<u32>>,
    deaf: bool,
}

impl ToolDyn for Post {
    fn destination(&self) -> Destination {
        Destination::Device
    }

    fn properties(&self) -> ToolProperties {
        ToolProperties::new("post", Class::External)
    }

    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: "post".to_owned(),
            description: "Posts a letter.".to_owned(),
            parameters: json!({ "type": "object" }),
            examples: Vec::new(),
        }
    }

    fn run(&self, _: &Value, _: ToolContext) -> Fut<Result<Output, ToolError>> {
        let Self { sim, posted, deaf } = self.clone();
        async move {
            sim.send(move || posted.set(posted.get() + 1)).await;
            if deaf {
                std::future::pending::<()>().await;
            }
            // The letter was received, and the reply is being sent.
            sim.send(|| ()).await;
            Ok(Output {
                data: json!({ "posted": true }),
                summary: phrase("summary_nothing_found"),
                share_percent: None,
                picture: None,
                provenance: gloss::model::provenance::Provenance::of(
                    gloss::model::provenance::Origin::Tool("toy".into()),
                ),
            })
        }
        .boxed_local()
    }
}

/// A model that posts one letter, and then repeats the result that it read.
struct Writer(Sim);

impl Model for Writer {
    fn reply(&self, request: Request, _: Sink) -> Fut<Result<Reply, ModelError>> {
        let sim = self.0.clone();
        async move {
            sim.send(|| ()).await;
            Ok(write(&request))
        }
        .boxed_local()
    }

    fn voice(&self) -> AnswerOrigin {
        AnswerOrigin::Model
    }
}

impl Models for Writer {
    fn of(&self, _: &ModelChoice) -> Rc<dyn Model> {
        Rc::new(Self(self.0.clone()))
    }
}

fn write(request: &Request) -> Reply {
    let messages = request.transcript.messages();
    let mut parts = messages.flat_map(|message| message.parts.clone());
    let read = parts.find_map(|part| match part {
        Part::Result { outcome, .. } => Some(outcome),
        _ => None,
    });
    let calls = match (request.purpose, &read) {
        (Purpose::Synthesise, _) | (_, Some(_)) => vec![],
        (_, None) => vec![letter()],
    };
    let text = match read {
        Some(Ok(data)) => format!("Read: {data}"),
        Some(Err(error)) => format!("Read: {error}"),
        None => String::new(),
    };
    Reply {
        text,
        calls,
        control: Control {
            thought: Some(DisplayText::Words("It is to be posted.".to_owned())),
            ..Control::default()
        },
        ..Reply::default()
    }
}

fn letter() -> ToolCall {
    ToolCall {
        id: "1".to_owned(),
        name: "post".to_owned(),
        arguments: json!({ "to": "the harbour master" }),
        reasoning: None,
        after: None,
    }
}

fn post_office(sim: &Sim) -> Post {
    Post {
        sim: sim.clone(),
        posted: Rc::default(),
        deaf: false,
    }
}

fn life(sim: &Sim, epoch: u64, post: &Post) -> Life {
    let host = sim.host();
    let tools: [Rc<dyn ToolDyn>; 1] = [Rc::new(post.clone())];
    let models = Rc::new(Writer(sim.clone()));
    let page_service = PageService::in_process(words_only());
    let services = Services {
        tools: Rc::new(tools),
        ..Services::new(&host, models, page_service)
    };
    let app = App::with_services(host, epoch, services);
    Life {
        sim: sim.clone(),
        panel: listen(&app, PANEL),
        app,
        panic: None,
    }
}

fn answer(turn: &Turn) -> String {
    let answer = turn.answer.as_ref().expect("an answer");
    answer.markdown.clone()
}

fn answered(wait: &Wait, verdict: Verdict) -> Command {
    Command::Permit {
        run: run_id(),
        wait: wait.id,
        verdict,
    }
}

const POSTED: &str = "Read: {\"posted\":true}";

/// A world in which the run was killed at this tick, and then resumed.
fn taken_up(seed: u64, kill_at: u64) -> (Sim, Post, Life, bool) {
    let sim = world(seed);
    let post = post_office(&sim);
    let survived = life(&sim, 1, &post).until(kill_at, &[start("run", ask())]);
    let second = life(&sim, 2, &post);
    assert!(second.until(NEVER, &[start("run", ask())]));
    (sim, post, second, survived)
}

#[test]
fn a_call_killed_anywhere_is_made_once_or_asked_about_and_goes_on_as_the_person_says() {
    let (mut asked, mut kills, mut was_done) = (0, 0, 0);
    for seed in 0..12 {
        for verdict in [Verdict::Granted, Verdict::Refused] {
            for kill_at in 0.. {
                let (sim, post, second, survived) = taken_up(seed, kill_at);
                let (turn, at) = (second.turn(), format!("{seed} {verdict:?} {kill_at}"));
                if let Some(wait) = turn.wait.clone() {
                    asked += 1;
                    was_done += post.posted.get();
                    asks(&sim, &turn, &wait, &at);
                    goes_on(&sim, &post, &second, &wait, &verdict, &at);
                } else {
                    assert_eq!(turn.status, Status::Completed, "{at}");
                    assert_eq!(
                        (answer(&turn).as_str(), post.posted.get()),
                        (POSTED, 1),
                        "{at}"
                    );
                }
                if survived {
                    break;
                }
                kills += 1;
            }
        }
    }
    println!("{kills} kills, {asked} asked about, {was_done} of them done");
    assert!(
        asked > 40 && was_done > 5 && was_done < asked,
        "{asked} {was_done}"
    );
}

/// Checks that the question says what was sent and when, and that it keeps no worker alive.
fn asks(sim: &Sim, turn: &Turn, wait: &Wait, at: &str) {
    assert_eq!(turn.status, Status::AwaitingUser, "{at}");
    let MissingRight::Outcome {
        tool,
        arguments,
        sent_at_ms,
    } = &wait.need
    else {
        panic!("{at}: {wait:?}");
    };
    assert_eq!(tool, "post");
    assert_eq!(arguments, "{\"to\":\"the harbour master\"}");
    assert!(
        (turn.started_at_ms..=sim.now_ms()).contains(sent_at_ms),
        "{at}"
    );
    assert!(!sim.is_armed() && !sim.is_locked(&run_id()), "{at}");
}

fn goes_on(sim: &Sim, post: &Post, second: &Life, wait: &Wait, verdict: &Verdict, at: &str) {
    let before = post.posted.get();
    let said = answered(wait, verdict.clone());
    // The decision is sent twice, but recorded once.
    assert!(second.live(NEVER, async {
        second.say(PANEL, &said).await;
        second.say(PANEL, &said).await;
    }));
    let turn = life(sim, 3, post);
    assert!(turn.until(NEVER, std::slice::from_ref(&said)));
    let turn = turn.turn();
    assert_eq!(turn.status, Status::Completed, "{at}");
    let verdicts = turn.notices.iter().filter_map(|seam| match seam {
        Notice::Permission { verdict, .. } => Some(verdict),
        _ => None,
    });
    assert_eq!(verdicts.collect::<Vec<_>>(), [verdict], "{at}");
    if *verdict == Verdict::Granted {
        assert_eq!(post.posted.get(), before + 1, "{at}");
        assert_eq!(answer(&turn), POSTED, "{at}");
    } else {
        assert_eq!(post.posted.get(), before, "{at}");
        let read = answer(&turn);
        assert!(
            read.contains("not known") && read.contains("not repeated"),
            "{read}"
        );
    }
}

#[test]
fn a_recovery_that_is_killed_anywhere_never_makes_the_call_unasked() {
    let (mut runs, mut asked_again) = (0, 0);
    for seed in 0..4 {
        for verdict in [Verdict::Granted, Verdict::Refused] {
            for kill_at in 0.. {
                let (_, _, waiting, survived) = taken_up(seed, kill_at);
                for second_kill in 0.. {
                    if waiting.turn().wait.is_none() {
                        break;
                    }
                    let (sim, post, _, _) = taken_up(seed, kill_at);
                    let wait = waiting.turn().wait.expect("it waits");
                    let before = post.posted.get();
                    let said = answered(&wait, verdict.clone());
                    let third = life(&sim, 3, &post);
                    let whole = third.until(second_kill, std::slice::from_ref(&said));
                    let at = format!("{seed} {verdict:?} {kill_at} {second_kill}");
                    // A command that was lost is sent again. A new question is refused.
                    let fourth = life(&sim, 4, &post);
                    assert!(fourth.until(NEVER, &[said]));
                    if let Some(again) = fourth.turn().wait {
                        assert_ne!(again.id, wait.id, "{at}");
                        asked_again += 1;
                        let refused = answered(&again, Verdict::Refused);
                        assert!(fourth.live(NEVER, async { fourth.say(PANEL, &refused).await }));
                    }
                    assert_eq!(fourth.turn().status, Status::Completed, "{at}");
                    let most = before + u32::from(verdict == Verdict::Granted);
                    assert!((before..=most).contains(&post.posted.get()), "{at}");
                    runs += 1;
                    if whole {
                        break;
                    }
                }
                if survived {
                    break;
                }
            }
        }
    }
    assert!(runs > 100 && asked_again > 5, "{runs} {asked_again}");
}

#[test]
fn a_call_that_never_answers_is_asked_about_and_not_made_again_unasked() {
    let sim = world(3);
    let mut post = post_office(&sim);
    post.deaf = true;
    let first = life(&sim, 1, &post);
    assert!(first.until(NEVER, &[start("run", ask())]));
    let wait = first.turn().wait.expect("it asks");
    assert!(matches!(wait.need, MissingRight::Outcome { .. }));
    assert_eq!(post.posted.get(), 1);
    let refused = answered(&wait, Verdict::Refused);
    assert!(first.live(NEVER, async { first.say(PANEL, &refused).await }));
    assert_eq!(first.turn().status, Status::Completed);
    assert_eq!(post.posted.get(), 1);
}

#[test]
fn a_call_that_a_pause_or_a_stop_cut_off_is_asked_about_when_the_run_goes_on() {
    let (run, mut asked) = (run_id(), 0);
    let pause = Command::Pause { run: run.clone() };
    let stop = Command::Stop { run: run.clone() };
    let go_on = Command::Continue { run };
    for halt in [pause, stop] {
        for tick in 0..40 {
            let sim = world(2);
            let post = post_office(&sim);
            let first = life(&sim, 1, &post);
            let said = first.say(PANEL, &halt);
            sim.at_tick(tick, move || {
                let _ = said.now_or_never();
            });
            assert!(first.until(NEVER, &[start("run", ask())]));
            let second = life(&sim, 2, &post);
            assert!(second.until(NEVER, std::slice::from_ref(&go_on)));
            let turn = second.turn();
            let at = format!("{halt:?} {tick}");
            assert!(post.posted.get() <= 1, "{at}");
            let Some(wait) = turn.wait.clone() else {
                assert_eq!(turn.status, Status::Completed, "{at}");
                assert_eq!(post.posted.get(), 1, "{at}");
                continue;
            };
            asked += 1;
            asks(&sim, &turn, &wait, &at);
            goes_on(&sim, &post, &second, &wait, &Verdict::Granted, &at);
        }
    }
    assert!(asked > 2, "{asked}");
}

#[test]
fn a_run_that_asks_can_be_stopped_and_asks_again_when_it_goes_on() {
    let waiting = (0..).find_map(|kill_at| {
        let (sim, post, second, _) = taken_up(1, kill_at);
        let wait = second.turn().wait?;
        Some((sim, post, second, wait))
    });
    let (sim, post, second, wait) = waiting.expect("one that asks");
    let before = post.posted.get();
    let stop = Command::Stop { run: run_id() };
    assert!(second.live(NEVER, async { second.say(PANEL, &stop).await }));
    assert_eq!(second.turn().status, Status::Terminated(Bound::Stopped));
    let third = life(&sim, 3, &post);
    let go_on = Command::Continue { run: run_id() };
    assert!(third.until(NEVER, &[go_on]));
    assert_eq!(third.turn().wait, Some(wait));
    assert_eq!(post.posted.get(), before);
}
