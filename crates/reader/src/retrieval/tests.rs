use std::cell::Cell;
use std::future::ready;

use futures::FutureExt;
use quickcheck::quickcheck;

use super::*;
use gloss_host::AssetError;
use gloss_page::{Document, Paragraph, read};
use gloss_text::embedding::sample;
use gloss_text::index::Entry;

/// The files of a package, with `bytes` as embeddings; counts how often the embeddings are loaded.
struct Package {
    bytes: Option<Vec<u8>>,
    asked: Cell<u32>,
}

impl Assets for Package {
    fn load(&self, name: &'static str) -> Fut<Result<Vec<u8>, AssetError>> {
        assert_eq!(name, EMBEDDINGS);
        self.asked.set(self.asked.get() + 1);
        let missing = AssetError {
            name: name.to_owned(),
            message: "Failed to fetch".to_owned(),
        };
        ready(self.bytes.clone().ok_or(missing)).boxed_local()
    }
}

fn package(bytes: Option<Vec<u8>>) -> (Rc<Package>, Retrieval) {
    let package = Rc::new(Package {
        bytes,
        asked: Cell::new(0),
    });
    (package.clone(), Retrieval::new(package))
}

fn found(retrieval: &Retrieval, page: &Document, query: &str, most: usize) -> Vec<u32> {
    let meaning = retrieval.embeddings(page.text_language());
    let meaning = meaning.now_or_never().expect("everything is at hand");
    paragraphs(page, query, most, meaning.as_deref())
        .into_iter()
        .map(|paragraph| paragraph.number)
        .collect()
}

/// Embeddings in which intruders and burglars have one meaning, and keys and passwords another.
fn alike() -> Vec<u8> {
    sample(&[
        ("intruders", 0),
        ("burglars", 0),
        ("keys", 1),
        ("passwords", 1),
        ("paint", 2),
    ])
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
fn a_paraphrase_is_found_by_what_it_means_and_without_embeddings_by_words_alone() {
    let page = manual();
    let asked = "How are intruders discouraged?";
    let (_, whole) = package(Some(alike()));
    assert_eq!(found(&whole, &page, asked, 3), [burglars(&page)]);
    for bytes in [None, Some(b"something else".to_vec())] {
        let (_, lexical) = package(bytes);
        assert!(found(&lexical, &page, asked, 3).is_empty());
        assert_eq!(found(&lexical, &page, "burglars?", 3)[0], burglars(&page));
    }
}

#[test]
fn embeddings_are_loaded_once_and_only_when_a_question_needs_them() {
    let page = manual();
    let (package, retrieval) = package(Some(alike()));
    let chinese = "<html lang=zh><title>房子</title><main><h1>房子</h1><p>大门是绿色的，屋顶也是绿色的。\
        </p><p>玫瑰要在春天修剪。</p><p>密码不要写在墙上。</p></main></html>";
    let chinese = read(chinese, "https://house.example/").unwrap();
    assert_eq!(found(&retrieval, &chinese, "密码写在哪里？", 1).len(), 1);
    assert_eq!(package.asked.get(), 0);
    // Embeddings are used even though the whole page fits into the answer: a paragraph that shares
    // no word with the question may have the same meaning.
    assert_eq!(
        found(&retrieval, &page, "passwords", 50)[0],
        burglars(&page) + 1
    );
    found(&retrieval, &page, "keys", 3);
    found(&retrieval, &page, "intruders", 3);
    assert_eq!(package.asked.get(), 1);
}

#[test]
fn the_best_section_comes_first_and_those_that_nothing_speaks_for_last_in_their_order() {
    let embeddings = Embeddings::parse(&alike()).unwrap();
    let texts = [
        "roses",
        "a key",
        "burglars and passwords",
        "intruders",
        "gates",
    ];
    let entries = texts.map(|text| Entry {
        heading: "House",
        text,
    });
    let words = |query: &str| rank(&entries, query, Language::English, None);
    let both = |query: &str| rank(&entries, query, Language::English, Some(&embeddings));
    assert_eq!(words("intruders"), [3, 0, 1, 2, 4]);
    assert_eq!(both("intruders"), [3, 2, 0, 1, 4]);
    assert_eq!(words("zebras"), [0, 1, 2, 3, 4]);
    // A word of the same meaning counts as much as the word itself, and more in a shorter text.
    assert_eq!(both("the burglars")[..2], [3, 2]);
    let other = rank(&entries, "intruders", Language::Other, Some(&embeddings));
    assert_eq!(other, words("intruders"));
}

quickcheck! {
    fn every_section_is_ranked_once(seeds: Vec<u8>, query: u8, with_meaning: bool) -> bool {
        const TEXTS: &[&str] = &["", "burglars", "keys of the burglars", "paint", "intruders paint", "钥匙"];
        let embeddings = Embeddings::parse(&alike()).unwrap();
        let text = |seed: u8| TEXTS[usize::from(seed) % TEXTS.len()];
        let entries: Vec<Entry<'_>> = seeds
            .iter()
            .map(|seed| Entry { heading: text(seed.rotate_left(3)), text: text(*seed) })
            .collect();
        let meaning = with_meaning.then_some(&embeddings);
        let mut order = rank(&entries, text(query), Language::English, meaning);
        order.sort_unstable();
        order == (0..seeds.len()).collect::<Vec<_>>()
    }
}
