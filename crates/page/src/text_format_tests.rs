//! Tests each text format, and the limits for hostile texts.

use super::*;
use quickcheck::quickcheck;

fn texts(form: TextFormat, text: &str) -> Vec<String> {
    let read = read_as(form, text, "https://a.example/");
    let paragraphs = read.map(|it| it.paragraphs).unwrap_or_default();
    paragraphs.into_iter().map(|it| it.text).collect()
}

#[test]
fn markdown_keeps_its_headings_items_and_code() {
    let text = "# Tides\nThe sea\nrises.\n\n## Neaps ##\n- weak\n- weaker\n  by far\n\n```rust\nlet a = 1;\n\nlet b;\n```\nEnd";
    let read = read_as(TextFormat::Markdown, text, "https://a.example/").unwrap();
    let found: Vec<(Kind, &str)> = read
        .paragraphs
        .iter()
        .map(|it| (it.kind, it.text.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            (Kind::Heading(1), "Tides"),
            (Kind::Prose, "The sea rises."),
            (Kind::Heading(2), "Neaps"),
            (Kind::Item, "- weak"),
            (Kind::Item, "- weaker by far"),
            (Kind::Code, "```rust\nlet a = 1;\n\nlet b;\n```"),
            (Kind::Prose, "End"),
        ]
    );
    assert_eq!(read.title, "Tides");
}

#[test]
fn each_row_of_a_table_names_its_columns() {
    let text = "\u{feff}port,height,note\r\nBrest,\"7,5\",\"a \"\"high\"\" one\"\n\nDover,6.8,\n";
    assert_eq!(
        texts(TextFormat::Table, text),
        [
            "port: Brest; height: 7,5; note: a \"high\" one",
            "port: Dover; height: 6.8"
        ]
    );
    assert_eq!(texts(TextFormat::Table, "a\tb\n1\t2"), ["a: 1; b: 2"]);
    assert_eq!(texts(TextFormat::Table, "a;b\n1;2"), ["a: 1; b: 2"]);
    assert_eq!(texts(TextFormat::Table, "only,names"), ["only; names"]);
}

#[test]
fn long_json_is_parted_and_each_part_says_where_it_stands() {
    assert_eq!(
        texts(TextFormat::Json, "{\"a\": [1, 2]}"),
        ["{\"a\":[1,2]}"]
    );
    let long = "x".repeat(LONG);
    let text = format!("{{\"a\":{{\"b\":[\"{long}\",2]}},\"c\":null,\"d\":true}}");
    let found = texts(TextFormat::Json, &text);
    assert_eq!(
        found,
        [
            format!("a.b[0]: {long}"),
            "a.b[1]: 2".to_owned(),
            "c: null".to_owned(),
            "d: true".to_owned()
        ]
    );
    assert_eq!(texts(TextFormat::Json, "not json"), ["not json"]);
}

#[test]
fn names_that_are_long_and_cells_without_number_are_told_within_bounds() {
    let name = "n".repeat(1_000_000);
    let told = |form, text: String| {
        let found = texts(form, &text);
        let bytes: usize = found.iter().map(String::len).sum();
        (found, bytes)
    };
    let (found, bytes) = told(
        TextFormat::Table,
        format!("{name}\n{}", "1\n".repeat(100_000)),
    );
    assert_eq!(found[0], format!("{}…: 1", "n".repeat(MOST_NAME)));
    assert!(found.len() > 99_000 && bytes < MOST_TEXT, "{bytes}");
    let wide = vec![name.as_str(); 50].join(",");
    let (found, _) = told(
        TextFormat::Table,
        format!("{wide}\n{}", "1,".repeat(1_000_000)),
    );
    assert!(found[0].ends_with(LEFT_OUT));
    let inner: Vec<String> = (0..2_000).map(|n| format!("\"k{n}\":{n}")).collect();
    let (found, bytes) = told(
        TextFormat::Json,
        format!("{{\"{name}\":{{{}}}}}", inner.join(",")),
    );
    assert_eq!(found.len(), 2_000);
    assert!(bytes < 200_000, "{bytes}");
    let (found, bytes) = told(TextFormat::Json, format!("[{}1]", "1,".repeat(1_000_000)));
    assert!(found.len() <= MOST_CELLS + 1 && bytes < MOST_TEXT);
}

#[test]
fn what_has_no_text_is_empty() {
    for form in [
        TextFormat::Html,
        TextFormat::Plain,
        TextFormat::Markdown,
        TextFormat::Table,
    ] {
        assert_eq!(
            read_as(form, " \n\n ", "https://a.example/"),
            Err(ReadError::Empty),
            "{form:?}"
        );
    }
    assert_eq!(
        read_as(TextFormat::Json, "{}", "https://a.example/"),
        Err(ReadError::Empty)
    );
}

quickcheck! {
    fn every_text_is_read_in_every_form(text: String) -> bool {
        [TextFormat::Html, TextFormat::Plain, TextFormat::Markdown, TextFormat::Table, TextFormat::Json].into_iter().all(|form| {
            read_as(form, &text, "https://a.example/").is_ok_and(|it| {
                (1..).zip(&it.paragraphs).all(|(number, it)| it.number == number)
            }) || read_as(form, &text, "https://a.example/").is_err()
        })
    }

    fn no_cell_is_lost(cells: Vec<Vec<u32>>) -> bool {
        let cells: Vec<Vec<u32>> = cells.into_iter().filter(|row| !row.is_empty()).collect();
        let rows: Vec<String> = cells.iter().map(|row| row.iter().map(|it| format!("\"{it}\"")).collect::<Vec<_>>().join(",")).collect();
        let found = texts(TextFormat::Table, &rows.join("\n")).join(" ");
        cells.iter().skip(1).flatten().all(|it| found.contains(&it.to_string()))
    }
}
