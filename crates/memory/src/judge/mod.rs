//! What is not remembered, and why (SPEC §5, DETAILS §5).
//!
//! Driving example: "my card is 4111 1111 1111 1111" contains a number that is a card's by its
//! check digit: refused, whatever else the sentence says. What is refused is not stored, and
//! the reason repeats none of it. Deliberately absent: what a sentence means. The model that
//! saves says whether it is about the user and lasts.

mod identity;
mod secrets;

#[cfg(test)]
mod tests;

use super::draft::{Draft, MOST_CHARACTERS, tidied};
use super::fact::usual;
use gloss_model::phrase::{Phrase, phrase};
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
    /// It does not last, as the model says.
    NotLasting,
    /// It is not sure.
    Guess,
    /// It is not about the user, as the model says.
    NotAboutUser,
    /// It replaces a fact that is not known.
    UnknownFact,
    /// All that there is room for is pinned.
    NoRoom,
}

impl Refusal {
    /// Whether the words themselves must not be repeated.
    pub fn is_of_secrets(self) -> bool {
        matches!(self, Self::Secret | Self::Card | Self::Identity)
    }

    /// The reason for the model, which may then save something else.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Empty => "it says nothing",
            Self::TooLong => "it is longer than 300 characters: save one fact at a time",
            Self::Secret => "it contains a password, a key or a token; those are never saved",
            Self::Card => "it contains a card number; those are never saved",
            Self::Identity => "it contains an identity or account number; those are never saved",
            Self::NotLasting => "you said that it does not last; only lasting facts are saved",
            Self::Guess => "it is a guess: save what the user said, with a confidence from 0.6",
            Self::NotAboutUser => {
                "you said that it is not about the user; only facts about the user are saved"
            }
            Self::UnknownFact => {
                "no known fact has the id in replaces: take the id from memory_retrieve, or \
                leave replaces out"
            }
            Self::NoRoom => "the user has pinned as many facts of this tier as there is room for",
        }
    }

    /// A name for the content, for the person, where it must not be repeated or is blank.
    pub fn named(self) -> Option<Phrase> {
        match self {
            Self::Secret => Some(phrase("memory_a_secret")),
            Self::Card => Some(phrase("memory_a_card")),
            Self::Identity => Some(phrase("memory_an_identity")),
            Self::Empty => Some(phrase("memory_a_blank")),
            Self::TooLong
            | Self::NotLasting
            | Self::Guess
            | Self::NotAboutUser
            | Self::UnknownFact
            | Self::NoRoom => None,
        }
    }

    /// The reason for the person.
    pub fn why(self) -> Phrase {
        phrase(match self {
            Self::Empty => "memory_refused_empty",
            Self::TooLong => "memory_refused_long",
            Self::Secret | Self::Card | Self::Identity => "memory_refused_secret",
            Self::NotLasting => "memory_refused_today",
            Self::Guess => "memory_refused_guess",
            Self::NotAboutUser => "memory_refused_other",
            Self::UnknownFact => "memory_refused_replaces",
            Self::NoRoom => "memory_refused_room",
        })
    }
}

/// Judges a draft of a model, apart from what it replaces.
///
/// # Errors
/// Why it is not kept.
pub(super) fn judge(draft: &Draft) -> Result<(), Refusal> {
    judge_typed(draft)?;
    let confidence = draft.confidence.unwrap_or_else(usual);
    if !draft.about_user {
        return Err(Refusal::NotAboutUser);
    }
    if !draft.lasting {
        return Err(Refusal::NotLasting);
    }
    if confidence.is_nan() || confidence < LEAST_CONFIDENCE {
        return Err(Refusal::Guess);
    }
    Ok(())
}

/// Judges what the person wrote themselves: they know what is so, but secrets are refused,
/// in the sentence or its keywords.
///
/// # Errors
/// Why it is not kept.
pub(super) fn judge_typed(draft: &Draft) -> Result<(), Refusal> {
    let content = tidied(&draft.content);
    if !content.chars().any(char::is_alphanumeric) {
        return Err(Refusal::Empty);
    }
    holds_no_secret(&content)?;
    for keyword in &draft.keywords {
        holds_no_secret(&tidied(keyword))?;
    }
    if content.chars().count() > MOST_CHARACTERS {
        return Err(Refusal::TooLong);
    }
    Ok(())
}

/// Whether a text contains what is never kept: a password, a key, a number of a card or a
/// person.
pub fn holds_secret(words: &str) -> bool {
    holds_no_secret(&tidied(words)).is_err()
}

fn holds_no_secret(words: &str) -> Result<(), Refusal> {
    let words = &half_width(words);
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

/// A text whose full-width letters and figures, as Chinese keyboards write them, are plain.
fn half_width(text: &str) -> String {
    let plain = |letter: char| match letter {
        '！'..='～' => char::from_u32(u32::from(letter) - 0xFEE0).unwrap_or(letter),
        letter => letter,
    };
    text.chars().map(plain).collect()
}
