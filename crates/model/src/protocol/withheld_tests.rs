//! Tests of replies that call a tool although the model may not call tools now. The agent loop
//! receives the call, and the user does not see it.

use super::ParsedReply;
use super::tests::{heard_of, names, tools};
use crate::{Calling, Tools};
use quickcheck::quickcheck;
use serde_json::json;

const CALLING: [Calling; 2] = [Calling::Text, Calling::Native];

fn heard_by(calling: Calling, known: &Tools, reply: &str) -> (ParsedReply, String) {
    let whole = heard_of(calling, known.clone(), &[reply]);
    for size in [1, 5, 64] {
        let letters: Vec<char> = reply.chars().collect();
        let pieces = letters.chunks(size).map(|piece| piece.iter().collect());
        let pieces: Vec<String> = pieces.collect();
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        assert_eq!(
            heard_of(calling, known.clone(), &pieces),
            whole,
            "{size}: {reply}"
        );
    }
    whole
}

fn heard(calling: Calling, reply: &str) -> (ParsedReply, String) {
    heard_by(calling, &Tools::Withheld(tools()), reply)
}

/// A call of `find_in_page` for "tide", in each form.
const CALLS: [&str; 13] = [
    r#"{"name":"find_in_page","arguments":{"query":"tide"}}"#,
    r#"{"action": "find_in_page", "action_input": {"query": "tide"}}"#,
    r#"{"tool_calls": [{"name": "find_in_page", "arguments": {"query": "tide"}}]}"#,
    "```json\n{\"tool_calls\": [{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"tide\"}}]}\n```",
    "```\n{\"thought\": \"Look.\", \"tool\": \"find_in_page\", \"args\": {\"query\": \"tide\"}}\n```",
    r#"<tool_call>{"name":"find_in_page","arguments":{"query":"tide"}}</tool_call>"#,
    "<function=find_in_page><parameter=query>tide</parameter></function>",
    r#"[TOOL_CALLS][{"name": "find_in_page", "arguments": {"query": "tide"}}]"#,
    r#"[TOOL_CALLS]find_in_page[ARGS]{"query": "tide"}"#,
    r#"[{"name": "find_in_page", "arguments": {"query": "tide"}}]"#,
    "<|tool_call_begin|>functions.find_in_page:0<|tool_call_argument_begin|>{\"query\": \"tide\"}<|tool_call_end|>",
    "<|tool_call_start|>[find_in_page(query='tide')]<|tool_call_end|>",
    "<function_call>{'name': 'find_in_page', 'arguments': {'query': 'tide',}}</function_call>",
];

#[test]
fn a_call_where_none_is_on_offer_is_never_seen() {
    let called = [("find_in_page".to_owned(), json!({ "query": "tide" }))];
    for calling in CALLING {
        for call in CALLS {
            for before in [
                "",
                "The lamp turns.\n\n",
                "<gloss>{\"goal_met\": false}</gloss>\n",
            ] {
                let reply = format!("{before}{call}");
                let (speech, shown) = heard(calling, &reply);
                let words = if before.starts_with('T') { before } else { "" };
                assert_eq!(shown, words, "{calling:?}: {reply}");
                assert_eq!(speech.text, words, "{calling:?}: {reply}");
                assert_eq!(names(&speech), called, "{calling:?}: {reply}");
            }
        }
    }
}

#[test]
fn nor_one_that_cannot_be_read() {
    for calling in CALLING {
        for call in [
            r#"{"name":"find_in_page","arguments":{"query":"ti"#,
            r#"<tool_call>{"name":"find_in_page","arguments":{"query": "lens</tool_call>"#,
            "[TOOL_CALLS]find_in_page[ARGS]{\"query\": \"le",
            "<function=find_in_page><parameter=query>le",
            "```json\n{\"tool_calls\": [{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"ti",
        ] {
            for before in ["", "The lamp turns.\n"] {
                let (speech, shown) = heard(calling, &format!("{before}{call}"));
                assert_eq!((shown.as_str(), names(&speech).len()), (before, 0));
                assert!(speech.malformed.is_some(), "{calling:?}: {before}{call}");
            }
        }
    }
}

#[test]
fn the_answer_that_stands_beside_it_is_the_answer() {
    for calling in CALLING {
        for (reply, answer) in [
            (
                r#"{"tool_calls": [{"name": "find_in_page", "arguments": {}}], "final_answer": "Two."}"#,
                "Two.",
            ),
            (
                r#"{"response": "Two.", "tool_calls": [{"name": "find_in_page", "arguments": {}}]}"#,
                "Two.",
            ),
            (
                "<gloss>{\"final_answer\": \"Two.\"}</gloss>\n{\"name\": \"find_in_page\", \"arguments\": {}}",
                "Two.",
            ),
        ] {
            let (speech, shown) = heard(calling, reply);
            assert_eq!(shown.trim_end(), answer, "{calling:?}: {reply}");
            assert_eq!(names(&speech).len(), 1, "{calling:?}: {reply}");
        }
    }
}

/// Answers that contain JSON because the user asked for it.
const QUOTED: [&str; 12] = [
    r#"{"name": "Ann", "arguments": {"a": 1}}"#,
    r#"{"action": "buy", "action_input": "bread"}"#,
    "{\"a\": 1}",
    "[{\"name\": \"Ann\"}, {\"name\": \"Ben\"}]",
    "As JSON:\n\n```json\n{\"name\": \"Brest\", \"tides\": [\"03:10\", \"15:40\"]}\n```\n\nThat is all.",
    "As JSON:\n{\"name\": \"Brest\"}\nThat is all.",
    "OpenAI's form:\n```json\n{\"tool_calls\": [{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Brest\"}}]}\n```",
    "In a line: `{\"name\": \"find_in_page\"}` is one.",
    "`<tool_call>` opens one.",
    "```python\nget_weather(city='Brest')\n```",
    "Action: walk to the harbour.",
    "{\"city\": \"Brest",
];

#[test]
fn json_that_calls_none_of_the_tools_stands_untouched() {
    for calling in CALLING {
        for reply in QUOTED {
            let (speech, shown) = heard(calling, reply);
            assert_eq!((shown.as_str(), speech.text.as_str()), (reply, reply));
            assert_eq!((names(&speech).len(), speech.malformed), (0, None));
        }
    }
}

#[test]
fn where_there_are_no_tools_every_call_is_words() {
    for calling in CALLING {
        for reply in CALLS.iter().chain(&QUOTED) {
            let (speech, shown) = heard_by(calling, &Tools::None, reply);
            assert_eq!((shown.as_str(), names(&speech).len()), (*reply, 0));
            assert_eq!(speech.malformed, None, "{reply}");
        }
    }
}

#[test]
fn json_behind_words_streams_where_its_provider_s_form_has_the_calls() {
    for known in [Tools::Offered(tools()), Tools::Withheld(tools())] {
        let mut shown = Vec::new();
        let mut listener = super::ReplyParser::new(Calling::Native, known);
        for piece in [
            "So:\n```json\n{",
            "\"name\": ",
            "\"Brest\", ",
            "\"tides\": 2",
            "}\n```\n",
        ] {
            listener.push(piece, |text| shown.push(text.to_owned()));
        }
        let seen = [
            "So:\n",
            "```json\n{\"name\": \"Brest\", ",
            "\"tides\": 2",
            "}\n```\n",
        ];
        assert_eq!(shown, seen);
    }
}

quickcheck! {
    fn whatever_stands_before_a_call_none_of_it_is_seen(before: String, which: usize, size: usize) -> bool {
        // Characters that begin code, a tag or a call are removed, because other tests cover them.
        let before: String = before.chars().filter(|c| c.is_alphanumeric() || *c == ' ').collect();
        let call = CALLS[which % CALLS.len()];
        let reply = format!("{before}\n{call}");
        let letters: Vec<char> = reply.chars().collect();
        let pieces: Vec<String> = letters.chunks(1 + size % 20).map(|it| it.iter().collect()).collect();
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        CALLING.into_iter().all(|calling| {
            let (speech, shown) = heard_of(calling, Tools::Withheld(tools()), &pieces);
            shown.trim() == before.trim() && speech.text == shown && speech.calls.len() == 1
        })
    }
}

/// A model with native calls was asked how calls are written, so its answer contains an example.
#[test]
fn what_an_answer_quotes_and_goes_on_from_is_no_call_and_loses_no_word() {
    for quoted in [
        "The block looks so:\n```json\n{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"find_in_page\",\"input\":{\"query\":\"x\"}}\n```\nThen you reply with it.",
        "The bot replies:\n\n```json\n{\"action\":\"respond\",\"input\":\"hi\"}\n```\nThen it waits.",
        "Request:\n```json\n{\"function\":{\"name\":\"get_weather\"}}\n```\nReply:\n```json\n{\"response\":\"sunny\"}\n```\nDone.",
    ] {
        for known in [Tools::Offered(tools()), Tools::Withheld(tools())] {
            let (speech, shown) = heard_by(Calling::Native, &known, quoted);
            assert!(speech.calls.is_empty(), "{quoted}");
            assert_eq!((speech.text.as_str(), shown.as_str()), (quoted, quoted));
        }
    }
}
