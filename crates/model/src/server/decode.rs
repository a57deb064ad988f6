//! Decodes the bytes of a response, for every dialect.
//!
//! A server that does not stream sends one JSON body. The body is then handled like a stream as
//! one event. A stream without an end marker was cut off, and is never treated as an answer.
//! Unknown or unreadable events are skipped. A body that contains no other events is an error.

use super::apis::dialect_of;
use super::decoded_response::DecodedResponse;
use super::dialect::Decode;
use super::json;
use crate::sse::{self, Framing};
use crate::{Api, Fault};

/// The maximum length of a response in bytes. A longer response is an error.
const MOST_BYTES: usize = 64 << 20;
/// The number of bytes that are kept from the start of the response, for error messages.
const HEAD_BYTES: usize = 400;

/// Decodes one response.
#[derive(Debug)]
pub struct StreamDecoder {
    framing: Framing,
    form: BodyFormat,
    events: sse::Decoder,
    /// The body received so far, if the body is not a stream.
    whole: Vec<u8>,
    head: Vec<u8>,
    received: usize,
    dialect: Box<dyn Decode>,
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

impl Default for StreamDecoder {
    fn default() -> Self {
        Self::of(Api::default())
    }
}

impl StreamDecoder {
    /// Makes a decoder for a response of this API.
    pub fn of(api: Api) -> Self {
        let dialect = dialect_of(api);
        Self {
            framing: dialect.framing(),
            form: BodyFormat::default(),
            events: sse::Decoder::of(dialect.framing()),
            whole: Vec::new(),
            head: Vec::new(),
            received: 0,
            dialect: dialect.decoder(),
            heard: DecodedResponse::default(),
        }
    }

    /// Reads the next bytes of the body.
    ///
    /// # Errors
    /// If the body is not an answer, or if it reports a failure of the server.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), Fault> {
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
        for data in self.events.feed(bytes) {
            self.take(&data)?;
        }
        Ok(())
    }

    /// The number of events with content. White space that only keeps the connection open is not
    /// counted.
    pub(super) fn pieces(&self) -> usize {
        self.heard.pieces
    }

    pub(super) fn heard(&self) -> &DecodedResponse {
        &self.heard
    }

    /// The text of the answer so far.
    pub fn content(&self) -> &str {
        &self.heard.content
    }

    /// Returns true after the end marker of the stream. Gloss does not need the bytes after the
    /// marker.
    pub fn is_done(&self) -> bool {
        self.heard.done
    }

    /// Returns true if the answer is complete, even if its usage has not arrived yet.
    pub fn is_whole(&self) -> bool {
        self.heard.done || self.heard.finish.is_some()
    }

    /// Ends the body.
    ///
    /// # Errors
    /// If the body is not an answer, or is incomplete.
    pub(super) fn finish(&mut self) -> Result<(), Fault> {
        if self.form == BodyFormat::Whole {
            self.finish_whole()?;
        } else {
            if let Some(data) = self.events.finish() {
                self.take(&data)?;
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
        Ok(())
    }

    /// The content of the response.
    pub(super) fn into_heard(self) -> DecodedResponse {
        self.heard
    }

    fn finish_whole(&mut self) -> Result<(), Fault> {
        let text = String::from_utf8_lossy(&self.whole);
        let text = text.trim_start_matches('\u{feff}');
        let body = match serde_json::from_str(text) {
            Err(error) if error.is_eof() => return Err(Fault::Cut),
            body => body.unwrap_or_default(),
        };
        if self.dialect.whole(&body, &mut self.heard)? {
            Ok(())
        } else {
            Err(self.nonsense())
        }
    }

    /// Decodes the data of an event, or a line.
    fn take(&mut self, data: &str) -> Result<(), Fault> {
        if self.heard.done || data.trim().is_empty() {
            return Ok(());
        }
        // `[DONE]` is the end marker of Chat Completions.
        if data.trim() == "[DONE]" {
            self.heard.done = true;
            return Ok(());
        }
        let is_ours = match json::object(data) {
            Some(event) => self.dialect.event(&event, &mut self.heard)?,
            None => false,
        };
        self.heard.any |= is_ours && !self.heard.done;
        self.heard.skipped |= !is_ours;
        Ok(())
    }

    fn nonsense(&self) -> Fault {
        let head = String::from_utf8_lossy(&self.head);
        let head = head.trim_start_matches('\u{feff}').trim();
        Fault::Nonsense {
            said: (!head.is_empty() && !is_for_programs(head)).then(|| head.to_owned()),
        }
    }
}

/// Returns true for JSON and server-sent events, because a user can't read them in an error
/// message.
fn is_for_programs(text: &str) -> bool {
    const BEGINNINGS: [&str; 7] = ["{", "[", ":", "data:", "event:", "id:", "retry:"];
    BEGINNINGS.iter().any(|sign| text.starts_with(sign))
}

/// Recognises the form of a body. In an API with server-sent events, a body that begins with `{` is
/// a whole response. In an API with one JSON object per line, such a body is a stream.
fn form(head: &[u8], framing: Framing) -> BodyFormat {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    match (head.trim_ascii_start().first(), framing) {
        (None, _) => BodyFormat::Unknown,
        (Some(b'{'), Framing::Events) => BodyFormat::Whole,
        (Some(_), _) => BodyFormat::Stream,
    }
}
