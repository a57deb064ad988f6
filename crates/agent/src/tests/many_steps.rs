//! Tests one state with far more steps than a run may have.

use super::context::{in_short, is_paired, windowed};
use super::toys::{ReplyWith as _, call, says, told_at_length};
use super::world::World;
use crate::dialogue::ask::Offer;
use crate::dialogue::compact_when_full::fit;
use crate::run::Step;
use crate::transcript::prompt::task;
use crate::{Exchange, Goal};
use gloss_model::{Language, Message, Part, Purpose, Reply, Request, Role};
use serde_json::json;
use std::collections::BTreeSet;
use std::rc::Rc;

const STEPS: u32 = 500;

/// The messages of a step: calls, results and an observation. A step has one or two results. One
/// step in eight has a large result.
fn worked(n: u32) -> [Message; 3] {
    let ids: Vec<String> = (0..=n % 2).map(|place| format!("{n}.{place}")).collect();
    let called = ids.iter().map(|id| Part::Call {
        call: call(id, "wobble", json!({ "tokens": n })),
    });
    let gave = ids.iter().map(|id| Part::Result {
        call: id.clone(),
        tool: "wobble".to_owned(),
        outcome: match n % 8 {
            0 => Ok(told_at_length(1_500)),
            1 => Err("as it was told".to_owned()),
            _ => Ok(told_at_length(110)),
        },
    });
    let said = format!("Gauge {n} was read: {}", "the tide rises there. ".repeat(8));
    [
        Message {
            role: Role::Assistant,
            parts: called.collect(),
        },
        Message {
            role: Role::Tool,
            parts: gave.collect(),
        },
        Message::text(Role::Assistant, said),
    ]
}

#[test]
fn five_hundred_steps_of_one_run_fit_each_time_and_lose_nothing() {
    let mut world = World::new(Rc::new(|request: &Request| match request.purpose {
        // Half of the compactions return an empty reply.
        Purpose::Compact if request.transcript.tokens().is_multiple_of(2) => Ok(Reply::default()),
        Purpose::Compact => Ok(says("Gauges were read; springs rise to 8 m.").costs(900, 30)),
        other => panic!("nobody asks for {other:?}"),
    }))
    .with(|settings| settings.max_tokens = 10_000_000);
    world.model_chosen = windowed(9_000);
    world.history = vec![Exchange {
        provenance: crate::tests::toys::of_a_page(),
        goal: Goal::Ask {
            question: "What is a neap?".to_owned(),
        },
        answer: "The lower one of the two.".to_owned(),
    }];
    world.beside_loop(async |ctx, state| {
        let dialogue = &mut state.dialogue;
        let mut results = 0;
        let mut shortened = 0;
        for n in 1..=STEPS {
            let step = Step {
                ctx: ctx.at(n),
                number: 1,
                max_steps: 10,
            };
            let run = dialogue.run.clone();
            let task = task(&run, &dialogue.transcript, &step, Purpose::Reason)?;
            let around = dialogue.prompt_overhead(&task, Offer::Tools);
            let crowded = fit(dialogue, &step, n, "fit", around).await?;
            assert_eq!(crowded, None, "step {n}");
            let most = dialogue.sizes().prompt();
            let said = dialogue.transcript.context.tokens() + around;
            assert!(said <= most, "step {n}: {said} of {most}");
            let request = Request {
                purpose: Purpose::Reason,
                transcript: dialogue.transcript.context.transcript().clone(),
                tools: dialogue.tools(Offer::Tools),
                temperature: 0.0,
                page: None,
                schema: None,
                task: String::new(),
                state: String::new(),
                language: Language::English,
            };
            assert!(is_paired(&request), "step {n}");
            let asked = "Why is there a tide?";
            let mut parts = request.transcript.messages().flat_map(|it| &it.parts);
            assert!(parts.any(|it| matches!(it, Part::Text { text } if text == asked)));
            if let Some(short) = in_short(&request) {
                shortened += 1;
                assert!(n < 50 || short.contains("[r1]"), "step {n}: {short}");
            }
            for message in worked(n) {
                let gave = message.parts.iter();
                results += gave
                    .filter(|it| matches!(it, Part::Result { outcome: Ok(_), .. }))
                    .count();
                dialogue.transcript.context.push_step(n, message);
            }
        }
        assert!(shortened > STEPS / 2, "{shortened}");
        // All results can be recalled under an id of their own, except for those that are still
        // uncut.
        let ids: BTreeSet<&str> = dialogue.transcript.context.results().ids().collect();
        assert!(
            ids.len() + 20 > results && ids.len() <= results,
            "{} of {results}",
            ids.len()
        );
        Ok(())
    });
    let asked = world.model.asked.borrow();
    assert!(asked.len() > 5, "{}", asked.len());
}
