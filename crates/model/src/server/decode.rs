//! Decodes the bytes of a response to deltas and a final result, for every dialect.
//!
//! A server that does not stream sends one JSON body. This body is handled like a stream with one
//! delta. A stream without its end marker was cut off, and is never treated as an answer. Unknown
//! or unreadable events are skipped. A body that contains only such events is an error.

use super::dialect::{self, Decode, Delta, Framing, Take};
use super::lines;
use crate::{Api, Fault, Finish, sse};
use serde_json::Value;

/// The maximum length of a response in bytes. A longer response is an error.
const MOST_BYTES: usize = 64 << 20;
/// The number of bytes at the start of the response that are kept, to be quoted in an error
/// message.
const HEAD_BYTES: usize = 400;

/// Decodes one response.
#[derive(Debug)]
pub struct StreamDecoder {
    framing: Framing,
    form: BodyFormat,
    events: sse::Decoder,
    lines: lines::Decoder,
    /// The body so far, if it is not a stream.
    whole: Vec<u8>,
    head: Vec<u8>,
    received: usize,
    decode: Box<dyn Decode>,
    heard: DecodedResponse,
}

/// The form of the body, recognised by its first character.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum BodyFormat {
    #[default]
    Unknown,
    Stream,
    Whole,
}

/// The content of a response so far.
#[derive(Debug, Default)]
pub(crate) struct DecodedResponse {
    pub(super) calls: Vec<CallSoFar>,
    pub(super) refusal: String,
    /// The token counts reported so far. Later reports replace earlier ones field by field.
    pub(super) usage: Reported,
    /// The reason why the reply ended; `None` before its end.
    pub(super) finish: Option<Finish>,
    /// True after the end marker of the stream.
    pub(super) done: bool,
    /// Data that the provider requires to be sent back before the results of these calls.
    pub(super) echo: Option<Value>,
    /// The provider's message that the model failed to write a call.
    pub(super) malformed: Option<String>,
    /// True after an event of this dialect was read.
    any: bool,
    /// True after an event was skipped, because it is not of this dialect.
    skipped: bool,
    /// The number of deltas with content: text, or a part of a call.
    pieces: usize,
}

#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Reported {
    /// Input tokens, including those read from the cache.
    pub(super) input: Option<u32>,
    /// Input tokens read from the cache.
    pub(super) cached: Option<u32>,
    /// Input tokens written to a cache whose provider charges for writing.
    pub(super) cache_written: Option<u32>,
    /// Output tokens, including those used for reasoning.
    pub(super) output: Option<u32>,
    /// Output tokens used for reasoning.
    pub(super) reasoning: Option<u32>,
}

/// The received part of a tool call.
#[derive(Debug, Default)]
pub(super) struct CallSoFar {
    /// The call's index within its reply.
    pub(super) index: Option<u32>,
    pub(super) id: String,
    pub(super) name: String,
    /// The received part of the arguments' JSON.
    pub(super) arguments: String,
}

impl Default for StreamDecoder {
    fn default() -> Self {
        Self::of(Api::default())
    }
}

impl StreamDecoder {
    /// Makes a decoder for a response of this API.
    pub fn of(api: Api) -> Self {
        let dialect = dialect::of(api);
        Self {
            framing: dialect.framing(),
            form: BodyFormat::default(),
            events: sse::Decoder::default(),
            lines: lines::Decoder::default(),
            whole: Vec::new(),
            head: Vec::new(),
            received: 0,
            decode: dialect.decoder(),
            heard: DecodedResponse::default(),
        }
    }

    /// Reads more bytes of the body. Each delta is passed to `take`.
    ///
    /// # Errors
    /// If the body is not an answer, or if it reports a failure of the server.
    pub fn feed(&mut self, bytes: &[u8], mut take: impl FnMut(Delta<'_>)) -> Result<(), Fault> {
        self.received += bytes.len();
        if self.received > MOST_BYTES {
            return Err(self.nonsense());
        }
        // Some servers send white space to keep the connection open.
        let bytes = match self.form {
            BodyFormat::Unknown => bytes.trim_ascii_start(),
            BodyFormat::Stream | BodyFormat::Whole => bytes,
        };
        let kept = bytes.len().min(HEAD_BYTES.saturating_sub(self.head.len()));
        self.head
            .extend_from_slice(bytes.get(..kept).unwrap_or_default());
        if self.form == BodyFormat::Unknown {
            self.form = form(&self.head, self.framing);
        }
        match self.form {
            BodyFormat::Unknown => return Ok(()),
            BodyFormat::Whole => {
                self.whole.extend_from_slice(bytes);
                return Ok(());
            }
            BodyFormat::Stream => {}
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

    /// The number of deltas with content. White space that keeps the connection open does not
    /// count.
    pub(super) fn pieces(&self) -> usize {
        self.heard.pieces
    }

    pub(super) fn heard(&self) -> &DecodedResponse {
        &self.heard
    }

    /// Returns true after the end marker of the stream. Bytes after the marker are not needed.
    pub fn is_done(&self) -> bool {
        self.heard.done
    }

    /// Returns true if the answer is complete, even if its usage has not arrived yet.
    pub fn is_whole(&self) -> bool {
        self.heard.done || self.heard.finish.is_some()
    }

    /// Ends the body, and returns its content.
    ///
    /// # Errors
    /// If the body is not an answer, or is incomplete.
    pub(super) fn finish(
        &mut self,
        mut take: impl FnMut(Delta<'_>),
    ) -> Result<DecodedResponse, Fault> {
        if self.form == BodyFormat::Whole {
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

    /// Stops decoding before the end of the body, and returns the content so far.
    pub(super) fn cut(&mut self) -> DecodedResponse {
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

/// Returns true for JSON and server-sent events, which are not useful in a message to the user.
fn is_for_programs(text: &str) -> bool {
    const BEGINNINGS: [&str; 7] = ["{", "[", ":", "data:", "event:", "id:", "retry:"];
    BEGINNINGS.iter().any(|sign| text.starts_with(sign))
        || serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

impl DecodedResponse {
    /// Makes the content of an answer that is only text, with its token counts if known.
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

    /// Passes a delta of the answer or of the reasoning to `take`, and counts it.
    pub(super) fn tell(&mut self, delta: Delta<'_>, take: &mut Take<'_>) {
        let (Delta::Content(text) | Delta::Reasoning(text)) = delta;
        if !text.is_empty() {
            self.pieces += 1;
            take(delta);
        }
    }

    /// Adds to the text with which the model declines to answer.
    pub(super) fn refuse(&mut self, words: &str) {
        self.pieces += usize::from(!words.is_empty());
        self.refusal.push_str(words);
    }

    /// Adds JSON to the arguments of the call at index `place`.
    pub(super) fn argue(&mut self, place: usize, json: &str) {
        self.pieces += 1;
        if let Some(call) = self.calls.get_mut(place) {
            call.arguments.push_str(json);
        }
    }

    /// Adds a call, and returns its index in `calls`.
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
    /// Returns true if the received arguments are complete JSON.
    pub(super) fn is_complete(&self) -> bool {
        let arguments = self.arguments.trim();
        arguments.ends_with('}') && serde_json::from_str::<serde::de::IgnoredAny>(arguments).is_ok()
    }
}

/// The form of a body. In an API with server-sent events, a body that begins with `{` is a whole
/// response. In an API with one JSON object per line, such a body is a stream.
fn form(head: &[u8], framing: Framing) -> BodyFormat {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    match (head.trim_ascii_start().first(), framing) {
        (None, _) => BodyFormat::Unknown,
        (Some(b'{'), Framing::Events) => BodyFormat::Whole,
        (Some(_), _) => BodyFormat::Stream,
    }
}
