//! A scripted model, and tools with configured durations.

use futures::FutureExt;
use gloss_durable::{Class, Fut, Sink};
use gloss_host_sim::Sim;
use gloss_model::phrase::{DisplayText, phrase};
use gloss_model::{
    AnswerOrigin, Control, Model, ModelError, Purpose, Reply, Request, ToolCall, ToolDefinition,
    Usage,
};
use gloss_tools::{
    Destination, Output, Requirement, ToolContext, ToolDyn, ToolError, ToolProperties,
};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The provenance of an earlier turn about a page.
pub(crate) fn of_a_page() -> gloss_model::provenance::Provenance {
    let page = "https://coastlines.example/tides".to_owned();
    gloss_model::provenance::Provenance::of(gloss_model::provenance::Origin::Page(page))
}

/// The replies of a scripted model, as a function of the request.
pub(super) type Answers = Rc<dyn Fn(&Request) -> Result<Reply, ModelError>>;

/// A model with scripted replies that takes some time and streams its text.
pub(super) struct Scripted {
    pub(super) sim: Sim,
    pub(super) answers: Answers,
    pub(super) asked: RefCell<Vec<Request>>,
}

/// The time that a model takes for each purpose, in milliseconds.
pub(super) type Pace = Rc<dyn Fn(Purpose) -> u64>;

/// A scripted model that takes a configured time.
pub(super) struct PacedModel(pub(super) Rc<Scripted>, pub(super) Pace);

impl Model for PacedModel {
    fn reply(&self, request: Request, sink: Sink) -> Fut<Result<Reply, ModelError>> {
        let (ms, clock) = (self.1(request.purpose), self.0.sim.host().clock);
        let reply = self.0.reply(request, sink);
        async move {
            clock.sleep(ms).await;
            reply.await
        }
        .boxed_local()
    }

    fn voice(&self) -> AnswerOrigin {
        self.0.voice()
    }
}

impl Scripted {
    /// Returns the purpose of every request, in order; the `bool` is true if the request offered
    /// tools.
    pub(super) fn calls(&self) -> Vec<(Purpose, bool)> {
        let asked = self.asked.borrow();
        asked
            .iter()
            .map(|request| (request.purpose, !request.tools.offered().is_empty()))
            .collect()
    }
}

impl Model for Scripted {
    fn reply(&self, request: Request, sink: Sink) -> Fut<Result<Reply, ModelError>> {
        let reply = (self.answers)(&request);
        self.asked.borrow_mut().push(request);
        let sim = self.sim.clone();
        async move {
            sim.send(|| ()).await;
            let text = reply.as_ref().map_or("", |reply| reply.text.as_str());
            for word in text.split_inclusive(' ') {
                sink.text(word);
                sim.send(|| ()).await;
            }
            reply
        }
        .boxed_local()
    }

    fn voice(&self) -> AnswerOrigin {
        AnswerOrigin::Model
    }
}

/// Replies for each purpose from a queue of its own. An empty queue returns an empty reply, except
/// for the closing answer, which always has text.
pub(super) fn queue(replies: Vec<(Purpose, Reply)>) -> Answers {
    let left = RefCell::new(replies);
    Rc::new(move |request| {
        let mut left = left.borrow_mut();
        let next = left.iter().position(|(p, _)| *p == request.purpose);
        Ok(match (next, request.purpose) {
            (Some(place), _) => left.remove(place).1,
            (None, Purpose::Synthesise) => says("The closing answer."),
            (None, _) => Reply::default(),
        })
    })
}

pub(super) fn says(text: &str) -> Reply {
    Reply {
        text: text.to_owned(),
        ..Reply::default()
    }
}

pub(super) fn words(text: &str) -> DisplayText {
    DisplayText::Words(text.to_owned())
}

pub(super) fn call(id: &str, name: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: id.to_owned(),
        name: name.to_owned(),
        arguments,
        reasoning: None,
        after: None,
    }
}

pub(super) fn find(id: &str) -> ToolCall {
    call(id, "find_in_page", json!({ "query": "tide" }))
}

pub(super) fn calls<const N: usize>(calls: [ToolCall; N]) -> Reply {
    Reply {
        calls: calls.into(),
        control: Control {
            thought: Some(words("Because.")),
            observation: Some(words("Not yet.")),
            goal_met: Some(false),
            ..Control::default()
        },
        ..Reply::default()
    }
}

/// Builders for replies.
pub(super) trait ReplyWith {
    fn sure(self, confidence: f32) -> Self;
    fn costs(self, input_tokens: u32, output_tokens: u32) -> Self;
}

impl ReplyWith for Reply {
    fn sure(mut self, confidence: f32) -> Self {
        self.control.confidence = Some(confidence);
        self
    }

    fn costs(mut self, input_tokens: u32, output_tokens: u32) -> Self {
        self.usage = Usage {
            input_tokens,
            output_tokens,
            ..Usage::default()
        };
        self
    }
}

/// The actions of the tools in this file, in order.
pub(super) type Log = Rc<RefCell<Vec<String>>>;

/// A tool that sleeps: for `{"ms": 5}`, or with one number for each try.
pub(super) struct SleepingTool {
    pub(super) name: &'static str,
    pub(super) class: Class,
    pub(super) sim: Sim,
    pub(super) log: Log,
    pub(super) tries: RefCell<BTreeMap<String, usize>>,
}

impl ToolDyn for SleepingTool {
    fn destination(&self) -> Destination {
        Destination::Device
    }

    fn properties(&self) -> ToolProperties {
        ToolProperties {
            needs: Some(Requirement::Page),
            ..ToolProperties::new(self.name, self.class)
        }
    }

    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: self.name.to_owned(),
            description: String::new(),
            parameters: json!({ "type": "object" }),
            examples: Vec::new(),
        }
    }

    fn run(&self, arguments: &Value, context: ToolContext) -> Fut<Result<Output, ToolError>> {
        let call = context.call;
        let this_try = {
            let mut tries = self.tries.borrow_mut();
            let tries = tries.entry(call.clone()).or_default();
            *tries += 1;
            *tries - 1
        };
        let ms = match &arguments["ms"] {
            // After many kills, there may be more tries than numbers.
            Value::Array(each) => each[this_try.min(each.len() - 1)].as_u64().unwrap(),
            one => one.as_u64().unwrap(),
        };
        let (clock, log) = (self.sim.host().clock, self.log.clone());
        async move {
            log.borrow_mut().push(format!("+{call}"));
            clock.sleep(ms).await;
            log.borrow_mut().push(format!("-{call}"));
            Ok(Output {
                data: json!({ "slept": ms }),
                summary: phrase("summary_nothing_found"),
                share_percent: None,
                picture: None,
                provenance: gloss_model::provenance::Provenance::of(
                    gloss_model::provenance::Origin::Tool("toy".into()),
                ),
            })
        }
        .boxed_local()
    }
}

/// Returns passages with about this many tokens in total, all of them different.
pub(super) fn told_at_length(tokens: u64) -> Value {
    let passage = |n: u64| {
        let text = format!(
            "Gauge {n} stands at mile {} and was read {} times.",
            n * 3,
            n * 7
        );
        json!({ "id": format!("p{n}"), "text": text })
    };
    json!({ "passages": (1..=tokens / 22).map(passage).collect::<Vec<_>>() })
}

/// A tool that fails with the given kind of error, as in `{"how": "network"}`. Otherwise it returns
/// a result of about the given length, as in `{"tokens": 100000}`.
pub(super) struct FailingTool {
    pub(super) log: Log,
}

impl ToolDyn for FailingTool {
    fn destination(&self) -> Destination {
        Destination::Device
    }

    fn properties(&self) -> ToolProperties {
        ToolProperties::new("wobble", Class::Safe)
    }

    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: "wobble".to_owned(),
            description: String::new(),
            parameters: json!({ "type": "object" }),
            examples: Vec::new(),
        }
    }

    fn run(&self, arguments: &Value, context: ToolContext) -> Fut<Result<Output, ToolError>> {
        self.log.borrow_mut().push(context.call);
        let again = if arguments["passes"] == true {
            "may_help"
        } else {
            "in_vain"
        };
        let result = match arguments["how"].as_str() {
            Some(kind) => {
                let error = json!({ "message": "as it was told", "again": again, "kind": kind });
                Err(serde_json::from_value(json!({ "failed": error })).expect("an error"))
            }
            None => Ok(Output {
                data: match arguments["tokens"].as_u64() {
                    Some(tokens) => told_at_length(tokens),
                    None => json!({ "did": "well" }),
                },
                summary: phrase("summary_nothing_found"),
                share_percent: None,
                picture: None,
                provenance: gloss_model::provenance::Provenance::of(
                    gloss_model::provenance::Origin::Tool("toy".into()),
                ),
            }),
        };
        async move { result }.boxed_local()
    }
}

/// Returns the instruction of a call, and the data to which it refers.
pub(super) fn task_and_state(request: &Request) -> String {
    format!("{}\n{}", request.task, request.state)
}
