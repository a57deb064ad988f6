//! After an update of Gloss, a model receives the same messages as it would without the update.

use crate::code_change::{asked_otherwise, of_another_revision, renewals};
use crate::stage::{Life, NEVER, PANEL, TAB, article, ask, find, start, thinking, world};
use futures::channel::oneshot;
use futures::future::join;
use gloss::agent::{Goal, Status};
use gloss::durable::Entry;
use gloss::host_sim::Sim;
use gloss::model::{Control, Message, Model, Part, Purpose, Reply, Request, Role, ToolCall};
use gloss::phrase::DisplayText;
use serde_json::json;
use std::cell::RefCell;
use std::rc::Rc;

type Last = Rc<RefCell<Option<Request>>>;

/// A model with three steps, which it counts by the tool results in the request. One result is
/// large.
fn reply(request: &Request) -> Reply {
    let parts = request.transcript.messages().flat_map(|it| &it.parts);
    let results = parts.filter(|part| matches!(part, Part::Result { .. }));
    let read = results.count();
    let calls = match (request.purpose, read) {
        (Purpose::Synthesise, _) | (_, 4..) => Vec::new(),
        (_, 0) => vec![all("1"), find("2", "springs")],
        (_, n) => vec![find(&format!("{}", n + 1), "neaps")],
    };
    let is_over = calls.is_empty();
    let mut reply = Reply {
        text: if is_over { "They *pull* [[p2]]." } else { "" }.to_owned(),
        calls,
        control: Control {
            thought: Some(DisplayText::Words(format!(
                "After {read}, the page may say it."
            ))),
            ..Control::default()
        },
        ..Reply::default()
    };
    if read > 0 {
        reply.control.observation = Some(DisplayText::Words(format!("{read} are read.")));
        reply.control.completed = vec![format!("Part {read} is done.")];
        reply.control.decisions = vec![format!("Keep to port {read}.")];
    }
    reply
}

fn all(id: &str) -> ToolCall {
    ToolCall {
        name: "summarize_page_content".to_owned(),
        arguments: json!({ "detail": "detailed" }),
        reasoning: Some(DisplayText::Words("All of it.".to_owned())),
        ..find(id, "")
    }
}

/// A message that is too long to be shown completely to the model.
fn long() -> Goal {
    let question = "And what of the neaps, which come a week after? ".repeat(900);
    Goal::Ask { question }
}

fn outset() -> Sim {
    let sim = world(3);
    sim.set_page(TAB, Ok(article(40)));
    sim
}

/// Sends the first question, and a long question while the run is active.
async fn with_follow_up(life: &Life) {
    let (send, receive) = oneshot::channel();
    let sim = life.sim.clone();
    sim.at_tick(15, move || send.send(()).unwrap_or_default());
    let meanwhile = async {
        if receive.await.is_ok() {
            life.say(PANEL, &start("second", long())).await;
        }
    };
    let first = start("run", ask());
    join(join(life.app.resume(), life.say(PANEL, &first)), meanwhile).await;
}

/// The messages of a request, except the one that says that Gloss was updated.
fn said(request: &Request) -> Vec<Message> {
    let is_of_update = |message: &Message| {
        let words = message.parts.iter().find_map(|part| match part {
            Part::Text { text } => Some(text.as_str()),
            _ => None,
        });
        message.role == Role::System && words.is_some_and(|it| it.starts_with("Gloss was updated"))
    };
    let all = request.transcript.messages();
    all.filter(|it| !is_of_update(it)).cloned().collect()
}

#[test]
fn after_an_update_a_model_is_told_what_it_would_have_been_told() {
    let model = |sim: &Sim| -> (Rc<dyn Model>, Last) {
        let last = Last::default();
        let asked = last.clone();
        let working = thinking(sim, move |request| {
            asked.replace(Some(request.clone()));
            reply(request)
        });
        (working, last)
    };
    let whole = outset();
    let (working, last) = model(&whole);
    let life = Life::new(&whole, 1, &working);
    assert!(life.live(NEVER, with_follow_up(&life)));
    assert_eq!(life.turn().messages.len(), 1, "it was read in the run");
    let expected = last.take().expect("it was asked");
    let expected_said = said(&expected);
    let text = format!("{expected_said:?}");
    assert!(text.contains("[m2]") && text.contains("resultId"), "{text}");
    assert!(
        expected.state.contains("Part 3 is done."),
        "{}",
        expected.state
    );
    let (mut updated, mut equal) = (0, 0);
    for from in ["2/", "3/"] {
        for kill_at in 16..whole.ticks() {
            let sim = outset();
            let life = Life::new(&sim, 1, &model(&sim).0);
            life.live(kill_at, with_follow_up(&life));
            of_another_revision(&sim);
            asked_otherwise(&sim, from);
            let (working, last) = model(&sim);
            let life = Life::new(&sim, 2, &working);
            assert!(life.until(NEVER, &[start("run", ask()), start("second", long())]));
            let renewed = renewals(&sim);
            let Some(Entry::Restarted { gathered, .. }) = renewed.first().map(|it| &it.entry)
            else {
                continue;
            };
            let at = format!("{from} {kill_at}");
            updated += 1;
            assert_eq!(renewed.len(), 1, "{at}");
            assert_eq!(life.turn().status, Status::Completed, "{at}");
            let asked = last.take().expect("it is asked again");
            // The record contains no copies: it refers to the long message by its id.
            assert!(gathered.to_string().len() < 2_000, "{at}: {gathered}");
            // The new request contains the earlier observations literally.
            let mut parts = vec!["Part 2 is done.", "Keep to port 2."];
            if from == "3/" {
                parts.extend(["Part 3 is done.", "Keep to port 3."]);
                // All messages except the answer were sent before, so the messages before the
                // answer are the same.
                assert!(said(&asked).starts_with(&expected_said), "{at}");
                equal += 1;
            }
            for part in parts {
                assert!(asked.state.contains(part), "{at}: {}", asked.state);
            }
        }
    }
    println!("{equal} of {updated} are told the same");
    assert!(updated > 10 && equal > 2, "{updated} {equal}");
}
