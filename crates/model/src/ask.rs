//! The effect of asking a model.

use super::{
    AnswerOrigin, Micros, Model, ModelError, Price, Purpose, Reply, Request, Usage, UsageLedger,
};
use futures::FutureExt;
use gloss_durable::{Call, Class, Effect, Fingerprint, Fut};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::rc::Rc;

/// Asks a model. Safe to repeat, but not free: a call abandoned by a killed worker is charged too.
pub struct Ask {
    /// The model that is asked.
    pub model: Rc<dyn Model>,
    /// The prompt and its parameters.
    pub request: Request,
    /// The call's description in the timeline.
    pub label: AskLabel,
    /// The ledger that is charged.
    pub ledger: Rc<UsageLedger>,
    /// The model's price, if known.
    pub price: Option<Price>,
}

/// The timeline's description of a call before its outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskLabel {
    /// The part of the loop that makes the call.
    pub purpose: Purpose,
    /// The step, from 1.
    pub step: u8,
    /// The limit on steps when the call was made.
    pub max_steps: u8,
    /// True if the call also explains why tool calls failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reflects: bool,
    /// The prompt's estimated tokens; charged if a killed worker abandons the call.
    #[serde(default)]
    pub prompt_tokens: u32,
    /// The reply's expected tokens.
    #[serde(default)]
    pub reply_tokens: u32,
    /// The expected cost of prompt and reply in millionths of a dollar, if the price is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Micros>,
    /// The expected cost of the prompt alone, if the price is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_cost: Option<Micros>,
}

impl AskLabel {
    /// The label of a request; `around` is the number of prompt tokens outside of its transcript.
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
        if self.model.voice() == AnswerOrigin::Page {
            return self.model.reply(self.request, call.sink);
        }
        async move {
            let reply = self.model.reply(self.request, call.sink);
            let sent = prompt(self.label.prompt_tokens);
            let paid = self.ledger.pay_for(sent, self.price, reply, usage_of);
            paid.await
        }
        .boxed_local()
    }
}

/// The usage of a prompt with this many tokens.
pub(super) fn prompt(tokens: u32) -> Usage {
    Usage {
        input_tokens: tokens,
        ..Usage::default()
    }
}

/// The tokens that a call used, whether it succeeded or failed.
pub fn usage_of(reply: &Result<Reply, ModelError>) -> Usage {
    match reply {
        Ok(reply) => reply.usage,
        Err(error) => error.used(),
    }
}
