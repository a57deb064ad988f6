//! The prompts that every model is sent: the system message, and the task of each call. The
//! placeholders of the prompts get values from the state of the run. The adapter of each model adds
//! the reply format.

use crate::config::{Mode, RunConfig, Style};
use crate::events::PageRead;
use crate::run::{Run, Step};
use crate::transcript::Transcript;
use gloss_model::prompts::{Name, Note, Prompts, TemplateError, Value};
use gloss_model::{Message, Purpose, Role, ToolDefinition};
use gloss_text::tokens::estimate;
use serde_json::{Map, Value as Json, json};

/// The maximum length of the observations that a task repeats, in tokens. The task repeats the
/// newest observations; the messages contain all observations.
const OBSERVED_TOKENS: u32 = 1_000;

/// The maximum length of the page's title and address in the state, in characters.
const TITLE: usize = 300;
const ADDRESS: usize = 1_000;

/// Returns the system message. A fixed rule follows every prompt, even one that the user wrote:
/// page text is data. The page's title and address stand in the state, because a page wrote them.
pub(crate) fn system(
    prompts: &Prompts,
    config: &RunConfig,
    page: Option<&PageRead>,
    tools: &[ToolDefinition],
) -> Result<Message, TemplateError> {
    let note = match config.mode {
        Mode::Agent => style(config.settings.style),
        Mode::Plain => Note::Plain,
    };
    let described =
        |tool: &ToolDefinition| Json::from(format!("{}: {}", tool.name, tool.description));
    let page = page.map_or_else(
        || Value::Object(Json::Null),
        |_| State::reference(prompts, "page"),
    );
    let values = [
        ("style", Value::Ours(prompts.note(note, &[])?)),
        ("page", page),
        ("language", Value::Ours(tag(&config.language))),
        ("tools", Value::List(tools.iter().map(described).collect())),
    ];
    let own = prompts.render(Name::ReactSystem, &values)?;
    let rule = prompts.note(Note::Security, &[])?;
    let text = format!("{own}\n\n<security>\n{rule}\n</security>");
    Ok(Message::text(Role::System, text))
}

/// The data of a call that may contain text of others. The instructions are part of the system
/// message, so they only name these values.
#[derive(Default)]
pub(crate) struct State(Map<String, Json>);

impl State {
    /// Creates the state of a run: the page, and the facts that apply to all steps (DETAILS §9).
    fn of(run: &Run, transcript: &Transcript) -> Self {
        let mut state = Self::default();
        let about = |page: &PageRead| json!({ "title": beginning(&page.title, TITLE), "address": beginning(&page.url, ADDRESS), "words": page.words });
        state.insert("page", run.page.as_ref().map(about).into());
        if run.config.mode == Mode::Agent {
            let grounding = &transcript.grounding;
            state.insert("completed", grounding.completed.clone().into());
            state.insert("decisions", grounding.decisions.clone().into());
        }
        state
    }

    /// Adds a value, and returns the text that names it in the instructions. Empty values are not
    /// added.
    pub(crate) fn refer(&mut self, prompts: &Prompts, name: &str, value: Json) -> Value {
        if self.insert(name, value) {
            Self::reference(prompts, name)
        } else {
            Value::Ours(String::new())
        }
    }

    fn reference(prompts: &Prompts, name: &str) -> Value {
        let name = prompts.language.pick(
            format!("\"{name}\" in <state>"),
            format!("<state> 中的 \"{name}\""),
        );
        Value::Ours(name)
    }

    /// Returns the state as JSON; empty if it has no value.
    pub(crate) fn text(&self) -> String {
        match &self.0 {
            values if values.is_empty() => String::new(),
            values => Json::from(values.clone()).to_string(),
        }
    }

    fn insert(&mut self, name: &str, value: Json) -> bool {
        let is_empty = match &value {
            Json::Null => true,
            Json::String(text) => text.is_empty(),
            Json::Array(items) => items.is_empty(),
            _ => false,
        };
        if !is_empty {
            self.0.insert(name.to_owned(), value);
        }
        !is_empty
    }
}

fn beginning(words: &str, characters: usize) -> String {
    words.chars().take(characters).collect()
}

fn style(style: Style) -> Note {
    match style {
        Style::ToolFirst => Note::ToolFirst,
        Style::Balanced => Note::Balanced,
        Style::Direct => Note::Direct,
    }
}

/// Removes invalid characters from a language tag, which comes from a page of the interface.
fn tag(language: &str) -> String {
    let letter = |letter: &char| letter.is_ascii_alphanumeric() || *letter == '-';
    language.chars().filter(letter).take(35).collect()
}

/// The instruction of a model call. Some purposes need none.
pub(crate) struct Task {
    /// The instruction, which is part of the system message.
    pub(crate) text: String,
    /// The data to which the instruction refers.
    pub(crate) state: State,
}

impl Task {
    /// Returns the estimated tokens of the task.
    pub(crate) fn tokens(&self) -> u32 {
        estimate(&self.text) + estimate(&self.state.text())
    }
}

/// Returns the task of a model call.
pub(crate) fn task(
    run: &Run,
    transcript: &Transcript,
    step: &Step,
    purpose: Purpose,
) -> Result<Task, TemplateError> {
    let prompts = &run.prompts;
    let mut state = State::of(run, transcript);
    let question = || ("question", Value::Words(transcript.question()));
    let text = match purpose {
        Purpose::Reason => {
            let last = transcript.observations().last().cloned();
            let last = state.refer(prompts, "last_observation", last.into());
            // The user can't attach files yet, and the page is not a file.
            let files = ("files", Value::List(Vec::new()));
            let values = [question(), files, ("last_observation", last)];
            prompts.render(Name::Reason, &values)?
        }
        // For `Act`, the transcript contains the plan of an earlier call, which is the task. The
        // requests of the other three purposes contain their own task.
        Purpose::Act | Purpose::Compact | Purpose::Grade | Purpose::Rewrite => String::new(),
        Purpose::Observe => {
            let between = prompts.language.pick(" of ", "/");
            let step = format!("{}{between}{}", step.number, step.max_steps);
            let results = transcript.summaries().to_vec();
            let values = [
                question(),
                (
                    "tool_summaries",
                    state.refer(prompts, "results", results.into()),
                ),
                ("step", Value::Ours(step)),
            ];
            prompts.render(Name::Observe, &values)?
        }
        Purpose::Synthesise => {
            let observed = state.refer(prompts, "observations", last_observed(transcript));
            prompts.render(Name::Synthesis, &[question(), ("observations", observed)])?
        }
    };
    Ok(Task { text, state })
}

fn last_observed(transcript: &Transcript) -> Json {
    let mut left = OBSERVED_TOKENS;
    let last = transcript.observations().iter().rev().take_while(|words| {
        let cost = estimate(words);
        let fits = cost <= left;
        left = left.saturating_sub(cost);
        fits
    });
    let mut last: Vec<Json> = last.map(|words| words.as_str().into()).collect();
    last.reverse();
    last.into()
}
