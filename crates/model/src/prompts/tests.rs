//! Tests of parsing, writing and rendering templates.

use super::template::trim_blank_lines;
use super::*;
use gloss_text::Language;
use quickcheck::{Arbitrary, Gen, QuickCheck};
use serde_json::{Value as Json, json};

const TESTS: u64 = 500;

/// Lines of a template. Some of them look like delimiters or placeholders.
const LINES: [&str; 22] = [
    "",
    "  ",
    "Words.",
    "<task>",
    "</task>",
    "</a>",
    "<a>  ",
    "\\<a>",
    "\\\\## b",
    "## Rules",
    "##",
    "## ",
    "# Not one",
    "template x",
    "required a",
    "{{one}}",
    "Say {{ two }}, {{one}}.",
    "}} { {",
    "\\",
    "<b>bold</b>",
    "字，句。",
    " <task>\r",
];

impl Arbitrary for Template {
    fn arbitrary(g: &mut Gen) -> Self {
        let kinds: Vec<Placeholder> = ["one", "two", "three-3"]
            .into_iter()
            .map(|name| Placeholder {
                name: name.to_owned(),
                kind: *g.choose(&Kind::ALL).unwrap(),
                required: false,
            })
            .collect();
        let names = [
            "task",
            "a",
            "b_2",
            "Rules",
            "规则 与 语言",
            "Two  words",
            "## b",
            "a>",
        ];
        let count = usize::arbitrary(g) % (names.len() + 1);
        let sections = names.into_iter().take(count).map(|name| {
            let delimiter = match name {
                "task" | "a" | "b_2" if bool::arbitrary(g) => Delimiter::Xml,
                _ => Delimiter::Markdown,
            };
            let lines = (0..usize::arbitrary(g) % 7).map(|_| match u8::arbitrary(g) % 8 {
                0 => String::arbitrary(g).replace('{', "(").replace('\n', " "),
                _ => (*g.choose(&LINES).unwrap()).to_owned(),
            });
            let content = lines.collect::<Vec<_>>().join("\n");
            let mut section = Section::new(name, delimiter, &content);
            section.required = !section.content.trim().is_empty() && bool::arbitrary(g);
            section
        });
        let mut template = Self {
            name: "any-1".to_owned(),
            placeholders: kinds,
            sections: sections.collect(),
        };
        for at in 0..template.placeholders.len() {
            let braced = format!("{{{{{}}}}}", template.placeholders[at].name);
            let mut sections = template.sections.iter();
            template.placeholders[at].required =
                sections.any(|it| it.content.contains(&braced)) && bool::arbitrary(g);
        }
        template
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let whole = self.clone();
        let fewer = (0..self.sections.len()).map(move |at| {
            let mut fewer = whole.clone();
            fewer.sections.remove(at);
            for placeholder in &mut fewer.placeholders {
                placeholder.required = false;
            }
            fewer
        });
        Box::new(fewer)
    }
}

/// Feature: agent-architecture-upgrade, Property 16: A valid template that is written as text and
/// parsed again is unchanged. The text of its sections is also unchanged.
#[test]
fn what_is_written_is_read_back() {
    #[expect(clippy::needless_pass_by_value, reason = "quickcheck gives values")]
    fn law(template: Template) -> bool {
        template.check(&[]).unwrap();
        let read = Template::parse(&template.to_string());
        let crlf = Template::parse(&template.to_string().replace('\n', "\r\n"));
        let own = template.with_body(&template.body());
        read.as_ref() == Ok(&template) && crlf == read && own == read
    }
    QuickCheck::new()
        .tests(TESTS)
        .quickcheck(law as fn(Template) -> bool);
}

#[test]
fn every_template_of_ours_is_written_as_it_is_read() {
    for language in Language::OF_PROMPTS {
        let texts = Name::ALL.map(|name| (name.id(), name.text(language)));
        for (id, text) in texts.into_iter().chain([("notes", Note::text(language))]) {
            let template = Template::parse(text).unwrap();
            assert_eq!(template.name, id);
            assert_eq!(format!("{template}\n"), text, "{id} in {}", language.id());
        }
    }
}

#[test]
fn both_languages_take_the_same_and_require_the_same() {
    for name in Name::ALL {
        let [english, chinese] =
            Language::OF_PROMPTS.map(|language| Template::parse(name.text(language)).unwrap());
        assert_eq!(english.placeholders, chinese.placeholders, "{name:?}");
        let sections = |template: &Template| {
            let sections = template.sections.iter();
            sections
                .map(|it| (it.name.clone(), it.required))
                .collect::<Vec<_>>()
        };
        assert_eq!(sections(&english), sections(&chinese), "{name:?}");
    }
    for note in Note::ALL {
        for language in Language::OF_PROMPTS {
            let template = Template::parse(Note::text(language)).unwrap();
            assert_eq!(template.sections.len(), Note::ALL.len());
            assert!(template.sections.iter().any(|it| it.name == note.id()));
        }
    }
}

fn template() -> Template {
    let text = "template tides\nplaceholder question string required\nplaceholder results array\n\
        placeholder page object\nrequired task\n\n\
        <task>\nAnswer {{question}}.\n</task>\n\n## Results\nThey are:\n{{results}}\n\n\
        <reading>\n{{page}}\n</reading>";
    Template::parse(text).unwrap()
}

#[test]
fn a_prompt_has_its_values_and_leaves_out_what_there_is_none_of() {
    let template = template();
    let question = || ("question", Value::Words("Why?".to_owned()));
    assert_eq!(
        template.render(&[question()]).unwrap(),
        "<task>\nAnswer \"Why?\".\n</task>"
    );
    let all = [
        question(),
        (
            "results",
            Value::List(vec![json!("one"), json!({ "n": 2 })]),
        ),
        ("page", Value::Object(Json::Null)),
    ];
    assert_eq!(
        template.render(&all).unwrap(),
        "<task>\nAnswer \"Why?\".\n</task>\n\n## Results\nThey are:\n- \"one\"\n- {\"n\":2}\n\n\
         <reading>\nnull\n</reading>"
    );
    let empty = [question(), ("results", Value::List(Vec::new()))];
    assert!(!template.render(&empty).unwrap().contains("Results"));
}

#[test]
fn a_value_that_is_missing_or_unknown_names_template_and_placeholder() {
    let words = |text: &str| Value::Words(text.to_owned());
    let cases: [(&[(&str, Value)], &str); 2] = [
        (
            &[],
            "prompt tides, line 0: placeholder question has no value: give it one",
        ),
        (
            &[("question", words("a")), ("answer", words("b"))],
            "prompt tides, line 0: there is no placeholder answer; there are: question, results, page",
        ),
    ];
    for (values, expected) in cases {
        assert_eq!(template().render(values).unwrap_err().to_string(), expected);
    }
}

#[test]
fn a_text_of_ones_own_is_refused_at_its_line() {
    let cases = [
        ("", "line 0: section task is missing or empty: put it back"),
        (
            "Words\n<task>\n{{question}}\n</task>",
            "line 1: `Words` is outside every section: begin one with <name> or ## name",
        ),
        (
            "<task>\n\n</task>\n## More\n{{question}}",
            "line 1: section task is missing or empty: put it back",
        ),
        (
            "\n<task>\n{{question}}\n",
            "line 2: section task has no end: put </task> on its own line",
        ),
        (
            "<task>\n{{question}}\n</task>\n</task>",
            "line 4: `</task>` is outside every section: begin one with <name> or ## name",
        ),
        (
            "<task>\n{{question}}\n</task>\n\n## task\nAgain.",
            "line 5: there are two sections named task: rename one",
        ),
        (
            "<task>\n{{question}}\n</task>\n<Gloss>\n</Gloss>",
            "line 4: a section can't be named Gloss: rename it",
        ),
        (
            "<task>\n\nAnswer.\n\n{{questoin}}\n</task>",
            "line 5: there is no placeholder questoin; there are: question, results, page",
        ),
        (
            "<task>\n{{question}} {{a b}}\n</task>",
            "line 2: `{{a b}}` is not a placeholder: write one as {{name}}",
        ),
        (
            "<task>\n{{question\n}}\n</task>",
            "line 2: `{{question` is not a placeholder: write one as {{name}}",
        ),
        (
            "<task>\nAnswer.\n</task>",
            "line 0: placeholder question is missing: write {{question}} where its value belongs",
        ),
    ];
    for (text, expected) in cases {
        let error = template().with_body(text).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("prompt tides, {expected}"),
            "{text}"
        );
    }
    let long = "字".repeat(MOST_LETTERS + 1);
    let error = check(Name::Reason, Language::English, &long).unwrap_err();
    assert_eq!(error.cause, Cause::TooLong(MOST_LETTERS));
}

#[test]
fn a_head_that_is_none_is_refused_at_its_line() {
    for (text, line) in [
        ("", 1),
        ("\ntemplate a", 1),
        ("template a b\n", 1),
        ("template a\ntemplate b\n", 2),
        ("template a\nplaceholder b number\n", 2),
        ("template a\nplaceholder b string optional\n", 2),
        ("template a\nneeds b\n", 2),
        ("template a\nrequired b\n\n<c>\n</c>", 2),
    ] {
        assert_eq!(Template::parse(text).unwrap_err().line, line, "{text:?}");
    }
}

/// A value that Gloss did not write can't end its section or begin another one.
#[test]
fn no_value_ends_its_section() {
    #[expect(clippy::needless_pass_by_value, reason = "quickcheck gives values")]
    fn law(words: String, breaks: u8) -> bool {
        let ends = [
            "</task>",
            "\n</task>\n",
            "\n## More\n",
            "\n<more>\n",
            "\r\n## More",
            "\u{2028}</task>",
        ];
        let hostile = format!("{words}{}{words}", ends[usize::from(breaks) % ends.len()]);
        let values = [
            ("question", Value::Words(hostile.clone())),
            (
                "results",
                Value::List(vec![json!([hostile]), json!({ hostile.clone(): 1 })]),
            ),
            ("page", Value::Object(json!({ "title": hostile }))),
        ];
        let rendered = template().render(&values).unwrap();
        let whole = format!("template a\n\n{}", rendered.replace('{', "("));
        let names: Vec<String> = Template::parse(&whole)
            .unwrap()
            .sections
            .into_iter()
            .map(|it| it.name)
            .collect();
        names == ["task", "Results", "reading"] && rendered.lines().count() == 12
    }
    QuickCheck::new()
        .tests(TESTS)
        .quickcheck(law as fn(String, u8) -> bool);
}

#[test]
fn an_override_is_in_force_while_it_is_valid() {
    let own = |text: &str| {
        let mut overrides = Overrides::default();
        overrides.set(Name::Synthesis, Language::English, Some(text.to_owned()));
        let prompts = Prompts::new(Language::English, overrides);
        let question = [("question", Value::Words("Why?".to_owned()))];
        prompts.render(Name::Synthesis, &question).unwrap()
    };
    assert_eq!(
        own("<task>\nMind {{question}}.\n</task>"),
        "<task>\nMind \"Why?\".\n</task>"
    );
    let default = own("");
    assert!(
        default.starts_with("<task>\nAnswer the request \"Why?\""),
        "{default}"
    );
    for broken in ["Mind {{question}}.", "<task>\nMind {{q}}.\n</task>"] {
        assert_eq!(own(broken), default);
    }
}

#[test]
fn blank_lines_around_words_are_no_part_of_them() {
    for (content, words, before) in [
        ("", "", 1),
        (" \n\n", "", 3),
        ("\n a \r\n\nb\n \n", " a \n\nb", 1),
        ("a", "a", 0),
    ] {
        assert_eq!(
            trim_blank_lines(content),
            (words.to_owned(), before),
            "{content:?}"
        );
    }
}

#[test]
fn a_text_beyond_the_budget_of_a_system_is_told_by_what_it_costs_and_no_default_is() {
    assert_eq!(beyond_budget(&"字".repeat(1_000)), None);
    assert_eq!(beyond_budget(&"字".repeat(1_001)), Some(501));
    assert_eq!(beyond_budget(&"字".repeat(MOST_LETTERS)), Some(4_000));
    for name in Name::ALL {
        for language in Language::OF_PROMPTS {
            assert_eq!(beyond_budget(&default_body(name, language)), None);
        }
    }
}
