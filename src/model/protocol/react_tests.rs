//! Calls and answers as `ReAct` has them, in any pieces.

use super::Speech;
use super::tests::{heard_of, names, tools};
use crate::model::{Calling, Tools};
use crate::phrase::Said;
use serde_json::json;

/// Heard whole and in pieces of some sizes: alike.
fn heard(calling: Calling, reply: &str) -> (Speech, String) {
    let known = || Tools::Offered(tools());
    let whole = heard_of(calling, known(), &[reply]);
    for size in [1, 3, 16] {
        let letters: Vec<char> = reply.chars().collect();
        let pieces = letters.chunks(size).map(|piece| piece.iter().collect());
        let pieces: Vec<String> = pieces.collect();
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        assert_eq!(
            heard_of(calling, known(), &pieces),
            whole,
            "{size}: {reply}"
        );
    }
    whole
}

fn thought(speech: &Speech) -> Option<&str> {
    match speech.control.thought.as_ref() {
        Some(Said::Words(words)) => Some(words),
        _ => None,
    }
}

#[test]
fn a_thought_and_its_action_are_a_call_that_nobody_sees() {
    let call = [("find_in_page".to_owned(), json!({ "query": "tide" }))];
    for (reply, why, shown) in [
        (
            "Thought: I look it up.\nIt takes one call.\nAction: find_in_page\nAction Input: {\"query\": \"tide\"}",
            Some("I look it up.\nIt takes one call."),
            "",
        ),
        (
            "<gloss>{\"goal_met\": false}</gloss>\nThought: Look.\n\nAction: find_in_page(query='tide')\n",
            Some("Look."),
            "",
        ),
        (
            "Thought: Look.\n<tool_call>{\"name\": \"find_in_page\", \"arguments\": {\"query\": \"tide\"}}</tool_call>",
            Some("Look."),
            "",
        ),
        (
            "Let me see.\n\n**Action:** find_in_page\n**Action Input:** {\"query\": \"tide\"}\n**Observation:** Two.\n\nFinal Answer: Three.",
            None,
            "Let me see.\n\n",
        ),
    ] {
        for calling in [Calling::Text, Calling::Native] {
            let (speech, seen) = heard(calling, reply);
            assert_eq!(names(&speech), call, "{calling:?}: {reply}");
            assert_eq!(
                (thought(&speech), seen.as_str()),
                (why, shown),
                "{calling:?}"
            );
            assert_eq!(speech.malformed, None, "{reply}");
        }
    }
    let two = "Action: find_in_page\nAction Input: {\"query\": \"tide\"}\nAction: web_search\nAction Input: tides\nObservation: x";
    let (speech, _) = heard(Calling::Text, two);
    let searched = ("web_search".to_owned(), json!({ "query": "tides" }));
    assert_eq!(names(&speech), [call[0].clone(), searched]);
    let (speech, _) = heard(Calling::Text, "Thought: Look.\nAction: web_search");
    assert_eq!(names(&speech), [("web_search".to_owned(), json!({}))]);
}

#[test]
fn what_stands_behind_final_answer_is_the_answer_and_streams() {
    for (reply, why, answer) in [
        (
            "Thought: I know it.\nFinal Answer: Two tides\na day.",
            Some("I know it."),
            "Two tides\na day.",
        ),
        ("Final Answer: Two.", None, "Two."),
        (
            "**Thought:** So.\n\n**Final Answer:** Two.",
            Some("So."),
            "Two.",
        ),
        (
            "Thought: So.\nAction: {\"action\": \"Final Answer\", \"action_input\": \"Two.\"}",
            Some("So."),
            "Two.",
        ),
    ] {
        for calling in [Calling::Text, Calling::Native] {
            let (speech, shown) = heard(calling, reply);
            assert_eq!((shown.as_str(), speech.text.as_str()), (answer, answer));
            assert_eq!(thought(&speech), why, "{reply}");
            assert_eq!((names(&speech).len(), speech.malformed), (0, None));
        }
    }
    let mut shown = Vec::new();
    let mut listener = super::Listener::new(Calling::Text, tools().into());
    for piece in ["Thought: So.\nFinal Ans", "wer: Two", " tides", " a day."] {
        listener.push(piece, |text| shown.push(text.to_owned()));
    }
    assert_eq!(shown, ["Two", " tides", " a day."]);
}

#[test]
fn words_that_begin_so_are_the_answer_s() {
    for reply in [
        "Action: the film has a lot of it.",
        "Notes:\nAction: find_in_page is what I would use.",
        "Notes:\nAction: call the harbour.\nAction Input: none.",
        "Thought: is it so? Perhaps.",
        "Thought: is it so?\n\nYes, and the tide shows it.\n\nAction: none",
        "Actions speak.\nThoughts do not.\nFinal Answer is what they call it.",
        "Action: find_in_page(query) looks the page through.",
        "Action: find_in_page\nis a tool.",
        "Observation: two tides.\nFinal Answer: of a model.",
        "So:\n```text\nThought: x\nAction: find_in_page\nAction Input: {}\n```\nThat is all.",
        "The last line.\nAction: unheard_of\nAction Input: {\"query\": \"tide\"}",
        "*Thought*",
        "**",
        "Action:",
    ] {
        for calling in [Calling::Text, Calling::Native] {
            let (speech, shown) = heard(calling, reply);
            assert_eq!((shown.as_str(), speech.text.as_str()), (reply, reply));
            assert_eq!((names(&speech).len(), speech.malformed), (0, None));
        }
    }
    // What follows a thought that was none is shown as it comes.
    let mut shown = String::new();
    let mut listener = super::Listener::new(Calling::Text, tools().into());
    listener.push("Thought: is it so?\n\nYes", |text| shown.push_str(text));
    assert_eq!(shown, "Thought: is it so?\n\nYes");
}

#[test]
fn an_action_that_cannot_be_read_is_asked_for_again() {
    for reply in [
        "Thought: So.\nAction: find_in_page\nAction Input: {\"query\": \"tide",
        "Action: find_in_page(\"tide\")",
    ] {
        let (speech, shown) = heard(Calling::Text, reply);
        assert_eq!((names(&speech).len(), shown.as_str()), (0, ""), "{reply}");
        assert!(speech.malformed.is_some(), "{reply}");
    }
}

#[test]
fn a_long_thought_is_looked_at_a_bounded_number_of_times() {
    for line in ["Thought: and so on. ", "Action: x\n", "Thought: x\n", "*"] {
        let reply = format!("Thought: {}", line.repeat(20_000));
        let mut listener = super::Listener::new(Calling::Text, tools().into());
        for piece in reply.as_bytes().chunks(7) {
            listener.push(&String::from_utf8_lossy(piece), |_| ());
        }
        assert_eq!(listener.finish(|_| ()).text, reply);
    }
}
