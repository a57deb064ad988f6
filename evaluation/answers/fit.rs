//! Fits the weights of the sum in `text::answer`, with a logistic regression by gradient descent.
//! The examples are the sentences with the highest current scores. Questions of the test part are
//! never used.

use super::{Pages, Question, embeddings};

/// The number of sentences per question that become examples.
const SENTENCES: usize = 6;

/// The strength of the L2 regularisation, which keeps weights small unless the data supports them.
const RIDGE: f64 = 0.02;

/// A sentence's terms, true if the sentence answers the question, and the example's weight.
struct Example {
    terms: Vec<f64>,
    answers: bool,
    weight: f64,
}

/// Prints the fitted weights. The constant term is the first.
pub(crate) fn fit(questions: &[Question], pages: &mut Pages) {
    let meaning = embeddings();
    let mut examples = Vec::new();
    for question in questions.iter().filter(|question| question.split != "test") {
        let Some(page) = pages.read(&question.page) else {
            continue;
        };
        let found = page.find_answers(&question.question, meaning.as_ref(), SENTENCES);
        let of_question = found
            .answers
            .iter()
            .enumerate()
            .map(|(rank, answer)| Example {
                terms: answer.terms.to_vec(),
                answers: question.is_in(found.sentences[answer.sentence].text),
                // The answer that is shown first counts more.
                weight: if rank == 0 { 1.0 } else { 0.4 },
            });
        examples.extend(of_question);
    }
    let weights = descend(&examples);
    let answers = examples.iter().filter(|example| example.answers).count();
    println!("{} sentences, {answers} answer", examples.len());
    println!("{weights:.2?}");
}

fn descend(examples: &[Example]) -> Vec<f64> {
    let size = examples.first().map_or(0, |example| example.terms.len());
    let mut weights = vec![0.0; size + 1];
    let total: f64 = examples.iter().map(|example| example.weight).sum();
    for _ in 0..20_000 {
        let mut slope: Vec<f64> = weights.iter().map(|weight| RIDGE * weight).collect();
        slope[0] = 0.0;
        for example in examples {
            let sum = weights[0] + products(&weights[1..], &example.terms);
            let told = 1.0 / (1.0 + (-sum).exp());
            let off = (told - f64::from(u8::from(example.answers))) * example.weight / total;
            slope[0] += off;
            for (slope, term) in slope[1..].iter_mut().zip(&example.terms) {
                *slope += off * term;
            }
        }
        for (weight, slope) in weights.iter_mut().zip(&slope) {
            *weight -= 0.5 * slope;
        }
    }
    weights
}

fn products(weights: &[f64], terms: &[f64]) -> f64 {
    weights
        .iter()
        .zip(terms)
        .map(|(weight, term)| weight * term)
        .sum()
}
