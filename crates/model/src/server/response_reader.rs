//! Reads a response while it arrives. Decodes the response, shows its text, and counts its usage if
//! the call fails.

use super::answer;
use super::decode::StreamDecoder;
use super::decoded_response::{DecodedResponse, Delta};
use crate::protocol::ReplyParser;
use crate::{Fault, Finish, Usage};

/// The maximum length of a reply in bytes. A longer reply is cut off. Providers allow replies of at
/// most 128 000 tokens, which have fewer bytes in English and Chinese.
pub(super) const LONGEST_REPLY: usize = 600_000;

pub(super) struct ResponseReader {
    pub(super) decoder: StreamDecoder,
    pub(super) listener: ReplyParser,
    pub(super) reasoning: String,
    /// The content so far. If the provider reports no usage, the tokens of the content are
    /// estimated.
    pub(super) content: String,
}

impl ResponseReader {
    /// Returns the usage of a failed response. Zero if no content arrived.
    pub(super) fn used(&self, body: &str) -> Usage {
        if self.decoder.pieces() == 0 {
            return Usage::default();
        }
        let content_tokens = gloss_text::tokens::estimate(&self.content);
        answer::usage(self.decoder.heard(), &self.reasoning, content_tokens, body)
    }

    /// Reads the next bytes of the response. Returns true if they add content or complete the
    /// answer. White space that only keeps the connection open is not content.
    pub(super) fn take(
        &mut self,
        bytes: &[u8],
        show: &mut impl FnMut(&str),
    ) -> Result<bool, Fault> {
        let before = (self.decoder.pieces(), self.decoder.is_whole());
        let (decoder, mut told) = self.parts(show);
        decoder.feed(bytes, &mut told)?;
        drop(told);
        let now = (self.decoder.pieces(), self.decoder.is_whole());
        Ok(now != before || self.is_over())
    }

    /// Returns true if Gloss does not need the rest of the response.
    pub(super) fn is_over(&self) -> bool {
        self.decoder.is_done() || self.is_too_long()
    }

    pub(super) fn end(&mut self, show: &mut impl FnMut(&str)) -> Result<DecodedResponse, Fault> {
        if self.is_too_long() {
            return Ok(self.cut());
        }
        let (decoder, mut told) = self.parts(show);
        let heard = decoder.finish(&mut told);
        drop(told);
        match heard {
            // The whole reply arrived at once, and is longer than the maximum length.
            Ok(mut heard) if self.is_too_long() => {
                heard.finish = Some(Finish::Length);
                Ok(heard)
            }
            heard => heard,
        }
    }

    /// Returns true if the reply has reached its maximum length.
    fn is_too_long(&self) -> bool {
        self.content.len().max(self.reasoning.len()) >= LONGEST_REPLY
    }

    fn cut(&mut self) -> DecodedResponse {
        let mut heard = self.decoder.cut();
        heard.finish = Some(Finish::Length);
        heard
    }

    /// Returns the decoder, and the callback for its deltas.
    fn parts<'s>(
        &'s mut self,
        show: &'s mut impl FnMut(&str),
    ) -> (&'s mut StreamDecoder, impl FnMut(Delta<'_>) + 's) {
        let Self {
            decoder,
            listener,
            reasoning,
            content,
        } = self;
        let told = |delta: Delta<'_>| pass_on(delta, listener, reasoning, content, show);
        (decoder, told)
    }
}

fn pass_on(
    delta: Delta<'_>,
    listener: &mut ReplyParser,
    reasoning: &mut String,
    content: &mut String,
    show: &mut impl FnMut(&str),
) {
    match delta {
        Delta::Content(text) => {
            let text = within(text, content);
            content.push_str(text);
            listener.push(text, &mut *show);
        }
        Delta::Reasoning(text) => reasoning.push_str(within(text, reasoning)),
    }
}

/// Returns the beginning of `text` that still fits into a reply with the text `come` before it.
fn within<'a>(text: &'a str, come: &str) -> &'a str {
    let room = LONGEST_REPLY.saturating_sub(come.len());
    // If the limit is inside a character, the whole character is included, so that `is_too_long` is
    // true.
    text.get(..text.ceil_char_boundary(room)).unwrap_or(text)
}
