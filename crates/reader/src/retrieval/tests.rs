use quickcheck::quickcheck;

use super::*;
use gloss_page::{Document, Paragraph, read};
use gloss_text::Language;
use gloss_text::index::Entry;

/// A model for which intruders and burglars mean the same, and keys and passwords.
fn alike(comparison: &Comparison) -> Vec<f32> {
    const ALIKE: [[&str; 2]; 2] = [["intruders", "burglars"], ["keys", "passwords"]];
    let means = |text: &str| ALIKE.map(|words| words.iter().any(|word| text.contains(word)));
    let asked = means(&comparison.question);
    let is_near = |text: &String| {
        let both = means(text).into_iter().zip(asked);
        both.filter(|(text, asked)| *text && *asked).count() > 0
    };
    let texts = comparison.texts.iter();
    texts
        .map(|text| if is_near(text) { 0.8 } else { 0.1 })
        .collect()
}

fn found(model: fn(&Comparison) -> Vec<f32>, page: &Document, query: &str) -> Vec<u32> {
    Meaning::given(model, |meaning| {
        let found = paragraphs(page, query, 3, meaning).into_iter();
        found.map(|paragraph| paragraph.number).collect()
    })
}

fn manual() -> Document {
    let html = "<html lang=en><title>The house</title><main><h1>The house</h1>\
        <p>This is the manual of the house, for the people who are going to live in it.</p>\
        <h2>Colours</h2><p>The paint of the doors is green, as the paint of the house is.</p>\
        <p>It was chosen by the people who were here before you.</p>\
        <h2>Safety</h2><p>What keeps burglars out is told to you by the agent when you move in.</p>\
        <p>Ask her for the passwords of the gate, and do not write them on the wall.</p>\
        <h2>Garden</h2><p>The roses are to be cut in the spring.</p></main></html>";
    read(html, "https://house.example/").unwrap()
}

/// The number of the paragraph about burglars; the paragraph after it is about passwords.
fn burglars(page: &Document) -> u32 {
    let told = |paragraph: &&Paragraph| paragraph.text.contains("burglars");
    page.paragraphs.iter().find(told).unwrap().number
}

#[test]
fn a_paraphrase_is_found_by_what_it_means_and_without_a_model_by_words_alone() {
    let page = manual();
    let asked = "How are intruders discouraged?";
    assert_eq!(found(alike, &page, asked), [burglars(&page)]);
    assert_eq!(found(alike, &page, "keys")[0], burglars(&page) + 1);
    // A model that can't run, and one that answers another question.
    for model in [|_: &Comparison| Vec::new(), |_: &Comparison| vec![1.0]] {
        assert!(found(model, &page, asked).is_empty());
        assert_eq!(found(model, &page, "burglars?")[0], burglars(&page));
    }
}

#[test]
fn the_model_is_asked_only_about_texts_and_for_the_beginning_of_long_ones() {
    let asked = |texts: &[&str]| {
        let meaning = Meaning::default();
        assert_eq!(meaning.cosines("why?", texts.iter().copied()), None);
        meaning.asked()
    };
    assert_eq!(asked(&[]), None);
    let long = "灯塔".repeat(500);
    let comparison = asked(&["because", &long]).unwrap();
    assert_eq!(comparison.question, "why?");
    assert_eq!(comparison.texts[0], "because");
    assert!(long.starts_with(&comparison.texts[1]) && comparison.texts[1].len() > 300);
}

fn about(texts: &[&str], query: &str, model: fn(&Comparison) -> Vec<f32>) -> Vec<usize> {
    let entries = texts.iter().map(|text| Entry { heading: "", text });
    let entries: Vec<Entry<'_>> = entries.collect();
    let relevant = |meaning: &Meaning| relevant(&entries, query, Language::English, meaning);
    Meaning::given(model, relevant)
}

#[test]
fn what_has_neither_a_word_nor_the_meaning_is_left_out() {
    let texts = [
        "roses",
        "a key",
        "burglars and passwords",
        "intruders",
        "gates",
    ];
    let words: fn(&Comparison) -> Vec<f32> = |_| Vec::new();
    assert_eq!(about(&texts, "intruders", words), [3]);
    assert_eq!(about(&texts, "intruders", alike), [3, 2]);
    assert!(about(&texts, "zebras", alike).is_empty());
}

quickcheck! {
    fn every_relevant_text_is_named_once(seeds: Vec<u8>, query: u8) -> bool {
        const TEXTS: &[&str] = &["", "burglars", "keys of the burglars", "paint", "intruders paint", "钥匙"];
        let text = |seed: u8| TEXTS[usize::from(seed) % TEXTS.len()];
        let texts: Vec<&str> = seeds.iter().map(|seed| text(*seed)).collect();
        let order = about(&texts, text(query), alike);
        let mut once = order.clone();
        once.sort_unstable();
        once.dedup();
        once.len() == order.len() && once.iter().all(|at| *at < texts.len())
    }
}
