//! Calls as models really write them, in the forms that public benchmarks of function
//! calling collect: the share that is read is printed, and may not fall.

use super::tests::{heard, names, tools};
use crate::model::Calling;
use serde_json::json;

/// Each means one call of `find_in_page` for "neap tide".
const SAMPLES: [&str; 68] = [
    // As asked.
    "```json\n{\"tool_calls\": [{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"neap tide\"}}]}\n```",
    "{\"toolCalls\": [{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"neap tide\"}}]}",
    "{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\"}}",
    "<tool_call>{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"neap tide\"}}</tool_call>",
    "{\"thinking\": \"Look.\", \"action\": \"tool\", \"tool_calls\": [{\"id\": \"a\", \"name\": \"find_in_page\", \"arguments\": {\"query\": \"neap tide\"}}]}",
    "```json\n{\"action\": \"tools\", \"toolCalls\": [{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"neap tide\"}}]}\n```",
    // Other quotes.
    "{'action': 'find_in_page', 'action_input': {'query': 'neap tide'}}",
    "{\"action\": 'find_in_page', \"action_input\": {\"query\": 'neap tide'}}",
    "{“action”: “find_in_page”, “action_input”: {“query”: “neap tide”}}",
    "{`action`: `find_in_page`, `action_input`: {`query`: `neap tide`}}",
    "{“action”：“find_in_page”，“action_input”：{“query”：“neap tide”}}",
    // None at all.
    "{action: \"find_in_page\", action_input: {query: \"neap tide\"}}",
    "{action: find_in_page, action_input: {query: neap tide}}",
    "{\"action\": find_in_page, \"action_input\": {\"query\": \"neap tide\"}}",
    // Commas.
    "{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\",},}",
    "{\"action\": \"find_in_page\",, \"action_input\": {\"query\": \"neap tide\"}}",
    "{\"action\": \"find_in_page\"\n\"action_input\": {\"query\": \"neap tide\"}}",
    "{\"action\": \"find_in_page\"; \"action_input\": {\"query\": \"neap tide\"}}",
    "{,\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\"}}",
    "{\"tool_calls\": [{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"neap tide\"}},]}",
    // Comments.
    "{\"action\": \"find_in_page\", // look it up\n\"action_input\": {\"query\": \"neap tide\"}}",
    "{/* a tool */ \"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\"} /* done */}",
    "{\n# the tool\n\"action\": \"find_in_page\",\n\"action_input\": {\"query\": \"neap tide\"}\n}",
    "{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\" // the term\n}}",
    // Brackets.
    "{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\"}",
    "{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\"",
    "{\"tool_calls\": [{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"neap tide\"}]}",
    "{\"tool_calls\": [{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"neap tide\"}}",
    "{{\"action\": \"find_in_page\", \"action_input\": {{\"query\": \"neap tide\"}}}}",
    "{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\"}}}}",
    "{\"action\": \"find_in_page\", \"action_input\": {\"query\": \"neap tide\"]}",
    "[{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"neap tide\"}}",
    // Fences and prose around.
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
    // Names of fields.
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
    // Forms that SPEC has no parser for.
    "<tool_call>find_in_page(query=\"neap tide\")</tool_call>",
    "[find_in_page(query='neap tide')]",
    "Action: find_in_page\nAction Input: {\"query\": \"neap tide\"}",
];

#[test]
fn most_of_what_models_write_is_read() {
    let expected = vec![("find_in_page".to_owned(), json!({ "query": "neap tide" }))];
    let (mut read, mut lost) = (0, Vec::new());
    for sample in SAMPLES {
        let speech = heard(Calling::Text, sample).0;
        if names(&speech) == expected {
            read += 1;
        } else {
            lost.push(sample);
        }
    }
    let share = 100 * read / SAMPLES.len();
    println!(
        "malformed calls: {read} of {} read ({share} %); not: {lost:#?}",
        SAMPLES.len()
    );
    assert!(tools().iter().any(|tool| tool.name == "find_in_page"));
    assert!(read >= 65, "only {read} read; not: {lost:#?}");
}
