//! A response's bytes to deltas, and at last to what was said.
//!
//! A server that does not stream sends one JSON body: the same path, one delta. A
//! stream without its end marker (`[DONE]` or a `finish_reason`) is a cut, never an
//! answer. What is unknown or unreadable is skipped; a body of nothing else is no answer.

use super::refusal;
use super::surrogates::{self, Half, Written};
use super::wire::{CallDelta, Choice, Chunk, Usage};
use crate::model::{Fault, sse};
use std::borrow::Cow;

/// No answer is longer; what is, is none.
const MOST_BYTES: usize = 64 << 20;
/// So much of the beginning is kept, to quote where it is no answer.
const HEAD_BYTES: usize = 400;

/// What of a delta is passed on as it comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delta<'a> {
    /// The answer goes on.
    Content(&'a str),
    /// The thinking aloud goes on.
    Reasoning(&'a str),
}

/// Decodes one response.
#[derive(Debug, Default)]
pub struct StreamDecoder {
    form: Form,
    events: sse::Decoder,
    /// A body that is no stream.
    whole: Vec<u8>,
    head: Vec<u8>,
    received: usize,
    gathered: Gathered,
}

/// How the body is written, by its first character.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Form {
    #[default]
    Unknown,
    Events,
    Whole,
}

/// What is gathered rather than passed on.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) calls: Vec<CallSoFar>,
    pub(super) refusal: String,
    pub(super) usage: Option<Usage>,
    /// Why it ended, once it has.
    pub(super) finish_reason: Option<String>,
    /// `[DONE]`.
    done: bool,
    /// Any event that is a chunk.
    any: bool,
    /// Any event that is none.
    skipped: bool,
    content_half: Half,
    reasoning_half: Half,
    refusal_half: Half,
    /// How many pieces said something: words, or a part of a call.
    pieces: usize,
    mould: Option<Mould>,
}

/// The chunk before, around its content. Those of one stream mostly differ in this
/// alone: what fits needs no parsing, and means the same by the grammar of JSON.
#[derive(Debug)]
struct Mould {
    before: String,
    after: String,
}

impl Mould {
    /// The mould of a chunk whose one meaning is its content, lent from `data`.
    fn of(chunk: &Chunk<'_>, data: &str) -> Option<Self> {
        let Choice {
            delta: Some(delta),
            message: None,
            finish_reason: None,
            ..
        } = chunk.choices.0.as_ref()?
        else {
            return None;
        };
        let others = [&delta.reasoning_content, &delta.reasoning, &delta.refusal];
        let alone = others.iter().all(|other| other.is_none()) && delta.tool_calls.is_none();
        let Cow::Borrowed(content) = delta.content.as_ref()?.0 else {
            return None;
        };
        if !alone || chunk.usage.is_some() || chunk.error.is_some() {
            return None;
        }
        // Where it was lent from: between two quotes.
        let start = (content.as_ptr() as usize).checked_sub(data.as_ptr() as usize)?;
        let before = data.get(..start)?;
        let after = data.get(start + content.len()..)?;
        (before.ends_with('"') && after.starts_with('"')).then(|| Self {
            before: before.to_owned(),
            after: after.to_owned(),
        })
    }

    /// The content of a chunk that is the same but for a plain string.
    fn content<'a>(&self, data: &'a str) -> Option<&'a str> {
        let content = data
            .strip_prefix(&*self.before)?
            .strip_suffix(&*self.after)?;
        let is_plain = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
        content.bytes().all(is_plain).then_some(content)
    }
}

/// A call as far as it has come.
#[derive(Debug, Default)]
pub(super) struct CallSoFar {
    index: Option<u32>,
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: String,
    half: Half,
}

impl StreamDecoder {
    /// Takes a piece of the body.
    ///
    /// # Errors
    /// When it is no answer, or says that the server failed.
    pub fn feed(&mut self, bytes: &[u8], mut take: impl FnMut(Delta<'_>)) -> Result<(), Fault> {
        self.received += bytes.len();
        if self.received > MOST_BYTES {
            return Err(self.nonsense());
        }
        // Some servers send white space to show that they live.
        let bytes = match self.form {
            Form::Unknown => bytes.trim_ascii_start(),
            Form::Events | Form::Whole => bytes,
        };
        let kept = bytes.len().min(HEAD_BYTES.saturating_sub(self.head.len()));
        self.head
            .extend_from_slice(bytes.get(..kept).unwrap_or_default());
        if self.form == Form::Unknown {
            self.form = form(&self.head);
        }
        match self.form {
            Form::Unknown => return Ok(()),
            Form::Whole => {
                self.whole.extend_from_slice(bytes);
                return Ok(());
            }
            Form::Events => {}
        }
        let gathered = &mut self.gathered;
        let mut fault = None;
        self.events.feed(bytes, |event| {
            if fault.is_none() {
                fault = gathered.take_event(&event.data, &mut take).err();
            }
        });
        fault.map_or(Ok(()), Err)
    }

    /// How many pieces have said something. Signs of life say nothing.
    pub(super) fn pieces(&self) -> usize {
        self.gathered.pieces
    }

    /// Whether the end marker has come: what follows does not matter.
    pub fn is_done(&self) -> bool {
        self.gathered.done
    }

    /// Whether the answer is whole, though its usage may be to come.
    pub fn is_whole(&self) -> bool {
        self.gathered.done || self.gathered.finish_reason.is_some()
    }

    /// The body has ended.
    ///
    /// # Errors
    /// When it is no answer, or no whole one.
    pub(super) fn finish(&mut self, mut take: impl FnMut(Delta<'_>)) -> Result<Gathered, Fault> {
        if self.form == Form::Whole {
            self.finish_whole(&mut take)?;
        } else {
            let gathered = &mut self.gathered;
            let mut fault = None;
            self.events.finish(|event| {
                fault = gathered.take_event(&event.data, &mut take).err();
            });
            if let Some(fault) = fault {
                return Err(fault);
            }
            let is_whole = self.is_whole();
            let is_other = !is_whole || self.gathered.skipped;
            if is_other && !self.gathered.any && !self.head.trim_ascii().is_empty() {
                return Err(self.nonsense());
            }
            if !is_whole {
                return Err(Fault::Cut);
            }
        }
        self.gathered.end_halves(&mut take);
        Ok(std::mem::take(&mut self.gathered))
    }

    fn finish_whole(&mut self, take: &mut impl FnMut(Delta<'_>)) -> Result<(), Fault> {
        let text = String::from_utf8_lossy(&self.whole);
        let text = text.trim_start_matches('\u{feff}');
        let mended;
        let (chunk, written) = match Chunk::of(text) {
            Ok(chunk) => (chunk, Written::Whole),
            Err(error) if error.is_eof() => return Err(Fault::Cut),
            Err(_) => {
                mended = surrogates::with_stand_ins(text).unwrap_or_default();
                let chunk = Chunk::of(&mended).map_err(|_| self.nonsense())?;
                (chunk, Written::WithStandIns)
            }
        };
        let is_answer = chunk.choices.0.is_some();
        self.gathered.take_chunk(chunk, written, take)?;
        if is_answer {
            Ok(())
        } else {
            Err(self.nonsense())
        }
    }

    fn nonsense(&self) -> Fault {
        let head = String::from_utf8_lossy(&self.head);
        let head = head.trim_start_matches('\u{feff}').trim();
        Fault::Nonsense {
            said: (!head.is_empty() && !is_for_programs(head)).then(|| head.to_owned()),
        }
    }
}

/// JSON and events say nothing to a person.
fn is_for_programs(text: &str) -> bool {
    const BEGINNINGS: [&str; 7] = ["{", "[", ":", "data:", "event:", "id:", "retry:"];
    BEGINNINGS.iter().any(|sign| text.starts_with(sign))
        || serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

impl Gathered {
    fn take_event(&mut self, data: &str, take: &mut impl FnMut(Delta<'_>)) -> Result<(), Fault> {
        if let Some(content) = self.mould.as_ref().and_then(|mould| mould.content(data))
            && !self.done
        {
            self.tell(Delta::Content(content), Written::Whole, take);
            return Ok(());
        }
        self.done |= data.trim() == "[DONE]";
        if self.done || data.trim().is_empty() {
            return Ok(());
        }
        if let Ok(chunk) = Chunk::of(data) {
            self.any = true;
            self.mould = Mould::of(&chunk, data).or(self.mould.take());
            return self.take_chunk(chunk, Written::Whole, take);
        }
        let mended = surrogates::with_stand_ins(data).unwrap_or_default();
        if let Ok(chunk) = Chunk::of(&mended) {
            self.any = true;
            return self.take_chunk(chunk, Written::WithStandIns, take);
        }
        self.skipped = true;
        Ok(())
    }

    fn take_chunk(
        &mut self,
        chunk: Chunk<'_>,
        written: Written,
        take: &mut impl FnMut(Delta<'_>),
    ) -> Result<(), Fault> {
        if let Some(error) = &chunk.error {
            return Err(refusal::within_stream(error));
        }
        self.usage = chunk.usage.or(self.usage);
        let Some(Choice {
            delta,
            message,
            finish_reason,
            ..
        }) = chunk.choices.0
        else {
            return Ok(());
        };
        if let Some(delta) = delta.or(message) {
            for reasoning in [&delta.reasoning_content, &delta.reasoning]
                .into_iter()
                .flatten()
                .take(1)
            {
                self.tell(Delta::Reasoning(&reasoning.0), written, take);
            }
            if let Some(content) = &delta.content {
                self.tell(Delta::Content(&content.0), written, take);
            }
            if let Some(refusal) = delta.refusal {
                self.pieces += usize::from(!refusal.0.is_empty());
                let refusal = self.refusal_half.join(&refusal.0, written);
                self.refusal.push_str(&refusal);
            }
            for call in delta.tool_calls.into_iter().flatten() {
                self.pieces += 1;
                self.take_call(call, written);
            }
        }
        if let Some(reason) = finish_reason.filter(|reason| !reason.0.is_empty()) {
            self.finish_reason = Some(reason.0.into_owned());
        }
        Ok(())
    }

    fn tell(&mut self, delta: Delta<'_>, written: Written, take: &mut impl FnMut(Delta<'_>)) {
        let (Delta::Content(text) | Delta::Reasoning(text)) = delta;
        if text.is_empty() {
            return;
        }
        self.pieces += 1;
        match delta {
            Delta::Content(text) => {
                let text = self.content_half.join(text, written);
                if !text.is_empty() {
                    take(Delta::Content(&text));
                }
            }
            Delta::Reasoning(text) => {
                let text = self.reasoning_half.join(text, written);
                if !text.is_empty() {
                    take(Delta::Reasoning(&text));
                }
            }
        }
    }

    /// No more comes: what is half a character stays so.
    fn end_halves(&mut self, take: &mut impl FnMut(Delta<'_>)) {
        if let Some(text) = self.reasoning_half.end() {
            take(Delta::Reasoning(text));
        }
        if let Some(text) = self.content_half.end() {
            take(Delta::Content(text));
        }
        self.refusal.extend(self.refusal_half.end());
    }

    /// Servers differ: some leave out the index, some the id, some send every call as
    /// number 0, some repeat the name with each piece.
    fn take_call(&mut self, delta: CallDelta<'_>, written: Written) {
        let id = delta.id.map(|id| id.0).unwrap_or_default();
        let (name, arguments) = match delta.function {
            Some(function) => (function.name, function.arguments),
            None => (None, None),
        };
        let name = name.map(|name| name.0).unwrap_or_default();
        let same = |call: &CallSoFar| {
            let other_id = !id.is_empty() && !call.id.is_empty() && id != call.id;
            let begins = !name.is_empty() && !call.name.is_empty() && call.is_complete();
            let repeats = !id.is_empty() && id == call.id;
            !other_id && (repeats || !begins)
        };
        let place = match delta.index {
            Some(index) => self
                .calls
                .iter()
                .rposition(|call| call.index == Some(index)),
            None if id.is_empty() => self.calls.len().checked_sub(1),
            None => self.calls.iter().rposition(|call| call.id == id),
        };
        let place = place.filter(|place| self.calls.get(*place).is_some_and(same));
        let place = place.unwrap_or_else(|| {
            self.calls.push(CallSoFar {
                index: delta.index,
                ..CallSoFar::default()
            });
            self.calls.len() - 1
        });
        if let Some(call) = self.calls.get_mut(place) {
            if call.id.is_empty() {
                call.id = id.into_owned();
            }
            if call.name.is_empty() {
                call.name = name.into_owned();
            }
            if let Some(text) = arguments {
                call.arguments.push_str(&call.half.join(&text.0, written));
            }
        }
    }
}

impl CallSoFar {
    fn is_complete(&self) -> bool {
        let arguments = self.arguments.trim();
        arguments.ends_with('}') && serde_json::from_str::<serde::de::IgnoredAny>(arguments).is_ok()
    }
}

/// An object is a body by itself, whatever else is told by its events.
fn form(head: &[u8]) -> Form {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    match head.trim_ascii_start().first() {
        None => Form::Unknown,
        Some(b'{') => Form::Whole,
        Some(_) => Form::Events,
    }
}
