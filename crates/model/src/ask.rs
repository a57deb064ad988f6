//! A model call as an effect: an action on the outside world whose outcome is recorded.

use super::{
    AnswerOrigin, Micros, Model, ModelError, Price, Purpose, Reply, Request, Usage, UsageLedger,
};
use futures::FutureExt;
use gloss_durable::{Call, Class, Effect, Fingerprint, Fut};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::rc::Rc;

/// Asks a model. The call may be repeated if the worker was killed. The provider then charges
/// twice: for the interrupted call and for the repeated one.
pub struct Ask {
    /// The model that is asked.
    pub model: Rc<dyn Model>,
    /// The prompt and the parameters of the call.
    pub request: Request,
    /// The call's description in the timeline.
    pub label: AskLabel,
    /// The ledger to which the call's tokens and cost are charged.
    pub ledger: Rc<UsageLedger>,
    /// The model's price; `None` if unknown.
    pub price: Option<Price>,
}

/// The description of a model call in the timeline. It is recorded before the call is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskLabel {
    /// The part of the loop that makes the call.
    pub purpose: Purpose,
    /// The number of the step, from 1.
    pub step: u8,
    /// The maximum number of steps of the run when the call was made.
    pub max_steps: u8,
    /// True if the prompt also asks the model why tool calls failed.
    #[serde(default)]
    pub reflects: bool,
    /// The estimated tokens of the prompt. They count as used if the worker is killed during the
    /// call.
    #[serde(default)]
    pub prompt_tokens: u32,
    /// The expected tokens of the reply.
    #[serde(default)]
    pub reply_tokens: u32,
    /// The expected cost of prompt and reply in millionths of a dollar; `None` if the price is
    /// unknown.
    pub cost: Option<Micros>,
    /// The expected cost of the prompt alone in millionths of a dollar; `None` if the price is
    /// unknown.
    pub prompt_cost: Option<Micros>,
}

impl AskLabel {
    /// Makes the label of a request. `around` is the number of prompt tokens outside of the
    /// transcript: reply format, task and tool definitions.
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
    const CLASS: Class = Class::Safe;

    fn fingerprint(&self) -> Fingerprint {
        let names = self.request.tools.offered().iter().map(|t| t.name.as_str());
        let names: Vec<&str> = names.collect();
        self.request.transcript.digest().then_value(&(
            self.request.purpose,
            names,
            self.request.temperature,
            &self.request.task,
            &self.request.state,
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

/// Returns the usage of a call with a prompt of this many tokens and without a reply.
pub(super) fn prompt(tokens: u32) -> Usage {
    Usage {
        input_tokens: tokens,
        ..Usage::default()
    }
}

/// Returns the tokens that a call used. A failed call may have used tokens too.
pub fn usage_of(reply: &Result<Reply, ModelError>) -> Usage {
    match reply {
        Ok(reply) => reply.usage,
        Err(error) => error.used(),
    }
}
