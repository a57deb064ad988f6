//! Parses the tool calls, or the answer, in a text.
//!
//! Example: `<tool_call>{"name": "find_in_page", "arguments": {"query": "tide"}}` gives one
//! call. The forms are tried in the order of SPEC §2: JSON in a code block, bare JSON, then tags.
//! If a text begins with an opening of the table in [`forms`], only the forms of the table are
//! tried. A call whose arguments can't be read is malformed; it is not made with empty arguments.

use super::calls::{ParseContext, ParsedCalls, canonical};
use super::elements::{self, Pair};
use super::forms::{self, Body};
use super::repair::{self, End};
use crate::phrase::DisplayText;
use serde_json::{Map, Value};

const FENCE: &str = "```";

/// Finds the calls or the answer in `text`. `None` if the text contains neither calls nor an
/// answer.
pub(super) fn find(text: &str, reading: &ParseContext) -> Option<ParsedCalls> {
    // A text that begins with an opening of the table is a call, even if its fields have unknown
    // names.
    let ways: &[fn(&str, &ParseContext) -> ParsedCalls] = if forms::is_marked(text) {
        &[parse_marked]
    } else {
        &[parse_fenced, parse_bare, parse_tagged]
    };
    ways.iter().find_map(|way| {
        let found = way(text, reading);
        found.is_something().then_some(found)
    })
}

/// Returns true if `text` looks like a call that can't be read.
pub(super) fn is_attempt(text: &str, reading: &ParseContext) -> bool {
    if forms::is_marked(text) {
        return is_marked_attempt(text, reading);
    }
    let signs = [
        "\"action\"",
        "tool_call",
        "toolCalls",
        "\"arguments\"",
        "<action>",
    ];
    signs.iter().any(|sign| text.contains(sign))
}

/// Returns true if at least the beginning of a call follows the opening. If other text follows, the
/// answer only mentions the opening.
fn is_marked_attempt(text: &str, reading: &ParseContext) -> bool {
    let marked = forms::next(text).unwrap_or_default();
    let rest = forms::opened(marked).map(|(_, rest)| rest);
    let rest = rest.min_by_key(|rest| rest.len()).unwrap_or_default();
    let (name, behind) = name(rest.trim_start());
    match behind.trim_start().chars().next() {
        None => name.is_empty() || reading.knows(name) || rest.starts_with(char::is_alphanumeric),
        Some(next) => !next.is_alphanumeric(),
    }
}

/// Parses the JSON object at the beginning of `text`, and returns its fields and the text after the
/// object. The object may be in a code block.
pub(super) fn object(text: &str) -> Option<(Map<String, Value>, &str)> {
    let is_fenced = text.starts_with(FENCE);
    let begins = match text.split_once('\n') {
        Some((_, inside)) if is_fenced => inside.trim_start(),
        _ => text.trim_start(),
    };
    let read = repair::value(begins).filter(|read| read.end == End::Whole)?;
    let behind = begins.get(read.length..)?.trim();
    let closing = if is_fenced { FENCE } else { "" };
    match read.value {
        Value::Object(fields) => Some((fields, behind.strip_prefix(closing)?.trim_start())),
        _ => None,
    }
}

fn parse_fenced(text: &str, reading: &ParseContext) -> ParsedCalls {
    let mut found = ParsedCalls::default();
    let mut rest = text;
    while let Some((_, fenced)) = rest.split_once(FENCE) {
        let inside = fenced.find(FENCE).unwrap_or(fenced.len());
        let begins = fenced.find(['{', '[']).filter(|at| *at < inside);
        let read = begins.and_then(|at| {
            let (value, length) = found.read_fenced(fenced.get(at..)?, inside - at)?;
            Some((value, at + length))
        });
        let end = read.as_ref().map_or(inside, |(_, end)| *end);
        if let Some((value, _)) = read {
            reading.take(&value, &mut found);
        }
        // Continues after the closing fence.
        let behind = fenced.get(end..).unwrap_or_default();
        rest = behind.split_once(FENCE).map_or("", |(_, after)| after);
    }
    found
}

fn parse_bare(text: &str, reading: &ParseContext) -> ParsedCalls {
    let mut found = ParsedCalls::default();
    let mut rest = text;
    // Each object is read only once, so the time is linear. The search ends at an object that can't
    // be read.
    while let Some(object) = rest.find('{').and_then(|at| rest.get(at..)) {
        let Some((value, length)) = found.read(object) else {
            break;
        };
        reading.take(&value, &mut found);
        rest = object.get(length..).unwrap_or_default();
    }
    found
}

/// Reads the calls after all openings of the table. The search ends at a call that can't be read,
/// because the rest of the text would be read again for each later opening.
fn parse_marked(text: &str, reading: &ParseContext) -> ParsedCalls {
    let mut found = ParsedCalls::default();
    let text = forms::spelled(text);
    let mut rest = text.as_ref();
    while let Some(marked) = forms::next(rest) {
        let mut forms = forms::opened(marked);
        let read = forms.find_map(|(body, behind)| reading.read(body, behind, &mut found));
        let Some(behind) = read else {
            found.is_cut = true;
            break;
        };
        rest = behind;
    }
    found
}

/// Reads the calls in the tags of SPEC §2, such as `<action>`. If the tags contain no call, reads
/// the answer.
fn parse_tagged(text: &str, reading: &ParseContext) -> ParsedCalls {
    let mut found = parse_marked(text, reading);
    let within = |tag: &str| {
        let (_, inside) = text.split_once(&format!("<{tag}>"))?;
        let end = inside.find(&format!("</{tag}>")).unwrap_or(inside.len());
        let words = inside.get(..end)?.trim();
        (!words.is_empty()).then_some(words)
    };
    if found.calls.is_empty() && found.answer.is_none() {
        let answer = within("final_answer").or_else(|| within("response"));
        found.answer = answer.map(str::to_owned);
    }
    found.control.thought = within("thinking").map(DisplayText::words);
    found
}

impl ParseContext {
    /// Parses the calls at the beginning of `text` according to one form. Returns the text after
    /// the calls, or `None` if the text does not have this form.
    fn read<'a>(&self, body: Body, text: &'a str, found: &mut ParsedCalls) -> Option<&'a str> {
        let begins = text.trim_start();
        match body {
            Body::Json => {
                let json = begins.starts_with(['{', '[']).then_some(begins)?;
                let (value, length) = found.read(json)?;
                self.take(&value, found);
                json.get(length..)
            }
            Body::Name(separator) => {
                let (name, behind) = name(begins);
                let (between, _) = behind.split_once('{')?;
                let json = behind.get(between.len()..)?;
                let between = between.trim();
                // Some models write an id between the name and the arguments.
                let has_id = between.starts_with("[CALL_ID]") && between.ends_with(separator);
                if !(between.is_empty() || between == separator || has_id) {
                    return None;
                }
                self.call_with_json(name, json, found)
            }
            Body::Keys => {
                let (name, behind) = name(begins);
                self.call_with_pairs(name, behind, found)
            }
            Body::Elements => {
                let (name, behind) = elements::name(text)?;
                let begins = behind.trim_start();
                if begins.starts_with('{') {
                    self.call_with_json(name, begins, found)
                } else {
                    self.call_with_pairs(name, begins, found)
                }
            }
            Body::Python => self.call_with_python(begins, found),
            Body::Form => forms::opened(begins).next().map(|_| begins),
            Body::Words => Some(begins),
            Body::Object => None,
        }
    }

    fn call_with_json<'a>(
        &self,
        name: &str,
        json: &'a str,
        found: &mut ParsedCalls,
    ) -> Option<&'a str> {
        let (value, length) = found.read(json)?;
        self.call(bare_name(name), value, &Map::new(), found);
        json.get(length..)
    }

    fn call_with_pairs<'a>(
        &self,
        name: &str,
        text: &'a str,
        found: &mut ParsedCalls,
    ) -> Option<&'a str> {
        let (pairs, behind): (Vec<Pair<'_>>, _) = elements::pairs(text)?;
        // Without any argument and without an end tag, the call may be incomplete.
        if name.is_empty() || (pairs.is_empty() && behind.is_empty()) {
            return None;
        }
        let called = canonical(name);
        let tool = self.tools.known().iter().find(|tool| tool.name == called);
        let arguments = elements::arguments(pairs, tool);
        self.call(name, arguments, &Map::new(), found);
        Some(behind)
    }

    /// Parses calls such as `[find_in_page(query='tide'), web_search(query='tides')]`.
    fn call_with_python<'a>(&self, text: &'a str, found: &mut ParsedCalls) -> Option<&'a str> {
        let mut rest = text.strip_prefix('[')?;
        loop {
            let (name, behind) = name(rest.trim_start());
            let read = repair::arguments(behind.strip_prefix('(')?)?;
            found.is_cut |= read.end == End::CutOff;
            self.call(name, read.value, &Map::new(), found);
            rest = behind.get(1 + read.length..)?.trim_start();
            match rest.strip_prefix(',') {
                Some(next) => rest = next,
                None => return rest.strip_prefix(']'),
            }
        }
    }
}

/// Splits a text into the tool's name at its beginning and the rest of the text.
fn name(text: &str) -> (&str, &str) {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | ':');
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or_default()
}

/// Removes the prefix and the number that Kimi adds to a tool's name: `functions.find_in_page:0` ->
/// `find_in_page`.
fn bare_name(name: &str) -> &str {
    let name = name.strip_prefix("functions.").unwrap_or(name);
    name.split_once(':').map_or(name, |(name, _)| name)
}
