//! The vectors are those of the Python package from which the model comes.
//!
//! `cargo xtask test` packs the model and runs `reference.py`, which computes the vectors. So no
//! vectors are committed that no one can check.

use gloss_sentence_model::{Comparer, FILE_BYTES, LoadError, SentenceModel};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The packed model and the reference, or `None` outside of `cargo xtask test`.
fn files() -> Option<[PathBuf; 2]> {
    let file = |name| std::env::var_os(name).map(PathBuf::from);
    let both = file("GLOSS_SENTENCE_MODEL").zip(file("GLOSS_SENTENCE_REFERENCE"));
    if both.is_none() {
        println!("skipped: no sentence model (only `cargo xtask test` names it)");
    }
    both.map(<[PathBuf; 2]>::from)
}

#[test]
fn every_vector_is_that_of_the_python_package() {
    let Some([model, reference]) = files() else {
        return;
    };
    let model = SentenceModel::read(std::fs::read(model).unwrap()).unwrap();
    let rows: Vec<Value> = serde_json::from_slice(&std::fs::read(reference).unwrap()).unwrap();
    let texts: Vec<&str> = rows
        .iter()
        .map(|row| row["text"].as_str().unwrap())
        .collect();
    let mut least = BTreeMap::new();
    for (row, vector) in rows.iter().zip(model.embed(&texts)) {
        let expected = row["vector"].as_array().unwrap().iter();
        let expected: Vec<f64> = expected.map(|part| part.as_f64().unwrap()).collect();
        let parts = vector.parts().iter().map(|part| f64::from(*part));
        let cosine: f64 = parts.zip(expected).map(|(a, b)| a * b).sum();
        assert!(cosine > 0.9999, "{cosine} for {:?}", row["text"]);
        let language = row["language"].as_str().unwrap();
        let (count, least) = least.entry(language).or_insert((0, 1.0_f64));
        (*count, *least) = (*count + 1, least.min(cosine));
    }
    println!("language: (texts, least cosine): {least:?}");
    assert!(rows.len() >= 500 && least.len() == 9, "{least:?}");
}

#[test]
fn a_vector_does_not_depend_on_the_other_texts() {
    let Some([model, _]) = files() else {
        return;
    };
    let model = SentenceModel::read(std::fs::read(model).unwrap()).unwrap();
    let long = "lighthouse ".repeat(500);
    let texts = ["Who keeps the light?", &long, "", "Wer hütet das Licht?"];
    let together = model.embed(&texts);
    for (text, vector) in texts.iter().zip(&together) {
        let cosine = model.embed(&[text])[0].cosine(vector);
        assert!((cosine - 1.0).abs() < 1e-5, "{cosine}");
    }
    let expected = together[0].cosine(&together[3]);
    assert!(expected > 0.6);
    assert!(model.embed(&[]).is_empty());
    let mut comparer = Comparer::new(model);
    for _ in 0..2 {
        let cosines = comparer.cosines(texts[0], &[texts[3], texts[0]]);
        assert!((cosines[0] - expected).abs() < 1e-5 && (cosines[1] - 1.0).abs() < 1e-5);
    }
}

#[test]
fn bytes_that_are_no_whole_model_are_refused() {
    assert_eq!(
        SentenceModel::read(Vec::new()).err(),
        Some(LoadError::Damaged)
    );
    assert_eq!(
        SentenceModel::read(b"sentences0".to_vec()).err(),
        Some(LoadError::Magic)
    );
    assert_eq!(
        SentenceModel::read(b"sentences1\x01\0\0\0".to_vec()).err(),
        Some(LoadError::Damaged)
    );
    let Some([model, _]) = files() else {
        return;
    };
    let mut bytes = std::fs::read(model).unwrap();
    assert_eq!(bytes.len(), FILE_BYTES);
    bytes.pop();
    assert_eq!(SentenceModel::read(bytes).err(), Some(LoadError::Damaged));
}
