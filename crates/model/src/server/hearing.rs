//! A response as it is heard: decoded, shown, and counted if it breaks off.

use super::answer;
use super::decode::{self, StreamDecoder};
use super::dialect::Delta;
use crate::protocol::Listener;
use crate::{Fault, Finish, Usage};

/// More is written by no model in one reply, which ends there as cut off, in bytes: 128 000
/// tokens, the most that providers allow, come to less in English and in Chinese.
pub(super) const LONGEST_REPLY: usize = 600_000;

/// One response, as far as it has been heard.
pub(super) struct Hearing {
    pub(super) decoder: StreamDecoder,
    pub(super) listener: Listener,
    pub(super) reasoning: String,
    /// All that was written, for an estimate of its tokens.
    pub(super) content: String,
}

impl Hearing {
    /// What was used by the time that it broke off; nothing, if not a word had come.
    pub(super) fn used(&self, body: &str) -> Usage {
        if self.decoder.pieces() == 0 {
            return Usage::default();
        }
        let content_tokens = gloss_text::tokens::estimate(&self.content);
        answer::usage(self.decoder.heard(), &self.reasoning, content_tokens, body)
    }

    /// Takes bytes. Gives whether they say anything: a sign of life does not.
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

    /// Whether nothing more is waited for.
    pub(super) fn is_over(&self) -> bool {
        self.decoder.is_done() || self.is_too_long()
    }

    pub(super) fn end(&mut self, show: &mut impl FnMut(&str)) -> Result<decode::Heard, Fault> {
        if self.is_too_long() {
            return Ok(self.cut());
        }
        let (decoder, mut told) = self.parts(show);
        let heard = decoder.finish(&mut told);
        drop(told);
        match heard {
            // It came in one piece.
            Ok(mut heard) if self.is_too_long() => {
                heard.finish = Some(Finish::Length);
                Ok(heard)
            }
            heard => heard,
        }
    }

    /// Whether nothing more of it is taken.
    fn is_too_long(&self) -> bool {
        self.content.len().max(self.reasoning.len()) >= LONGEST_REPLY
    }

    fn cut(&mut self) -> decode::Heard {
        let mut heard = self.decoder.cut();
        heard.finish = Some(Finish::Length);
        heard
    }

    /// What decodes, and who is told of each delta.
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
    listener: &mut Listener,
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

/// What of a text there is room for behind what has come.
fn within<'a>(text: &'a str, come: &str) -> &'a str {
    let room = LONGEST_REPLY.saturating_sub(come.len());
    // The character that the seam falls into is taken whole: so the length is reached.
    text.get(..text.ceil_char_boundary(room)).unwrap_or(text)
}
