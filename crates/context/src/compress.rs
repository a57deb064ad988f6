//! Shortens a large tool result to key points, and adds an id with which the model can recall the
//! full result.
//!
//! Example: 40 passages with 9 000 tokens become `{"resultId": "r3", "summary": "shortened:
//! 40 texts of about 9000 tokens; …", "keyPoints": […], "others": ["p7", …]}`, which has less than
//! 500 tokens. Web pages keep their addresses in `sources`. Each key point is a sentence of the
//! result, word for word. The crate `gloss_reader` chooses the sentences. If `gloss_reader` fails,
//! the beginnings of the first texts are used.

use super::results::{ResultContents, cost, within};
use gloss_durable::json::put;
use gloss_model::PassageData;
use gloss_text::tokens::estimate;
use serde_json::{Value, json};
use std::rc::Rc;

/// The size in tokens above which a result is large.
pub const LARGE_TOKENS: u32 = 1_000;

/// The size in tokens below which a shortened result must stay, unless the caller sets a higher
/// limit with [`LargeResult::within`].
pub(super) const COMPRESSED_TOKENS: u32 = 500;

/// The number of tokens of a shortened result that are reserved for everything but its key points
/// and sources.
const AROUND_POINTS_TOKENS: u32 = 160;

/// The sources of a shortened result may take `1 / SOURCES_PART` of its tokens, which is enough for
/// three web pages.
const SOURCES_PART: u32 = 3;

/// The length in characters to which each text is cut if no key points can be chosen.
const HEAD: usize = 400;

/// A large result that is to be shortened.
#[derive(Debug, Clone)]
pub struct LargeResult {
    /// The result's id, such as `r3`.
    pub id: String,
    pub(super) piece: usize,
    pub(super) part: usize,
    pub(super) tool: String,
    pub(super) value: Rc<Value>,
    pub(super) told: Rc<ResultContents>,
    pub(super) tokens: u32,
    /// The number of tokens below which the shortened result must stay.
    pub(super) most: u32,
    /// The ids of the passages that the model has cited. These passages keep their exact text.
    pub(super) cited: Vec<String>,
}

impl LargeResult {
    /// Returns the texts from which key points are chosen, and the number of tokens that the key
    /// points may cost.
    pub fn texts(&self) -> (Vec<PassageData>, u32) {
        let (cited, others) = self.parted();
        let taken: u32 = cited.iter().map(PassageData::tokens).sum();
        (others, self.points_tokens().saturating_sub(taken))
    }

    /// Sets the size in tokens below which the shortened result must stay, but at least
    /// `COMPRESSED_TOKENS`.
    #[must_use]
    pub fn within(mut self, most_tokens: u32) -> Self {
        self.most = most_tokens.max(COMPRESSED_TOKENS);
        self
    }

    /// Returns the number of tokens that the cited passages and the key points may cost.
    fn points_tokens(&self) -> u32 {
        let sources: u32 = self.sources().iter().map(cost).sum();
        (self.most - AROUND_POINTS_TOKENS).saturating_sub(sources)
    }

    /// Returns the pages that the texts are from, as far as they fit into the tokens for sources.
    fn sources(&self) -> Vec<Value> {
        within(self.told.sources.clone(), self.most / SOURCES_PART)
    }

    /// Returns the cost of the whole result in tokens.
    pub fn tokens(&self) -> u32 {
        self.tokens
    }

    /// Divides the texts into the cited passages that fit and all other texts.
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

/// Returns the shortened result with these key points.
pub fn compress(large: &LargeResult, points: Vec<PassageData>) -> Value {
    let (cited, _) = large.parted();
    let mut points: Vec<PassageData> = cited.into_iter().chain(points).collect();
    // Quotes and escapes may make JSON longer than the plain texts. Key points are therefore
    // removed from the end until the result fits.
    loop {
        let written = written(large, &points);
        if estimate(&written.to_string()) < large.most || points.pop().is_none() {
            return written;
        }
    }
}

/// Returns the shortened result with the beginnings of its first texts instead of key points. This
/// function is used if no key points can be chosen.
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
