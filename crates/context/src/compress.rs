//! A large result in short: key points, and the id by which all of it is recalled.
//!
//! Driving example: 40 passages of 9 000 tokens become `{"resultId": "r3", "summary": "shortened:
//! 40 texts of about 9000 tokens; …", "keyPoints": […], "others": ["p7", …]}` of less than
//! 500; of pages of the web each stays with its address under `sources`. Every key point is a
//! sentence as it stood; which ones is chosen by whoever can ([`gloss_reader`]), or, where
//! nobody can, the first.

use super::results::{Told, cost, within};
use gloss_durable::json::put;
use gloss_model::PassageData;
use gloss_text::tokens::estimate;
use serde_json::{Value, json};
use std::rc::Rc;

/// From here on a result is large (SPEC §9).
pub const LARGE_TOKENS: u32 = 1_000;

/// What a compressed one costs less than (SPEC §9).
pub(super) const COMPRESSED_TOKENS: u32 = 500;

/// Of that for what stands around the key points.
const AROUND_POINTS_TOKENS: u32 = 160;

/// As large a part of it may go to where the texts are from: three pages of the web.
const SOURCES_PART: u32 = 3;

/// So much of a text that has no end, in characters.
const HEAD: usize = 400;

/// A large result that is to be compressed.
#[derive(Debug, Clone)]
pub struct Large {
    /// Its id.
    pub id: String,
    pub(super) piece: usize,
    pub(super) part: usize,
    pub(super) tool: String,
    pub(super) value: Rc<Value>,
    pub(super) told: Rc<Told>,
    pub(super) tokens: u32,
    /// What it is to cost less than.
    pub(super) most: u32,
    /// What the model has cited: those passages keep their exact text (DETAILS §9).
    pub(super) cited: Vec<String>,
}

impl Large {
    /// What key points are to be chosen from, and how much they may cost.
    pub fn texts(&self) -> (Vec<PassageData>, u32) {
        let (cited, others) = self.parted();
        let taken: u32 = cited.iter().map(PassageData::tokens).sum();
        (others, self.points_tokens().saturating_sub(taken))
    }

    /// The same, to be cut to what there is room for where that is more than usual.
    #[must_use]
    pub fn within(mut self, most_tokens: u32) -> Self {
        self.most = most_tokens.max(COMPRESSED_TOKENS);
        self
    }

    /// What its key points may cost.
    fn points_tokens(&self) -> u32 {
        let sources: u32 = self.sources().iter().map(cost).sum();
        (self.most - AROUND_POINTS_TOKENS).saturating_sub(sources)
    }

    /// The pages that its texts are of.
    fn sources(&self) -> Vec<Value> {
        within(self.told.sources.clone(), self.most / SOURCES_PART)
    }

    /// What it costs whole.
    pub fn tokens(&self) -> u32 {
        self.tokens
    }

    /// The passages that were cited and fit, and the others.
    fn parted(&self) -> (Vec<PassageData>, Vec<PassageData>) {
        let mut left = self.points_tokens();
        self.told.texts.iter().cloned().partition(|text| {
            let cost = text.tokens();
            let stays = self.cited.iter().any(|id| is_of(id, &text.id)) && cost <= left;
            if stays {
                left -= cost;
            }
            stays
        })
    }
}

/// Whether a reference as in `p14.2` is to the passage `p14`, or to a part of it.
fn is_of(reference: &str, passage: &str) -> bool {
    let rest = reference.strip_prefix(passage);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// A result in short, with these key points.
pub fn compressed(large: &Large, points: Vec<PassageData>) -> Value {
    let (cited, _) = large.parted();
    let mut points: Vec<PassageData> = cited.into_iter().chain(points).collect();
    // JSON may cost more than the words did: quotes, and what is escaped.
    loop {
        let written = written(large, &points);
        if estimate(&written.to_string()) < large.most || points.pop().is_none() {
            return written;
        }
    }
}

/// The same where nobody can choose: the beginnings of its first texts.
pub fn compressed_simply(large: &Large) -> Value {
    let (others, mut left) = large.texts();
    let mut points = Vec::new();
    for mut text in others {
        text.text = text.text.chars().take(HEAD).collect();
        let cost = text.tokens();
        if cost > left {
            break;
        }
        left -= cost;
        points.push(text);
    }
    compressed(large, points)
}

fn written(large: &Large, points: &[PassageData]) -> Value {
    let said = |id: &str| points.iter().any(|point| point.id == id);
    let mut others: Vec<&str> = Vec::new();
    let mut left = COMPRESSED_TOKENS / 8;
    for id in large.told.ids.iter().filter(|id| !said(id)) {
        let cost = estimate(&Value::from(id.as_str()).to_string()) + 1;
        if cost > left {
            break;
        }
        left -= cost;
        others.push(id);
    }
    let points = points.iter().map(|point| match point.id.as_str() {
        "" => json!(point.text),
        id => json!({ "id": id, "text": point.text }),
    });
    let mut written = json!({
        "resultId": large.id,
        "summary": format!(
            "shortened: {} texts of about {} tokens; recall_details returns the whole",
            large.told.texts.len(),
            large.tokens
        ),
        "keyPoints": points.collect::<Vec<_>>(),
        "others": others,
    });
    let sources = large.sources();
    if !sources.is_empty() {
        put(&mut written, "sources", sources.into());
    }
    written
}
