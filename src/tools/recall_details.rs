//! `recall_details`: a result that no longer stands before the model whole.

use super::schema::arguments;
use super::{Output, Tool, ToolContext, ToolError};
use crate::context::Kept;
use crate::host::Fut;
use crate::model::PassageData;
use crate::phrase::phrase;
use crate::study::Study;
use crate::text::tokens::{estimate, head};
use futures::FutureExt;
use serde_json::{Value, json};

/// What models call it by.
pub(crate) const NAME: &str = "recall_details";

/// As much of a result is given at once, of a moderate task's scratchpad.
const WHOLE_TOKENS: u32 = 9_000;

/// As much for an aspect.
const FOCUS_TOKENS: u32 = 2_000;

/// As much of it for where the texts are from.
const SOURCES_TOKENS: u32 = 600;

const NOTHING: &str = "nothing in it bears on this focus; try other words, or leave the focus out";

arguments! {
    /// What is to be recalled.
    pub(super) struct Arguments {
        /// The id of the result, as in r3.
        result_id: String,
        /// The aspect that matters now; all of it if left out.
        focus: Option<String>,
    }
}

/// Gives a kept result, whole or what of it bears on an aspect.
pub(super) struct RecallDetails {
    pub(super) study: Study,
}

impl Tool for RecallDetails {
    type Arguments = Arguments;

    const NAME: &'static str = NAME;

    // Without it what was shortened would be lost.
    const HAS_SWITCH: bool = false;

    const TITLE: &'static str = "msg:tool_recall";
    const MEANS: &'static str = "msg:tool_recall_means";

    const DESCRIPTION: &'static str = "The full text of an earlier result that was shortened, by \
        its id, whole or what of it bears on a focus. Use when a shortened result [r3] or message \
        [m1] may hold what is needed. Don't use to search the page anew: use find_in_page.";

    fn examples() -> [Value; 2] {
        [
            json!({ "resultId": "r3" }),
            json!({ "resultId": "r3", "focus": "the height of the spring tide" }),
        ]
    }

    fn run(&self, arguments: Arguments, context: ToolContext) -> Fut<Result<Output, ToolError>> {
        let study = self.study.clone();
        async move {
            let id = &arguments.result_id;
            let Some(kept) = context.results.get(id) else {
                let known = context.results.ids().map(str::to_owned).collect();
                let id = id.clone();
                return Err(ToolError::NoResult { id, known });
            };
            let data = match arguments.focus {
                Some(focus) => {
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
                None => whole(kept, context.room.share(WHOLE_TOKENS)),
            };
            let data = from(data, kept.sources(context.room.share(SOURCES_TOKENS)));
            Ok(Output {
                data,
                summary: phrase("summary_recalled").with(&kept.id),
                share_percent: None,
                picture: None,
            })
        }
        .boxed_local()
    }
}

/// With the pages that its passages are of, unless it says so itself.
fn from(mut data: Value, sources: Vec<Value>) -> Value {
    if let Value::Object(fields) = &mut data
        && !fields.contains_key("result")
        && !sources.is_empty()
    {
        fields.insert("sources".to_owned(), sources.into());
    }
    data
}

/// All of it; of one that is too long, its first texts and how many are left.
fn whole(kept: &Kept, most: u32) -> Value {
    if estimate(&kept.value.to_string()) <= most {
        return json!({ "of": kept.id, "tool": kept.tool, "result": *kept.value });
    }
    let texts = kept.texts();
    let count = texts.len();
    let mut left = most;
    let mut given: Vec<PassageData> = Vec::new();
    for text in texts {
        let cost = text.tokens();
        if cost > left {
            // A text that is too long by itself, is cut where there is room.
            if given.is_empty() {
                let head = head(&text.text, left).to_owned();
                given.push(PassageData {
                    text: head + " […]",
                    ..text
                });
            }
            break;
        }
        left -= cost;
        given.push(text);
    }
    json!({
        "of": kept.id,
        "tool": kept.tool,
        "leftOut": format!("{} of {count} texts; give a focus for what they hold", count - given.len()),
        "passages": given,
    })
}
