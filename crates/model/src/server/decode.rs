//! Decodes a response's bytes to deltas and a final result, for every dialect.
//!
//! A server that does not stream sends one JSON body, which takes the same path as one delta. A
//! stream without its end marker is cut off and never an answer. Unknown or unreadable events are
//! skipped; a body of nothing else is an error.

use super::dialect::{self, Decode, Delta, Framing, Take};
use super::lines;
use crate::{Api, Fault, Finish, sse};
use serde_json::Value;

/// The limit of a response; a longer one is an error.
const MOST_BYTES: usize = 64 << 20;
/// The length of the beginning that is stored, to be quoted in an error.
const HEAD_BYTES: usize = 400;

/// Decodes one response.
#[derive(Debug)]
pub struct StreamDecoder {
    framing: Framing,
    form: BodyFormat,
    events: sse::Decoder,
    lines: lines::Decoder,
    /// A body that is not a stream.
    whole: Vec<u8>,
    head: Vec<u8>,
    received: usize,
    decode: Box<dyn Decode>,
    heard: DecodedResponse,
}

/// The form of the body, found by its first character.
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
    /// The reported counts so far; later reports replace earlier ones field by field.
    pub(super) usage: Reported,
    /// The reason for the end, once it has ended.
    pub(super) finish: Option<Finish>,
    /// True after the end marker.
    pub(super) done: bool,
    /// Data that the provider requires back before the results of these calls.
    pub(super) echo: Option<Value>,
    /// The provider's message that the model failed to write a call.
    pub(super) malformed: Option<String>,
    /// True after an event of this dialect.
    any: bool,
    /// True after an event that is not of this dialect.
    skipped: bool,
    /// The number of pieces with content: text, or a part of a call.
    pieces: usize,
}

/// Token counts reported by the provider.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Reported {
    /// Input tokens, including cached ones.
    pub(super) input: Option<u32>,
    /// Input tokens read from the cache.
    pub(super) cached: Option<u32>,
    /// Input tokens written to a cache that charges for writing.
    pub(super) cache_written: Option<u32>,
    /// Output tokens, including reasoning.
    pub(super) output: Option<u32>,
    /// Output tokens used for reasoning.
    pub(super) reasoning: Option<u32>,
}

/// A tool call, as received so far.
#[derive(Debug, Default)]
pub(super) struct CallSoFar {
    /// The call's index within its reply.
    pub(super) index: Option<u32>,
    pub(super) id: String,
    pub(super) name: String,
    /// The JSON of the arguments so far.
    pub(super) arguments: String,
}

impl Default for StreamDecoder {
    fn default() -> Self {
        Self::of(Api::default())
    }
}

impl StreamDecoder {
    /// A decoder for a server with this API.
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

    /// Takes a piece of the body.
    ///
    /// # Errors
    /// If the body is not an answer, or reports that the server failed.
    pub fn feed(&mut self, bytes: &[u8], mut take: impl FnMut(Delta<'_>)) -> Result<(), Fault> {
        self.received += bytes.len();
        if self.received > MOST_BYTES {
            return Err(self.nonsense());
        }
        // Some servers send white space as a keep-alive.
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

    /// The number of pieces with content; keep-alives don't count.
    pub(super) fn pieces(&self) -> usize {
        self.heard.pieces
    }

    /// The content so far.
    pub(super) fn heard(&self) -> &DecodedResponse {
        &self.heard
    }

    /// Returns true after the end marker; the rest does not matter.
    pub fn is_done(&self) -> bool {
        self.heard.done
    }

    /// Returns true if the answer is complete, even if its usage is still missing.
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

    /// Stops decoding, and returns the content so far.
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

/// Returns true for JSON and events, which are not worth showing to the user.
fn is_for_programs(text: &str) -> bool {
    const BEGINNINGS: [&str; 7] = ["{", "[", ":", "data:", "event:", "id:", "retry:"];
    BEGINNINGS.iter().any(|sign| text.starts_with(sign))
        || serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

impl DecodedResponse {
    /// An answer of text alone, with its token counts if known.
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

    /// Passes on more of the answer or of the reasoning.
    pub(super) fn tell(&mut self, delta: Delta<'_>, take: &mut Take<'_>) {
        let (Delta::Content(text) | Delta::Reasoning(text)) = delta;
        if !text.is_empty() {
            self.pieces += 1;
            take(delta);
        }
    }

    /// Adds text with which the model declines.
    pub(super) fn refuse(&mut self, words: &str) {
        self.pieces += usize::from(!words.is_empty());
        self.refusal.push_str(words);
    }

    /// Adds JSON to the arguments of the call at `place`.
    pub(super) fn argue(&mut self, place: usize, json: &str) {
        self.pieces += 1;
        if let Some(call) = self.calls.get_mut(place) {
            call.arguments.push_str(json);
        }
    }

    /// Adds a call; returns its index.
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
    /// Returns true if the arguments are complete JSON.
    pub(super) fn is_complete(&self) -> bool {
        let arguments = self.arguments.trim();
        arguments.ends_with('}') && serde_json::from_str::<serde::de::IgnoredAny>(arguments).is_ok()
    }
}

/// The form of a body. With server-sent events, a body that begins with `{` is a whole response;
/// with one JSON object per line, such a body is a stream too.
fn form(head: &[u8], framing: Framing) -> BodyFormat {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    match (head.trim_ascii_start().first(), framing) {
        (None, _) => BodyFormat::Unknown,
        (Some(b'{'), Framing::Events) => BodyFormat::Whole,
        (Some(_), _) => BodyFormat::Stream,
    }
}
