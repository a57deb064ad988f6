//! Separates a stream into events. The stream has server-sent events, as WHATWG's `EventSource`
//! parses them, or lines.
//!
//! Example: a provider's stream arrives in parts. A part may end anywhere, even within a
//! character. The decoded events do not depend on the parts. The field `event` is ignored, because
//! every API names its events within the data. The fields `id` and `retry` are ignored, because a
//! model's stream can't be resumed.

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
pub(super) struct Decoder {
    framing: Framing,
    /// The beginning of a line whose end has not arrived yet.
    line: Vec<u8>,
    /// The data of the current event. Each line ends with a line feed.
    data: String,
    /// True after a CR. A LF that follows belongs to that CR.
    after_cr: bool,
    /// True after the first line of the stream, which may begin with a byte order mark.
    begun: bool,
}

impl Decoder {
    /// Makes a decoder for a stream with this framing.
    pub(super) fn of(framing: Framing) -> Self {
        Self {
            framing,
            ..Self::default()
        }
    }

    /// Reads the next part of the stream. Returns the data of each event that it completes.
    pub(super) fn feed(&mut self, piece: &[u8]) -> Vec<String> {
        let mut events = Vec::new();
        let mut rest = piece;
        while let [first, after @ ..] = rest {
            if std::mem::take(&mut self.after_cr) && *first == b'\n' {
                rest = after;
                continue;
            }
            let Some(end) = memchr::memchr2(b'\n', b'\r', rest) else {
                self.line.extend_from_slice(rest);
                break;
            };
            let (line, ending) = rest.split_at(end);
            self.line.extend_from_slice(line);
            self.after_cr = ending.first() == Some(&b'\r');
            rest = ending.get(1..).unwrap_or_default();
            events.extend(self.end_line());
        }
        events
    }

    /// Ends the stream. The standard drops an event that no blank line ends. This decoder returns
    /// the event, because some servers leave out the last blank line.
    pub(super) fn finish(&mut self) -> Option<String> {
        let last = if self.line.is_empty() {
            None
        } else {
            self.end_line()
        };
        last.or_else(|| self.event())
    }

    /// Handles the end of a line. Returns the event that the line ends, if it ends one.
    fn end_line(&mut self) -> Option<String> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        let begun = std::mem::replace(&mut self.begun, true);
        let mark = if begun { "" } else { "\u{feff}" };
        let line = line.strip_prefix(mark).unwrap_or(&line);
        if self.framing == Framing::Lines {
            return Some(line.to_owned());
        }
        if line.is_empty() {
            return self.event();
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        // Comments and other fields are ignored.
        if field == "data" {
            // One space after the colon is not part of the value.
            self.data.push_str(value.strip_prefix(' ').unwrap_or(value));
            self.data.push('\n');
        }
        None
    }

    /// The current event; `None` if it has no data.
    fn event(&mut self) -> Option<String> {
        let mut data = std::mem::take(&mut self.data);
        data.pop()?;
        Some(data)
    }
}

#[cfg(test)]
#[path = "sse_tests.rs"]
mod tests;
