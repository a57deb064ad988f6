//! Reads a response while it arrives. Decodes the response, shows its text, and counts its usage if
//! the call fails.

use super::answer;
use super::decode::StreamDecoder;
use super::decoded_response::DecodedResponse;
use crate::protocol::{ParsedReply, ReplyParser};
use crate::{Fault, Finish, Usage};

pub(super) struct ResponseReader {
    pub(super) decoder: StreamDecoder,
    pub(super) listener: ReplyParser,
    /// The number of bytes of the content that were passed to `listener`.
    pub(super) listened: usize,
}

impl ResponseReader {
    /// Returns the usage of a failed response. Zero if no content arrived.
    pub(super) fn used(&self, body: &str) -> Usage {
        if self.decoder.pieces() == 0 {
            return Usage::default();
        }
        answer::usage(self.decoder.heard(), body)
    }

    /// Reads the next bytes of the response. Returns true if they add content or complete the
    /// answer. White space that only keeps the connection open is not content.
    pub(super) fn take(
        &mut self,
        bytes: &[u8],
        show: &mut impl FnMut(&str),
    ) -> Result<bool, Fault> {
        let before = (self.decoder.pieces(), self.decoder.is_whole());
        let fed = self.decoder.feed(bytes);
        self.listen(show);
        fed?;
        let now = (self.decoder.pieces(), self.decoder.is_whole());
        Ok(now != before || self.is_over())
    }

    /// Returns true if Gloss does not need the rest of the response.
    pub(super) fn is_over(&self) -> bool {
        self.decoder.is_done() || self.decoder.heard().is_too_long()
    }

    /// Ends the response.
    ///
    /// # Errors
    /// If the response is not an answer, or is incomplete.
    pub(super) fn end(&mut self, show: &mut impl FnMut(&str)) -> Result<(), Fault> {
        if self.decoder.heard().is_too_long() {
            return Ok(());
        }
        let ended = self.decoder.finish();
        self.listen(show);
        ended
    }

    /// The content of the response and the parsed text. A reply that is too long is cut off.
    pub(super) fn finish(self, show: &mut impl FnMut(&str)) -> (DecodedResponse, ParsedReply) {
        let mut heard = self.decoder.into_heard();
        if heard.is_too_long() {
            heard.finish = Some(Finish::Length);
        }
        (heard, self.listener.finish(show))
    }

    fn listen(&mut self, show: &mut impl FnMut(&str)) {
        let content = self.decoder.content();
        let new = content.get(self.listened..).unwrap_or_default();
        self.listener.push(new, show);
        self.listened = content.len();
    }
}
