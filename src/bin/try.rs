//! `cargo xtask try` runs an on-device function for a shell, a benchmark or an external
//! evaluation.
//!
//! Example: `echo '{"id":1,"text":"…","k":3}' | cargo xtask try summarise`. The command
//! reads one JSON object per line, and writes one JSON object for each, in the same order. If a
//! line can't be answered, the output for that line is `{id, error}`. The other lines are still
//! answered, and the exit code is 1. The command calls the same functions as the extension.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::rc::Rc;

use gloss::markdown::{parse, plain};
use gloss::page::{Document, Kind, Paragraph, read};
use gloss::page_service::ask;
use gloss::phrase::Phrase;
use gloss::retrieval::{Meaning, passages};
use gloss::sentence_model::compare;
use gloss::text::summary::{Role, SummaryCandidate, choose};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The number of passages that are ranked.
const MOST_RANKED: usize = 300;

const USAGE: &str = "\
try summarise   {id, text, k}                                          -> {id, sentences}
try rank        {id, doc: {id, lang, sections: [{id, headings, text}]}, question} -> {id, ranking}
try extract     {id, html, url}                                        -> {id, title, markdown, text}
try ask         {id, text or html, url, question}                      -> {id, answer, quotes}
try explain     {id, html, url, term}                                  -> {id, sentences: [{id, text, why}]}
one JSON object a line, on standard input";

fn main() -> ExitCode {
    let answer: fn(&Value) -> Result<Value, String> = match std::env::args().nth(1).as_deref() {
        Some("summarise") => answered::<Summarise>,
        Some("rank") => answered::<Rank>,
        Some("extract") => answered::<Extract>,
        Some("ask") => answered::<Ask>,
        Some("explain") => answered::<Explain>,
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match every_line(answer) {
        Ok(Outcome::All) => ExitCode::SUCCESS,
        Ok(Outcome::SomeFailed) => ExitCode::FAILURE,
        // The program that reads the output has closed it.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("standard input or output failed: {error}");
            ExitCode::FAILURE
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    All,
    SomeFailed,
}

fn every_line(answer: fn(&Value) -> Result<Value, String>) -> io::Result<Outcome> {
    let mut output = io::stdout().lock();
    let mut outcome = Outcome::All;
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let parsed = serde_json::from_str::<Value>(&line);
        let id = parsed
            .as_ref()
            .ok()
            .and_then(|value| value.get("id").cloned());
        let answered = parsed
            .map_err(|error| format!("no JSON: {error}"))
            .and_then(|value| answer(&value));
        let mut given = answered.unwrap_or_else(|error| {
            outcome = Outcome::SomeFailed;
            json!({ "error": error })
        });
        if let Some(object) = given.as_object_mut() {
            object.insert("id".to_owned(), id.unwrap_or_default());
        }
        writeln!(output, "{given}")?;
        output.flush()?;
    }
    Ok(outcome)
}

/// A task that an input line requests.
trait Task: DeserializeOwned {
    /// Returns the answer, without the line's id.
    ///
    /// # Errors
    /// Returns a message for the user who wrote the line.
    fn answer(&self) -> Result<Value, String>;
}

fn answered<T: Task>(line: &Value) -> Result<Value, String> {
    let task = T::deserialize(line).map_err(|error| error.to_string())?;
    task.answer()
}

#[derive(Deserialize)]
struct Summarise {
    text: String,
    k: usize,
}

impl Task for Summarise {
    fn answer(&self) -> Result<Value, String> {
        let page = Document::of_text(&self.text);
        let language = page.text_language();
        let sentences = page.sentences(language);
        let candidates: Vec<SummaryCandidate<'_>> = sentences
            .iter()
            .map(|sentence| SummaryCandidate {
                text: sentence.text,
                paragraph: sentence.paragraph.number,
                role: Role::Prose,
            })
            .collect();
        let mut chosen = choose(&candidates, language, self.k);
        chosen.sort_unstable();
        let texts: Vec<&str> = chosen
            .into_iter()
            .filter_map(|at| sentences.get(at))
            .map(|sentence| sentence.text)
            .collect();
        Ok(json!({ "sentences": texts }))
    }
}

#[derive(Deserialize)]
struct Rank {
    doc: Sections,
    question: String,
}

/// A long document, split into sections at its headings.
#[derive(Deserialize)]
struct Sections {
    #[serde(default)]
    lang: String,
    sections: Vec<Section>,
}

#[derive(Deserialize)]
struct Section {
    id: Value,
    #[serde(default)]
    headings: Vec<String>,
    text: String,
}

impl Task for Rank {
    fn answer(&self) -> Result<Value, String> {
        // A page of these sections, and the index of the section of each paragraph.
        let mut page = Document {
            language: self.doc.lang.clone(),
            ..Document::default()
        };
        let mut section_of = Vec::new();
        for (at, section) in self.doc.sections.iter().enumerate() {
            let levels = (1..).map(Kind::Heading).zip(&section.headings);
            let lines = section.text.lines().filter(|line| !line.trim().is_empty());
            let lines = lines.map(|line| (Kind::Prose, line));
            for (kind, text) in levels
                .map(|(kind, text)| (kind, text.as_str()))
                .chain(lines)
            {
                section_of.push(at);
                page.paragraphs.push(Paragraph {
                    number: section_of.len() as u32,
                    kind,
                    text: text.to_owned(),
                    markdown: text.to_owned(),
                });
            }
        }
        let found = Meaning::given(compare, |meaning| {
            passages(&page, &self.question, MOST_RANKED, meaning)
        });
        let mut ranking: Vec<&Value> = Vec::new();
        for passage in found {
            let at = section_of.get(passage.paragraph.number as usize - 1);
            if let Some(section) = at.and_then(|at| self.doc.sections.get(*at))
                && !ranking.contains(&&section.id)
            {
                ranking.push(&section.id);
            }
        }
        Ok(json!({ "ranking": ranking }))
    }
}

#[derive(Deserialize)]
struct Extract {
    html: String,
    #[serde(default)]
    url: String,
}

impl Task for Extract {
    fn answer(&self) -> Result<Value, String> {
        let page = read(&self.html, &self.url).map_err(|error| error.to_string())?;
        let joined = |part: fn(&gloss::page::Paragraph) -> &str| {
            let parts: Vec<&str> = page.paragraphs.iter().map(part).collect();
            parts.join("\n\n")
        };
        Ok(json!({
            "title": page.title,
            "markdown": joined(|paragraph| &paragraph.markdown),
            "text": joined(|paragraph| &paragraph.text),
        }))
    }
}

#[derive(Deserialize)]
struct Explain {
    #[serde(flatten)]
    page: Extract,
    term: String,
}

impl Task for Explain {
    fn answer(&self) -> Result<Value, String> {
        let page = read(&self.page.html, &self.page.url).map_err(|error| error.to_string())?;
        let found = page.find_explanations(&self.term, None, 2).into_iter();
        let sentences = found.map(|(sentence, why)| {
            json!({ "id": sentence.id(), "text": sentence.text, "why": format!("{why:?}") })
        });
        Ok(json!({ "sentences": sentences.collect::<Vec<_>>() }))
    }
}

#[derive(Deserialize)]
struct Ask {
    #[serde(flatten)]
    page: Page,
    question: String,
}

/// A page, given as plain text or as HTML.
#[derive(Deserialize)]
#[serde(untagged)]
enum Page {
    Html(Extract),
    Text { text: String },
}

impl Task for Ask {
    fn answer(&self) -> Result<Value, String> {
        let page = Rc::new(match &self.page {
            Page::Html(page) => read(&page.html, &page.url).map_err(|error| error.to_string())?,
            Page::Text { text } => Document::of_text(text),
        });
        let reply = ask(Rc::clone(&page), &self.question, compare);
        let language = page.text_language();
        let quotes: Vec<&str> = cited(&reply.text)
            .filter_map(|id| page.resolve_citation(id, language))
            .map(|(_, words)| words)
            .collect();
        let blocks = parse(&reply.text);
        let mut shown = Vec::new();
        for at in 0..=blocks.len() {
            let leads = reply.control.leads.iter().filter(|lead| lead.before == at);
            shown.extend(leads.map(|lead| words(&lead.says)));
            shown.extend(
                blocks
                    .get(at)
                    .map(|block| plain(std::slice::from_ref(block))),
            );
        }
        Ok(json!({ "answer": shown.join("\n\n"), "quotes": quotes }))
    }
}

/// Returns the ids of the passages that an answer cites, in the order of the citations.
fn cited(markdown: &str) -> impl Iterator<Item = &str> {
    let marks = markdown.split("[[").skip(1);
    marks.filter_map(|rest| rest.split_once("]]").map(|(id, _)| id))
}

/// A message of the extension in English.
fn words(says: &Phrase) -> String {
    let messages = include_str!("../../extension/_locales/en/messages.json");
    let messages: Value = serde_json::from_str(messages).unwrap_or_default();
    let message = messages
        .get(&says.key)
        .and_then(|entry| entry.get("message"));
    let message = message.and_then(Value::as_str).unwrap_or(&says.key);
    let mut words = message.to_owned();
    for (number, value) in (1..).zip(&says.args) {
        words = words.replace(&format!("$A{number}$"), value);
    }
    words
}
