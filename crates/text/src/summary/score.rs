//! Scores sentences by their value for a summary, in units of one standard deviation.
//!
//! Example: the second sentence of a report has a high score if it is similar to the whole
//! page and of medium length. The score is a sum of a few terms. None of the terms depends on
//! phrases that only papers use.
//!
//! The weights of [`base_score`] were tuned on the training part of a corpus of scientific papers;
//! `cargo xtask bench summaries` measures another part. Other weights were set by judging results
//! on real pages, and never measured: those of [`standalone_score`], [`topic_score`] and
//! [`question_score`], and the penalty of [`form_score`] for a torn quotation.

use super::super::vector::{Space, Vector};
use super::Role;
use super::form::{SentenceForm, SentenceOpening};

/// The weights of a sentence's similarity to the page's centroid, and of its positional centrality.
const CENTRAL: f64 = 0.7;
const POSITIONAL: f64 = 0.2;

/// The bonus for a sentence near the top of the page, and for one near the end.
const FIRST: f64 = 0.3;
const LAST: f64 = 0.7;

/// The best length of a sentence, in words.
const BEST_WORDS: f64 = 26.0;

/// Returns the basic score of each sentence. The score depends on the similarity to the page's
/// centroid and to later sentences, a position near the top or end, the length, the details and the
/// number of clauses.
pub(super) fn base_score(
    space: &Space,
    vectors: &[Vector],
    forms: &[SentenceForm],
    places: &[f64],
) -> Vec<f64> {
    let end = places.last().copied().unwrap_or_default();
    let centroid = space.centroid(vectors);
    let central = standardised(vectors.iter().map(|v| centroid.cosine(v)).collect());
    let positional = standardised(space.positional(vectors));
    let parts = central.iter().zip(positional).zip(forms).zip(places);
    parts
        .map(|(((central, positional), form), place)| {
            CENTRAL * central
                + POSITIONAL * positional
                + FIRST * libm::exp(-place / 8.0)
                + LAST * libm::exp(-(end - place) / 6.0)
                - libm::fabs(libm::log(form.words.max(1.0) / BEST_WORDS))
                - 0.3 * form.details
                - 0.15 * form.clauses
        })
        .collect()
}

/// Shifts and scales `values` to a mean of 0 and a standard deviation of 1.
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

/// Returns the part of a sentence's score that depends on the sentence's role on the page and its
/// form.
pub(super) fn form_score(role: Role, form: &SentenceForm, opens_paragraph: bool) -> f64 {
    let role = match role {
        Role::Prose => 0.0,
        Role::Item => -0.5,
        Role::Aside => -1.0,
    };
    let opening = match form.opening {
        SentenceOpening::Plain => 0.0,
        SentenceOpening::Connective | SentenceOpening::Contrast => -0.2,
        SentenceOpening::Reference => -0.4,
    };
    // The first sentence of a paragraph usually gives the paragraph's topic.
    let topic = if opens_paragraph { 0.15 } else { 0.0 };
    let question = if form.is_question { -1.0 } else { 0.0 };
    let leads_on = if form.leads_on { -1.5 } else { 0.0 };
    let cue = if form.announces { 0.8 } else { 0.0 };
    let personal = if form.is_personal { -0.5 } else { 0.0 };
    let refers = if form.refers { -0.4 } else { 0.0 };
    let torn = if form.is_torn { -0.6 } else { 0.0 };
    role + cue + personal + refers + opening + topic + question + leads_on + torn
}

/// Returns the part of the score for sentences that are shown without their neighbours. Such a
/// sentence should be understandable alone and resemble the title (`likeness`). It should be near
/// the top of the page (`place`).
pub(super) fn standalone_score(form: &SentenceForm, likeness: f64, place: f64) -> f64 {
    let alone = match form.opening {
        SentenceOpening::Plain => 0.0,
        SentenceOpening::Contrast => -0.4,
        SentenceOpening::Connective => -0.8,
        SentenceOpening::Reference => -1.2,
    };
    let personal = if form.is_personal { -0.5 } else { 0.0 };
    let defines = if form.defines { 0.3 } else { 0.0 };
    let torn = if form.is_torn { -1.0 } else { 0.0 };
    let leans = if form.leans { -0.3 } else { 0.0 };
    let reversed = if form.is_reversed { -3.0 } else { 0.0 };
    alone
        + reversed
        + personal
        + defines
        + torn
        + leans
        + 1.5 * likeness
        + 0.6 * libm::exp(-place / 12.0)
}

/// Rates how well a sentence says what the page is about. The sentence should resemble the title
/// (`likeness`), define or announce something, and be short. Its `place` should be near the top of
/// the page, because authors introduce their subject there.
pub(super) fn topic_score(form: &SentenceForm, likeness: f64, place: f64) -> f64 {
    let defines = if form.defines { 1.2 } else { 0.0 };
    let announces = if form.announces { 0.5 } else { 0.0 };
    let long = ((form.words - 32.0) / 12.0).max(0.0);
    let introduces = 3.0 * libm::exp(-place / 8.0) + libm::exp(-place);
    let leans = if form.leans { -0.8 } else { 0.0 };
    3.0 * likeness + defines + announces + introduces + leans - long
}

/// Rates how well a sentence of the first post states the post's question. The sentence should ask
/// something, resemble the title (`likeness`), or be among the first sentences (`place`).
pub(super) fn question_score(form: &SentenceForm, likeness: f64, place: f64) -> f64 {
    let asks = if form.is_question { 2.0 } else { 0.0 };
    asks + 3.0 * likeness + libm::exp(-place / 2.0)
}
