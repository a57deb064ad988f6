//! What was said in earlier turns, made to fit its own budget.
//!
//! Driving example: a passage of 8 000 tokens was explained, and "What is the second point?"
//! follows. Older turns are left out whole; the newest never is in favour of nothing: of the
//! passage both ends stay, the explanation stays whole.

use super::Context;
use super::pieces::{Piece, What, cost};
use gloss_model::{Part, Role};
use gloss_text::tokens::{self, estimate};
use std::rc::Rc;

/// Stands where words were left out.
pub const LEFT_OUT: &str = " […] ";

/// What that costs, at most.
const LEFT_OUT_TOKENS: u32 = 2;

/// What JSON and rounding may add to a text that is cut.
const SLACK_TOKENS: u32 = 2;

/// What naming an id costs at most.
const NAMED_TOKENS: u32 = 4;

/// Less than this says nothing: the newest turn is left out, too.
const LEAST_TOKENS: u32 = 60;

/// Of the newest turn so much is left while anything else may go: both ends of what was asked
/// and answered.
const NEWEST_TOKENS: u32 = 200;

/// Whether the newest turn may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Newest {
    /// Something of it stays.
    Stays,
    /// It may go with the others.
    MayGo,
}

impl Context {
    /// Leaves out so many tokens of what was said before, the oldest first.
    pub fn narrow_by(&mut self, over_tokens: u32, newest: Newest) {
        if over_tokens == 0 {
            return;
        }
        let before = self.pieces.iter().filter(|it| turn_of(it).is_some());
        let said: u32 = before.map(|piece| piece.tokens).sum();
        let least = match newest {
            Newest::Stays => NEWEST_TOKENS,
            Newest::MayGo => 0,
        };
        self.narrow(said.saturating_sub(over_tokens).max(least));
    }

    /// Leaves out the oldest turns until what was said before fits; of the newest, where it
    /// does not fit alone, the long messages keep their ends.
    pub fn narrow(&mut self, history_tokens: u32) {
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
            if let What::Before(turn) = piece.what
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
        self.retell();
    }

    /// Where even what the person asked is too much, by so many tokens: the longest message is
    /// kept under an id and shown by its ends (DETAILS §9).
    pub fn shorten_asked(&mut self, over: u32) {
        let asked = self.pieces.iter().enumerate();
        let asked = asked.filter(|(_, it)| it.what == What::Fixed && it.message.role == Role::User);
        let Some((at, longest)) = asked.max_by_key(|(_, piece)| piece.tokens) else {
            return;
        };
        let most = longest.tokens.saturating_sub(over + NAMED_TOKENS);
        let Some(whole) = longest.longest().cloned().filter(|_| most >= LEAST_TOKENS) else {
            return;
        };
        // Of what ends so the whole is kept already: a note says where, or its id does.
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
        self.retell();
    }

    /// Cuts what was said in a turn to its ends; false if that is not enough.
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
    /// Cuts its longest text until it costs no more; false if that is not enough.
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

    /// Changes its longest text.
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
        What::Before(turn) => Some(turn),
        What::Fixed | What::InShort | What::Step(_) => None,
    }
}

/// How many tokens each of these may have of `most`: an equal part, and what the others
/// leave of theirs.
pub fn shares<const N: usize>(costs: [u32; N], most: u32) -> [u32; N] {
    std::array::from_fn(|place| share(&costs, place, most))
}

fn share(costs: &[u32], place: usize, most: u32) -> u32 {
    let part = most / u32::try_from(costs.len()).unwrap_or(u32::MAX).max(1);
    let others = costs.iter().enumerate().filter(|(at, _)| *at != place);
    let taken: u32 = others.map(|(_, cost)| (*cost).min(part)).sum();
    most.saturating_sub(taken)
}

/// The head and the tail of a text, within a number of tokens; all of it, where it fits.
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
