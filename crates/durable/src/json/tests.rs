use super::read;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Id(String);

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Shape {
    Dot,
    Line(i64),
    Edge(u8, bool),
    Area {
        sides: Vec<Option<Box<Shape>>>,
        #[serde(default)]
        name: String,
    },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Drawing {
    shapes: BTreeMap<Id, Shape>,
    by: BTreeMap<Shape2, f64>,
    months: BTreeMap<u32, bool>,
    scale: f32,
    rest: Value,
    nothing: (),
    outcome: Result<char, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<u8>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Shape2 {
    Round,
    Flat,
}

fn drawing() -> Drawing {
    let area = Shape::Area {
        sides: vec![None, Some(Box::new(Shape::Line(-3)))],
        name: "roof".to_owned(),
    };
    let shapes = [("a", Shape::Dot), ("b", Shape::Edge(7, true)), ("c", area)];
    Drawing {
        shapes: shapes
            .into_iter()
            .map(|(id, shape)| (Id(id.to_owned()), shape))
            .collect(),
        by: BTreeMap::from([(Shape2::Round, 0.1), (Shape2::Flat, 2.0)]),
        months: BTreeMap::from([(655, true)]),
        scale: 0.3,
        rest: json!({ "deep": [1, -1, 1.5, null, "text", { "er": true }] }),
        nothing: (),
        outcome: Ok('字'),
        left_out: None,
    }
}

#[test]
fn what_was_written_is_read_again() {
    let written = serde_json::to_value(drawing()).unwrap();
    assert_eq!(read::<Drawing>(&written).unwrap(), drawing());
}

#[test]
fn what_serde_json_refuses_is_refused() {
    let cases = [
        json!(null),
        json!(7),
        json!("round"),
        json!("line"),
        json!({ "line": "7" }),
        json!({ "edge": [7] }),
        json!({ "edge": [7, true, 1] }),
        json!({ "edge": [300, true] }),
        json!({ "area": {} }),
        json!({ "area": null }),
        json!({ "dot": 1 }),
        json!({ "dot": null, "line": 1 }),
    ];
    for case in cases {
        assert!(Shape::deserialize(&case).is_err(), "{case}");
        assert!(read::<Shape>(&case).is_err(), "{case}");
    }
}

#[test]
fn a_struct_is_no_array_of_its_fields() {
    let told = read::<Shape>(&json!({ "area": [[], "roof"] })).unwrap_err();
    assert!(
        told.to_string().starts_with("invalid type: sequence"),
        "{told}"
    );
}
