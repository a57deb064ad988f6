//! Server-sent events, as the WHATWG's `EventSource` parses them.
//!
//! Driving example: a provider's stream arrives in pieces that end anywhere, in the
//! middle of a character too; the same events come out however it was cut. Each
//! byte is looked at once, and an event that lies whole within one piece is lent
//! from it without a copy. Deliberately absent: `id` and `retry`, for a model's
//! stream is never taken up where it broke off.

use memchr::memchr2;
use std::borrow::Cow;

/// One event.
#[derive(Debug, PartialEq, Eq)]
pub struct Event<'a> {
    /// Its `event` field; empty if it has none.
    pub name: &'a str,
    /// Its `data` lines, joined by line feeds.
    pub data: Cow<'a, str>,
}

/// Takes bytes, gives events.
#[derive(Debug, Default)]
pub struct Decoder {
    /// A line whose end has not come yet.
    line: Vec<u8>,
    /// The data of the event so far, each line with its line feed.
    data: Vec<u8>,
    name: String,
    /// The last piece ended in CR: a LF that follows belongs to it.
    after_cr: bool,
    /// The first line is over, and with it the place of a byte order mark.
    begun: bool,
}

/// Data of the event at hand that lies in the piece at hand: not copied unless the
/// event goes on beyond it.
type Lent<'a> = Option<&'a [u8]>;

impl Decoder {
    /// Takes a piece of the stream and hands over each event that it completes.
    pub fn feed(&mut self, mut piece: &[u8], mut take: impl FnMut(Event<'_>)) {
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
                // Begun in an earlier piece: it cannot be lent.
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

    /// The stream has ended. An event that no blank line closed is none by the
    /// standard; some servers close their last one so, and it is handed over.
    pub fn finish(&mut self, mut take: impl FnMut(Event<'_>)) {
        let line = std::mem::take(&mut self.line);
        let mut lent: Lent<'_> = None;
        if !line.is_empty() {
            self.take_line(&line, &mut lent, &mut take);
        }
        self.dispatch(&mut lent, &mut take);
    }

    fn take_line<'a>(
        &mut self,
        line: &'a [u8],
        lent: &mut Lent<'a>,
        take: &mut impl FnMut(Event<'_>),
    ) {
        let line = if self.begun {
            line
        } else {
            self.begun = true;
            line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
        };
        match line {
            [] => self.dispatch(lent, take),
            [b'd', b'a', b't', b'a', b':', value @ ..] => self.add(unspaced(value), lent),
            b"data" => self.add(b"", lent),
            [b'e', b'v', b'e', b'n', b't', b':', name @ ..] => {
                self.name.clear();
                self.name.push_str(&text(unspaced(name)));
            }
            b"event" => self.name.clear(),
            // Comments, and fields that mean nothing here.
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

    fn dispatch(&mut self, lent: &mut Lent<'_>, take: &mut impl FnMut(Event<'_>)) {
        if let Some(data) = lent.take() {
            take(Event {
                name: &self.name,
                data: text(data),
            });
        } else if let Some((_, data)) = self.data.split_last() {
            take(Event {
                name: &self.name,
                data: text(data),
            });
        }
        self.data.clear();
        self.name.clear();
    }
}

/// Checked the fast way first: the lossy one looks at each byte by itself.
pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

/// One space after the colon is not of the value.
fn unspaced(value: &[u8]) -> &[u8] {
    value.strip_prefix(b" ").unwrap_or(value)
}

#[cfg(test)]
#[path = "sse_tests.rs"]
mod tests;
