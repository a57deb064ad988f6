//! The table of the forms in which models write tool calls as text.
//!
//! Example: Qwen 2.5 writes `<tool_call>{"name": "find_in_page", "arguments":
//! {…}}</tool_call>`, so one row says that JSON follows `<tool_call>`.
//! [`call_parser`](super::call_parser) parses the forms. [`ReplyParser`](super::ReplyParser) does
//! not show text that may be the beginning of a form.
//!
//! The table leaves out forms that no model family writes by default: `ReAct`'s lines, and calls as
//! bare Python. It also leaves out formats that cover a whole reply (gpt-oss, Kimi K3), because the
//! servers of these models decode them.

use std::borrow::Cow;

pub(super) struct Form {
    /// The text with which a call or a list of calls begins.
    pub(super) opens: &'static str,
    pub(super) place: Position,
    pub(super) body: Body,
}

/// The positions in a reply where a form counts as a call. Inside a code block or code span, no
/// form counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Position {
    Anywhere,
    /// At the start of the reply. If the model was asked to write calls as text, also at the start
    /// of each line.
    Line,
}

/// The kind of text that follows a form's opening.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    /// JSON with the names and arguments of one or several calls.
    Json,
    /// A tool's name, then this separator, then the arguments as JSON. The separator may be
    /// missing.
    Name(&'static str),
    /// A tool's name, then `<arg_key>` and `<arg_value>` for each argument.
    Keys,
    /// A tool's name inside the tag, then one XML element per argument, or JSON.
    Elements,
    /// A Python list of calls.
    Python,
    /// Calls in another form of this table; the opening is only a frame around them.
    Form,
    /// No separate text, because the opening is already the beginning of the JSON object.
    Object,
    /// An answer or a thought, up to the closing tag.
    Words,
}

use Body::{Elements, Json, Keys, Name, Object, Python, Words};

#[rustfmt::skip]
pub(super) const FORMS: [Form; 34] = [
    line("Our prompt, Llama 3.1 to 3.3", "{", Object),
    line("Our prompt, Llama 3.1 to 3.3", "[{", Object),
    line("SPEC §2's tags", "<action>", Name("")),
    line("SPEC §2's tags", "<thinking>", Words),
    line("SPEC §2's tags, Granite 3", "<response>", Words),
    line("SPEC §2's tags", "<final_answer>", Words),
    mark("Hermes, Qwen 2.5 and 3, Granite 4, Reka Edge", "<tool_call>", Json),
    mark("GLM 4, Ling, Spark", "<tool_call>", Keys),
    mark("Qwen3-Coder, Qwen 3.5, Nemotron 3, StepFun", "<tool_call>", Body::Form),
    mark("Qwen3-Coder and the like, Functionary 3.1", "<function=", Elements),
    mark("MiniCPM 5", "<function name=", Elements),
    mark("MiniMax M2, Claude", "<invoke name=", Elements),
    mark("MiniMax M2", "<minimax:tool_call>", Body::Form),
    mark("Seed-OSS", "<seed:tool_call>", Body::Form),
    mark("Claude", "<function_calls>", Body::Form),
    mark("DeepSeek V3.2 and V4", "<｜DSML｜", Body::Form),
    mark("DeepSeek V4", "<tool_calls>", Body::Form),
    mark("DeepSeek V3, R1 and V3.1", "<｜tool▁calls▁begin｜>", Body::Form),
    mark("DeepSeek V3.1", "<｜tool▁call▁begin｜>", Name("<｜tool▁sep｜>")),
    mark("DeepSeek V3, R1", "<｜tool▁call▁begin｜>function<｜tool▁sep｜>", Name("```json")),
    mark("Kimi K2", "<|tool_calls_section_begin|>", Body::Form),
    mark("Kimi K2", "<|tool_call_begin|>", Name("<|tool_call_argument_begin|>")),
    mark("Mistral 7B to Nemo", "[TOOL_CALLS]", Json),
    mark("Mistral Small 3, Devstral, Ministral", "[TOOL_CALLS]", Name("[ARGS]")),
    mark("Gemma 4", "<|tool_call>call:", Name("")),
    mark("Command R7B and A", "<|START_ACTION|>", Json),
    mark("Granite 3, Phi 4", "<|tool_call|>", Json),
    mark("Granite 20B", "<function_call>", Json),
    mark("Llama 3.1", "<|python_tag|>", Json),
    mark("GigaChat 3", "<|message_sep|>\n\nfunction call<|role_sep|>", Json),
    mark("GigaChat 3.1", "<|function_call|>", Json),
    mark("Nemotron Nano 2", "<TOOLCALL>", Json),
    mark("Apriel", "<tool_calls>", Json),
    mark("LFM 2", "<|tool_call_start|>", Python),
];

/// Makes a row for a form that counts at the start of a line. `_families` documents which models
/// write this form by default. The code does not use it.
const fn line(_families: &str, opens: &'static str, body: Body) -> Form {
    let place = Position::Line;
    Form { opens, place, body }
}

/// Makes a row for a form that counts anywhere in a reply.
const fn mark(_families: &str, opens: &'static str, body: Body) -> Form {
    let place = Position::Anywhere;
    Form { opens, place, body }
}

/// The start tags of an argument.
pub(super) const PARAMETERS: [&str; 3] = ["<parameter=", "<parameter name=", "<param name="];

/// Spellings that only one model family uses, and their replacements. `DeepSeek` adds a prefix to
/// its tags. Gemma writes a special token in place of a quotation mark.
const SPELLINGS: [(&str, &str); 2] = [("｜DSML｜", ""), ("<|\"|>", "\"")];

/// Replaces the [`SPELLINGS`] in a text.
pub(super) fn spelled(text: &str) -> Cow<'_, str> {
    SPELLINGS
        .iter()
        .fold(Cow::Borrowed(text), |text, (from, to)| {
            if text.contains(from) {
                Cow::Owned(text.replace(from, to))
            } else {
                text
            }
        })
}

/// Returns true if `text` begins with a form that counts anywhere. A code fence before the form is
/// skipped. The opening of such a form is enough to recognise a call.
pub(super) fn is_marked(text: &str) -> bool {
    let inside = match text.split_once('\n') {
        Some((_, inside)) if text.starts_with("```") => inside.trim_start(),
        _ => text,
    };
    let mut forms = FORMS.iter().filter(|form| form.place == Position::Anywhere);
    forms.any(|form| inside.starts_with(form.opens))
}

/// Returns the forms whose opening is at the beginning of `text`, each with the text after the
/// opening.
pub(super) fn opened(text: &str) -> impl Iterator<Item = (Body, &str)> {
    let forms = FORMS.iter().filter(|form| form.body != Object);
    forms.filter_map(move |form| Some((form.body, text.strip_prefix(form.opens)?)))
}

/// Returns the rest of the text from the next form on, or `None` if the text contains no form.
pub(super) fn next(text: &str) -> Option<&str> {
    let mut signs = text.match_indices(['<', '[']);
    signs.find_map(|(at, _)| text.get(at..).filter(|rest| opened(rest).next().is_some()))
}
