//! Who judges results and queries: the light model, else this device by their words.

use gloss_durable::{Clock, within};
use gloss_host::Languages;
use gloss_model::aid::{Aid, Aided, Part};
use gloss_model::prompts::{Name, Note, Prompts, TemplateError, Value};
use gloss_model::{Message, Purpose, Request, Role, Tools, Transcript, Usage};
use gloss_reader::Study;
use serde_json::Value as Json;
use std::rc::Rc;

/// What a search is expected to ask of the light model at most: three gradings, two rewrites.
pub const A_SEARCH: Usage = Usage {
    input_tokens: 6_000,
    output_tokens: 1_000,
    cached_tokens: 0,
    cache_written_tokens: 0,
    reasoning_tokens: 0,
};

/// Grading and rewriting are no place for ideas (DETAILS §2).
const TEMPERATURE: f32 = 0.0;

/// What this device judges with.
#[derive(Clone)]
pub struct Judge {
    /// Knows the words of texts.
    pub study: Study,
    /// Bounds it.
    pub clock: Rc<dyn Clock>,
    /// Detects the language of a search.
    pub languages: Rc<dyn Languages>,
}

/// The same with who may be asked, and how.
#[derive(Clone)]
pub struct Judging {
    /// This device.
    pub judge: Judge,
    /// The models.
    pub aid: Aid,
    /// The prompts in force.
    pub prompts: Rc<Prompts>,
}

/// What became of asking the light model.
pub(super) enum Said {
    /// It answered, in these words.
    Reply(String),
    /// It did not in time.
    TooLate,
    /// Nobody plays that part, or who does failed.
    Nothing,
}

impl Judging {
    /// Asks the light model for a form of JSON.
    pub(super) async fn ask(
        &self,
        purpose: Purpose,
        (name, form): (Name, Note),
        values: &[(&str, Value)],
        within_ms: u64,
    ) -> Said {
        if within_ms == 0 {
            return Said::TooLate;
        }
        if self.aid.is_unpaid(Part::Light) {
            return Said::Nothing;
        }
        let Ok(request) = self.request(purpose, (name, form), values) else {
            return Said::Nothing;
        };
        let expected = request.transcript.tokens();
        let asked = self.aid.ask(Part::Light, request, expected);
        match within(&*self.judge.clock, within_ms, asked).await {
            None => Said::TooLate,
            Some(Some(Ok(reply))) => Said::Reply(reply.text),
            Some(Some(Err(_)) | None) => Said::Nothing,
        }
    }

    /// What that is charged as it is sent; `None` where nobody is asked.
    pub(super) fn sends(
        &self,
        purpose: Purpose,
        prompt: (Name, Note),
        values: &[(&str, Value)],
        within_ms: u64,
    ) -> Option<Aided> {
        if within_ms == 0 {
            return None;
        }
        let request = self.request(purpose, prompt, values).ok()?;
        self.aid.sends(Part::Light, request.transcript.tokens())
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
        Ok(Request {
            purpose,
            transcript,
            tools: Tools::None,
            temperature: TEMPERATURE,
            page: None,
            schema: None,
            task: String::new(),
            language: self.prompts.language,
        })
    }
}

/// The words of a field, if there are any.
pub(super) fn words<'v>(value: &'v Json, field: &str) -> Option<&'v str> {
    let words = value.get(field)?.as_str()?.trim();
    Some(words).filter(|words| !words.is_empty())
}
