//! What the agent has before it: the page, what was said, what it has spent.

use super::thought::{Draft, Thought};
use super::{Bound, Brief, End, Event, Failure, Goal, Hands, PageRead, Said};
use crate::durable::{Ctx, Halt};
use crate::host::{Capture, Selection};
use crate::model::{
    Ask, AskLabel, Complexity, Control, Message, Purpose, Reply, Request, Role, Transcript, Usage,
};
use crate::page::Document;
use crate::tools::Toolbox;
use std::rc::Rc;

/// What models are asked at (DETAILS §2).
const TEMPERATURE: f32 = 0.7;

/// The state of one run between its steps. All of it follows from the journal.
pub(super) struct Desk {
    pub(super) brief: Brief,
    pub(super) hands: Hands,
    pub(super) toolbox: Rc<Toolbox>,
    pub(super) page: PageRead,
    /// What the person had selected on the page when it was read.
    pub(super) selection: Option<Selection>,
    pub(super) transcript: Transcript,
    /// The next thought, where an observation carried one.
    pub(super) carried: Option<Thought>,
    pub(super) draft: Option<Draft>,
    pub(super) goal_met: bool,
    pub(super) complexity: Option<Complexity>,
    pub(super) steps: u8,
    pub(super) tokens: u32,
    pub(super) tool_calls: u32,
    /// The gate refused an answer; the next one stands.
    pub(super) refused: bool,
    /// A tool gave a result.
    pub(super) informed: bool,
    /// The share of the page that its last summary read, in percent.
    pub(super) share_percent: Option<u8>,
    pub(super) bound: Option<Bound>,
}

/// A step of the loop.
pub(super) struct Step {
    pub(super) ctx: Ctx,
    /// From 1.
    pub(super) number: u8,
    /// The bound as known now.
    pub(super) max_steps: u8,
}

impl Step {
    /// States what happened, once in the run's life.
    pub(super) fn tell(&self, segment: &str, event: &Event) -> Result<(), Halt> {
        tell(&self.ctx, segment, event)
    }
}

/// States what happened, once in the run's life.
pub(super) fn tell(ctx: &Ctx, segment: &str, event: &Event) -> Result<(), Halt> {
    ctx.note(segment, super::timeline::TOPIC, event)
}

impl Desk {
    /// Reads the page and lays out the goal.
    pub(super) async fn open(ctx: &Ctx, brief: Brief, hands: Hands) -> Result<Self, End> {
        let read = super::read_page::ReadPage {
            tabs: hands.tabs.clone(),
            tab: brief.tab,
        };
        let capture = ctx
            .step("page", read)
            .await?
            .map_err(|error| End::Failed(Failure::of_capture(&error)))?;
        let (html, url) = (capture.html.clone(), capture.url.clone());
        let document = hands
            .reader
            .read(html, url)
            .await
            .map_err(|error| End::Failed(Failure::of_reading(&error)))?;
        let selection = capture.selection.clone();
        let page = PageRead::of(capture, &document);
        tell(ctx, "read", &Event::PageRead { page: page.clone() })?;
        let mut transcript = Transcript::default();
        transcript.push(Message::text(Role::User, brief.goal.message()));
        let toolbox = Toolbox::new(hands.tools.clone(), Some(Rc::new(document)));
        Ok(Self {
            brief,
            hands,
            toolbox: Rc::new(toolbox),
            page,
            selection,
            transcript,
            carried: None,
            draft: None,
            goal_met: false,
            complexity: None,
            steps: 0,
            tokens: 0,
            tool_calls: 0,
            refused: false,
            informed: false,
            share_percent: None,
            bound: None,
        })
    }

    /// Asks the model. `tools` says whether it may call.
    pub(super) async fn ask(
        &mut self,
        step: &Step,
        segment: &str,
        purpose: Purpose,
        offer: Offer,
    ) -> Result<Reply, End> {
        let tools = match offer {
            Offer::Tools => self.toolbox.definitions(),
            Offer::Nothing => Rc::new([]),
        };
        let ask = Ask {
            model: self.hands.model.clone(),
            request: Request {
                purpose,
                transcript: self.transcript.clone(),
                tools,
                temperature: TEMPERATURE,
                page: self.toolbox.page().cloned(),
            },
            label: AskLabel {
                purpose,
                step: step.number,
                max_steps: step.max_steps,
            },
        };
        let mut reply = step
            .ctx
            .step(segment, ask)
            .await?
            .map_err(|error| End::Failed(Failure::of_model(&error)))?;
        if offer == Offer::Nothing {
            // What was not offered is not a call, and hides no text.
            reply.calls.clear();
        }
        self.take_usage(step, segment, &reply)?;
        self.remember(&reply);
        Ok(reply)
    }

    /// What a model thought and observed, it reads again: in the strict cycle
    /// the call for the calls knows the plan by this alone.
    fn remember(&mut self, reply: &Reply) {
        let Control {
            observation,
            thought,
            ..
        } = &reply.control;
        for said in [observation, thought].into_iter().flatten() {
            if let Said::Words(words) = said {
                self.transcript
                    .push(Message::text(Role::Assistant, words.clone()));
            }
        }
    }

    fn take_usage(&mut self, step: &Step, segment: &str, reply: &Reply) -> Result<(), Halt> {
        if self.complexity.is_none() {
            self.complexity = reply.control.complexity;
        }
        let Usage {
            input_tokens,
            output_tokens,
        } = reply.usage;
        let used = input_tokens.saturating_add(output_tokens);
        if used == 0 {
            return Ok(());
        }
        self.tokens = self.tokens.saturating_add(used);
        let total = self.tokens;
        step.tell(&format!("{segment}.tokens"), &Event::TokensUsed { total })
    }

    /// The document that the run reads.
    pub(super) fn document(&self) -> Option<&Document> {
        self.toolbox.page().map(AsRef::as_ref)
    }
}

/// Whether a call of a model offers the tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Offer {
    /// All that are enabled.
    Tools,
    /// None: it may only speak.
    Nothing,
}

impl Goal {
    /// The goal as the model reads it.
    pub(super) fn message(&self) -> String {
        match self {
            Self::Summarize => "Summarize this page.".to_owned(),
            Self::Explain { selection } => format!("Explain this passage of the page: {selection}"),
            Self::Ask { question } => question.clone(),
            Self::GoOn => "Your last answer was cut off. Go on exactly where it ends, in the \
                           middle of a word if need be; repeat nothing."
                .to_owned(),
        }
    }
}

impl PageRead {
    /// What a capture and its main content say of the page.
    pub fn of(capture: Capture, document: &Document) -> Self {
        let titled = !document.title.is_empty();
        Self {
            title: if titled {
                document.title.clone()
            } else {
                capture.title
            },
            url: capture.url,
            document: capture.document,
            words: document.words(),
        }
    }
}
