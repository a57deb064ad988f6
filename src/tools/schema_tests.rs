//! Held against a validator of JSON Schema: what is published is what is accepted.

use super::*;
use crate::model::Room;
use crate::retrieval::Retrieval;
use crate::study::Study;
use crate::tools::{self, ToolContext};
use crate::{durable, host::RunId};
use futures::FutureExt;
use quickcheck::{Arbitrary, Gen, quickcheck};
use serde_json::json;

choices! {
    /// A toy's.
    enum Size {
        /// Small.
        Small = "small",
        /// Large.
        Large = "large",
    }
}

arguments! {
    /// Within another.
    struct Span {
        /// From when.
        from: String,
        /// To when.
        to_day: Option<String>,
    }
}

arguments! {
    /// One field of each kind.
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

/// A value that a model might write, and a generator that stays near the schema: what is
/// as expected, with a slip here and there.
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

/// What fits a schema, mostly.
fn near(schema: &Value, g: &mut Gen) -> Value {
    if u8::arbitrary(g) % 40 == 0 {
        return any(g, 2);
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
        _ if u8::arbitrary(g) % 8 == 0 => (*g.choose(&SCRAPS).unwrap()).into(),
        _ => "a tide".into(),
    }
}

impl Arbitrary for Written {
    fn arbitrary(g: &mut Gen) -> Self {
        Self(near(&Toy::schema(), g))
    }
}

/// A schema, and whether a value is accepted by what reads it.
type Pair = (Value, Box<dyn Fn(&Value) -> bool>);

/// The toy's and every tool's. A tool that was given what it can read says something else
/// of a run without a page.
fn pairs() -> Vec<Pair> {
    let mut pairs: Vec<Pair> = vec![(Toy::schema(), Box::new(|value| Toy::read(value).is_ok()))];
    for tool in tools::all(&Study::here(Retrieval::with(None))).iter() {
        let tool = tool.clone();
        let schema = tool.definition().parameters;
        let reads = move |value: &Value| {
            let context = ToolContext {
                page: None,
                call: "1".to_owned(),
                key: durable::Key {
                    run: RunId("run".to_owned()),
                    path: durable::Path::root(),
                },
                room: Room::of(None),
            };
            let outcome = tool.run(value, context).now_or_never();
            !matches!(outcome, Some(Err(ToolError::Invalid { .. })))
        };
        pairs.push((schema, Box::new(reads)));
    }
    pairs
}

/// Feature: agent-architecture-upgrade, Property 5: for any tool and any arguments, the
/// call is run exactly if a validator of JSON Schema accepts them, and is refused with an
/// error that names the field otherwise.
#[test]
fn what_is_published_is_what_is_accepted() {
    let mut g = Gen::new(20);
    for (schema, reads) in pairs() {
        let validator = jsonschema::validator_for(&schema).unwrap();
        let mut accepted = 0;
        for case in 0..4_000 {
            let value = if case % 8 == 0 {
                any(&mut g, 3)
            } else {
                near(&schema, &mut g)
            };
            let valid = validator.is_valid(&value);
            accepted += u32::from(valid);
            assert_eq!(reads(&value), valid, "{value} by {schema}");
        }
        println!(
            "Property 5: {accepted} of 4000 accepted by {}",
            schema["properties"]
        );
        assert!(
            (400..3_600).contains(&accepted),
            "{accepted} accepted by {schema}"
        );
    }
}

#[test]
fn every_example_of_a_tool_is_accepted() {
    for tool in tools::all(&Study::here(Retrieval::with(None))).iter() {
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

quickcheck! {
    /// Feature: agent-architecture-upgrade, Property 4: for any tool definition and any
    /// call, writing it as JSON and reading that gives the same.
    fn definitions_and_calls_survive_their_json(written: Written, name: String, id: String) -> bool {
        let call = crate::model::ToolCall {
            id,
            name: name.clone(),
            arguments: written.0.clone(),
            reasoning: None,
            after: None,
        };
        let definition = crate::model::ToolDefinition {
            name,
            description: "Toys.".to_owned(),
            parameters: Toy::schema(),
            examples: vec![written.0],
        };
        let again = serde_json::from_str(&serde_json::to_string(&call).unwrap()).ok();
        let told = serde_json::from_str(&serde_json::to_string(&definition).unwrap()).ok();
        again == Some(call) && told == Some(definition)
    }
}
