//! Asks the light model to judge results and queries, or uses the device to compare their words.

use gloss_durable::{Clock, within};
use gloss_host::Languages;
use gloss_model::prompts::{Name, Note, Prompts, TemplateError, Value};
use gloss_model::role_models::{ModelRole, RoleCall, RoleModels};
use gloss_model::{Message, Purpose, Request, Role, Transcript, Usage};
use gloss_reader::PageService;
use serde_json::Value as Json;
use std::rc::Rc;

/// The expected usage of the light model for one search: at most three gradings and two rewrites.
pub const A_SEARCH: Usage = Usage {
    input_tokens: 6_000,
    output_tokens: 1_000,
    cached_tokens: 0,
    cache_written_tokens: 0,
    reasoning_tokens: 0,
};

/// The field of a step's label that contains the estimated usage of its model call.
pub const SENT: &str = "sent";

/// The sampling temperature. It is 0, because grading and rewriting need no creativity (DETAILS
/// §2).
const TEMPERATURE: f32 = 0.0;

/// The services on the device that are needed to judge results and queries.
#[derive(Clone)]
pub struct Judge {
    /// The page service, which compares the words of texts.
    pub page_service: PageService,
    /// The clock for time limits.
    pub clock: Rc<dyn Clock>,
    /// Detects the language of a search.
    pub languages: Rc<dyn Languages>,
}

/// The services on the device, together with the models and prompts of a run.
#[derive(Clone)]
pub struct JudgeCall {
    /// The services on the device.
    pub judge: Judge,
    /// The models that may be called.
    pub aid: RoleModels,
    /// The prompts that are in use for the run.
    pub prompts: Rc<Prompts>,
}

/// The outcome of asking the light model.
pub(super) enum LightModelReply {
    /// The model replied with this text.
    Reply(String),
    /// The time limit was reached.
    TooLate,
    /// No model has the role, the model costs more than the budget allows, or its call failed.
    Nothing,
}

impl JudgeCall {
    /// Asks the light model with the prompt `name`. The fixed text `form` describes the JSON of the
    /// reply.
    pub(super) async fn ask(
        &self,
        purpose: Purpose,
        (name, form): (Name, Note),
        values: &[(&str, Value)],
        within_ms: u64,
    ) -> LightModelReply {
        if within_ms == 0 {
            return LightModelReply::TooLate;
        }
        if self.aid.is_unpaid(ModelRole::Light) {
            return LightModelReply::Nothing;
        }
        let Ok(request) = self.request(purpose, (name, form), values) else {
            return LightModelReply::Nothing;
        };
        let expected = request.transcript.tokens();
        let asked = self.aid.ask(ModelRole::Light, request, expected);
        match within(&*self.judge.clock, within_ms, asked).await {
            None => LightModelReply::TooLate,
            Some(Some(Ok(reply))) => LightModelReply::Reply(reply.text),
            Some(Some(Err(_)) | None) => LightModelReply::Nothing,
        }
    }

    /// Estimates the usage of the call that [`ask`](Self::ask) would make; `None` if it would make
    /// none.
    pub(super) fn sends(
        &self,
        purpose: Purpose,
        prompt: (Name, Note),
        values: &[(&str, Value)],
        within_ms: u64,
    ) -> Option<RoleCall> {
        if within_ms == 0 {
            return None;
        }
        let request = self.request(purpose, prompt, values).ok()?;
        self.aid
            .charge_for_prompt(ModelRole::Light, request.transcript.tokens())
    }

    fn request(
        &self,
        purpose: Purpose,
        (name, form): (Name, Note),
        values: &[(&str, Value)],
    ) -> Result<Request, TemplateError> {
        let rule = self.prompts.note(Note::Security, &[])?;
        let form = self.prompts.note(form, &[])?;
        let asked = self.prompts.render(name, values)?;
        let mut transcript = Transcript::default();
        transcript.push(Message::text(Role::System, format!("{rule}\n\n{form}")));
        transcript.push(Message::text(Role::User, asked));
        let language = self.prompts.language;
        Ok(Request::of_text(purpose, transcript, TEMPERATURE, language))
    }
}

/// Returns the text of a field; `None` if the field has no text or a blank one.
pub(super) fn words<'v>(value: &'v Json, field: &str) -> Option<&'v str> {
    let words = value.get(field)?.as_str()?.trim();
    Some(words).filter(|words| !words.is_empty())
}
