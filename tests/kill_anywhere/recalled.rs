//! The next turn can recall the result of an earlier turn, even if the worker is killed at any
//! tick.

use crate::stage::{Life, NEVER, PANEL, TAB, article, find, start, thinking, world};
use gloss::agent::{Goal, Status};
use gloss::app::surface::Turn;
use gloss::host_sim::Sim;
use gloss::model::{Control, Model, Part, Purpose, Reply, Request, ToolCall};
use gloss::phrase::DisplayText;
use serde_json::json;
use std::rc::Rc;

/// In the first turn, the model reads the whole page. In the second turn, it receives the id of
/// that result, and recalls the result together with a new one.
fn reply(request: &Request) -> Reply {
    let messages: Vec<_> = request.transcript.messages().collect();
    let names =
        |part: &Part| matches!(part, Part::Quoted { text, .. } if text.contains("\"id\":\"r1\""));
    let is_second = messages.iter().any(|it| it.parts.iter().any(names));
    let results: Vec<String> = messages
        .iter()
        .flat_map(|it| &it.parts)
        .filter_map(|part| match part {
            Part::Result { outcome, .. } => Some(format!("{outcome:?}")),
            _ => None,
        })
        .collect();
    let call = |name: &str, arguments| ToolCall {
        name: name.to_owned(),
        arguments,
        ..find("1", "")
    };
    let everything = || call("summarize_page_content", json!({ "detail": "detailed" }));
    let recall = || call("recall_details", json!({ "resultId": "r1" }));
    let (text, calls) = match (request.purpose, is_second, results.len()) {
        (Purpose::Synthesise, ..) => ("Over.".to_owned(), Vec::new()),
        (_, _, 0) => (String::new(), vec![everything()]),
        (_, false, _) => ("It was read.".to_owned(), Vec::new()),
        (_, true, 1) => (String::new(), vec![recall()]),
        (_, true, _) => {
            let own = results[0].contains("\\\"r2\\\"") || results[0].contains("r2");
            let had = results[1].contains("port 40 ") && results[1].contains("read it again");
            let cites = results[1].contains("p40");
            let said = format!("Had: {had}, own: {own}, cites: {cites}.");
            (said, Vec::new())
        }
    };
    Reply {
        text,
        calls,
        control: Control {
            thought: Some(DisplayText::Words("It may stand there.".to_owned())),
            ..Control::default()
        },
        ..Reply::default()
    }
}

fn question(words: &str) -> Goal {
    Goal::Ask {
        question: words.to_owned(),
    }
}

fn first() -> gloss::app::surface::Command {
    start("run", question("What does it say?"))
}

fn second() -> gloss::app::surface::Command {
    start("second", question("What else does it say of port 40?"))
}

fn outset() -> Sim {
    let sim = world(5);
    sim.set_page(TAB, Ok(article(40)));
    sim
}

fn model(sim: &Sim) -> Rc<dyn Model> {
    thinking(sim, reply)
}

fn answer(turn: &Turn) -> String {
    turn.answer.as_ref().expect("an answer").markdown.clone()
}

const EXPECTED: &str = "Had: true, own: true, cites: false.";

#[test]
fn a_result_of_the_turn_before_is_recalled_wherever_the_next_one_is_killed() {
    let begin = || {
        let sim = outset();
        assert!(Life::new(&sim, 1, &model(&sim)).until(NEVER, &[first()]));
        sim
    };
    let whole = begin();
    let before = whole.ticks();
    let life = Life::new(&whole, 2, &model(&whole));
    assert!(life.until(NEVER, &[second()]));
    let turns = life.panel.borrow().turns();
    assert_eq!(answer(&turns[1]), EXPECTED);
    let ticks = whole.ticks() - before;
    let mut deaths = 0;
    for kill_at in 0..ticks {
        let sim = begin();
        let killed = !Life::new(&sim, 2, &model(&sim)).until(kill_at, &[second()]);
        deaths += u32::from(killed);
        let life = Life::new(&sim, 3, &model(&sim));
        assert!(life.until(NEVER, &[second()]));
        let turns = life.panel.borrow().turns();
        assert_eq!(turns.len(), 2, "{kill_at}");
        assert_eq!(turns[1].status, Status::Completed, "{kill_at}");
        assert_eq!(answer(&turns[1]), EXPECTED, "{kill_at}");
    }
    assert!(deaths > 10, "{deaths}");
}

#[test]
fn with_history_off_it_stands_in_the_session_and_is_recalled_from_there() {
    let sim = outset();
    sim.set_shelved(
        "preferences",
        r#"{"format": "gloss-preferences", "version": 1, "preferences": {"keep_history": false}}"#,
    );
    let life = Life::new(&sim, 1, &model(&sim));
    assert!(life.until(NEVER, &[first()]));
    assert!(life.live(NEVER, life.say(PANEL, &second())));
    let turns = life.panel.borrow().turns();
    assert_eq!(answer(&turns[1]), EXPECTED);
}
