//! Tests of malformed tool calls, as models write them. The errors are those in public benchmarks
//! of function calling. The test prints the share of calls that are understood, and fails if the
//! share falls.

use super::tests::{heard, names, tools};
use crate::Calling;
use serde_json::{Value, json};

/// Samples. Each of them means one call of `find_in_page` for "neap tide".
const SAMPLES: [&str; 65] = [
    // The requested form.
    "```json\n{\"tool_calls\": [{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"neap tide\"}}]}\n```",
    "{\"toolCalls\": [{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"neap tide\"}}]}",
    "{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\"}}",
    "<tool_call>{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"neap tide\"}}</tool_call>",
    "{\"thinking\": \"Look.\", \"action\": \"tool\", \"tool_calls\": [{\"id\": \"a\", \"name\": \"find_in_page\", \"arguments\": {\"query\": \"neap tide\"}}]}",
    "```json\n{\"action\": \"tools\", \"toolCalls\": [{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"neap tide\"}}]}\n```",
    // Other quotation marks.
    "{'action': 'find_in_page', 'action_input': {'query': 'neap tide'}}",
    "{\"action\": 'find_in_page', \"action_input\": {\"query\": 'neap tide'}}",
    "{“action”: “find_in_page”, “action_input”: {“query”: “neap tide”}}",
    "{`action`: `find_in_page`, `action_input`: {`query`: `neap tide`}}",
    "{“action”：“find_in_page”，“action_input”：{“query”：“neap tide”}}",
    // Names without quotation marks.
    "{action: \"find_in_page\", action_input: {query: \"neap tide\"}}",
    "{action: find_in_page, action_input: {query: neap tide}}",
    "{\"action\": find_in_page, \"action_input\": {\"query\": \"neap tide\"}}",
    // Missing or extra commas.
    "{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\",},}",
    "{\"action\": \"find_in_page\",, \"action_input\": {\"query\": \"neap tide\"}}",
    "{\"action\": \"find_in_page\"\n\"action_input\": {\"query\": \"neap tide\"}}",
    "{\"action\": \"find_in_page\"; \"action_input\": {\"query\": \"neap tide\"}}",
    "{,\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\"}}",
    "{\"tool_calls\": [{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"neap tide\"}},]}",
    // Comments.
    "{\"action\": \"find_in_page\", // look it up\n\"action_input\": {\"query\": \"neap tide\"}}",
    "{\n# the tool\n\"action\": \"find_in_page\",\n\"action_input\": {\"query\": \"neap tide\"}\n}",
    "{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\" // the term\n}}",
    // Missing, extra or wrong brackets.
    "{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\"}",
    "{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\"",
    "{\"tool_calls\": [{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"neap tide\"}]}",
    "{\"tool_calls\": [{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"neap tide\"}}",
    "{{\"action\": \"find_in_page\", \"action_input\": {{\"query\": \"neap tide\"}}}}",
    "{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\"}}}}",
    "{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\"]}",
    "[{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"neap tide\"}}",
    // Code fences and text around the call.
    "I'll look it up.\n\n```json\n{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\"}}\n```\nOne moment.",
    "```\n{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\"}}\n```",
    "```tool_code\n{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\"}}\n```",
    "```json\n{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\"}}",
    "```json\n// the call\n{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\"}}\n```",
    "```json\n```json\n{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\"}}\n```\n```",
    "```text\nNothing here.\n```\n```json\n{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\"}}\n```",
    "```json\n{\"thought\": \"Look.\"}\n```\n```json\n{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\"}}\n```",
    "{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\"}}\n\nI am looking for the neap tide now.",
    "Thought: look.\n{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\"}}",
    // Other field names.
    "{\"tool\": \"find_in_page\", \"args\": {\"query\": \"neap tide\"}}",
    "{\"tool_name\": \"find_in_page\", \"parameters\": {\"query\": \"neap tide\"}}",
    "{\"name\": \"find_in_page\", \"input\": {\"query\": \"neap tide\"}}",
    "{\"function\": {\"name\": \"find_in_page\", \"arguments\": {\"query\": \"neap tide\"}}}",
    "{\"type\": \"function\", \"function\": {\"name\": \"find_in_page\", \"arguments\": \"{\\\"query\\\": \\\"neap tide\\\"}\"}}",
    "{\"action\": {\"name\": \"find_in_page\", \"arguments\": {\"query\": \"neap tide\"}}}",
    "{\"name\": \"find_in_page\", \"arguments\": \"{'query': 'neap tide'}\"}",
    // Escapes and control characters.
    "{\"action\": \"find\\_in\\_page\", \"action_input\": {\"query\": \"neap tide\"}}",
    "{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap\\u0020tide\"}}",
    "{\"thought\": \"It\\'s a term\", \"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\"}}",
    "{\"thought\": \"Look\nit up\", \"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\"}}",
    "{\"thought\": \"the \"neap\" one\", \"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\"}}",
    "{\"action\": \"find_in_page\",\t\"action_input\":\t{\"query\":\"neap tide\"}\u{feff}}",
    // Constants of other languages.
    "{\"action\": \"find_in_page\", \"goal_met\": False, \"action_input\": {\"query\": \"neap tide\"}}",
    "{\"action\": \"find_in_page\", \"observation\": None, \"action_input\": {\"query\": \"neap tide\"}}",
    "{\"action\": \"find_in_page\", \"confidence\": NaN, \"action_input\": {\"query\": \"neap tide\"}}",
    "{\"action\": \"find_in_page\", \"confidence\": .8, \"action_input\": {\"query\": \"neap tide\"}, ...}",
    // Tags.
    "<tool_call>\n{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"neap tide\"}}\n",
    "<function_call>{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"neap tide\"}}</function_call>",
    "<function=find_in_page>{\"query\": \"neap tide\"}</function>",
    "<action>find_in_page {\"query\": \"neap tide\"}</action>",
    "<tool_calls>[{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"neap tide\"}}]</tool_calls>",
    "<tool_call>{'name': 'find_in_page', 'arguments': {'query': 'neap tide'}}</tool_call>",
    // A call after a label, as Command R+ writes it.
    "Action:\n```json\n{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\"}}\n```",
];

/// Other samples: several calls, arguments of every kind, and answers.
#[expect(clippy::too_many_lines, reason = "a table")]
fn varied() -> Vec<(&'static str, Value, &'static str)> {
    let two = json!([
        ["find_in_page", { "query": "neap tide" }],
        ["web_search", { "query": "spring tide" }],
    ]);
    let nested = json!([["web_search", {
        "query": "tides",
        "filter": { "sites": ["a.example", "b.example"], "range": { "from": 2019, "to": 2024 } },
    }]]);
    let numbers =
        json!([["web_search", { "query": "tides", "limit": 5, "share": 0.5, "near": -3 }]]);
    let lines = json!([["find_in_page", { "query": "first\nsecond" }]]);
    let code = json!([["find_in_page", { "query": "if (a < b) { print(\"x, y\"); }" }]]);
    let chinese = json!([["find_in_page", { "query": "大潮，小潮" }]]);
    let none = json!([]);
    let answer = "Two tides a day.";
    vec![
        // Two calls.
        (
            "{'tool_calls': [{'name': 'find_in_page', 'arguments': {'query': 'neap tide'}}, {'name': 'web_search', 'arguments': {'query': 'spring tide'}}]}",
            two.clone(),
            "",
        ),
        (
            "{\"tool_calls\": [{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"neap tide\"}} {\"name\": \"web_search\", \"arguments\": {\"query\": \"spring tide\"}}]}",
            two.clone(),
            "",
        ),
        (
            "[{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"neap tide\"}}, {\"name\": \"web_search\", \"arguments\": {\"query\": \"spring tide\"}},]",
            two.clone(),
            "",
        ),
        (
            "{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\",}}\n\n{\"action\": \"web_search\", \"action_input\": {\"query\": \"spring tide\",}}",
            two.clone(),
            "",
        ),
        (
            "```json\n{'action': 'find_in_page', 'action_input': {'query': 'neap tide'}}\n```\n```json\n{'action': 'web_search', 'action_input': {'query': 'spring tide'}}\n```",
            two.clone(),
            "",
        ),
        (
            "<tool_call>{'name': 'find_in_page', 'arguments': {'query': 'neap tide'}}</tool_call>\n<tool_call>{'name': 'web_search', 'arguments': {'query': 'spring tide'}}</tool_call>",
            two.clone(),
            "",
        ),
        (
            "<tool_call>{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"neap tide\"}}</tool_call>\n<tool_call>{\"name\": \"web_search\", \"arguments\": {\"query\": \"spring tide\"}}</tool_call>",
            two.clone(),
            "",
        ),
        (
            "[TOOL_CALLS] [{'name': 'find_in_page', 'arguments': {'query': 'neap tide'}}, {'name': 'web_search', 'arguments': {'query': 'spring tide'}}]",
            two.clone(),
            "",
        ),
        (
            "<function=find_in_page>\n<parameter=query>\nneap tide\n</parameter>\n</function>\n<function=web_search>\n<parameter=query>\nspring tide\n</parameter>\n</function>",
            two,
            "",
        ),
        // Nested objects and lists.
        (
            "{action: web_search, arguments: {query: \"tides\", filter: {sites: [\"a.example\", \"b.example\"], range: {from: 2019, to: 2024}}}}",
            nested.clone(),
            "",
        ),
        (
            "{\"action\": \"web_search\", \"arguments\": {\"query\": \"tides\", \"filter\": {\"sites\": [\"a.example\", \"b.example\",], \"range\": {\"from\": 2019, \"to\": 2024,},},},}",
            nested.clone(),
            "",
        ),
        (
            "{\"action\": \"web_search\", \"arguments\": {\"query\": \"tides\", \"filter\": {\"sites\": [\"a.example\", \"b.example\"], \"range\": {\"from\": 2019, \"to\": 2024}",
            nested.clone(),
            "",
        ),
        (
            "```json\n{\n  // where\n  \"action\": \"web_search\",\n  \"arguments\": {\n    \"query\": \"tides\",\n    \"filter\": {\"sites\": [\"a.example\" \"b.example\"], \"range\": {\"from\": 2019 \"to\": 2024}}\n  }\n}\n```",
            nested.clone(),
            "",
        ),
        (
            "{\"action\": \"web_search\", \"arguments\": \"{'query': 'tides', 'filter': {'sites': ['a.example', 'b.example'], 'range': {'from': 2019, 'to': 2024}}}\",}",
            nested.clone(),
            "",
        ),
        (
            "<tool_call>web_search\n<arg_key>query</arg_key>\n<arg_value>tides</arg_value>\n<arg_key>filter</arg_key>\n<arg_value>{\"sites\": [\"a.example\", \"b.example\"], \"range\": {\"from\": 2019, \"to\": 2024}}</arg_value>\n</tool_call>",
            nested,
            "",
        ),
        // Numbers.
        (
            "{\"action\": \"web_search\", \"arguments\": {\"query\": \"tides\", \"limit\": +5, \"share\": .5, \"near\": -3}}",
            numbers.clone(),
            "",
        ),
        (
            "{'action': 'web_search', 'arguments': {'query': 'tides', 'limit': 5, 'share': 0.5, 'near': -3,}}",
            numbers.clone(),
            "",
        ),
        (
            "{\"action\": \"web_search\", \"arguments\": {\"query\": \"tides\", \"limit\": 05, \"share\": 0.50, \"near\": -3}}",
            numbers.clone(),
            "",
        ),
        (
            "<invoke name=\"web_search\"><parameter name=\"query\">tides</parameter><parameter name=\"limit\">5</parameter><parameter name=\"share\">0.5</parameter><parameter name=\"near\">-3</parameter></invoke>",
            numbers,
            "",
        ),
        // Line breaks and code.
        (
            "{\"action\": \"find_in_page\", \"arguments\": {\"query\": \"first\nsecond\"}}",
            lines.clone(),
            "",
        ),
        (
            "{'action': 'find_in_page', 'arguments': {'query': 'first\nsecond'}}",
            lines.clone(),
            "",
        ),
        (
            "<function=find_in_page>\n<parameter=query>\nfirst\nsecond\n</parameter>\n</function>",
            lines,
            "",
        ),
        (
            "{'action': 'find_in_page', 'arguments': {'query': 'if (a < b) { print(\"x, y\"); }'}}",
            code.clone(),
            "",
        ),
        (
            "{\"action\": \"find_in_page\", \"arguments\": {\"query\": \"if (a < b) { print(\\\"x, y\\\"); }\",},}",
            code.clone(),
            "",
        ),
        (
            "<function=find_in_page><parameter=query>if (a < b) { print(\"x, y\"); }</parameter></function>",
            code.clone(),
            "",
        ),
        (
            "{\"action\": \"find_in_page\", \"arguments\": {\"query\": \"if (a < b) { print(\"x, y\"); }\"}}",
            code,
            "",
        ),
        // Chinese.
        (
            "{“action”：“find_in_page”，“arguments”：{“query”：“大潮，小潮”}}",
            chinese.clone(),
            "",
        ),
        (
            "{'action': 'find_in_page', 'arguments': {'query': '大潮，小潮'},}",
            chinese.clone(),
            "",
        ),
        (
            "我来查一下。\n```json\n{\"action\": \"find_in_page\", \"arguments\": {\"query\": \"大潮，小潮\",}}\n```",
            chinese.clone(),
            "",
        ),
        (
            "{action：\"find_in_page\"，arguments：{query：\"大潮，小潮\"}}",
            chinese,
            "",
        ),
        // Answers.
        ("{'final_answer': 'Two tides a day.'}", none.clone(), answer),
        (
            "{\"thought\": \"Known\", \"response\": \"Two tides a day.\",}",
            none.clone(),
            answer,
        ),
        (
            "{\"final_answer\": \"Two tides a day.",
            none.clone(),
            answer,
        ),
        (
            "{final_answer: \"Two tides a day.\", tool_calls: [],}",
            none.clone(),
            answer,
        ),
        (
            "```json\n{\"action\": 'final_answer', \"action_input\": 'Two tides a day.'}\n```",
            none.clone(),
            answer,
        ),
        (
            "<response>Two tides a day.</response>",
            none.clone(),
            answer,
        ),
        (
            "<function=final_answer><parameter=answer>Two tides a day.</parameter></function>",
            none,
            answer,
        ),
    ]
}

/// Returns true if a strict parser can read the JSON at the sample's first bracket. `None` for a
/// sample without JSON.
fn is_well_formed(sample: &str) -> Option<bool> {
    let forms = ["<parameter", "<arg_key"];
    let json = sample.find(['{', '[']).and_then(|at| sample.get(at..));
    let json = json.filter(|_| !forms.iter().any(|form| sample.contains(form)))?;
    let json = json.strip_prefix("[TOOL_CALLS] ").unwrap_or(json);
    let mut values = serde_json::Deserializer::from_str(json).into_iter::<Value>();
    Some(matches!(values.next(), Some(Ok(_))))
}

#[test]
fn most_of_what_models_write_is_read() {
    let one = json!([["find_in_page", { "query": "neap tide" }]]);
    let simple = SAMPLES.map(|sample| (sample, one.clone(), ""));
    let samples: Vec<_> = simple.into_iter().chain(varied()).collect();
    let (mut strict, mut malformed, mut lost) = ([0, 0], [0, 0], Vec::new());
    for (sample, calls, answer) in &samples {
        let speech = heard(Calling::Text, sample).0;
        let is_read = json!(names(&speech)) == *calls
            && speech.malformed.is_none()
            && (answer.is_empty() || speech.text == *answer);
        if !is_read {
            lost.push(*sample);
        }
        if is_well_formed(sample) == Some(false) {
            malformed[0] += usize::from(is_read);
            malformed[1] += 1;
        } else {
            strict[0] += usize::from(is_read);
            strict[1] += 1;
        }
    }
    let share = |[read, of]: [usize; 2]| format!("{read} of {of} read ({} %)", 100 * read / of);
    println!(
        "calls and answers that are no JSON to a strict parser: {}; those that are, and other \
         forms: {}; not: {lost:#?}",
        share(malformed),
        share(strict)
    );
    assert!(tools().iter().any(|tool| tool.name == "find_in_page"));
    assert!(malformed[1] >= 60, "{} are malformed", malformed[1]);
    assert!(lost.len() <= 2, "not read: {lost:#?}");
}
