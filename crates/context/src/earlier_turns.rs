//! Shortens the messages of earlier turns to a number of tokens.
//!
//! Example: the previous turn explained a passage of 8 000 tokens, and the user asks "What
//! is the second point?". Older turns are dropped completely. In the previous turn, the passage is
//! cut to its beginning and its end, and the explanation stays complete.

use super::Context;
use super::pieces::{MessageKind, Piece, cost};
use gloss_model::{Part, Role};
use gloss_text::tokens::{self, estimate};
use std::rc::Rc;

/// The text that replaces the part that was cut out.
pub const LEFT_OUT: &str = " […] ";

/// The maximum cost of [`LEFT_OUT`] in tokens.
const LEFT_OUT_TOKENS: u32 = 2;

/// The number of tokens by which a cut text may cost more than estimated, because of JSON and
/// rounding.
const SLACK_TOKENS: u32 = 2;

/// The maximum number of tokens that an id in brackets costs.
const NAMED_TOKENS: u32 = 4;

/// The smallest number of tokens in which the newest earlier turn is still useful. With fewer
/// tokens, this turn is dropped too.
const LEAST_TOKENS: u32 = 60;

/// The smallest number of tokens to which [`Newest::Stays`] shortens earlier turns. It is enough
/// for both ends of the newest turn's question and answer.
const NEWEST_TOKENS: u32 = 200;

/// The treatment of the newest earlier turn when earlier turns are shortened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Newest {
    /// At least a part of the turn stays.
    Stays,
    /// The turn may be dropped too.
    MayGo,
}

impl Context {
    /// Shortens earlier turns by this number of tokens. The oldest turns are dropped first.
    pub fn trim_history_by(&mut self, over_tokens: u32, newest: Newest) {
        if over_tokens == 0 {
            return;
        }
        let before = self.pieces.iter().filter(|it| turn_of(it).is_some());
        let said: u32 = before.map(|piece| piece.tokens).sum();
        let least = match newest {
            Newest::Stays => NEWEST_TOKENS,
            Newest::MayGo => 0,
        };
        self.trim_history(said.saturating_sub(over_tokens).max(least));
    }

    /// Drops the oldest earlier turns until the others fit into `history_tokens`. If the newest
    /// earlier turn alone is too long, its long messages are cut to their beginning and end.
    pub fn trim_history(&mut self, history_tokens: u32) {
        let turns = self.pieces.iter().filter_map(turn_of);
        let Some(newest) = turns.max() else {
            return;
        };
        let before = self.pieces.iter().filter(|it| turn_of(it).is_some());
        let mut left: u32 = before.map(|piece| piece.tokens).sum();
        if left <= history_tokens {
            return;
        }
        let most_dropped = if history_tokens < LEAST_TOKENS {
            newest + 1
        } else {
            newest
        };
        let mut first_kept = 0;
        for piece in &self.pieces {
            if let MessageKind::Before(turn) = piece.what
                && turn < most_dropped
                && (left > history_tokens || turn < first_kept)
            {
                left = left.saturating_sub(piece.tokens);
                first_kept = turn + 1;
            }
        }
        self.pieces
            .retain(|piece| turn_of(piece).is_none_or(|turn| turn >= first_kept));
        if left > history_tokens && !self.cut(newest, history_tokens) {
            self.pieces.retain(|piece| turn_of(piece).is_none());
        }
        self.restate();
    }

    /// Shortens the user's longest message of this run by `over` tokens. Callers use it if the
    /// messages of this run don't fit into the context window even without earlier turns. The
    /// message then shows its beginning, its end, and an id with which the model can recall the
    /// full text.
    pub fn shorten_user_message(&mut self, over: u32) {
        let asked = self.pieces.iter().enumerate();
        let asked =
            asked.filter(|(_, it)| it.what == MessageKind::Fixed && it.message.role == Role::User);
        let Some((at, longest)) = asked.max_by_key(|(_, piece)| piece.tokens) else {
            return;
        };
        let most = longest.tokens.saturating_sub(over + NAMED_TOKENS);
        let Some(whole) = longest.longest().cloned().filter(|_| most >= LEAST_TOKENS) else {
            return;
        };
        // If the message ends with an id or with [`LEFT_OUT`], it was cut before, and the full text
        // is stored already.
        let named = whole.strip_suffix(']').and_then(|it| it.rsplit_once(" ["));
        let is_named = named.is_some_and(|(_, id)| self.results.get(id).is_some());
        let is_kept = is_named || whole.ends_with(LEFT_OUT);
        let id = (!is_kept).then(|| self.keep_text(&whole));
        if let Some(piece) = self.pieces.get_mut(at) {
            piece.cut_to(most);
            if let Some(id) = id {
                piece.edit(|text| *text = format!("{text} [{id}]"));
            }
        }
        self.restate();
    }

    /// Cuts the messages of a turn to their beginning and end, so that they cost at most `most`
    /// tokens. Returns false if they still cost more.
    fn cut(&mut self, turn: u32, most: u32) -> bool {
        let said = self.pieces.iter_mut();
        let said = said.filter(|piece| turn_of(piece) == Some(turn));
        let mut said: Vec<&mut Piece> = said.collect();
        let costs: Vec<u32> = said.iter().map(|piece| piece.tokens).collect();
        let fits = said.iter_mut().enumerate().all(|(place, piece)| {
            let most = share(&costs, place, most);
            piece.tokens <= most || piece.cut_to(most)
        });
        fits && said.iter().map(|piece| piece.tokens).sum::<u32>() <= most
    }
}

impl Piece {
    /// Cuts the longest text of a message until the message costs at most `most` tokens. Returns
    /// false if the message is still too long.
    fn cut_to(&mut self, most: u32) -> bool {
        let over = self.tokens.saturating_sub(most) + SLACK_TOKENS;
        self.edit(|text| *text = shortened(text, estimate(text).saturating_sub(over)));
        self.tokens <= most
    }

    fn longest(&self) -> Option<&String> {
        let texts = self.message.parts.iter().filter_map(|part| match part {
            Part::Text { text } | Part::Quoted { text, .. } => Some(text),
            _ => None,
        });
        texts.max_by_key(|text| text.len())
    }

    /// Changes the longest text of the message.
    fn edit(&mut self, change: impl FnOnce(&mut String)) {
        let mut message = (*self.message).clone();
        let texts = message.parts.iter_mut().filter_map(|part| match part {
            Part::Text { text } | Part::Quoted { text, .. } => Some(text),
            _ => None,
        });
        if let Some(longest) = texts.max_by_key(|text| text.len()) {
            change(longest);
        }
        self.tokens = cost(&message);
        self.message = Rc::new(message);
    }
}

fn turn_of(piece: &Piece) -> Option<u32> {
    match piece.what {
        MessageKind::Before(turn) => Some(turn),
        MessageKind::Fixed | MessageKind::InShort | MessageKind::Step(_) => None,
    }
}

/// Divides `most` tokens among texts with these costs. Each text gets an equal share. The tokens
/// that a short text doesn't need go to the other texts.
pub fn shares<const N: usize>(costs: [u32; N], most: u32) -> [u32; N] {
    std::array::from_fn(|place| share(&costs, place, most))
}

fn share(costs: &[u32], place: usize, most: u32) -> u32 {
    let part = most / u32::try_from(costs.len()).unwrap_or(u32::MAX).max(1);
    let others = costs.iter().enumerate().filter(|(at, _)| *at != place);
    let taken: u32 = others.map(|(_, cost)| (*cost).min(part)).sum();
    most.saturating_sub(taken)
}

/// Returns the beginning and the end of a text, with at most `most_tokens` tokens together. Returns
/// the text unchanged if it fits.
pub fn shortened(text: &str, most_tokens: u32) -> String {
    if estimate(text) <= most_tokens {
        return text.to_owned();
    }
    let Some(left) = most_tokens.checked_sub(LEFT_OUT_TOKENS) else {
        return String::new();
    };
    let head = tokens::head(text, left.div_ceil(2));
    let backwards: String = text.chars().rev().collect();
    let tail: String = tokens::head(&backwards, left / 2).chars().rev().collect();
    format!("{head}{LEFT_OUT}{tail}")
}
