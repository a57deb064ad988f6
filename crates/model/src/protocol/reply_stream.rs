//! Separates a streamed reply into text for the user, control data and tool calls.
//!
//! The time per byte is bounded, because text that was shown to the user is not examined again.

mod end_of_reply;

use super::calls::ParseContext;
use super::control::{self, Block};
use super::inline::{FIELDS, Inline};
use super::signs::{Begins, GLOSS, Sign, Tag, Ticks, overlap};
use super::{ParsedReply, forms};
use crate::phrase::DisplayText;
use crate::{Calling, Tools};
use serde_json::Value;

/// The parser of one streamed reply.
pub struct ReplyParser {
    reading: ParseContext,
    state: State,
    /// Received text that is not yet recognised as text for the user, a control block or a call.
    held: String,
    /// The text so far inside the tag that is open.
    inside: String,
    /// True after a control block was read.
    told: bool,
    /// True if the next character is at the start of a line.
    line_start: bool,
    /// Counts the backticks of the shown text, to recognise whether the next text is code.
    ticks: Ticks,
    speech: ParsedReply,
    /// An answer that the control block contains.
    inline: Option<String>,
    /// Streams the answer inside the current JSON object. `None` until an object begins.
    watch: Option<Inline>,
    /// True after an answer inside a control block was shown. The next text then begins a new
    /// paragraph.
    gap: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The current text is for the user.
    Open,
    /// The current text is inside this tag.
    Inside(Tag),
    /// The rest of the reply may be a call. It is classified at the end of the reply.
    Holding,
}

impl ReplyParser {
    /// Makes a parser for the reply of a model that can call `tools` in the format `calling`.
    pub fn new(calling: Calling, tools: Tools) -> Self {
        Self {
            reading: ParseContext { calling, tools },
            state: State::Open,
            held: String::new(),
            inside: String::new(),
            told: false,
            line_start: true,
            ticks: Ticks::default(),
            speech: ParsedReply::default(),
            inline: None,
            watch: None,
            gap: false,
        }
    }

    /// Reads the next part of the reply. Text for the user is passed to `show`.
    pub fn push(&mut self, delta: &str, mut show: impl FnMut(&str)) {
        self.held.push_str(delta);
        if self.state == State::Holding {
            self.watch(delta, &mut show);
        }
        while self.advance(&mut show) {}
    }

    /// Reads the next part of a JSON object that may contain an answer.
    fn watch(&mut self, piece: &str, show: &mut impl FnMut(&str)) {
        let piece = match &self.watch {
            Some(_) => Some(piece),
            None => piece.find('{').and_then(|at| piece.get(at..)),
        };
        let Some(piece) = piece else { return };
        let watch = self.watch.take();
        let mut watch = watch.unwrap_or_else(|| self.inline_behind());
        watch.push(piece, &mut |text| self.show_all(text, show));
        self.watch = Some(watch);
    }

    /// Makes a watcher that looks for an answer in the first JSON object of the held text. The
    /// watcher does nothing if the text begins a tool call, or if the answer may only quote the
    /// JSON.
    fn inline_behind(&self) -> Inline {
        if self.state == State::Holding
            && (forms::is_marked(&self.held) || self.may_quote(&self.held))
        {
            Inline::closed()
        } else {
            Inline::default()
        }
    }

    /// Shows the rest of an answer inside JSON. Its first part was shown while the object arrived.
    fn show_rest(&mut self, answer: &str, show: &mut impl FnMut(&str)) {
        let watch = self.watch.take().unwrap_or_default();
        match (watch.shown(), answer.strip_prefix(watch.shown())) {
            ("", _) => self.show(answer, show),
            (_, Some(rest)) => self.show_all(rest, show),
            // The shown text is from another field. `answer` is not shown, because it does not
            // continue that text.
            (_, None) => {}
        }
    }

    fn has_shown(&self) -> bool {
        let watch = self.watch.as_ref();
        watch.is_some_and(|watch| !watch.shown().is_empty())
    }

    fn is_silent(&self) -> bool {
        self.speech.text.is_empty()
    }

    /// Returns the part of the answer that the user has seen.
    pub fn shown(&self) -> &str {
        &self.speech.text
    }

    /// Ends the reply, and returns its content.
    pub fn finish(mut self, mut show: impl FnMut(&str)) -> ParsedReply {
        match self.state {
            State::Inside(tag) => {
                self.inside.push_str(&std::mem::take(&mut self.held));
                self.end_inside(tag, &mut show);
            }
            State::Holding => self.classify_end(&mut show),
            State::Open => {
                let rest = std::mem::take(&mut self.held);
                // The reply ends with an incomplete tag, which is not shown.
                let half = rest.len() > 2 && rest.starts_with('<');
                if !half {
                    self.show(&rest, &mut show);
                }
            }
        }
        let calls = !self.speech.calls.is_empty() && !self.reading.tools.are_withheld();
        if self.speech.text.trim().is_empty()
            && !calls
            && let Some(answer) = self.inline.take()
        {
            self.show(&answer, &mut show);
        }
        self.speech
    }

    /// Classifies the next part of the held text. Returns false if more text is needed.
    fn advance(&mut self, show: &mut impl FnMut(&str)) -> bool {
        match self.state {
            State::Holding => false,
            State::Inside(tag) => {
                let end = self.held.find(tag.close());
                let until =
                    end.unwrap_or_else(|| self.held.len() - overlap(&self.held, tag.close()));
                let rest = self.held.split_off(until);
                let piece = std::mem::replace(&mut self.held, rest);
                self.inside.push_str(&piece);
                if tag == Tag::Gloss {
                    self.watch(&piece, show);
                }
                if end.is_some() {
                    self.held.drain(..tag.close().len());
                    self.state = State::Open;
                    self.close(tag, show);
                }
                end.is_some()
            }
            State::Open => self.look(show),
        }
    }

    fn look(&mut self, show: &mut impl FnMut(&str)) -> bool {
        if self.is_silent() {
            let blank = self.held.len() - self.held.trim_start().len();
            self.held.drain(..blank);
        }
        let (at, next) = self.mark();
        let mut rest = self.held.split_off(at);
        if let Some(State::Inside(tag)) = next {
            rest.drain(..tag.open().len());
        }
        let shown = std::mem::replace(&mut self.held, rest);
        self.show(&shown, show);
        let Some(state) = next else { return false };
        self.state = state;
        self.watch = None;
        if state == State::Holding {
            let held = self.held.clone();
            self.watch(&held, show);
        }
        true
    }

    fn show(&mut self, text: &str, show: &mut impl FnMut(&str)) {
        let begins = self.is_silent() || self.gap;
        let text = if begins { text.trim_start() } else { text };
        if !text.is_empty() && std::mem::take(&mut self.gap) {
            self.show_all("\n\n", show);
        }
        self.show_all(text, show);
    }

    fn show_all(&mut self, text: &str, show: &mut impl FnMut(&str)) {
        if text.is_empty() {
            return;
        }
        self.lay(text);
        self.speech.text.push_str(text);
        show(text);
    }

    /// Updates `line_start` and `ticks` after text was shown.
    fn lay(&mut self, text: &str) {
        let (begins, line) = match text.rsplit_once('\n') {
            Some((_, line)) => (true, line),
            None => (self.line_start, text),
        };
        self.line_start = begins && line.bytes().all(|byte| byte == b' ');
        self.ticks = if text.contains('`') {
            text.chars().fold(self.ticks, Ticks::after)
        } else {
            // All other characters have the same effect.
            self.ticks.after(' ')
        };
    }

    /// Returns the number of bytes of held text that can be shown, and the state after them. With
    /// `None`, more text is needed to classify the rest.
    fn mark(&self) -> (usize, Option<State>) {
        let mut line_start = self.line_start || self.is_silent() || self.gap;
        let mut next = if self.gap {
            self.ticks.broken()
        } else {
            self.ticks
        };
        for (at, c) in self.held.char_indices() {
            let (begins_line, ticks) = (line_start, next);
            next = ticks.after(c);
            line_start = c == '\n' || (line_start && c == ' ');
            if !begins_line && !matches!(c, '<' | '[') {
                continue;
            }
            let rest = self.held.get(at..).unwrap_or_default();
            let first = self.is_silent() && at == 0;
            if self.told && begins_line && !first && !ticks.are_open() {
                if rest.starts_with(GLOSS) {
                    return (at, Some(State::Inside(Tag::Gloss)));
                }
                if GLOSS.starts_with(rest) {
                    return (at, None);
                }
            }
            let begins = match (first, begins_line) {
                (true, _) => Begins::Text,
                (false, true) => Begins::Line,
                (false, false) => Begins::Nothing,
            };
            match self.reading.sign(rest, begins, ticks.are_open()) {
                Sign::Nothing => {}
                Sign::Unknown => return (at, None),
                Sign::Opens(tag) => return (at, Some(State::Inside(tag))),
                Sign::Call => return (at, Some(State::Holding)),
            }
        }
        (self.held.len(), None)
    }

    /// Handles a reply that ends inside a tag. If the text is not a valid control block, it is
    /// shown as the answer.
    fn end_inside(&mut self, tag: Tag, show: &mut impl FnMut(&str)) {
        match (tag, control::block(&self.inside)) {
            // A part of the text was already shown, and this part is the answer.
            (Tag::Gloss, Block::Words(_) | Block::Broken) if self.has_shown() => {}
            (Tag::Gloss, Block::Words(_)) => {
                let answer = std::mem::take(&mut self.inside);
                self.show(&answer, show);
            }
            (Tag::Gloss, Block::Broken) => {
                let answer = format!("{GLOSS}{}", std::mem::take(&mut self.inside));
                self.show(&answer, show);
            }
            (Tag::Gloss, Block::Fields(..)) | (Tag::Think, _) => self.close(tag, show),
        }
    }

    /// Handles a tag that was closed, or a readable control block at the end of a reply.
    fn close(&mut self, tag: Tag, show: &mut impl FnMut(&str)) {
        let inside = std::mem::take(&mut self.inside);
        // The shown text is the answer. Text after the control block begins a new paragraph.
        let has_shown = tag == Tag::Gloss && self.has_shown();
        self.gap |= has_shown;
        match (tag, control::block(&inside)) {
            (Tag::Think, _) => self.speech.reasoning.push_str(inside.trim()),
            (Tag::Gloss, Block::Fields(fields, behind)) => {
                self.told = true;
                control::read(&fields, &mut self.speech.control);
                let inline = FIELDS.iter();
                let mut inline =
                    inline.filter_map(|name| fields.get(*name).and_then(Value::as_str));
                let inline = inline.next().map(str::to_owned);
                match inline {
                    Some(answer) if has_shown => self.show_rest(&answer, show),
                    inline => self.inline = inline.or(self.inline.take()),
                }
                // Text after the object inside the block is the answer: the model left out the
                // closing tag.
                let behind = behind.to_owned();
                self.show(&behind, show);
            }
            (Tag::Gloss, Block::Words(words)) => {
                if !words.is_empty() && self.speech.control.thought.is_none() {
                    self.speech.control.thought = Some(DisplayText::words(words));
                    self.inline = Some(words.to_owned());
                }
            }
            (Tag::Gloss, Block::Broken) => {}
        }
    }
}
