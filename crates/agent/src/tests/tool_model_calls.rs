//! Tests of the model calls of tools: they are counted and reported, and need the user's consent.

use super::toys::{ReplyWith as _, Scripted, call, calls, says};
use super::world::{RunResult, TAB, World, page};
use crate::events::spending::Spender;
use crate::trajectory::{Bodies, LogEntryKind, Trajectory};
use crate::{Event, Status, Verdict};
use Purpose::{Observe, Reason, Synthesise};
use gloss_durable::Entry;
use gloss_host::{Capture, RecognizedText, Region, ScreenshotTarget, Script, Shot, ShotError};
use gloss_model::{
    Facts, Fault, ModelChoice, ModelError, Part, Price, Profile, Purpose, Server, ServerKind, Usage,
};
use serde_json::json;
use std::cell::RefCell;
use std::rc::Rc;

const PRICE: Price = Price {
    input: 10_000,
    cached: 10_000,
    output: 10_000,
};

pub(super) fn shot() -> Shot {
    Shot {
        data_url: "PICTURE".to_owned(),
        width: Some(1_000),
    }
}

fn seer() -> ModelChoice {
    ModelChoice::Profile(Profile {
        id: "p2".to_owned(),
        name: "Seer".to_owned(),
        model: "eye-1".to_owned(),
        facts: Some(Facts {
            price: Some(PRICE),
            ..Facts::default()
        }),
        ..Profile::default()
    })
}

fn world() -> World {
    let look = call("a", "extract_screenshot_text", json!({ "region": "top" }));
    let world = World::scripted(vec![
        (Reason, calls([look]).costs(100, 10)),
        (Synthesise, says("Open 9 to 5").costs(1_500, 20)),
        (Observe, says("It is open.").costs(200, 10)),
    ]);
    world.sim.set_picture(TAB, Ok(shot()));
    world.sim.set_words(RecognizedText {
        text: "Closed on Mon days".to_owned(),
        confidence_percent: 91,
    });
    world
}

/// Returns the result of the last call, as the model read it.
pub(super) fn result(world: &World) -> Result<serde_json::Value, String> {
    let asked = world.model.asked.borrow();
    let messages = asked.last().unwrap().transcript.messages();
    let mut parts = messages.flat_map(|message| message.parts.clone());
    let result = parts.find_map(|part| match part {
        Part::Result { outcome, .. } => Some(outcome),
        _ => None,
    });
    result.expect("a result")
}

/// Returns the number of tries of the call, and the summaries of its end that are shown to the
/// user.
fn made(world: &World, ran: &RunResult) -> (usize, Vec<String>) {
    let tries = world.stored().into_iter().filter(|record| {
        let is_try = record.path.as_str().contains("/try.");
        is_try && matches!(record.entry, Entry::Intent { .. })
    });
    let ends = ran.events.iter().filter_map(|event| match event {
        Event::ToolFinished { summary, .. } => Some(summary.key.clone()),
        _ => None,
    });
    (tries.count(), ends.collect())
}

#[test]
fn what_may_pass_is_tried_once_more_and_what_will_not_is_not() {
    let failed = ShotError::Failed {
        message: "MAX_CAPTURE_VISIBLE_TAB_CALLS_PER_SECOND".to_owned(),
    };
    for (picture, words, expected) in [
        (Err(failed), true, (2, "tool_not_visible")),
        (Err(ShotError::Moved), true, (1, "tool_not_visible")),
        (Ok(shot()), false, (2, "sight_failed")),
        (Ok(shot()), true, (1, "summary_screenshot_device")),
    ] {
        let look = call("a", "extract_screenshot_text", json!({}));
        let world = World::scripted(vec![
            (Reason, calls([look])),
            (Observe, says("So it is.").sure(0.9)),
        ]);
        world.sim.set_picture(TAB, picture);
        if words {
            world.sim.set_words(RecognizedText {
                text: "Open".to_owned(),
                confidence_percent: 91,
            });
        }
        let ran = world.run();
        let (tries, ends) = made(&world, &ran);
        assert_eq!((tries, ends), (expected.0, vec![expected.1.to_owned()]));
    }
}

fn counted(ran: &RunResult) -> Vec<(u32, Option<Spender>)> {
    let counted = ran.events.iter().filter_map(|event| match event {
        Event::TokensUsed { total, by, .. } => Some((*total, by.clone())),
        _ => None,
    });
    counted.collect()
}

#[test]
fn a_picture_is_read_by_the_model_that_was_named_and_the_run_counts_it() {
    let mut world = world();
    world.model_roles.vision = Some(seer());
    let ran = world.run();
    assert_eq!(ran.closing.status, Status::Completed);
    let by = Spender {
        tool: "extract_screenshot_text".to_owned(),
        model: "eye-1".to_owned(),
    };
    assert_eq!(
        counted(&ran),
        [(110, None), (1_630, Some(by)), (1_840, None)]
    );
    let read = result(&world).unwrap();
    assert_eq!(read["text"], "Open 9 to 5");
    assert_eq!(read["read_by"], "the model eye-1");
    let looks = world.sim.looks();
    assert_eq!(looks.len(), 1);
    assert_eq!(
        (looks[0].region, looks[0].aim),
        (Region::Top, ScreenshotTarget::Cut(2_048))
    );
    let trajectory = Trajectory::of(&world.recorded(), &Bodies::new());
    let role_calls = trajectory.log.iter().find_map(|logged| match &logged.what {
        LogEntryKind::Result(given) => Some(given.role_calls.clone()),
        _ => None,
    });
    let role_calls = role_calls.expect("a result");
    assert_eq!(role_calls.len(), 1);
    assert_eq!(role_calls[0].cost, Some(15_200));
    assert_eq!(
        role_calls[0].usage,
        Usage {
            input_tokens: 1_500,
            output_tokens: 20,
            ..Usage::default()
        }
    );
    let metrics = trajectory.metrics;
    assert_eq!((metrics.tokens.input, metrics.tokens.output), (1_800, 40));
    // The text that a model wrote for the tool is not part of the answer. The image is not stored.
    let told = format!("{:?}", ran.events);
    assert!(!told.contains("PICTURE"));
    let kept = serde_json::to_string(&world.recorded()).unwrap();
    assert!(!kept.contains("PICTURE"));
}

#[test]
fn without_one_this_device_reads_in_the_language_of_the_page() {
    let world = world();
    let ran = world.run();
    assert_eq!(counted(&ran).len(), 2);
    let read = result(&world).unwrap();
    assert_eq!(read["text"], "Closed on Mon days");
    assert_eq!(read["confidence_percent"], 91);
    let looks = world.sim.looks();
    assert_eq!(looks[0].aim, ScreenshotTarget::Read(Script::Latin));
}

#[test]
fn where_a_helpers_server_is_refused_this_device_reads_and_the_helper_is_not_asked_again() {
    let mut world = world();
    world.model_roles.vision = Some(seer());
    let (told, answers) = (world.told.clone(), world.model.answers.clone());
    world.model = Rc::new(Scripted {
        sim: world.sim.clone(),
        answers: Rc::new(move |request| {
            if request.purpose == Synthesise {
                // The user's refusal arrives before the run asks.
                let journal = told.journal.borrow();
                journal.as_ref().unwrap().deliver("no", &Verdict::Refused);
                let origin = "https://eye.example".to_owned();
                return Err(ModelError::Server {
                    server: Box::new(Server {
                        name: "Seer".to_owned(),
                        origin: origin.clone(),
                        model: "eye-1".to_owned(),
                        kind: ServerKind::Other,
                    }),
                    fault: Fault::NotPermitted { origin },
                    partial: String::new(),
                    used: Usage::default(),
                });
            }
            answers(request)
        }),
        asked: RefCell::default(),
    });
    let ran = world.run();
    assert_eq!(ran.closing.status, Status::Completed);
    assert_eq!(result(&world).unwrap()["text"], "Closed on Mon days");
    let asked = world.model.asked.borrow();
    let looked = asked.iter().filter(|it| it.purpose == Synthesise).count();
    assert_eq!(looked, 1);
}

#[test]
fn whom_the_budget_cannot_pay_is_not_asked() {
    let mut world = world().with(|settings| settings.max_cost_cents = 1);
    world.model_roles.vision = Some(seer());
    world.run();
    assert_eq!(result(&world).unwrap()["text"], "Closed on Mon days");
}

#[test]
fn a_tab_that_nobody_sees_is_an_observation() {
    for (error, words) in [
        (ShotError::Hidden, "not the one that its window"),
        (ShotError::Moved, "the tab now shows another page"),
        (ShotError::Gone, "was closed"),
    ] {
        let world = world();
        world.sim.set_picture(TAB, Err(error));
        let ran = world.run();
        assert_eq!(ran.closing.status, Status::Completed);
        let told = result(&world).unwrap_err();
        assert!(told.contains(words), "{told}");
    }
}

/// A page that draws all its text on a canvas.
fn drawn() -> Capture {
    Capture {
        language: "zh-CN".to_owned(),
        html: "<html lang=zh-CN><title>灯塔</title><canvas></canvas></html>".to_owned(),
        ..page()
    }
}

#[test]
fn a_page_without_text_is_read_in_its_own_language() {
    let world = world();
    world.sim.set_page(TAB, Ok(drawn()));
    let ran = world.run();
    assert_eq!(ran.closing.status, Status::Completed);
    let is_read = |event: &&Event| matches!(event, Event::PageRead { .. });
    assert_eq!(ran.events.iter().filter(is_read).count(), 0);
    assert_eq!(
        world.sim.looks()[0].aim,
        ScreenshotTarget::Read(Script::Chinese)
    );
}

#[test]
fn a_chinese_page_that_does_not_say_so_is_read_as_chinese() {
    let world = world();
    let line = "灯塔用一面透镜把光收成一束，再把它送到海上去。";
    let said = Capture {
        language: String::new(),
        html: format!(
            "<html><title>灯塔</title><main>{}</main></html>",
            format!("<p>{line}</p>").repeat(20)
        ),
        ..page()
    };
    world.sim.set_page(TAB, Ok(said));
    world.run();
    let looks = world.sim.looks();
    let aims: Vec<ScreenshotTarget> = looks.iter().map(|look| look.aim).collect();
    assert_eq!(aims, [ScreenshotTarget::Read(Script::Chinese)]);
}

#[test]
fn what_is_hardly_read_in_one_script_is_read_in_the_other() {
    let seen = |text: &str, confidence_percent| RecognizedText {
        text: text.to_owned(),
        confidence_percent,
    };
    for (latin, chinese, text) in [
        (31, 88, "周一闭馆"),
        // The print is small, so the confidence of this reading is low. The reading of the text as
        // Chinese has a lower confidence.
        (52, 40, "Closed"),
        (80, 99, "Closed"),
    ] {
        let world = world();
        world.sim.set_words_in(Script::Latin, seen("Closed", latin));
        world
            .sim
            .set_words_in(Script::Chinese, seen("周一闭馆", chinese));
        world.run();
        assert_eq!(result(&world).unwrap()["text"], text, "{latin} {chinese}");
    }
}

#[test]
fn a_page_without_text_that_was_left_is_not_pictured() {
    let mut world = world();
    world.sim.set_page(TAB, Ok(drawn()));
    let (sim, answers) = (world.sim.clone(), world.model.answers.clone());
    world.model = Rc::new(Scripted {
        sim: world.sim.clone(),
        answers: Rc::new(move |request| {
            // The tab moves to another page during the model call.
            let left = Capture {
                document: "d2".to_owned(),
                ..drawn()
            };
            sim.set_page(TAB, Ok(left));
            answers(request)
        }),
        asked: RefCell::default(),
    });
    let ran = world.run();
    assert_eq!(ran.closing.status, Status::Completed);
    let told = result(&world).unwrap_err();
    assert!(told.contains("the tab now shows another page"), "{told}");
    assert!(world.sim.looks().is_empty());
}

#[test]
fn where_the_model_sees_no_words_this_device_looks_too() {
    for (words, expected) in [("Closed on Mon days", "Closed on Mon days"), ("", "")] {
        let look = call("a", "extract_screenshot_text", json!({ "region": "top" }));
        let mut world = World::scripted(vec![
            (Reason, calls([look]).costs(100, 10)),
            (Synthesise, says(" ").costs(1_500, 0)),
            (Observe, says("So it is.").costs(200, 10)),
        ]);
        world.sim.set_picture(TAB, Ok(shot()));
        world.sim.set_words(RecognizedText {
            text: words.to_owned(),
            confidence_percent: 91,
        });
        world.model_roles.vision = Some(seer());
        let ran = world.run();
        assert_eq!(ran.closing.status, Status::Completed);
        assert_eq!(result(&world).unwrap()["text"], expected);
        // The tool's model call is counted nevertheless.
        assert_eq!(counted(&ran).last().map(|(total, _)| *total), Some(1_820));
    }
}

#[test]
fn a_model_that_does_not_answer_leaves_time_for_this_device_to_read() {
    for latin in [91, 31] {
        let mut world = world();
        world.model_roles.vision = Some(seer());
        let seen = |text: &str, confidence_percent| RecognizedText {
            text: text.to_owned(),
            confidence_percent,
        };
        world.sim.set_words_in(Script::Latin, seen("Closed", latin));
        world
            .sim
            .set_words_in(Script::Chinese, seen("周一闭馆", 90));
        world.pace = Some(Rc::new(|purpose| match purpose {
            Synthesise => 300_000,
            _ => 10,
        }));
        let ran = world.run();
        let text = if latin > 80 { "Closed" } else { "周一闭馆" };
        assert_eq!(result(&world).unwrap()["text"], text);
        assert_eq!(made(&world, &ran).0, 1);
        // The abandoned prompt is counted as an estimate.
        assert_eq!(counted(&ran).last().map(|(total, _)| *total), Some(1_920));
    }
}

#[test]
fn a_picture_that_a_stop_cuts_off_costs_the_run_what_it_costs_the_month() {
    let mut cut_off = 0;
    for tick in 1.. {
        let mut world = world();
        world.model_roles.vision = Some(seer());
        world.model_chosen = seer();
        world.stop_at(tick);
        let ran = world.run();
        if ran.closing.status == Status::Completed {
            break;
        }
        let asked = world.model.asked.borrow().last().map(|it| it.purpose);
        if asked != Some(Synthesise) || has_ended(&world, "1/act/0/try.1") {
            continue;
        }
        cut_off += 1;
        let given_up = ran.events.iter().filter_map(|event| match event {
            Event::CallAbandoned { tokens, cost, by } => Some((*tokens, *cost, by.clone())),
            _ => None,
        });
        let by = Spender {
            tool: "extract_screenshot_text".to_owned(),
            model: "eye-1".to_owned(),
        };
        let expected = (1_600, Some(16_000), Some(by));
        assert_eq!(given_up.collect::<Vec<_>>(), [expected], "{tick}");
        let metrics = Trajectory::of(&world.recorded(), &Bodies::new()).metrics;
        assert_eq!(metrics.cost, Some(1_100 + 16_000), "{tick}");
        assert_eq!(super::budgets::charged(&world), 17_100, "{tick}");
    }
    assert!(cut_off > 0, "none was stopped between");
}

/// Returns true if the outcome of the call at this path is recorded.
pub(super) fn has_ended(world: &World, place: &str) -> bool {
    world.recorded().iter().any(|record| {
        record.path.as_str() == place && matches!(record.entry, Entry::Outcome { .. })
    })
}

#[test]
fn a_picture_that_was_read_is_counted_though_a_call_beside_it_is_stopped() {
    let mut cut_off = 0;
    for tick in 1.. {
        let look = call("a", "extract_screenshot_text", json!({ "region": "top" }));
        let nap = call("b", "sleep", json!({ "ms": 20_000 }));
        let mut world = World::scripted(vec![
            (Reason, calls([look, nap]).costs(100, 10)),
            (Synthesise, says("Open 9 to 5").costs(1_500, 20)),
            (Observe, says("It is open.").costs(200, 10)),
        ]);
        world.sim.set_picture(TAB, Ok(shot()));
        world.model_roles.vision = Some(seer());
        world.model_chosen = seer();
        world.stop_at(tick);
        let ran = world.run();
        if ran.closing.status == Status::Completed {
            break;
        }
        let is_cut = !has_ended(&world, "1/act/1/try.1");
        if !has_ended(&world, "1/act/0/try.1") || !is_cut {
            continue;
        }
        cut_off += 1;
        let told = ran.events.iter().filter_map(|event| match event {
            Event::TokensUsed { total, cost, .. } => Some((*total, *cost)),
            _ => None,
        });
        let told: Vec<_> = told.collect();
        assert_eq!(told, [(110, Some(1_100)), (1_630, Some(16_300))], "{tick}");
        let metrics = Trajectory::of(&world.recorded(), &Bodies::new()).metrics;
        assert_eq!(metrics.cost, Some(16_300), "{tick}");
        assert_eq!((metrics.tokens.input, metrics.tokens.output), (1_600, 30));
    }
    assert!(cut_off > 0, "none was stopped between");
}
