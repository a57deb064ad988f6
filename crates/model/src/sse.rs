//! Separates a stream into events. The stream has server-sent events, as WHATWG's `EventSource`
//! parses them, or lines.
//!
//! Driving example: a provider's stream arrives in parts. A part may end anywhere, even within a
//! character. The decoded events do not depend on where the parts end. Each byte is examined once,
//! and an event within one part is borrowed without a copy. The field `event` is ignored, because
//! every API names its events within the data. The fields `id` and `retry` are ignored, because a
//! model's stream can't be resumed.

use memchr::memchr2;
use std::borrow::Cow;

/// The way in which a stream separates its events.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Framing {
    /// Server-sent events. A body that begins with `{` is not a stream.
    #[default]
    Events,
    /// One JSON object per line.
    Lines,
}

/// Decodes the bytes of a stream to the data of its events.
#[derive(Debug, Default)]
pub struct Decoder {
    framing: Framing,
    /// The beginning of a line whose end has not arrived yet.
    line: Vec<u8>,
    /// The data of the current event. Each line ends with a line feed.
    data: Vec<u8>,
    /// True if the last part of the stream ended with CR. A LF that follows belongs to that CR.
    after_cr: bool,
    /// True after the first bytes of the stream, which may be a byte order mark.
    begun: bool,
}

/// Data of the current event that is borrowed from the current part of the stream. It is copied
/// only if the event continues in the next part.
type Lent<'a> = Option<&'a [u8]>;

impl Decoder {
    /// Makes a decoder for a stream with this framing.
    pub(super) fn of(framing: Framing) -> Self {
        Self {
            framing,
            ..Self::default()
        }
    }

    /// Reads the next part of the stream. The data of each complete event is passed to `take`.
    pub fn feed(&mut self, mut piece: &[u8], mut take: impl FnMut(&str)) {
        if self.after_cr && !piece.is_empty() {
            self.after_cr = false;
            piece = piece.strip_prefix(b"\n").unwrap_or(piece);
        }
        let mut lent: Lent<'_> = None;
        while let Some(end) = memchr2(b'\n', b'\r', piece) {
            let (line, ending) = piece.split_at(end);
            piece = match ending {
                [b'\r', b'\n', rest @ ..] | [b'\n', rest @ ..] => rest,
                [b'\r', rest @ ..] => {
                    self.after_cr = rest.is_empty();
                    rest
                }
                _ => ending,
            };
            if self.line.is_empty() {
                self.take_line(line, &mut lent, &mut take);
            } else {
                // The line began in an earlier part, so it can't be borrowed.
                let mut whole = std::mem::take(&mut self.line);
                whole.extend_from_slice(line);
                let mut copied: Lent<'_> = None;
                self.take_line(&whole, &mut copied, &mut take);
                self.keep(copied);
                whole.clear();
                self.line = whole;
            }
        }
        self.keep(lent);
        self.line.extend_from_slice(piece);
    }

    /// Ends the stream. The standard drops a last event without a blank line after it. This decoder
    /// passes the event to `take`, because some servers leave out the last blank line.
    pub fn finish(&mut self, mut take: impl FnMut(&str)) {
        let line = std::mem::take(&mut self.line);
        let mut lent: Lent<'_> = None;
        if !line.is_empty() {
            self.take_line(&line, &mut lent, &mut take);
        }
        self.dispatch(&mut lent, &mut take);
    }

    fn take_line<'a>(&mut self, line: &'a [u8], lent: &mut Lent<'a>, take: &mut impl FnMut(&str)) {
        let line = if self.begun {
            line
        } else {
            self.begun = true;
            line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
        };
        match line {
            _ if self.framing == Framing::Lines => take(&text(line)),
            [] => self.dispatch(lent, take),
            [b'd', b'a', b't', b'a', b':', value @ ..] => self.add(unspaced(value), lent),
            b"data" => self.add(b"", lent),
            // Comments, and fields that this decoder ignores.
            _ => {}
        }
    }

    fn add<'a>(&mut self, value: &'a [u8], lent: &mut Lent<'a>) {
        if self.data.is_empty() && lent.is_none() {
            *lent = Some(value);
        } else {
            self.keep(lent.take());
            self.keep(Some(value));
        }
    }

    fn keep(&mut self, lent: Lent<'_>) {
        if let Some(lent) = lent {
            self.data.extend_from_slice(lent);
            self.data.push(b'\n');
        }
    }

    fn dispatch(&mut self, lent: &mut Lent<'_>, take: &mut impl FnMut(&str)) {
        if let Some(data) = lent.take() {
            take(&text(data));
        } else if let Some((_, data)) = self.data.split_last() {
            take(&text(data));
        }
        self.data.clear();
    }
}

/// Decodes UTF-8. The strict decoder is tried first, because it is faster. The lossy decoder
/// examines each byte separately.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

/// Removes one space after the colon, because the space is not part of the value.
fn unspaced(value: &[u8]) -> &[u8] {
    value.strip_prefix(b" ").unwrap_or(value)
}

#[cfg(test)]
#[path = "sse_tests.rs"]
mod tests;
