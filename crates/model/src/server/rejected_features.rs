//! The parts of a request that some servers reject.

use crate::{Api, Calling, Profile, Request, Schema, ToolDefinition};
use gloss_durable::sorted::SortedSet;
use serde_json::Value;

/// A part of a request that some servers reject. When a server rejects a part, the request is sent
/// again without that part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Feature {
    /// The parameter `temperature`. Reasoning models accept only their default.
    Temperature,
    /// The option that requests token counts at the end of a stream.
    UsageOption,
    /// The option that requests a streamed answer.
    Stream,
    /// The role `developer` for the system message.
    DeveloperRole,
    /// The definitions of native tools. Without them, the model writes calls as text.
    Tools,
    /// The JSON Schema of the answer. The prompt also describes the schema in words.
    Schema,
    /// The request for reasoning, and earlier reasoning that is sent back.
    Reasoning,
}

/// The parts of a request that a server accepts.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    refused: SortedSet<Feature>,
    /// The model's context window in tokens, if known.
    pub(super) window: Option<u32>,
}

/// Returns true for the name of an `OpenAI` model that reasons.
fn thinks(model: &str) -> bool {
    let behind = model.strip_prefix('o');
    let is_o = behind.is_some_and(|rest| rest.starts_with(|it: char| it.is_ascii_digit()));
    is_o || ["gpt-5", "gpt-6"].iter().any(|it| model.starts_with(it))
}

/// Returns true if a model may reason. Only older models of `OpenAI` are known not to reason.
fn may_think(model: &str) -> bool {
    let name = model.rsplit('/').next().unwrap_or(model);
    !["gpt-3", "gpt-4", "chatgpt"]
        .iter()
        .any(|it| name.starts_with(it))
}

impl Shape {
    /// Returns the parts of the first request to a profile's server. By default, only `OpenAI`'s
    /// own host gets the role `developer`.
    pub(super) fn of(profile: &Profile, is_openai: bool) -> Self {
        let mut refused = SortedSet::new();
        let developer = profile.developer_role.unwrap_or(is_openai);
        if !developer {
            refused.insert(Feature::DeveloperRole);
        }
        if profile.calling == Calling::Text {
            refused.insert(Feature::Tools);
        }
        // These models reject a temperature, so each call would be sent twice: with it and without
        // it.
        if is_openai && thinks(&profile.model) {
            refused.insert(Feature::Temperature);
        }
        // A model that does not reason rejects the request for reasoning, so each call would be
        // sent twice.
        if profile.api == Api::Responses && !may_think(&profile.model) {
            refused.insert(Feature::Reasoning);
        }
        Self {
            refused,
            window: profile.facts.and_then(|facts| facts.window),
        }
    }

    /// Returns all parts except streaming, for responses that are read as a whole.
    pub(super) fn whole() -> Self {
        Self {
            refused: SortedSet::from([Feature::Stream]),
            window: None,
        }
    }

    pub(super) fn has(&self, feature: Feature) -> bool {
        !self.refused.contains(&feature)
    }

    /// Leaves a part out of further requests. Returns false if the part was already left out.
    pub(super) fn leave_out(&mut self, feature: Feature) -> bool {
        self.refused.insert(feature)
    }

    /// The definitions of the tools in the provider's format (`written`). `None` if none are sent.
    pub(super) fn tools(
        &self,
        request: &Request,
        written: fn(&ToolDefinition) -> Value,
    ) -> Option<Value> {
        let tools = request.tools.offered();
        let sent = !tools.is_empty() && self.calling() == Calling::Native;
        sent.then(|| tools.iter().map(written).collect())
    }

    /// Returns the schema of the answer; `None` if the server does not accept one.
    pub(super) fn schema<'r>(&self, request: &'r Request) -> Option<&'r Schema> {
        request
            .schema
            .as_deref()
            .filter(|_| self.has(Feature::Schema))
    }

    /// Returns the format of the model's tool calls.
    pub(super) fn calling(&self) -> Calling {
        if self.has(Feature::Tools) {
            Calling::Native
        } else {
            Calling::Text
        }
    }
}

/// The temperature, rounded to three decimals; `None` if the server rejects it. Without rounding,
/// 0.7 would be sent as the nearest `f32`.
pub(super) fn temperature(request: &Request, shape: &Shape) -> Option<f64> {
    let rounded = || (f64::from(request.temperature) * 1_000.0).round() / 1_000.0;
    shape.has(Feature::Temperature).then(rounded)
}
