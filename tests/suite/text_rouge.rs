//! Compares the ROUGE-1 scores of summaries with those of the first sentences, in about a second.
//! The weights were tuned on the training part, and not on the test part. `cargo xtask bench
//! summaries` compares with other programs, and uses the public ROUGE program.
//!
//! The papers are in the package `aclsum` on `PyPI`, in the folder that `GLOSS_PAPERS` names.
//! `cargo xtask test --all` downloads them. Without them, the test prints that it is skipped.

#![allow(clippy::indexing_slicing, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gloss::text::Language::English;
use gloss::text::sentences;
use gloss::text::summary::{Role, SummaryCandidate, choose};
use rust_stemmers::{Algorithm, Stemmer};
use serde::Deserialize;

/// A paper of the data set.
#[derive(Deserialize)]
struct Paper {
    id: String,
    sentences: BTreeMap<String, Vec<String>>,
    summary: BTreeMap<String, String>,
}

/// The text of a paper, as it was parsed from the PDF.
#[derive(Deserialize)]
struct Parsed {
    pdf_parse: Body,
}

#[derive(Deserialize)]
struct Body {
    body_text: Vec<Passage>,
}

#[derive(Deserialize)]
struct Passage {
    text: String,
}

/// A text to summarise in `count` sentences, and the reference summaries.
struct Document {
    setup: &'static str,
    /// True if the text is not split into sentences yet.
    split: bool,
    paragraphs: Vec<Vec<String>>,
    reference: String,
    count: usize,
}

impl Paper {
    /// The texts of one paper. The beginning and end, with and without the abstract, have three
    /// summaries that people wrote. The whole body has the abstract as its summary.
    fn documents(self, folder: &Path) -> Vec<Document> {
        let part = |name: &str| self.sentences.get(name).cloned().unwrap_or_default();
        let parts = [part("abstract"), part("introduction"), part("conclusion")];
        let summary = self.summary.into_values().collect::<Vec<_>>().join(" ");
        let summed_up = |setup, paragraphs: &[Vec<String>]| Document {
            setup,
            split: false,
            paragraphs: paragraphs.to_vec(),
            reference: summary.clone(),
            count: 3,
        };
        let mut documents = vec![
            summed_up("aspects", &parts),
            summed_up("intro", &parts[1..]),
        ];
        let file = folder.join(format!("paper_jsons/{}.json", self.id));
        if let Ok(whole) = std::fs::read_to_string(file) {
            let whole: Parsed = serde_json::from_str(&whole).unwrap();
            let body = whole.pdf_parse.body_text.into_iter();
            documents.push(Document {
                setup: "abstract",
                split: true,
                paragraphs: body.map(|passage| vec![passage.text]).collect(),
                reference: parts[0].join(" "),
                count: 6,
            });
        }
        documents
    }
}

impl Document {
    fn candidates(&self) -> Vec<SummaryCandidate<'_>> {
        let cut = |text| {
            if self.split {
                sentences(text, English)
            } else {
                vec![text]
            }
        };
        (0..)
            .zip(&self.paragraphs)
            .flat_map(|(paragraph, texts)| {
                let texts = texts.iter().flat_map(|text| cut(text.as_str()));
                texts.map(move |text| SummaryCandidate {
                    text,
                    paragraph,
                    role: Role::Prose,
                })
            })
            .collect()
    }
}

fn words(text: &str) -> BTreeMap<String, usize> {
    let stemmer = Stemmer::create(Algorithm::English);
    let mut counts = BTreeMap::new();
    for word in text
        .to_lowercase()
        .split(|c: char| !c.is_ascii_alphanumeric())
    {
        if !word.is_empty() {
            *counts.entry(stemmer.stem(word).into_owned()).or_default() += 1;
        }
    }
    counts
}

/// The ROUGE-1 F score of a summary against its reference, from 0 to 1.
fn rouge(summary: &str, reference: &str) -> f64 {
    let (ours, wanted) = (words(summary), words(reference));
    let shared: usize = ours
        .iter()
        .map(|(word, n)| wanted.get(word).copied().unwrap_or_default().min(*n))
        .sum();
    let sizes = ours.values().sum::<usize>() + wanted.values().sum::<usize>();
    2.0 * shared as f64 / sizes.max(1) as f64
}

#[test]
fn summaries_of_papers_beat_their_first_sentences() {
    let Some(folder) = std::env::var_os("GLOSS_PAPERS").map(PathBuf::from) else {
        println!("skipped: GLOSS_PAPERS names no folder");
        return;
    };
    for part in ["train", "test"] {
        for (setup, pairs) in scores(&folder, part) {
            let mean = |pick: fn(&(f64, f64)) -> f64| {
                100.0 * pairs.iter().map(pick).sum::<f64>() / pairs.len() as f64
            };
            let (lead, ours) = (mean(|pair| pair.0), mean(|pair| pair.1));
            let papers = pairs.len();
            println!("{part:5} {setup:9} n {papers:3}  lead {lead:.2}  ours {ours:.2}");
            assert!(ours > lead, "{part} {setup}");
        }
    }
}

/// The scores of the first sentences and of Gloss's summaries, for each paper and kind of text.
fn scores(folder: &Path, part: &str) -> BTreeMap<&'static str, Vec<(f64, f64)>> {
    let file = std::fs::read_to_string(folder.join(format!("{part}.jsonl"))).unwrap();
    let papers = file.lines().map(|line| serde_json::from_str(line).unwrap());
    let mut scores: BTreeMap<&str, Vec<(f64, f64)>> = BTreeMap::new();
    for document in papers.flat_map(|paper: Paper| paper.documents(folder)) {
        let page = document.candidates();
        let join = |chosen: Vec<usize>| {
            let texts: Vec<&str> = chosen.iter().map(|at| page[*at].text).collect();
            texts.join(" ")
        };
        let lead = join((0..document.count.min(page.len())).collect());
        let ours = join(choose(&page, English, document.count));
        let reference = &document.reference;
        let pair = (rouge(&lead, reference), rouge(&ours, reference));
        scores.entry(document.setup).or_default().push(pair);
    }
    assert_eq!(scores.len(), 3);
    scores
}
