//! `recall_details`: a result that no longer stands before the model whole.

use super::schema::{Whole, arguments};
use super::{Needs, Output, Tool, ToolContext, ToolError};
use futures::FutureExt;
use gloss_context::{Kept, Recallable};
use gloss_durable::json::put;
use gloss_durable::{Fut, Recorded};
use gloss_model::PassageData;
use gloss_model::phrase::phrase;
use gloss_reader::Study;
use gloss_text::tokens::{estimate, head};
use serde_json::{Value, json};

/// What models call it by.
pub const NAME: &str = "recall_details";

/// As much of a result is given at once, of a moderate task's scratchpad.
const WHOLE_TOKENS: u32 = 9_000;

/// As much for an aspect.
const FOCUS_TOKENS: u32 = 2_000;

/// No result has more parts.
const MOST_PARTS: i64 = 10_000;

/// As much of it for where the texts are from.
const SOURCES_TOKENS: u32 = 600;

/// So many ids are told where one is not known, the newest.
const NAMED: usize = 20;

const OF_BEFORE: &str = "from an earlier turn of the conversation: to cite it, read it again";

const NOTHING: &str =
    "nothing in it relates to this focus; try other words, or leave the focus out";

arguments! {
    /// What is to be recalled.
    pub(super) struct Arguments {
        /// The id of the result, as in r3.
        result_id: String,
        /// The aspect that matters now; all of it if left out.
        focus: Option<String>,
        /// Which part of a result that is too long to be given at once, from 1.
        part: Option<Whole<1, MOST_PARTS>>,
    }
}

/// Gives a kept result, whole or what of it bears on an aspect.
pub(super) struct RecallDetails {
    pub(super) study: Study,
    /// Where earlier turns stand.
    pub(super) recorded: Recorded,
}

impl Tool for RecallDetails {
    type Arguments = Arguments;

    const NAME: &'static str = NAME;

    // Without it what was shortened would be lost.
    const HAS_SWITCH: bool = false;

    const TITLE: &'static str = "msg:tool_recall";
    const MEANS: &'static str = "msg:tool_recall_means";

    const NEEDS: Option<Needs> = Some(Needs::Results);

    const DESCRIPTION: &'static str = "The full text of an earlier result that was shortened, by \
        its id, whole or what of it bears on a focus. Use when a shortened result [r3] or message \
        [m1] may hold what is needed. Don't use to search the page anew: use find_in_page.";

    const EXAMPLES: [&'static str; 2] = [
        r#"{ "resultId": "r3" }"#,
        r#"{ "resultId": "r3", "focus": "the height of the spring tide" }"#,
    ];

    fn run(&self, arguments: Arguments, context: ToolContext) -> Fut<Result<Output, ToolError>> {
        let (study, recorded) = (self.study.clone(), self.recorded.clone());
        async move {
            let id = &arguments.result_id;
            let earlier = context.results.earlier(id);
            let found = match earlier {
                Some(place) => before(&recorded, place).await?,
                None => context.results.get(id).cloned(),
            };
            let Some(kept) = &found else {
                let known = context.results.ids();
                // One that is gone is none of them.
                let known = known.filter(|known| earlier.is_none_or(|gone| gone.id != *known));
                return Err(unknown(id, known.map(str::to_owned).collect()));
            };
            let data = match (arguments.focus, arguments.part) {
                (Some(focus), _) => {
                    let most = context.room.share(FOCUS_TOKENS);
                    let found = study.focus(kept.texts(), focus.clone(), most).await?;
                    let (of, tool) = (&kept.id, &kept.tool);
                    match found.as_slice() {
                        [] => json!({ "of": of, "tool": tool, "focus": focus, "nothing": NOTHING }),
                        found => {
                            json!({ "of": of, "tool": tool, "focus": focus, "passages": found })
                        }
                    }
                }
                (None, part) => {
                    let part = part.map_or(1, |Whole(part)| part);
                    whole(kept, part, context.room.share(WHOLE_TOKENS))?
                }
            };
            let mut data = from(data, kept.sources(context.room.share(SOURCES_TOKENS)));
            if earlier.is_some() {
                put(&mut data, "note", OF_BEFORE.into());
            }
            Ok(Output::new(data, phrase("summary_recalled").with(&kept.id)))
        }
        .boxed_local()
    }
}

/// No result has this id; those that there are, the newest of them by their ids.
fn unknown(id: &str, mut known: Vec<String>) -> ToolError {
    let older = known.len().saturating_sub(NAMED);
    known.drain(..older);
    ToolError::NoResult {
        id: id.to_owned(),
        known,
        older,
    }
}

/// What an earlier turn gave or was told, if its journal is still there.
async fn before(recorded: &Recorded, place: &Recallable) -> Result<Option<Kept>, ToolError> {
    let value = recorded.value(&place.run, place.seq).await;
    let value = value.map_err(|error| {
        let id = &place.id;
        let said = phrase("tool_result_unread").with(id);
        ToolError::faltered(
            format!("the result `{id}` can't be read now: {error}"),
            said,
        )
    })?;
    // Of a call; of a question or a passage, in a configuration or a message.
    let names = [
        "/result/Ok/data",
        "/goal/ask/question",
        "/goal/explain/selection",
    ];
    let found = value.and_then(|value| names.iter().find_map(|name| value.pointer(name).cloned()));
    Ok(found.map(|found| place.found(found)))
}

/// With the pages that its passages are of, unless it says so itself.
fn from(mut data: Value, sources: Vec<Value>) -> Value {
    if data.get("result").is_none() && !sources.is_empty() {
        put(&mut data, "sources", sources.into());
    }
    data
}

/// All of it, or, of one that is too long to be given at once, a part.
fn whole(kept: &Kept, part: i64, most: u32) -> Result<Value, ToolError> {
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
        let next = format!("part {} goes on; a focus gives what bears on it", part + 1);
        put(&mut data, "next", next.into());
    }
    Ok(data)
}

/// The texts in parts of at most so many tokens; a text that is longer by itself is cut.
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

/// A text in pieces of at most so many tokens.
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
