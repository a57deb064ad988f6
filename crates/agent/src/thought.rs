//! Why the agent acts, and what it wants done.

use crate::config::{Goal, RunConfig};
use gloss_durable::sorted::SortedSet;
use gloss_host::Selection;
use gloss_model::phrase::{Phrase, Said, phrase};
use gloss_model::{Finish, Lead, Reply, ToolCall};
use gloss_tools::{explain_text_with_context, summarize_page_content};
use serde_json::{Value, json};

/// What a model's confidence counts as when it says none (DETAILS §2).
const UNSAID_CONFIDENCE: f32 = 0.5;

/// What is said of a reply that called a tool where it could use none.
const WITHHELD: &str = "remark_call_withheld";

/// One thought.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Thought {
    /// Why; `None` if the model gave no reason.
    pub(crate) said: Option<Said>,
    /// What is to be done.
    pub(crate) calls: Vec<ToolCall>,
    /// The answer, if it answers.
    pub(crate) answer: Option<Draft>,
}

/// An answer that a model proposes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Draft {
    /// Markdown.
    pub(crate) text: String,
    /// 0 to 1.
    pub(crate) confidence: f32,
    /// Our words between its blocks.
    pub(crate) leads: Vec<Lead>,
    /// What is to be said under it.
    pub(crate) remarks: Vec<Phrase>,
    /// Whether the model had said all.
    pub(crate) finish: Finish,
    /// What it is an answer for.
    pub(crate) instead: Instead,
}

/// Whether an answer was meant as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Instead {
    /// It was.
    OfNothing,
    /// It is what was said beside a call that stayed unreadable, or may not be made: no gate
    /// asks for it once more (SPEC §2).
    OfACall,
}

impl Thought {
    /// What a reply thinks. A call's own reasoning serves where the reply gives none.
    pub(crate) fn of(reply: Reply) -> Self {
        let answer = Draft::of(&reply);
        let own = reply.calls.iter().find_map(|call| call.reasoning.clone());
        let aloud = (!reply.reasoning.trim().is_empty()).then_some(reply.reasoning);
        Self {
            said: reply
                .control
                .thought
                .or(own)
                .or(aloud.map(|aloud| Said::words(&aloud))),
            calls: reply.calls,
            answer,
        }
    }

    /// Whether it calls without saying why.
    pub(crate) fn lacks_a_reason(&self) -> bool {
        self.said.is_none() && !self.calls.is_empty()
    }

    /// What a reply plans that may call nothing: a call that it wrote all the same is no answer,
    /// and what it says beside it is why.
    pub(crate) fn planned(mut plan: Reply) -> Self {
        if plan.means_to_call() {
            let beside = std::mem::take(&mut plan.text);
            let why = Some(beside.trim()).filter(|why| !why.is_empty());
            let thought = plan.control.thought.take();
            plan.control.thought = thought.or_else(|| why.map(Said::words));
            plan.malformed = None;
        }
        Self {
            calls: Vec::new(),
            ..Self::of(plan)
        }
    }

    /// What a button's run thinks first: it needs no model to know (DESIGN).
    /// `selected` is what the page says of the selection.
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
        let said = Some(Said::Phrase(said));
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
    /// The tools that the run has not: a button's own is asked for by the button.
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

/// The selected words with the block they stand in, if it is still selected.
fn arguments_of(selection: &str, selected: Option<&Selection>) -> Value {
    match selected.filter(|now| now.text.trim() == selection.trim()) {
        Some(now) => json!({ "text": selection, "context": now.block }),
        None => json!({ "text": selection }),
    }
}

impl Draft {
    /// The answer that a reply gives: words, its own or ours, without calls.
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
                Instead::OfACall
            } else {
                Instead::OfNothing
            },
        })
    }
}

impl Draft {
    /// The answer of a reply that may call nothing: what it says beside calls, if anything.
    pub(crate) fn closing(reply: &Reply) -> Option<Self> {
        let said = Reply {
            calls: Vec::new(),
            malformed: None,
            ..reply.clone()
        };
        let mut draft = Self::of(&said)?;
        if reply.means_to_call() {
            draft.remarks.push(phrase(WITHHELD));
            draft.instead = Instead::OfACall;
        }
        Some(draft)
    }

    /// There is none.
    pub(crate) fn empty(reply: &Reply) -> Self {
        let withheld = reply.means_to_call().then(|| phrase(WITHHELD));
        Self {
            text: String::new(),
            confidence: 0.0,
            leads: Vec::new(),
            remarks: std::iter::once(phrase("answer_empty"))
                .chain(withheld)
                .collect(),
            finish: Finish::Stop,
            instead: Instead::OfNothing,
        }
    }
}

/// What is to be said of an answer that did not end by itself.
fn remark_on(finish: Finish) -> Option<Phrase> {
    match finish {
        Finish::Stop | Finish::Declined => None,
        Finish::Length => Some(phrase("remark_cut_off")),
        Finish::Filtered => Some(phrase("remark_filtered")),
    }
}
