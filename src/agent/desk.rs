//! What the agent has before it: the page, what was said, what it has spent.

use super::answering::Answering;
use super::ask::Offer;
use super::elsewhere::Elsewhere;
use super::fitting::Fit;
use super::month::Month;
use super::offering::Offered;
use super::reflexion::{Learning, Retries};
use super::scale::Scale;
use super::spending::Spent;
use super::thought::{Draft, Thought};
use super::{
    Bound, Brief, End, Event, FollowUp, Goal, Hands, Mode, PageRead, Said, history, prompt,
    reading, recallable,
};
use crate::context::{Context, Grounding};
use crate::durable::{Ctx, Halt};
use crate::host::{Capture, Selection};
use crate::markdown::clean;
use crate::model::{
    Choice, Complexity, Control, Echo, Language, Message, Part, Reply, Role, Source, Voice,
};
use crate::page::Document;
use crate::prompts::{Note, Prompts, Value};
use crate::text::tokens::estimate;
use crate::tools::{Brings, Mind, Toolbox};
use serde_json::Value as Json;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// The state of one run between its steps. All of it follows from the journal.
pub(super) struct Desk {
    pub(super) brief: Brief,
    pub(super) hands: Hands,
    /// Who thinks.
    pub(super) answering: Answering,
    /// Who does where that one fails, in this order.
    pub(super) then: VecDeque<Choice>,
    pub(super) toolbox: Rc<Toolbox>,
    /// What it reads; `None` if there is nothing that can be read.
    pub(super) page: Option<PageRead>,
    /// What the person had selected on the page when it was read.
    pub(super) selection: Option<Selection>,
    /// What was said and done.
    pub(super) context: Context,
    /// Whether that could be made to fit.
    pub(super) fit: Fit,
    /// How far estimates are off for whoever answers.
    pub(super) scale: Scale,
    /// What the run must not lose.
    pub(super) grounding: Grounding,
    /// What the model's provider wants back with the calls it last made.
    pub(super) echo: Option<Echo>,
    /// The tools as they were last told, and whether what recalls was among them.
    pub(super) offered_before: RefCell<Option<(bool, Offered)>>,
    /// The prompts in force.
    pub(super) prompts: Prompts,
    /// What the person asked, the first as the goal.
    pub(super) asked: Vec<String>,
    /// What they said in their own words since.
    said: Vec<String>,
    /// What was read elsewhere.
    pub(super) elsewhere: Elsewhere,
    /// What a model made of results so far.
    pub(super) observed: Vec<String>,
    /// What the last calls came to, a line each.
    pub(super) done: Vec<Json>,
    /// The next thought, where an observation carried one.
    pub(super) carried: Option<Thought>,
    pub(super) draft: Option<Draft>,
    pub(super) goal_met: bool,
    pub(super) complexity: Option<Complexity>,
    pub(super) steps: u8,
    pub(super) spent: Spent,
    /// What all runs of the month came to, as this one last saw it.
    pub(super) month: Month,
    pub(super) tool_calls: u32,
    /// Whose words its calls brought.
    pub(super) read: Brings,
    /// The gate refused an answer; the next one stands.
    pub(super) refused: bool,
    /// How often calls were left unmade for want of a reason.
    pub(super) unreasoned: u8,
    /// What failed, and is not tried again.
    pub(super) retries: Retries,
    /// What is learned from it.
    pub(super) learning: Learning,
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
        let mut month = Month::default();
        let (answering, then) = month.begin(ctx, &brief, &hands).await?;
        let gathered = ctx.recall()?;
        let reading = reading::read(ctx, &brief, &hands, answering.model.voice()).await?;
        let (page, document, selection) = match reading.page {
            Some(read) => (Some(read.page), Some(read.document), read.selection),
            None => (None, None, None),
        };
        let language = Language::of_tag(&brief.language);
        let mind = Mind {
            memory: hands.memory.clone(),
            conversation: brief.conversation.clone(),
        };
        let toolbox = Toolbox::new(hands.tools.clone(), document, answering.room)
            .minding(mind)
            .heeding(hands.switches.clone())
            .without(&brief.tools_switched_off())
            .speaking(&brief.language)
            .prompted(Prompts::new(language, brief.prompts.clone()))
            .searching(hands.search.provider(brief.search.clone()))
            .beside(reading.place);
        let mut desk = Self {
            offered_before: RefCell::default(),
            prompts: Prompts::new(language, brief.prompts.clone()),
            asked: vec![brief.goal.request(language).to_owned()],
            said: Vec::new(),
            observed: Vec::new(),
            elsewhere: Elsewhere::default(),
            done: Vec::new(),
            answering,
            then,
            month,
            hands,
            toolbox: Rc::new(toolbox),
            page,
            selection,
            context: Context::speaking(language, &brief.earlier),
            fit: Fit::Fits,
            scale: Scale::default(),
            grounding: Grounding::default(),
            carried: None,
            draft: None,
            goal_met: false,
            complexity: None,
            steps: 0,
            spent: Spent::default(),
            tool_calls: 0,
            read: Brings::Own,
            refused: false,
            unreasoned: 0,
            retries: Retries::default(),
            learning: Learning::with(&brief.lessons),
            informed: false,
            share_percent: None,
            bound: None,
            echo: None,
            brief,
        };
        desk.lay_out(ctx).await?;
        desk.recall(ctx).await?;
        if let Some(gathered) = gathered {
            desk.take_up(ctx, gathered).await?;
        }
        Ok(desk)
    }

    /// What the model reads first: who it is, what was said before, what is asked.
    pub(super) async fn lay_out(&mut self, ctx: &Ctx) -> Result<(), End> {
        let brief = &self.brief;
        let language = self.prompts.language;
        let tools = self.offered(Offer::Tools).tools;
        let system = prompt::system(&self.prompts, brief, self.page.as_ref(), &tools)?;
        self.context.fix(system);
        for (turn, exchange) in brief.history.iter().enumerate() {
            for message in history::messages(exchange, language) {
                self.context.say_before(turn as u32, message);
            }
        }
        if brief.mode == Mode::Agent && !brief.earlier.kept.is_empty() {
            let words = self.prompts.note(Note::Recallable, &[])?;
            self.context.fix(Message::text(Role::System, words));
            // What they were asked with may be a page's words.
            self.context.fix(recallable::told(&brief.earlier.kept));
        }
        let lessons = Self::told(&brief.lessons);
        if brief.mode == Mode::Agent && !lessons.is_empty() {
            let values = [("lessons", Value::List(lessons))];
            let words = self.prompts.note(Note::Learned, &values)?;
            self.context.fix(Message::text(Role::System, words));
        }
        if self.brief.mode == Mode::Plain {
            return self.lay_out_plainly(ctx).await;
        }
        let goal = self.brief.goal.clone();
        self.ask_for(&goal)
    }

    /// Reads what the person sent meanwhile.
    pub(super) fn read_messages(&mut self, step: &Step) -> Result<(), End> {
        let fits = |message: &FollowUp| message.fits(&self.brief);
        for (_, message) in step.ctx.peek("inbox", fits)? {
            self.hear(&message.goal)?;
        }
        Ok(())
    }

    /// Takes what the person says while the run is at work.
    pub(super) fn hear(&mut self, goal: &Goal) -> Result<(), End> {
        let language = self.prompts.language;
        self.asked.push(goal.request(language).to_owned());
        self.said.extend(own_words(goal));
        self.retries.forget();
        self.ask_for(goal)
    }

    /// Lays out what the person asks for. What is too long for the scratchpad is kept under
    /// an id, and its head is shown: nothing is cut in silence (DETAILS §9).
    fn ask_for(&mut self, goal: &Goal) -> Result<(), End> {
        let whole = goal.message(self.prompts.language);
        let most = self.budget().scratchpad / 2;
        let reads = self.answering.model.voice() == Voice::Page;
        if reads || estimate(goal.words()) <= most {
            self.context.fix(whole);
            return Ok(());
        }
        let number = u32::try_from(self.asked.len()).unwrap_or(u32::MAX);
        let id = self.context.keep(number, goal.words());
        let id = [("id", Value::Ours(id))];
        for message in self.cut(goal, most, Note::Kept, &id)? {
            self.context.fix(message);
        }
        Ok(())
    }

    /// Says something in this step.
    pub(super) fn say(&mut self, message: Message) {
        self.context.work(self.steps.into(), message);
    }

    /// What a model thought and observed, it reads again: in the strict cycle
    /// the call for the calls knows the plan by this alone.
    pub(super) fn remember(&mut self, reply: &Reply) {
        self.echo.clone_from(&reply.echo);
        let Control {
            observation,
            thought,
            ..
        } = &reply.control;
        let step = u32::from(self.steps);
        // What is thought beside an observation is thought of the next step.
        let next = step + u32::from(observation.is_some());
        for (step, said) in [(step, observation), (next, thought)] {
            if let Some(Said::Words(words)) = said {
                let said = Message::text(Role::Assistant, words.clone());
                self.context.work(step, said);
            }
        }
    }

    /// The tools, with what there is to recall and what is asked.
    pub(super) fn toolbox(&self) -> Rc<Toolbox> {
        let holding = self.toolbox.holding(self.context.results().clone());
        let holding = holding.answering(&self.question(), self.said());
        Rc::new(holding.helped(self.helpers()))
    }

    /// What the person said last before this run, and in it: no button's words, which are in the
    /// language of the interface.
    fn said(&self) -> Vec<String> {
        let mut earlier = self.brief.history.iter().rev();
        let before = earlier.find_map(|it| own_words(&it.goal));
        let asked = own_words(&self.brief.goal).into_iter();
        before
            .into_iter()
            .chain(asked.chain(self.said.iter().cloned()))
            .collect()
    }

    /// The document that the run reads.
    pub(super) fn document(&self) -> Option<&Rc<Document>> {
        self.toolbox.page()
    }
}

impl Goal {
    /// The goal as the model reads it.
    pub(super) fn message(&self, language: Language) -> Message {
        let request = self.request(language);
        match self {
            Self::Explain { selection } => {
                let data = language.pick(" The passage, as data:", "该段文字，仅作数据：");
                Message {
                    role: Role::User,
                    parts: vec![
                        Part::Text {
                            text: format!("{request}{data}"),
                        },
                        Part::Quoted {
                            source: Source::Selection,
                            text: selection.clone(),
                        },
                    ],
                }
            }
            Self::Summarize | Self::Ask { .. } | Self::GoOn => Message::text(Role::User, request),
        }
    }

    /// The same, about other words.
    pub(super) fn with_words(&self, words: String) -> Self {
        match self {
            Self::Explain { .. } => Self::Explain { selection: words },
            Self::Ask { .. } => Self::Ask { question: words },
            Self::Summarize | Self::GoOn => self.clone(),
        }
    }

    /// What it is about, in words.
    pub(crate) fn words(&self) -> &str {
        match self {
            Self::Explain { selection } => selection,
            Self::Summarize | Self::Ask { .. } | Self::GoOn => self.request(Language::English),
        }
    }

    /// What is asked, without the page's own words. A button asks in the language of the
    /// interface, so that it is answered in it.
    pub(super) fn request(&self, language: Language) -> &str {
        match self {
            Self::Ask { question } => question,
            Self::Summarize => language.pick("Summarize this page.", "总结此页。"),
            Self::Explain { .. } => language.pick(
                "Explain this passage of the page.",
                "解释此页中的这段文字。",
            ),
            Self::GoOn => language.pick(
                "Your last answer was cut off. Go on exactly where it ends, in the middle of a \
                 word if need be; repeat nothing.",
                "你上一个回答被截断了。请从它中断之处接着写，必要时从词语中间开始；不要重复任何内容。",
            ),
        }
    }
}

impl PageRead {
    /// What a capture and its main content say of the page.
    pub fn of(capture: &Capture, document: &Document) -> Self {
        let titled = !document.title.trim().is_empty();
        Self {
            title: clean(if titled {
                &document.title
            } else {
                &capture.title
            }),
            url: capture.url.clone(),
            document: capture.document.clone(),
            words: document.words(),
        }
    }
}

/// What a person wrote themselves, if they did: a button's words are not theirs.
fn own_words(goal: &Goal) -> Option<String> {
    match goal {
        Goal::Ask { question } => Some(question.clone()),
        Goal::Summarize | Goal::Explain { .. } | Goal::GoOn => None,
    }
}
