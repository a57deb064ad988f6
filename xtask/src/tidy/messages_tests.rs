use super::*;

fn texts(files: &[(&str, &str)]) -> Vec<String> {
    problems(&Tree::of(files))
        .into_iter()
        .map(|problem| problem.text)
        .collect()
}

fn with(english: &str, chinese: &str, view: &str) -> Vec<String> {
    texts(&[
        (ENGLISH, english),
        (CHINESE, chinese),
        ("src/bin/pages/view.rs", view),
    ])
}

#[test]
fn catalogues_that_agree_and_are_used_have_no_problem() {
    let english =
        r#"{"done": {"message": "Done in $s$ s", "placeholders": {"s": {"content": "$1"}}}}"#;
    let chinese =
        r#"{"done": {"message": "完成，$S$ 秒", "placeholders": {"s": {"content": "$1"}}}}"#;
    assert!(with(english, chinese, "fn a() { msg(\"done\", &[s]) }").is_empty());
}

#[test]
fn a_message_of_one_language_is_missed_in_the_other() {
    let both = r#"{"a": {"message": "A"}, "b": {"message": "B"}}"#;
    let one = r#"{"a": {"message": "A"}}"#;
    let view = "fn a() { (t!(\"a\"), t!(\"b\")) }";
    assert_eq!(with(both, one, view), ["b is missing"]);
    assert_eq!(with(one, both, view), ["b is missing", "no message \"b\""]);
}

#[test]
fn placeholders_are_the_same_in_both() {
    let declared = r#"{"a": {"message": "$n$", "placeholders": {"n": {"content": "$1"}}}}"#;
    let other = r#"{"a": {"message": "二"}}"#;
    let view = "fn a() { msg(\"a\") }";
    assert_eq!(with(declared, other, view), ["a has other placeholders"]);
}

#[test]
fn an_empty_message_and_broken_json_are_told() {
    let said = with(r#"{"a": {"message": " "}}"#, "{", "fn a() { msg(\"a\") }");
    assert!(said.iter().any(|text| text == "a says nothing"), "{said:?}");
    assert!(said.iter().any(|text| text.contains("EOF")), "{said:?}");
}

#[test]
fn a_key_is_used_by_rust_script_page_or_manifest() {
    let uses: [(&str, &str); 5] = [
        ("src/app/status.rs", "fn key() -> &'static str { \"a\" }"),
        ("src/bin/pages/v.rs", "const A: &str = \"msg:a\";"),
        ("extension/boot.js", "chrome.i18n.getMessage('a')"),
        ("www/panel.html", "<p data-msg=\"a\"></p>"),
        ("manifest.json", "{\"name\": \"__MSG_a__\"}"),
    ];
    let catalogue = r#"{"a": {"message": "A"}}"#;
    for (path, source) in uses {
        let said = texts(&[(ENGLISH, catalogue), (CHINESE, catalogue), (path, source)]);
        assert!(said.is_empty(), "{path}: {said:?}");
    }
    let said = texts(&[(ENGLISH, catalogue), (CHINESE, catalogue)]);
    assert_eq!(said, ["a is used nowhere"]);
}

#[test]
fn a_key_that_is_asked_for_must_exist() {
    let cases = [
        ("src/bin/pages/v.rs", "fn a() { msg(\"gone\") }", 1),
        (
            "src/bin/pages/v.rs",
            "fn a() { view! { p { (t!(\"gone\")) } } }",
            1,
        ),
        ("src/bin/pages/v.rs", "const A: &str = \"msg:gone\";", 1),
        ("src/bin/pages/v.rs", "const A: &str = \"means:gone\";", 2),
        ("src/bin/pages/v.rs", "fn a() { text(\"btn quiet\") }", 0),
        ("src/bin/pages/v.rs", "fn a() { class(\"gone\") }", 0),
        ("src/app/v.rs", "fn a() { phrase(\"gone\").with(1) }", 1),
        ("src/app/v.rs", "fn a() { text(\"gone\") }", 0),
    ];
    for (path, source, expected) in cases {
        assert_eq!(texts(&[(path, source)]).len(), expected, "{source}");
    }
}

#[test]
fn placeholders_are_read_as_chrome_reads_them() {
    let cases: [(&str, &[&str]); 5] = [
        ("none", &[]),
        ("$Name$ and $1", &["$1", "$name$"]),
        ("costs $$5", &["$5"]),
        ("a $ b", &[]),
        ("$a$$b$", &["$a$", "$b$"]),
    ];
    for (text, expected) in cases {
        let found: Vec<String> = placeholders(text).into_iter().collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn a_key_that_stands_twice_is_told() {
    let english =
        "{\n  \"a\": {\n    \"message\": \"A\"\n  },\n  \"a\": {\n    \"message\": \"B\"\n  }\n}";
    let chinese = r#"{"a": {"message": "甲"}}"#;
    let said = with(english, chinese, "fn a() { msg(\"a\") }");
    assert_eq!(said, ["a key appears twice"]);
}
