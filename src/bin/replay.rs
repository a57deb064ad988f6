//! `cargo xtask replay` prints the thoughts, actions and lessons of an exported run, and says if
//! the current code replays the run without a difference.
//!
//! Example: `cargo xtask replay tides.json` prints one line for each event, and then the
//! result of the replay. The exit code is 1 if the replay diverges, and 2 if the file is not an
//! exported run. The command does not use the network.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::ExitCode;

use gloss::agent::export::Export;
use gloss::agent::replay::{ReplayResult, replay};
use gloss::agent::trajectory::{
    Charge, LogEntry, LogEntryKind, Metrics, ModelCall, ToolCallResult,
};
use gloss::agent::{Event, Goal};
use gloss::markdown::{self, shortened};
use gloss::phrase::{DisplayText, Phrase};
use serde_json::Value;

const ENGLISH: &str = include_str!("../../extension/_locales/en/messages.json");

/// Longer texts in a line are shortened to this number of characters.
const SHOWN: usize = 160;

fn main() -> ExitCode {
    let Some(file) = std::env::args().nth(1) else {
        eprintln!("replay FILE    a run that was exported as JSON");
        return ExitCode::from(2);
    };
    let read = std::fs::read_to_string(&file).map_err(|error| error.to_string());
    let export = read.and_then(|text| Export::read(&text).map_err(|error| error.to_string()));
    match export {
        Ok(export) => {
            let replayed = replay(&export);
            print!("{}", report(&export, &replayed));
            match replayed {
                ReplayResult::Diverged { .. } => ExitCode::FAILURE,
                ReplayResult::Ended(_)
                | ReplayResult::Rests { .. }
                | ReplayResult::Unfinished { .. } => ExitCode::SUCCESS,
            }
        }
        Err(error) => {
            eprintln!("{file}: {error}");
            ExitCode::from(2)
        }
    }
}

fn report(export: &Export, replayed: &ReplayResult) -> String {
    let words = Words::english();
    let began_ms = export.records.first().map_or(0, |record| record.at_ms);
    let mut text = String::new();
    // Writing to a `String` can't fail.
    let _ = writeln!(
        text,
        "run {}, {} records, exported by Gloss {}",
        export.run,
        export.records.len(),
        export.revision
    );
    let _ = writeln!(text, "step  time       what");
    for logged in &export.trajectory.log {
        let _ = writeln!(
            text,
            "{:>4}  {:>9}  {}",
            logged.step,
            seconds(logged.at_ms.saturating_sub(began_ms)),
            line(&words, logged)
        );
    }
    let _ = writeln!(text, "{}", figures(&export.trajectory.metrics));
    let _ = writeln!(text, "{}", verdict(replayed));
    text
}

fn verdict(replayed: &ReplayResult) -> String {
    match replayed {
        ReplayResult::Ended(closing) => format!("replayed to its end: {:?}", closing.status),
        ReplayResult::Rests { path } => {
            format!("replayed to where it waits: {}", at(path.as_str()))
        }
        ReplayResult::Unfinished { next } => {
            format!(
                "replayed to where the record ends: {} would be next",
                at(next.as_str())
            )
        }
        ReplayResult::Diverged { path, why } => format!("DIVERGED at {}: {why}", at(path.as_str())),
    }
}

fn at(path: &str) -> &str {
    if path.is_empty() {
        "the run itself"
    } else {
        path
    }
}

fn line(words: &Words, logged: &LogEntry) -> String {
    let (name, text) = match &logged.what {
        LogEntryKind::Message { goal } => ("message", goal_of(goal)),
        LogEntryKind::Page { page } => ("page", format!("{} ({} words)", page.title, page.words)),
        LogEntryKind::Asked(asked) => ("model", model(asked)),
        LogEntryKind::Thought { thought } => ("thought", words.display_text(thought)),
        LogEntryKind::Call(call) => {
            let again = (call.attempt > 1).then(|| format!(", try {}", call.attempt));
            let again = again.unwrap_or_default();
            ("call", format!("{} {}{again}", call.tool, call.arguments))
        }
        LogEntryKind::Result(given) => ("result", result(words, given)),
        LogEntryKind::Observation {
            observation,
            goal_met,
        } => {
            let met = if *goal_met {
                "goal met"
            } else {
                "goal not met"
            };
            (
                "observation",
                format!("{} [{met}]", words.display_text(observation)),
            )
        }
        LogEntryKind::Reflection { reflection } => {
            ("reflection", words.display_text(&reflection.fix))
        }
        LogEntryKind::Applied { ids } => ("applied", ids.join(", ")),
        LogEntryKind::Error { failure } => ("error", words.phrase(&failure.title)),
        LogEntryKind::Answer { markdown, cites } => {
            ("answer", format!("{markdown} [cites {}]", cites.join(", ")))
        }
        LogEntryKind::Seam(event) => ("seam", seam(event)),
    };
    format!("{name:<11}  {}", short(&text))
}

fn goal_of(goal: &Goal) -> String {
    match goal {
        Goal::Summarize => "Summarize page".to_owned(),
        Goal::Explain { selection } => format!("Explain: {selection}"),
        Goal::Ask { question } => question.clone(),
        Goal::GoOn => "Continue".to_owned(),
    }
}

fn model(asked: &ModelCall) -> String {
    let purpose = format!("{:?}", asked.purpose).to_lowercase();
    let tokens = format!("{} + {} tokens", asked.tokens.input, asked.tokens.output);
    match asked.charge {
        Some(Charge::Reported) => format!("{purpose}, {tokens}"),
        Some(Charge::Abandoned) => format!("{purpose}, abandoned, {tokens} charged"),
        None => format!("{purpose}, nothing charged"),
    }
}

fn result(words: &Words, given: &ToolCallResult) -> String {
    let used = if given.used { ", cited" } else { "" };
    let outcome = match &given.outcome {
        Ok(_) => words.phrase(&given.summary),
        Err(error) => format!("failed: {error}"),
    };
    format!("{} {outcome} ({} ms{used})", given.tool, given.duration_ms)
}

fn seam(event: &Event) -> String {
    let name = format!("{event:?}");
    let end = name.find([' ', '{', '(']).unwrap_or(name.len());
    name.get(..end).unwrap_or_default().to_owned()
}

fn figures(metrics: &Metrics) -> String {
    let best = metrics.optimal_steps.map(|best| format!(" (best {best})"));
    let efficiency = metrics
        .efficiency
        .map(|share| format!(", efficiency {:.0} %", share * 100.0));
    format!(
        "steps {}{}{}, tokens {} + {} ({} abandoned), time {} ({} active), errors {}",
        metrics.steps,
        best.unwrap_or_default(),
        efficiency.unwrap_or_default(),
        metrics.tokens.input,
        metrics.tokens.output,
        metrics.abandoned_tokens,
        seconds(metrics.duration_ms),
        seconds(metrics.active_ms),
        metrics.errors,
    )
}

fn seconds(ms: u64) -> String {
    format!("{}.{:03} s", ms / 1000, ms % 1000)
}

/// Returns the text on one line, with at most [`SHOWN`] characters. Control characters are removed,
/// because the output goes to a terminal.
fn short(text: &str) -> String {
    shortened(&markdown::line(text), SHOWN)
}

/// The English messages, by key.
struct Words(BTreeMap<String, Value>);

impl Words {
    fn english() -> Self {
        Self(serde_json::from_str(ENGLISH).unwrap_or_default())
    }

    fn display_text(&self, said: &DisplayText) -> String {
        match said {
            DisplayText::Phrase(phrase) => self.phrase(phrase),
            DisplayText::Words(words) => words.clone(),
        }
    }

    /// Returns the text of a phrase. If the run comes from a later version, the phrase may have no
    /// text; then its key is shown.
    fn phrase(&self, phrase: &Phrase) -> String {
        let message = self.0.get(&phrase.key);
        let Some(text) = message.and_then(|message| message.get("message")?.as_str()) else {
            return format!("{} {}", phrase.key, phrase.args.join(" "));
        };
        let mut said = text.to_owned();
        let named = message.and_then(|message| message.get("placeholders")?.as_object());
        for (name, placeholder) in named.into_iter().flatten() {
            let content = placeholder.get("content").and_then(Value::as_str);
            let place =
                content.and_then(|content| content.strip_prefix('$')?.parse::<usize>().ok());
            let argument = place.and_then(|place| phrase.args.get(place.checked_sub(1)?));
            let argument = argument.map_or("", String::as_str);
            said = said
                .replace(&format!("${}$", name.to_uppercase()), argument)
                .replace(&format!("${name}$"), argument);
        }
        said
    }
}
