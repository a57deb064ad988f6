//! The consent that a call needs from the user.

use super::{MissingRight, Switches};
use futures::FutureExt;
use gloss_durable::{Call, Class, Effect, Fingerprint, Fut};
use gloss_markdown::line;
use gloss_model::phrase::DisplayText;
use gloss_model::{Micros, ToolCall};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// The consent that a call needs from the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Consent {
    /// The call may run without asking.
    Unasked,
    /// Untrusted text could have caused the call. The tool defines no request that the user could
    /// be shown, so the call is refused.
    Refused,
    /// Untrusted text could have caused the call. The user is asked for this right.
    Shown(MissingRight),
}

/// The answer that a call has to the policy's question.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Approval {
    /// The policy did not ask.
    #[default]
    NotAsked,
    /// The user saw exactly what is sent, and approved it. It counts as the user's own text.
    Seen,
    /// The user always allows such calls and did not see this one.
    Always,
}

/// A request to send something, as the user sees it before the decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SendRequest {
    /// The tool's name.
    pub tool: String,
    /// The kind of request.
    pub kind: SendKind,
    /// The recipient: the name of the search provider, the hosts of the addresses, or the image
    /// model.
    pub to: String,
    /// The reason that the model gave for the call; empty if it gave none.
    pub reason: String,
    /// The parts of what is sent, in order.
    pub parts: Vec<SentPart>,
    /// The standing approval that the user can give; `None` if there is none for this call.
    pub always: Option<StandingApproval>,
}

/// The kind of a request to send something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SendKind {
    /// A query for a search provider.
    Search,
    /// GET requests.
    Fetch,
    /// The description of an image to make.
    Image {
        /// The expected cost, in millionths of a dollar; `None` if the price is not known.
        cost: Option<Micros>,
    },
}

/// A part of what is sent. The user can edit its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentPart {
    /// The text before the part that is sent too and can't be edited, such as `?port=`.
    pub before: String,
    /// The text.
    pub text: String,
    /// The author of the text, as far as Gloss can tell by comparing words.
    pub by: Author,
}

/// The author of a part of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Author {
    /// The text is in the user's own messages.
    User,
    /// The text is on the page.
    Page,
    /// The model wrote the text.
    Model,
}

/// An approval for all later calls of the same kind. The user can revoke it in Options.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StandingApproval {
    /// All searches with this provider.
    Searches {
        /// The provider's name.
        provider: String,
    },
    /// All fetches of pages of this host.
    Fetches {
        /// The host.
        host: String,
    },
}

/// Returns the reason that the model gave for a call; empty if it gave none.
pub(super) fn reason_of(call: &ToolCall) -> String {
    match &call.reasoning {
        Some(DisplayText::Words(words)) => line(words),
        Some(DisplayText::Phrase(_)) | None => String::new(),
    }
}

impl SendRequest {
    /// Returns the whole text that is sent, with these texts as its parts.
    pub fn sent<'a>(&'a self, texts: impl IntoIterator<Item = &'a str>) -> String {
        let parts = self.parts.iter().zip(texts);
        parts
            .flat_map(|(part, text)| [part.before.as_str(), text])
            .collect()
    }

    /// Returns the whole text that is sent if the user edits nothing.
    pub fn unedited(&self) -> String {
        self.sent(self.parts.iter().map(|part| part.text.as_str()))
    }
}

/// The effect that looks up a standing approval. It is recorded, so a replay gives the same result
/// after the user has revoked the approval.
pub struct FindStandingApproval {
    /// The approvals of the user.
    pub switches: Rc<Switches>,
    /// The approval to look up.
    pub wanted: StandingApproval,
}

impl Effect for FindStandingApproval {
    type Outcome = bool;

    const KIND: &'static str = "standing_approval";
    const CLASS: Class = Class::Safe;

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_value(&self.wanted)
    }

    fn perform(self, _: Call) -> Fut<bool> {
        async move { self.switches.always_allows(&self.wanted) }.boxed_local()
    }
}
