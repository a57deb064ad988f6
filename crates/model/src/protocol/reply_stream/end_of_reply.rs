//! Decides at the end of a reply whether its last part is a tool call.
//!
//! Example: the model may not call tools while it writes the closing answer. Its reply is
//! `The lamp turns.`, followed by a call of `find_in_page`. The text before the call is the answer.
//! The loop receives the call, and the user does not see it. JSON that names no tool of the run is
//! part of the answer.

use super::ReplyParser;
use crate::Calling;
use crate::protocol::calls::{ParseContext, ParsedCalls};
use crate::protocol::control::{self, Block};
use crate::protocol::signs::{GLOSS, Tag};
use crate::protocol::{call_parser, forms, repair};

impl ReplyParser {
    /// Handles the end of a reply whose last part may be a call.
    pub(super) fn classify_end(&mut self, show: &mut impl FnMut(&str)) {
        let held = std::mem::take(&mut self.held);
        let found = call_parser::find(&held, &self.reading);
        // In the middle of an answer, a model with native calls may show JSON to the user. Such
        // JSON counts as a call only if the reply ends with it.
        let quotes = self.may_quote(&held);
        let means = |found: &ParsedCalls| {
            if found.calls.is_empty() {
                !quotes
            } else {
                (!quotes || ends_in_object(&held)) && self.reading.means(&held, found)
            }
        };
        if let Some(found) = found.filter(means) {
            return self.take(found, &held, show);
        }
        if self.has_shown() {
            // A part of the text was already shown, and this part is the answer.
            return;
        }
        let object = call_parser::object(&held);
        match &object {
            Some((fields, "")) if control::is_silent(fields) => {
                return control::read(fields, &mut self.speech.control);
            }
            _ => {}
        }
        // The object can be read and is not a call. It is part of an answer if there is text before
        // or after it.
        let quoted = object.is_some_and(|(_, behind)| !self.is_silent() || !behind.is_empty());
        if !quoted && self.reading.means_to_call(&held) {
            self.speech.malformed = Some(if repair_fails(&held) {
                "the JSON of the call cannot be read".to_owned()
            } else {
                "the call names a tool that does not exist".to_owned()
            });
            self.speech.written = held;
        } else {
            self.show(&held, show);
        }
    }

    /// Returns true if JSON in `text` may be quoted in the answer: the model makes calls in the
    /// provider's format, and a part of the answer was already shown.
    pub(super) fn may_quote(&self, text: &str) -> bool {
        self.reading.calling == Calling::Native && !self.is_silent() && !forms::is_marked(text)
    }

    /// Adds the parsed content to the reply. If the content has both calls and an answer, the
    /// answer counts only if the model may not call tools.
    fn take(&mut self, found: ParsedCalls, held: &str, show: &mut impl FnMut(&str)) {
        let calls = !found.calls.is_empty();
        let withheld = calls && self.reading.tools.are_withheld();
        if calls {
            self.take_block(held);
        }
        self.speech.control.add(found.control);
        self.speech.calls = found.calls;
        match found.answer {
            Some(answer) if !calls || withheld => self.show_rest(&answer, show),
            _ => {}
        }
    }

    /// Reads the control block before or after the calls. The block is not shown.
    fn take_block(&mut self, held: &str) {
        let Some((_, after)) = held.split_once(GLOSS) else {
            return;
        };
        let (inner, _) = after.split_once(Tag::Gloss.close()).unwrap_or((after, ""));
        if let Block::Fields(fields, _) = control::block(inner) {
            control::read(&fields, &mut self.speech.control);
        }
    }
}

impl ParseContext {
    /// Returns true if the parsed calls are meant as calls. While the model may not call tools,
    /// JSON counts as a call only if it names a tool of the run. Other JSON may be part of the
    /// answer.
    fn means(&self, text: &str, found: &ParsedCalls) -> bool {
        let known = self.tools.known();
        if known.is_empty() {
            return false;
        }
        let marked = forms::is_marked(text);
        !self.tools.are_withheld()
            || marked
            || found.calls.iter().any(|call| self.knows(&call.name))
    }

    /// Returns true if text that can't be read as a call is nevertheless meant as a call.
    fn means_to_call(&self, text: &str) -> bool {
        let known = self.tools.known();
        if known.is_empty() || !call_parser::is_attempt(text, self) {
            return false;
        }
        let marked = forms::is_marked(text);
        let named = || known.iter().any(|tool| text.contains(&tool.name));
        !self.tools.are_withheld() || marked || named()
    }
}

/// Returns true if the text ends with an object. A closing `]` or code fence may follow the object.
fn ends_in_object(text: &str) -> bool {
    let closes = |c: char| c.is_whitespace() || matches!(c, '`' | ']');
    text.trim_end_matches(closes).ends_with('}')
}

fn repair_fails(held: &str) -> bool {
    let object = held.find('{').and_then(|at| held.get(at..));
    object.is_none_or(|object| repair::whole(object).is_none())
}
