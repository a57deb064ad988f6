use super::*;
use futures::FutureExt;
use gloss_durable::{Key, Path, RunId};
use gloss_host_sim::Sim;
use gloss_model::{ContextWindow, EMBEDDED_TOOLS, PassageData, PassagesData, ToolCall};
use gloss_page as page;
use gloss_reader::PageService;
use gloss_reader::retrieval::words_only;
use serde::Deserialize;
use serde_json::{Value, json};
use std::rc::Rc;

/// All tools; the page service has no sentence model.
fn every() -> Rc<[Rc<dyn ToolDyn>]> {
    all(&Sim::new(1).host(), &PageService::in_process(words_only()))
}

/// The result of a tool that finishes without waiting.
fn run(tool: &str, arguments: Value, html: &str) -> Result<Output, ToolError> {
    let document = page::read(html, "https://a.example/").unwrap();
    let toolbox = Toolbox::new(every(), Some(Rc::new(document)), ContextWindow::of(None));
    let call = ToolCall {
        id: "1".to_owned(),
        name: tool.to_owned(),
        arguments,
        reasoning: None,
        after: None,
    };
    let key = Key {
        run: RunId("run".to_owned()),
        path: Path::root(),
    };
    toolbox
        .run(
            &call,
            &key,
            (ConsentState::MayBeAsked, crate::Approval::NotAsked),
            RoleModels::default(),
        )
        .now_or_never()
        .unwrap()
}

fn passages(output: &Output) -> Vec<PassageData> {
    PassagesData::deserialize(&output.data).unwrap().passages
}

fn texts(tool: &str, arguments: Value, html: &str) -> Vec<String> {
    let output = run(tool, arguments, html).unwrap();
    passages(&output).into_iter().map(|p| p.text).collect()
}

/// A page of about 90 000 tokens.
fn long_page() -> String {
    let paragraph = |n: u32| {
        format!(
            "<p>Section {n} tells of harbour {n}, of its tide tables and of the ships that \
             called there in the year {}. {}</p>",
            1500 + n,
            "The masters paid their dues in silver and left again with the ebb. ".repeat(8)
        )
    };
    let body: String = (0..600).map(paragraph).collect();
    format!("<title>Harbours</title><article>{body}</article>")
}

const TIDES: &str = "<title>Tides</title><article>\
    <p>Old maps show the neap tide as a dotted line. Sailors feared it.</p>\
    <p>Later the neap tide was measured in the harbour by hand. Nobody knows why.</p>\
    <p>The neap tide is a tide just after the first or third quarter of the moon.</p>\
    <p>At Brest the neap tide comes\n   a day and a half late. The pilots know.</p>\
    <p>In Dover the neap tide is seldom mentioned by the fishermen of the town.</p>\
    <p>Books on the neap tide fill a shelf of the library in the old town hall.</p>\
    </article>";

#[test]
fn a_tool_is_told_of_under_the_name_it_is_called_by() {
    for tool in every().iter() {
        assert_eq!(tool.definition().name, tool.properties().name);
    }
}

#[test]
fn each_description_says_when_to_use_a_tool_and_when_not() {
    for tool in every().iter() {
        let said = tool.definition().description;
        let when = ["Use when ", "Use for ", "Use where "];
        let is_said = |said: &str| when.iter().any(|words| said.contains(words));
        assert!(is_said(&said), "{}: {said}", tool.properties().name);
        assert!(
            said.contains("Don't use "),
            "{}: {said}",
            tool.properties().name
        );
    }
}

/// The error of a call that fails immediately.
fn error_of(toolbox: &Toolbox, name: &str, arguments: Value) -> ToolError {
    let call = ToolCall {
        id: "1".to_owned(),
        name: name.to_owned(),
        arguments,
        reasoning: None,
        after: None,
    };
    let key = Key {
        run: RunId("run".to_owned()),
        path: Path::root(),
    };
    let work = toolbox.run(
        &call,
        &key,
        (ConsentState::MayBeAsked, crate::Approval::NotAsked),
        RoleModels::default(),
    );
    work.now_or_never().unwrap().unwrap_err()
}

#[test]
fn only_tools_that_are_offered_are_named_to_who_called_another() {
    let unknown = |toolbox: &Toolbox| match error_of(toolbox, "recall_detail", json!({})) {
        ToolError::Unknown { known, .. } => known,
        other => panic!("{other}"),
    };
    // The run has no page, no search provider and no earlier result, so these tools are not
    // offered.
    let toolbox = Toolbox::new(every(), None, ContextWindow::of(None));
    let known = unknown(&toolbox);
    let offered = toolbox.definitions();
    assert_eq!(known.len(), 2);
    for name in known {
        assert!(offered.iter().any(|tool| tool.name == name), "{name}");
    }
}

#[test]
fn the_on_device_model_calls_the_page_tools_by_their_names() {
    let names = [
        explain_text_with_context::NAME,
        summarize_page_content::NAME,
        find_in_page::NAME,
    ];
    assert_eq!(EMBEDDED_TOOLS, names);
}

#[test]
fn only_a_summary_stands_for_a_share_of_the_page() {
    for (tool, arguments, share) in [
        ("summarize_page_content", json!({}), Some(100)),
        ("find_in_page", json!({ "query": "Brest" }), None),
        ("find_in_page", json!({ "query": "volcano" }), None),
        (
            "explain_text_with_context",
            json!({ "text": "neap tide" }),
            None,
        ),
    ] {
        let output = run(tool, arguments, TIDES).unwrap();
        assert_eq!(output.share_percent, share, "{tool}");
        assert_eq!(
            output.data.get("share_percent").and_then(Value::as_u64),
            share.map(u64::from),
            "{tool}"
        );
    }
}

#[test]
fn more_detail_is_more_of_a_long_page() {
    let page = long_page();
    let share = |detail: &str| {
        let output = run("summarize_page_content", json!({ "detail": detail }), &page);
        output.unwrap().share_percent.unwrap()
    };
    let (brief, normal, detailed) = (share("brief"), share("normal"), share("detailed"));
    assert!(0 < brief && brief < normal && normal < detailed && detailed < 100);
}

#[test]
fn a_plainer_explanation_has_fewer_sentences() {
    let count = |level: &str| {
        let arguments = json!({ "text": "neap tide", "level": level });
        texts("explain_text_with_context", arguments, TIDES).len()
    };
    assert_eq!(
        (count("simple"), count("normal"), count("expert")),
        (4, 6, 6)
    );
}

#[test]
fn what_stands_in_the_context_comes_first_among_equals() {
    let explain = |context: Option<&str>| {
        let arguments = json!({ "text": "neap tide", "context": context });
        texts("explain_text_with_context", arguments, TIDES)
    };
    let (plain, in_brest) = (
        explain(None),
        explain(Some(
            "At Brest the neap tide comes a day\nand a half late. The pilots know.",
        )),
    );
    // One sentence is a definition. After it comes the first use of the term.
    assert!(plain[1].starts_with("Old maps"), "{plain:?}");
    assert_eq!(plain[..1], in_brest[..1]);
    assert!(in_brest[1].starts_with("At Brest"), "{in_brest:?}");
}

#[test]
fn an_argument_that_is_no_choice_is_named() {
    for (tool, arguments, field) in [
        (
            "summarize_page_content",
            json!({ "detail": "full" }),
            "detail",
        ),
        (
            "explain_text_with_context",
            json!({ "text": "a", "level": 3 }),
            "level",
        ),
        (
            "explain_text_with_context",
            json!({ "text": "a", "context": 3 }),
            "context",
        ),
        ("find_in_page", json!({ "query": " " }), "query"),
    ] {
        match run(tool, arguments, TIDES) {
            Err(ToolError::Invalid { field: named, .. }) => assert_eq!(named, field),
            other => panic!("{tool}: {other:?}"),
        }
    }
}

#[test]
fn a_model_with_a_small_window_is_given_less_of_a_page_and_fewer_tools() {
    let document = Rc::new(page::read(&long_page(), "https://a.example/").unwrap());
    let given = |window: Option<u32>| {
        let toolbox = Toolbox::new(every(), Some(document.clone()), ContextWindow::of(window));
        let call = ToolCall {
            id: "1".to_owned(),
            name: summarize_page_content::NAME.to_owned(),
            arguments: json!({}),
            reasoning: None,
            after: None,
        };
        let key = Key {
            run: RunId("run".to_owned()),
            path: Path::root(),
        };
        let output = toolbox
            .run(
                &call,
                &key,
                (ConsentState::MayBeAsked, crate::Approval::NotAsked),
                RoleModels::default(),
            )
            .now_or_never()
            .unwrap()
            .unwrap();
        let words = passages(&output).into_iter().map(|passage| passage.text);
        let tokens: u32 = words.map(|text| gloss_text::tokens::estimate(&text)).sum();
        (tokens, toolbox.definitions().len())
    };
    for (window, most, tools) in [
        (None, 12_000, 5),
        (Some(128_000), 12_000, 5),
        (Some(8_192), 3_276, 5),
        (Some(2_048), 1_228, 3),
    ] {
        let (tokens, offered) = given(window);
        assert!(tokens <= most && tokens > most / 2, "{window:?}: {tokens}");
        assert_eq!(offered, tools, "{window:?}");
    }
}

#[test]
fn a_summary_says_in_which_language_it_was_asked_for() {
    let html = "<title>Tides</title><article><p>The tide rises twice a day.</p></article>";
    let given = |arguments| run("summarize_page_content", arguments, html).unwrap().data;
    let asked = given(json!({ "detail": "brief", "language": "French" }));
    assert_eq!(asked["summarizeIn"], "French");
    assert_eq!(given(json!({})).get("summarizeIn"), None);
}

/// Providers reject a whole request if an array has no type for its items, or an object has no
/// fields. The same holds if such a type is one of several, because of its conversion for Gemini.
fn is_taken(place: &str, schema: &Value) {
    match &schema["type"] {
        Value::Array(kinds) => {
            let flat = |kind: &Value| kind != "array" && kind != "object";
            assert!(kinds.iter().all(flat), "{place}");
        }
        kind if kind == "array" => assert!(schema["items"].is_object(), "{place}"),
        kind if kind == "object" => {
            let fields = schema["properties"].as_object();
            assert!(fields.is_some_and(|it| !it.is_empty()), "{place}");
        }
        _ => {}
    }
    let fields = schema["properties"].as_object().into_iter().flatten();
    for (name, field) in fields {
        is_taken(&format!("{place}.{name}"), field);
    }
    let parts = schema["anyOf"].as_array().into_iter().flatten();
    for part in parts.chain(schema.get("items")) {
        is_taken(&format!("{place}[]"), part);
    }
}

#[test]
fn every_tool_is_told_of_in_the_form_that_providers_take() {
    for tool in every().iter() {
        is_taken(tool.properties().name, &tool.definition().parameters);
    }
}
