//! `image_generate`: an image from a description, made by the chosen image model.
//!
//! Example: the user writes "draw the tower at dusk", the model calls this tool, a provider
//! makes the image, and the conversation shows it. The call's record contains the bytes of the
//! image. Surfaces show the image, but no model is sent its bytes.
//!
//! An image costs money, and its description leaves the device. Therefore the same call never
//! requests an image twice without asking the user. After untrusted text was read, the user first
//! approves the complete description.
//!
//! Deliberately absent: editing an existing image, and choosing the size of an image.

use super::consent::reason_of;
use super::schema::arguments;
use super::sent_parts::Authors;
use super::{
    Consent, Destination, ErrorKind, Group, MissingRight, ModelRole, Output, Picture, Requirement,
    RoleCall, RoleModels, RunContext, SendKind, SendRequest, SentPart, Tool, ToolContext,
    ToolError,
};
use futures::FutureExt;
use gloss_durable::json::put;
use gloss_durable::{Class, Fut};
use gloss_markdown::clean;
use gloss_model::ToolCall;
use gloss_model::phrase::phrase;
use gloss_model::provenance::{Origin, Provenance};
use gloss_model::{A_PICTURE, ModelChoice, ModelError};
use serde_json::{Value, json};

arguments! {
    /// The arguments.
    pub(super) struct Arguments {
        /// The content of the image in words; screen readers read it aloud.
        description: String,
        /// The style, such as photo or watercolour, if it matters.
        style: Option<String>,
    }
}

impl Arguments {
    /// Returns the complete text that is sent, which is exactly the text that the user approves.
    fn sent(&self) -> String {
        let style = self.style.as_deref().map(|style| (STYLE, style));
        let (before, style) = style.unwrap_or_default();
        [&clean(&self.description), before, &clean(style)].concat()
    }

    /// Returns the parts of the text that is sent.
    fn parts(&self, authors: &Authors<'_>) -> Vec<SentPart> {
        let style = self.style.as_deref();
        let texts = [("", Some(self.description.as_str())), (STYLE, style)];
        let parts = texts.into_iter();
        parts
            .filter_map(|(before, text)| Some(authors.text(before, clean(text?))))
            .collect()
    }

    /// Returns the description of the image for users who can't see it.
    fn shows(&self) -> String {
        clean(&self.description)
    }
}

/// The text between the description and the style.
const STYLE: &str = "\n\nStyle: ";

pub(super) struct ImageGenerate;

impl Tool for ImageGenerate {
    type Arguments = Arguments;

    const NAME: &'static str = "image_generate";

    const TITLE: &'static str = "msg:tool_image";
    const SUMMARY: &'static str = "msg:tool_image_means";

    const DESTINATION: Destination = Destination::ImagePrompt;

    const GROUP: Option<Group> = Some(Group::Images);

    const CLASS: Class = Class::External;

    /// The time limit of a call in ms. It is longer than the time that a server has to make an
    /// image and deliver it.
    const TIMEOUT_MS: u64 = gloss_model::MOST_PAINTING_MS + 20_000;

    const MODEL_ROLE: Option<ModelRole> = Some(ModelRole::Image);

    const NEEDS: Option<Requirement> = Some(Requirement::Painter);

    const DESCRIPTION: &'static str = "Makes an image from a description and shows it to the \
        user; each one costs money. Use when the user asks for a new picture, illustration or \
        logo. Don't use for diagrams or tables that Markdown can show, or to find existing \
        pictures.";

    fn estimated_usage(aid: &RoleModels) -> Option<RoleCall> {
        aid.charge_for_image()
    }

    fn consent(
        arguments: &Arguments,
        call: &ToolCall,
        run: &RunContext,
        aid: &RoleModels,
    ) -> Consent {
        // Without an image model the call only returns an error, and sends nothing.
        let Some(choice) = aid.model_for(ModelRole::Image) else {
            return Consent::Unasked;
        };
        let cost = choice.price().map(|price| price.of(A_PICTURE));
        Consent::Shown(MissingRight::Send(Box::new(SendRequest {
            tool: Self::NAME.to_owned(),
            kind: SendKind::Image { cost },
            to: by(choice),
            reason: reason_of(call),
            parts: arguments.parts(&Authors::of(run)),
            always: None,
        })))
    }

    fn approved(_: &Arguments, arguments: &Value, sent: &str) -> Value {
        let mut arguments = arguments.clone();
        let (description, style) = match sent.rsplit_once(STYLE) {
            Some((description, style)) => (description, style.into()),
            None => (sent, Value::Null),
        };
        put(&mut arguments, "description", description.into());
        put(&mut arguments, "style", style);
        arguments
    }

    const EXAMPLES: [&'static str; 2] = [
        r#"{ "description": "A lighthouse on a rock at dusk, waves around it" }"#,
        r#"{ "description": "A fox reading a newspaper", "style": "woodcut" }"#,
    ];

    fn run(&self, arguments: Arguments, context: ToolContext) -> Fut<Result<Output, ToolError>> {
        async move {
            let aid = &context.aid;
            if aid.is_unpaid(ModelRole::Image) {
                return Err(not_made(
                    "the budget has too little left for one. The user can raise it in Options, \
                     under Agent, or choose a cheaper model for the role Image",
                ));
            }
            let painted = aid.paint(arguments.sent()).await;
            let painted = painted.ok_or(ToolError::NoImageModel)?;
            let painted =
                painted.map_err(|error| refused(&error, aid.model_for(ModelRole::Image)))?;
            Ok(Output {
                data: json!({
                    "made": true,
                    "shown": "to the user, above your answer; say nothing of files or links",
                    "description": arguments.shows(),
                }),
                summary: phrase("summary_image"),
                share_percent: None,
                picture: Some(Picture {
                    image: painted.image,
                    shows: arguments.shows(),
                }),
                provenance: Provenance::of(Origin::Model),
            })
        }
        .boxed_local()
    }
}

/// Returns the user's name for the server, and the name of the model.
fn by(choice: &ModelChoice) -> String {
    match choice {
        ModelChoice::Profile(profile) => format!("{}, {}", profile.name, profile.model),
        ModelChoice::Embedded | ModelChoice::BuiltIn => choice.model().to_owned(),
    }
}

fn refused(error: &ModelError, choice: Option<&ModelChoice>) -> ToolError {
    match (error.origin_needed(), choice) {
        (Some(origin), Some(ModelChoice::Profile(profile))) => ToolError::NotPermitted {
            right: MissingRight::Provider {
                name: profile.name.clone(),
                origin: origin.to_owned(),
            },
        },
        // The server may have made the image, so the user decides about a retry.
        _ if error.leaves_open() => ToolError::OutcomeUnknown,
        _ => not_made(&error.to_string()),
    }
}

fn not_made(why: &str) -> ToolError {
    let said = phrase("tool_image_failed").with(&why);
    ToolError::permanent_failure(ErrorKind::Other, format!("no image was made: {why}"), said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sent_is_what_the_person_is_shown() {
        let arguments = Arguments {
            description: "A\u{202e} fox\u{200b}".to_owned(),
            style: Some("wood\u{2066}cut".to_owned()),
        };
        assert_eq!(arguments.sent(), "A fox\n\nStyle: woodcut");
        assert_eq!(arguments.shows(), "A fox");
    }
}
