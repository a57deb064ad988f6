//! Public rules for English sentence boundaries, the "golden rules".
//!
//! The rules are in the package `pysbd` on `PyPI`, in the file that `GLOSS_RULES` names. `cargo
//! xtask bench sentences` downloads them. Without the file, the test prints that it is skipped.

#![allow(clippy::unwrap_used)]

use gloss::text::Language::English;
use gloss::text::sentences;

#[test]
fn nine_in_ten_of_the_golden_rules_are_kept() {
    let Some(file) = std::env::var_os("GLOSS_RULES") else {
        println!("skipped: GLOSS_RULES names no file");
        return;
    };
    let rules = std::fs::read_to_string(file).unwrap();
    let rules: Vec<(String, Vec<String>)> = serde_json::from_str(&rules).unwrap();
    let broken: Vec<_> = rules
        .iter()
        .filter(|(text, wanted)| sentences(text, English) != *wanted)
        .collect();
    println!(
        "Gloss keeps {} of {} rules",
        rules.len() - broken.len(),
        rules.len()
    );
    for (text, wanted) in &broken {
        println!(
            "  wanted {wanted:?}\n  found  {:?}",
            sentences(text, English)
        );
    }
    assert!(broken.len() * 10 <= rules.len());
}
