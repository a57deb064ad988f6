//! A response as it is heard: decoded, shown, and counted if it breaks off.

use super::answer;
use super::decode::{self, StreamDecoder};
use super::dialect::Delta;
use crate::model::protocol::Listener;
use crate::model::{Fault, Usage};

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
        let content_tokens = crate::text::tokens::estimate(&self.content);
        answer::usage(self.decoder.heard(), &self.reasoning, content_tokens, body)
    }

    pub(super) fn take(&mut self, bytes: &[u8], show: &mut impl FnMut(&str)) -> Result<(), Fault> {
        let (decoder, mut told) = self.parts(show);
        decoder.feed(bytes, &mut told)
    }

    pub(super) fn end(&mut self, show: &mut impl FnMut(&str)) -> Result<decode::Heard, Fault> {
        let (decoder, mut told) = self.parts(show);
        decoder.finish(&mut told)
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
            content.push_str(text);
            listener.push(text, &mut *show);
        }
        Delta::Reasoning(text) => reasoning.push_str(text),
    }
}
