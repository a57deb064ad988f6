//! Tests of the tools that a model is offered: only those that can work in the run (DETAILS §9).

use super::context::windowed;
use super::images::painting;
use super::tool_model_calls::shot;
use super::toys::{ReplyWith as _, call, calls, says};
use super::world::{TAB, World};
use crate::{Event, Goal};
use gloss_host::{CaptureError, RecognizedText};
use gloss_host_sim::Answer;
use gloss_model::{Purpose, Request, ToolDefinition};
use gloss_tools::CallEnd;
use std::rc::Rc;

/// A chat in a tab whose page can't be read.
fn bare(error: &CaptureError, answers: super::toys::Answers) -> World {
    let mut world = World::new(answers).asked_for(Goal::Ask {
        question: "When was the lamp of https://lamps.example/ lit?".to_owned(),
    });
    // The window is large enough for the examples in tool definitions.
    world.model_chosen = windowed(128_000);
    world.sim.set_page(TAB, Err(error.clone()));
    world.sim.set_picture(TAB, Ok(shot()));
    world.sim.set_words(RecognizedText {
        text: "Lit in 1823".to_owned(),
        confidence_percent: 91,
    });
    world.sim.grant("https://lamps.example");
    world.sim.serve(|_, _| {
        Answer::status(200)
            .header("content-type", "text/plain")
            .send("The lamp was lit in 1823.")
    });
    world
}

/// Returns the tools that the first call of a run offers.
fn offered(world: &World) -> Vec<ToolDefinition> {
    world.run();
    let asked = world.model.asked.borrow();
    asked[0].tools.offered().to_vec()
}

fn names(tools: &[ToolDefinition]) -> Vec<&str> {
    tools.iter().map(|tool| tool.name.as_str()).collect()
}

fn says_so() -> super::toys::Answers {
    Rc::new(|_: &Request| Ok(says("In 1823.").sure(1.0)))
}

#[test]
fn every_tool_that_is_offered_on_a_bare_chat_can_be_run_there() {
    for error in [CaptureError::Forbidden, CaptureError::Gone] {
        let tools = offered(&bare(&error, says_so()));
        // Tools that exist only in tests have no examples.
        let tools: Vec<_> = tools
            .into_iter()
            .filter(|it| !it.examples.is_empty())
            .collect();
        assert!(tools.len() > 5, "{:?}", names(&tools));
        for ToolDefinition { name, examples, .. } in tools {
            let (tool, arguments) = (name.clone(), examples[0].clone());
            let world = bare(
                &error,
                Rc::new(move |request: &Request| {
                    Ok(match request.purpose {
                        Purpose::Reason => calls([call("1", &tool, arguments.clone())]),
                        _ => says("In 1823.").sure(1.0),
                    })
                }),
            );
            let ran = world.run();
            let end = ran.events.iter().find_map(|event| match event {
                Event::ToolFinished { end, summary, .. } => Some((*end, summary.clone())),
                _ => None,
            });
            // The tool has not ended if it waits for a permission that the user can grant.
            let asks = |event: &Event| matches!(event, Event::PermissionNeeded { .. });
            let runs = match &end {
                Some((CallEnd::Completed, _)) => true,
                // The tool reads the address in its own example, which the user never wrote.
                Some((CallEnd::Rejected, said)) => said.key == "tool_not_approved",
                Some(_) => false,
                None => ran.events.iter().any(asks),
            };
            assert!(runs, "{name}: {end:?}");
        }
    }
}

#[test]
fn what_can_do_nothing_here_is_not_offered() {
    let page = World::new(says_so());
    let closed = bare(&CaptureError::Gone, says_so());
    let forbidden = bare(&CaptureError::Forbidden, says_so());
    let mut painted = bare(&CaptureError::Forbidden, says_so());
    painting(&mut painted);
    for (world, tool, expected) in [
        (&page, "find_in_page", true),
        (&forbidden, "find_in_page", false),
        (&forbidden, "extract_screenshot_text", true),
        (&closed, "extract_screenshot_text", false),
        (&forbidden, "image_generate", false),
        (&painted, "image_generate", true),
        (&forbidden, "recall_details", false),
        (&forbidden, "web_search", true),
    ] {
        let tools = offered(world);
        assert_eq!(names(&tools).contains(&tool), expected, "{tool}");
    }
}
