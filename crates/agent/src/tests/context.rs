//! Tests that every prompt fits its window, and that shortened parts can be recalled.

use super::toys::{Answers, ReplyWith as _, call, calls, find, says, task_and_state, words};
use super::world::{RunResult, TAB, World, page};
use crate::{Bound, Event, Exchange, Goal, Mode};
use gloss_durable::Entry;
use gloss_model::protocol::{REPLY_TOKENS, instructions};
use gloss_model::testing::in_words;
use gloss_model::{
    Calling, Control, Facts, ModelChoice, ModelError, Part, Profile, Purpose, Reply, Request,
    Source, ToolCall, Tools,
};
use gloss_text::tokens::estimate;
use serde_json::{Value, json};
use std::cell::Cell;
use std::rc::Rc;

/// Sets a page of about this many tokens, in which no two sentences are alike.
pub(super) fn long_page(world: &World, tokens: usize) {
    let mut capture = page();
    let paragraph = |n: usize| {
        format!(
            "<p>Gauge {n} stands at mile {} of the coast and was read {} times that year. \
             Its spring tide came to {}.{} m above the datum of the chart.</p>",
            n * 3,
            n * 7 + 1,
            n % 9,
            n % 10
        )
    };
    let paragraphs: String = (1..=tokens / 36).map(paragraph).collect();
    capture.html =
        format!("<html lang=en><title>Gauges</title><article>{paragraphs}</article></html>");
    world.sim.set_page(TAB, Ok(capture));
}

pub(super) fn windowed(window: u32) -> ModelChoice {
    ModelChoice::Profile(Profile {
        id: "small".to_owned(),
        model: "small".to_owned(),
        facts: Some(Facts {
            window: Some(window),
            ..Facts::default()
        }),
        ..Profile::default()
    })
}

pub(super) fn read_all(id: &str) -> ToolCall {
    call(
        id,
        "summarize_page_content",
        json!({ "detail": "detailed" }),
    )
}

/// Replies with `next` in each step until the run asks for the answer. `compact` replies to a
/// compaction.
pub(super) fn steps(
    next: impl Fn(usize, &Request) -> Reply + 'static,
    compact: impl Fn() -> Result<Reply, ModelError> + 'static,
) -> Answers {
    let step = Cell::new(0);
    Rc::new(move |request| match request.purpose {
        Purpose::Compact => compact(),
        Purpose::Synthesise => Ok(says("The closing answer.")),
        Purpose::Grade | Purpose::Rewrite => Ok(Reply::default()),
        Purpose::Reason | Purpose::Act | Purpose::Observe => {
            step.set(step.get() + 1);
            Ok(next(step.get(), request))
        }
    })
}

pub(super) fn refuses() -> Result<Reply, ModelError> {
    panic!("nothing is to be compacted")
}

/// Returns the results in a request, as the model reads them.
pub(super) fn results(request: &Request) -> Vec<Value> {
    let parts = request.transcript.messages().flat_map(|it| &it.parts);
    let results = parts.filter_map(|part| match part {
        Part::Result { outcome, .. } => outcome.clone().ok(),
        _ => None,
    });
    results.collect()
}

/// Returns the number of input tokens of a request, estimated from its real text.
pub(super) fn expected(request: &Request) -> u32 {
    let around = estimate(&instructions(Calling::Text, request));
    request.expected(around).input_tokens
}

pub(super) fn offers(request: &Request, name: &str) -> bool {
    request.tools.offered().iter().any(|tool| tool.name == name)
}

pub(super) fn asked(world: &World) -> Vec<Request> {
    world.model.asked.borrow().clone()
}

fn compactions(ran: &RunResult) -> Vec<(u32, u32)> {
    let compacted = ran.events.iter().filter_map(|event| match event {
        Event::Compacted { before, after } => Some((*before, *after)),
        _ => None,
    });
    compacted.collect()
}

/// Returns true if every call in a request has its result.
pub(super) fn is_paired(request: &Request) -> bool {
    let parts = || request.transcript.messages().flat_map(|it| &it.parts);
    let calls = parts().filter_map(|part| match part {
        Part::Call { call } => Some(call.id.as_str()),
        _ => None,
    });
    let results = parts().filter_map(|part| match part {
        Part::Result { call, .. } => Some(call.as_str()),
        _ => None,
    });
    calls.eq(results)
}

#[test]
fn a_large_result_stands_whole_for_its_own_step_and_can_be_recalled_later() {
    let world = World::new(steps(
        |step, _| match step {
            1 => calls([read_all("a")]),
            2 => {
                let mut next = calls([find("b")]);
                next.control.observation = Some(words("Gauge 40 is in [[p40]]."));
                next
            }
            3 => {
                let recall =
                    json!({ "resultId": "r1", "focus": "Which gauge stands at mile 300?" });
                calls([
                    call("c", "recall_details", recall),
                    call("d", "recall_details", json!({ "resultId": "[r1]" })),
                ])
            }
            4 => calls([call("e", "recall_details", json!({ "resultId": "r9" }))]),
            _ => says("Done.").sure(1.0),
        },
        refuses,
    ));
    long_page(&world, 6_000);
    let ran = world.run();
    assert_eq!(ran.answer().markdown, "Done.");
    let asked = asked(&world);
    assert!(asked.iter().all(is_paired));
    let offered: Vec<bool> = asked
        .iter()
        .map(|it| offers(it, "recall_details"))
        .collect();
    assert_eq!(offered, [false, false, true, true, true]);

    let whole = &results(&asked[1])[0];
    assert!(estimate(&whole.to_string()) > 5_000);
    let short = &results(&asked[2])[0];
    assert_eq!(short["resultId"], "r1");
    assert!(estimate(&short.to_string()) < 500);
    let points = short["keyPoints"].as_array().unwrap();
    assert!(
        points.iter().any(|point| point["id"] == "p40"),
        "what was cited stays: {short}"
    );
    let text = whole.to_string();
    assert!(
        points
            .iter()
            .all(|it| text.contains(it["text"].as_str().unwrap()))
    );

    let recalled = &results(&asked[3])[2..];
    assert!(
        recalled[0].to_string().contains("mile 300 "),
        "{}",
        recalled[0]
    );
    assert_eq!(recalled[1]["result"], *whole);
    let parts = asked[4].transcript.messages().flat_map(|it| &it.parts);
    let wrong = parts.filter_map(|part| match part {
        Part::Result {
            outcome: Err(error),
            ..
        } => Some(error.clone()),
        _ => None,
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong[0].contains("there are: r1"), "{wrong:?}");
}

#[test]
fn a_result_larger_than_the_whole_budget_is_cut_to_what_fits() {
    // The cases: several results of the page in a small window, and a long result in a small and a
    // large window.
    let all = || call("a", "wobble", json!({ "tokens": 100_000 }));
    let table = [
        (9_000, vec![read_all("a"), read_all("b"), read_all("c")]),
        (9_000, vec![all()]),
        (200_000, vec![all()]),
    ];
    for (window, made) in table {
        let what = format!("{} in {window}", made.len());
        let mut world = World::new(steps(
            move |step, _| match step {
                1 => Reply {
                    calls: made.clone(),
                    ..calls([])
                },
                _ => says("Done.").sure(1.0),
            },
            refuses,
        ));
        world.model_chosen = windowed(window);
        long_page(&world, 12_000);
        let ran = world.run();
        assert_eq!(ran.answer().markdown, "Done.", "{what}");
        assert!(ran.remarks().is_empty(), "{what}: {:?}", ran.remarks());
        let asked = asked(&world);
        let (read, most) = (expected(&asked[1]), window.min(30_000));
        assert!(
            read < most && read > most / 9 * 4,
            "it is filled, and no more: {read} of {what}"
        );
        assert!(asked.iter().all(is_paired));
        assert!(results(&asked[1]).iter().any(|it| it["resultId"] == "r1"));
    }
}

/// The window that old messages fill after some steps, in tokens.
const FILLS: u32 = 7_000;

/// Ten steps in a small window: each looks something up and makes a long observation.
pub(super) fn long_run(
    window: u32,
    compact: impl Fn() -> Result<Reply, ModelError> + 'static,
) -> World {
    let mut world = World::new(steps(
        |step, _| {
            let mut next = calls([find(&step.to_string())]);
            let control = &mut next.control;
            control.observation = Some(words(&format!(
                "Step {step} found: {}",
                "the tide rises. ".repeat(30)
            )));
            control.completed = vec![format!("Part {step} is done.")];
            control.decisions = vec!["Answer in metres.".to_owned()];
            next
        },
        compact,
    ))
    .with(|settings| settings.max_steps = Some(10));
    world.model_chosen = windowed(window);
    world.tools_off = [
        "web_search",
        "grade_search_results",
        "rewrite_search_query",
        "memory_save",
        "memory_retrieve",
    ]
    .map(str::to_owned)
    .into();
    world.history = (0..4)
        .map(|n| Exchange {
            provenance: crate::tests::toys::of_a_page(),
            goal: Goal::Ask {
                question: format!("Question {n}?"),
            },
            answer: "The neap tide is the lower one of the two. ".repeat(12),
        })
        .collect();
    long_page(&world, 3_000);
    world
}

pub(super) fn in_short(request: &Request) -> Option<String> {
    let parts = request.transcript.messages().flat_map(|it| &it.parts);
    let mut earlier = parts.filter_map(|part| match part {
        Part::Quoted {
            source: Source::Earlier,
            text,
        } => Some(text.clone()),
        _ => None,
    });
    let first = earlier.next();
    assert!(earlier.next().is_none(), "what is old stands once");
    first
}

#[test]
fn what_is_old_is_written_anew_by_the_model_and_what_must_not_be_lost_stands_word_for_word() {
    let world = long_run(FILLS, || {
        Ok(says("Gauges were read; springs rise to 8 m [r1].").costs(900, 30))
    });
    let ran = world.run();
    assert_eq!(ran.remarks(), ["bound_steps"]);
    let compacted = compactions(&ran);
    assert!(!compacted.is_empty());
    for (before, after) in compacted {
        assert!(after * 5 <= before * 4, "{before} → {after}");
    }
    let asked = asked(&world);
    let compact: Vec<&Request> = asked
        .iter()
        .filter(|it| it.purpose == Purpose::Compact)
        .collect();
    assert!(
        compact
            .iter()
            .all(|it| it.temperature == 0.0 && it.tools.offered().is_empty())
    );
    insta::assert_snapshot!("Compact.en", in_words(compact[0], Calling::Native));
    let last = asked
        .iter()
        .rfind(|it| it.purpose == Purpose::Observe)
        .unwrap();
    let short = in_short(last).unwrap();
    assert!(short.starts_with("Gauges were read"), "{short}");
    for part in 2..=9 {
        assert!(
            task_and_state(last).contains(&format!("Part {part} is done.")),
            "{}",
            last.state
        );
    }
    assert!(last.state.contains("Answer in metres.") && last.task.contains("Why is there a tide?"));
    let closing = asked.last().unwrap();
    assert_eq!(closing.purpose, Purpose::Synthesise);
    for kept in [
        "Part 2 is done.",
        "Answer in metres.",
        "Why is there a tide?",
    ] {
        assert!(task_and_state(closing).contains(kept), "{kept}");
    }
    let said = last.transcript.messages().flat_map(|it| &it.parts);
    let goal = Part::Text {
        text: "Why is there a tide?".to_owned(),
    };
    assert!(said.into_iter().any(|part| *part == goal));
    // The compaction was counted, and the results of the last three steps are uncut.
    assert!(asked.iter().all(is_paired));
    assert!(results(last).len() >= 3);
    for request in &asked {
        let input = expected(request);
        assert!(input <= FILLS, "{input} of {FILLS}");
    }
}

#[test]
fn where_a_compaction_saves_no_fifth_the_run_ends_with_what_it_has_and_says_so() {
    // The last steps, which are not shortened, take most of the window. Little of the transcript
    // is old.
    let world = long_run(5_500, || Ok(says("Gauges were read [r1].").costs(900, 30)));
    let ran = world.run();
    assert_eq!(ran.remarks(), ["bound_context"]);
    assert_eq!(ran.answer().markdown, "The closing answer.");
    assert_eq!(
        ran.closing.status,
        crate::Status::Terminated(Bound::Context)
    );
    assert!(ran.steps() > 3 && ran.steps() < 10, "{}", ran.steps());
    assert!(asked(&world).iter().all(|it| expected(it) <= 5_500));
}

#[test]
fn a_new_result_that_crowds_for_one_step_ends_no_run() {
    let mut world = World::new(steps(
        |step, _| match step {
            1..=3 => calls([read_all(&step.to_string())]),
            _ => says("Done.").sure(1.0),
        },
        refuses,
    ));
    world.model_chosen = windowed(9_000);
    world.history = vec![Exchange {
        provenance: crate::tests::toys::of_a_page(),
        goal: Goal::Ask {
            question: "What is a neap?".to_owned(),
        },
        answer: "The lower one of the two.".to_owned(),
    }];
    long_page(&world, 3_400);
    let ran = world.run();
    assert_eq!(ran.answer().markdown, "Done.");
    assert!(ran.remarks().is_empty(), "{:?}", ran.remarks());
}

#[test]
fn where_the_model_fails_what_is_old_is_cut_mechanically() {
    let answers = [
        (
            Err(ModelError::Failed {
                message: "broken".to_owned(),
            }),
            "an error",
        ),
        (Ok(Reply::default()), "nothing"),
        (
            Ok(says(
                &"much longer than what it was to shorten ".repeat(900),
            )),
            "too much",
        ),
    ];
    for (answer, what) in answers {
        let world = long_run(FILLS, move || answer.clone());
        let ran = world.run();
        assert_eq!(ran.remarks(), ["bound_steps"], "{what}");
        let compacted = compactions(&ran);
        assert!(!compacted.is_empty(), "{what}");
        for (before, after) in compacted {
            assert!(after * 5 <= before * 4, "{what}: {before} → {after}");
        }
        let asked = asked(&world);
        let last = asked
            .iter()
            .rfind(|it| it.purpose == Purpose::Observe)
            .unwrap();
        let short = in_short(last).unwrap();
        assert!(short.contains("Step 1: find_in_page"), "{what}: {short}");
        assert!(last.state.contains("Part 2 is done."), "{what}");
    }
}

#[test]
fn a_compaction_is_charged_and_shows_in_the_journal() {
    let world = long_run(FILLS, || Ok(says("Gauges were read.").costs(900, 30)));
    world.run();
    let compactions = world.recorded().into_iter().filter(|record| {
        matches!(&record.entry, Entry::Intent { label, .. } if label["purpose"] == "compact")
    });
    assert!(compactions.count() > 0);
    let totals = world
        .told
        .events
        .borrow()
        .iter()
        .filter_map(|event| match event {
            Event::TokensUsed { total, .. } => Some(*total),
            _ => None,
        })
        .collect::<Vec<_>>();
    assert_eq!(totals[0], 930, "nothing else reported what it used");
}

#[test]
fn a_message_too_long_to_be_shown_is_kept_under_an_id() {
    let mut world = World::new(steps(
        |step, _| match step {
            1 => calls([call(
                "a",
                "recall_details",
                json!({ "resultId": "m1", "focus": "the needle" }),
            )]),
            _ => says("Done.").sure(1.0),
        },
        refuses,
    ));
    let filler = "A line of a log that says nothing of note. ".repeat(1_500);
    world.goal = Goal::Ask {
        question: format!(
            "What does it say of the needle? {filler} The needle is in the third stack. {filler}"
        ),
    };
    let ran = world.run();
    assert_eq!(ran.answer().markdown, "Done.");
    let asked = asked(&world);
    let said: String = asked[0]
        .transcript
        .messages()
        .flat_map(|it| &it.parts)
        .filter_map(|part| match part {
            Part::Text { text } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert!(said.contains("What does it say of the needle?") && said.contains("[m1]"));
    assert!(!said.contains("third stack") && offers(&asked[0], "recall_details"));
    let found = results(&asked[1])[0].to_string();
    assert!(
        found.contains("The needle is in the third stack."),
        "{found}"
    );
}

#[test]
fn a_plain_call_says_of_which_message_only_the_beginning_was_given() {
    for (length, cut) in [(9_000, false), (100_000, true)] {
        let mut world =
            World::scripted(vec![(Purpose::Synthesise, says("Yes."))]).asked_for(Goal::Ask {
                question: "潮".repeat(length),
            });
        world.mode = Mode::Plain;
        world.run();
        let request = &asked(&world)[0];
        let words = in_words(request, Calling::Text);
        assert_eq!(words.contains("only its beginning is shown"), cut);
        assert_eq!(words.contains("about 50000 tokens"), cut);
        assert!(expected(request) < 30_000);
    }
}

#[test]
fn a_call_far_beyond_what_is_left_of_the_tokens_is_not_made() {
    let world = World::new(steps(
        |_, _| calls([read_all("a")]).costs(3_000, 100),
        refuses,
    ))
    .with(|settings| {
        settings.max_tokens = 9_000;
    });
    long_page(&world, 12_000);
    let ran = world.run();
    assert_eq!(ran.remarks(), ["bound_tokens"]);
    for request in asked(&world) {
        let input = expected(&request);
        assert!(input <= 9_000, "{input} where 9 000 are left");
    }
}

#[test]
fn a_window_that_holds_not_even_the_prompt_ends_on_the_context_bound() {
    let mut world = World::new(steps(|_, _| calls([find("a")]), refuses));
    world.model_chosen = windowed(900);
    let ran = world.run();
    assert_eq!(ran.remarks(), ["remark_low_confidence", "bound_context"]);
    assert_eq!(
        ran.closing.status,
        crate::Status::Terminated(Bound::Context)
    );
}

#[test]
fn control_says_what_is_done_and_decided_once() {
    let mut world = World::new(steps(
        |step, _| match step {
            1..=3 => {
                let mut next = calls([find(&step.to_string())]);
                next.control = Control {
                    completed: vec!["The tide at Brest is known.".to_owned()],
                    ..next.control
                };
                next
            }
            _ => says("Done.").sure(1.0),
        },
        refuses,
    ));
    world.goal = Goal::Ask {
        question: "Compare <b>Brest</b> and Dover".to_owned(),
    };
    world.run();
    let asked = asked(&world);
    let holds = |request: &Request| request.state.matches("The tide at Brest is known.").count();
    let counts: Vec<usize> = asked.iter().map(holds).collect();
    // The text of the first thought is not an observation.
    assert_eq!(counts, [0, 0, 1, 1]);
    assert!(asked.iter().all(|it| !it.task.contains("<b>")));
}

#[test]
fn what_is_said_around_a_transcript_is_not_underestimated() {
    for language in ["en", "zh-CN"] {
        let mut world = World::new(steps(|_, _| says("Done.").sure(1.0), refuses));
        world.language = language.to_owned();
        world.run();
        let request = &asked(&world)[0];
        let bare = Request {
            tools: Tools::None,
            task: String::new(),
            ..request.clone()
        };
        for calling in [Calling::Native, Calling::Text] {
            let with = Request {
                tools: request.tools.clone(),
                ..bare.clone()
            };
            let tools = request.tools.offered().iter();
            let listed = tools.map(|tool| {
                [
                    tool.name.clone(),
                    tool.description_with_examples(),
                    tool.parameters.to_string(),
                ]
            });
            let listed = listed.flatten().collect::<String>();
            let said = estimate(&instructions(calling, &with));
            assert!(
                said <= REPLY_TOKENS + estimate(&listed),
                "{language} {said}"
            );
        }
    }
}
