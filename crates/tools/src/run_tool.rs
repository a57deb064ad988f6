//! Running a tool call as an effect: an action whose outcome is recorded.

use super::{Approval, ConsentState, Execution, RoleModels, ToolError, ToolOutcome, Toolbox};
use futures::FutureExt;
use gloss_durable::{
    Call, Class, Clock, CompositeStep, Ctx, Effect, Fingerprint, Fut, Halt, Key, within,
};
use gloss_markdown::clean;
use gloss_model::ToolCall;
use gloss_web::rag::SENT;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::rc::Rc;

/// Runs one tool call, and limits its active time.
pub struct RunTool {
    /// The tools and the context of their calls.
    pub toolbox: Rc<Toolbox>,
    /// The tool call to run.
    pub call: ToolCall,
    /// The idempotency key of the call. A retry has the same key, because the first attempt may
    /// have taken effect although no result arrived.
    pub key: Key,
    /// The error that is returned instead of running the call, if the call lacks the user's
    /// consent.
    pub refused: Option<ToolError>,
    /// The state of the request for the user's consent.
    pub rights: ConsentState,
    /// The answer that the call has to the policy's question.
    pub approval: Approval,
    /// The progress that the call had made before it waited for the user's consent; `None` if the
    /// call did not wait.
    pub so_far: Option<Value>,
    /// The models that the tool may call.
    pub aid: RoleModels,
    /// The step of the run, from 1.
    pub step: u8,
    /// The clock that measures the active time.
    pub clock: Rc<dyn Clock>,
}

/// The description of a call in the timeline. It is recorded before the call has an outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolLabel {
    /// The step, from 1.
    pub step: u8,
    /// The call's id.
    pub call: String,
    /// The tool's name.
    pub tool: String,
    /// The call's arguments, as JSON.
    #[serde(default)]
    pub arguments: String,
}

impl ToolLabel {
    /// Makes the label of a call in this step.
    pub fn of(step: u8, call: &ToolCall) -> Self {
        Self {
            step,
            call: call.id.clone(),
            tool: clean(&call.name),
            arguments: clean(&call.arguments.to_string()),
        }
    }

    /// Restores the call from the label. The label contains neither the model's reasoning for the
    /// call nor the other call on which it depends, so both fields are `None`.
    pub fn call(&self) -> ToolCall {
        ToolCall {
            id: self.call.clone(),
            name: self.tool.clone(),
            arguments: serde_json::from_str(&self.arguments).unwrap_or_default(),
            reasoning: None,
            after: None,
        }
    }
}

impl Effect for RunTool {
    type Outcome = ToolOutcome;

    const KIND: &'static str = "tool";
    const CLASS: Class = Class::External;

    /// Returns the class of the tool. A refused call has no effect, so its class is `Safe`.
    fn class(&self) -> Class {
        match self.refused {
            Some(_) => Class::Safe,
            None => self.toolbox.properties(&self.call).class,
        }
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_value(&(&self.call.name, &self.call.arguments))
    }

    fn label(&self) -> Value {
        let label = ToolLabel::of(self.step, &self.call);
        let mut label = serde_json::to_value(label).unwrap_or_default();
        // The estimated usage, which is charged if no end of the call is ever recorded.
        let sent = self.toolbox.estimated_usage(&self.call, &self.aid);
        if let (Value::Object(label), None, Some(sent)) = (&mut label, &self.refused, sent) {
            let sent = serde_json::to_value(sent).unwrap_or_default();
            label.insert(SENT.to_owned(), sent);
        }
        label
    }

    fn perform(self, _call: Call) -> Fut<Self::Outcome> {
        async move {
            let began_ms = self.clock.now_ms();
            let timeout_ms = self.toolbox.properties(&self.call).timeout_ms;
            let aid = self.aid.for_one_call();
            let work = async {
                if let Some(refused) = self.refused {
                    return Err(refused);
                }
                let aid = aid.clone();
                let consent = (self.rights, self.approval);
                self.toolbox.run(&self.call, &self.key, consent, aid).await
            };
            let result = within(&*self.clock, timeout_ms, work.boxed_local()).await;
            let result = result.unwrap_or(Err(ToolError::TimedOut {
                seconds: timeout_ms / 1000,
            }));
            ToolOutcome {
                result,
                duration_ms: self.clock.now_ms().saturating_sub(began_ms),
                role_calls: aid.calls_so_far(),
                so_far: None,
            }
        }
        .boxed_local()
    }
}

impl RunTool {
    /// Returns the way in which the call runs; [`Execution::AtOnce`] if the call was refused.
    pub fn execution(&self) -> Execution {
        match self.refused {
            Some(_) => Execution::AtOnce,
            None => self.toolbox.properties(&self.call).execution,
        }
    }
}

/// The call as a sequence of steps, for tools of [`Execution::InSteps`]. The journal labels the
/// sequence like the single effect of other tools, so readers of the journal need no special case.
impl CompositeStep for RunTool {
    type Outcome = ToolOutcome;

    const KIND: &'static str = <Self as Effect>::KIND;

    fn fingerprint(&self) -> Fingerprint {
        Effect::fingerprint(self)
    }

    fn label(&self) -> Value {
        Effect::label(self)
    }

    fn perform(self, ctx: Ctx) -> Fut<Result<ToolOutcome, Halt>> {
        async move {
            let aid = self.aid.for_one_call();
            let consent = (self.rights, self.approval);
            let mut context = self.toolbox.context(&self.call, &self.key, consent, aid);
            context.so_far = self.so_far;
            self.toolbox.run_in_steps(&self.call, context, ctx).await
        }
        .boxed_local()
    }
}
