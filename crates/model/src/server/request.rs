//! The parts of a request that not every server takes.

use crate::{Api, Calling, Profile, Request, Schema, ToolDefinition};
use gloss_durable::sorted::SortedSet;
use serde_json::Value;

/// A part of a request that not every server takes. Each is left out once one says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Feature {
    /// `temperature`: reasoning models have one of their own.
    Temperature,
    /// The count of tokens at a stream's end, asked for.
    UsageOption,
    /// An answer in pieces.
    Stream,
    /// The role `developer` for the system's message.
    DeveloperRole,
    /// Tools: the text protocol does instead.
    Tools,
    /// A JSON Schema of the answer: the prompt says it too.
    Schema,
    /// Reasoning that is given back, or asked for.
    Reasoning,
}

/// What a server takes.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    refused: SortedSet<Feature>,
    /// The model's window in tokens, if it is known.
    pub(super) window: Option<u32>,
}

/// Whether `OpenAI`'s model of this name is known to reason.
fn thinks(model: &str) -> bool {
    let behind = model.strip_prefix('o');
    let is_o = behind.is_some_and(|rest| rest.starts_with(|it: char| it.is_ascii_digit()));
    is_o || ["gpt-5", "gpt-6"].iter().any(|it| model.starts_with(it))
}

/// Whether a model may reason: `OpenAI`'s older ones are known not to.
fn may_think(model: &str) -> bool {
    let name = model.rsplit('/').next().unwrap_or(model);
    !["gpt-3", "gpt-4", "chatgpt"]
        .iter()
        .any(|it| name.starts_with(it))
}

impl Shape {
    /// What is tried first: `OpenAI`'s own host names the system's role otherwise.
    pub(super) fn of(profile: &Profile, is_openai: bool) -> Self {
        let mut refused = SortedSet::new();
        let developer = profile.developer_role.unwrap_or(is_openai);
        if !developer {
            refused.insert(Feature::DeveloperRole);
        }
        if profile.calling == Calling::Text {
            refused.insert(Feature::Tools);
        }
        // Each call would be made twice: these have a temperature of their own.
        if is_openai && thinks(&profile.model) {
            refused.insert(Feature::Temperature);
        }
        // A model that does not think refuses to be asked for its thoughts: each call would
        // be made twice.
        if profile.api == Api::Responses && !may_think(&profile.model) {
            refused.insert(Feature::Reasoning);
        }
        Self {
            refused,
            window: profile.facts.and_then(|facts| facts.window),
        }
    }

    /// For a request whose answer comes in one piece.
    pub(super) fn whole() -> Self {
        Self {
            refused: SortedSet::from([Feature::Stream]),
            window: None,
        }
    }

    pub(super) fn has(&self, feature: Feature) -> bool {
        !self.refused.contains(&feature)
    }

    /// Leaves a feature out; false if it was left out already.
    pub(super) fn leave_out(&mut self, feature: Feature) -> bool {
        self.refused.insert(feature)
    }

    /// The tools that are called natively.
    pub(super) fn tools<'r>(&self, request: &'r Request) -> &'r [ToolDefinition] {
        match self.calling() {
            Calling::Native => request.tools.offered(),
            Calling::Text => &[],
        }
    }

    /// The form of the answer, where the server takes one.
    pub(super) fn schema<'r>(&self, request: &'r Request) -> Option<&'r Schema> {
        request
            .schema
            .as_deref()
            .filter(|_| self.has(Feature::Schema))
    }

    /// How tools are called.
    pub(super) fn calling(&self) -> Calling {
        if self.has(Feature::Tools) {
            Calling::Native
        } else {
            Calling::Text
        }
    }
}

/// 0.7 as 0.7, not as the nearest number of 32 bits written with 64.
pub(super) fn temperature(request: &Request) -> Value {
    ((f64::from(request.temperature) * 1_000.0).round() / 1_000.0).into()
}
