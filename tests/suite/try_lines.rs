//! `cargo xtask try` as a shell uses it: for each input line, it prints one line.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// The answers of `try` to these lines, and true if the exit code is 0.
fn tried(verb: &str, lines: &[String]) -> (Vec<Value>, bool) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_try"))
        .arg(verb)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = program.stdin.take().unwrap();
    input.write_all(lines.join("\n").as_bytes()).unwrap();
    drop(input);
    let output = program.wait_with_output().unwrap();
    let answers = String::from_utf8(output.stdout).unwrap();
    let answers = answers
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    (answers.collect(), output.status.success())
}

const TIDES: &str = "A neap tide comes when the Sun and the Moon do not pull together. It is weak. \
    Fishermen of the bay know it as the lazy tide.\n\nThe harbour was built in 1841 by the keeper \
    Anna Holm. Her granite walls have stood every storm since then.";

#[test]
fn sentences_stand_in_the_text_and_are_as_many_as_were_asked_for() {
    let (answers, went_well) = tried(
        "summarise",
        &[json!({"id": "a", "text": TIDES, "k": 2}).to_string()],
    );
    assert!(went_well);
    assert_eq!(answers[0]["id"], "a");
    let sentences = answers[0]["sentences"].as_array().unwrap();
    assert_eq!(sentences.len(), 2);
    assert!(
        sentences
            .iter()
            .all(|sentence| TIDES.contains(sentence.as_str().unwrap()))
    );
}

#[test]
fn every_section_is_ranked_once_the_best_first() {
    let sections = json!([
        {"id": 7, "headings": ["Guide", "Removing"], "text": "Delete the folder."},
        {"id": 8, "headings": ["Guide", "Installing"], "text": "Unpack the archive into a folder of its own."},
        {"id": 9, "headings": [], "text": "Licences."},
    ]);
    let line = json!({"id": 1, "doc": {"id": "d", "lang": "en", "sections": sections}, "question": "Where do I unpack the archive?"});
    let (answers, _) = tried("rank", &[line.to_string()]);
    let ranking = answers[0]["ranking"].as_array().unwrap();
    assert_eq!(ranking[0], 8);
    assert_eq!(ranking.len(), 3);
}

#[test]
fn a_page_is_read_and_a_question_is_answered_with_its_closest_passages() {
    let html = format!("<title>Tides</title><main><h1>Tides</h1><p>{TIDES}</p></main>");
    let (answers, _) = tried(
        "extract",
        &[json!({"id": 1, "html": html, "url": "https://a.example/"}).to_string()],
    );
    assert!(
        answers[0]["text"]
            .as_str()
            .unwrap()
            .contains("built in 1841")
    );
    assert!(
        answers[0]["markdown"]
            .as_str()
            .unwrap()
            .contains("built in 1841")
    );

    let ask = |question: &str| json!({"id": 2, "text": TIDES, "question": question}).to_string();
    let of_html = json!({"id": 3, "html": html, "url": "https://a.example/", "question": "Who built the harbour?"});
    let (answers, went_well) = tried(
        "ask",
        &[
            ask("Who built the harbour?"),
            ask("How do penguins sleep in Boston?"),
            of_html.to_string(),
        ],
    );
    assert!(went_well);
    for answer in [&answers[0], &answers[2]] {
        let first = answer["quotes"][0].as_str().unwrap();
        assert!(first.contains("Anna Holm"), "{first}");
    }
    let shown = |at: usize| answers[at]["answer"].as_str().unwrap();
    assert!(shown(0).starts_with("Closest passages in this page\n\nThe harbour was built"));
    assert!(shown(1).starts_with(
        "Closest passages in this page\n\n“Boston” isn’t on this page\n\nA neap tide"
    ));
    assert_eq!(answers[1]["quotes"].as_array().unwrap().len(), 2);
}

#[test]
fn a_line_that_cannot_be_read_is_named_and_the_others_are_answered() {
    let good = json!({"id": 3, "text": TIDES, "k": 1}).to_string();
    let lines = [
        "{".to_owned(),
        json!({"id": 2, "text": TIDES}).to_string(),
        good,
    ];
    let (answers, went_well) = tried("summarise", &lines);
    assert!(!went_well);
    assert!(answers[0]["error"].as_str().unwrap().starts_with("no JSON"));
    assert!(answers[1]["error"].as_str().unwrap().contains("`k`"));
    assert_eq!(answers[1]["id"], 2);
    assert_eq!(answers[2]["sentences"].as_array().unwrap().len(), 1);
}
