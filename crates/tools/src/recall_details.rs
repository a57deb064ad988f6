//! `recall_details`: returns an earlier result in full, if it was shortened for the model.

use super::schema::{BoundedInteger, arguments};
use super::{Destination, Output, Requirement, Tool, ToolContext, ToolError};
use futures::FutureExt;
use gloss_context::{ResultLocation, StoredResult};
use gloss_durable::json::put;
use gloss_durable::{Fut, JournalReader};
use gloss_model::PassageData;
use gloss_model::phrase::phrase;
use gloss_model::provenance::{Origin, Provenance};
use gloss_reader::PageService;
use gloss_text::tokens::{estimate, head};
use serde_json::{Value, json};

/// The tool's name.
pub const NAME: &str = "recall_details";

/// The tool name of an entry that is a message of the user.
const MESSAGE: &str = "message";

/// The maximum number of tokens of a recalled result, in the context window of a moderate task.
const WHOLE_TOKENS: u32 = 9_000;

/// The maximum number of tokens of the passages that relate to a focus.
const FOCUS_TOKENS: u32 = 2_000;

/// The highest number of a part that a call may request. No result has as many parts.
const MOST_PARTS: i64 = 10_000;

/// The maximum number of tokens of the list of pages that the passages are from.
const SOURCES_TOKENS: u32 = 600;

/// The maximum number of ids that the error for an unknown id lists, the newest first.
const NAMED: usize = 20;

const OF_BEFORE: &str = "from an earlier turn of the conversation: to cite it, read it again";

const NOTHING: &str =
    "nothing in it relates to this focus; try other words, or leave the focus out";

arguments! {
    /// The arguments.
    pub(super) struct Arguments {
        /// The id of the result, as in r3.
        result_id: String,
        /// The aspect that matters now; the whole result if left out.
        focus: Option<String>,
        /// The part of a result that is too long to return at once, from 1.
        part: Option<BoundedInteger<1, MOST_PARTS>>,
    }
}

/// Returns a stored result, either whole or only the passages that relate to a focus.
pub(super) struct RecallDetails {
    pub(super) page_service: PageService,
    /// Reads the journals of earlier turns.
    pub(super) recorded: JournalReader,
}

impl Tool for RecallDetails {
    type Arguments = Arguments;

    const NAME: &'static str = NAME;

    // Without this tool, the model could not read shortened results in full.
    const HAS_SWITCH: bool = false;

    const TITLE: &'static str = "msg:tool_recall";
    const SUMMARY: &'static str = "msg:tool_recall_means";

    const DESTINATION: Destination = Destination::Device;

    const NEEDS: Option<Requirement> = Some(Requirement::Results);

    const DESCRIPTION: &'static str = "Returns the full text of an earlier result that was \
        shortened, by its id, or only the parts relevant to a focus. Use when a shortened result \
        [r3] or message [m1] may contain what you need. Don't use to search the page again: use \
        find_in_page.";

    const EXAMPLES: [&'static str; 2] = [
        r#"{ "resultId": "r3" }"#,
        r#"{ "resultId": "r3", "focus": "the height of the spring tide" }"#,
    ];

    fn run(&self, arguments: Arguments, context: ToolContext) -> Fut<Result<Output, ToolError>> {
        let (page_service, recorded) = (self.page_service.clone(), self.recorded.clone());
        async move {
            let id = &arguments.result_id;
            let earlier = context.results.earlier(id);
            let found = match earlier {
                Some(place) => read_earlier_turn(&recorded, place).await?,
                None => context.results.get(id).cloned(),
            };
            let Some(kept) = &found else {
                let known = context.results.ids();
                // If the journal of the requested result was deleted, the error must not list its id.
                let known = known.filter(|known| earlier.is_none_or(|gone| gone.id != *known));
                return Err(unknown_id(id, known.map(str::to_owned).collect()));
            };
            let data = match (arguments.focus, arguments.part) {
                (Some(focus), _) => {
                    let most = context.room.share(FOCUS_TOKENS);
                    let found = page_service
                        .focus(kept.texts(), focus.clone(), most)
                        .await?;
                    let (of, tool) = (&kept.id, &kept.tool);
                    match found.as_slice() {
                        [] => json!({ "of": of, "tool": tool, "focus": focus, "nothing": NOTHING }),
                        found => {
                            json!({ "of": of, "tool": tool, "focus": focus, "passages": found })
                        }
                    }
                }
                (None, part) => {
                    let part = part.map_or(1, |BoundedInteger(part)| part);
                    whole_result(kept, part, context.room.share(WHOLE_TOKENS))?
                }
            };
            let mut data = with_sources(data, kept.sources(context.room.share(SOURCES_TOKENS)));
            if earlier.is_some() {
                put(&mut data, "note", OF_BEFORE.into());
            }
            // The origins of the user's messages are origins of the whole run.
            let origin = match kept.tool.as_str() {
                MESSAGE => Origin::User,
                tool => Origin::Tool(tool.to_owned()),
            };
            let summary = phrase("summary_recalled").with(&kept.id);
            Ok(Output::new(data, summary, Provenance::of(origin)))
        }
        .boxed_local()
    }
}

/// Makes the error for an unknown id, with the newest known ids.
fn unknown_id(id: &str, mut known: Vec<String>) -> ToolError {
    let older = known.len().saturating_sub(NAMED);
    known.drain(..older);
    ToolError::NoResult {
        id: id.to_owned(),
        known,
        older,
    }
}

/// Reads a result or message of an earlier turn; `None` if the journal of that turn was deleted.
async fn read_earlier_turn(
    recorded: &JournalReader,
    place: &ResultLocation,
) -> Result<Option<StoredResult>, ToolError> {
    let value = recorded.value(&place.run, place.seq).await;
    let value = value.map_err(|error| {
        let id = &place.id;
        let said = phrase("tool_result_unread").with(id);
        ToolError::temporary_failure(
            format!("the result `{id}` can't be read now: {error}"),
            said,
        )
    })?;
    // The recorded value contains a tool result, a question, or a selected text.
    let names = [
        "/result/Ok/data",
        "/goal/ask/question",
        "/goal/explain/selection",
    ];
    let found = value.and_then(|value| names.iter().find_map(|name| value.pointer(name).cloned()));
    Ok(found.map(|found| place.found(found)))
}

/// Adds the pages that the passages are from. A whole result already contains them.
fn with_sources(mut data: Value, sources: Vec<Value>) -> Value {
    if data.get("result").is_none() && !sources.is_empty() {
        put(&mut data, "sources", sources.into());
    }
    data
}

/// Returns the whole result. If it is too long, returns one part of it.
fn whole_result(kept: &StoredResult, part: i64, most: u32) -> Result<Value, ToolError> {
    if part == 1 && estimate(&kept.value.to_string()) <= most {
        return Ok(json!({ "of": kept.id, "tool": kept.tool, "result": *kept.value }));
    }
    let parts = parts(kept.texts(), most);
    let at = usize::try_from(part - 1).unwrap_or(usize::MAX);
    let Some(passages) = parts.get(at) else {
        return Err(ToolError::Invalid {
            field: "part".to_owned(),
            expected: format!("a number from 1 to {}", parts.len().max(1)),
            got: part.to_string(),
        });
    };
    let mut data = json!({
        "of": kept.id,
        "tool": kept.tool,
        "part": format!("{part} of {}", parts.len()),
        "passages": passages,
    });
    if at + 1 < parts.len() {
        let next = format!(
            "part {} continues; a focus returns only what is relevant to it",
            part + 1
        );
        put(&mut data, "next", next.into());
    }
    Ok(data)
}

/// Groups passages into parts of at most `most` tokens. A longer passage is cut.
fn parts(texts: Vec<PassageData>, most: u32) -> Vec<Vec<PassageData>> {
    let mut parts: Vec<Vec<PassageData>> = Vec::new();
    let mut left = 0;
    for text in texts.into_iter().flat_map(|text| cut(&text, most)) {
        let cost = text.tokens();
        if let Some(part) = parts.last_mut().filter(|_| cost <= left) {
            left -= cost;
            part.push(text);
        } else {
            left = most.saturating_sub(cost);
            parts.push(vec![text]);
        }
    }
    parts
}

/// Cuts a text into passages of at most `most` tokens.
fn cut(text: &PassageData, most: u32) -> Vec<PassageData> {
    let around = text.tokens() - estimate(&text.text);
    let most = most.saturating_sub(around).max(1);
    let mut pieces = Vec::new();
    let mut rest = text.text.as_str();
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(head(rest, most).len());
        pieces.push(PassageData {
            text: piece.to_owned(),
            ..text.clone()
        });
        rest = after;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    fn texts(all: &[String]) -> Vec<PassageData> {
        let passage = |(at, text): (usize, &String)| PassageData {
            id: format!("p{at}"),
            text: text.clone(),
            why: None,
        };
        all.iter().enumerate().map(passage).collect()
    }

    quickcheck! {
        fn the_parts_together_are_the_whole_and_none_is_too_large(all: Vec<String>, most: u8) -> bool {
            let most = u32::from(most) + 40;
            let parts = parts(texts(&all), most);
            let said: String = parts.iter().flatten().map(|it| it.text.as_str()).collect();
            let cost = |part: &Vec<PassageData>| part.iter().map(PassageData::tokens).sum::<u32>();
            said == all.concat() && parts.iter().all(|part| !part.is_empty() && cost(part) <= most)
        }
    }
}
