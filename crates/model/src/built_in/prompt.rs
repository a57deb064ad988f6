//! A request in the API's form: a system's message, turns, and the one to be answered.

use crate::Request;
use crate::server::{Conversation, Turn};
use gloss_host::{Prompt, PromptMessage, PromptRole, Sampling};

/// What the browser's model is told. The system's message may stand nowhere but first,
/// and the last one is the person's.
pub(super) fn of(request: &Request) -> Prompt {
    let Conversation { system, turns } =
        Conversation::in_words(request).alternating(request.language);
    let system = PromptMessage {
        role: PromptRole::System,
        text: system,
        images: Vec::new(),
    };
    let turns = turns.into_iter().filter_map(message);
    Prompt {
        messages: std::iter::once(system).chain(turns).collect(),
        schema: request.schema.as_ref().map(|form| form.schema.clone()),
        sampling: if request.temperature > 0.0 {
            Sampling::Usual
        } else {
            Sampling::MostPredictable
        },
    }
}

/// All that is read, for an estimate of its tokens.
pub(super) fn words(prompt: &Prompt) -> String {
    let texts = prompt.messages.iter().map(|message| message.text.as_str());
    texts.collect::<Vec<_>>().join("\n\n")
}

fn message(turn: Turn<'_>) -> Option<PromptMessage> {
    match turn {
        Turn::User { text, images } => Some(PromptMessage {
            role: PromptRole::User,
            text,
            images: images
                .into_iter()
                .map(|image| (image.media_type.clone(), image.base64.clone()))
                .collect(),
        }),
        Turn::Assistant { text, .. } => Some(PromptMessage {
            role: PromptRole::Assistant,
            text,
            images: Vec::new(),
        }),
        // Told in words, results stand in the person's turns.
        Turn::Results(_) => None,
    }
}
