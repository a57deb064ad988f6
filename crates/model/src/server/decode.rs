//! A response's bytes to deltas, and at last to what was said, whatever the dialect.
//!
//! A server that does not stream sends one JSON body: the same path, one delta. A
//! stream without its end marker is a cut, never an answer. What is unknown or
//! unreadable is skipped; a body of nothing else is no answer.

use super::dialect::{self, Decode, Delta, Framing, Take};
use super::lines;
use crate::{Api, Fault, Finish, sse};
use serde_json::Value;

/// No answer is longer; what is, is none.
const MOST_BYTES: usize = 64 << 20;
/// So much of the beginning is kept, to quote where it is no answer.
const HEAD_BYTES: usize = 400;

/// Decodes one response.
#[derive(Debug)]
pub struct StreamDecoder {
    framing: Framing,
    form: Form,
    events: sse::Decoder,
    lines: lines::Decoder,
    /// A body that is no stream.
    whole: Vec<u8>,
    head: Vec<u8>,
    received: usize,
    decode: Box<dyn Decode>,
    heard: Heard,
}

/// How the body is written, by its first character.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Form {
    #[default]
    Unknown,
    Stream,
    Whole,
}

/// What is gathered of a response.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    pub(super) calls: Vec<CallSoFar>,
    pub(super) refusal: String,
    /// As reported so far; later reports replace earlier ones field by field.
    pub(super) usage: Reported,
    /// Why it ended, once it has.
    pub(super) finish: Option<Finish>,
    /// Nothing follows: the end marker has come.
    pub(super) done: bool,
    /// What the provider wants back before these calls' results.
    pub(super) echo: Option<Value>,
    /// It meant to call and did not, by its provider's own account.
    pub(super) malformed: Option<String>,
    /// Any event that is one of the dialect's.
    any: bool,
    /// Any event that is none.
    skipped: bool,
    /// How many pieces said something: words, or a part of a call.
    pieces: usize,
}

/// Tokens as the provider counts them.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Reported {
    /// Read, those from its cache included.
    pub(super) input: Option<u32>,
    /// Of these: read from its cache.
    pub(super) cached: Option<u32>,
    /// Of these: written into a cache that is paid for.
    pub(super) cache_written: Option<u32>,
    /// Written, thinking included.
    pub(super) output: Option<u32>,
    /// Of these: thought.
    pub(super) reasoning: Option<u32>,
}

/// A call as far as it has come.
#[derive(Debug, Default)]
pub(super) struct CallSoFar {
    /// What tells it apart from the others of its reply.
    pub(super) index: Option<u32>,
    pub(super) id: String,
    pub(super) name: String,
    /// JSON, as far as it has come.
    pub(super) arguments: String,
}

impl Default for StreamDecoder {
    fn default() -> Self {
        Self::of(Api::default())
    }
}

impl StreamDecoder {
    /// For a response of such a server.
    pub fn of(api: Api) -> Self {
        let dialect = dialect::of(api);
        Self {
            framing: dialect.framing(),
            form: Form::default(),
            events: sse::Decoder::default(),
            lines: lines::Decoder::default(),
            whole: Vec::new(),
            head: Vec::new(),
            received: 0,
            decode: dialect.decoder(),
            heard: Heard::default(),
        }
    }

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
            Form::Stream | Form::Whole => bytes,
        };
        let kept = bytes.len().min(HEAD_BYTES.saturating_sub(self.head.len()));
        self.head
            .extend_from_slice(bytes.get(..kept).unwrap_or_default());
        if self.form == Form::Unknown {
            self.form = form(&self.head, self.framing);
        }
        match self.form {
            Form::Unknown => return Ok(()),
            Form::Whole => {
                self.whole.extend_from_slice(bytes);
                return Ok(());
            }
            Form::Stream => {}
        }
        let Self {
            framing,
            events,
            lines,
            decode,
            heard,
            ..
        } = self;
        let mut fault = None;
        let mut event = |data: &str| {
            if fault.is_none() {
                fault = heard.take_event(decode.as_mut(), data, &mut take).err();
            }
        };
        match framing {
            Framing::Events => events.feed(bytes, |it| event(&it.data)),
            Framing::Lines => lines.feed(bytes, event),
        }
        fault.map_or(Ok(()), Err)
    }

    /// How many pieces have said something. Signs of life say nothing.
    pub(super) fn pieces(&self) -> usize {
        self.heard.pieces
    }

    /// What was heard so far.
    pub(super) fn heard(&self) -> &Heard {
        &self.heard
    }

    /// Whether the end marker has come: what follows does not matter.
    pub fn is_done(&self) -> bool {
        self.heard.done
    }

    /// Whether the answer is whole, though its usage may be to come.
    pub fn is_whole(&self) -> bool {
        self.heard.done || self.heard.finish.is_some()
    }

    /// The body has ended.
    ///
    /// # Errors
    /// When it is no answer, or no whole one.
    pub(super) fn finish(&mut self, mut take: impl FnMut(Delta<'_>)) -> Result<Heard, Fault> {
        if self.form == Form::Whole {
            self.finish_whole(&mut take)?;
        } else {
            let Self {
                framing,
                events,
                lines,
                decode,
                heard,
                ..
            } = self;
            let mut fault = None;
            let event =
                |data: &str| fault = heard.take_event(decode.as_mut(), data, &mut take).err();
            match framing {
                Framing::Events => {
                    let mut event = event;
                    events.finish(|it| event(&it.data));
                }
                Framing::Lines => lines.finish(event),
            }
            if let Some(fault) = fault {
                return Err(fault);
            }
            let is_whole = self.is_whole();
            let is_other = !is_whole || self.heard.skipped;
            if is_other && !self.heard.any && !self.head.trim_ascii().is_empty() {
                return Err(self.nonsense());
            }
            if !is_whole {
                return Err(Fault::Cut);
            }
        }
        Ok(std::mem::take(&mut self.heard))
    }

    /// Nothing more is taken: what was heard so far.
    pub(super) fn cut(&mut self) -> Heard {
        std::mem::take(&mut self.heard)
    }

    fn finish_whole(&mut self, take: &mut Take<'_>) -> Result<(), Fault> {
        let text = String::from_utf8_lossy(&self.whole);
        let text = text.trim_start_matches('\u{feff}');
        match serde_json::from_str::<serde::de::IgnoredAny>(text) {
            Err(error) if error.is_eof() => return Err(Fault::Cut),
            _ => {}
        }
        let Self { decode, heard, .. } = self;
        if decode.whole(text, heard, take)? {
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

impl Heard {
    /// An answer in words alone, with its tokens where they were counted.
    pub(crate) fn in_words(input: Option<u32>, output: Option<u32>) -> Self {
        let usage = Reported {
            input,
            output,
            ..Reported::default()
        };
        Self {
            usage,
            finish: Some(Finish::Stop),
            ..Self::default()
        }
    }

    fn take_event(
        &mut self,
        decode: &mut dyn Decode,
        data: &str,
        take: &mut Take<'_>,
    ) -> Result<(), Fault> {
        if self.done || data.trim().is_empty() {
            return Ok(());
        }
        let is_ours = decode.event(data, self, take)?;
        self.any |= is_ours && !self.done;
        self.skipped |= !is_ours;
        Ok(())
    }

    /// The answer, or the thinking aloud, goes on.
    pub(super) fn tell(&mut self, delta: Delta<'_>, take: &mut Take<'_>) {
        let (Delta::Content(text) | Delta::Reasoning(text)) = delta;
        if !text.is_empty() {
            self.pieces += 1;
            take(delta);
        }
    }

    /// The model declines, in these words.
    pub(super) fn refuse(&mut self, words: &str) {
        self.pieces += usize::from(!words.is_empty());
        self.refusal.push_str(words);
    }

    /// The arguments of the call at `place` go on.
    pub(super) fn argue(&mut self, place: usize, json: &str) {
        self.pieces += 1;
        if let Some(call) = self.calls.get_mut(place) {
            call.arguments.push_str(json);
        }
    }

    /// A call that was not there before; its place.
    pub(super) fn call(&mut self, index: Option<u32>, id: &str, name: &str) -> usize {
        self.pieces += 1;
        self.calls.push(CallSoFar {
            index,
            id: id.to_owned(),
            name: name.to_owned(),
            ..CallSoFar::default()
        });
        self.calls.len() - 1
    }
}

impl CallSoFar {
    /// Whether its arguments are whole.
    pub(super) fn is_complete(&self) -> bool {
        let arguments = self.arguments.trim();
        arguments.ends_with('}') && serde_json::from_str::<serde::de::IgnoredAny>(arguments).is_ok()
    }
}

/// An object is a body by itself, whatever else is told by its events; where each line
/// is one, so is a body that does not stream.
fn form(head: &[u8], framing: Framing) -> Form {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    match (head.trim_ascii_start().first(), framing) {
        (None, _) => Form::Unknown,
        (Some(b'{'), Framing::Events) => Form::Whole,
        (Some(_), _) => Form::Stream,
    }
}
