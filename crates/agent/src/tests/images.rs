//! Tests of images: the models that make them, the consent they need, their cost, and the messages
//! when no image is made.

use super::tool_model_calls::{has_ended, result as told};
use super::toys::{ReplyWith as _, call, calls, says};
use super::world::{EventRecorder, RunResult, TAB, World};
use crate::events::spending::Spender;
use crate::{Event, Goal, MissingRight, OnToolFailure, Status, Verdict};
use Purpose::{Observe, Reason};
use futures::FutureExt;
use gloss_durable::{Body, Class, Entry, Fut};
use gloss_host::CaptureError;
use gloss_host_sim::Sim;
use gloss_model::{
    A_PICTURE, Api, Awaited, Facts, Fault, GeneratedImage, Image, ImageModel, ModelChoice,
    ModelError, Price, Profile, Purpose, Reply, Server, ServerKind, ToolCall, Usage,
};
use gloss_tools::{Author, SendKind, SendRequest, SentPart, ToolOutcome};
use serde_json::json;
use std::cell::Cell;
use std::rc::Rc;

/// Makes the same image from any description, or fails.
struct Brush(Sim, Result<GeneratedImage, ModelError>);

impl ImageModel for Brush {
    fn paint(&self, description: String) -> Fut<Result<GeneratedImage, ModelError>> {
        let made = self.1.clone();
        assert_eq!(description, "A fox\n\nStyle: woodcut");
        self.0.send(|| made).boxed_local()
    }
}

fn made() -> GeneratedImage {
    GeneratedImage {
        image: Image {
            media_type: "image/webp".to_owned(),
            base64: "UklGRiQAAABXRUJQ".to_owned(),
        },
        usage: Usage {
            input_tokens: 10,
            output_tokens: 1_000,
            ..Usage::default()
        },
    }
}

fn failed(fault: Fault, used: Usage) -> ModelError {
    ModelError::Server {
        server: Box::new(Server {
            name: "Painter".to_owned(),
            origin: "https://api.painter.example".to_owned(),
            model: "brush-1".to_owned(),
            kind: ServerKind::Other,
        }),
        fault,
        partial: String::new(),
        used,
    }
}

fn brush(price: Option<Price>) -> ModelChoice {
    ModelChoice::Profile(Profile {
        id: "p2".to_owned(),
        name: "Painter".to_owned(),
        model: "brush-1".to_owned(),
        api: Api::ChatCompletions,
        facts: Some(Facts {
            price,
            ..Facts::default()
        }),
        ..Profile::default()
    })
}

/// A price of $40 for a million tokens of an image.
const PRICE: Price = Price {
    input: 5_000,
    cached: 5_000,
    output: 40_000,
};

/// A world without a page: the run reads only the user's own text.
fn world(painted: Result<GeneratedImage, ModelError>) -> World {
    let paint = calls([paints()]).costs(100, 10);
    let done = says("There it is.").costs(200, 10);
    world_of(vec![(Reason, paint), (Observe, done)], painted)
}

fn paints() -> ToolCall {
    let arguments = json!({ "description": "A fox", "style": "woodcut" });
    call("a", "image_generate", arguments)
}

fn world_of(replies: Vec<(Purpose, Reply)>, painted: Result<GeneratedImage, ModelError>) -> World {
    let mut world = World::scripted(replies);
    world.sim.set_page(TAB, Err(CaptureError::Forbidden));
    brushed(&mut world, painted);
    world
}

fn brushed(world: &mut World, painted: Result<GeneratedImage, ModelError>) {
    world.image_model = Some(Rc::new(Brush(world.sim.clone(), painted)));
    world.model_roles.image = Some(brush(Some(PRICE)));
}

/// Adds an image model.
pub(super) fn painting(world: &mut World) {
    brushed(world, Ok(made()));
}

fn pictures(ran: &RunResult) -> Vec<Option<String>> {
    let finished = ran.events.iter().filter_map(|event| match event {
        Event::ToolFinished { picture, .. } => Some(picture.clone()),
        _ => None,
    });
    finished.collect()
}

#[test]
fn what_the_person_asked_for_themselves_is_made_unasked_counted_and_told_in_words() {
    let mut world = world(Ok(made()));
    world.model_chosen = brush(Some(PRICE));
    let ran = world.run();
    assert_eq!(ran.closing.status, Status::Completed);
    assert_eq!(pictures(&ran), [Some("A fox".to_owned())]);
    let given = told(&world).unwrap();
    assert_eq!(given["made"], true);
    assert!(!given.to_string().contains("UklGR"));
    let counted = ran.events.iter().filter_map(|event| match event {
        Event::TokensUsed { cost, by, .. } => Some((*cost, by.clone())),
        _ => None,
    });
    let by = Spender {
        tool: "image_generate".to_owned(),
        model: "brush-1".to_owned(),
    };
    let expected = [
        (Some(900), None),
        (Some(40_950), Some(by)),
        (Some(42_350), None),
    ];
    assert_eq!(counted.collect::<Vec<_>>(), expected);
    assert!(!format!("{:?}", ran.events).contains("UklGR"));
}

#[test]
fn once_a_page_was_read_the_person_is_shown_all_that_is_sent() {
    let world = world(Ok(made()));
    world.sim.set_page(TAB, Ok(super::world::page()));
    let ran = world.run();
    let need = ran.events.iter().find_map(|event| match event {
        Event::PermissionNeeded { wait } => Some(wait.need.clone()),
        _ => None,
    });
    let need = need.expect("it asks");
    assert_eq!(
        need,
        MissingRight::Send(Box::new(SendRequest {
            tool: "image_generate".to_owned(),
            kind: SendKind::Image { cost: Some(60_500) },
            to: "Painter, brush-1".to_owned(),
            reason: String::new(),
            parts: vec![
                SentPart {
                    before: String::new(),
                    text: "A fox".to_owned(),
                    by: Author::Model,
                },
                SentPart {
                    before: "\n\nStyle: ".to_owned(),
                    text: "woodcut".to_owned(),
                    by: Author::Model,
                },
            ],
            always: None,
        }))
    );
    // If the worker died here, no call would have an unknown outcome.
    let begun = |entry: &Entry| {
        matches!(entry, Entry::Intent { effect, class, .. }
            if effect == "tool" && *class != Class::Safe)
    };
    assert!(!world.recorded().iter().any(|record| begun(&record.entry)));
}

/// The tool that a run calls before it makes an image decides if the user is asked.
#[test]
fn the_clock_and_what_is_remembered_are_no_words_of_others() {
    let time = ("get_current_time", json!({}));
    let remembers = (
        "memory_save",
        json!({ "facts": [{ "content": "The user likes foxes" }] }),
    );
    let unknown = ("get_the_moon", json!({}));
    let fetches = (
        "web_fetch",
        json!({ "urls": ["https://tides.example/"], "query": "a fox" }),
    );
    for ((name, arguments), asks) in [
        (time, false),
        (remembers, false),
        (unknown, false),
        (fetches, true),
    ] {
        let replies = vec![
            (Reason, calls([call("t", name, arguments)])),
            (Observe, calls([paints()])),
            (Observe, says("There it is.")),
        ];
        let mut world = world_of(replies, Ok(made()));
        world.goal = Goal::Ask {
            question: "I like foxes. Paint a fox as https://tides.example/ has it.".to_owned(),
        };
        let ran = world.run();
        let asked = ran
            .events
            .iter()
            .any(|event| matches!(event, Event::PermissionNeeded { .. }));
        assert_eq!(asked, asks, "{name}");
    }
}

/// An image model whose server the user has not permitted yet. `verdict` arrives before the run
/// asks for it.
struct Barred {
    brush: Brush,
    ear: Rc<EventRecorder>,
    verdict: Verdict,
    asked: Cell<u32>,
}

impl ImageModel for Barred {
    fn paint(&self, description: String) -> Fut<Result<GeneratedImage, ModelError>> {
        self.asked.set(self.asked.get() + 1);
        if self.asked.get() > 1 && self.verdict == Verdict::Granted {
            return self.brush.paint(description);
        }
        let journal = self.ear.journal.borrow();
        let journal = journal.as_ref().expect("a run");
        journal.deliver("word", &self.verdict);
        let origin = "https://api.painter.example".to_owned();
        let barred = failed(Fault::NotPermitted { origin }, Usage::default());
        std::future::ready(Err(barred)).boxed_local()
    }
}

#[test]
fn an_images_server_is_asked_for_once_and_one_that_is_refused_makes_none() {
    for (verdict, times) in [(Verdict::Granted, 2), (Verdict::Refused, 1)] {
        let mut world = world(Ok(made()));
        let image_model = Rc::new(Barred {
            brush: Brush(world.sim.clone(), Ok(made())),
            ear: world.told.clone(),
            verdict: verdict.clone(),
            asked: Cell::new(0),
        });
        world.image_model = Some(image_model.clone());
        let ran = world.run();
        assert_eq!(ran.closing.status, Status::Completed, "{verdict:?}");
        assert_eq!(image_model.asked.get(), times, "{verdict:?}");
        let is_made = verdict == Verdict::Granted;
        assert_eq!(pictures(&ran), [is_made.then(|| "A fox".to_owned())]);
        let asks = |event: &&Event| matches!(event, Event::PermissionNeeded { .. });
        assert!(ran.events.iter().filter(asks).count() <= 1);
        if !is_made {
            let said = told(&world).unwrap_err();
            assert!(
                said.starts_with("the user has not allowed Gloss to "),
                "{said}"
            );
        }
    }
}

#[test]
fn without_a_model_for_images_the_agent_says_where_to_choose_one_and_asks_nothing() {
    let mut world = world(Ok(made()));
    world.sim.set_page(TAB, Ok(super::world::page()));
    world.model_roles.image = None;
    let ran = world.run();
    assert_eq!(ran.closing.status, Status::Completed);
    let said = told(&world).unwrap_err();
    assert!(said.contains("in Options, under Models"), "{said}");
    assert!(said.contains("role Image"), "{said}");
    assert_eq!(pictures(&ran), [None]);
}

#[test]
fn an_image_that_the_budget_cannot_pay_is_not_made() {
    let world = world(Ok(made())).with(|settings| settings.max_cost_cents = 5);
    let ran = world.run();
    assert_eq!(pictures(&ran), [None]);
    let said = told(&world).unwrap_err();
    assert!(said.contains("budget"), "{said}");
}

#[test]
fn images_of_one_step_that_the_budget_cannot_pay_together_are_not_made() {
    let paint = |id: &str| {
        let fox = json!({ "description": "A fox", "style": "woodcut" });
        call(id, "image_generate", fox)
    };
    // One image is expected to cost six cents.
    for (both, are_made) in [(false, true), (true, false)] {
        let asked = if both {
            calls([paint("a"), paint("b")])
        } else {
            calls([paint("a")])
        };
        let replies = vec![
            (Reason, asked.costs(100, 10)),
            (Observe, says("There it is.").costs(200, 10)),
        ];
        let mut world = World::scripted(replies);
        world.sim.set_page(TAB, Err(CaptureError::Forbidden));
        world.image_model = Some(Rc::new(Brush(world.sim.clone(), Ok(made()))));
        world.model_roles.image = Some(brush(Some(PRICE)));
        let world = world.with(|settings| settings.max_cost_cents = 10);
        let ran = world.run();
        let all = pictures(&ran).iter().all(Option::is_some);
        assert_eq!(all, are_made, "{:?}", pictures(&ran));
    }
}

#[test]
fn an_image_that_fails_without_use_leaves_the_cost_known() {
    let refused = Fault::Rejected {
        status: Some(400),
        said: None,
    };
    let mut world = world(Err(failed(refused, Usage::default())));
    world.model_chosen = brush(Some(PRICE));
    world.model_roles.image = Some(brush(None));
    let ran = world.run();
    let costs = ran.events.iter().filter_map(|event| match event {
        Event::TokensUsed { cost, .. } => Some(*cost),
        _ => None,
    });
    assert_eq!(costs.collect::<Vec<_>>(), [Some(900), Some(2_300)]);
}

#[test]
fn where_a_chosen_model_makes_none_nobody_is_asked_for_one() {
    let mut world = world(Ok(made()));
    world.sim.set_page(TAB, Ok(super::world::page()));
    world.image_model = None;
    let ran = world.run();
    assert_eq!(ran.closing.status, Status::Completed);
    assert!(told(&world).unwrap_err().contains("role Image"));
}

#[test]
fn an_image_that_nobody_counted_was_not_made_for_nothing() {
    let uncounted = GeneratedImage {
        usage: Usage::default(),
        ..made()
    };
    let mut world = world(Ok(uncounted));
    world.model_chosen = brush(Some(PRICE));
    let ran = world.run();
    let known = ran.events.iter().filter_map(|event| match event {
        Event::TokensUsed { cost, .. } => Some(cost.is_some()),
        _ => None,
    });
    assert_eq!(known.collect::<Vec<_>>(), [true, false, false]);
}

#[test]
fn an_image_whose_server_went_silent_is_asked_about_and_stays_charged() {
    for fault in [
        Fault::Cut,
        Fault::Unreachable,
        Fault::TimedOut {
            awaited: Awaited::FirstWord,
            after_ms: 180_000,
        },
    ] {
        let world = world(Err(failed(fault, A_PICTURE)));
        let ran = world.run();
        let need = ran.events.iter().find_map(|event| match event {
            Event::PermissionNeeded { wait } => Some(wait.need.clone()),
            _ => None,
        });
        assert!(
            matches!(&need, Some(MissingRight::Outcome { tool, .. }) if tool == "image_generate"),
            "{need:?}"
        );
        let outcome = world
            .recorded()
            .into_iter()
            .find_map(|record| match record.entry {
                Entry::Outcome {
                    body: Body::Inline(value),
                } => serde_json::from_value::<ToolOutcome>(value).ok(),
                _ => None,
            });
        let role_calls = outcome.expect("an outcome").role_calls;
        assert_eq!(role_calls[0].cost, Some(60_500));
    }
}

#[test]
fn what_a_server_refuses_is_read_by_the_model_or_ends_the_run_as_the_person_set() {
    let rejected = Fault::Rejected {
        status: Some(400),
        said: Some("Rejected by the safety system.".to_owned()),
    };
    let refused = failed(rejected, Usage::default());
    let goes_on = world(Err(refused.clone()));
    let ran = goes_on.run();
    assert_eq!(ran.closing.status, Status::Completed);
    let said = told(&goes_on).unwrap_err();
    let words = "no image was made: Painter: refused the request (400): Rejected by";
    assert!(said.starts_with(words), "{said}");
    let ends = world(Err(refused)).with(|settings| settings.on_tool_failure = OnToolFailure::Fail);
    assert_eq!(ends.run().closing.status, Status::Failed);
}

#[test]
fn a_large_image_is_counted_though_the_call_behind_it_is_stopped() {
    let large = GeneratedImage {
        image: Image {
            media_type: "image/png".to_owned(),
            base64: format!("iVBORw0KGgo{}", "A".repeat(60_001)),
        },
        ..made()
    };
    let mut cut_off = 0;
    for tick in 1.. {
        let paint = json!({ "description": "A fox", "style": "woodcut" });
        let mut nap = call("b", "change", json!({ "ms": 5_000 }));
        nap.after = Some("a".to_owned());
        let mut world = World::scripted(vec![
            (
                Reason,
                calls([call("a", "image_generate", paint), nap]).costs(100, 10),
            ),
            (Observe, says("There it is.").costs(200, 10)),
        ]);
        world.sim.set_page(TAB, Err(CaptureError::Forbidden));
        world.image_model = Some(Rc::new(Brush(world.sim.clone(), Ok(large.clone()))));
        world.model_roles.image = Some(brush(Some(PRICE)));
        world.model_chosen = brush(Some(PRICE));
        world.stop_at(tick);
        let ran = world.run();
        if ran.closing.status == Status::Completed {
            break;
        }
        if !has_ended(&world, "1/act/0/try.1") || has_ended(&world, "1/act/1/try.1") {
            continue;
        }
        cut_off += 1;
        // The record contains neither the image's bytes nor its cost.
        let is_large = |entry: &Entry| {
            matches!(
                entry,
                Entry::Outcome {
                    body: Body::Blob(_)
                }
            )
        };
        assert!(world.recorded().iter().any(|it| is_large(&it.entry)));
        let costs = ran.events.iter().filter_map(|event| match event {
            Event::TokensUsed { cost, .. } => Some(*cost),
            _ => None,
        });
        assert_eq!(costs.collect::<Vec<_>>(), [Some(900), Some(40_950)]);
    }
    assert!(cut_off > 0, "none was stopped between");
}
