//! How long the text layer takes on the largest page that is read whole.

use std::time::{Duration, Instant};

use gloss::text::Language::English;
use gloss::text::index::{Entry, Index};
use gloss::text::sentences;
use gloss::text::summary::{Candidate, Role, summarise};

/// About 1 MB of English: 7 000 sentences over a vocabulary of some thousands.
fn page() -> String {
    let mut seed = 7_u64;
    let mut next = |below: u64| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let mut text = String::new();
    while text.len() < 1_000_000 {
        for word in 0..15 {
            // Squared, so that few words are common and most are rare.
            let rank = next(90) * next(90);
            text.push_str(if word == 0 { "Word" } else { " word" });
            text.push(char::from(b'a' + (rank % 26) as u8));
            text.push_str("ing");
            text.push_str(&(rank % 97).to_string());
        }
        text.push_str(". ");
    }
    text
}

#[test]
fn a_page_of_a_megabyte_is_summarised_and_indexed_in_well_under_a_second() {
    let text = page();
    let started = Instant::now();
    let cut = sentences(&text, English);
    let cut_in = started.elapsed();
    let candidates: Vec<Candidate<'_>> = (0..)
        .zip(&cut)
        .map(|(paragraph, text)| Candidate {
            text,
            paragraph,
            role: Role::Prose,
        })
        .collect();
    let started = Instant::now();
    let summary = summarise("Wording", &candidates, English);
    let summarised_in = started.elapsed();
    let started = Instant::now();
    let entries = cut.iter().map(|text| Entry { heading: "", text });
    let hits = Index::new(English, entries).search("wordaing0 wordbing1", 5);
    let indexed_in = started.elapsed();
    println!(
        "{} sentences: cut {cut_in:?}, summarised {summarised_in:?}, indexed {indexed_in:?}",
        cut.len()
    );
    assert_eq!((summary.points.len(), hits.len()), (7, 5));
    // Far above what it takes: other work may share the machine.
    assert!(cut_in + summarised_in < Duration::from_secs(2));
}
