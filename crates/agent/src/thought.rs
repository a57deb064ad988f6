//! A thought of the agent: the reason for the next action, and the tool calls or the answer.

use crate::config::{Goal, RunConfig};
use gloss_durable::sorted::SortedSet;
use gloss_host::Selection;
use gloss_model::phrase::{DisplayText, Phrase, phrase};
use gloss_model::{Finish, QuoteLabel, Reply, ToolCall};
use gloss_tools::{explain_text_with_context, summarize_page_content};
use serde_json::{Value, json};

/// The confidence that is assumed if a model states none (DETAILS §2).
const UNSAID_CONFIDENCE: f32 = 0.5;

/// The remark below the text of a reply that called a tool although no tools were offered.
const WITHHELD: &str = "remark_call_withheld";

/// One thought.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Thought {
    /// The reason for the next action; `None` if the model gave none.
    pub(crate) said: Option<DisplayText>,
    /// The tool calls to make.
    pub(crate) calls: Vec<ToolCall>,
    /// The proposed answer, if any.
    pub(crate) answer: Option<Draft>,
}

/// An answer that a model proposes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Draft {
    /// The answer's text, as Markdown.
    pub(crate) text: String,
    /// The model's confidence, 0 to 1.
    pub(crate) confidence: f32,
    /// The labels that Gloss puts between the answer's blocks.
    pub(crate) leads: Vec<QuoteLabel>,
    /// The remarks to show under the answer.
    pub(crate) remarks: Vec<Phrase>,
    /// The reason that the model stopped writing.
    pub(crate) finish: Finish,
    /// The intent of the model: an answer or a tool call.
    pub(crate) instead: DraftOrigin,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DraftOrigin {
    /// The model meant the reply as an answer.
    OfNothing,
    /// The text came with a tool call that was unreadable or not allowed. The confidence gate
    /// doesn't refuse such a text (SPEC §2).
    OfACall,
}

impl Thought {
    /// Reads the thought of a reply. If the reply contains no thought, the reason of one of the
    /// reply's calls becomes the thought, or else the reply's reasoning text.
    pub(crate) fn of(reply: Reply) -> Self {
        let answer = Draft::of(&reply);
        let own = reply.calls.iter().find_map(|call| call.reasoning.clone());
        let aloud = (!reply.reasoning.trim().is_empty()).then_some(reply.reasoning);
        Self {
            said: reply
                .control
                .thought
                .or(own)
                .or(aloud.map(|aloud| DisplayText::words(&aloud))),
            calls: reply.calls,
            answer,
        }
    }

    /// Returns true if the thought has calls but no reason.
    pub(crate) fn lacks_a_reason(&self) -> bool {
        self.said.is_none() && !self.calls.is_empty()
    }

    /// Reads the thought of a reply that should not contain calls. If the reply contains a call
    /// anyway, the reply's text becomes the thought and not an answer.
    pub(crate) fn planned(mut plan: Reply) -> Self {
        if plan.calls_tools() {
            let beside = std::mem::take(&mut plan.text);
            let why = Some(beside.trim()).filter(|why| !why.is_empty());
            let thought = plan.control.thought.take();
            plan.control.thought = thought.or_else(|| why.map(DisplayText::words));
            plan.malformed = None;
        }
        Self {
            calls: Vec::new(),
            ..Self::of(plan)
        }
    }

    /// Returns the first thought of a run that a button started; `None` for other goals. The
    /// thought is fixed, so no model is called. `selected` is the current selection on the page.
    pub(crate) fn of_button(goal: &Goal, selected: Option<&Selection>) -> Option<Self> {
        let (name, arguments, said) = match goal {
            Goal::Summarize => (
                summarize_page_content::NAME,
                json!({ "detail": "normal" }),
                phrase("thought_summarize"),
            ),
            Goal::Explain { selection } => (
                explain_text_with_context::NAME,
                arguments_of(selection, selected),
                phrase("thought_explain").with(selection),
            ),
            Goal::Ask { .. } | Goal::GoOn => return None,
        };
        let said = Some(DisplayText::Phrase(said));
        Some(Self {
            said: said.clone(),
            calls: vec![ToolCall {
                id: "1".to_owned(),
                name: name.to_owned(),
                arguments,
                reasoning: said,
                after: None,
            }],
            answer: None,
        })
    }
}

impl RunConfig {
    /// Returns the names of the tools that the run may not use. A run that a button started may
    /// always use the button's tool.
    pub(crate) fn tools_switched_off(&self) -> SortedSet<String> {
        let mut off = self.tools_off.clone();
        off.extend(self.barred.iter().cloned());
        let own = Thought::of_button(&self.goal, None);
        for call in own.into_iter().flat_map(|thought| thought.calls) {
            off.remove(&call.name);
        }
        off
    }
}

/// Returns the arguments of the call that explains a selection. If the text is still selected, the
/// arguments contain the block of the page around the text.
fn arguments_of(selection: &str, selected: Option<&Selection>) -> Value {
    match selected.filter(|now| now.text.trim() == selection.trim()) {
        Some(now) => json!({ "text": selection, "context": now.block }),
        None => json!({ "text": selection }),
    }
}

impl Draft {
    /// Reads the answer of a reply. Returns `None` if the reply has readable calls or is empty.
    pub(crate) fn of(reply: &Reply) -> Option<Self> {
        let ours = reply.control.remark.is_some() || !reply.control.leads.is_empty();
        let unread = reply.malformed.is_some();
        let says = !reply.text.trim().is_empty() || ours || unread;
        (says && reply.calls.is_empty()).then(|| Self {
            text: reply.text.clone(),
            confidence: reply.control.confidence.unwrap_or(UNSAID_CONFIDENCE),
            leads: reply.control.leads.clone(),
            remarks: reply
                .control
                .remark
                .clone()
                .into_iter()
                .chain(unread.then(|| phrase("remark_call_unread")))
                .chain(remark_on(reply.finish))
                .collect(),
            finish: reply.finish,
            instead: if unread {
                DraftOrigin::OfACall
            } else {
                DraftOrigin::OfNothing
            },
        })
    }
}

impl Draft {
    /// Reads the answer of a reply that should not contain calls. Calls are ignored. Returns `None`
    /// if nothing else is left.
    pub(crate) fn closing(reply: &Reply) -> Option<Self> {
        let said = Reply {
            calls: Vec::new(),
            malformed: None,
            ..reply.clone()
        };
        let mut draft = Self::of(&said)?;
        if reply.calls_tools() {
            draft.remarks.push(phrase(WITHHELD));
            draft.instead = DraftOrigin::OfACall;
        }
        Some(draft)
    }

    /// Returns an empty answer with a remark that the model gave no answer.
    pub(crate) fn empty(reply: &Reply) -> Self {
        let withheld = reply.calls_tools().then(|| phrase(WITHHELD));
        Self {
            text: String::new(),
            confidence: 0.0,
            leads: Vec::new(),
            remarks: std::iter::once(phrase("answer_empty"))
                .chain(withheld)
                .collect(),
            finish: Finish::Stop,
            instead: DraftOrigin::OfNothing,
        }
    }
}

/// Returns the remark on an answer that did not end normally.
fn remark_on(finish: Finish) -> Option<Phrase> {
    match finish {
        Finish::Stop | Finish::Declined => None,
        Finish::Length => Some(phrase("remark_cut_off")),
        Finish::Filtered => Some(phrase("remark_filtered")),
    }
}
