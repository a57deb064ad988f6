//! The rules by which facts are refused.
//!
//! Example: "my card is 4111 1111 1111 1111" contains a number with a card's check digit,
//! so the text is refused. Refused text is not stored, and the reason doesn't repeat the text.
//! These rules don't judge the meaning of a sentence. The model that saves a fact says if the fact
//! is about the user and will stay true.

mod identity;
mod secrets;

#[cfg(test)]
mod tests;

use super::draft::{Draft, MOST_CHARACTERS, tidy};
use super::fact::default_confidence;
use gloss_model::phrase::{Phrase, phrase};
use serde::{Deserialize, Serialize};

/// The minimum confidence, from 0 to 1. A fact with a lower confidence counts as a guess.
const LEAST_CONFIDENCE: f64 = 0.6;

/// The reason for which a fact is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// The text is empty.
    Empty,
    /// The text is too long.
    TooLong,
    /// The text contains a password, a key or a token.
    Secret,
    /// The text contains a card number.
    Card,
    /// The text contains an identity or account number.
    Identity,
    /// The model says that the fact is true only now.
    NotLasting,
    /// The confidence is too low.
    Guess,
    /// The model says that the fact isn't about the user.
    NotAboutUser,
    /// The fact that the draft replaces isn't known.
    UnknownFact,
    /// The tier is full of pinned facts.
    NoRoom,
}

impl Refusal {
    /// Returns true if the text contains a secret and must not be repeated.
    pub fn is_of_secrets(self) -> bool {
        matches!(self, Self::Secret | Self::Card | Self::Identity)
    }

    /// Returns the reason, as a text for the model. The model can then correct the draft.
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

    /// Returns a description that is shown instead of the text, if the text is empty or must not be
    /// repeated. `None` if the text can be shown.
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

    /// Returns the reason, as a text for the user.
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

/// Checks a model's draft. The caller checks the fact that the draft replaces.
///
/// # Errors
/// The reason for which the draft is refused.
pub(super) fn check_model_draft(draft: &Draft) -> Result<(), Refusal> {
    check_user_draft(draft)?;
    let confidence = draft.confidence.unwrap_or_else(default_confidence);
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

/// Checks a draft that the user wrote. Gloss doesn't judge if the sentence is true, but refuses
/// secrets in the sentence and in the keywords.
///
/// # Errors
/// The reason for which the draft is refused.
pub(super) fn check_user_draft(draft: &Draft) -> Result<(), Refusal> {
    let content = tidy(&draft.content);
    if !content.chars().any(char::is_alphanumeric) {
        return Err(Refusal::Empty);
    }
    holds_no_secret(&content)?;
    for keyword in &draft.keywords {
        holds_no_secret(&tidy(keyword))?;
    }
    if content.chars().count() > MOST_CHARACTERS {
        return Err(Refusal::TooLong);
    }
    Ok(())
}

/// Returns true if a text contains a secret: a password, a key, or a card or identity number.
pub fn holds_secret(words: &str) -> bool {
    holds_no_secret(&tidy(words)).is_err()
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

/// Converts full-width letters and digits, which Chinese keyboards can produce, to ASCII.
fn half_width(text: &str) -> String {
    let plain = |letter: char| match letter {
        '！'..='～' => char::from_u32(u32::from(letter) - 0xFEE0).unwrap_or(letter),
        letter => letter,
    };
    text.chars().map(plain).collect()
}
