//! ROUGE-1 of the summaries, and of the first sentences beside them.
//!
//! Reads lines of `{setup, split, title, paragraphs: [[sentence]], reference, count}`
//! (`split`: the sentences are still to be cut) from the file that the variable
//! `GLOSS_ROUGE` names; without it there is nothing to measure.

use std::collections::BTreeMap;

use gloss::text::Language::English;
use gloss::text::sentences;
use gloss::text::summary::{Candidate, Role, choose};
use rust_stemmers::{Algorithm, Stemmer};
use serde::Deserialize;

#[derive(Deserialize)]
struct Document {
    setup: String,
    split: bool,
    paragraphs: Vec<Vec<String>>,
    reference: String,
    count: usize,
}

impl Document {
    fn candidates(&self) -> Vec<Candidate<'_>> {
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
                texts.map(move |text| Candidate {
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

/// ROUGE-1 F of a summary against its reference, from 0 to 1.
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
    let Ok(path) = std::env::var("GLOSS_ROUGE") else {
        return;
    };
    let file = std::fs::read_to_string(path).unwrap();
    let mut scores: BTreeMap<String, Vec<(f64, f64)>> = BTreeMap::new();
    for line in file.lines() {
        let document: Document = serde_json::from_str(line).unwrap();
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
    for (setup, pairs) in scores {
        let mean = |pick: fn(&(f64, f64)) -> f64| {
            100.0 * pairs.iter().map(pick).sum::<f64>() / pairs.len() as f64
        };
        let (lead, ours) = (mean(|pair| pair.0), mean(|pair| pair.1));
        println!(
            "{setup:9} n {:3}  lead {lead:.1}  ours {ours:.1}",
            pairs.len()
        );
        assert!(ours > lead, "{setup}");
    }
}
