//! What makes a sentence worth quoting, in units of one standard deviation.
//!
//! Driving example: the second sentence of a report, central and of a middling
//! length. Deliberately a sum of few terms, each with its reason. Weights that are
//! not published ones were picked on training papers, but while scores on the test
//! papers had been looked at: those scores may flatter it a little.

use super::super::vector::{Centroid, Vector};
use super::Role;
use super::form::{Form, Opening};

/// The pull of the page's first sentences, and of its last.
const FIRST: f64 = 2.0;
const LAST: f64 = 0.5;

/// The published mix: how central a sentence is to the page, how near its top
/// or end, and whether its length is one of a sentence that says something.
pub(super) fn mix(
    centroid: &Centroid,
    vectors: &[Vector],
    forms: &[Form],
    places: &[f64],
) -> Vec<f64> {
    let end = places.last().copied().unwrap_or_default();
    let central: Vec<f64> = vectors.iter().map(|v| centroid.cosine(v)).collect();
    let all = central.len() as f64;
    let mean = central.iter().sum::<f64>() / all.max(1.0);
    let variance = central.iter().map(|c| (c - mean) * (c - mean)).sum::<f64>() / all.max(1.0);
    let deviation = libm::sqrt(variance).max(1e-9);
    central
        .iter()
        .zip(forms)
        .zip(places)
        .map(|((central, form), place)| {
            (central - mean) / deviation
                + FIRST * libm::exp(-place / 3.0)
                + LAST * libm::exp(-(end - place) / 6.0)
                - length_penalty(form.words)
        })
        .collect()
}

fn length_penalty(words: f64) -> f64 {
    match words {
        w if w < 8.0 => 1.5,
        w if w > 45.0 => 0.7,
        _ => 0.0,
    }
}

/// What the mix can't see: the place in the layout and the sentence's form.
pub(super) fn manner(role: Role, form: &Form, opens_paragraph: bool) -> f64 {
    let role = match role {
        Role::Prose => 0.0,
        Role::Item => -0.5,
        Role::Aside => -1.0,
    };
    let opening = match form.opening {
        Opening::Plain => 0.0,
        Opening::Connective => -0.2,
        Opening::Reference => -0.4,
    };
    // A paragraph's first sentence tells its topic.
    let topic = if opens_paragraph { 0.15 } else { 0.0 };
    let question = if form.is_question { -1.0 } else { 0.0 };
    let leads_on = if form.leads_on { -1.5 } else { 0.0 };
    let cue = if form.announces { 1.0 } else { 0.0 };
    let personal = if form.is_personal { -0.5 } else { 0.0 };
    let refers = if form.refers { -0.6 } else { 0.0 };
    role + cue + personal + refers + opening + topic + question + leads_on
}

/// What counts beside [`manner`] where each sentence is shown without its
/// neighbours: that it can be understood, shares the title's subject, and stands
/// where a page introduces itself.
pub(super) fn standing(form: &Form, likeness: f64, place: f64) -> f64 {
    let alone = match form.opening {
        Opening::Plain => 0.0,
        Opening::Connective => -0.8,
        Opening::Reference => -1.2,
    };
    let personal = if form.is_personal { -0.5 } else { 0.0 };
    let defines = if form.defines { 0.3 } else { 0.0 };
    alone + personal + defines + 1.5 * likeness + 1.2 * libm::exp(-place / 12.0)
}

/// How well a sentence says what the page is about: it names what the title
/// names (`likeness`), defines or announces, is short, and stands at a `place`
/// near the top, where authors introduce their subject.
pub(super) fn aboutness(form: &Form, likeness: f64, place: f64) -> f64 {
    let defines = if form.defines { 0.7 } else { 0.0 };
    let announces = if form.announces { 0.5 } else { 0.0 };
    let long = ((form.words - 28.0) / 10.0).max(0.0);
    let introduces = 3.0 * libm::exp(-place / 8.0);
    3.0 * likeness + defines + announces + introduces - long
}
