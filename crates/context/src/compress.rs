//! Shortens a large result to key points and an id that recalls the whole.
//!
//! Driving example: 40 passages of 9 000 tokens become `{"resultId": "r3", "summary": "shortened:
//! 40 texts of about 9000 tokens; …", "keyPoints": […], "others": ["p7", …]}` of less than 500
//! tokens. Web pages keep their addresses under `sources`. Each key point is a verbatim sentence.
//! [`gloss_reader`] chooses the sentences; if it can't, the first ones are taken.

use super::results::{ResultContents, cost, within};
use gloss_durable::json::put;
use gloss_model::PassageData;
use gloss_text::tokens::estimate;
use serde_json::{Value, json};
use std::rc::Rc;

/// The size above which a result is large, in tokens (SPEC §9).
pub const LARGE_TOKENS: u32 = 1_000;

/// The size below which a compressed result stays, in tokens (SPEC §9).
pub(super) const COMPRESSED_TOKENS: u32 = 500;

/// The part of [`COMPRESSED_TOKENS`] for everything but the key points.
const AROUND_POINTS_TOKENS: u32 = 160;

/// The fraction of a compressed result that its sources may take, as a divisor: enough for three
/// web pages.
const SOURCES_PART: u32 = 3;

/// The length to which a text is cut when nothing chooses key points, in characters.
const HEAD: usize = 400;

/// A large result that is to be compressed.
#[derive(Debug, Clone)]
pub struct LargeResult {
    /// Its id, such as `r3`.
    pub id: String,
    pub(super) piece: usize,
    pub(super) part: usize,
    pub(super) tool: String,
    pub(super) value: Rc<Value>,
    pub(super) told: Rc<ResultContents>,
    pub(super) tokens: u32,
    /// The number of tokens that the compressed result must stay below.
    pub(super) most: u32,
    /// The ids of passages that the model cited: those keep their exact text (DETAILS §9).
    pub(super) cited: Vec<String>,
}

impl LargeResult {
    /// The texts to choose key points from, and the number of tokens the points may cost.
    pub fn texts(&self) -> (Vec<PassageData>, u32) {
        let (cited, others) = self.parted();
        let taken: u32 = cited.iter().map(PassageData::tokens).sum();
        (others, self.points_tokens().saturating_sub(taken))
    }

    /// Sets the size that the compressed result may have, at least `COMPRESSED_TOKENS`.
    #[must_use]
    pub fn within(mut self, most_tokens: u32) -> Self {
        self.most = most_tokens.max(COMPRESSED_TOKENS);
        self
    }

    /// The number of tokens that the key points may cost.
    fn points_tokens(&self) -> u32 {
        let sources: u32 = self.sources().iter().map(cost).sum();
        (self.most - AROUND_POINTS_TOKENS).saturating_sub(sources)
    }

    /// The pages that the texts are from.
    fn sources(&self) -> Vec<Value> {
        within(self.told.sources.clone(), self.most / SOURCES_PART)
    }

    /// The cost of the whole result, in tokens.
    pub fn tokens(&self) -> u32 {
        self.tokens
    }

    /// The cited passages that fit, and all other texts.
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

/// Returns true if a reference such as `p14.2` names the passage `p14` or a part of it.
fn is_of(reference: &str, passage: &str) -> bool {
    let rest = reference.strip_prefix(passage);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The compressed result, with these key points.
pub fn compress(large: &LargeResult, points: Vec<PassageData>) -> Value {
    let (cited, _) = large.parted();
    let mut points: Vec<PassageData> = cited.into_iter().chain(points).collect();
    // JSON may cost more than the plain text did, because of quotes and escapes.
    loop {
        let written = written(large, &points);
        if estimate(&written.to_string()) < large.most || points.pop().is_none() {
            return written;
        }
    }
}

/// The compressed result with the beginnings of its first texts, for when nothing can choose key
/// points.
pub fn compress_without_model(large: &LargeResult) -> Value {
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
    compress(large, points)
}

fn written(large: &LargeResult, points: &[PassageData]) -> Value {
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
