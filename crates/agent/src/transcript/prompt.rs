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
use serde_json::{Value as Json, json};

/// The maximum length of the observations that a task repeats, in tokens. The task repeats the
/// newest observations; the messages contain all observations.
const OBSERVED_TOKENS: u32 = 1_000;

/// The maximum length of the page's title and address in the system message, in characters.
const TITLE: usize = 300;
const ADDRESS: usize = 1_000;

/// Returns the system message. A fixed rule follows every prompt, even one that the user wrote:
/// page text is data.
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
    let about = |page: &PageRead| json!({ "title": beginning(&page.title, TITLE), "address": beginning(&page.url, ADDRESS), "words": page.words });
    let described =
        |tool: &ToolDefinition| Json::from(format!("{}: {}", tool.name, tool.description));
    let values = [
        ("style", Value::Ours(prompts.note(note, &[])?)),
        ("page", Value::Object(page.map_or(Json::Null, about))),
        ("language", Value::Ours(tag(&config.language))),
        ("tools", Value::List(tools.iter().map(described).collect())),
    ];
    let own = prompts.render(Name::ReactSystem, &values)?;
    let rule = prompts.note(Note::Security, &[])?;
    let text = format!("{own}\n\n<security>\n{rule}\n</security>");
    Ok(Message::text(Role::System, text))
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

/// Returns the task of a model call: the facts that apply to the whole run, and the template for
/// the purpose of the call. Some purposes need no template.
pub(crate) fn task(
    run: &Run,
    transcript: &Transcript,
    step: &Step,
    purpose: Purpose,
    reflection: Option<&str>,
) -> Result<String, TemplateError> {
    let prompts = &run.prompts;
    let question = || ("question", Value::Words(transcript.question()));
    let grounded = |task: String| {
        Ok(format!(
            "{}\n\n{task}",
            grounding_note(prompts, transcript)?
        ))
    };
    match purpose {
        Purpose::Reason => {
            let last = transcript
                .observations()
                .last()
                .cloned()
                .unwrap_or_default();
            // The user can't attach files yet, and the page is not a file.
            let values = [
                question(),
                ("files", Value::List(Vec::new())),
                ("last_observation", Value::Words(last)),
            ];
            grounded(prompts.render(Name::Reason, &values)?)
        }
        // For `Act`, the transcript contains the plan of an earlier call, which is the task. The
        // requests of the other three purposes contain their own task.
        Purpose::Act | Purpose::Compact | Purpose::Grade | Purpose::Rewrite => Ok(String::new()),
        Purpose::Observe => {
            let between = prompts.language.pick(" of ", "/");
            let step = format!("{}{between}{}", step.number, step.max_steps);
            let values = [
                question(),
                (
                    "tool_summaries",
                    Value::List(transcript.summaries().to_vec()),
                ),
                ("step", Value::Ours(step)),
            ];
            let task = grounded(prompts.render(Name::Observe, &values)?)?;
            Ok(match reflection {
                Some(reflection) => format!("{task}\n\n{reflection}"),
                None => task,
            })
        }
        Purpose::Synthesise => {
            let values = [question(), ("observations", last_observed(transcript))];
            let task = prompts.render(Name::Synthesis, &values)?;
            match run.config.mode {
                Mode::Agent => grounded(task),
                // A plain call has no earlier steps, so no facts of earlier steps could be lost.
                Mode::Plain => Ok(task),
            }
        }
    }
}

fn last_observed(transcript: &Transcript) -> Value {
    let mut left = OBSERVED_TOKENS;
    let last = transcript.observations().iter().rev().take_while(|words| {
        let cost = estimate(words);
        let fits = cost <= left;
        left = left.saturating_sub(cost);
        fits
    });
    let mut last: Vec<Json> = last.map(|words| words.as_str().into()).collect();
    last.reverse();
    Value::List(last)
}

/// Returns the text with the facts that apply to the whole run. Most tasks begin with this text
/// (DETAILS §9).
fn grounding_note(prompts: &Prompts, transcript: &Transcript) -> Result<String, TemplateError> {
    let grounding = &transcript.grounding;
    let holds = json!({
        "goal": transcript.question(),
        "completed": grounding.completed,
        "decisions": grounding.decisions,
    });
    prompts.note(Note::Grounding, &[("grounding", Value::Object(holds))])
}
