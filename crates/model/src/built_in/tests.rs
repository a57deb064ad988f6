//! Tests of the browser's model. The simulated browser sends the replies of a script.

use super::*;
use crate::phrase::DisplayText as Words;
use crate::{Image, Message, Part, Purpose, Role, Schema, ToolCall, ToolDefinition};
use gloss_host::{Prompt, PromptRole, Sampling};
use gloss_host_sim::{ScriptedAnswer, Sim};
use serde_json::json;

fn tools() -> Rc<[ToolDefinition]> {
    Rc::new([ToolDefinition {
        name: "find_in_page".to_owned(),
        description: "Finds passages.".to_owned(),
        parameters: json!({ "type": "object", "properties": { "query": { "type": "string" } } }),
        examples: Vec::new(),
    }])
}

fn request(messages: impl IntoIterator<Item = Message>) -> Request {
    let mut transcript = crate::Transcript::default();
    messages.into_iter().for_each(|it| transcript.push(it));
    Request {
        purpose: Purpose::Reason,
        transcript,
        tools: tools().into(),
        temperature: 0.7,
        page: None,
        schema: None,
        task: String::new(),
        state: String::new(),
        language: crate::Language::English,
    }
}

fn asked() -> Request {
    request([Message::text(Role::User, "How many tides?")])
}

/// The reply of one call, and the text that was shown to the user before the call ended.
fn ask(sim: &Sim, request: &Request) -> (Result<Reply, ModelError>, String) {
    let host = sim.host();
    let model = BuiltInModel {
        built_in: host.built_in,
        clock: host.clock,
    };
    let mut shown = String::new();
    let reply = sim
        .life(u64::MAX, model.ask(request, |text| shown.push_str(text)))
        .unwrap();
    assert_eq!(sim.open_sessions(), 0, "a session stays");
    (reply, shown)
}

fn answers(
    recital: &ScriptedAnswer,
    request: &Request,
) -> (Result<Reply, ModelError>, String, Prompt) {
    let sim = Sim::new(1);
    let recital = recital.clone();
    sim.recite(move |_, _| recital.clone());
    let (reply, shown) = ask(&sim, request);
    (reply, shown, sim.prompts().remove(0))
}

fn fault(recital: &ScriptedAnswer) -> Fault {
    match answers(recital, &asked()).0 {
        Err(ModelError::Server { server, fault, .. }) => {
            assert_eq!(
                (server.name.as_str(), server.origin.as_str()),
                ("Chrome", "")
            );
            fault
        }
        other => panic!("no fault: {other:?}"),
    }
}

#[test]
fn an_answer_streams_and_its_tokens_are_the_browsers() {
    let words = ["<gloss>{\"confid", "ence\": 0.9}</gl", "oss>Two ", "a day."];
    let (reply, shown, prompt) = answers(&ScriptedAnswer::of(words).whole(812, 21), &asked());
    let reply = reply.unwrap();
    assert_eq!(reply.text, "Two a day.");
    assert_eq!(shown, reply.text);
    assert_eq!(reply.control.confidence, Some(0.9));
    assert_eq!(
        (reply.usage.input_tokens, reply.usage.output_tokens),
        (812, 21)
    );
    assert_eq!(prompt.sampling, Sampling::Usual);
    assert_eq!(prompt.schema, None);
}

#[test]
fn tokens_that_the_browser_does_not_count_are_estimated() {
    let sim = Sim::new(1);
    sim.recite(|_, _| ScriptedAnswer::of(["Two a day."]).whole(0, 0));
    let reply = ask(&sim, &asked()).0.unwrap();
    let told = sim.prompts().remove(0);
    let estimate = gloss_text::tokens::estimate;
    assert_eq!(reply.usage.input_tokens, estimate(&prompt::words(&told)));
    assert_eq!(reply.usage.output_tokens, estimate("Two a day."));
}

#[test]
fn a_tool_is_called_in_words_of_which_nobody_sees_one() {
    let call = "```json\n{\"tool_calls\": [{\"id\": \"a\", \"name\": \"find_in_page\", \
                \"arguments\": {\"query\": \"tides\"}, \"reasoning\": \"The page may say.\"}]}\n```";
    let (reply, shown, prompt) = answers(&ScriptedAnswer::of([call]).whole(9, 9), &asked());
    let reply = reply.unwrap();
    assert_eq!((reply.text.as_str(), shown.as_str()), ("", ""));
    assert_eq!(reply.calls[0].arguments, json!({ "query": "tides" }));
    let system = &prompt.messages[0];
    assert_eq!(system.role, PromptRole::System);
    assert!(system.text.contains("find_in_page: Finds passages."));
}

#[test]
fn a_transcript_is_turns_the_last_of_them_the_persons() {
    let calls = Message {
        role: Role::Assistant,
        parts: vec![Part::Call {
            call: ToolCall {
                id: "a".to_owned(),
                name: "find_in_page".to_owned(),
                arguments: json!({ "query": "tides" }),
                reasoning: Some(Words::words("The page may say.")),
                after: None,
            },
        }],
    };
    let results = Message {
        role: Role::Tool,
        parts: vec![Part::Result {
            call: "a".to_owned(),
            tool: "find_in_page".to_owned(),
            outcome: Ok(json!("Two.")),
        }],
    };
    let mut request = request([
        Message::text(Role::System, "You are Gloss."),
        Message::text(Role::User, "How many tides?"),
        calls,
        results,
    ]);
    request.temperature = 0.0;
    request.schema = Some(Rc::new(Schema {
        name: "grade".to_owned(),
        schema: json!({ "type": "object" }),
    }));
    let told = prompt::of(&request);
    let roles: Vec<PromptRole> = told.messages.iter().map(|it| it.role).collect();
    assert_eq!(
        roles,
        [
            PromptRole::System,
            PromptRole::User,
            PromptRole::Assistant,
            PromptRole::User
        ]
    );
    assert!(told.messages[0].text.starts_with("You are Gloss.\n\n"));
    assert!(told.messages[2].text.contains("\"find_in_page\""));
    assert!(
        told.messages[3]
            .text
            .starts_with("<tool_result tool=\"find_in_page\"")
    );
    assert_eq!(told.schema, Some(json!({ "type": "object" })));
    assert_eq!(told.sampling, Sampling::MostPredictable);
}

#[test]
fn a_thought_of_its_own_is_no_last_word_and_pictures_go_with_their_words() {
    let shown = Message {
        role: Role::User,
        parts: vec![
            Part::Text {
                text: "What is this?".to_owned(),
            },
            Part::Image {
                image: Image {
                    media_type: "image/png".to_owned(),
                    base64: "AAAA".to_owned(),
                },
            },
        ],
    };
    let told = prompt::of(&request([
        shown,
        Message::text(Role::Assistant, "It is to be looked at."),
    ]));
    let last = told.messages.last().unwrap();
    assert_eq!(last.role, PromptRole::User);
    assert!(last.text.contains("Go on."));
    let image = ("image/png".to_owned(), "AAAA".to_owned());
    assert_eq!(told.messages[1].images, [image]);
}

#[test]
fn whatever_it_refuses_is_a_fault_that_says_what_to_do() {
    let message = || "Words of the browser.".to_owned();
    let said = || Some(message());
    let cases = [
        (BuiltInError::Unavailable, Fault::Unavailable),
        (BuiltInError::Downloadable, Fault::DownloadNeeded),
        (BuiltInError::Downloading, Fault::Downloading),
        (
            BuiltInError::TooLong { message: message() },
            Fault::ContextTooLong { said: said() },
        ),
        (
            BuiltInError::Refused { message: message() },
            Fault::Rejected {
                status: None,
                said: said(),
            },
        ),
        (
            BuiltInError::Failed { message: message() },
            Fault::Failing {
                status: None,
                retry_after_ms: None,
                said: said(),
            },
        ),
        (BuiltInError::Cut, Fault::Cut),
    ];
    for (error, expected) in cases {
        let retried = matches!(expected, Fault::Failing { .. } | Fault::Cut);
        let found = fault(&ScriptedAnswer::default().fail(error));
        assert_eq!(found, expected);
        assert_eq!(found.is_retryable(), retried, "{found}");
    }
    // Without a script, the simulated browser has no model.
    let (reply, _) = ask(&Sim::new(1), &asked());
    assert!(matches!(
        reply,
        Err(ModelError::Server {
            fault: Fault::Unavailable,
            ..
        })
    ));
}

#[test]
fn an_answer_that_breaks_off_is_a_cut_and_keeps_what_was_shown() {
    let (reply, shown, _) = answers(&ScriptedAnswer::of(["Two a", " day"]), &asked());
    let error = reply.unwrap_err();
    assert_eq!(
        (error.partial(), shown.as_str()),
        ("Two a day", "Two a day")
    );
    assert!(matches!(
        error,
        ModelError::Server {
            fault: Fault::Cut,
            ..
        }
    ));
}

#[test]
fn silence_has_a_limit_and_loading_a_longer_one() {
    let slow = ScriptedAnswer::default()
        .wait(FIRST_WORD_MS / 2)
        .say("Two.");
    let (reply, ..) = answers(&slow.clone().wait(NEXT_WORD_MS / 2).whole(1, 1), &asked());
    assert_eq!(reply.unwrap().text, "Two.");
    assert_eq!(
        fault(&slow.wait(NEXT_WORD_MS + 1).whole(1, 1)),
        Fault::TimedOut {
            awaited: Awaited::NextWord,
            after_ms: NEXT_WORD_MS
        }
    );
    assert_eq!(
        fault(&ScriptedAnswer::default().wait(FIRST_WORD_MS + 1)),
        Fault::TimedOut {
            awaited: Awaited::FirstWord,
            after_ms: FIRST_WORD_MS
        }
    );
}

#[test]
fn a_call_that_is_dropped_anywhere_leaves_no_session() {
    let mut abandoned = 0;
    for kill_at in 0..12 {
        let sim = Sim::new(3);
        sim.recite(|_, _| {
            ScriptedAnswer::of(["Two ", "a ", "day."])
                .wait(1_000)
                .whole(1, 1)
        });
        let host = sim.host();
        let model = BuiltInModel {
            built_in: host.built_in,
            clock: host.clock,
        };
        let request = asked();
        let ended = sim.life(kill_at, model.ask(&request, |_| ()));
        assert_eq!(sim.open_sessions(), 0, "killed at {kill_at}");
        abandoned += sim.abandoned_sessions();
        assert!(ended.is_none_or(|reply| reply.is_ok()));
    }
    assert!(abandoned > 2, "no kill fell into an answer: {abandoned}");
}
