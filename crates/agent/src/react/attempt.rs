//! A call that is being made, and the changes that the user's answers make to it.

use crate::events::Verdict;
use gloss_durable::Ctx;
use gloss_model::ToolCall;
use gloss_tools::{
    ConsentState, MissingRight, ModelRole, RoleCall, RoleModels, ToolError, ToolOutcome, Toolbox,
};
use serde_json::Value;

/// A call that is being made.
pub(crate) struct Attempt {
    pub(crate) place: usize,
    pub(crate) call: ToolCall,
    pub(crate) ctx: Ctx,
    pub(crate) terms: Terms,
    /// The model calls that the tool has made so far.
    pub(crate) role_calls: Vec<RoleCall>,
    /// The time that the call has run so far, without waits between tries.
    pub(crate) worked_ms: u64,
    /// The permissions that the user was asked for.
    pub(crate) asked: Vec<MissingRight>,
    /// The tool's state at the point where it lacked a permission.
    pub(crate) so_far: Option<Value>,
    /// The number of tries under the current permissions, from 1.
    pub(crate) tries: u32,
    /// The number of tries in all, across the user's answers, from 1.
    pub(crate) made: u32,
}

/// The permissions and the helper models with which a call is made.
pub(crate) struct Terms {
    pub(crate) rights: ConsentState,
    pub(crate) aid: RoleModels,
    /// The error with which the call ends unmade, if it lacks the user's approval.
    pub(crate) refused: Option<ToolError>,
}

impl Attempt {
    /// Adds the outcome of a try that another try follows.
    pub(crate) fn keep(&mut self, tried: ToolOutcome) {
        self.role_calls.extend(tried.role_calls);
        self.worked_ms = self.worked_ms.saturating_add(tried.duration_ms);
    }

    /// Returns the permission that the call lacks, unless the user was asked for it before.
    /// Otherwise a permission that Chrome granted but does not report would be asked for forever.
    pub(crate) fn lacks(&self, outcome: &ToolOutcome) -> Option<MissingRight> {
        match &outcome.result {
            Err(ToolError::NotPermitted { right }) if !self.asked.contains(right) => {
                Some(right.clone())
            }
            Ok(_) | Err(_) => None,
        }
    }

    /// Applies the user's answer and returns true if the call is made again. The tool works without
    /// a refused permission, or reports that it was refused.
    pub(crate) fn take(
        &mut self,
        right: MissingRight,
        verdict: Verdict,
        toolbox: &Toolbox,
    ) -> bool {
        match (&right, verdict) {
            // Each page is read or refused by itself; a search reports that it could not be made.
            (MissingRight::Pages { .. }, Verdict::Granted | Verdict::Refused)
            | (MissingRight::Search { .. }, Verdict::Refused)
            | (MissingRight::Memory(_), Verdict::Granted) => {
                self.terms.rights = ConsentState::Answered;
            }
            // The pages that the search then finds need a question of their own.
            (MissingRight::Search { .. } | MissingRight::Screenshot | MissingRight::Provider { .. }, Verdict::Granted) => {}
            // The device can replace another server's help, except for an image.
            (MissingRight::Provider { .. }, Verdict::Refused) => match toolbox.properties(&self.call).model_role {
                Some(ModelRole::Image) => return false,
                Some(part @ (ModelRole::Vision | ModelRole::Light)) => {
                    self.terms.aid = self.terms.aid.without(part);
                }
                None => {}
            },
            (MissingRight::Image { .. }, Verdict::Granted) => {
                self.terms.refused = None;
            }
            (MissingRight::Screenshot | MissingRight::Image { .. } | MissingRight::Memory(_), Verdict::Refused)
            // The run itself asks for these.
            | (MissingRight::Site { .. } | MissingRight::Outcome { .. }, _) => return false,
        }
        self.asked.push(right);
        self.made += 1;
        true
    }
}
