use super::*;
use crate::phrase::DisplayText;
use crate::{Calling, Complexity, Language, Purpose, Request, ToolDefinition, Tools, Transcript};
use quickcheck::QuickCheck;
use serde_json::{Value, json};
use std::rc::Rc;

pub(super) fn tools() -> Rc<[ToolDefinition]> {
    ["find_in_page", "web_search"]
        .map(|name| ToolDefinition {
            name: name.to_owned(),
            description: format!("Does {name}."),
            parameters: json!({ "type": "object", "properties": { "query": { "type": "string" } } }),
            examples: Vec::new(),
        })
        .into()
}

/// Parses a reply that arrives in parts. Returns its content, and the text that was shown.
pub(super) fn heard_in(
    calling: Calling,
    tools: Rc<[ToolDefinition]>,
    pieces: &[&str],
) -> (ParsedReply, String) {
    heard_of(calling, tools.into(), pieces)
}

/// Parses a reply that arrives in parts, with any permission to call tools. Returns its content,
/// and the text that was shown.
pub(super) fn heard_of(calling: Calling, tools: Tools, pieces: &[&str]) -> (ParsedReply, String) {
    let mut shown = String::new();
    let mut listener = ReplyParser::new(calling, tools);
    for piece in pieces {
        listener.push(piece, |text| shown.push_str(text));
    }
    let speech = listener.finish(|text| shown.push_str(text));
    (speech, shown)
}

pub(super) fn heard(calling: Calling, reply: &str) -> (ParsedReply, String) {
    let whole = heard_in(calling, tools(), &[reply]);
    let characters: Vec<String> = reply.chars().map(String::from).collect();
    let single: Vec<&str> = characters.iter().map(String::as_str).collect();
    assert_eq!(heard_in(calling, tools(), &single), whole, "{reply}");
    whole
}

#[expect(clippy::unnecessary_wraps, reason = "as control blocks hold it")]
fn said(words: &str) -> Option<DisplayText> {
    Some(DisplayText::Words(words.to_owned()))
}

pub(super) fn names(speech: &ParsedReply) -> Vec<(String, Value)> {
    let calls = speech.calls.iter();
    calls
        .map(|call| (call.name.clone(), call.arguments.clone()))
        .collect()
}

#[test]
fn a_block_is_kept_from_the_answer() {
    let block = r#"{"thought": "Enough.", "observation": "Two tides.", "goal_met": true, "confidence": 0.9, "complexity": "simple"}"#;
    let expected = Control {
        thought: said("Enough."),
        observation: said("Two tides."),
        goal_met: Some(true),
        confidence: Some(0.9),
        complexity: Some(Complexity::Simple),
        remark: None,
        leads: Vec::new(),
        completed: Vec::new(),
        decisions: Vec::new(),
        reflection: None,
        reflections: Vec::new(),
    };
    for reply in [
        format!("<gloss>{block}</gloss>\nTwo **tides** [[p1]]."),
        format!("\n <gloss>\n{block}\n</gloss>\n\nTwo **tides** [[p1]]."),
        format!("<gloss>```json\n{block}\n```</gloss>Two **tides** [[p1]]."),
        format!("<gloss>{block}\nTwo **tides** [[p1]]."),
        format!(
            "<gloss>{{\"thought\": \"Enough.\"}}</gloss>\n<gloss>{block}</gloss>Two **tides** [[p1]]."
        ),
        format!("<think>Hm, a < b.</think>\n<gloss>{block}</gloss>Two **tides** [[p1]]."),
    ] {
        let (speech, shown) = heard(Calling::Native, &reply);
        assert_eq!(speech.control, expected, "{reply}");
        assert_eq!(shown, "Two **tides** [[p1]].", "{reply}");
        assert_eq!(speech.text, shown, "{reply}");
        let thinks = reply.contains("<think>");
        assert_eq!(speech.reasoning, if thinks { "Hm, a < b." } else { "" });
    }
}

#[test]
fn a_block_of_other_types_is_read_where_its_meaning_is_plain() {
    let table = [
        (
            r#"{"confidence": "85%", "goal_met": "yes"}"#,
            Some(0.85),
            Some(true),
        ),
        (
            r#"{"confidence": 85, "goal_met": "no"}"#,
            Some(0.85),
            Some(false),
        ),
        (r#"{"confidence": -1, "goal_met": 1}"#, None, None),
        (
            r#"{"confidence": 0.5, "should_continue": true,}"#,
            Some(0.5),
            Some(false),
        ),
        (r#"{"confidence": null, "complexity": "hard"}"#, None, None),
    ];
    for (block, confidence, goal_met) in table {
        let (speech, _) = heard(Calling::Native, &format!("<gloss>{block}</gloss>x"));
        assert_eq!(speech.control.confidence, confidence, "{block}");
        assert_eq!(speech.control.goal_met, goal_met, "{block}");
    }
}

#[test]
fn what_is_no_block_is_free_text() {
    for (reply, text) in [
        ("Plain.", "Plain."),
        ("a < b, <glosses> and <b>", "a < b, <glosses> and <b>"),
        (
            "<gloss>The page speaks of tides.</gloss>",
            "The page speaks of tides.",
        ),
        ("<gloss>It does.", "It does."),
        ("<gloss>{\"thought\" nonsense}</gloss>Two.", "Two."),
        ("<gloss>{\"thought\" nonsen", "<gloss>{\"thought\" nonsen"),
        ("<gloss>Write `x`", "Write `x`"),
        ("<gloss>{\"confidence\": 1}\nWrite `x`", "Write `x`"),
        ("<gloss>{\"confidence\": 1}\n```\nx\n```", "```\nx\n```"),
        ("Two.\n<glo", "Two.\n<glo"),
        ("2 <", "2 <"),
        ("<gloss>{\"final_answer\": \"Two.\"}</gloss>", "Two."),
        (
            "<gloss>{\"final_answer\": \"One.\"}</gloss>Two.",
            "One.\n\nTwo.",
        ),
        ("Code: {\"action\": 1}", "Code: {\"action\": 1}"),
        ("{\"a\": 1}", "{\"a\": 1}"),
        ("```json\n{\"a\": 1}\n```", "```json\n{\"a\": 1}\n```"),
        ("```rust\nfn a() {}\n```", "```rust\nfn a() {}\n```"),
        ("{\"action\": \"unheard_of\", \"arguments\": {}}", ""),
    ] {
        let (speech, shown) = heard(Calling::Native, reply);
        assert_eq!(speech.text, text, "{reply}");
        let malformed = speech.malformed.is_some();
        assert_eq!(shown, text, "{reply}");
        assert_eq!(malformed, reply.contains("unheard_of"));
    }
}

#[test]
fn an_answer_may_speak_of_the_block() {
    for reply in [
        "Begin with `<gloss>` and go on.",
        "A block:\n```html\n<gloss>{\"goal_met\": true}</gloss>\n```\nand `<gloss>` again, then words.",
        "Two. <gloss>{\"goal_met\": true}",
        "`<gloss>` begins it, </gloss> ends it.",
        "<b>x</b><gloss>",
    ] {
        for (before, goal_met) in [
            ("", None),
            ("<gloss>{\"goal_met\": false}</gloss>\n", Some(false)),
        ] {
            for calling in [Calling::Native, Calling::Text] {
                for tools in [tools(), Rc::new([])] {
                    let whole = format!("{before}{reply}");
                    let (speech, shown) = heard_in(calling, tools, &[&whole]);
                    assert_eq!((speech.text.as_str(), shown.as_str()), (reply, reply));
                    assert_eq!(speech.control.goal_met, goal_met, "{whole}");
                    assert_eq!(speech.malformed, None, "{whole}");
                }
            }
            let (speech, _) = heard(Calling::Native, &format!("{before}{reply}"));
            assert_eq!(speech.text, reply);
        }
    }
}

#[test]
fn a_block_that_is_repeated_behind_the_answer_is_kept_from_it() {
    let first = "<gloss>{\"goal_met\": false}</gloss>\n";
    let block = "<gloss>{\"goal_met\": true, \"confidence\": 0.5}</gloss>";
    for (reply, text) in [
        (format!("{first}Two.\n{block}"), "Two.\n"),
        (format!("{first}Two.\n\n {block}"), "Two.\n\n "),
        (
            format!("{first}Two.\n<gloss>\n{{\"goal_met\": tr"),
            "Two.\n",
        ),
    ] {
        for calling in [Calling::Native, Calling::Text] {
            let (speech, shown) = heard(calling, &reply);
            assert_eq!((speech.text.as_str(), shown.as_str()), (text, text));
            assert_eq!(speech.control.goal_met, Some(false), "{reply}");
        }
    }
    // The reply begins without a control block, and its answer mentions one.
    let told = format!("Two.\n{block}");
    let (speech, shown) = heard(Calling::Native, &told);
    assert_eq!((speech.text.as_str(), shown.as_str()), (&*told, &*told));
}

#[test]
fn an_object_that_holds_no_answer_is_shown_to_nobody() {
    for reply in [
        "{\"response\": null}",
        "```json\n{\"thought\": \"Hm.\", \"final_answer\": null}\n```",
        "{\"thought\": \"Hm.\", \"goal_met\": false, \"response\": \"\"}",
    ] {
        let (speech, shown) = heard(Calling::Text, reply);
        assert_eq!((speech.text.as_str(), shown.as_str()), ("", ""), "{reply}");
        assert_eq!(speech.malformed, None, "{reply}");
        assert_eq!(speech.control.thought.is_some(), reply.contains("Hm."));
    }
    // The control block in the instructions to the model, without its tags.
    for words in [&words::ENGLISH, &words::CHINESE] {
        let shown = words.block.lines().find(|line| line.starts_with("<gloss>"));
        let block = shown.unwrap().trim_start_matches("<gloss>");
        let block = block.trim_end_matches("</gloss>");
        for (calling, reply) in [
            (Calling::Text, block.to_owned()),
            (Calling::Native, format!("```json\n{block}\n```")),
        ] {
            let (speech, shown) = heard(calling, &reply);
            assert_eq!((speech.text.as_str(), shown.as_str()), ("", ""), "{reply}");
            assert_eq!(speech.control.goal_met, Some(false));
        }
    }
    for reply in [
        "{\"response\": 2}",
        "{\"response\": null, \"tides\": 2}",
        "{}",
    ] {
        assert_eq!(heard(Calling::Text, reply).1, reply);
    }
}

#[test]
fn nobody_sees_the_json_of_a_model_that_has_nothing_to_call() {
    let heard = |reply: &str| {
        let pieces: Vec<String> = reply.chars().map(String::from).collect();
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        heard_in(Calling::Native, Rc::new([]), &pieces)
    };
    let long = "The tide rises twice a day.";
    for reply in [
        format!("{{\"final_answer\": \"{long}\"}}"),
        format!("```json\n{{\"thought\": \"Hm.\", \"response\": \"{long}\"}}\n```"),
        format!("<final_answer>{long}</final_answer>"),
    ] {
        let (speech, shown) = heard(&reply);
        assert_eq!(
            (speech.text.as_str(), shown.as_str()),
            (long, long),
            "{reply}"
        );
    }
    let (speech, shown) = heard("{\"thought\": \"Hm.\", \"completed\": [\"tides\"]}");
    assert_eq!((speech.text.as_str(), shown.as_str()), ("", ""));
    assert_eq!(speech.control.completed, ["tides"]);
    // The user asked for JSON, so the JSON is the answer.
    for reply in [
        "```json\n{\"tides\": 2}\n```\nSo it looks.",
        "{\"tides\": 2}",
        "{\"action\": \"web_search\", \"arguments\": {}}",
    ] {
        assert_eq!(heard(reply).1, reply);
    }
}

#[test]
fn a_quoted_example_of_a_call_is_no_broken_call() {
    let example = "```json\n{\"model\": \"m\", \"tool_calls\": []}\n```";
    for reply in [
        format!("An empty list means that none is called:\n\n{example}"),
        format!("So it looks:\n{example}\nAnd no more."),
        format!("{example}\n\nThat is how it looks."),
    ] {
        let (speech, shown) = heard(Calling::Text, &reply);
        assert_eq!(speech.malformed, None, "{reply}");
        assert_eq!((speech.text, shown), (reply.clone(), reply));
    }
    let (speech, shown) = heard(Calling::Text, example);
    assert!(speech.malformed.is_some() && shown.is_empty());
}

#[test]
fn a_call_by_its_tag_is_one_whatever_its_arguments_are_named() {
    let reply = "<function=web_search>{\"response\": \"Two.\"}</function>";
    for calling in [Calling::Native, Calling::Text] {
        let (speech, shown) = heard(calling, reply);
        let called = [("web_search".to_owned(), json!({ "response": "Two." }))];
        assert_eq!((names(&speech), shown.as_str()), (called.into(), ""));
    }
    let reply = "<function=final_answer>{\"response\": \"Two.\"}</function>";
    assert_eq!(heard(Calling::Text, reply).1, "Two.");
}

#[test]
fn a_reply_of_marks_without_end_takes_no_longer_for_each() {
    for piece in [
        "<",
        "<gloss>",
        "</gloss>",
        "<gloss>{",
        "\n<gloss>{\"a\":",
        "<think>",
        "{",
        "{\"a\":",
        "\n{",
        "[{",
        "```\n{",
        "```json\n",
        "<tool_call",
        "<function=",
        "<function=x><parameter=a>\n",
        "<function=x><parameter=a>\n<",
        "<tool_call>x<arg_key>a</arg_key><arg_value>",
        "<invoke name=\"x\"><parameter name=\"a\">1</parameter>",
        "[TOOL_CALLS]",
        "[TOOL_CALLS]x[ARGS]{",
        "<|tool_call_start|>[x(a=[",
        "<|tool_call_begin|>x",
        "<｜DSML｜",
        "<action>",
        "`[",
        "\"",
        "\\",
        "[",
        "\n",
    ] {
        for before in ["", "<gloss>{\"goal_met\": true}</gloss>Two.\n"] {
            let times = [50_000, 200_000].map(|length| {
                let text: String = piece.chars().cycle().take(length).collect();
                let deltas = text.as_bytes().chunks(64);
                let mut deltas: Vec<&str> = deltas.filter_map(|d| str::from_utf8(d).ok()).collect();
                deltas.insert(0, before);
                let tries = (0..3).map(|_| {
                    let begun = std::time::Instant::now();
                    drop(heard_in(Calling::Text, tools(), &deltas));
                    begun.elapsed()
                });
                tries.min().unwrap()
            });
            // For this length, quadratic time would be sixteen times as long.
            let most = times[0] * 8 + std::time::Duration::from_millis(100);
            assert!(times[1] < most, "{before}{piece}: {times:?}");
        }
    }
}

#[test]
fn without_tools_nothing_is_a_call() {
    for reply in [
        "{\"action\": \"find_in_page\", \"arguments\": {}}",
        "{\"action\": \"unheard_of\", \"arguments\": {",
        "{\"action\" \"find_in_page\"}",
        "```json\n{\"tool_calls\": [{\"name\": \"x\"}]}\n```",
    ] {
        for calling in [Calling::Native, Calling::Text] {
            let (speech, shown) = heard_in(calling, Rc::new([]), &[reply]);
            assert_eq!((speech.calls.len(), shown.as_str()), (0, reply));
            assert_eq!(speech.malformed, None, "{reply}");
        }
    }
}

#[test]
fn the_answer_streams_as_it_comes() {
    let mut shown = Vec::new();
    let mut listener = ReplyParser::new(Calling::Text, tools().into());
    for piece in [
        "<glo",
        "ss>{}</gl",
        "oss>\nTwo",
        " tides, 3 <",
        " 4",
        "\n",
        "{",
    ] {
        listener.push(piece, |text| shown.push(text.to_owned()));
    }
    assert_eq!(shown, ["Two", " tides, 3 ", "< 4", "\n"]);
    assert_eq!(listener.shown(), "Two tides, 3 < 4\n");
}

#[test]
fn calls_written_as_text_are_found_in_the_order_of_the_spec() {
    let query = json!({ "query": "tide" });
    let one = vec![("find_in_page".to_owned(), query.clone())];
    let two = vec![one[0].clone(), ("web_search".to_owned(), query.clone())];
    let table = [
        (
            "fenced",
            "```json\n{\"thought\": \"Look.\", \"action\": \"find_in_page\", \"arguments\": {\"query\": \"tide\"}}\n```",
            &one,
        ),
        (
            "fenced, prose around",
            "I look.\n```json\n{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"tide\"}}\n```\nThen I answer.",
            &one,
        ),
        (
            "no name of a fence",
            "```\n{\"action\": \"find_in_page\", \"args\": {\"query\": \"tide\"}}\n```",
            &one,
        ),
        (
            "an open fence",
            "```json\n{\"action\": \"find_in_page\", \"arguments\": {\"query\": \"tide\"}",
            &one,
        ),
        (
            "bare",
            "{\"action\": \"find_in_page\", \"arguments\": {\"query\": \"tide\"}}",
            &one,
        ),
        (
            "a comma too many",
            "{\"action\": \"find_in_page\", \"arguments\": {\"query\": \"tide\",},}",
            &one,
        ),
        (
            "arguments in a string",
            "{\"action\": \"find_in_page\", \"arguments\": \"{\\\"query\\\": \\\"tide\\\"}\"}",
            &one,
        ),
        (
            "an action with fields",
            "{\"action\": {\"name\": \"find_in_page\", \"arguments\": {\"query\": \"tide\"}}}",
            &one,
        ),
        (
            "a tag",
            "<tool_call>\n{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"tide\"}}\n</tool_call>",
            &one,
        ),
        (
            "a tag after prose",
            "I look. <tool_call>{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"tide\"}}</tool_call>",
            &one,
        ),
        (
            "a function",
            "<function=find_in_page>{\"query\": \"tide\"}</function>",
            &one,
        ),
        (
            "an action tag",
            "<thinking>Look.</thinking>\n<action>find_in_page {\"query\": \"tide\"}</action>",
            &one,
        ),
        (
            "a list",
            "```json\n{\"tool_calls\": [{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"tide\"}}, {\"name\": \"search_web_for_info\", \"arguments\": {\"query\": \"tide\"}}]}\n```",
            &two,
        ),
        (
            "in camels",
            "{\"toolCalls\": [{\"function\": {\"name\": \"find_in_page\", \"arguments\": \"{\\\"query\\\": \\\"tide\\\"}\"}}, {\"tool\": \"web_search\", \"parameters\": {\"query\": \"tide\"}}]}",
            &two,
        ),
        (
            "two tags",
            "<tool_call>{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"tide\"}}</tool_call><tool_call>{\"name\": \"web_search\", \"arguments\": {\"query\": \"tide\"}}</tool_call>",
            &two,
        ),
        (
            "two objects",
            "{\"action\": \"find_in_page\", \"arguments\": {\"query\": \"tide\"}}\n{\"action\": \"web_search\", \"arguments\": {\"query\": \"tide\"}}",
            &two,
        ),
    ];
    for (name, reply, expected) in table {
        let (speech, shown) = heard(Calling::Text, reply);
        assert_eq!(&names(&speech), expected, "{name}");
        assert!(
            !shown.contains('{') && !shown.contains('<') && !shown.contains('`'),
            "{name}: {shown}"
        );
        assert_eq!(speech.malformed, None, "{name}");
        let mut ids: Vec<&str> = speech.calls.iter().map(|call| call.id.as_str()).collect();
        ids.dedup();
        assert_eq!(ids.len(), expected.len(), "{name}");
    }
}

#[test]
fn a_call_says_why_and_what_it_waits_for() {
    let reply = r#"{"tool_calls": [
        {"id": "a", "name": "find_in_page", "arguments": {"query": "x", "reasoning": "Inside."}},
        {"id": "b", "name": "web_search", "arguments": {"query": "y"}, "reasoning": "Beside.", "after": "a"}]}"#;
    let (speech, _) = heard(Calling::Text, reply);
    let told: Vec<_> = speech
        .calls
        .iter()
        .map(|c| (c.id.as_str(), c.reasoning.clone(), c.after.as_deref()))
        .collect();
    assert_eq!(
        told,
        [
            ("a", said("Inside."), None),
            ("b", said("Beside."), Some("a"))
        ]
    );
    assert_eq!(speech.calls[0].arguments, json!({ "query": "x" }));
}

#[test]
fn an_answer_inside_json_is_the_answer() {
    for reply in [
        "{\"action\": \"final_answer\", \"arguments\": {\"answer\": \"Two.\"}}",
        "{\"action\": \"respond\", \"input\": \"Two.\"}",
        "```json\n{\"thought\": \"Known.\", \"response\": \"Two.\"}\n```",
        "{\"final_answer\": \"Two.\", \"tool_calls\": []}",
        "<thinking>Known.</thinking><response>Two.</response>",
        "<final_answer>Two.</final_answer>",
        "{\"final_answer\": \"Two.",
        "{'final_answer': 'Two.',}",
        "<gloss>{\"final_answer\": \"Two.\"}</gloss>",
        "<gloss>{\"goal_met\": true, \"response\": \"Two.\"}</gloss>\n",
    ] {
        let (speech, shown) = heard(Calling::Text, reply);
        assert_eq!(
            (speech.text.as_str(), shown.as_str()),
            ("Two.", "Two."),
            "{reply}"
        );
        assert!(speech.calls.is_empty());
    }
}

#[test]
fn an_answer_inside_json_streams_as_it_comes() {
    let words = "Two tides a day, \"springs\"\nand neaps. ".repeat(20);
    for (before, after) in [
        ("{\"thought\": \"Known.\", \"response\": ", "}"),
        (
            "```json\n{\"action\": \"final_answer\", \"action_input\": ",
            "}\n```",
        ),
        (
            "<gloss>{\"goal_met\": true, \"final_answer\": ",
            "}</gloss>",
        ),
    ] {
        let reply = format!("{before}{}{after}", json!(words));
        let pieces: Vec<&str> = reply.split_inclusive(' ').collect();
        let mut listener = ReplyParser::new(Calling::Text, tools().into());
        let mut shown = String::new();
        let mut behind = 0;
        for (place, piece) in pieces.iter().enumerate() {
            listener.push(piece, |text| shown.push_str(text));
            let sent: usize = pieces[..=place].iter().map(|it| it.len()).sum();
            behind = behind.max(sent.saturating_sub(before.len() + shown.len()));
        }
        let speech = listener.finish(|text| shown.push_str(text));
        assert_eq!(
            (shown.as_str(), speech.text.as_str()),
            (words.as_str(), words.as_str())
        );
        // The allowance covers escapes in the shown text, and the last part of the reply.
        assert!(behind < 20 * 3 + 30, "{behind} bytes behind in {before}");
    }
}

#[test]
fn an_answer_inside_the_block_and_one_behind_it_are_two_paragraphs() {
    let (speech, shown) = heard(
        Calling::Native,
        "<gloss>{\"final_answer\": \"Two.\"}</gloss>\nSprings and neaps.",
    );
    assert_eq!(speech.text, "Two.\n\nSprings and neaps.");
    assert_eq!(shown, speech.text);
}

#[test]
fn what_was_shown_of_one_answer_is_not_gone_on_with_by_another() {
    for (reply, text) in [
        (
            r#"{"response": "short", "final_answer": "the long one"}"#,
            "short",
        ),
        (
            r#"{"response": "Two", "final_answer": "Two tides"}"#,
            "Two tides",
        ),
        (
            r#"{"response": "Two.", "action": "answer", "action_input": "Three."}"#,
            "Two.",
        ),
        (
            r#"<gloss>{"response": "short", "final_answer": "the long one"}</gloss>"#,
            "short",
        ),
        (r#"<gloss>{"final_answer": "Two.", "x" nonsense"#, "Two."),
        (
            r#"<gloss>{"final_answer": "Two.", "x" nonsense</gloss>Three."#,
            "Two.\n\nThree.",
        ),
        (
            r#"<gloss>{"action": "answer", "input": "Two."}</gloss>Three."#,
            "Two.\n\nThree.",
        ),
    ] {
        let (speech, shown) = heard(Calling::Text, reply);
        assert_eq!(
            (speech.text.as_str(), shown.as_str()),
            (text, text),
            "{reply}"
        );
        assert_eq!((speech.calls.len(), speech.malformed), (0, None), "{reply}");
    }
}

#[test]
fn both_parsers_tell_calls_from_answers_alike() {
    /// Each row: the fields of a JSON object, the answer in them, and true if they make the object
    /// a call.
    const FIELDS: [(&str, &str, bool); 8] = [
        (r#""thought": "Look.""#, "", false),
        (r#""response": "One.""#, "One.", false),
        (r#""final_answer": "Two.\n""#, "Two.", false),
        (r#""tool": "answer", "input": "Three.""#, "Three.", false),
        (
            r#""action": "find_in_page", "action_input": {"query": "x"}"#,
            "",
            true,
        ),
        (
            r#""tool_calls": [{"name": "web_search", "arguments": {}}]"#,
            "",
            true,
        ),
        (
            r#""function": {"name": "web_search", "arguments": "{}"}"#,
            "",
            true,
        ),
        (r#""name": "web_search", "arguments": {}"#, "", true),
    ];
    fn law(picks: Vec<u8>) -> bool {
        let mut fields = Vec::new();
        for pick in picks {
            let field = FIELDS[usize::from(pick) % FIELDS.len()];
            if !fields.contains(&field) {
                fields.push(field);
            }
        }
        let texts: Vec<&str> = fields.iter().map(|field| field.0).collect();
        let reply = format!("{{{}}}", texts.join(", "));
        // The reply is parsed as a whole, and character by character.
        let (speech, shown) = heard(Calling::Text, &reply);
        let text = &speech.text;
        let call = fields.iter().position(|field| field.2);
        let behind = fields
            .get(call.unwrap_or(fields.len())..)
            .unwrap_or_default();
        let mut answers = behind.iter().map(|field| field.1);
        let kept = answers.all(|answer| answer.is_empty() || !shown.contains(answer));
        shown == *text && (speech.calls.is_empty() || kept)
    }
    QuickCheck::new()
        .tests(5_000)
        .quickcheck(law as fn(Vec<u8>) -> bool);
}

#[test]
fn an_answer_with_fences_of_its_own_is_whole() {
    let answer = "So:\n```rust\nfn a() {}\n```\nThat is all.";
    let reply = format!("```json\n{}\n```", json!({ "final_answer": answer }));
    assert_eq!(heard(Calling::Text, &reply).0.text, answer);
}

#[test]
fn a_call_that_cannot_be_read_is_said_to_be_so_and_shown_to_nobody() {
    for reply in [
        "{\"action\" \"find_in_page\"}",
        "<tool_call>",
        // These replies end within a string, so the arguments are unknown.
        "{\"action\": \"find_in_page\", \"arguments\": {\"query\": \"Fres",
        "```json\n{\"tool_calls\": [{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"Fres",
        "<tool_call>{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"Fres",
        "<function=find_in_page>{\"query\": \"Fres</function>",
        "<action>find_in_page {\"query\": \"Fres",
    ] {
        let (speech, shown) = heard(Calling::Text, reply);
        assert_eq!(
            speech.malformed.as_deref(),
            Some("the JSON of the call cannot be read"),
            "{reply}"
        );
        assert_eq!(
            (
                speech.written.as_str(),
                speech.text.as_str(),
                shown.as_str()
            ),
            (reply, "", ""),
            "{reply}"
        );
    }
}

#[test]
fn a_native_call_gives_its_reasoning_back() {
    let arguments = json!({ "query": "x", "reasoning": "Because." });
    let call = native_call(2, None, "search_web_for_info", arguments, &tools());
    assert_eq!(
        (call.id.as_str(), call.name.as_str()),
        ("call_2", "web_search")
    );
    assert_eq!(
        (call.arguments, call.reasoning),
        (json!({ "query": "x" }), said("Because."))
    );
}

#[test]
#[expect(clippy::needless_pass_by_value, reason = "quickcheck gives values")]
fn no_reply_shows_more_than_it_says_nor_depends_on_its_pieces() {
    const TESTS: u64 = 30_000;
    fn law(picks: Vec<u8>, text: bool) -> bool {
        const PIECES: [&str; 34] = [
            "<gloss>",
            "</gloss>",
            "<",
            "{",
            "}",
            "\"action\": \"find_in_page\"",
            "\n",
            " ",
            "```",
            "json",
            "<tool_call>",
            "</tool_call>",
            "<think>",
            "</think>",
            "a",
            "字",
            "<gl",
            "\"thought\": \"x\"",
            ",",
            "Words.",
            "<function=find_in_page>",
            "</function>",
            "<parameter=query>",
            "</parameter>",
            "<invoke name=\"find_in_page\">",
            "<arg_key>query</arg_key>",
            "<arg_value>x</arg_value>",
            "[TOOL_CALLS]",
            "[ARGS]",
            "[",
            "<|tool_call_start|>[find_in_page(",
            "query='x')]",
            "`",
            "\"response\": \"y",
        ];
        let pieces: Vec<&str> = picks
            .iter()
            .map(|p| PIECES[usize::from(*p) % PIECES.len()])
            .collect();
        let calling = if text { Calling::Text } else { Calling::Native };
        let whole = heard_in(calling, tools(), &[&pieces.concat()]);
        let shown = whole.0.text == whole.1;
        shown && heard_in(calling, tools(), &pieces) == whole
    }
    // Regression test: a tag, a line, a space, and the beginning of a call.
    for text in [true, false] {
        assert!(law(vec![1, 6, 7, 3, 5], text));
    }
    QuickCheck::new()
        .tests(TESTS)
        .quickcheck(law as fn(Vec<u8>, bool) -> bool);
}

#[test]
fn instructions_read_as_they_should() {
    let table = [
        ("native_reason", Calling::Native, Purpose::Reason, tools()),
        (
            "native_synthesise",
            Calling::Native,
            Purpose::Synthesise,
            Rc::from([]),
        ),
        ("text_observe", Calling::Text, Purpose::Observe, tools()),
        (
            "text_observe_alone",
            Calling::Text,
            Purpose::Observe,
            Rc::from([]),
        ),
        ("text_act", Calling::Text, Purpose::Act, tools()),
        (
            "native_plan",
            Calling::Native,
            Purpose::Reason,
            Rc::from([]),
        ),
    ];
    for (name, calling, purpose, tools) in table {
        for language in Language::OF_PROMPTS {
            let task = match purpose {
                Purpose::Act => String::new(),
                _ => "<task>\nThe prompt.\n</task>".to_owned(),
            };
            let request = Request {
                purpose,
                transcript: Transcript::default(),
                tools: tools.clone().into(),
                temperature: 0.7,
                page: None,
                schema: None,
                task,
                state: String::new(),
                language,
            };
            let name = format!("{name}.{}", language.id());
            insta::assert_snapshot!(name, instructions(calling, &request));
        }
    }
}
