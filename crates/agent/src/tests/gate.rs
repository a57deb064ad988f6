//! Tests that the loop enforces the confidence gate, whatever the prompt says.

use super::toys::{call, calls, find, says};
use super::world::{RunResult, World};
use crate::{Cycle, Event, Style};
use Purpose::{Observe, Reason};
use gloss_model::{Purpose, Reply};
use serde_json::json;

fn refusals(ran: &RunResult) -> Vec<(f32, f32)> {
    let refused = ran.events.iter().filter_map(|event| match event {
        Event::AnswerRefused {
            confidence,
            threshold,
            ..
        } => Some((*confidence, *threshold)),
        _ => None,
    });
    refused.collect()
}

fn said(confidence: Option<f32>) -> Reply {
    let mut reply = says("The Moon.");
    reply.control.confidence = confidence;
    reply
}

#[test]
fn each_style_has_its_threshold() {
    let table = [
        (
            Style::ToolFirst,
            0.95,
            [(0.94, true), (0.95, false), (1.0, false)],
        ),
        (
            Style::Balanced,
            0.8,
            [(0.79, true), (0.8, false), (0.9, false)],
        ),
        (
            Style::Direct,
            0.6,
            [(0.59, true), (0.6, false), (0.7, false)],
        ),
    ];
    for (style, threshold, cases) in table {
        for (confidence, refused) in cases {
            for cycle in [Cycle::Fused, Cycle::Strict] {
                let reply = said(Some(confidence));
                let world = World::scripted(vec![(Reason, reply.clone()), (Reason, reply)])
                    .with(|settings| (settings.style, settings.cycle) = (style, cycle));
                let ran = world.run();
                let expected = if refused {
                    vec![(confidence, threshold)]
                } else {
                    vec![]
                };
                assert_eq!(refusals(&ran), expected, "{style:?} {cycle:?}");
                let remarks: &[&str] = if refused {
                    &["remark_low_confidence"]
                } else {
                    &[]
                };
                assert_eq!(ran.remarks(), remarks, "{style:?} {confidence}");
                assert_eq!(ran.answer().markdown, "The Moon.");
            }
        }
    }
}

#[test]
fn a_confidence_unsaid_is_one_half() {
    for (style, refused) in [(Style::Balanced, true), (Style::Direct, true)] {
        let world = World::scripted(vec![(Reason, said(None)), (Reason, said(None))])
            .with(|settings| settings.style = style);
        let ran = world.run();
        assert_eq!(!refusals(&ran).is_empty(), refused);
        assert!((refusals(&ran)[0].0 - 0.5).abs() < f32::EPSILON);
    }
}

#[test]
fn the_model_is_told_why_its_answer_was_refused() {
    let world = World::scripted(vec![(Reason, said(None)), (Reason, said(None))]);
    world.run();
    let asked = world.model.asked.borrow();
    let hint = asked[1].transcript.messages().last().unwrap();
    let hint = serde_json::to_string(hint).unwrap();
    assert!(hint.contains("0.50") && hint.contains("0.80"), "{hint}");
}

#[test]
fn after_a_tool_gave_a_result_any_answer_stands() {
    let found = World::scripted(vec![
        (Reason, calls([find("1")])),
        (Observe, said(Some(0.1))),
    ]);
    let ran = found.run();
    assert!(refusals(&ran).is_empty());
    assert!(ran.remarks().is_empty());
}

#[test]
fn a_tool_that_failed_opens_the_gate_for_nobody() {
    let fails = || calls([call("1", "find_in_page", json!({}))]);
    for cycle in [Cycle::Fused, Cycle::Strict] {
        let world = World::scripted(vec![
            (Reason, fails()),
            (Purpose::Act, fails()),
            (Observe, said(None)),
            (Reason, said(None)),
        ])
        .with(|settings| settings.cycle = cycle);
        let ran = world.run();
        assert_eq!(refusals(&ran).len(), 1, "{cycle:?}");
        assert_eq!(ran.remarks(), ["remark_low_confidence"], "{cycle:?}");
    }
}

#[test]
fn an_answer_that_follows_a_refusal_with_a_tool_is_not_marked() {
    let ran = World::scripted(vec![
        (Reason, said(None)),
        (Reason, calls([find("1")])),
        (Observe, said(None)),
    ])
    .run();
    assert_eq!(refusals(&ran).len(), 1);
    assert!(ran.remarks().is_empty());
}

#[test]
fn a_bound_right_after_a_refusal_says_both() {
    let ran = World::scripted(vec![(Reason, said(None))])
        .with(|settings| settings.max_steps = Some(1))
        .run();
    assert_eq!(ran.remarks(), ["remark_low_confidence", "bound_steps"]);
}

#[test]
fn where_no_tool_that_fits_is_on_an_unsure_answer_stands() {
    let mut world = World::scripted(vec![(Reason, said(Some(0.2)))]);
    let off = [
        "find_in_page",
        "summarize_page_content",
        "explain_text_with_context",
        "web_search",
        "sleep",
        "change",
        "keep",
    ];
    world.tools_off = off.map(str::to_owned).into();
    let ran = world.run();
    assert_eq!(refusals(&ran), []);
    assert_eq!(ran.remarks(), ["remark_low_confidence"]);
}
