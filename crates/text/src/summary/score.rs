//! Scores sentences by their worth for a summary, in units of one standard deviation.
//!
//! Driving example: the second sentence of a report, central and of medium length. The score is a
//! sum of few terms, each with its reason; none depends on a phrase that only papers use. The
//! weights of [`mix`] were tuned on the training part of scientific papers (`cargo xtask bench
//! summaries` reports another part). The weights of [`standing`], [`aboutness`] and [`asking`], and
//! [`manner`]'s penalty for a torn quotation, were judged by eye on real pages and never measured.

use super::super::vector::{Centroid, Vector};
use super::Role;
use super::form::{SentenceForm, SentenceOpening};

/// The bonus for the first sentences if the page's opening sums it up, for the first ones of any
/// page, and for the last.
const SUMMING_UP: f64 = 1.0;
const FIRST: f64 = 0.3;
const LAST: f64 = 0.7;

/// The length, in words, of a sentence that says most for its size.
const BEST_WORDS: f64 = 26.0;

/// The number of sentences in a page's opening.
const OPENING: usize = 5;

/// The basic score: similarity to the page's centroid, position near the top or end, length, and a
/// penalty for details.
pub(super) fn base_score(
    centroid: &Centroid,
    vectors: &[Vector],
    forms: &[SentenceForm],
    places: &[f64],
) -> Vec<f64> {
    let end = places.last().copied().unwrap_or_default();
    let central = standardised(vectors.iter().map(|v| centroid.cosine(v)).collect());
    let summing_up = SUMMING_UP * sums_up(&central, forms);
    let parts = central.iter().zip(forms).zip(places);
    parts
        .map(|((central, form), place)| {
            central
                + summing_up * libm::exp(-place / 3.0)
                + FIRST * libm::exp(-place / 8.0)
                + LAST * libm::exp(-(end - place) / 6.0)
                - libm::fabs(libm::log(form.words.max(1.0) / BEST_WORDS))
                - 0.3 * form.details
                - 0.15 * form.clauses
        })
        .collect()
}

/// The same values with mean 0 and deviation 1.
fn standardised(mut values: Vec<f64>) -> Vec<f64> {
    let all = (values.len() as f64).max(1.0);
    let mean = values.iter().sum::<f64>() / all;
    let variance = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / all;
    let deviation = libm::sqrt(variance).max(1e-9);
    for value in &mut values {
        *value = (*value - mean) / deviation;
    }
    values
}

/// The certainty that the page begins with its own summary, from 0 to 1. Then its first sentences
/// are more central than the others, as in an abstract or a report, but not in an introduction.
fn sums_up(central: &[f64], forms: &[SentenceForm]) -> f64 {
    let most = OPENING.min(central.len() / 3).max(1);
    let sentences = central.iter().zip(forms);
    let opening: Vec<f64> = sentences
        .filter(|(_, form)| form.is_sentence())
        .map(|(central, _)| *central)
        .take(most)
        .collect();
    let mean = opening.iter().sum::<f64>() / (opening.len() as f64).max(1.0);
    ((mean + 0.2) / 0.6).clamp(0.0, 1.0)
}

/// The terms that [`mix`] doesn't contain: the role on the page and the sentence's form.
pub(super) fn form_score(role: Role, form: &SentenceForm, opens_paragraph: bool) -> f64 {
    let role = match role {
        Role::Prose => 0.0,
        Role::Item => -0.5,
        Role::Aside => -1.0,
    };
    let opening = match form.opening {
        SentenceOpening::Plain => 0.0,
        SentenceOpening::Connective => -0.2,
        SentenceOpening::Reference => -0.4,
    };
    // A paragraph's first sentence usually gives its topic.
    let topic = if opens_paragraph { 0.15 } else { 0.0 };
    let question = if form.is_question { -1.0 } else { 0.0 };
    let leads_on = if form.leads_on { -1.5 } else { 0.0 };
    let cue = if form.announces { 0.8 } else { 0.0 };
    let personal = if form.is_personal { -0.5 } else { 0.0 };
    let refers = if form.refers { -0.4 } else { 0.0 };
    let torn = if form.is_torn { -0.6 } else { 0.0 };
    role + cue + personal + refers + opening + topic + question + leads_on + torn
}

/// The terms that are added if each sentence is shown without its neighbours: it should be
/// understandable alone, share the title's subject, and be near the page's introduction.
pub(super) fn standalone_score(form: &SentenceForm, likeness: f64, place: f64) -> f64 {
    let alone = match form.opening {
        SentenceOpening::Plain => 0.0,
        SentenceOpening::Connective => -0.8,
        SentenceOpening::Reference => -1.2,
    };
    let personal = if form.is_personal { -0.5 } else { 0.0 };
    let defines = if form.defines { 0.3 } else { 0.0 };
    let torn = if form.is_torn { -1.0 } else { 0.0 };
    let leans = if form.leans { -0.3 } else { 0.0 };
    alone + personal + defines + torn + leans + 1.5 * likeness + 1.2 * libm::exp(-place / 12.0)
}

/// The degree to which a sentence says what the page is about. It should resemble the title
/// (`likeness`), define or announce, be short, and have a `place` near the top, where authors
/// introduce their subject.
pub(super) fn topic_score(form: &SentenceForm, likeness: f64, place: f64) -> f64 {
    let defines = if form.defines { 1.2 } else { 0.0 };
    let announces = if form.announces { 0.5 } else { 0.0 };
    let long = ((form.words - 32.0) / 12.0).max(0.0);
    let introduces = 3.0 * libm::exp(-place / 8.0) + libm::exp(-place);
    let leans = if form.leans { -0.8 } else { 0.0 };
    3.0 * likeness + defines + announces + introduces + leans - long
}

/// The degree to which a sentence of an opening post states its question: it asks, resembles the
/// title (`likeness`), or is the first.
pub(super) fn question_score(form: &SentenceForm, likeness: f64, place: f64) -> f64 {
    let asks = if form.is_question { 2.0 } else { 0.0 };
    asks + 3.0 * likeness + libm::exp(-place / 2.0)
}
