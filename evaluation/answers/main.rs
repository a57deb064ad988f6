//! `cargo xtask bench answers` measures two shares. The first is the share of questions for which
//! a quote contains the answer. The second is the share of unanswerable questions that are
//! refused.
//!
//! Driving example: the question is "Where was his father from?", about the page
//! `readability/bbc-1`. It counts as answered if a quote contains one of the accepted answers,
//! such as "His father was Kenyan". A question without accepted answers counts as refused if
//! nothing is quoted.
//!
//! Pages are extracted and questions answered with the same functions as in the extension. There
//! are two baselines: the best sentences by BM25, which refuse no question, and the first
//! sentences of the page.
//!
//! `--split dev|test` asks the questions of one part only. `--failed` lists the failed questions.
//! `--fit` fits the weights of `text::answer` to the development part.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::struct_field_names,
    clippy::unwrap_used
)]

mod fit;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;

use gloss::model::Embedded;
use gloss::page::{Document, read};
use gloss::text::embedding::Embeddings;
use gloss::text::index::{Entry, Index};
use serde::Deserialize;

/// The shares that must be reached over all questions, as issue 5 demands.
const ANSWERED: f64 = 0.80;
const REFUSED: f64 = 0.80;

/// The questions in this part were written while the weights were fitted.
const OWN: &str = "own";

/// The number of sentences that the baselines quote.
const QUOTED: usize = 3;

/// A question about a page.
#[derive(Deserialize)]
pub(crate) struct Question {
    id: String,
    page: String,
    split: String,
    language: String,
    question: String,
    /// The accepted answers; empty if the page has no answer.
    answers: Vec<String>,
}

impl Question {
    /// Returns true if a text contains one of the accepted answers.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        let text = plain(text);
        self.answers
            .iter()
            .any(|answer| text.contains(&plain(answer)))
    }
}

/// The text in lower case, with uniform quotation marks and dashes, and with single spaces.
fn plain(text: &str) -> String {
    let text: String = text
        .to_lowercase()
        .chars()
        .map(|c| match c {
            '“' | '”' => '"',
            '‘' | '’' => '\'',
            '–' | '—' => '-',
            other => other,
        })
        .collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The number of correct results, and the number of all results.
#[derive(Default, Clone, Copy)]
struct Share {
    well: usize,
    of: usize,
}

impl Share {
    fn count(&mut self, well: bool) {
        self.of += 1;
        self.well += usize::from(well);
    }

    fn rate(self) -> f64 {
        self.well as f64 / self.of.max(1) as f64
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{:>4.0} % ({:>3}/{:<3})",
            100.0 * self.rate(),
            self.well,
            self.of
        )
    }
}

/// The score of one system on one part of the questions.
#[derive(Default, Clone, Copy)]
struct Score {
    answered: Share,
    refused: Share,
    quotes: usize,
}

impl Score {
    fn count(&mut self, question: &Question, quotes: &[String]) -> bool {
        self.quotes += quotes.len();
        if question.answers.is_empty() {
            self.refused.count(quotes.is_empty());
            return quotes.is_empty();
        }
        let holds = question.is_in(&quotes.join(" "));
        self.answered.count(holds);
        holds
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| words.iter().any(|given| given == word);
    let after = |word: &str| {
        let at = words.iter().position(|given| given == word)?;
        words.get(at + 1).cloned()
    };
    let split = after("--split");
    let mut pages = Pages::default();
    let mut questions = Vec::new();
    let files = after("--file").map_or_else(files, |file| vec![PathBuf::from(file)]);
    for file in files {
        questions.extend(questions_of(&file));
    }
    questions.retain(|question| split.as_ref().is_none_or(|split| *split == question.split));
    questions.retain(|question| {
        let is_there = pages.read(&question.page).is_some();
        if !is_there {
            println!("{}: no page {}", question.id, question.page);
        }
        is_there
    });
    // `cargo xtask test` asks only a few questions, which are too few to compare the shares.
    let small = std::env::var_os("GLOSS_SMALL").is_some();
    questions.truncate(if small { 10 } else { usize::MAX });
    if questions.is_empty() {
        println!("no question can be asked here");
        return ExitCode::FAILURE;
    }
    if has("--fit") {
        fit::fit(&questions, &mut pages);
        return ExitCode::SUCCESS;
    }
    let ours = ask_all(&questions, &mut pages, has("--failed"));
    let kept = ours.answered.rate() >= ANSWERED && ours.refused.rate() >= REFUSED;
    if !kept {
        println!(
            "promised: {:.0} % answered, {:.0} % refused",
            100.0 * ANSWERED,
            100.0 * REFUSED
        );
    }
    ExitCode::from(u8::from(!kept && !small))
}

/// Asks all questions, prints a table, and returns the total score.
fn ask_all(questions: &[Question], pages: &mut Pages, tells: bool) -> Score {
    let meaning = embeddings();
    let meaning = meaning.as_ref();
    let mut table: BTreeMap<(String, &str), Score> = BTreeMap::new();
    let mut all = Score::default();
    for question in questions {
        let page = pages.read(&question.page).expect("it was there");
        let systems: [(&str, Vec<String>); 3] = [
            ("1 Gloss", asked(&page, &question.question, meaning)),
            ("2 BM25", best_sentences(&page, &question.question)),
            ("3 lead", first_sentences(&page)),
        ];
        for (system, quotes) in systems {
            let mut well = true;
            for part in parts(question) {
                well = table
                    .entry((part, system))
                    .or_default()
                    .count(question, &quotes);
            }
            if system == "1 Gloss" {
                // The weights were fitted with the questions of the part `own`, so these don't
                // count.
                if question.split != OWN {
                    all.count(question, &quotes);
                }
                if tells && !well {
                    println!(
                        "{} {} [{}]\n   wanted {:?}\n   quoted {quotes:#?}",
                        question.id, question.question, question.page, question.answers
                    );
                }
            }
        }
    }
    println!("part      system    answered         refused          quotes each");
    for ((part, system), result) in &table {
        let asked = (result.answered.of + result.refused.of).max(1);
        println!(
            "{part:<9} {:<9} {} {} {:>5.1}",
            &system[2..],
            result.answered,
            result.refused,
            result.quotes as f64 / asked as f64
        );
    }
    all
}

/// The names of the table's rows in which a question counts.
fn parts(question: &Question) -> Vec<String> {
    let split = &question.split;
    vec![format!("{split} {}", question.language), split.clone()]
}

/// The sentences that the on-device model quotes.
fn asked(page: &Rc<Document>, question: &str, meaning: Option<&Embeddings>) -> Vec<String> {
    let reply = Embedded::ask(Rc::clone(page), question, meaning);
    let language = page.text_language();
    let marks = reply.text.split("[[").skip(1);
    marks
        .filter_map(|rest| rest.split_once("]]"))
        .filter_map(|(id, _)| page.resolve_citation(id, language))
        .map(|(_, words)| words.to_owned())
        .collect()
}

fn best_sentences(page: &Document, question: &str) -> Vec<String> {
    let language = page.text_language();
    let sentences = page.sentences(language);
    let entries = sentences.iter().map(|sentence| Entry {
        heading: "",
        text: sentence.text,
    });
    let hits = Index::new(language, entries).search(question, QUOTED);
    hits.iter()
        .map(|hit| sentences[hit.item].text.to_owned())
        .collect()
}

fn first_sentences(page: &Document) -> Vec<String> {
    let sentences = page.sentences(page.text_language());
    sentences
        .iter()
        .take(QUOTED)
        .map(|s| s.text.to_owned())
        .collect()
}

/// The embeddings in the file that `GLOSS_EMBEDDINGS` names. If there is no such file, texts are
/// compared by their words only.
pub(crate) fn embeddings() -> Option<Embeddings> {
    let file = std::env::var_os("GLOSS_EMBEDDINGS")?;
    let bytes = fs::read(file).expect("a file of embeddings");
    Some(Embeddings::parse(&bytes).expect("embeddings"))
}

/// The files of questions in the folder of this program.
fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("evaluation/answers");
    let all = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = all
        .map(|entry| entry.path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "jsonl")
        })
        .collect();
    files.sort();
    files
}

fn questions_of(file: &Path) -> Vec<Question> {
    let lines = fs::read_to_string(file).expect("a file of questions");
    let lines = lines.lines().filter(|line| !line.trim().is_empty());
    let parsed = lines.map(|line| serde_json::from_str(line).expect("a question a line"));
    parsed.collect()
}

/// The pages. Each page is read from disk only once.
#[derive(Default)]
pub(crate) struct Pages {
    read: BTreeMap<String, Option<Rc<Document>>>,
}

impl Pages {
    pub(crate) fn read(&mut self, page: &str) -> Option<Rc<Document>> {
        let known = self.read.entry(page.to_owned());
        known
            .or_insert_with(|| from_disk(page).map(Rc::new))
            .clone()
    }
}

/// Reads a page: `readability/<folder>` of Mozilla's test suite, or `books/<file>` below
/// `target/books`.
fn from_disk(page: &str) -> Option<Document> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = |variable: &str, default: &str| {
        std::env::var_os(variable).map_or_else(|| root.join(default), PathBuf::from)
    };
    let file = match page.split_once('/')? {
        ("readability", name) => folder("GLOSS_SUITES", "../shared/suites")
            .join("readability/test/test-pages")
            .join(name)
            .join("source.html"),
        ("books", name) => folder("GLOSS_BOOKS", "target/books").join(name),
        _ => return None,
    };
    let html = fs::read_to_string(file).ok()?;
    read(&html, "https://page.example/").ok()
}
