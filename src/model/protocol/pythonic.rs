//! Calls written as Python, the main form of the Berkeley function-calling benchmark.
//!
//! Driving example: `[find_in_page(query='neap tide'), web_search(query="tides")]`. Only what
//! begins with a tool that there is counts, and only where nothing follows: an answer may
//! explain such a call. Values are Python's literals; an argument without its name is not
//! understood, as is a call within a call.

use super::mender;
use super::signs::Sign;
use crate::model::ToolDefinition;
use serde_json::{Map, Value};

/// Lists in lists, at most.
const MOST_DEPTH: usize = 64;

/// What a text is that begins with the name of a tool and a bracket.
pub(super) enum Python<'a> {
    Calls(Vec<(&'a str, Value)>),
    /// A call was meant and cannot be read.
    Unread,
    /// Words that begin so.
    Words,
}

/// Whether `rest` begins a call of one of these tools.
pub(super) fn sign(rest: &str, tools: &[ToolDefinition]) -> Sign {
    if rest.is_empty() || tools.is_empty() {
        return Sign::Nothing;
    }
    let body = rest.strip_prefix('[').unwrap_or(rest);
    let begun = |tool: &ToolDefinition| match body.strip_prefix(tool.name.as_str()) {
        Some("") => Some(Sign::Unknown),
        Some(behind) => behind.starts_with('(').then_some(Sign::Call),
        None => tool.name.starts_with(body).then_some(Sign::Unknown),
    };
    tools.iter().find_map(begun).unwrap_or(Sign::Nothing)
}

/// Reads a text that [`sign`] says to be a call; a fence may stand around it.
pub(super) fn read(text: &str) -> Python<'_> {
    let mut text = text.trim();
    if let Some((_, inside)) = text.split_once('\n').filter(|_| text.starts_with("```")) {
        text = inside.trim();
        text = text.strip_suffix("```").unwrap_or(text);
    }
    let mut at = Cursor { rest: text };
    let listed = at.take('[');
    let mut calls = Vec::new();
    loop {
        let Some(name) = at.name() else {
            return Python::Words;
        };
        let Some(arguments) = at.arguments() else {
            return if at.is_cut_off(text, listed) {
                Python::Unread
            } else {
                Python::Words
            };
        };
        calls.push((name, Value::Object(arguments)));
        if at.take(',') || (!listed && at.begins_call()) {
            continue;
        }
        if listed {
            at.take(']');
        }
        let behind = at.rest.trim_start();
        return if behind.is_empty() || behind.starts_with("<|") {
            Python::Calls(calls)
        } else {
            Python::Words
        };
    }
}

struct Cursor<'a> {
    rest: &'a str,
}

impl<'a> Cursor<'a> {
    /// Steps over a sign and the blanks before it.
    fn take(&mut self, sign: char) -> bool {
        let behind = self.rest.trim_start().strip_prefix(sign);
        self.rest = behind.unwrap_or(self.rest);
        behind.is_some()
    }

    fn word(&mut self) -> Option<&'a str> {
        let text = self.rest.trim_start();
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
        let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
        let (word, rest) = text.split_at_checked(end)?;
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    fn name(&mut self) -> Option<&'a str> {
        self.word().filter(|_| self.take('('))
    }

    fn begins_call(&self) -> bool {
        Cursor { rest: self.rest }.name().is_some()
    }

    /// What could not be read goes on to the end of the text, as a call does.
    fn is_cut_off(&self, text: &str, listed: bool) -> bool {
        let end = text.trim_end();
        let closed = if listed {
            end.ends_with(")]")
        } else {
            end.ends_with(')')
        };
        closed || self.rest.trim().is_empty()
    }

    /// The arguments behind an opening bracket, each by its name.
    fn arguments(&mut self) -> Option<Map<String, Value>> {
        let mut arguments = Map::new();
        while !self.take(')') {
            let name = self.word()?;
            if !self.take('=') {
                return None;
            }
            arguments.insert(name.to_owned(), self.value(0)?);
            if !self.take(',') {
                return self.take(')').then_some(arguments);
            }
        }
        Some(arguments)
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > MOST_DEPTH {
            return None;
        }
        self.rest = self.rest.trim_start();
        match self.rest.chars().next()? {
            '[' => self.list(']', depth),
            '(' => self.list(')', depth),
            '{' => self.object(depth),
            '"' | '\'' => self.text().map(Value::String),
            _ => {
                let end = self
                    .rest
                    .find([',', ')', ']', '}', '(', '\n', ':', '"', '\'']);
                let Some(end) = end else {
                    self.rest = "";
                    return None;
                };
                let (word, rest) = self.rest.split_at_checked(end)?;
                let meant = mender::constant(word.trim())?;
                self.rest = rest;
                serde_json::from_str(&meant).ok()
            }
        }
    }

    fn list(&mut self, close: char, depth: usize) -> Option<Value> {
        self.rest = self.rest.get(1..)?;
        let mut values = Vec::new();
        while !self.take(close) {
            values.push(self.value(depth + 1)?);
            if !self.take(',') {
                return self.take(close).then_some(Value::Array(values));
            }
        }
        Some(Value::Array(values))
    }

    fn object(&mut self, depth: usize) -> Option<Value> {
        self.rest = self.rest.get(1..)?;
        let mut fields = Map::new();
        while !self.take('}') {
            self.rest = self.rest.trim_start();
            let key = self.text()?;
            if !self.take(':') {
                return None;
            }
            fields.insert(key, self.value(depth + 1)?);
            if !self.take(',') {
                return self.take('}').then_some(Value::Object(fields));
            }
        }
        Some(Value::Object(fields))
    }

    /// A text in quotes, which three of them keep open over quotes of its own.
    fn text(&mut self) -> Option<String> {
        let quote = self
            .rest
            .chars()
            .next()
            .filter(|c| matches!(c, '"' | '\''))?;
        let three = if quote == '"' { "\"\"\"" } else { "'''" };
        let close = if self.rest.starts_with(three) {
            three
        } else {
            three.get(..1)?
        };
        let inside = self.rest.get(close.len()..)?;
        let mut text = String::new();
        let mut letters = inside.char_indices();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '\\' => escaped(&mut letters, &mut text)?,
                _ if letter == quote && inside.get(at..)?.starts_with(close) => {
                    self.rest = inside.get(at + close.len()..)?;
                    return Some(text);
                }
                _ => text.push(letter),
            }
        }
        self.rest = "";
        None
    }
}

/// What an escape means; one that is none stands for itself.
fn escaped(letters: &mut std::str::CharIndices<'_>, text: &mut String) -> Option<()> {
    let (_, letter) = letters.next()?;
    let digits = match letter {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        _ => 0,
    };
    if digits > 0 {
        let code = letters.as_str().get(..digits)?;
        let code = u32::from_str_radix(code, 16).ok()?;
        text.push(char::from_u32(code).unwrap_or('\u{fffd}'));
        letters.nth(digits - 1);
        return Some(());
    }
    match letter {
        'n' => text.push('\n'),
        't' => text.push('\t'),
        'r' => text.push('\r'),
        '\n' => {}
        '\\' | '\'' | '"' => text.push(letter),
        other => text.extend(['\\', other]),
    }
    Some(())
}
