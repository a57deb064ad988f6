//! What is not remembered, and why (SPEC §5, DETAILS §5).
//!
//! Driving example: "my card is 4111 1111 1111 1111" holds a number that is a card's by its
//! check digit: refused, whatever else the sentence says. What is refused is nowhere kept,
//! and the reason repeats none of it. By rules alone: no model is asked, in two languages.

mod about;
mod form;
mod identity;
mod opened;
mod secrets;
mod told;

#[cfg(test)]
mod tests;

pub(super) use about::begins_as_of_the_person;
pub(super) use form::asks;

use super::draft::{Draft, MOST_CHARACTERS, tidied};
use super::fact::usual;
use crate::phrase::{Phrase, phrase};
use serde::{Deserialize, Serialize};

/// Below this a fact is a guess (DETAILS §5).
const LEAST_CONFIDENCE: f64 = 0.6;

/// Why something is not remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// It says nothing.
    Empty,
    /// It is longer than a fact is.
    TooLong,
    /// A password, a key, a token.
    Secret,
    /// The number of a card.
    Card,
    /// A number by which a state or a bank knows the person.
    Identity,
    /// It asks.
    Question,
    /// It is true only today.
    Today,
    /// It is not sure.
    Guess,
    /// It says nothing of the person.
    NotAboutUser,
    /// All that there is room for is pinned.
    NoRoom,
}

impl Refusal {
    /// Whether the words themselves must not be repeated.
    pub fn is_of_secrets(self) -> bool {
        matches!(self, Self::Secret | Self::Card | Self::Identity)
    }

    /// For the model, which may say it otherwise.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Empty => "it says nothing",
            Self::TooLong => "it is longer than 300 characters: save one fact at a time",
            Self::Secret => "it holds a password, a key or a token; such are never saved",
            Self::Card => "it holds a card number; such are never saved",
            Self::Identity => "it holds an identity or account number; such are never saved",
            Self::Question => "it is a question",
            Self::Today => "it is true only for a day or so",
            Self::Guess => "it is a guess: save what the user said, with a confidence from 0.6",
            Self::NotAboutUser => {
                "it is not about the user: say it of them, as in \"The user prefers tea\""
            }
            Self::NoRoom => "the user has pinned as many facts of this tier as there is room for",
        }
    }

    /// What it was, for the person, where the words themselves must not be repeated, or
    /// there are none.
    pub fn named(self) -> Option<Phrase> {
        match self {
            Self::Secret => Some(phrase("memory_a_secret")),
            Self::Card => Some(phrase("memory_a_card")),
            Self::Identity => Some(phrase("memory_an_identity")),
            Self::Empty => Some(phrase("memory_a_blank")),
            Self::TooLong
            | Self::Question
            | Self::Today
            | Self::Guess
            | Self::NotAboutUser
            | Self::NoRoom => None,
        }
    }

    /// Why, for the person.
    pub fn why(self) -> Phrase {
        phrase(match self {
            Self::Empty => "memory_refused_empty",
            Self::TooLong => "memory_refused_long",
            Self::Secret | Self::Card | Self::Identity => "memory_refused_secret",
            Self::Question => "memory_refused_question",
            Self::Today => "memory_refused_today",
            Self::Guess => "memory_refused_guess",
            Self::NotAboutUser => "memory_refused_other",
            Self::NoRoom => "memory_refused_room",
        })
    }
}

/// A text with its letters and figures as a keyboard has them: not full-width, no figures of
/// other scripts, no word spelt out in single letters, no blanks within Chinese.
fn undisguised(text: &str) -> String {
    let figure = |letter: char, zero: u32| {
        let figure = u32::from(letter) + u32::from('0') - zero;
        char::from_u32(figure).unwrap_or(letter)
    };
    let plain = |letter: char| match letter {
        '！'..='～' => figure(letter, u32::from('０')),
        '٠'..='٩' => figure(letter, u32::from('٠')),
        '۰'..='۹' => figure(letter, u32::from('۰')),
        letter => letter,
    };
    let text: String = text.chars().map(plain).collect();
    let mut out = String::with_capacity(text.len());
    let mut before = "";
    for word in text.split(' ') {
        let alone = |word: &str| word.len() == 1 && word.bytes().all(|it| it.is_ascii_alphabetic());
        let chinese = |letter: Option<char>| letter.is_some_and(|it| ('一'..='鿿').contains(&it));
        let joins = alone(before) && alone(word)
            || chinese(before.chars().next_back()) && chinese(word.chars().next());
        if !out.is_empty() && !joins {
            out.push(' ');
        }
        out.push_str(word);
        before = word;
    }
    out
}

/// Judges what a model would have remembered.
///
/// # Errors
/// Why it is not.
pub fn judge(draft: &Draft) -> Result<(), Refusal> {
    judge_typed(draft)?;
    let content = tidied(&draft.content);
    let confidence = draft.confidence.unwrap_or_else(usual);
    if form::asks(&content) {
        return Err(Refusal::Question);
    }
    if form::is_of_today(&content) {
        return Err(Refusal::Today);
    }
    if confidence.is_nan() || confidence < LEAST_CONFIDENCE || form::hedges(&content) {
        return Err(Refusal::Guess);
    }
    if !about::is_about_user(&content) {
        return Err(Refusal::NotAboutUser);
    }
    Ok(())
}

/// Judges what the person wrote themselves: they know what is so, but what is secret has no
/// place here all the same, in the sentence or beside it.
///
/// # Errors
/// Why it is not kept.
pub(super) fn judge_typed(draft: &Draft) -> Result<(), Refusal> {
    let content = tidied(&draft.content);
    if !content.chars().any(char::is_alphanumeric) {
        return Err(Refusal::Empty);
    }
    holds_no_secret(&content)?;
    for beside in draft.keywords.iter().chain(&draft.replaces) {
        holds_no_secret(&tidied(beside))?;
    }
    if content.chars().count() > MOST_CHARACTERS {
        return Err(Refusal::TooLong);
    }
    Ok(())
}

/// Whether words hold what is never kept: a password, a key, a number of a card or a person.
pub fn holds_secret(words: &str) -> bool {
    holds_no_secret(&tidied(words)).is_err()
}

fn holds_no_secret(words: &str) -> Result<(), Refusal> {
    let words = &undisguised(words);
    if identity::has_card(words) {
        return Err(Refusal::Card);
    }
    if identity::has_identity(words) {
        return Err(Refusal::Identity);
    }
    if secrets::has_secret(words) {
        return Err(Refusal::Secret);
    }
    Ok(())
}
