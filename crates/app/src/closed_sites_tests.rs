//! A site that the user closed is read by no path: not by the chip, a menu, a question or a tool.

use super::*;
use crate::surface::{Reply, Snapshot, TabContent, VERSION};
use gloss_host::{Capture, Selection, Shot};
use gloss_host_sim::{Answer, Sim};
use gloss_reader::retrieval::words_only;
use serde_json::{Value, json};

const TAB: TabId = TabId(7);
const PANEL: SurfaceId = SurfaceId(1);
const BANK: &str = "https://www.bank.example/account";
const SECRET: &str = "the balance is 4711";

fn settings(closed: &Value) -> String {
    let profile = json!({ "id": "p1", "name": "Mine", "base_url": "https://api.example/v1", "model": "m", "calling": "native" });
    let preferences = json!({ "profiles": [profile], "answers": "p1", "closed_sites": closed });
    json!({ "format": "gloss-preferences", "version": 1, "preferences": preferences }).to_string()
}

/// A world whose tab shows the bank, and whose model fetches the bank's page and looks at the tab.
fn world(seed: u64, closed: &Value) -> Sim {
    let sim = Sim::new(seed);
    sim.set_shelved("preferences", &settings(closed));
    sim.set_page(
        TAB,
        Ok(Capture {
            document: "1".to_owned(),
            url: BANK.to_owned(),
            title: SECRET.to_owned(),
            language: "en".to_owned(),
            html: format!("<main><p>{}</p></main>", format!("{SECRET}. ").repeat(30)),
            selection: Some(Selection {
                text: SECRET.to_owned(),
                block: SECRET.to_owned(),
            }),
            pdf: None,
        }),
    );
    let data_url = "data:,".to_owned();
    sim.set_picture(
        TAB,
        Ok(Shot {
            data_url,
            width: None,
        }),
    );
    for origin in ["https://api.example", "https://www.bank.example"] {
        sim.grant(origin);
    }
    sim.serve(|request, _| {
        if request.url.starts_with(BANK) {
            let page = format!("<main><p>{SECRET}</p></main>");
            return Answer::status(200)
                .header("content-type", "text/html")
                .send(page);
        }
        let body = request.body.clone().unwrap_or_default();
        let call = |id: &str, name: &str, arguments: Value| {
            let function = json!({ "name": name, "arguments": arguments.to_string() });
            json!({ "index": id.len() - 1, "id": id, "type": "function", "function": function })
        };
        let said = if body.contains("\"tool_call_id\"") || !body.contains("web_fetch") {
            json!({ "content": "I can't read it." })
        } else {
            let fetch = call("a", "web_fetch", json!({ "urls": [BANK] }));
            let look = call("bb", "extract_screenshot_text", json!({}));
            let thought = r#"<gloss>{"thought": "It may be there."}</gloss>"#;
            json!({ "content": thought, "tool_calls": [fetch, look] })
        };
        let chunk = json!({ "choices": [{ "delta": said, "finish_reason": "stop" }] });
        Answer::status(200)
            .header("content-type", "text/event-stream")
            .send(format!("data: {chunk}\n\ndata: [DONE]\n\n"))
    });
    sim
}

fn ask() -> Goal {
    Goal::Ask {
        question: format!("What does {BANK} say?"),
    }
}

/// Uses every path to the page in one life, and returns the last snapshot.
fn use_every_path(sim: &Sim, kill_at: u64) -> Option<Snapshot> {
    let snapshots: Rc<RefCell<Vec<Snapshot>>> = Rc::default();
    let heard = snapshots.clone();
    let app = App::new(sim.host(), PageService::in_process(words_only()), 1);
    let life = async move {
        app.load(None).await;
        app.connect(
            PANEL,
            Rc::new(move |reply: &Reply| {
                if let Reply::Snapshot { snapshot } = reply {
                    heard.borrow_mut().push(snapshot.clone());
                }
            }),
        );
        let hello = || Command::Hello {
            version: VERSION,
            tab: Some(TAB),
            language: "en".to_owned(),
        };
        app.clone().command(PANEL, hello()).await;
        app.resume().await;
        let selection = SECRET.to_owned();
        let goals = [Goal::Explain { selection }, Goal::Summarize];
        for (run, goal) in ["menu-1", "menu-2"].into_iter().zip(goals) {
            app.begin(RunId(run.to_owned()), goal, TAB, "en".to_owned())
                .await;
        }
        for (run, goal) in [("summary", Goal::Summarize), ("question", ask())] {
            let start = Command::Start {
                run: RunId(run.to_owned()),
                goal,
                tuning: None,
                replaces: None,
            };
            app.clone().command(PANEL, start).await;
        }
        app.clone().command(PANEL, hello()).await;
    };
    sim.life(kill_at, life)?;
    snapshots.take().pop()
}

/// Returns true if a request, a record or a body contains text of the bank's page.
fn knows_the_secret(sim: &Sim) -> bool {
    let sent = sim.requests().into_iter().filter_map(|it| it.body);
    let stored = sim.batches().into_iter().map(|it| format!("{it:?}"));
    sent.chain(stored).any(|text| text.contains("4711"))
}

#[test]
fn a_closed_site_is_read_by_no_path() {
    let sim = world(1, &json!({ "bank.example": 0 }));
    let shown = use_every_path(&sim, u64::MAX).unwrap();
    let TabContent::Unreadable { title, failure } = shown.beside else {
        panic!("{:?}", shown.beside);
    };
    assert_eq!(
        (title.as_str(), failure.code.as_str()),
        ("bank.example", "capture_closed")
    );
    assert_eq!(failure.title.args, ["bank.example"]);
    assert_eq!(
        shown.warnings,
        std::slice::from_ref(&failure),
        "of the menu"
    );
    let [summary, question] = &shown.turns[..] else {
        panic!("{:?}", shown.turns);
    };
    assert_eq!(summary.failure, Some(failure));
    assert!(question.answer.is_some(), "{question:?}");
    let calls = question.steps.iter().flat_map(|step| &step.calls);
    let calls: Vec<String> = calls.map(|call| format!("{call:?}")).collect();
    assert_eq!(calls.len(), 2, "{calls:?}");
    assert!(
        calls.iter().all(|it| it.contains("fetch_closed")),
        "{calls:?}"
    );
    assert_eq!((sim.captures(), sim.looks().len()), (0, 0));
    assert!(!sim.requests().iter().any(|it| it.url.contains("bank")));
    assert!(!knows_the_secret(&sim));
    // The same paths read a site that is not closed.
    let open = world(1, &json!({ "clinic.example": 0 }));
    let shown = use_every_path(&open, u64::MAX).unwrap();
    assert!(matches!(shown.beside, TabContent::Page { .. }));
    assert!(open.captures() > 2 && !open.looks().is_empty());
    assert!(open.requests().iter().any(|it| it.url == BANK));
    assert!(knows_the_secret(&open));
}

#[test]
fn a_run_that_read_its_page_before_the_site_was_closed_replays_as_recorded() {
    let whole = world(2, &json!({}));
    use_every_path(&whole, u64::MAX).unwrap();
    for kill_at in (0..whole.ticks()).step_by(3) {
        let sim = world(2, &json!({}));
        use_every_path(&sim, kill_at);
        let captures = sim.captures();
        sim.set_shelved("preferences", &settings(&json!({ "bank.example": 0 })));
        let shown = use_every_path(&sim, u64::MAX).unwrap();
        assert_eq!(sim.captures(), captures, "{kill_at}");
        let codes = shown
            .turns
            .iter()
            .filter_map(|turn| Some(turn.failure.as_ref()?.code.as_str()));
        let others: Vec<&str> = codes.filter(|code| *code != "capture_closed").collect();
        assert!(others.is_empty(), "{kill_at}: {others:?}");
    }
}
