//! Properties that hold for the context of any run.

use super::*;
use gloss_model::{Language, PassageData, Role, Source, ToolCall};
use gloss_text::tokens::estimate;
use quickcheck::{Arbitrary, Gen, quickcheck};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const GOAL: &str = "Compare the tides of Brest and Saint-Malo. 比较两地的潮汐。";

/// A step of a test run: the results of its calls, and its conclusion.
#[derive(Debug, Clone)]
struct TestStep {
    gave: Vec<Result<Value, String>>,
    said: String,
    asked: Option<String>,
}

/// A test run: the turns before it, and its steps.
#[derive(Debug, Clone)]
struct TestRun {
    before: Vec<(String, String)>,
    steps: Vec<TestStep>,
}

fn words(g: &mut Gen, most: usize) -> String {
    let from = [
        "tide",
        "Brest",
        "[[p14.2]]",
        "潮汐",
        "大潮",
        "7.3 m",
        "the",
        "harbour.",
        "\n",
        "\"<b>\"",
        "rises",
    ];
    let count = usize::arbitrary(g) % most;
    let words = (0..count).map(|_| *g.choose(&from).unwrap());
    words.collect::<Vec<_>>().join(" ")
}

fn gave(g: &mut Gen) -> Result<Value, String> {
    let most = *g.choose(&[2, 40, 4_000]).unwrap();
    match u8::arbitrary(g) % 5 {
        0 => Err(words(g, 40)),
        4 => Ok(fetched(g)),
        1 => Ok(json!({ "title": words(g, 10), "rows": [[1, 2.5, words(g, most)], null, true] })),
        2 => Ok(words(g, most).into()),
        _ => Ok(json!({ "passages": (0..u8::arbitrary(g) % 30)
            .map(|n| json!({ "id": format!("p{n}"), "text": words(g, most / 10 + 2) }))
            .collect::<Vec<_>>() })),
    }
}

/// Random web pages, in the form in which `web_fetch` returns them.
fn fetched(g: &mut Gen) -> Value {
    let pages = (1..=u8::arbitrary(g) % 4).map(|page| {
        let passages = (0..u8::arbitrary(g) % 20)
            .map(|n| json!({ "id": format!("w1a{page}.p{n}"), "text": words(g, 60) }));
        let passages = passages.collect::<Vec<_>>();
        let path = "x".repeat(usize::from(u8::arbitrary(g)) * 4);
        json!({
            "id": format!("w1a{page}"),
            "url": format!("https://a.example/{page}/{path}"),
            "title": words(g, 60),
            "passages": passages,
        })
    });
    json!({ "pages": pages.collect::<Vec<_>>(), "errors": [], "fetchedCount": 3 })
}

impl Arbitrary for TestStep {
    fn arbitrary(g: &mut Gen) -> Self {
        Self {
            gave: (0..u8::arbitrary(g) % 4).map(|_| gave(g)).collect(),
            said: words(g, 60),
            asked: bool::arbitrary(g).then(|| words(g, 20)),
        }
    }
}

impl Arbitrary for TestRun {
    fn arbitrary(g: &mut Gen) -> Self {
        let turns = u8::arbitrary(g) % 6;
        let steps = u8::arbitrary(g) % 12;
        Self {
            before: (0..turns).map(|_| (words(g, 30), words(g, 300))).collect(),
            steps: (0..steps).map(|_| TestStep::arbitrary(g)).collect(),
        }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let (before, steps) = (self.before.clone(), self.steps.clone());
        let fewer = steps.shrink().map(move |steps| Self {
            before: before.clone(),
            steps,
        });
        Box::new(fewer)
    }
}

impl TestRun {
    fn context(&self) -> Context {
        let mut context = Context::default();
        context.push_fixed(Message::text(Role::System, "You read pages."));
        for (turn, (asked, answered)) in self.before.iter().enumerate() {
            context.push_earlier(turn as u32, Message::text(Role::User, asked.clone()));
            context.push_earlier(
                turn as u32,
                Message::text(Role::Assistant, answered.clone()),
            );
        }
        context.push_fixed(Message::text(Role::User, GOAL));
        for (step, did) in self.steps.iter().enumerate() {
            work(&mut context, step as u32 + 1, did);
        }
        context
    }
}

fn work(context: &mut Context, step: u32, did: &TestStep) {
    if let Some(asked) = &did.asked {
        context.push_fixed(Message::text(Role::User, asked.clone()));
    }
    if !did.gave.is_empty() {
        let calls = did.gave.iter().enumerate().map(|(n, _)| Part::Call {
            call: ToolCall {
                id: format!("{step}.{n}"),
                name: "look".to_owned(),
                arguments: json!({ "query": "tide" }),
                reasoning: None,
                after: None,
            },
        });
        let role = Role::Assistant;
        context.push_step(
            step,
            Message {
                role,
                parts: calls.collect(),
            },
        );
        let results = did.gave.iter().enumerate().map(|(n, gave)| Part::Result {
            call: format!("{step}.{n}"),
            tool: "look".to_owned(),
            outcome: gave.clone(),
        });
        let role = Role::Tool;
        context.push_step(
            step,
            Message {
                role,
                parts: results.collect(),
            },
        );
    }
    context.push_step(step, Message::text(Role::Assistant, did.said.clone()));
}

/// Asserts that every call is followed by its result, and every result is preceded by its call.
fn is_paired(context: &Context) -> bool {
    let mut open = BTreeSet::new();
    let parts = context.transcript().messages().flat_map(|it| &it.parts);
    for part in parts {
        match part {
            Part::Call { call } => assert!(open.insert(call.id.clone())),
            Part::Result { call, .. } if !open.remove(call) => return false,
            _ => {}
        }
    }
    open.is_empty()
}

/// The messages of the user and the system messages of this run.
fn fixed(context: &Context) -> Vec<Message> {
    let is_said = |message: &&Message| match message.parts.as_slice() {
        [Part::Quoted { source, .. }] => *source != Source::Earlier,
        _ => matches!(message.role, Role::System | Role::User),
    };
    let said = context.transcript().messages().filter(is_said);
    said.cloned().collect()
}

fn is_consistent(context: &Context) -> bool {
    let mut told = Transcript::default();
    for message in context.transcript().messages() {
        told.push(message.clone());
    }
    for piece in &context.pieces {
        for (part, gave) in piece.results() {
            let Some(Part::Result {
                outcome: Ok(value), ..
            }) = piece.message.parts.get(part)
            else {
                return false;
            };
            assert_eq!(
                gave.tokens,
                estimate(&value.to_string()),
                "counted once, and right"
            );
        }
    }
    let of_pieces: u32 = context.pieces.iter().map(|piece| piece.tokens).sum();
    told.digest() == context.transcript().digest() && of_pieces == context.tokens()
}

fn shorten_all(context: &mut Context, large: Vec<LargeResult>) {
    let short = large.into_iter().map(|large| {
        let short = compress_without_model(&large);
        (large, short)
    });
    let short = short.collect();
    context.shorten(short);
}

quickcheck! {
    /// A large result is shortened to less than 500 tokens, with an id by which it can be recalled.
    fn a_large_result_is_short_and_can_be_recalled(ran: TestRun) -> bool {
        let mut context = ran.context();
        let large = context.largest();
        let all = large.clone();
        shorten_all(&mut context, large);
        let short = all.iter().all(|large| {
            let recalled = context.results().get(&large.id).map(|kept| kept.value.clone());
            estimate(&compress_without_model(large).to_string()) < 500
                && recalled.as_ref() == Some(&large.value)
        });
        short && context.largest().is_empty() && is_paired(&context) && is_consistent(&context)
    }

    /// After earlier turns are shortened and steps folded, each call still has its result. The
    /// user's messages of this run are unchanged, and every result can be recalled.
    fn folding_parts_nothing(ran: TestRun, history: u16, keep: u8) -> bool {
        let mut context = ran.context();
        let results: u32 = context.result_count;
        context.trim_history(history.into());
        let before = context.pieces.iter().filter(|it| matches!(it.what, MessageKind::Before(_)));
        let said_before: u32 = before.map(|it| it.tokens).sum();
        let whole = fixed(&ran_without_history(&ran));
        let steps = ran.steps.len() as u32;
        context.fold_steps_before((steps + 1).saturating_sub(u32::from(keep % 5)));
        let folded = (1..=steps).filter(|step| context.oldest_before(step + 1).is_none_or(|it| it > *step));
        let lines = context.old();
        let told = folded.clone().all(|step| lines.iter().any(|line| line.starts_with(&format!("Step {step}:"))));
        let said = fixed(&context);
        said_before <= u32::from(history)
            && whole.iter().all(|message| said.contains(message))
            && (u32::from(keep % 5) > 0 || context.results().ids().count() as u32 == results)
            && told
            && is_paired(&context)
            && is_consistent(&context)
    }

    /// Feature: agent-architecture-upgrade, Property 10: a compaction makes the context at least 20 %
    /// smaller, or is not done.
    fn compaction_saves_a_fifth(ran: TestRun, text: String) -> bool {
        let mut context = ran.context();
        context.fold_steps_before(ran.steps.len() as u32 + 1);
        let before = context.tokens();
        let by_model = context.compacted(&text);
        let old = context.old_tokens();
        let room = old.saturating_sub(before / 5 + 30);
        let by_itself = context.compacted(&compaction::mechanical(&context.old(), room, Language::English));
        let saves = |it: &Context| u64::from(it.tokens()) * 5 <= u64::from(before) * 4;
        by_model.as_ref().is_none_or(saves)
            && by_itself.as_ref().is_none_or(saves)
            // If most of the context is old, a fifth of the context can always be saved.
            && (old < before / 2 || old < 200 || by_itself.is_some())
            && by_itself.iter().chain(&by_model).all(is_consistent)
    }

    /// Earlier turns that were shortened fit their number of tokens. A part of the newest one
    /// stays. If there is enough space, a short message of that turn stays whole.
    fn the_newest_turn_stays(ran: TestRun, history: u16) -> bool {
        let history = history % 1_024;
        let mut context = ran.context();
        let newest: Vec<(u32, Rc<Message>)> = of_newest_turn(&context);
        context.trim_history(history.into());
        let kept = of_newest_turn(&context);
        let half = u32::from(history) / 2;
        let stays = newest.iter().all(|(tokens, message)| {
            *tokens > half || kept.iter().any(|(_, it)| it == message)
        });
        let cost: u32 = kept.iter().map(|(tokens, _)| tokens).sum();
        is_consistent(&context)
            && cost <= u32::from(history)
            && (history < 200 || (stays && kept.len() == newest.len()))
    }

    /// The user's messages of this run are unchanged after a compaction. Finished subtasks and
    /// decisions take at most a quarter of the window. `agent::tests::kept` tests the same for a
    /// whole run.
    fn the_persons_words_survive_a_compaction(ran: TestRun, said: Vec<String>, window: u16) -> bool {
        let mut grounding = Grounding::default();
        let (completed, decisions) = said.split_at(said.len() / 2);
        grounding.add(completed, decisions, window.into());
        let mut context = ran.context();
        let goal = fixed(&ran_without_history(&ran));
        context.fold_steps_before(ran.steps.len() as u32 + 1);
        context.rewrite(compaction::mechanical(&context.old(), 50, Language::English));
        let again = context.compacted("Nothing.").unwrap_or(context);
        let said = fixed(&again);
        goal.iter().all(|message| said.contains(message))
            && grounding.tokens() <= u32::from(window) / 4
    }

    /// No id is lost in a compaction. A model's summary gets the ids that it omitted. The
    /// mechanical summary contains all ids if there is space for one range.
    fn no_id_is_lost(steps: u8, said: String) -> bool {
        let steps = u32::from(steps) + 1;
        let line = |n| format!(
            "Step {n}: look {{\"query\":\"tides of the sea [t{n}]\"}} gave [r{n}]. Of [m{n}]. {said}"
        );
        let lines: Vec<String> = (1..=steps).map(line).collect();
        let by_model = compaction::naming_all(said, &lines);
        let anew = compaction::naming_all("Nothing.".to_owned(), std::slice::from_ref(&by_model));
        let by_itself = compaction::mechanical(&lines, 50, Language::English);
        [by_model, anew, by_itself].iter().all(|words| {
            let named = recall_ids::named(words);
            (1..=steps).all(|n| ['r', 'm', 't'].iter().all(|kind| named.contains(&(*kind, n))))
        })
    }

    /// Folding a step loses no id, even if it is in a call's arguments or in the part of the
    /// conclusion that was cut.
    fn folding_loses_no_id(before: u8, behind: u8) -> bool {
        let filler = |times: u8| "the tide of Brest, ".repeat(times.into());
        let mut context = Context::default();
        let call = ToolCall {
            id: "a".to_owned(),
            name: "explain".to_owned(),
            arguments: json!({
                "text": format!("{} […] [m1]", filler(before)),
                "context": format!("{} […][t2]", filler(behind)),
            }),
            reasoning: None,
            after: None,
        };
        let said = format!("{} As [t7] has it, {}", filler(before), filler(behind));
        context.push_step(1, Message { role: Role::Assistant, parts: vec![Part::Call { call }] });
        context.push_step(1, Message { role: Role::Tool, parts: vec![Part::Result {
            call: "a".to_owned(),
            tool: "explain".to_owned(),
            outcome: Ok(json!(7)),
        }] });
        context.push_step(1, Message::text(Role::Assistant, said));
        context.fold_steps_before(2);
        let line = context.old().concat();
        let named = recall_ids::named(&line);
        [('m', 1), ('t', 2), ('t', 7), ('r', 1)].iter().all(|id| named.contains(id))
            && estimate(&line) < 180
    }

    /// The mechanical summary fits its number of tokens, for any lines.
    fn mechanical_fits(lines: Vec<String>, tokens: u16) -> bool {
        estimate(&compaction::mechanical(&lines, tokens.into(), Language::English)) <= u32::from(tokens)
    }
}

/// The messages of the newest earlier turn, and their costs in tokens.
fn of_newest_turn(context: &Context) -> Vec<(u32, Rc<Message>)> {
    let turn = |piece: &Piece| match piece.what {
        MessageKind::Before(turn) => Some(turn),
        _ => None,
    };
    let newest = context.pieces.iter().filter_map(turn).max();
    let of_it = context.pieces.iter();
    let of_it = of_it.filter(|piece| newest.is_some() && turn(piece) == newest);
    of_it.map(|it| (it.tokens, it.message.clone())).collect()
}

fn ran_without_history(ran: &TestRun) -> Context {
    let before = Vec::new();
    let steps = ran.steps.clone();
    TestRun { before, steps }.context()
}

fn passages(count: usize, text: &str) -> Value {
    let passages = (1..=count).map(|n| json!({ "id": format!("p{n}"), "text": text }));
    json!({ "passages": passages.collect::<Vec<_>>() })
}

fn one_result(value: Value, said: &str) -> Context {
    let mut context = Context::default();
    context.push_fixed(Message::text(Role::User, GOAL));
    let did = TestStep {
        gave: vec![Ok(value)],
        said: said.to_owned(),
        asked: None,
    };
    work(&mut context, 1, &did);
    context
}

#[test]
fn what_was_cited_keeps_its_exact_text() {
    let mut value = passages(40, &"The quays are of granite. ".repeat(8));
    value["passages"][31]["text"] = json!("The spring tide reaches 7.3 m. The neap tide 2.6 m.");
    let context = one_result(value, "The figure stands in [[p32.1]].");
    let large = context.large_before(2).remove(0);
    assert_eq!(large.id, "r1");
    let short = compress(
        &large,
        vec![PassageData {
            id: "p3".to_owned(),
            text: "The quays are of granite.".to_owned(),
            why: None,
        }],
    );
    assert_eq!(short["keyPoints"][0]["id"], "p32");
    assert_eq!(
        short["keyPoints"][0]["text"],
        "The spring tide reaches 7.3 m. The neap tide 2.6 m."
    );
    assert_eq!(short["keyPoints"][1]["id"], "p3");
    assert_eq!(short["others"][0], "p1");
    assert!(
        context.large_before(1).is_empty(),
        "it stands whole for its own step"
    );
}

#[test]
fn a_shortened_fetch_says_of_which_page_each_passage_is_and_which_ids_there_are() {
    let page = |n: u32, count: u32| {
        let passages = (1..=count).map(|place| {
            let text = format!("Lamp {place} of page {n} was lit in {}. ", 1800 + place).repeat(5);
            json!({ "id": format!("w2a{n}.p{place}"), "text": text })
        });
        json!({
            "id": format!("w2a{n}"),
            "url": format!("https://lamps{n}.example/all?of={n}"),
            "title": format!("Lamps of coast {n}"),
            "passages": passages.collect::<Vec<_>>(),
        })
    };
    let value = json!({
        "pages": [page(1, 30), page(2, 2)],
        "errors": [{ "url": "https://lost.example/", "error": "404" }],
        "fetchedCount": 2,
        "failedCount": 1,
        "notRead": ["https://fourth.example/x"],
    });
    let context = one_result(value, "It stands in [[w2a1.p3]].");
    let large = context.large_before(2).remove(0);
    let short = compress_without_model(&large);
    assert!(estimate(&short.to_string()) < 500, "{short}");
    assert_eq!(
        short["sources"],
        json!([
            { "id": "w2a1", "title": "Lamps of coast 1", "url": "https://lamps1.example/all?of=1" },
            { "id": "w2a2", "title": "Lamps of coast 2", "url": "https://lamps2.example/all?of=2" },
            { "url": "https://lost.example/", "error": "404" },
            { "url": "https://fourth.example/x" },
        ])
    );
    assert_eq!(
        short["keyPoints"][0]["id"], "w2a1.p3",
        "what was cited stays: {short}"
    );
    let points = short["keyPoints"].as_array().unwrap();
    let others = short["others"].as_array().unwrap();
    let named =
        |id: &str| points.iter().any(|it| it["id"] == id) || others.iter().any(|it| it == id);
    assert!(
        named("w2a1.p1") && named("w2a1.p2") && others.len() > 8,
        "{short}"
    );
    assert!(
        !short.to_string().contains("pages.0"),
        "a path tells nothing: {short}"
    );
}

#[test]
fn an_address_that_is_too_long_is_left_out_and_never_cut() {
    let url = format!("https://a.example/{}", "x".repeat(4_000));
    let mut value = passages(40, &"The quays are of granite. ".repeat(8));
    value["url"] = json!(url);
    value["title"] = json!("Quays");
    let context = one_result(value, "Found.");
    let short = compress_without_model(&context.large_before(2).remove(0));
    assert_eq!(short["sources"], json!([{ "title": "Quays" }]));
    assert!(!short.to_string().contains("xxx"));
}

#[test]
fn a_folded_step_is_one_line_with_its_tools_its_ids_and_what_was_made_of_it() {
    let mut context = one_result(passages(2, "The tide."), "Two passages\nname [[p1]].");
    let failed = TestStep {
        gave: vec![Err("no result within 30 s".to_owned()), Ok(json!(7))],
        said: "Only one came.".to_owned(),
        asked: Some("And the neaps?".to_owned()),
    };
    work(&mut context, 2, &failed);
    work(
        &mut context,
        3,
        &TestStep {
            gave: Vec::new(),
            said: "Last.".to_owned(),
            asked: None,
        },
    );
    context.fold_steps_before(3);
    assert_eq!(
        context.old(),
        [
            r#"Step 1: look {"query":"tide"} gave [r1]. Two passages name [[p1]]."#,
            r#"Step 2: look {"query":"tide"} failed: no result within 30 s; look {"query":"tide"} gave [r2]. Only one came."#,
        ]
    );
    let ids: Vec<&str> = context.results().ids().collect();
    assert_eq!(ids, ["r1", "r2"]);
    let kinds: Vec<MessageKind> = context.pieces.iter().map(|piece| piece.what).collect();
    assert_eq!(
        kinds,
        [
            MessageKind::Fixed,
            MessageKind::Fixed,
            MessageKind::InShort,
            MessageKind::Step(3)
        ]
    );
}

#[test]
fn five_hundred_steps_of_chinese_stay_within_a_budget() {
    let mut context = Context::default();
    context.push_fixed(Message::text(Role::User, GOAL));
    let mut largest = 0;
    for step in 1..=500 {
        let did = TestStep {
            gave: vec![Ok(passages(30, &"潮汐每天涨落两次。".repeat(20)))],
            said: "找到了布列斯特的大潮高度。".repeat(4),
            asked: None,
        };
        let large = context.large_before(step);
        shorten_all(&mut context, large);
        work(&mut context, step, &did);
        if context.tokens() > 12_000 {
            context.fold_steps_before(step.saturating_sub(2));
        }
        if context.tokens() > 12_000 {
            let words = compaction::mechanical(&context.old(), 2_000, Language::English);
            context = context.compacted(&words).expect("it saves a fifth");
        }
        largest = largest.max(context.tokens());
    }
    assert!(largest < 20_000, "{largest}");
    assert!(is_paired(&context) && is_consistent(&context));
    assert_eq!(context.result_count, 500);
    assert!(context.results().ids().count() >= 497);
}

#[test]
fn an_empty_context_shrinks_to_itself() {
    let mut context = Context::default();
    context.fold_steps_before(9);
    context.trim_history(0);
    context.shorten(Vec::new());
    context.rewrite(String::new());
    assert_eq!((context.tokens(), context.old().len()), (0, 0));
    assert!(context.largest().is_empty() && context.results().is_empty());
}

#[test]
fn a_result_is_large_above_a_thousand_tokens() {
    for (letters, tokens, is_large) in [(3_998, 1_000, false), (3_999, 1_001, true)] {
        let value = Value::from("a".repeat(letters));
        assert_eq!(estimate(&value.to_string()), tokens);
        let mut context = Context::default();
        let did = TestStep {
            gave: vec![Ok(value)],
            said: "Found.".to_owned(),
            asked: None,
        };
        work(&mut context, 1, &did);
        assert_eq!(context.large_before(2).len(), usize::from(is_large));
    }
}

#[test]
fn what_is_old_is_told_in_the_language_of_the_prompts() {
    let mut context = Context::new(Language::Chinese, &EarlierResults::default());
    context.push_earlier(0, Message::text(Role::User, "大潮何时？"));
    context.push_earlier(0, Message::text(Role::Assistant, "新月之后。"));
    let did = TestStep {
        gave: vec![Ok(json!(7)), Err("no".to_owned())],
        said: "找到了。".to_owned(),
        asked: None,
    };
    work(&mut context, 1, &did);
    context.fold_steps_before(2);
    let lines = context.old();
    let tide = r#"look {"query":"tide"}"#;
    let step = format!("第1步：{tide} 得到 [r1]; {tide} 失败：no。找到了。");
    assert_eq!(lines, ["问：大潮何时？", "答：新月之后。", step.as_str()]);
    let lines = vec![step; 40];
    let short = compaction::mechanical(&lines, 40, Language::Chinese);
    assert!(
        short.starts_with("(略去更早的") && short.contains("条: [r1])"),
        "{short}"
    );
}
