//! A model can still cite the passages of a long result after a change of the code.

use crate::code_change::{asked_otherwise, of_another_revision, renewals};
use crate::stage::{Life, NEVER, start, thinking, world};
use gloss::agent::{Goal, Status};
use gloss::app::surface::Command;
use gloss::durable::Entry;
use gloss::host_sim::{Answer, Sim};
use gloss::model::{Control, Part, Purpose, Reply, Request, ToolCall};
use gloss::phrase::DisplayText;
use serde_json::json;

const LAMPS: &str = "https://lamps.example";

/// A world in which a search finds two pages. Large parts of the pages are relevant to the
/// question. They use long words, because the size limit counts words.
fn searched(seed: u64) -> Sim {
    let sim = world(seed);
    sim.grant(LAMPS);
    sim.serve(|request, _| {
        let answer = Answer::status(200);
        if request.url.starts_with(LAMPS) {
            let lit = |n: u32| {
                let why =
                    "notwithstanding extraordinarily uncomfortable circumstances throughout, ";
                let why = why.repeat(4);
                format!("<p>The lamp of Brest was lit in winter {n}, {why}and shone.</p>")
            };
            let body: String = (1..=60).map(lit).collect();
            return answer
                .header("content-type", "text/html; charset=utf-8")
                .send(format!(
                    "<html lang=en><title>Brest</title><main><h1>Brest</h1>{body}</main>"
                ));
        }
        let page = |number: u32| {
            json!({
                "pageid": number, "index": number, "title": "The lamp of Brest",
                "canonicalurl": format!("{LAMPS}/brest/{number}"), "extract": "It was lit.",
            })
        };
        let pages = [page(1), page(2), page(3)];
        let body = json!({ "batchcomplete": true, "query": { "pages": pages } });
        answer.send(body.to_string())
    });
    sim
}

/// A model that searches, and then cites the last passage that it has received.
fn reply(request: &Request) -> Reply {
    let parts = request.transcript.messages().flat_map(|it| &it.parts);
    let given = parts.filter_map(|part| match part {
        Part::Result {
            outcome: Ok(result),
            ..
        } => Some(result.to_string()),
        _ => None,
    });
    let given: String = given.collect();
    let passage = |rest: &str| {
        let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
        (!number.is_empty()).then_some(number)
    };
    let last = given.split("s1a1.p").skip(1).filter_map(passage).last();
    let (text, calls) = match (request.purpose, last) {
        (Purpose::Grade, _) => {
            let grade = |n: u32| json!({ "n": n, "relevant": true, "confidence": 0.9, "reason": "the lamp" });
            let grades = [grade(1), grade(2), grade(3)];
            (json!({ "grades": grades }).to_string(), Vec::new())
        }
        (_, None) => {
            let search = ToolCall {
                id: "1".to_owned(),
                name: "web_search".to_owned(),
                arguments: json!({ "query": "lamp lit" }),
                reasoning: None,
                after: None,
            };
            (String::new(), vec![search])
        }
        (_, Some(n)) => (format!("In winter it was lit [[s1a1.p{n}]]."), Vec::new()),
    };
    Reply {
        text,
        calls,
        control: Control {
            thought: Some(DisplayText::Words("It may be on the web.".to_owned())),
            ..Control::default()
        },
        ..Reply::default()
    }
}

fn again() -> [Command; 1] {
    let question = "When was the lamp of Brest lit?".to_owned();
    [start("run", Goal::Ask { question })]
}

#[test]
fn a_long_search_is_cited_after_an_update_wherever_a_kill_falls() {
    let whole = searched(1);
    let model = |sim: &Sim| thinking(sim, reply);
    let life = Life::new(&whole, 1, &model(&whole));
    assert!(life.until(NEVER, &again()));
    let expected = life.turn().answer.expect("an answer");
    assert_eq!(expected.citations.len(), 1, "{expected:?}");
    let mut gathered = 0;
    for kill_at in (10..whole.ticks()).step_by(2) {
        for second in [3, 9, 14, NEVER] {
            let sim = searched(1);
            Life::new(&sim, 1, &model(&sim)).until(kill_at, &again());
            of_another_revision(&sim);
            asked_otherwise(&sim, "1/");
            Life::new(&sim, 2, &model(&sim)).until(second, &again());
            let life = Life::new(&sim, 3, &model(&sim));
            assert!(life.until(NEVER, &again()));
            let turn = life.turn();
            let at = format!("{kill_at} {second}");
            assert_eq!(turn.status, Status::Completed, "{at}");
            let answer = turn.answer.expect("an answer");
            // The model cites the last passage of a shortened result. The quote is complete, and
            // the record of the search is unchanged.
            let [citation] = &answer.citations[..] else {
                panic!("{at}: {:?}", answer.citations);
            };
            let number = citation.paragraph;
            let begins = format!("The lamp of Brest was lit in winter {number}, notwithstanding");
            assert!(citation.quote.starts_with(&begins), "{at}: {citation:?}");
            assert!(
                citation.quote.ends_with("throughout, and shone."),
                "{at}: {citation:?}"
            );
            assert_eq!(citation.found, expected.citations[0].found, "{at}");
            assert_eq!(answer.research, expected.research, "{at}");
            let has_read = |entry: &Entry| match entry {
                Entry::Restarted { gathered, .. } => gathered.to_string().contains("called"),
                _ => false,
            };
            let read = renewals(&sim).iter().any(|it| has_read(&it.entry));
            gathered += u32::from(read);
        }
    }
    println!("{gathered} gathered");
    assert!(gathered > 5, "{gathered}");
}
