//! Tests that tools accept exactly the arguments that their schemas describe. The tests use a JSON
//! Schema validator.

use super::*;
use crate::{self as tools, ConsentState, RoleModels, RunContext, ToolContext};
use futures::FutureExt;
use gloss_durable::{self as durable, RunId, json};
use gloss_host_sim::Sim;
use gloss_model::phrase::DisplayText;
use gloss_model::testing::sent_parameters;
use gloss_model::{ContextWindow, ToolCall, ToolDefinition};
use gloss_reader::PageService;
use gloss_reader::retrieval::words_only;
use jsonschema::error::ValidationErrorKind;
use quickcheck::{Arbitrary, Gen, quickcheck};
use serde_json::json;
use std::collections::BTreeSet;

choices! {
    /// A choice of the toy tool.
    enum Size {
        /// The first choice.
        Small = "small",
        /// The second choice.
        Large = "large",
    }
}

arguments! {
    /// An object within another.
    struct Span {
        /// From when.
        from: String,
        /// To when.
        to_day: Option<String>,
    }
}

arguments! {
    /// The arguments of a toy tool: one field of each kind.
    struct Toy {
        /// A text.
        text_here: String,
        /// A choice.
        size: Size,
        /// Maybe a choice.
        maybe_size: Option<Size>,
        /// Maybe an object.
        span: Option<Span>,
    }
}

/// A value that a model might write. Its generator mostly follows the schema, with occasional
/// mistakes.
#[derive(Debug, Clone)]
struct Written(Value);

const SCRAPS: [&str; 9] = [
    "small", "large", "a", "", " ", "\u{85}", "\u{feff}", "\u{a0}x", "潮",
];

fn any(g: &mut Gen, depth: u8) -> Value {
    match u8::arbitrary(g) % if depth == 0 { 7 } else { 9 } {
        0 => Value::Null,
        1 => bool::arbitrary(g).into(),
        2 => (i64::from(i8::arbitrary(g)) % 8).into(),
        3 => *g
            .choose(
                &[
                    json!(1.0),
                    json!(1.5),
                    json!(-0.0),
                    json!(1e300),
                    json!(u64::MAX),
                ][..],
            )
            .map(|it| Box::new(it.clone()))
            .unwrap(),
        4..=6 => (*g.choose(&SCRAPS).unwrap()).into(),
        7 => (0..u8::arbitrary(g) % 5)
            .map(|_| any(g, depth - 1))
            .collect(),
        _ => {
            let names = ["from", "toDay", "x"];
            let fields = (0..u8::arbitrary(g) % 3).map(|_| {
                let name = (*g.choose(&names).unwrap()).to_owned();
                (name, any(g, depth - 1))
            });
            Value::Object(fields.collect())
        }
    }
}

/// A value that usually fits a schema.
fn near(schema: &Value, g: &mut Gen) -> Value {
    if u8::arbitrary(g) % 40 == 0 {
        return any(g, 2);
    }
    if let Value::Array(either) = &schema["anyOf"] {
        return near(g.choose(either).unwrap(), g);
    }
    let kinds = match &schema["type"] {
        Value::Array(kinds) => kinds.clone(),
        kind => vec![kind.clone()],
    };
    if let Value::Array(words) = &schema["enum"] {
        return g.choose(words).unwrap().clone();
    }
    match g.choose(&kinds).unwrap().as_str().unwrap() {
        "object" => {
            let mut fields = Map::new();
            for (name, field) in schema["properties"].as_object().unwrap() {
                let required = schema["required"]
                    .as_array()
                    .unwrap()
                    .contains(&json!(name));
                if u8::arbitrary(g) % 40 != 0 && (required || bool::arbitrary(g)) {
                    fields.insert(name.clone(), near(field, g));
                }
            }
            if u8::arbitrary(g) % 40 == 0 {
                fields.insert("other".to_owned(), any(g, 1));
            }
            fields.into()
        }
        "null" => Value::Null,
        "boolean" => bool::arbitrary(g).into(),
        "integer" => integer(schema, g),
        "array" => {
            let most = schema["maxItems"].as_u64().unwrap();
            let count = match u8::arbitrary(g) % 20 {
                0 => 0,
                1 => most + 1,
                few => 1 + u64::from(few) % 3,
            };
            (0..count).map(|_| near(&schema["items"], g)).collect()
        }
        _ if u8::arbitrary(g) % 8 == 0 => (*g.choose(&SCRAPS).unwrap()).into(),
        _ => "a tide".into(),
    }
}

/// A whole number at the bounds, near them or between them, in the forms in which models write it.
fn integer(schema: &Value, g: &mut Gen) -> Value {
    let bound = |name: &str| schema[name].as_i64().unwrap();
    let (least, most) = (bound("minimum"), bound("maximum"));
    match u8::arbitrary(g) % 12 {
        0 => (least - 1).into(),
        1 => least.into(),
        2 => most.into(),
        3 => (most + 1).into(),
        4 => json!(most as f64 + 0.5),
        5 => json!(least as f64),
        _ => {
            let span = u64::try_from(most - least).unwrap() + 1;
            let into = i64::try_from(u64::arbitrary(g) % span).unwrap();
            (least + into).into()
        }
    }
}

impl Arbitrary for Written {
    fn arbitrary(g: &mut Gen) -> Self {
        Self(near(&Toy::schema(), g))
    }
}

/// A schema, and a function that reads a value and returns the name of the field that it rejects.
type Pair = (Value, Box<dyn Fn(&Value) -> Result<(), String>>);

/// The schemas and readers of the toy tool and of every real tool. A call with valid arguments
/// still fails here, but with another error, because the run has no page.
fn pairs() -> Vec<Pair> {
    let toy = |value: &Value| match Toy::read(value).map_err(ToolError::from) {
        Err(ToolError::Invalid { field, .. }) => Err(field),
        Ok(_) | Err(_) => Ok(()),
    };
    let mut pairs: Vec<Pair> = vec![(Toy::schema(), Box::new(toy))];
    for tool in tools::all(&Sim::new(1).host(), &PageService::in_process(words_only())).iter() {
        let tool = tool.clone();
        let schema = tool.definition().parameters;
        let reads = move |value: &Value| {
            let context = ToolContext {
                run: RunContext::new(None, ContextWindow::of(None)),
                call: "1".to_owned(),
                key: durable::Key {
                    run: RunId("run".to_owned()),
                    path: durable::Path::root(),
                },
                so_far: None,
                approval: crate::Approval::NotAsked,
                rights: ConsentState::MayBeAsked,
                aid: RoleModels::default(),
            };
            match tool.run(value, context).now_or_never() {
                Some(Err(ToolError::Invalid { field, .. })) => Err(field),
                Some(Ok(_) | Err(_)) | None => Ok(()),
            }
        };
        pairs.push((schema, Box::new(reads)));
    }
    pairs
}

/// The names of the fields that a JSON Schema validator rejects. These are the fields to which its
/// errors point, and fields that are missing or superfluous at that place.
fn wrong_fields(validator: &jsonschema::Validator, value: &Value) -> BTreeSet<String> {
    let mut wrong = BTreeSet::new();
    for error in validator.iter_errors(value) {
        let mut at = String::new();
        for part in error.instance_path().as_str().split('/').skip(1) {
            match part.parse::<usize>() {
                Ok(place) => at = format!("{at}[{place}]"),
                Err(_) if at.is_empty() => part.clone_into(&mut at),
                Err(_) => at = format!("{at}.{part}"),
            }
        }
        let within = |name: &str| match at.as_str() {
            "" => name.to_owned(),
            at => format!("{at}.{name}"),
        };
        let missing = match error.kind() {
            ValidationErrorKind::Required { property } => {
                vec![property.as_str().unwrap().to_owned()]
            }
            ValidationErrorKind::AdditionalProperties { unexpected } => unexpected.clone(),
            _ => Vec::new(),
        };
        if missing.is_empty() {
            wrong.insert(if at.is_empty() {
                "arguments".to_owned()
            } else {
                at.clone()
            });
        }
        wrong.extend(missing.iter().map(|name| within(name)));
    }
    wrong
}

/// Returns true if a path is that of a field, or of a value inside the field.
fn is_within(path: &str, field: &str) -> bool {
    let rest = path.strip_prefix(field);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// Feature: agent-architecture-upgrade, Property 5: For any tool and any arguments, the call runs
/// if and only if a JSON Schema validator accepts the arguments. Otherwise its error names the
/// field.
#[test]
fn what_is_published_is_what_is_accepted() {
    let mut g = Gen::new(20);
    for (schema, reads) in pairs() {
        let validator = jsonschema::validator_for(&schema).unwrap();
        let (mut accepted, mut named) = (0, BTreeSet::new());
        for case in 0..4_000 {
            let value = if case % 8 == 0 {
                any(&mut g, 3)
            } else {
                near(&schema, &mut g)
            };
            let valid = validator.is_valid(&value);
            accepted += u32::from(valid);
            let read = reads(&value);
            assert_eq!(read.is_ok(), valid, "{value} by {schema}");
            if let Err(field) = read {
                let wrong = wrong_fields(&validator, &value);
                // If a field may be a list or a single item, the validator names the list.
                assert!(
                    wrong.iter().any(|wrong| is_within(&field, wrong)),
                    "{field}, not {wrong:?}: {value} by {schema}"
                );
                named.insert(field);
            }
        }
        let fields: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        println!("Property 5: {accepted} of 4000 accepted by {fields:?}; named: {named:?}");
        for field in fields {
            let of_it = |name: &String| is_within(name, field);
            assert!(named.iter().any(of_it), "nothing was wrong with {field}");
        }
        assert!(
            (400..3_600).contains(&accepted),
            "{accepted} accepted by {schema}"
        );
    }
}

/// The schema that is sent to servers differs from the tool's own schema in two ways. It has a
/// field for the reason of a call. It requires a minimum length instead of a pattern, because
/// grammars accept only anchored patterns. Arguments that fit the sent schema can therefore be
/// rejected only for blank texts.
#[test]
fn what_is_sent_is_what_is_published_but_for_the_reason_and_blank_texts() {
    let mut g = Gen::new(20);
    for tool in tools::all(&Sim::new(1).host(), &PageService::in_process(words_only())).iter() {
        let told = tool.definition();
        let sent = sent_parameters(&told);
        let [published, sent_to] =
            [&told.parameters, &sent].map(|it| jsonschema::validator_for(it).unwrap());
        let (mut alike, mut blank) = (0, 0);
        for _ in 0..1_000 {
            let value = near(&told.parameters, &mut g);
            let Value::Object(fields) = &value else {
                continue;
            };
            assert!(fields.contains_key("reasoning") || !sent_to.is_valid(&value));
            let mut reasoned = fields.clone();
            reasoned.insert("reasoning".to_owned(), "It may say so.".into());
            let is_sent = sent_to.is_valid(&reasoned.into());
            if published.is_valid(&value) {
                assert!(is_sent, "{value} by {sent}");
            }
            let errors: Vec<_> = published.iter_errors(&value).collect();
            let by_blanks = |it: &jsonschema::ValidationError<'_>| {
                matches!(
                    it.kind(),
                    ValidationErrorKind::Pattern { .. } | ValidationErrorKind::AnyOf { .. }
                )
            };
            if is_sent && !errors.is_empty() {
                assert!(
                    errors.iter().all(by_blanks),
                    "{value} by {sent}: {errors:?}"
                );
                blank += 1;
            }
            alike += u32::from(is_sent == errors.is_empty());
        }
        assert!(alike > blank, "{}: {alike} alike, {blank} not", told.name);
    }
}

#[test]
fn every_example_of_a_tool_is_accepted() {
    for tool in tools::all(&Sim::new(1).host(), &PageService::in_process(words_only())).iter() {
        let told = tool.definition();
        let validator = jsonschema::validator_for(&told.parameters).unwrap();
        assert_eq!(told.examples.len(), 2);
        for example in &told.examples {
            assert!(validator.is_valid(example), "{}: {example}", told.name);
        }
    }
}

#[test]
fn a_right_one_is_read_as_it_was_written() {
    let written = json!({
        "textHere": " a\n", "size": "large", "maybeSize": null, "span": { "from": "b", "toDay": " " }
    });
    let toy = Toy::read(&written).unwrap();
    assert_eq!(
        (toy.text_here.as_str(), toy.size, toy.maybe_size),
        ("a", Size::Large, None)
    );
    let span = toy.span.unwrap();
    assert_eq!((span.from.as_str(), span.to_day), ("b", None));
}

#[test]
fn a_wrong_argument_is_named_by_its_path() {
    let right = json!({ "textHere": "a", "size": "small" });
    let told = |name: &str, value: Value| {
        let mut wrong = right.clone();
        wrong[name] = value;
        ToolError::from(Toy::read(&wrong).unwrap_err()).to_string()
    };
    assert!(Toy::read(&right).is_ok());
    for (name, value, words) in [
        (
            "textHere",
            json!(7),
            "argument `textHere`: expected a text that is not empty, got 7",
        ),
        (
            "size",
            json!("tiny"),
            "argument `size`: expected one of small, large, got \"tiny\"",
        ),
        (
            "span",
            json!({ "from": 1 }),
            "argument `span.from`: expected a text that is not empty, got 1",
        ),
        (
            "span",
            json!({}),
            "argument `span.from`: expected a text that is not empty, got nothing",
        ),
        (
            "colour",
            json!("red"),
            "argument `colour`: expected no field but textHere, size, maybeSize, span, got \"red\"",
        ),
    ] {
        assert_eq!(told(name, value), words);
    }
    let none = ToolError::from(Toy::read(&json!("a")).unwrap_err()).to_string();
    assert!(
        none.starts_with("argument `arguments`: expected an object with textHere"),
        "{none}"
    );
}

/// Feature: agent-architecture-upgrade, Property 4: For any tool definition and any call, writing
/// it as JSON and reading that JSON gives the same value. The test uses every tool. Its calls have
/// a reason, a dependency on another call, both or neither.
#[test]
fn definitions_and_calls_survive_their_json() {
    let mut g = Gen::new(20);
    let tools = tools::all(&Sim::new(1).host(), &PageService::in_process(words_only()));
    let mut kinds = BTreeSet::new();
    for tool in tools.iter() {
        let definition = tool.definition();
        let told = serde_json::to_string(&definition).unwrap();
        assert_eq!(
            serde_json::from_str::<ToolDefinition>(&told).unwrap(),
            definition
        );
        let tree = serde_json::from_str::<Value>(&told).unwrap();
        assert_eq!(json::read::<ToolDefinition>(&tree).unwrap(), definition);
        for _ in 0..100 {
            let call = ToolCall {
                id: String::arbitrary(&mut g),
                name: definition.name.clone(),
                arguments: near(&definition.parameters, &mut g),
                reasoning: Option::<String>::arbitrary(&mut g).map(|why| DisplayText::words(&why)),
                after: Option::<String>::arbitrary(&mut g),
            };
            kinds.insert((call.reasoning.is_some(), call.after.is_some()));
            let written = serde_json::to_string(&call).unwrap();
            assert_eq!(serde_json::from_str::<ToolCall>(&written).unwrap(), call);
            let tree = serde_json::from_str::<Value>(&written).unwrap();
            assert_eq!(json::read::<ToolCall>(&tree).unwrap(), call);
        }
    }
    assert_eq!(kinds.len(), 4, "{kinds:?}");
}

quickcheck! {
    /// Property 4 for calls with any arguments.
    fn a_call_of_anything_survives_its_json(written: Written, name: String, id: String) -> bool {
        let call = ToolCall {
            id,
            name,
            arguments: written.0,
            reasoning: None,
            after: None,
        };
        serde_json::from_str(&serde_json::to_string(&call).unwrap()).ok() == Some(call)
    }

    /// Property 4 for any definition. The class and the timeout of a tool are used only by the
    /// loop, and are not sent to models.
    fn any_definition_survives_its_json(any: AnyDefinition) -> bool {
        let AnyDefinition(definition) = any;
        let told = serde_json::to_string(&definition).unwrap();
        let tree: Value = serde_json::from_str(&told).unwrap();
        serde_json::from_str(&told).ok().as_ref() == Some(&definition)
            && json::read(&tree).ok() == Some(definition)
    }
}

/// A definition with arbitrary content.
#[derive(Debug, Clone)]
struct AnyDefinition(ToolDefinition);

impl Arbitrary for AnyDefinition {
    fn arbitrary(g: &mut Gen) -> Self {
        let properties = Vec::<(String, Written)>::arbitrary(g);
        let properties = properties.into_iter().map(|(name, it)| (name, it.0));
        let examples = Vec::<Written>::arbitrary(g);
        Self(ToolDefinition {
            name: String::arbitrary(g),
            description: String::arbitrary(g),
            parameters: json!({
                "type": "object",
                "properties": Value::Object(properties.collect()),
                "required": Vec::<String>::arbitrary(g),
            }),
            examples: examples.into_iter().map(|it| it.0).collect(),
        })
    }
}
