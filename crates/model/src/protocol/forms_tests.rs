//! Tests of the forms in the table: calls with XML elements, and calls after special openings.

use super::ParsedReply;
use super::tests::{heard_in, names};
use crate::{Calling, ToolDefinition};
use serde_json::{Value, json};
use std::rc::Rc;

fn tools() -> Rc<[ToolDefinition]> {
    let tool = |name: &str, properties: Value| ToolDefinition {
        name: name.to_owned(),
        description: String::new(),
        parameters: json!({ "type": "object", "properties": properties }),
        examples: Vec::new(),
    };
    let zones = json!({ "type": ["array", "null"], "items": { "type": "string" } });
    Rc::from([
        tool(
            "get_current_time",
            json!({ "zones": zones, "days": { "type": "integer" } }),
        ),
        tool(
            "find_in_page",
            json!({ "query": { "type": "string" }, "note": { "type": ["string", "null"] } }),
        ),
        tool("run_python", json!({ "code": { "type": "string" } })),
    ])
}

/// Parses a reply as a whole and in parts of 1, 7 and 64 bytes. Checks that all results are equal
/// and that no raw call is shown.
fn heard(calling: Calling, reply: &str) -> ParsedReply {
    let (whole, shown) = heard_in(calling, tools(), &[reply]);
    for size in [1, 7, 64] {
        let letters: Vec<char> = reply.chars().collect();
        let pieces = letters.chunks(size).map(|piece| piece.iter().collect());
        let pieces: Vec<String> = pieces.collect();
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        let heard = heard_in(calling, tools(), &pieces);
        assert_eq!((&heard.0, &heard.1), (&whole, &shown), "{size}: {reply}");
    }
    if !whole.calls.is_empty() || whole.malformed.is_some() {
        let raw = ['<', '[', '{', '(']
            .iter()
            .any(|sign| shown.contains(*sign));
        assert!(!raw, "{reply}: {shown}");
    }
    whole
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn every_form_gives_its_arguments() {
    let zones = json!({ "zones": ["Europe/Paris", "Asia/Tokyo"], "days": 3 });
    let time = vec![("get_current_time".to_owned(), zones)];
    let query = json!({ "query": "2024", "note": null });
    let find = vec![("find_in_page".to_owned(), query)];
    let two = vec![time[0].clone(), find[0].clone()];
    let code = json!({ "code": "d = {\"response\": \"x\"}\nif 1 < 2:\n    print('</b>')" });
    let python = vec![("run_python".to_owned(), code)];
    let nothing = vec![("get_current_time".to_owned(), json!({}))];
    let table = [
        // Qwen3-Coder.
        (
            "<tool_call>\n<function=get_current_time>\n<parameter=zones>\n[\"Europe/Paris\", \"Asia/Tokyo\"]\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>",
            &time,
        ),
        (
            "<function=get_current_time><parameter=zones>['Europe/Paris', 'Asia/Tokyo']</parameter><parameter=days>3</parameter></function>",
            &time,
        ),
        (
            "<function=get_current_time>\n<parameter=zones>\n[\"Europe/Paris\", \"Asia/Tokyo\"]\n<parameter=days>\n3\n</function>",
            &time,
        ),
        (
            "<tool_call>\n<function=get_current_time>\n<parameter=zones>[\"Europe/Paris\", \"Asia/Tokyo\"]</parameter><parameter=days>3</parameter></function>\n</tool_call>\n<tool_call>\n<function=find_in_page>\n<parameter=query>\n2024\n</parameter>\n<parameter=note>\nnull\n</parameter>\n</function>\n</tool_call>",
            &two,
        ),
        (
            "<function=run_python>\n<parameter=code>\nd = {\"response\": \"x\"}\nif 1 < 2:\n    print('</b>')\n</parameter>\n</function>",
            &python,
        ),
        ("<function=get_current_time></function>", &nothing),
        ("<function=get_current_time>\n</function>", &nothing),
        // Elements with a `name` attribute.
        (
            "<function_calls>\n<invoke name=\"get_current_time\">\n<parameter name=\"zones\">[\"Europe/Paris\", \"Asia/Tokyo\"]</parameter>\n<parameter name=\"days\">3</parameter>\n</invoke>\n</function_calls>",
            &time,
        ),
        (
            "<minimax:tool_call>\n<invoke name=\"find_in_page\">\n<parameter name=\"query\">2024</parameter>\n<parameter name=\"note\">null</parameter>\n</invoke>\n</minimax:tool_call>",
            &find,
        ),
        (
            "<function name='find_in_page'><parameter name='query' string='true'>2024</parameter><parameter name='note'>null</parameter></function>",
            &find,
        ),
        (
            "<invoke name=\"get_current_time\"><parameter name=\"zones\">[\"Europe/Paris\", \"Asia/Tokyo\"]</parameter><parameter name=\"days\">3</parameter></invoke><invoke name=\"find_in_page\"><parameter name=\"query\">2024</parameter><parameter name=\"note\">null</parameter></invoke>",
            &two,
        ),
        ("<invoke name=\"get_current_time\"></invoke>", &nothing),
        // GLM.
        (
            "<tool_call>get_current_time\n<arg_key>zones</arg_key>\n<arg_value>[\"Europe/Paris\", \"Asia/Tokyo\"]</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n</tool_call>",
            &time,
        ),
        (
            "<tool_call>find_in_page<arg_key>query</arg_key><arg_value>2024</arg_value><arg_key>note</arg_key><arg_value>null</arg_value></tool_call>",
            &find,
        ),
        (
            "<tool_call>run_python\n<arg_key>code</arg_key>\n<arg_value>d = {\"response\": \"x\"}\nif 1 < 2:\n    print('</b>')</arg_value>\n</tool_call>",
            &python,
        ),
        ("<tool_call>get_current_time\n</tool_call>", &nothing),
        // Mistral.
        (
            "[TOOL_CALLS] [{\"name\": \"get_current_time\", \"arguments\": {\"zones\": [\"Europe/Paris\", \"Asia/Tokyo\"], \"days\": 3}}, {\"name\": \"find_in_page\", \"arguments\": {\"query\": \"2024\", \"note\": null}}]</s>",
            &two,
        ),
        (
            "[TOOL_CALLS]get_current_time[ARGS]{\"zones\": [\"Europe/Paris\", \"Asia/Tokyo\"], \"days\": 3}[TOOL_CALLS]find_in_page[ARGS]{\"query\": \"2024\", \"note\": null}",
            &two,
        ),
        (
            "[TOOL_CALLS]run_python[CALL_ID]a1b2[ARGS]{\"code\": \"d = {\\\"response\\\": \\\"x\\\"}\\nif 1 < 2:\\n    print('</b>')\"}",
            &python,
        ),
        (
            "[TOOL_CALLS]find_in_page{\"query\": \"2024\", \"note\": null}",
            &find,
        ),
        // Calls after openings that are special tokens.
        (
            "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"find_in_page\">\n<｜DSML｜parameter name=\"query\" string=\"true\">2024</｜DSML｜parameter>\n<｜DSML｜parameter name=\"note\" string=\"false\">null</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
            &find,
        ),
        (
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>find_in_page\n```json\n{\"query\": \"2024\", \"note\": null}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
            &find,
        ),
        (
            "<|tool_calls_section_begin|><|tool_call_begin|>functions.find_in_page:0<|tool_call_argument_begin|>{\"query\": \"2024\", \"note\": null}<|tool_call_end|><|tool_calls_section_end|>",
            &find,
        ),
        (
            "<|tool_call>call:get_current_time{zones:[<|\"|>Europe/Paris<|\"|>,<|\"|>Asia/Tokyo<|\"|>],days:3}<tool_call|><|tool_call>call:find_in_page{query:<|\"|>2024<|\"|>,note:null}<tool_call|>",
            &two,
        ),
        (
            "<|START_ACTION|>[\n    {\"tool_call_id\": \"0\", \"tool_name\": \"find_in_page\", \"parameters\": {\"query\": \"2024\", \"note\": null}}\n]<|END_ACTION|>",
            &find,
        ),
        (
            "<|tool_call_start|>[get_current_time(zones=['Europe/Paris', \"Asia/Tokyo\"], days=3), find_in_page(query='2024', note=None)]<|tool_call_end|>",
            &two,
        ),
        (
            "<|tool_call_start|>[run_python(code='d = {\"response\": \"x\"}\\nif 1 < 2:\\n    print(\\'</b>\\')')]<|tool_call_end|>",
            &python,
        ),
        (
            "<|tool_call_start|>[get_current_time()]<|tool_call_end|>",
            &nothing,
        ),
        (
            "<gloss>{\"thought\": \"Look.\"}</gloss>\n<tool_call>{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"2024\", \"note\": null}}</tool_call>",
            &find,
        ),
        (
            "<tool_calls>[{\"name\": \"get_current_time\", \"arguments\": {\"zones\": [\"Europe/Paris\", \"Asia/Tokyo\"], \"days\": 3}}, {\"name\": \"find_in_page\", \"arguments\": {\"query\": \"2024\", \"note\": null}}]</tool_calls>",
            &two,
        ),
    ];
    for (reply, expected) in table {
        for calling in [Calling::Text, Calling::Native] {
            let speech = heard(calling, reply);
            assert_eq!(&names(&speech), expected, "{calling:?}: {reply}");
            assert_eq!(speech.malformed, None, "{reply}");
            assert_eq!(speech.text, "", "{reply}");
        }
    }
}

#[test]
fn arguments_that_cannot_be_read_are_never_left_out_in_silence() {
    for reply in [
        "<function=get_current_time>zones: Paris</function>",
        "<function=get_current_time>",
        "<function=get_current_time",
        "<function=get_current_time><parameter=zones>[\"Europe/Par",
        "<function=get_current_time><parameter=zones",
        "<function=get_current_time><parameter=days>3</parameter>and Paris</function>",
        "<function=get_current_time><zones>Paris</zones></function>",
        "<invoke name=\"get_current_time\"><parameter name=\"zones\">[\"Europe/Par",
        "<invoke name=\"get_current_time\">Paris</invoke>",
        "<tool_call>get_current_time\n<arg_key>zones</arg_key>\n<arg_value>[\"Europe/Par",
        "<tool_call>get_current_time\n<arg_key>zones</arg_key>\n</tool_call>",
        "<tool_call>get_current_time",
        "<tool_call>get_current_time('Paris')</tool_call>",
        "[TOOL_CALLS]",
        "[TOOL_CALLS]get_current_time",
        "[TOOL_CALLS]unheard_of[ARGS]{\"a\": ",
        "[TOOL_CALLS]get_current_time[ARGS]{\"zones\": [\"Europe/Par",
        "<|tool_call_start|>[get_current_time(zones=['Europe/Par",
        "<|tool_call_start|>[get_current_time('Europe/Paris')]<|tool_call_end|>",
        "<|tool_call_begin|>functions.get_current_time:0<|tool_call_argument_begin|>{\"zones\": [\"Eur",
        "<|START_ACTION|>[{\"tool_name\": \"get_current_time\", \"parameters\": {\"zones\": [\"Eur",
        "<function=find_in_page><parameter=query>x</parameter></function><function=get_current_time>Paris</function>",
    ] {
        for calling in [Calling::Text, Calling::Native] {
            let speech = heard(calling, reply);
            assert_eq!(names(&speech), [], "{reply}");
            let said = speech.malformed.as_deref();
            assert_eq!(said, Some("the JSON of the call cannot be read"), "{reply}");
            assert_eq!(speech.written, reply);
        }
    }
}

#[test]
fn a_form_that_an_answer_quotes_is_no_call() {
    for reply in [
        "Qwen writes `<function=find_in_page>` and `<parameter=query>`.",
        "So:\n\n```html\n<function=find_in_page><parameter=query>x</parameter></function>\n```\n\nThat is all.",
        "So:\n\n```html\n<tool_call>{\"name\": \"find_in_page\", \"arguments\": {}}</tool_call>\n```",
        "Mistral writes ``[TOOL_CALLS]find_in_page[ARGS]{}``.",
        "Mistral's:\n```text\n[TOOL_CALLS]find_in_page[ARGS]{\"query\": \"x\"}\n```",
        "Mistral's models write [TOOL_CALLS] before a call.",
        "[TOOL_CALLS] is Mistral's mark.",
        "find_in_page(query) looks for a query.",
        "find_in_page(query='x')\nlooks for x.",
        "[find_in_page(query='x')] is how Llama calls.",
        "[find_in_page(query='x')]",
        "Action: find_in_page\nAction Input: {\"query\": \"x\"}",
        "So:\n```python\n[find_in_page(query='x')]\n```\nThat is all.",
        "See [find_in_page(query='x')].",
        "find_in_page is a tool, [1] and [[p1]] are no calls.",
        "[1] A note.\n[find] another",
    ] {
        for calling in [Calling::Text, Calling::Native] {
            let speech = heard(calling, reply);
            assert_eq!(names(&speech), [], "{calling:?}: {reply}");
            assert_eq!(
                (speech.malformed.as_deref(), speech.text.as_str()),
                (None, reply)
            );
        }
    }
    // A call that follows a closed code block counts.
    let reply =
        "So:\n```html\nx\n```\n<function=find_in_page><parameter=query>x</parameter></function>";
    let called = [("find_in_page".to_owned(), json!({ "query": "x" }))];
    assert_eq!(names(&heard(Calling::Native, reply)), called);
}

#[test]
fn a_value_is_a_text_unless_the_tool_takes_something_else() {
    let value = |name: &str, parameter: &str, text: &str| {
        let reply =
            format!("<function={name}><parameter={parameter}>{text}</parameter></function>");
        let mut called = heard(Calling::Text, &reply).calls;
        called.remove(0).arguments[parameter].take()
    };
    for (name, parameter, text, expected) in [
        ("find_in_page", "query", "2024", json!("2024")),
        ("find_in_page", "query", "{\"a\": 1}", json!("{\"a\": 1}")),
        ("find_in_page", "query", "null", json!("null")),
        ("find_in_page", "note", "None", json!(null)),
        (
            "find_in_page",
            "query",
            "\n  two\n  lines\n",
            json!("  two\n  lines"),
        ),
        ("get_current_time", "days", " 3 ", json!(3)),
        ("get_current_time", "days", "-2", json!(-2)),
        ("get_current_time", "zones", "[\"a\",]", json!(["a"])),
        ("get_current_time", "zones", "Paris", json!("Paris")),
        // A parameter that the tool does not declare is parsed as JSON.
        ("get_current_time", "x", "True", json!(true)),
        ("get_current_time", "x", "\"3\"", json!("3")),
        ("get_current_time", "x", "潮 <b>", json!("潮 <b>")),
        ("unheard_of", "x", "2.5", json!(2.5)),
    ] {
        assert_eq!(value(name, parameter, text), expected, "{name} {text}");
    }
}
