//! Calls and answers in XML-style tags.
//!
//! Driving example: `<tool_call>{"name": "find_in_page", "arguments": {…}}</tool_call>`; what
//! else stands within such tags, `elements` reads.

use super::calls::{Found, Reading, canonical};
use super::elements::{self, Body, Pair};
use super::pythonic::{self, Python};
use super::signs::Sign;
use crate::phrase::Said;
use serde_json::{Map, Value};

/// Tags around a call.
const CALL_TAGS: [&str; 5] = [
    "tool_call",
    "tool_calls",
    "function_call",
    "invoke",
    "action",
];
/// Tags around an answer.
const ANSWER_TAGS: [&str; 2] = ["final_answer", "response"];

pub(super) fn tagged(text: &str, reading: &Reading) -> Found {
    let mut found = Found::default();
    for tag in CALL_TAGS {
        for inner in within(text, tag) {
            reading.boxed(inner, &mut found);
        }
    }
    reading.elements(text, &mut found);
    if found.calls.is_empty() && found.answer.is_none() {
        let answers = ANSWER_TAGS.iter().flat_map(|tag| within(text, tag));
        let mut answers = answers.map(|inner| inner.text.trim());
        found.answer = answers.find(|a| !a.is_empty()).map(str::to_owned);
    }
    if let Some(thought) = within(text, "thinking").next() {
        let thought = thought.text.trim();
        found.control.thought = (!thought.is_empty()).then(|| Said::words(thought));
    }
    found
}

/// What stands between two tags.
#[derive(Clone, Copy)]
struct Inner<'a> {
    text: &'a str,
    /// The closing tag is there.
    is_closed: bool,
}

/// What stands between `<tag>` and `</tag>`; the last may be open.
fn within<'a>(text: &'a str, tag: &str) -> impl Iterator<Item = Inner<'a>> {
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let mut rest = text;
    std::iter::from_fn(move || {
        let (_, after) = rest.split_once(&open)?;
        let closed = after.split_once(&close);
        let (text, later) = closed.unwrap_or((after, ""));
        rest = later;
        Some(Inner {
            text,
            is_closed: closed.is_some(),
        })
    })
}

impl Reading {
    /// What stands in a tag around calls: JSON, a name alone or before arguments, Python.
    fn boxed(&self, inner: Inner<'_>, found: &mut Found) {
        let text = inner.text.trim();
        // Elements within say themselves what they call.
        if text.starts_with('<') {
            return;
        }
        if let Some((name, rest)) = text.find('<').and_then(|at| text.split_at_checked(at))
            && elements::is_argument(rest)
        {
            match elements::pairs(rest) {
                Some((pairs, _)) => self.call_with(name.trim(), pairs, found),
                None => found.is_cut = true,
            }
            return;
        }
        if let Sign::Call = pythonic::sign(text, self.tools.known()) {
            match pythonic::read(text) {
                Python::Calls(calls) => {
                    for (name, arguments) in calls {
                        self.call(name, arguments, &Map::new(), found);
                    }
                }
                Python::Unread | Python::Words => found.is_cut = true,
            }
            return;
        }
        let Some(at) = text.find(['{', '[']) else {
            // Without its end, arguments may have been meant to follow.
            if inner.is_closed {
                self.call(text, Value::Null, &Map::new(), found);
            }
            return;
        };
        let (name, mut rest) = text.split_at_checked(at).unwrap_or_default();
        let mut name = name.trim();
        while let Some((value, length)) = found.read(rest) {
            self.take_named(name, &value, found);
            let behind = rest.get(length..).unwrap_or_default();
            let next = behind.find(['{', '[']).and_then(|at| behind.get(at..));
            (name, rest) = ("", next.unwrap_or_default());
        }
    }

    /// The elements that name what they call. What cannot be read ends the search: it would
    /// be looked through again from each tag.
    fn elements(&self, text: &str, found: &mut Found) {
        let mut rest = text;
        while let Some(tag) = elements::next(rest) {
            let Some(behind) = self.element(tag, found) else {
                found.is_cut = true;
                return;
            };
            rest = behind;
        }
    }

    /// The call that an element makes; what stands behind it.
    fn element<'a>(&self, tag: &'a str, found: &mut Found) -> Option<&'a str> {
        let (name, body) = elements::opened(tag)?;
        match elements::body(body) {
            Body::Pairs(pairs, behind) => {
                self.call_with(name, pairs, found);
                Some(behind)
            }
            Body::Empty => {
                self.call(name, Value::Null, &Map::new(), found);
                Some(body)
            }
            Body::Json(json) => {
                let (value, length) = found.read(json)?;
                self.call(name, value, &Map::new(), found);
                json.get(length..)
            }
            Body::Unread => None,
        }
    }

    fn call_with(&self, name: &str, pairs: Vec<Pair<'_>>, found: &mut Found) {
        let called = canonical(name);
        let tool = self.tools.known().iter().find(|tool| tool.name == called);
        let arguments = elements::arguments(pairs, tool);
        self.call(name, arguments, &Map::new(), found);
    }
}
