//! Shrinks a context: shortens large results, and *folds* the oldest steps, which means that one
//! line replaces each of them.

use super::Context;
use super::compress::{COMPRESSED_TOKENS, LARGE_TOKENS, LargeResult};
use super::pieces::{MessageKind, Piece, ResultSize, cost};
use super::recall_ids::{head, headed};
use super::results::{ResultContents, StoredResult};
use gloss_durable::sorted::sort_by_key;
use gloss_model::{Language, Part};
use serde_json::Value;
use std::rc::Rc;

/// The maximum number of tokens for a call's arguments in a folded step.
const ARGUMENTS_TOKENS: u32 = 30;

/// The maximum number of tokens for an observation in a folded step.
const OBSERVATION_TOKENS: u32 = 80;

impl Context {
    /// Returns the results of the steps before `step` that are large in their present form.
    pub fn large_before(&self, step: u32) -> Vec<LargeResult> {
        self.large(|of| of < step)
    }

    /// Returns the number of tokens that the context would have if every large result were
    /// shortened.
    pub fn stays(&self) -> u32 {
        let gave = self.pieces.iter().flat_map(|piece| &piece.gave);
        let large = gave.filter(|it| it.tokens > LARGE_TOKENS);
        let goes: u32 = large.map(|it| it.tokens - COMPRESSED_TOKENS).sum();
        self.tokens().saturating_sub(goes)
    }

    /// Returns the results that are large in their present form, the largest first.
    pub fn largest(&self) -> Vec<LargeResult> {
        let mut large = self.large(|_| true);
        sort_by_key(&mut large, |it| std::cmp::Reverse(it.tokens));
        large
    }

    fn large(&self, of: impl Fn(u32) -> bool) -> Vec<LargeResult> {
        let mut found = Vec::new();
        for (at, piece) in self.pieces.iter().enumerate() {
            if !matches!(piece.what, MessageKind::Step(step) if of(step)) {
                continue;
            }
            for (part, gave) in piece.results().filter(|(_, it)| it.tokens > LARGE_TOKENS) {
                let Some(Part::Result {
                    tool,
                    outcome: Ok(value),
                    ..
                }) = piece.message.parts.get(part)
                else {
                    continue;
                };
                // A result that was shortened before and is still large is shortened again from its
                // original.
                let whole = self.results.get(&gave.id).map(|kept| kept.value.clone());
                let value = whole.unwrap_or_else(|| Rc::new(value.clone()));
                found.push(LargeResult {
                    id: gave.id.clone(),
                    piece: at,
                    part,
                    tool: tool.clone(),
                    told: Rc::new(ResultContents::of(&value)),
                    value,
                    tokens: gave.tokens,
                    most: COMPRESSED_TOKENS,
                    cited: Vec::new(),
                });
            }
        }
        if !found.is_empty() {
            let cited = self.cited();
            for large in &mut found {
                large.cited.clone_from(&cited);
            }
        }
        found
    }

    /// Replaces large results by their shortened forms, and stores the originals.
    pub fn shorten(&mut self, shortened: Vec<(LargeResult, Value)>) {
        if shortened.is_empty() {
            return;
        }
        for (large, short) in shortened {
            let Some(piece) = self.pieces.get_mut(large.piece) else {
                continue;
            };
            let mut message = (*piece.message).clone();
            if let Some(gave) = piece.gave.iter_mut().find(|gave| gave.id == large.id) {
                *gave = ResultSize::of(large.id.clone(), &short);
            }
            if let Some(Part::Result { outcome, .. }) = message.parts.get_mut(large.part) {
                *outcome = Ok(short);
            }
            piece.tokens = cost(&message);
            piece.message = Rc::new(message);
            let kept = StoredResult::new(&large.id, &large.tool, &large.value);
            Rc::make_mut(&mut self.results).add(kept);
        }
        self.restate();
    }

    /// Returns the oldest step that is not folded yet; `None` if no such step is before `step`.
    pub fn oldest_before(&self, step: u32) -> Option<u32> {
        let steps = self.pieces.iter().filter_map(|piece| match piece.what {
            MessageKind::Step(of) => Some(of),
            _ => None,
        });
        steps.min().filter(|oldest| *oldest < step)
    }

    /// Returns true if this step has a tool call and is not folded.
    pub fn calls_in(&self, step: u32) -> bool {
        let of_step = self
            .pieces
            .iter()
            .filter(|it| it.what == MessageKind::Step(step));
        let mut parts = of_step.flat_map(|piece| &piece.message.parts);
        parts.any(|part| matches!(part, Part::Call { .. }))
    }

    /// Folds each step before `step` into one line.
    pub fn fold_steps_before(&mut self, step: u32) {
        let mut lines = Vec::new();
        while let Some(oldest) = self.oldest_before(step) {
            lines.push(self.fold(oldest));
        }
        if lines.is_empty() {
            return;
        }
        let short = self
            .pieces
            .iter()
            .find(|it| it.what == MessageKind::InShort);
        let before = short.map_or("", Piece::words);
        let lines = std::iter::once(before).chain(lines.iter().map(String::as_str));
        let words: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        self.set_summary(words.join("\n"));
        self.restate();
    }

    /// Removes a step's messages. Returns a line with the step's calls, the ids of their results,
    /// and its conclusion.
    fn fold(&mut self, step: u32) -> String {
        let (out, stay) = std::mem::take(&mut self.pieces)
            .into_iter()
            .partition(|piece| piece.what == MessageKind::Step(step));
        self.pieces = stay;
        let out: Vec<Piece> = out;
        for piece in &out {
            for (part, gave) in piece.results() {
                if let Some(Part::Result {
                    tool,
                    outcome: Ok(value),
                    ..
                }) = piece.message.parts.get(part)
                {
                    // The original of a shortened result is stored already.
                    let kept = StoredResult::new(&gave.id, tool, &Rc::new(value.clone()));
                    Rc::make_mut(&mut self.results).add(kept);
                }
            }
        }
        line(step, &out, self.language)
    }

    /// Sets the summary of the old messages. It is placed after the fixed messages and before the
    /// steps.
    pub(super) fn set_summary(&mut self, words: String) {
        self.pieces
            .retain(|piece| piece.what != MessageKind::InShort);
        if words.is_empty() {
            return;
        }
        let first = self
            .pieces
            .iter()
            .position(|it| matches!(it.what, MessageKind::Step(_)));
        let at = first.unwrap_or(self.pieces.len());
        self.pieces.insert(at, Piece::in_short(words));
    }

    /// Returns the ids of the passages that texts of the context cite.
    fn cited(&self) -> Vec<String> {
        let mut cited: Vec<String> = Vec::new();
        for piece in &self.pieces {
            for part in &piece.message.parts {
                if let Part::Text { text } = part {
                    let marks = text.split("[[").skip(1);
                    let ids = marks.filter_map(|rest| Some(rest.split_once("]]")?.0.to_owned()));
                    cited.extend(ids);
                }
            }
        }
        cited.sort_unstable();
        cited.dedup();
        cited
    }
}

/// Writes a step as one line.
fn line(step: u32, pieces: &[Piece], language: Language) -> String {
    let (gives, fails) = language.pick((" gave ", " failed: "), (" 得到 ", " 失败："));
    let mut calls: Vec<(&str, String)> = Vec::new();
    let mut said = None;
    for piece in pieces {
        let mut given = piece.gave.iter();
        for part in &piece.message.parts {
            match part {
                Part::Call { call } => {
                    let arguments = headed(&call.arguments.to_string(), ARGUMENTS_TOKENS);
                    calls.push((call.id.as_str(), format!("{} {arguments}", call.name)));
                }
                Part::Result { call, outcome, .. } => {
                    let gave = match outcome {
                        Ok(_) => given.next().map(|it| format!("{gives}[{}]", it.id)),
                        Err(error) => Some(format!("{fails}{}", head(error, ARGUMENTS_TOKENS))),
                    };
                    let asked = calls.iter_mut().rev().find(|(id, _)| id == call);
                    if let (Some((_, line)), Some(gave)) = (asked, gave) {
                        line.push_str(&gave);
                    }
                }
                // The last text of a step is its conclusion.
                Part::Text { text } => said = Some(text),
                Part::Quoted { .. } | Part::Image { .. } | Part::Echo { .. } => {}
            }
        }
    }
    let calls: Vec<String> = calls.into_iter().map(|(_, line)| line).collect();
    let said = said.map(|said| headed(&said.replace('\n', " "), OBSERVATION_TOKENS));
    let parts = [Some(calls.join("; ")), said];
    let parts: Vec<String> = parts
        .into_iter()
        .flatten()
        .filter(|it| !it.is_empty())
        .collect();
    language.pick(
        format!("Step {step}: {}", parts.join(". ")),
        format!("第{step}步：{}", parts.join("。")),
    )
}
