//! A tool call in progress, and the changes to the call after a decision of the user.

use crate::events::Verdict;
use gloss_durable::Ctx;
use gloss_model::ToolCall;
use gloss_tools::{
    Approval, ConsentState, MissingRight, ModelRole, RoleCall, RoleModels, ToolError, ToolOutcome,
    Toolbox,
};
use serde_json::Value;

/// A tool call in progress.
pub(crate) struct Attempt {
    pub(crate) place: usize,
    pub(crate) call: ToolCall,
    pub(crate) ctx: Ctx,
    pub(crate) terms: Terms,
    /// The model calls that the tool has made so far.
    pub(crate) role_calls: Vec<RoleCall>,
    /// The time that the call has run so far, without waits between tries, in milliseconds.
    pub(crate) worked_ms: u64,
    /// The permissions that the user was asked for during this call.
    pub(crate) asked: Vec<MissingRight>,
    /// The state that the tool saved when a permission was missing. The next try continues from
    /// this state.
    pub(crate) so_far: Option<Value>,
    /// The number of tries, from 1. A try that is repeated after a decision of the user is not
    /// counted.
    pub(crate) tries: u32,
    /// The number of all tries, from 1, including those before a decision of the user.
    pub(crate) made: u32,
}

/// The permissions and the helper models with which a call is made.
pub(crate) struct Terms {
    pub(crate) rights: ConsentState,
    pub(crate) approval: Approval,
    pub(crate) aid: RoleModels,
    /// The error of a call that is not made because the user has not approved it.
    pub(crate) refused: Option<ToolError>,
}

impl Attempt {
    /// Adds the model calls and the duration of a try that is followed by another try.
    pub(crate) fn keep(&mut self, tried: ToolOutcome) {
        self.role_calls.extend(tried.role_calls);
        self.worked_ms = self.worked_ms.saturating_add(tried.duration_ms);
    }

    /// Returns the permission that the call lacks; `None` if it lacks none, or if the user was
    /// asked for it already. Without this check, the run would ask forever if Chrome didn't report
    /// a granted permission.
    pub(crate) fn lacks(&self, outcome: &ToolOutcome) -> Option<MissingRight> {
        match &outcome.result {
            Err(ToolError::NotPermitted { right }) if !self.asked.contains(right) => {
                Some(right.clone())
            }
            Ok(_) | Err(_) => None,
        }
    }

    /// Applies the user's decision. Returns the error of a call that is not made again. Otherwise
    /// the call is made again: a tool that was refused a permission works without the permission, or
    /// reports the refusal.
    pub(crate) fn take(
        &mut self,
        right: MissingRight,
        verdict: &Verdict,
        toolbox: &Toolbox,
    ) -> Result<(), ToolError> {
        let refused = |right: MissingRight| Err(ToolError::NotPermitted { right });
        match (&right, verdict.allows()) {
            // Exactly the text that the user saw or edited is sent.
            (MissingRight::Send(request), true) => {
                let sent = match verdict {
                    Verdict::Approved { parts, .. } => request.sent(parts.iter().map(String::as_str)),
                    Verdict::Granted | Verdict::Refused | Verdict::Rejected { .. } => {
                        request.unedited()
                    }
                };
                self.call = toolbox.approved(&self.call, &sent);
                self.terms.approval = Approval::Seen;
                self.terms.refused = None;
            }
            (MissingRight::Send(_), false) => {
                let reason = match verdict {
                    Verdict::Rejected { reason, .. } => reason.clone(),
                    Verdict::Granted | Verdict::Refused | Verdict::Approved { .. } => {
                        String::new()
                    }
                };
                return Err(ToolError::Rejected { reason });
            }
            // The tool itself applies the decision: for example, it reads or skips each page, or
            // reports that it did not search.
            (MissingRight::Pages { .. }, _)
            | (MissingRight::Search { .. }, false)
            | (MissingRight::Memory(_), true) => {
                self.terms.rights = ConsentState::Answered;
            }
            // Reading the pages that a permitted search finds needs another permission.
            (
                MissingRight::Search { .. }
                | MissingRight::Screenshot
                | MissingRight::Provider { .. },
                true,
            ) => {}
            // If the server of the tool's model may not be used, the tool works without this model.
            // A tool that makes an image can't.
            (MissingRight::Provider { .. }, false) => {
                match toolbox.properties(&self.call).model_role {
                    Some(ModelRole::Image) => return refused(right),
                    Some(part @ (ModelRole::Vision | ModelRole::Light)) => {
                        self.terms.aid = self.terms.aid.without(part);
                    }
                    None => {}
                }
            }
            (MissingRight::Screenshot | MissingRight::Memory(_), false)
            // No tool asks for `Site` or `Outcome`; the run itself asks for them.
            | (MissingRight::Site { .. } | MissingRight::Outcome { .. }, _) => {
                return refused(right);
            }
        }
        self.asked.push(right);
        self.made += 1;
        Ok(())
    }
}
