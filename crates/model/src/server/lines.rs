//! Decodes a stream of JSON objects, one per line (NDJSON).

use crate::sse;
use memchr::memchr;

#[derive(Debug, Default)]
pub(super) struct Decoder {
    /// The beginning of a line whose end has not arrived yet.
    line: Vec<u8>,
}

impl Decoder {
    /// Reads more of the stream, which may end anywhere, and passes each completed line to `take`.
    pub(super) fn feed(&mut self, mut piece: &[u8], mut take: impl FnMut(&str)) {
        while let Some(end) = memchr(b'\n', piece) {
            let (line, rest) = piece.split_at(end);
            piece = rest.get(1..).unwrap_or_default();
            if self.line.is_empty() {
                take(&sse::text(line));
            } else {
                self.line.extend_from_slice(line);
                take(&sse::text(&self.line));
                self.line.clear();
            }
        }
        self.line.extend_from_slice(piece);
    }

    /// Ends the stream. The last line may lack a line break.
    pub(super) fn finish(&mut self, mut take: impl FnMut(&str)) {
        let line = std::mem::take(&mut self.line);
        if !line.is_empty() {
            take(&sse::text(&line));
        }
    }
}
