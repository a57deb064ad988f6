//! Tests of the size limits of a prompt: by the task, the window, and the model's own token count.

use super::context::{
    asked, expected, in_short, is_paired, long_page, long_run, offers, read_all, refuses, results,
    steps, windowed,
};
use super::toys::{ReplyWith as _, Scripted, calls, find, says};
use super::world::{NEVER, TAB, World};
use crate::{Cycle, Event, Exchange, Goal, Status};
use gloss_host::CaptureError;
use gloss_model::protocol::REPLY_TOKENS;
use gloss_model::{
    Complexity, ContextWindow, Fault, Message, ModelChoice, ModelError, Part, Purpose, Reply,
    Request, Server, ServerKind, ToolDefinition, Transcript, Usage,
};
use gloss_text::tokens::estimate;
use serde_json::json;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

fn told(request: &Request) -> u32 {
    request
        .tools
        .offered()
        .iter()
        .map(ToolDefinition::tokens)
        .sum()
}

/// Returns the tokens outside of the transcript, as the loop counts them.
fn around(request: &Request) -> u32 {
    REPLY_TOKENS + estimate(&request.task) + estimate(&request.state) + told(request)
}

pub(super) fn counted(request: &Request) -> u32 {
    request.transcript.tokens() + around(request)
}

/// Returns the maximum number of prompt tokens of a call of moderate complexity in this window.
pub(super) fn holds(window: u32) -> u32 {
    ContextWindow::of(Some(window))
        .budget(Complexity::Moderate)
        .prompt()
}

#[test]
fn each_complexity_has_its_budget() {
    for (complexity, prompt) in [
        (Complexity::Simple, 16_000),
        (Complexity::Moderate, 24_000),
        (Complexity::Complex, 33_000),
    ] {
        let mut world = World::new(steps(
            move |step, _| match step {
                1 => {
                    let mut next = calls(["a", "b", "c", "d"].map(read_all));
                    next.control.complexity = Some(complexity);
                    next
                }
                _ => says("Done.").sure(1.0),
            },
            refuses,
        ));
        world.model_chosen = windowed(200_000);
        long_page(&world, 40_000);
        let ran = world.run();
        assert_eq!(ran.answer().markdown, "Done.");
        let read = counted(&asked(&world)[1]);
        assert!(
            read <= prompt && read > prompt * 4 / 5,
            "{complexity:?}: {read}"
        );
    }
}

#[test]
fn what_is_old_shrinks_above_four_fifths_of_what_a_call_may_hold_and_not_before() {
    for window in (6_800..7_600).step_by(100) {
        let mut world = long_run(window, || Ok(Reply::default()));
        world.history.clear();
        world.run();
        let asked = asked(&world);
        let full = |around: u32| (holds(window) - around) * 80 / 100;
        let first = asked.iter().position(|it| in_short(it).is_some());
        let first = first.expect("it fills up");
        for request in &asked[..first] {
            let full = full(around(request));
            assert!(request.transcript.tokens() <= full, "{window}");
        }
        let (before, shrunk) = (&asked[first - 1], &asked[first]);
        let would_be = whole(before, shrunk);
        // The recall tool is offered only after something was shortened.
        let full = full(around(shrunk) + told(before) - told(shrunk));
        assert!(would_be > full, "{window}: {would_be} of {full}");
        assert!(shrunk.transcript.tokens() <= full, "{window}");
    }
}

/// Returns the tokens that a request would have if nothing had been shortened since the request
/// before it.
fn whole(before: &Request, shrunk: &Request) -> u32 {
    let last = before.transcript.messages().next_back();
    let since = shrunk.transcript.messages().rev();
    let since: Vec<&Message> = since.take_while(|it| Some(*it) != last).collect();
    let mut all = before.transcript.clone();
    for message in since.into_iter().rev() {
        all.push(message.clone());
    }
    all.tokens()
}

#[test]
fn the_last_three_steps_stay_whole_before_the_next_thought_too() {
    let mut told = 0;
    for window in (8_000..10_000).step_by(250) {
        let mut world = long_run(window, || Ok(Reply::default()));
        world.settings.cycle = Cycle::Strict;
        for exchange in &mut world.history {
            exchange.answer = exchange.answer.repeat(3);
        }
        world.run();
        let asked = asked(&world);
        let thinks = [Purpose::Reason, Purpose::Act, Purpose::Observe];
        let is_due = |it: &&Request| thinks.contains(&it.purpose) && in_short(it).is_some();
        for request in asked.iter().filter(is_due) {
            let done = asked.iter().take_while(|it| !std::ptr::eq(*it, request));
            let done = done.filter(|it| it.purpose == Purpose::Observe).count();
            let whole = results(request).len();
            assert!(
                whole >= done.min(3),
                "{window} {:?}: {whole}",
                request.purpose
            );
            told += usize::from(request.purpose != Purpose::Observe && done > 3);
        }
    }
    assert!(told > 5, "{told}");
}

#[test]
fn tools_take_no_more_than_a_fifth_of_any_window() {
    for (window, others) in [(4_096, 0), (8_192, 2), (16_384, 8)] {
        let mut world = World::new(steps(
            |step, _| match step {
                1 => calls([read_all("a"), read_all("b")]),
                2 => calls([find("c")]),
                _ => says("Done.").sure(1.0),
            },
            refuses,
        ));
        world.model_chosen = windowed(window);
        long_page(&world, 6_000);
        let ran = world.run();
        assert_eq!(ran.answer().markdown, "Done.", "{window}");
        assert!(ran.remarks().is_empty(), "{window}: {:?}", ran.remarks());
        let asked = asked(&world);
        assert!(asked.iter().all(is_paired));
        for request in &asked {
            let share = told(request);
            assert!(share <= window / 5, "{share} of {window}");
            assert!(expected(request) <= window, "{window}");
            for name in ["find_in_page", "summarize_page_content"] {
                assert!(offers(request, name), "{name} of {window}");
            }
            // Tools that exist only in tests are never left out.
            assert!(
                request.tools.offered().len() >= 4 + others,
                "{window}: {share}"
            );
        }
        assert!(
            asked.iter().any(|it| offers(it, "recall_details")),
            "{window}"
        );
    }
}

#[test]
fn of_tools_that_take_too_much_the_examples_go_first_and_then_all_but_a_sentence() {
    let tools_in = |window: u32| {
        let mut world = World::new(steps(|_, _| says("Done.").sure(1.0), refuses));
        world.model_chosen = windowed(window);
        world.run();
        asked(&world)[0].tools.offered().to_vec()
    };
    let whole = tools_in(40_000);
    let without = |it: &ToolDefinition| ToolDefinition {
        examples: Vec::new(),
        ..it.clone()
    };
    let bare: Vec<ToolDefinition> = whole.iter().map(without).collect();
    let cost = |tools: &[ToolDefinition]| tools.iter().map(ToolDefinition::tokens).sum::<u32>();
    let (most, least) = (cost(&whole), cost(&bare));
    assert!(most > least && whole.iter().any(|it| !it.examples.is_empty()));
    assert_eq!(tools_in(most * 5), whole);
    assert_eq!(tools_in(most * 5 - 1), bare);
    assert_eq!(tools_in(least * 5), bare);
    let short = tools_in(least * 5 - 1);
    assert_eq!(short.len(), bare.len());
    assert!(cost(&short) < least);
}

#[test]
fn an_unsure_answer_is_not_sent_back_for_a_search_that_there_is_no_room_to_tell_of() {
    let mut world = World::new(steps(|_, _| says("Perhaps.").sure(0.1), refuses));
    world.model_chosen = windowed(1_500);
    world.sim.set_page(TAB, Err(CaptureError::Forbidden));
    let ran = world.run();
    assert!(!offers(&asked(&world)[0], "web_search"));
    let refused = |event: &Event| matches!(event, Event::AnswerRefused { .. });
    assert!(!ran.events.iter().any(refused));
}

#[test]
fn what_a_model_counts_replaces_the_estimate() {
    // The model counts 50 % more tokens than estimated.
    let mut world = long_run(12_000, || Ok(Reply::default()));
    world.settings.max_tokens = 1_000_000;
    let answers = world.model.answers.clone();
    let counts = |request: &Request| counted(request) * 3 / 2;
    let model = Scripted {
        sim: world.sim.clone(),
        answers: Rc::new(move |request| {
            let reply = answers(request)?;
            Ok(match request.purpose {
                Purpose::Compact => reply,
                _ => reply.costs(counts(request), 20),
            })
        }),
        asked: RefCell::default(),
    };
    world.model = Rc::new(model);
    let ran = world.run();
    assert!(ran.steps() > 4, "{}", ran.steps());
    let asked = asked(&world);
    let most = |purpose| {
        let of_it = asked.iter().skip(1).filter(|it| it.purpose == purpose);
        of_it.map(counts).max().unwrap()
    };
    let (read, most) = (most(Purpose::Observe), holds(12_000));
    assert!(read <= most + 3 && read > most * 7 / 10, "{read} of {most}");
}

pub(super) fn too_long(said: Option<&str>) -> ModelError {
    ModelError::Server {
        server: Box::new(Server {
            name: "Acme".to_owned(),
            origin: "https://api.acme.example".to_owned(),
            model: "m".to_owned(),
            kind: ServerKind::Other,
        }),
        fault: Fault::ContextTooLong {
            said: said.map(str::to_owned),
        },
        partial: String::new(),
        used: Usage::default(),
    }
}

/// A run whose model returns this error for every prompt that is longer than `window`.
fn refusing(window: u32, said: Option<&'static str>) -> World {
    let step = Cell::new(0);
    let mut world = World::new(Rc::new(move |request| {
        if counted(request) > window {
            return Err(too_long(said));
        }
        if request.purpose == Purpose::Compact {
            return Ok(Reply::default());
        }
        step.set(step.get() + 1);
        Ok(match step.get() {
            1 => calls([read_all("a"), read_all("b")]),
            _ => says("Done.").sure(1.0),
        })
    }));
    world.model_chosen = windowed(32_000);
    world.then = vec![ModelChoice::Embedded];
    long_page(&world, 9_000);
    world
}

const SAID: &str = "This model's maximum context length is 8192 tokens. However, your messages \
    resulted in 11024 tokens.";

fn handed_over(events: &[Event]) -> bool {
    let changed = |event: &Event| matches!(event, Event::ModelChanged { .. });
    events.iter().any(changed)
}

#[test]
fn a_prompt_that_is_too_long_is_halved_until_it_fits_before_another_model_is_asked() {
    for (window, halved, said) in [
        (8_192, 2, Some(SAID)),
        (12_000, 1, None),
        (12_000, 1, Some("It is too long.")),
    ] {
        let world = refusing(window, said);
        let ran = world.run();
        assert_eq!(ran.answer().markdown, "Done.", "{said:?}");
        assert!(!handed_over(&ran.events), "{said:?}");
        let asked = asked(&world);
        let lengths: Vec<u32> = asked.iter().map(counted).collect();
        assert_eq!(lengths.len(), 2 + halved, "{lengths:?}");
        let (sent, again) = (lengths[halved], lengths[halved + 1]);
        assert!(sent > window && again <= window, "{said:?}: {lengths:?}");
        assert!(again >= sent / 3, "{said:?}: {lengths:?}");
        let retried = ran.events.iter().filter_map(|event| match event {
            Event::ModelRetried { failure, .. } => Some(failure.code.as_str()),
            _ => None,
        });
        let expected = vec!["model_context_too_long"; halved];
        assert_eq!(retried.collect::<Vec<_>>(), expected);
    }
}

#[test]
fn where_less_is_too_long_as_well_the_next_model_answers() {
    let world = refusing(300, None);
    let ran = world.run();
    assert!(handed_over(&ran.events));
    let mut without = refusing(300, None);
    without.then.clear();
    let ran = without.run();
    assert_eq!(ran.closing.status, Status::Failed);
    assert_eq!(ran.closing.failure.unwrap().code, "model_context_too_long");
    assert_eq!(asked(&without).len(), 4);
}

#[test]
fn a_worker_that_dies_while_a_prompt_is_shortened_asks_for_the_same() {
    let whole = refusing(8_192, Some(SAID));
    let expected = whole.run().answer();
    for kill_at in (1..60).step_by(3) {
        let world = refusing(8_192, Some(SAID));
        let ran = match world.life(kill_at) {
            Some(ran) => ran,
            None => world.life(NEVER).expect("nobody kills it"),
        };
        assert_eq!(ran.answer().markdown, expected.markdown, "{kill_at}");
        assert!(!handed_over(&ran.events), "{kill_at}");
    }
}

#[test]
fn a_question_about_an_explanation_of_a_long_passage_has_the_explanation() {
    let selection = format!(
        "Begins. {} Ends.",
        "A sentence of the passage. ".repeat(1_200)
    );
    let answer = "The second point is that neaps are lower. ".repeat(28);
    let mut world = World::new(steps(|_, _| says("Done.").sure(1.0), refuses));
    world.history = vec![Exchange {
        provenance: crate::tests::toys::of_a_page(),
        goal: Goal::Explain { selection },
        answer: answer.clone(),
    }];
    world.run();
    let request = &asked(&world)[0];
    let mut before = Transcript::default();
    let mut texts = Vec::new();
    for message in request.transcript.messages() {
        for part in &message.parts {
            if let Part::Text { text } | Part::Quoted { text, .. } = part {
                texts.push(text.clone());
            }
        }
        let of_before = |part: &Part| match part {
            Part::Text { text } => *text == answer || text.starts_with("Explain"),
            _ => false,
        };
        if message.parts.iter().any(of_before) {
            before.push(message.clone());
        }
    }
    assert!(texts.contains(&answer), "{texts:?}");
    let passage = texts
        .iter()
        .find(|text| text.starts_with("Begins."))
        .unwrap();
    assert!(passage.ends_with("Ends.") && passage.contains("[…]"));
    // The length is within the budget for earlier turns of a moderate task.
    assert!(
        (4_800..=5_000).contains(&before.tokens()),
        "{}",
        before.tokens()
    );
}

#[test]
fn what_is_known_about_the_user_stays_where_what_is_old_is_written_anew() {
    let mut world = long_run(7_000, || Ok(says("Gauges were read [r1].").costs(900, 30)));
    let fact = json!({ "id": "f1", "content": "The user prefers tide tables in metres",
        "pinned": true, "source": { "how": "typed" }, "created_at_ms": 1 });
    let kept = json!({ "format": "gloss-facts", "version": 1, "facts": [fact] });
    world.sim.set_shelved("facts", &kept.to_string());
    world.known = crate::KnownFacts::Facts;
    world.tools_off.remove("memory_retrieve");
    world.run();
    let asked = asked(&world);
    let after = asked
        .iter()
        .skip_while(|it| it.purpose != Purpose::Compact)
        .find(|it| it.purpose == Purpose::Observe)
        .unwrap();
    let mut quoted = after.transcript.messages().flat_map(|it| &it.parts);
    let is_known = |part: &Part| matches!(part, Part::Quoted { text, .. } if text.contains("prefers tide tables in metres"));
    assert!(quoted.any(is_known));
}
