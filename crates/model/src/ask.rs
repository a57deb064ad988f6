//! The effect of asking a model.

use super::{Micros, Model, ModelError, Price, Purpose, Purse, Reply, Request, Usage, Voice};
use futures::FutureExt;
use gloss_durable::{Call, Class, Effect, Fingerprint, Fut};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::rc::Rc;

/// Asks a model. Safe to repeat, but not free: a call that a kill abandoned is
/// charged too.
pub struct Ask {
    /// Whom.
    pub model: Rc<dyn Model>,
    /// What.
    pub request: Request,
    /// Where in the run.
    pub label: AskLabel,
    /// What pays for it.
    pub purse: Rc<Purse>,
    /// What it costs, if that is known.
    pub price: Option<Price>,
}

/// What the timeline shows of a call before its outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskLabel {
    /// Which part of the cycle asks.
    pub purpose: Purpose,
    /// The step, from 1.
    pub step: u8,
    /// The bound on steps as known then.
    pub max_steps: u8,
    /// Whether it also says why calls failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reflects: bool,
    /// The prompt's tokens, by estimate: the charge of a call that a kill abandoned.
    #[serde(default)]
    pub prompt_tokens: u32,
    /// What it is expected to write, in tokens.
    #[serde(default)]
    pub reply_tokens: u32,
    /// What both would cost, if the price is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Micros>,
    /// What the prompt alone would cost, if the price is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_cost: Option<Micros>,
}

impl AskLabel {
    /// Of a call that says so many tokens `around` its transcript, at this step of so many.
    pub fn of(
        request: &Request,
        around: u32,
        (step, max_steps): (u8, u8),
        price: Option<Price>,
    ) -> Self {
        let expected = request.expected(around);
        Self {
            purpose: request.purpose,
            reflects: false,
            step,
            max_steps,
            prompt_tokens: expected.input_tokens,
            reply_tokens: expected.output_tokens,
            cost: price.map(|price| price.of(expected)),
            prompt_cost: price.map(|price| price.of(prompt(expected.input_tokens))),
        }
    }
}

impl Effect for Ask {
    type Outcome = Result<Reply, ModelError>;

    const KIND: &'static str = "model";

    fn class(&self) -> Class {
        Class::Safe
    }

    fn fingerprint(&self) -> Fingerprint {
        let names = self.request.tools.offered().iter().map(|t| t.name.as_str());
        let names: Vec<&str> = names.collect();
        self.request.transcript.digest().then_value(&(
            self.request.purpose,
            names,
            self.request.temperature,
            &self.request.task,
        ))
    }

    fn label(&self) -> Value {
        serde_json::to_value(self.label).unwrap_or_default()
    }

    fn perform(self, call: Call) -> Fut<Self::Outcome> {
        if self.model.voice() == Voice::Page {
            return self.model.reply(self.request, call.sink);
        }
        async move {
            let reply = self.model.reply(self.request, call.sink);
            let sent = prompt(self.label.prompt_tokens);
            let paid = self.purse.pay_for(sent, self.price, reply, used);
            paid.await
        }
        .boxed_local()
    }
}

/// A prompt of so many tokens.
pub(super) fn prompt(tokens: u32) -> Usage {
    Usage {
        input_tokens: tokens,
        ..Usage::default()
    }
}

/// What a call used, answered or not.
pub fn used(reply: &Result<Reply, ModelError>) -> Usage {
    match reply {
        Ok(reply) => reply.usage,
        Err(error) => error.used(),
    }
}
