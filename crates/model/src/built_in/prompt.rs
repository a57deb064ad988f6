//! Converts a request to the Prompt API's form: a system message, earlier turns, and the last turn.

use crate::Request;
use crate::server::{Conversation, Turn};
use gloss_host::{Prompt, PromptMessage, PromptRole, Sampling};

/// Converts a request. The API requires that a system message is the first message, and that the
/// last message is the user's.
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

/// Returns the whole prompt as one text, from which its tokens are estimated.
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
        // `Conversation::in_words` puts tool results into the user's turns, so no turn is
        // `Results`.
        Turn::Results(_) => None,
    }
}
