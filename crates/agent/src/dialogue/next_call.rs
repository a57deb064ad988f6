//! What follows a model's reply, or its failure: one decision, which asks nobody.
//!
//! Driving example: a server answers 429 and asks for 3 seconds, at the first of three tries: the
//! call is made again after that wait. At the third the next model is asked.

use crate::dialogue::ask::Offer;
use gloss_model::{ModelError, Reply};

/// How often one call is made: two retries (within `max_retries` 3, Property 1).
const TRIES: u8 = 3;

/// How often half of what a model refused as too long is sent to it: to a window of 4 000
/// tokens from the most that is sent to one that is not known.
const SHRINKS: u8 = 3;

/// How often a model is told that its call could not be read; then what it said beside
/// it is its answer (SPEC §2, §14.8: nobody sees raw JSON).
const HINTS: u8 = 2;

/// A server that wants a longer wait than this is not waited for: the person
/// decides. Until then the status says how long.
const MOST_WAIT_MS: u64 = 600_000;

/// What follows a reply, or a failure.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// The reply is the answer to the call.
    Done,
    /// The model is told what was wrong with the call that it wrote.
    Hint {
        /// What it wrote.
        said: String,
        /// What was wrong with it.
        wrong: String,
    },
    /// The user is asked to let Gloss connect to this origin.
    AskPermission {
        /// As in `https://api.example`.
        origin: String,
    },
    /// Less is sent to the same model.
    Shrink,
    /// The same is sent again after a wait.
    Retry {
        /// In milliseconds.
        wait_ms: u64,
    },
    /// The next model of the user's order is asked; without one, the call has failed.
    FallBack,
    /// The call has failed.
    GiveUp,
}

/// What a decision about the next call depends on, besides the reply.
pub(super) struct Situation {
    /// The calls that this model was sent, from 1: hints and permissions aside.
    pub(super) tries: u8,
    /// The hints that were given.
    pub(super) hints: u8,
    /// The number of times that less was sent already.
    pub(super) shrunk: u8,
    pub(super) offer: Offer,
    pub(super) left: Left,
    /// The wait where the server asks for none.
    pub(super) backoff_ms: u64,
}

/// What the budgets have left for another call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    Enough,
    /// Enough, but the transcript doesn't fit: only less may be sent.
    Crowded,
    /// Nothing that costs: another model may cost less.
    NoMoney,
    /// Nothing for any model.
    NoTokens,
}

/// What comes next. It asks nobody and changes nothing.
pub(super) fn decide(situation: &Situation, reply: &Result<Reply, ModelError>) -> Next {
    let error = match reply {
        Ok(reply) => return hint(situation, reply).unwrap_or(Next::Done),
        Err(error) => error,
    };
    if let Some(origin) = error.origin_needed() {
        let origin = origin.to_owned();
        return Next::AskPermission { origin };
    }
    if error.is_too_long()
        && situation.shrunk < SHRINKS
        && matches!(situation.left, Left::Enough | Left::Crowded)
    {
        return Next::Shrink;
    }
    if situation.left == Left::Enough && situation.tries < TRIES && error.is_retryable() {
        let wait_ms = error.retry_after_ms().unwrap_or(situation.backoff_ms);
        if wait_ms <= MOST_WAIT_MS {
            return Next::Retry { wait_ms };
        }
    }
    // The user unlocks their keys rather than have another model answer.
    if error.awaits_unlocking() || situation.left == Left::NoTokens {
        Next::GiveUp
    } else {
        Next::FallBack
    }
}

fn hint(situation: &Situation, reply: &Reply) -> Option<Next> {
    let wrong = reply.malformed.clone()?;
    let may_hint = situation.offer == Offer::Tools
        && situation.hints < HINTS
        && situation.left == Left::Enough;
    let said = [&reply.text, &reply.written].map(|it| it.trim());
    let said = said.into_iter().filter(|it| !it.is_empty());
    let said = said.collect::<Vec<_>>().join("\n");
    may_hint.then_some(Next::Hint { said, wrong })
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

    fn situation() -> Situation {
        Situation {
            tries: 1,
            hints: 0,
            shrunk: 0,
            offer: Offer::Tools,
            left: Left::Enough,
            backoff_ms: 7,
        }
    }

    type Change = fn(&mut Situation);

    #[test]
    fn a_reply_or_a_failure_decides_what_comes_next() {
        use Next::{AskPermission, Done, FallBack, GiveUp, Hint, Retry, Shrink};
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
        let crowded: Change = |it| it.left = Left::Crowded;
        let no_money: Change = |it| it.left = Left::NoMoney;
        let no_tokens: Change = |it| it.left = Left::NoTokens;
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
