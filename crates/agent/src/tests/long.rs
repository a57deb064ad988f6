//! Tests of long selections and messages in a small window.

use super::context::{
    asked, expected, is_paired, long_page, offers, refuses, results, steps, windowed,
};
use super::room::{counted, holds, too_long};
use super::toys::{ReplyWith as _, Scripted, call, calls, says, words};
use super::world::{TAB, World, page};
use crate::{Cycle, Exchange, Goal, Mode, Status};
use gloss_host::Selection;
use gloss_model::{Complexity, ContextWindow, Part, Reply, Request};
use gloss_text::tokens::estimate;
use serde_json::json;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// A passage of about this many tokens.
fn passage(language: &str, tokens: usize) -> String {
    let sentence = |n: usize| match language {
        "en" => format!(
            "Gauge {n} stands at mile {} and was read {} times. ",
            n * 3,
            n * 7
        ),
        _ => format!("第{n}号验潮站位于{}里处，那一年共读取{}次。", n * 3, n * 7),
    };
    let mut text = String::new();
    let mut n = 0;
    while (estimate(&text) as usize) < tokens {
        n += 1;
        text.push_str(&sentence(n));
    }
    text.trim_end().to_owned()
}

/// A run that explains a passage of the page in a window of this many tokens. The block around the
/// passage is cut as the content script cuts it.
fn explained(language: &str, tokens: usize, window: u32) -> World {
    let selection = passage(language, tokens);
    let mut world = World::new(steps(|_, _| says("It is about gauges.").sure(1.0), refuses))
        .asked_for(Goal::Explain {
            selection: selection.clone(),
        });
    world.model_chosen = windowed(window);
    language.clone_into(&mut world.language);
    let mut capture = page();
    capture.html =
        format!("<html><title>Gauges</title><article><p>{selection}</p></article></html>");
    capture.selection = Some(Selection {
        block: selection.chars().take(4_000).collect(),
        text: selection,
    });
    world.sim.set_page(TAB, Ok(capture));
    world
}

fn calls_of(request: &Request) -> Vec<String> {
    let parts = request.transcript.messages().flat_map(|it| &it.parts);
    let calls = parts.filter_map(|part| match part {
        Part::Call { call } => Some(call.arguments.to_string()),
        _ => None,
    });
    calls.collect()
}

#[test]
fn a_long_selection_is_explained_in_any_window() {
    for window in [4_096, 6_144, 8_192, 32_768] {
        for tokens in [1_000, 5_000, 25_000] {
            for language in ["en", "zh-CN"] {
                for cycle in [Cycle::Fused, Cycle::Strict] {
                    let what = format!("{tokens} {language} in {window}, {cycle:?}");
                    let world = explained(language, tokens, window).with(|it| it.cycle = cycle);
                    let ran = world.run();
                    assert_eq!(ran.closing.status, Status::Completed, "{what}");
                    assert_eq!(ran.answer().markdown, "It is about gauges.", "{what}");
                    assert!(ran.remarks().is_empty(), "{what}: {:?}", ran.remarks());
                    let asked = asked(&world);
                    assert!(asked.iter().all(is_paired));
                    for request in &asked {
                        let sent = expected(request);
                        assert!(sent <= holds(window), "{what}: {sent}");
                        let read = calls_of(request).iter().map(|it| estimate(it)).sum::<u32>();
                        assert!(read < 1_500, "{what}: {read}");
                    }
                }
            }
        }
    }
}

#[test]
fn what_a_model_does_not_see_of_a_call_it_can_recall() {
    let mut world = explained("en", 3_000, 8_192);
    let step = Cell::new(0);
    world.model = Rc::new(Scripted {
        sim: world.sim.clone(),
        answers: steps(
            move |_, _| {
                step.set(step.get() + 1);
                match step.get() {
                    1 => calls([call("a", "recall_details", json!({ "resultId": "t1" }))]),
                    _ => says("Done.").sure(1.0),
                }
            },
            refuses,
        ),
        asked: RefCell::default(),
    });
    let selection = passage("en", 3_000);
    world.run();
    let asked = asked(&world);
    let first = &calls_of(&asked[0])[0];
    assert!(
        first.contains("[…] [m1]") && first.contains("[…] [t1]"),
        "{first}"
    );
    // The message with the request and the call contain the same text, under the same id.
    let said = serde_json::to_string(&asked[0].transcript).unwrap();
    assert!(said.contains("stored as [m1]"), "{said}");
    assert!(!said.contains("[t2]"), "{said}");
    let recalled: Vec<String> = results(&asked[1]).iter().map(ToString::to_string).collect();
    let block: String = selection.chars().take(4_000).collect();
    assert!(
        recalled.iter().any(|it| it.contains(&block)),
        "{recalled:?}"
    );
}

#[test]
fn a_short_selection_stands_in_its_call_and_nothing_is_kept() {
    let world = explained("en", 80, 4_096);
    world.run();
    let request = &asked(&world)[0];
    let call = &calls_of(request)[0];
    assert!(call.contains("Gauge 6") && !call.contains("[…]"), "{call}");
    assert!(!offers(request, "recall_details"));
}

#[test]
fn a_message_for_a_window_that_was_not_known_to_be_small_is_kept_and_shown_by_its_ends() {
    let window = 8_192;
    let mut world = World::new(Rc::new(move |request| {
        if counted(request) > window {
            return Err(too_long(Some("maximum context length is 8192 tokens")));
        }
        Ok(says("Done.").sure(1.0))
    }));
    world.goal = Goal::Ask {
        question: format!("Begins. {} Ends?", passage("en", 8_000)),
    };
    let ran = world.run();
    assert_eq!(ran.answer().markdown, "Done.");
    let asked = asked(&world);
    assert_eq!(asked.len(), 2);
    let said = serde_json::to_string(&asked[1].transcript).unwrap();
    assert!(
        said.contains("Begins.") && said.contains("Ends? [t1]"),
        "{said}"
    );
    assert!(offers(&asked[1], "recall_details"));
}

#[test]
fn a_prompt_that_does_not_fit_is_asked_once_more_with_less_when_it_is_refused() {
    let refused = Cell::new(false);
    let mut world = World::new(Rc::new(move |_| {
        if refused.replace(true) {
            return Ok(says("Done.").sure(1.0));
        }
        Err(too_long(None))
    }));
    // The window is too small even for the prompt without the transcript.
    world.model_chosen = windowed(900);
    let ran = world.run();
    assert_eq!(ran.answer().markdown, "Done.");
    assert_eq!(asked(&world).len(), 2);
}

/// A plain call about a page of 100 KB, with a message of this many tokens.
fn plain(language: &str, tokens: usize, window: u32) -> World {
    let mut world = World::new(Rc::new(|_| Ok(says("Yes."))));
    world.mode = Mode::Plain;
    world.goal = Goal::Ask {
        question: passage(language, tokens),
    };
    world.history = vec![Exchange {
        provenance: crate::tests::toys::of_a_page(),
        goal: Goal::Ask {
            question: "What is a neap?".to_owned(),
        },
        answer: "The lower one of the two. ".repeat(400),
    }];
    language.clone_into(&mut world.language);
    world.model_chosen = windowed(window);
    long_page(&world, 25_000);
    world
}

#[test]
fn a_plain_call_gives_of_the_page_what_the_message_leaves() {
    for window in [4_096, 6_144, 8_192, 32_768] {
        let mut alone = 0;
        // A question of that length is considered complex.
        let holds = ContextWindow::of(Some(window))
            .budget(Complexity::Complex)
            .prompt();
        for tokens in [10, 1_000, 5_000, 25_000] {
            for language in ["en", "zh-CN"] {
                let what = format!("{tokens} {language} in {window}");
                let world = plain(language, tokens, window);
                let ran = world.run();
                assert_eq!(ran.answer().markdown, "Yes.", "{what}");
                let share = u32::from(ran.answer().share_percent.unwrap());
                let asked = asked(&world);
                // A long page alone does not cause a compaction of earlier messages.
                assert!(asked.len() == 1 || tokens > 10, "{what}");
                let sent = asked.iter().map(expected).max().unwrap();
                assert!(sent <= holds, "{what}: {sent}");
                if tokens == 10 {
                    alone = share;
                } else if window <= 8_192 && tokens >= 5_000 {
                    assert!(share < alone, "{what}: {share} of {alone}");
                }
                let least = if tokens == 10 { holds / 3 } else { holds / 2 };
                assert!(sent >= least, "{what}: {sent}");
            }
        }
    }
}

#[test]
fn a_plain_call_that_is_too_long_is_made_once_more_with_less_of_the_page() {
    let mut world = plain("en", 1_000, 30_000);
    world.model = Rc::new(Scripted {
        sim: world.sim.clone(),
        answers: Rc::new(|request| match counted(request) {
            ..=8_192 => Ok(says("Yes.")),
            _ => Err(too_long(Some("maximum context length is 8192 tokens"))),
        }),
        asked: RefCell::default(),
    });
    let ran = world.run();
    assert_eq!(ran.answer().markdown, "Yes.");
    assert_eq!(asked(&world).len(), 2);
}

/// A run of ten steps in a language. Each step finds something and makes a long observation.
fn ten_steps(language: &'static str, window: u32) -> World {
    let said = match language {
        "en" => "The tide rises twice a day, and the gauge was read. ",
        _ => "潮水每天上涨两次，验潮站的读数已经记录在案。",
    };
    let mut world = World::new(steps(
        move |step, _| {
            let query = passage(language, 10);
            let mut next = calls([
                call(
                    &format!("{step}a"),
                    "find_in_page",
                    json!({ "query": query }),
                ),
                call(
                    &format!("{step}b"),
                    "summarize_page_content",
                    json!({ "detail": "detailed" }),
                ),
            ]);
            next.control.observation = Some(words(&said.repeat(12)));
            next.control.completed = vec![format!("{said}{step}")];
            next
        },
        || Ok(Reply::default()),
    ))
    .with(|it| (it.max_steps, it.max_tokens) = (Some(10), 10_000_000));
    language.clone_into(&mut world.language);
    world.model_chosen = windowed(window);
    world.history = (0..3)
        .map(|_| Exchange {
            provenance: crate::tests::toys::of_a_page(),
            goal: Goal::Ask {
                question: passage(language, 30),
            },
            answer: said.repeat(20),
        })
        .collect();
    let text = passage(language, 4_000);
    let sentences = text.split_inclusive(['.', '。']);
    let paragraphs = sentences.collect::<Vec<_>>().join("</p><p>");
    let mut capture = page();
    capture.html = format!(
        "<html lang={language}><title>Gauges</title><article><p>{paragraphs}</p></article></html>"
    );
    world.sim.set_page(TAB, Ok(capture));
    world
}

#[test]
fn five_hundred_steps_of_runs_in_either_language_send_no_prompt_beyond_its_budget() {
    let mut taken = 0;
    for language in ["en", "zh-CN"] {
        let mut window = 6_000;
        while taken < 250 || (language == "zh-CN" && taken < 500) {
            let world = ten_steps(language, window);
            let ran = world.run();
            taken += ran.steps();
            for request in asked(&world) {
                let sent = expected(&request);
                assert!(
                    sent <= holds(window),
                    "{language} {window} {:?}: {sent} of {}",
                    request.purpose,
                    holds(window)
                );
                assert!(is_paired(&request));
            }
            window += 700;
        }
    }
    assert!(taken >= 500, "{taken}");
}
