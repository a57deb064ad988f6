//! The numbers and abilities that the user enters for a model: its prices, its context window, and
//! whether it accepts images, tools and JSON schemas.

use super::{FieldName, Problem};
use gloss_model::phrase::phrase;
use gloss_model::{Calling, Facts, Price, Profile};
use serde::{Deserialize, Serialize};

/// The highest accepted price, in thousandths of a dollar per million tokens.
const MAX_PRICE: u32 = 1_000_000;
/// The largest accepted context window, in tokens.
const MAX_WINDOW: u32 = 100_000_000;

/// A number that the user can enter for a model: its context window or one of its prices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// The context window, in tokens.
    Window,
    /// The price of a million input tokens, in dollars.
    Input,
    /// The price of a million input tokens from the provider's cache, in dollars.
    Cached,
    /// The price of a million output tokens, in dollars.
    Output,
}

impl Figure {
    /// All variants, in the order of the options page.
    pub const ALL: [Self; 4] = [Self::Window, Self::Input, Self::Cached, Self::Output];

    /// Returns the model's number as the text of its input field. The text is empty if the number
    /// is unknown.
    pub fn text(self, facts: &Facts) -> String {
        let price = |of: fn(&Price) -> u32| facts.price.as_ref().map(of).map(dollars);
        let text = match self {
            Self::Window => facts.window.map(|window| window.to_string()),
            Self::Input => price(|price| price.input),
            Self::Cached => price(|price| price.cached),
            Self::Output => price(|price| price.output),
        };
        text.unwrap_or_default()
    }
}

/// The numbers as the user typed them, and the abilities that the user checked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypedFacts {
    /// The typed numbers, in the order of [`Figure::ALL`]. An unknown number is an empty text.
    pub figures: [String; 4],
    /// True if the model accepts images.
    pub images: bool,
    /// True if the model calls tools natively.
    pub tools: bool,
    /// True if the model can give answers that match a JSON schema.
    pub schema: bool,
}

impl TypedFacts {
    /// Returns the numbers and abilities that apply to a profile's model.
    pub fn of(profile: &Profile) -> Self {
        let facts = Facts::of(profile);
        Self {
            figures: Figure::ALL.map(|figure| figure.text(&facts)),
            images: facts.images,
            tools: profile.calling == Calling::Native,
            schema: facts.schema,
        }
    }

    /// Parses the numbers and writes them into a profile. Returns one problem for each number that
    /// is not allowed.
    pub(crate) fn set(&self, profile: &mut Profile) -> Result<(), Vec<Problem>> {
        let [window, input, cached, output] = &self.figures;
        let mut problems = Vec::new();
        let mut read = |figure, typed: &str, read: fn(&str) -> Option<u32>| {
            // Spaces may separate thousands in every number, commas only in a number of tokens. In
            // a price, a comma may be a decimal point, so it is not removed.
            let is_apart = |it: &char| *it == ' ' || (*it == ',' && figure == Figure::Window);
            let typed: String = typed.chars().filter(|it| !is_apart(it)).collect();
            if typed.is_empty() {
                return None;
            }
            let figure_read = read(&typed);
            if figure_read.is_none() {
                let words = match figure {
                    Figure::Window => phrase("options_window_refused"),
                    Figure::Input | Figure::Cached | Figure::Output => {
                        phrase("options_price_refused")
                    }
                };
                problems.push(Problem::at(FieldName::Figure(figure), words));
            }
            figure_read
        };
        let window = read(Figure::Window, window, |typed| {
            let window = typed.parse().ok();
            window.filter(|window| (1..=MAX_WINDOW).contains(window))
        });
        let [input, cached, output] = [
            (Figure::Input, input),
            (Figure::Cached, cached),
            (Figure::Output, output),
        ]
        .map(|(figure, typed)| read(figure, typed, thousandths));
        let price = match (input, output) {
            (Some(input), Some(output)) => Some(Price {
                input,
                cached: cached.unwrap_or(input),
                output,
            }),
            (None, None) if cached.is_none() => None,
            (input, _) if problems.is_empty() => {
                let missing = match input {
                    None => Figure::Input,
                    Some(_) => Figure::Output,
                };
                let words = phrase("options_price_half");
                problems.push(Problem::at(FieldName::Figure(missing), words));
                None
            }
            _ => None,
        };
        if !problems.is_empty() {
            return Err(problems);
        }
        profile.facts = Some(Facts {
            price,
            window,
            images: self.images,
            schema: self.schema,
        });
        profile.calling = if self.tools {
            Calling::Native
        } else {
            Calling::Text
        };
        Ok(())
    }
}

/// Formats a price in dollars: `400` thousandths are "0.40", `75` are "0.075".
fn dollars(thousandths: u32) -> String {
    if thousandths == 0 {
        return "0".to_owned();
    }
    let (whole, rest) = (thousandths / 1_000, thousandths % 1_000);
    if rest % 10 == 0 {
        format!("{whole}.{:02}", rest / 10)
    } else {
        format!("{whole}.{rest:03}")
    }
}

/// Parses dollars with at most three decimals, without a float: "0.075" is `75`. Returns
/// thousandths of a dollar, or `None` if the text is not such a number.
fn thousandths(typed: &str) -> Option<u32> {
    let (whole, rest) = typed.split_once('.').unwrap_or((typed, ""));
    let digits = |text: &str| text.chars().all(|digit| digit.is_ascii_digit());
    if !digits(whole) || !digits(rest) || rest.len() > 3 || typed == "." {
        return None;
    }
    let whole: u32 = if whole.is_empty() {
        0
    } else {
        whole.parse().ok()?
    };
    let rest: u32 = format!("{rest:0<3}").parse().ok()?;
    let price = whole.checked_mul(1_000)?.checked_add(rest)?;
    (price <= MAX_PRICE).then_some(price)
}
