//! Extraction alone, for the bench: one HTML text in, the article's words out.
//!
//! Driving example: `cargo xtask bench` loads this beside Readability and linkedom
//! in one page of one Chromium. It is never shipped.

use gloss::page;
use wasm_bindgen::prelude::wasm_bindgen;

/// The main content of `html`, found at `url`, a line for each paragraph.
///
/// # Errors
/// The reason, in words, when there is nothing to read.
#[wasm_bindgen]
pub fn extract(html: &str, url: &str) -> Result<String, String> {
    let document = page::read(html, url).map_err(|error| error.to_string())?;
    let lines: Vec<&str> = document
        .paragraphs
        .iter()
        .map(|part| part.text.as_str())
        .collect();
    Ok(lines.join("\n"))
}

fn main() {}
