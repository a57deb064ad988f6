//! A run that is killed at any instant ends with the same answer.

use futures::future::join;
use gloss::agent::{Event, Goal, Status};
use gloss::app::surface::{Applied, Command, Reply, Snapshot, VERSION};
use gloss::app::{App, SurfaceId};
use gloss::host::sim::Sim;
use gloss::host::{Capture, RunId, TabId};
use std::cell::RefCell;
use std::rc::Rc;

const TAB: TabId = TabId(7);
const NEVER: u64 = u64::MAX;

fn article() -> Capture {
    let paragraph = |n: usize| {
        format!(
            "<p>The tide at port {n} rises because the Moon pulls on the sea. \
             Springs come when the Sun and the Moon pull together, and neaps when they do not. \
             A harbour of depth {n} answers later than the open sea does.</p>"
        )
    };
    let body: String = (1..=12).map(paragraph).collect();
    Capture {
        document: "d1".to_owned(),
        url: "https://coastlines.example/tides".to_owned(),
        title: "The arithmetic of the tides".to_owned(),
        language: "en".to_owned(),
        html: format!(
            "<html lang=en><head><title>The arithmetic of the tides</title></head>\
             <body><article><h1>The arithmetic of the tides</h1>{body}</article></body></html>"
        ),
        selection: None,
    }
}

/// A surface as the pages have it: it folds what it hears.
#[derive(Default)]
struct Surface {
    snapshot: Option<Snapshot>,
    events: Vec<Event>,
    gaps: u32,
}

fn listen(app: &App, id: SurfaceId) -> Rc<RefCell<Surface>> {
    let surface = Rc::new(RefCell::new(Surface::default()));
    let heard = surface.clone();
    app.connect(
        id,
        Rc::new(move |reply| {
            let mut surface = heard.borrow_mut();
            match reply {
                Reply::Snapshot { snapshot } => surface.snapshot = Some(snapshot.clone()),
                Reply::Update { update } => {
                    surface.events.push(update.event.clone());
                    let applied = surface.snapshot.as_mut().map(|s| s.apply(update));
                    if applied != Some(Applied::Yes) {
                        surface.gaps += 1;
                    }
                }
                Reply::Refused { failure } => panic!("refused: {failure:?}"),
            }
        }),
    );
    surface
}

fn hello() -> Command {
    Command::Hello {
        version: VERSION,
        tab: Some(TAB),
        language: "en".to_owned(),
    }
}

/// One life of a worker: it takes up what is there, a surface says hello and
/// asks for the summary (again, under the same id), until all is done or it is killed.
fn life(sim: &Sim, epoch: u64, kill_at: u64) -> Option<Surface> {
    let app = App::new(sim.host(), epoch);
    let surface = listen(&app, SurfaceId(1));
    let work = async {
        app.load(None).await;
        app.clone().command(SurfaceId(1), hello()).await;
        let start = Command::Start {
            run: RunId("run".to_owned()),
            goal: Goal::Summarize,
        };
        join(app.resume(), app.clone().command(SurfaceId(1), start)).await;
    };
    sim.life(kill_at, work)?;
    Some(std::mem::take(&mut surface.borrow_mut()))
}

fn summarised(seed: u64, kills: &[u64]) -> Surface {
    let sim = Sim::new(seed);
    sim.set_page(TAB, Ok(article()));
    for (life_number, kill_at) in kills.iter().enumerate() {
        if let Some(done) = life(&sim, life_number as u64, *kill_at) {
            return done;
        }
    }
    life(&sim, kills.len() as u64, NEVER).expect("the last life is not killed")
}

#[test]
fn an_unkilled_summary_completes_with_cited_points() {
    let surface = summarised(1, &[]);
    let snapshot = surface.snapshot.expect("a snapshot");
    let turn = &snapshot.turns[0];
    assert_eq!(turn.status, Status::Completed);
    let answer = turn.answer.as_ref().expect("an answer");
    assert!(answer.citations.len() >= 3, "{answer:?}");
    assert_eq!(answer.share_percent, Some(100));
    assert_eq!(surface.gaps, 0);
    for citation in &answer.citations {
        assert!(article().html.contains(&citation.quote), "{citation:?}");
    }
}

#[test]
fn a_summary_killed_at_any_instant_gives_the_same_answer() {
    for seed in 0..8 {
        let whole = summarised(seed, &[]);
        let expected = whole.snapshot.expect("a snapshot").turns[0].answer.clone();
        let mut kill_at = 0;
        loop {
            let sim = Sim::new(seed);
            sim.set_page(TAB, Ok(article()));
            let survived = life(&sim, 1, kill_at).is_some();
            let end = life(&sim, 2, NEVER).expect("not killed");
            let snapshot = end.snapshot.expect("a snapshot");
            assert_eq!(snapshot.turns.len(), 1, "seed {seed}, killed at {kill_at}");
            assert_eq!(snapshot.turns[0].status, Status::Completed);
            assert_eq!(snapshot.turns[0].answer, expected);
            assert_eq!(end.gaps, 0);
            if survived {
                break;
            }
            kill_at += 1;
        }
        assert!(kill_at > 8, "only {kill_at} instants");
    }
}

#[test]
fn a_summary_killed_twice_gives_the_same_answer() {
    let expected = summarised(3, &[]).snapshot.expect("a snapshot").turns[0]
        .answer
        .clone();
    for first in 0..30 {
        for second in 0..30 {
            let end = summarised(3, &[first, second]);
            let snapshot = end.snapshot.expect("a snapshot");
            assert_eq!(snapshot.turns[0].answer, expected, "{first}, {second}");
        }
    }
}
