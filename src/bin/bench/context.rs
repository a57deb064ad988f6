//! Measures the time that it takes to shrink contexts of several sizes.

use gloss::context::compaction::mechanical;
use gloss::context::{Context, compress_without_model};
use gloss::model::{Language, Message, Part, PassageData, Role, ToolCall};
use gloss::page_service::{Filling, Task, perform_task};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

const SENTENCE: &str =
    "Gauge 7 of the harbour was read at noon and stood 3.1 m above the datum of the chart. ";

/// A context with a number of steps. Each step has a tool result of a given size in bytes.
#[wasm_bindgen]
pub struct ContextBench(Context, u32);

#[wasm_bindgen]
impl ContextBench {
    /// Creates a context in which nothing is shortened yet.
    #[wasm_bindgen(constructor)]
    pub fn new(steps: u32, bytes: usize) -> Self {
        let mut context = Context::default();
        context.push_fixed(Message::text(Role::User, "Which gauge stands highest?"));
        for turn in 0..steps {
            context.push_earlier(turn, Message::text(Role::Assistant, SENTENCE));
        }
        for step in 1..=steps {
            let id = step.to_string();
            let call = ToolCall {
                id: id.clone(),
                name: "find_in_page".to_owned(),
                arguments: json!({ "query": "gauge" }),
                reasoning: None,
                after: None,
            };
            let result = Part::Result {
                call: id,
                tool: "find_in_page".to_owned(),
                outcome: Ok(json!({ "passages": passages(bytes) })),
            };
            let said = |role, part| Message {
                role,
                parts: vec![part],
            };
            context.push_step(step, said(Role::Assistant, Part::Call { call }));
            context.push_step(step, said(Role::Tool, result));
            context.push_step(step, Message::text(Role::Assistant, SENTENCE));
        }
        Self(context, steps)
    }

    /// Shrinks the context in all ways that a run uses; returns the number of tokens that are
    /// left.
    pub fn shrink(&self) -> u32 {
        let mut context = self.0.clone();
        context.trim_history(1_000);
        let large = context.large_before(self.1 + 1).into_iter();
        let short = large.map(|large| {
            let short = compress_without_model(&large);
            (large, short)
        });
        let short: Vec<_> = short.collect();
        context.shorten(short);
        context.fold_steps_before(self.1.saturating_sub(2));
        let words = mechanical(&context.old(), 500, Language::English);
        context.compacted(&words).unwrap_or(context).tokens()
    }

    /// Returns the key points of a tool result of `bytes` bytes, as the reader module extracts
    /// them.
    ///
    /// # Errors
    /// Returns an error if they can't be found.
    pub fn key_points(bytes: usize) -> Result<String, String> {
        let task = Task::Condense {
            texts: serde_json::from_value(Value::Array(passages(bytes)))
                .map_err(|error| error.to_string())?,
            focus: "Which gauge stands highest?".to_owned(),
            then: Filling::TheRest,
            budget_tokens: 340,
        };
        perform_task(task, None, None).map_err(|error| error.to_string())
    }
}

fn passages(bytes: usize) -> Vec<Value> {
    let one = |place: usize| PassageData {
        id: format!("p{place}"),
        text: SENTENCE
            .repeat(4)
            .replace("Gauge 7", &format!("Gauge {place}")),
        why: None,
    };
    let count = bytes / (SENTENCE.len() * 4);
    (1..=count).map(|place| json!(one(place))).collect()
}
