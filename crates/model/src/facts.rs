//! Known facts about models: prices, context windows and capabilities.
//!
//! Example: a run with `gpt-4.1-mini` reads 3 000 tokens and writes 180 tokens. According
//! to [`Price::of`], the run costs 1 488 millionths of a dollar. The prices in the table were
//! looked up in [`AS_OF`]. Values that the user enters for a profile replace the values in the
//! table. The price of a model that is not listed is unknown, and is never assumed to be zero.

use super::{Profile, Usage};
use gloss_host::is_private;
use gloss_markdown::plain_host;
use serde::{Deserialize, Serialize};

/// The month in which the table's prices were looked up, as year and month.
pub const AS_OF: &str = "2026-11";

/// The known facts about one model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// The price of the model's tokens; `None` if unknown.
    pub price: Option<Price>,
    /// The context window in tokens; `None` if unknown.
    pub window: Option<u32>,
    /// True if the model accepts images.
    pub images: bool,
    /// True if a request to the model can contain a JSON Schema for the reply.
    pub schema: bool,
}

/// Prices of tokens, in thousandths of a US dollar per million tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// The price of input tokens, in thousandths of a dollar per million.
    pub input: u32,
    /// The price of input tokens that are read from the provider's cache, in thousandths of a
    /// dollar per million.
    pub cached: u32,
    /// The price of output tokens, in thousandths of a dollar per million.
    pub output: u32,
}

/// An amount of money in millionths of a US dollar.
pub type Micros = u64;

/// The number of [`Micros`] in one US cent.
pub const MICROS_A_CENT: Micros = 10_000;

/// Formats an amount of money, for example as `$0.10` or `$1.25`. An amount below one cent gets
/// more decimals, as in `$0.0024`, so that it is not rounded to zero.
pub fn money(micros: Micros) -> String {
    if micros == 0 {
        return "$0".to_owned();
    }
    // Amounts of one dollar or more are rounded to cents. Amounts of one cent or more are rounded
    // to tenths of a cent. Smaller amounts keep two significant digits.
    let places = match micros {
        1_000_000.. => 2,
        10_000.. => 3,
        1_000.. => 4,
        100.. => 5,
        _ => 6,
    };
    let unit = 10_u64.pow(6 - places);
    let rounded = (micros + unit / 2) / unit;
    let whole = 10_u64.pow(places);
    let (dollars, rest) = (rounded / whole, rounded % whole);
    let width = usize::try_from(places).unwrap_or_default();
    let digits = format!("{rest:0width$}");
    let short = digits.trim_end_matches('0');
    // At least two decimals are shown, so `$0.1` becomes `$0.10`.
    let digits = format!("{short:0<2}");
    format!("${dollars}.{digits}")
}

impl Price {
    /// The price of a model on the user's own machine.
    pub const NOTHING: Self = Self {
        input: 0,
        cached: 0,
        output: 0,
    };

    /// Returns the cost of a call in millionths of a dollar. The cost is rounded up, so that a
    /// small cost is never zero.
    pub fn of(&self, usage: Usage) -> Micros {
        let fresh = usage.input_tokens.saturating_sub(usage.cached_tokens);
        let cost = |tokens: u32, price: u32| u64::from(tokens) * u64::from(price);
        // Some providers charge 25 % more for input tokens that are written to their cache.
        // Sources: price lists of Anthropic, and of OpenAI from GPT-5.6 on.
        let kept = cost(usage.cache_written_tokens, self.input) / 4;
        let thousandths = kept
            + cost(fresh, self.input)
            + cost(usage.cached_tokens.min(usage.input_tokens), self.cached)
            + cost(usage.output_tokens, self.output);
        thousandths.div_ceil(1_000)
    }
}

impl Facts {
    /// Returns the facts about a profile's model. Facts that are set in the profile replace those
    /// in the table.
    pub fn of(profile: &Profile) -> Self {
        profile.facts.unwrap_or_else(|| Self::known(profile))
    }

    /// Returns the facts in the table. A server on this computer or in a private network costs
    /// nothing.
    pub fn known(profile: &Profile) -> Self {
        let listed = listed(&profile.model);
        let price = if is_at_home(&profile.base_url) {
            Some(Price::NOTHING)
        } else {
            listed.and_then(|facts| facts.price)
        };
        Self {
            price,
            ..listed.unwrap_or_default()
        }
    }
}

/// Returns the facts about the listed model whose name is the longest prefix of `model`. The
/// spelling of `OpenRouter` is also accepted: it adds a `vendor/` prefix, and writes `opus-5.5` for
/// `opus-5-5`.
fn listed(model: &str) -> Option<Facts> {
    let plain = |name: &str| name.to_ascii_lowercase().replace('.', "-");
    let name = plain(model.rsplit('/').next().unwrap_or(model));
    let begins = |listed: &str| name.strip_prefix(&plain(listed)).is_some_and(is_version);
    if let Some(row) = IMAGES.iter().find(|row| begins(row.0)) {
        let price = Price {
            input: row.1,
            cached: row.2,
            output: row.3,
        };
        return Some(Facts {
            price: Some(price),
            ..Facts::default()
        });
    }
    let begins = |row: &&Row| begins(row.0);
    let row = TABLE.iter().filter(begins).max_by_key(|row| row.0.len())?;
    let &Row(_, window, input, cached, output, images, schema) = row;
    Some(Facts {
        price: Some(Price {
            input,
            cached,
            output,
        }),
        window: Some(window),
        images,
        schema,
    })
}

/// Returns true if `rest`, the text after a listed name, is empty or only names a version of that
/// model, such as a date. For example, `o3-2025-04-16` is `o3`, but `o3-pro` is another model. A
/// single digit is not a date: `opus-5-6` is not `opus-5`, and may have another price.
fn is_version(rest: &str) -> bool {
    let is_date = |part: &str| part.len() > 1 && part.bytes().all(|it| it.is_ascii_digit());
    let version = rest.split([':', '@']).next().unwrap_or_default();
    let mut parts = version.split('-');
    parts.next() == Some("")
        && parts.all(|part| matches!(part, "latest" | "preview") || is_date(part))
}

/// Returns true if a base URL names a host on this computer or in a private network.
fn is_at_home(base_url: &str) -> bool {
    plain_host(base_url).is_some_and(|host| is_private(&host))
}

/// A row of the table. Its fields are: the prefix of the name; the context window in tokens; the
/// prices of input, cached input and output in thousandths of a dollar per million tokens; true if
/// the model accepts images; true if the model supports schemas.
struct Row(&'static str, u32, u32, u32, u32, bool, bool);

/// The known models. The prices were looked up in [`AS_OF`]. Sources: the providers' price lists
/// and model pages (`OpenAI`, Anthropic, Google, `DeepSeek`, Mistral, Groq), models.dev (July
/// 2026), llm-prices and genai-prices (August 2026), and `LiteLLM`'s announcements (November 2026).
///
/// If long prompts have a higher price, the row contains the price of short prompts. If the price
/// depends on the hour or will rise soon (Gemini 3.6 to 4, GPT-5.6 Sol), the row contains the
/// higher price, so that a spending limit is not exceeded. If the price of cached input is unknown,
/// the row repeats the price of input. Models that a provider has shut down are not listed.
#[rustfmt::skip]
const TABLE: [Row; 64] = [
    Row("gpt-6.2-astra", 1_050_000, 8_000, 400, 40_000, true, true),
    Row("gpt-6.2-sol", 1_050_000, 2_000, 100, 10_000, true, true),
    Row("gpt-6.1-sol", 1_050_000, 2_000, 100, 10_000, true, true),
    Row("gpt-6.1-terra", 1_050_000, 1_000, 50, 5_000, true, true),
    Row("gpt-6-astra", 1_050_000, 10_000, 1_000, 50_000, true, true),
    Row("gpt-6-sol", 1_050_000, 2_000, 200, 10_000, true, true),
    Row("gpt-6-luna", 1_050_000, 100, 10, 500, true, true),
    Row("gpt-5.6", 1_050_000, 5_000, 500, 30_000, true, true),
    Row("gpt-5.6-sol", 1_050_000, 5_000, 500, 30_000, true, true),
    Row("gpt-5.6-terra", 1_050_000, 2_000, 200, 12_000, true, true),
    Row("gpt-5.6-luna", 1_050_000, 200, 20, 1_200, true, true),
    Row("gpt-5.5", 1_050_000, 5_000, 500, 30_000, true, true),
    Row("gpt-5.4", 1_050_000, 2_500, 250, 15_000, true, true),
    Row("gpt-5.4-mini", 400_000, 750, 75, 4_500, true, true),
    Row("gpt-5.4-nano", 400_000, 200, 20, 1_250, true, true),
    Row("gpt-5.2", 400_000, 1_750, 175, 14_000, true, true),
    Row("gpt-5.1", 400_000, 1_250, 125, 10_000, true, true),
    Row("gpt-5", 400_000, 1_250, 125, 10_000, true, true),
    Row("gpt-5-mini", 400_000, 250, 25, 2_000, true, true),
    Row("gpt-5-nano", 400_000, 50, 5, 400, true, true),
    Row("gpt-4.1", 1_047_576, 2_000, 500, 8_000, true, true),
    Row("gpt-4.1-mini", 1_047_576, 400, 100, 1_600, true, true),
    Row("gpt-4o", 128_000, 2_500, 1_250, 10_000, true, true),
    Row("gpt-4o-mini", 128_000, 150, 75, 600, true, true),
    Row("o3", 200_000, 2_000, 500, 8_000, true, true),
    Row("claude-fable-5-1", 1_000_000, 10_000, 250, 50_000, true, true),
    Row("claude-fable-5", 1_000_000, 10_000, 1_000, 50_000, true, true),
    Row("claude-opus-5-5", 1_000_000, 4_000, 200, 20_000, true, true),
    Row("claude-opus-5", 1_000_000, 5_000, 500, 25_000, true, true),
    Row("claude-opus-4-8", 1_000_000, 5_000, 500, 25_000, true, true),
    Row("claude-opus-4-7", 1_000_000, 5_000, 500, 25_000, true, true),
    Row("claude-opus-4-6", 1_000_000, 5_000, 500, 25_000, true, true),
    Row("claude-opus-4-5", 200_000, 5_000, 500, 25_000, true, true),
    Row("claude-sonnet-5-5", 1_000_000, 2_000, 100, 10_000, true, true),
    Row("claude-sonnet-5", 1_000_000, 2_000, 200, 10_000, true, true),
    Row("claude-sonnet-4-6", 1_000_000, 3_000, 300, 15_000, true, true),
    Row("claude-sonnet-4-5", 200_000, 3_000, 300, 15_000, true, true),
    Row("claude-haiku-5-5", 1_000_000, 100, 10, 500, true, true),
    Row("claude-haiku-4-5", 200_000, 1_000, 100, 5_000, true, true),
    Row("gemini-4-argon", 1_048_576, 4_000, 200, 20_000, true, true),
    Row("gemini-4-carbon", 1_048_576, 4_000, 200, 20_000, true, true),
    Row("gemini-3.8-flash", 1_048_576, 1_500, 150, 7_500, true, true),
    Row("gemini-3.7-flash", 1_048_576, 1_500, 150, 7_500, true, true),
    Row("gemini-3.6-flash", 1_048_576, 1_500, 150, 7_500, true, true),
    Row("gemini-3.5-flash", 1_048_576, 1_500, 150, 9_000, true, true),
    Row("gemini-3.5-flash-lite", 1_048_576, 300, 30, 2_500, true, true),
    Row("gemini-3.1-pro", 1_048_576, 2_000, 200, 12_000, true, true),
    Row("gemini-3.1-flash-lite", 1_048_576, 250, 25, 1_500, true, true),
    Row("gemini-3-flash", 1_048_576, 500, 50, 3_000, true, true),
    Row("gemini-2.5-pro", 1_048_576, 1_250, 125, 10_000, true, true),
    Row("gemini-2.5-flash", 1_048_576, 300, 30, 2_500, true, true),
    Row("gemini-2.5-flash-lite", 1_048_576, 100, 10, 400, true, true),
    Row("deepseek-flash", 1_000_000, 300, 6, 1_200, true, false),
    Row("deepseek-v4-flash", 1_000_000, 300, 6, 1_200, true, false),
    Row("deepseek-v4-pro", 1_000_000, 1_320, 44, 3_960, false, false),
    Row("mistral-large-4", 524_288, 1_360, 1_360, 4_180, true, true),
    Row("mistral-large-4-0", 524_288, 1_360, 1_360, 4_180, true, true),
    Row("mistral-large", 262_144, 500, 50, 1_500, true, true),
    Row("mistral-medium", 262_144, 1_500, 150, 7_500, true, true),
    Row("mistral-medium-3.5", 262_144, 1_500, 150, 7_500, true, true),
    Row("mistral-small", 256_000, 150, 15, 600, true, true),
    Row("codestral", 256_000, 300, 30, 900, false, true),
    Row("gpt-oss-120b", 131_072, 150, 75, 600, false, true),
    Row("gpt-oss-20b", 131_072, 75, 38, 300, false, true),
];

/// The known models that make images. Each row contains the prefix of the name, and the prices of
/// text input, cached text input and image output in thousandths of a dollar per million tokens.
/// The prices were looked up in [`AS_OF`]. Sources: the price lists of `OpenAI` and Google, of
/// `LiteLLM` (May 2026) and of resellers (June 2026).
#[rustfmt::skip]
const IMAGES: [(&str, u32, u32, u32); 7] = [
    ("gpt-image-2", 5_000, 1_250, 30_000),
    ("gpt-image-1.5", 5_000, 1_250, 32_000),
    ("gpt-image-1", 5_000, 1_250, 40_000),
    ("gpt-image-1-mini", 2_000, 200, 8_000),
    ("gemini-3.1-flash-image", 500, 500, 60_000),
    ("gemini-3-pro-image", 2_000, 2_000, 120_000),
    ("gemini-2.5-flash-image", 300, 300, 30_000),
];

#[cfg(test)]
#[path = "facts_tests.rs"]
mod tests;
