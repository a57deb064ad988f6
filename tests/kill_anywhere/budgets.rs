//! Limits of a run and fallback models, while workers are killed at any tick.

use crate::stage::{
    Life, NEVER, PANEL, TAB, article, ask, embedded, hello, listen, run_id, start_by, world,
};
use futures::FutureExt;
use futures::future::join3;
use gloss::agent::{Bound, Status};
use gloss::app::SurfaceId;
use gloss::app::options::OptionsRequest;
use gloss::app::surface::{Command, ConversationSettings, Notice, Snapshot, Turn, VERSION};
use gloss::durable::{Fut, RunId, Sink};
use gloss::host::TabId;
use gloss::host_sim::Sim;
use gloss::model::{
    AnswerOrigin, Fault, Model, ModelChoice, ModelError, Models, Part, Purpose, Reply, Request,
    Server, ServerKind, ToolCall, Usage,
};
use gloss::phrase::DisplayText;
use serde_json::json;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A model on a server. It searches five times, uses 4 000 tokens each time, and then answers. If
/// `fails` is true, the server refuses the API key.
#[derive(Clone)]
struct Acme {
    sim: Sim,
    fails: bool,
    asked: Rc<Cell<u32>>,
}

impl Model for Acme {
    fn reply(&self, request: Request, _: Sink) -> Fut<Result<Reply, ModelError>> {
        let acme = self.clone();
        async move {
            let asked = acme.asked.clone();
            acme.sim.send(move || asked.set(asked.get() + 1)).await;
            if acme.fails {
                return Err(refused());
            }
            Ok(answer(&request))
        }
        .boxed_local()
    }

    fn voice(&self) -> AnswerOrigin {
        AnswerOrigin::Model
    }
}

fn refused() -> ModelError {
    ModelError::Server {
        server: Box::new(Server {
            name: "Acme".to_owned(),
            origin: "https://api.acme.example".to_owned(),
            model: "m".to_owned(),
            kind: ServerKind::Other,
        }),
        fault: Fault::BadKey { status: Some(401) },
        partial: String::new(),
        used: Usage::default(),
    }
}

fn answer(request: &Request) -> Reply {
    let parts = request.transcript.messages().flat_map(|it| it.parts.iter());
    let looked = parts.filter(|part| matches!(part, Part::Result { .. }));
    let looked = looked.count();
    let done = request.purpose == Purpose::Synthesise || looked >= 5;
    Reply {
        text: if done {
            format!("Looked {looked} times.")
        } else {
            String::new()
        },
        calls: if done {
            Vec::new()
        } else {
            vec![ToolCall {
                id: looked.to_string(),
                name: "find_in_page".to_owned(),
                arguments: json!({ "query": "tide" }),
                reasoning: Some(DisplayText::words("The page may say it.")),
                after: None,
            }]
        },
        usage: match request.purpose {
            Purpose::Synthesise => used(100, 400),
            Purpose::Reason
            | Purpose::Act
            | Purpose::Observe
            | Purpose::Compact
            | Purpose::Grade
            | Purpose::Rewrite => used(3_000, 1_000),
        },
        ..Reply::default()
    }
}

fn used(input_tokens: u32, output_tokens: u32) -> Usage {
    Usage {
        input_tokens,
        output_tokens,
        ..Usage::default()
    }
}

/// The choice between the model on the server and the on-device model.
struct Both(Acme);

impl Models for Both {
    fn of(&self, choice: &ModelChoice) -> Rc<dyn Model> {
        match choice {
            ModelChoice::Embedded | ModelChoice::BuiltIn => embedded(),
            ModelChoice::Profile(_) => Rc::new(self.0.clone()),
        }
    }
}

/// A world with these settings, and a server that fails or not.
fn set(more: &str, fails: bool) -> (Sim, Acme) {
    let sim = world(4);
    sim.set_page(TAB, Ok(article(3)));
    let preferences = format!(
        r#"{{"format": "gloss-preferences", "version": 1, "preferences": {{
            "profiles": [{{"id": "acme", "name": "Acme", "model": "m",
                "base_url": "https://api.acme.example/v1",
                "facts": {{"price": {{"input": 10000, "cached": 10000, "output": 10000}}}}}}],
            "answers": "acme", "max_steps": 10, {more}}}}}"#
    );
    sim.set_shelved("preferences", &preferences);
    let acme = Acme {
        sim: sim.clone(),
        fails,
        asked: Rc::default(),
    };
    (sim, acme)
}

/// The command that asks a question to the server's model.
fn begin() -> Command {
    let tuning = ConversationSettings {
        model: "acme".to_owned(),
        max_steps: Some(10),
        ..Snapshot::unknown().tuning
    };
    start_by("run", ask(), tuning)
}

fn life(sim: &Sim, acme: &Acme, epoch: u64) -> Life {
    Life::with(sim, epoch, Rc::new(Both(acme.clone())))
}

/// Sends these commands and kills the first life at `tick`; a second life then runs to the end.
/// Returns the turns, and true if the first life was killed.
fn killed(sim: &Sim, acme: &Acme, tick: u64, commands: &[Command]) -> (Vec<Turn>, bool) {
    let first = life(sim, acme, 10);
    if first.until(tick, commands) {
        return (first.panel.borrow().turns(), false);
    }
    let second = life(sim, acme, 11);
    assert!(second.until(NEVER, commands));
    (second.panel.borrow().turns(), true)
}

#[test]
fn a_model_that_cannot_answer_is_followed_by_the_next_killed_anywhere() {
    for tick in 1.. {
        let (sim, acme) = set(r#""then": [""]"#, true);
        let (turns, was_killed) = killed(&sim, &acme, tick, &[begin()]);
        let turn = &turns[0];
        assert_eq!(turn.status, Status::Completed, "{tick}");
        assert_eq!(turn.model.voice, AnswerOrigin::Page, "{tick}");
        let changes = turn.notices.iter().filter_map(|seam| match seam {
            Notice::ModelChanged {
                from, to, failure, ..
            } => Some((
                from.provider.as_str(),
                to.provider.as_str(),
                failure.as_ref().map(|it| it.code.as_str()),
            )),
            _ => None,
        });
        let changes: Vec<_> = changes.collect();
        assert_eq!(changes, [("Acme", "", Some("model_bad_key"))], "{tick}");
        // A kill during a request causes at most one more request.
        assert!(acme.asked.get() <= 1 + u32::from(was_killed), "{tick}");
        if !was_killed {
            return;
        }
    }
}

#[test]
fn without_another_model_the_failure_stands() {
    let (sim, acme) = set(r#""then": []"#, true);
    let (turns, _) = killed(&sim, &acme, NEVER, &[begin()]);
    assert_eq!(turns[0].status, Status::Failed);
}

/// A run that a limit has ended, and the server with the number of requests that it received.
fn ended(more: &str) -> (Sim, Acme, Turn) {
    let (sim, acme) = set(more, false);
    let (mut turns, _) = killed(&sim, &acme, NEVER, &[begin()]);
    (sim, acme, turns.remove(0))
}

#[test]
fn each_budget_warns_ends_the_run_and_offers_twice_as_much() {
    for (more, bound, near) in [
        (
            r#""max_tokens": 16000, "max_cost_cents": 100"#,
            Bound::Tokens,
            100,
        ),
        // 4 000 tokens at $10 per million tokens cost 4 cents. The closing answer costs another 4
        // cents.
        (r#""max_cost_cents": 10"#, Bound::Cost, 80),
    ] {
        let (_, acme, turn) = ended(more);
        assert_eq!(turn.status, Status::Terminated(bound));
        assert!(turn.more.is_some(), "{bound:?}");
        let told: Vec<u8> = turn.near.iter().map(|near| near.percent).collect();
        assert_eq!(
            told.first(),
            Some(&near)
                .filter(|_| bound == Bound::Cost)
                .or(told.first())
        );
        assert_eq!(turn.near.len(), 1, "{bound:?} {told:?}");
        assert_eq!(turn.spent().cost, Some(u64::from(turn.spent().tokens) * 10));
        assert!(acme.asked.get() < 6);
    }
}

#[test]
fn a_run_with_more_to_spend_goes_on_and_repeats_nothing_killed_anywhere() {
    let (_, whole, _) = ended(r#""max_tokens": 100000, "max_cost_cents": 100"#);
    for tick in 1.. {
        // One reply may exceed the warning percentage of two limits at once.
        let (sim, acme, turn) = ended(r#""max_cost_cents": 10, "warn_percent": 10"#);
        let before = acme.asked.get();
        let fork = Command::Fork {
            run: RunId("more".to_owned()),
            from: run_id(),
            forked: turn.more.clone().expect("an offer"),
        };
        let (turns, was_killed) = killed(&sim, &acme, tick, &[fork]);
        let [old, new] = <[Turn; 2]>::try_from(turns).expect("the run and its fork");
        assert_eq!(old.status, turn.status, "{tick}");
        assert_eq!(new.status, Status::Terminated(Bound::Cost), "{tick}");
        assert!(new.spent().tokens > old.spent().tokens, "{tick}");
        // The replies of the old run are copied, except its closing answer.
        let copied = before - 1;
        let asked = acme.asked.get() - before;
        // A kill repeats the call in progress. It also repeats the call before, if that reply was
        // not on disk.
        assert!(
            copied + asked <= whole.asked.get() + 2 * u32::from(was_killed),
            "{tick}: {copied} + {asked} of {}, killed: {was_killed}",
            whole.asked.get()
        );
        if !was_killed {
            return;
        }
    }
}

/// The cost of a call, in millionths of a dollar.
const CALL: u64 = 40_000;
const DOLLAR: u64 = 1_000_000;
const SIDE: SurfaceId = SurfaceId(2);
const OPTIONS: SurfaceId = SurfaceId(3);
const OTHER: TabId = TabId(8);

/// Stores an earlier cost of this month, in millionths of a dollar.
fn has_spent(sim: &Sim, spent: u64) {
    let month = sim.host().clock.month();
    sim.set_shelved("spent", &json!({ month.to_string(): spent }).to_string());
}

/// The stored cost of this month, in millionths of a dollar.
fn spent(sim: &Sim) -> u64 {
    let shelved = sim.shelved("spent").unwrap_or_default();
    let months: BTreeMap<u32, u64> = serde_json::from_str(&shelved).unwrap_or_default();
    months.values().next_back().copied().unwrap_or_default()
}

#[test]
fn a_run_that_begins_over_the_months_limit_is_answered_on_the_device_killed_anywhere() {
    for tick in 1.. {
        let (sim, acme) = set(r#""max_month_dollars": 1"#, false);
        has_spent(&sim, DOLLAR);
        let (turns, was_killed) = killed(&sim, &acme, tick, &[begin()]);
        let turn = &turns[0];
        assert_eq!(turn.status, Status::Completed, "{tick}");
        assert_eq!(turn.model.voice, AnswerOrigin::Page, "{tick}");
        let changes = turn.notices.iter().filter_map(|seam| match seam {
            Notice::ModelChanged { failure, .. } => failure.as_ref().map(|it| it.code.as_str()),
            _ => None,
        });
        assert_eq!(changes.collect::<Vec<_>>(), ["month_limit"], "{tick}");
        assert_eq!(acme.asked.get(), 0, "{tick}");
        assert_eq!(spent(&sim), DOLLAR, "{tick}");
        if !was_killed {
            return;
        }
    }
}

/// Runs two conversations at once, in a life that may be killed.
fn both(sim: &Sim, acme: &Acme, epoch: u64, kill_at: u64) -> Option<Vec<Turn>> {
    let life = life(sim, acme, epoch);
    let side = listen(&life.app, SIDE);
    let tuning = || ConversationSettings {
        model: "acme".to_owned(),
        max_steps: Some(10),
        ..Snapshot::unknown().tuning
    };
    let survived = life.live(kill_at, async {
        life.say(SIDE, &hello(OTHER)).await;
        let (one, other) = (
            start_by("run", ask(), tuning()),
            start_by("other", ask(), tuning()),
        );
        join3(
            life.app.resume(),
            life.say(PANEL, &one),
            life.say(SIDE, &other),
        )
        .await;
    });
    let turns = || [life.panel.borrow().turns(), side.borrow().turns()].concat();
    survived.then(turns)
}

#[test]
fn runs_at_the_same_time_overspend_by_no_more_than_a_call_each_killed_anywhere() {
    let before = 800_000;
    let mut ended = 0;
    for tick in 1.. {
        let (sim, acme) = set(r#""max_cost_cents": 100, "max_month_dollars": 1"#, false);
        sim.set_page(OTHER, Ok(article(4)));
        has_spent(&sim, before);
        let first = both(&sim, &acme, 20, tick);
        let was_killed = first.is_none();
        let turns = first
            .or_else(|| both(&sim, &acme, 21, NEVER))
            .expect("two turns");
        assert_eq!(turns.len(), 2, "{tick}");
        for turn in &turns {
            // A run that begins after the limit is used up is answered by the on-device model.
            let on_device = turn.model.voice == AnswerOrigin::Page;
            assert!(
                on_device || turn.status == Status::Terminated(Bound::Month),
                "{tick}"
            );
            ended += u32::from(!on_device);
        }
        let recorded: u64 = turns.iter().filter_map(|turn| turn.spent().cost).sum();
        let all = spent(&sim) - before;
        // Each run may lose two calls: the call in progress, and the call before if its record was
        // not on disk. Such a call is charged twice, or only with an estimate.
        let abandoned = if was_killed { 4 * CALL } else { 0 };
        assert!(all + abandoned >= recorded, "{tick}: {all} of {recorded}");
        assert!(all <= recorded + abandoned, "{tick}: {all} of {recorded}");
        let most = DOLLAR + 2 * CALL + abandoned;
        assert!(before + all <= most, "{tick}: {all}");
        // The runs used up the limit.
        assert!(before + all + abandoned > DOLLAR - CALL, "{tick}: {all}");
        if !was_killed {
            break;
        }
    }
    assert!(ended > 100, "{ended}");
}

#[test]
fn an_erased_conversation_gives_nothing_back_killed_anywhere() {
    for tick in 1.. {
        let (sim, acme, turn) = ended(r#""max_cost_cents": 10"#);
        let cost = turn.spent().cost.expect("a price");
        assert_eq!(spent(&sim), cost);
        let conversation = run_id();
        let erase = Command::EraseConversation { conversation };
        let survived = life(&sim, &acme, 12).until(tick, std::slice::from_ref(&erase));
        assert_eq!(spent(&sim), cost, "{tick}");
        assert!(life(&sim, &acme, 13).until(NEVER, &[erase]));
        assert_eq!(sim.batches(), [], "{tick}");
        assert_eq!(spent(&sim), cost, "{tick}");
        // A new browser session does not change the stored cost either.
        sim.end_session();
        assert!(life(&sim, &acme, 14).until(NEVER, &[]));
        assert_eq!(spent(&sim), cost, "{tick}");
        if survived {
            return;
        }
    }
}

#[test]
fn everything_erased_takes_the_months_sum_along_with_its_limit() {
    let (sim, acme, _) = ended(r#""max_cost_cents": 10"#);
    assert!(spent(&sim) > 0);
    let life = life(&sim, &acme, 15);
    life.app.connect_options(OPTIONS, Rc::new(|_| ()));
    let greeting = Command::Hello {
        version: VERSION,
        tab: None,
        language: "en".to_owned(),
    };
    let erased = life.live(NEVER, async {
        life.say(OPTIONS, &greeting).await;
        life.say(
            OPTIONS,
            &Command::Options {
                n: 1,
                ask: OptionsRequest::Erase,
            },
        )
        .await;
    });
    assert!(erased);
    assert_eq!(sim.shelved("spent"), None);
}
