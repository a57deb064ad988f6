//! Decides what the run does after a model's reply or a failed model call.
//!
//! Example: on the first of three tries, a server answers 429 and requests a wait of 3
//! seconds. The call is repeated after 3 seconds. If the third try fails, the run calls the next
//! fallback model.

use crate::dialogue::ask::Offer;
use gloss_model::{ModelError, Reply};

/// The number of tries of one call: the first try and two retries. Property 1 allows three retries.
const TRIES: u8 = 3;

/// The maximum number of times that a refused prompt is halved. After three halvings, the largest
/// prompt for an unknown window fits a window of 4 000 tokens.
const SHRINKS: u8 = 3;

/// The maximum number of hints about an unreadable tool call. After the last hint, the reply's text
/// without the call becomes the answer. The user must never see raw JSON (SPEC §2, §14.8).
const HINTS: u8 = 2;

/// The longest wait before a retry, in milliseconds. If a server requests a longer wait, the run
/// calls the next fallback model. If no fallback model is left, the call fails with a message that
/// states the wait.
const MOST_WAIT_MS: u64 = 600_000;

/// The action that follows a reply or a failure.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NextCall {
    /// The reply is the result of the call.
    Done,
    /// The model is called again, after a message that says what was wrong with its tool call.
    Hint {
        /// The model's text.
        said: String,
        /// The error in the model's tool call.
        wrong: String,
    },
    /// The user is asked to let Gloss connect to this origin.
    AskPermission {
        /// The origin, such as `https://api.example`.
        origin: String,
    },
    /// A shorter prompt is sent to the same model.
    Shrink,
    /// The same prompt is sent again after a wait.
    Retry {
        /// The wait, in milliseconds.
        wait_ms: u64,
    },
    /// The next fallback model is called. If no fallback model is left, the call has failed.
    FallBack,
    /// The call has failed, and no fallback model is called.
    GiveUp,
}

/// The state that a decision depends on, besides the reply.
pub(super) struct CallState {
    /// The number of tries with this model, from 1. A call after a hint or after a granted
    /// permission is not counted.
    pub(super) tries: u8,
    /// The number of hints that the model was given.
    pub(super) hints: u8,
    /// The number of times that the prompt was shortened.
    pub(super) shrunk: u8,
    pub(super) offer: Offer,
    pub(super) left: RemainingBudget,
    /// The wait before a retry if the server requests none, in milliseconds.
    pub(super) backoff_ms: u64,
}

/// The budget that is left for another call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RemainingBudget {
    Enough,
    /// Tokens and money are left, but the transcript doesn't fit. Only a shorter prompt may be
    /// sent.
    Crowded,
    /// The money is used up, so only a cheaper model may be called.
    NoMoney,
    /// The tokens are used up, so no model may be called.
    NoTokens,
}

/// Returns the next action. The function has no side effects.
pub(super) fn decide(situation: &CallState, reply: &Result<Reply, ModelError>) -> NextCall {
    let error = match reply {
        Ok(reply) => return hint(situation, reply).unwrap_or(NextCall::Done),
        Err(error) => error,
    };
    if let Some(origin) = error.origin_needed() {
        let origin = origin.to_owned();
        return NextCall::AskPermission { origin };
    }
    if error.is_too_long()
        && situation.shrunk < SHRINKS
        && matches!(
            situation.left,
            RemainingBudget::Enough | RemainingBudget::Crowded
        )
    {
        return NextCall::Shrink;
    }
    if situation.left == RemainingBudget::Enough && situation.tries < TRIES && error.is_retryable()
    {
        let wait_ms = error.retry_after_ms().unwrap_or(situation.backoff_ms);
        if wait_ms <= MOST_WAIT_MS {
            return NextCall::Retry { wait_ms };
        }
    }
    // If the API keys are locked, no fallback model is called, because the user can unlock the
    // keys.
    if error.needs_unlocked_keys() || situation.left == RemainingBudget::NoTokens {
        NextCall::GiveUp
    } else {
        NextCall::FallBack
    }
}

fn hint(situation: &CallState, reply: &Reply) -> Option<NextCall> {
    let wrong = reply.malformed.clone()?;
    let may_hint = situation.offer == Offer::Tools
        && situation.hints < HINTS
        && situation.left == RemainingBudget::Enough;
    let said = [&reply.text, &reply.written].map(|it| it.trim());
    let said = said.into_iter().filter(|it| !it.is_empty());
    let said = said.collect::<Vec<_>>().join("\n");
    may_hint.then_some(NextCall::Hint { said, wrong })
}

#[cfg(test)]
mod tests {
    use super::*;
    use gloss_model::{Fault, Server, ServerKind, Usage};

    fn error(fault: Fault) -> Result<Reply, ModelError> {
        Err(ModelError::Server {
            server: Box::new(Server {
                name: "Name".to_owned(),
                origin: "https://a.example".to_owned(),
                model: "m".to_owned(),
                kind: ServerKind::Other,
            }),
            fault,
            used: Usage::default(),
            partial: String::new(),
        })
    }

    fn malformed() -> Reply {
        Reply {
            text: " So: ".to_owned(),
            written: "{".to_owned(),
            malformed: Some("no end".to_owned()),
            ..Reply::default()
        }
    }

    fn situation() -> CallState {
        CallState {
            tries: 1,
            hints: 0,
            shrunk: 0,
            offer: Offer::Tools,
            left: RemainingBudget::Enough,
            backoff_ms: 7,
        }
    }

    type Change = fn(&mut CallState);

    #[test]
    fn a_reply_or_a_failure_decides_what_comes_next() {
        use NextCall::{AskPermission, Done, FallBack, GiveUp, Hint, Retry, Shrink};
        let limited = |ms| {
            error(Fault::RateLimited {
                retry_after_ms: Some(ms),
            })
        };
        let too_long = || error(Fault::ContextTooLong { said: None });
        let denied = || {
            error(Fault::NotPermitted {
                origin: "https://a.example".to_owned(),
            })
        };
        let hint = || Hint {
            said: "So:\n{".to_owned(),
            wrong: "no end".to_owned(),
        };
        let ask = || AskPermission {
            origin: "https://a.example".to_owned(),
        };
        let same: Change = |_| ();
        let crowded: Change = |it| it.left = RemainingBudget::Crowded;
        let no_money: Change = |it| it.left = RemainingBudget::NoMoney;
        let no_tokens: Change = |it| it.left = RemainingBudget::NoTokens;
        let tried: Change = |it| it.tries = TRIES;
        let hinted: Change = |it| it.hints = HINTS;
        let shrunk: Change = |it| it.shrunk = SHRINKS;
        let silent: Change = |it| it.offer = Offer::Nothing;
        let table = [
            (Ok(Reply::default()), same, Done),
            (Ok(malformed()), same, hint()),
            (Ok(malformed()), hinted, Done),
            (Ok(malformed()), silent, Done),
            (Ok(malformed()), crowded, Done),
            (Ok(malformed()), no_money, Done),
            (denied(), same, ask()),
            (denied(), no_money, ask()),
            (too_long(), same, Shrink),
            (too_long(), crowded, Shrink),
            (too_long(), tried, Shrink),
            (too_long(), shrunk, FallBack),
            (too_long(), no_money, FallBack),
            (too_long(), no_tokens, GiveUp),
            (error(Fault::Cut), same, Retry { wait_ms: 7 }),
            (error(Fault::Cut), crowded, FallBack),
            (error(Fault::Cut), no_money, FallBack),
            (error(Fault::Cut), no_tokens, GiveUp),
            (error(Fault::Cut), tried, FallBack),
            (limited(9), same, Retry { wait_ms: 9 }),
            (
                limited(MOST_WAIT_MS),
                same,
                Retry {
                    wait_ms: MOST_WAIT_MS,
                },
            ),
            (limited(MOST_WAIT_MS + 1), same, FallBack),
            (error(Fault::Unreachable), same, FallBack),
            (error(Fault::KeysLocked), same, GiveUp),
            (Err(ModelError::NoPage), same, FallBack),
        ];
        for (place, (reply, change, expected)) in table.into_iter().enumerate() {
            let mut situation = situation();
            change(&mut situation);
            assert_eq!(decide(&situation, &reply), expected, "row {place}");
        }
    }
}
