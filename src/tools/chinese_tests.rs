//! Errors of tools, as a model reads them that is spoken to in Chinese.

use super::tests::error_of;
use super::*;
use crate::host::sim::Sim;
use crate::model::{Language, Room};
use crate::page::ReadError;
use crate::prompts::{Overrides, Prompts};
use crate::retrieval::Retrieval;
use crate::web::{FetchError, Refusal};
use serde_json::json;

#[test]
#[expect(clippy::too_many_lines, reason = "a table, a row an error")]
fn every_error_has_its_words_in_chinese() {
    let prompts = Prompts::new(Language::Chinese, Overrides::default());
    let is_told = |english: &str| {
        let told = prompts.error(english);
        assert_ne!(told, english);
    };
    let message = || "x".to_owned();
    let refusal = || Refusal::Credentials;
    let unread = [
        FetchError::Refused(Refusal::NotAnAddress),
        FetchError::Refused(Refusal::Scheme { scheme: message() }),
        FetchError::Refused(refusal()),
        FetchError::Refused(Refusal::Private { host: message() }),
        FetchError::NotPermitted { origin: message() },
        FetchError::TurnedOff,
        FetchError::Unreachable { message: message() },
        FetchError::LedTo { refusal: refusal() },
        FetchError::Cut,
        FetchError::TooLarge { megabytes: 5 },
        FetchError::TimedOut { seconds: 28 },
        FetchError::NoText {
            declared: message(),
        },
        FetchError::NotShown { message: message() },
        FetchError::Read(ReadError::Empty),
        FetchError::Read(ReadError::Failed { message: message() }),
    ];
    for error in unread {
        is_told(&error.to_string());
    }
    for status in [401, 404, 418, 429, 503] {
        let error = FetchError::Status {
            status,
            retry_after_ms: None,
        };
        let told = prompts.error(&error.to_string());
        assert!(!told.contains('('), "{told}");
    }
    let group = Group::WebSearch;
    let known = || vec!["a".to_owned(), "b".to_owned()];
    let failed = [
        ToolError::Unknown {
            name: message(),
            known: known(),
        },
        ToolError::Unknown {
            name: message(),
            known: Vec::new(),
        },
        ToolError::NoResult {
            id: message(),
            known: known(),
            older: 0,
        },
        ToolError::NoResult {
            id: message(),
            known: known(),
            older: 4,
        },
        ToolError::NoResult {
            id: message(),
            known: Vec::new(),
            older: 0,
        },
        ToolError::NoPage,
        ToolError::TimedOut { seconds: 30 },
        ToolError::NotApproved,
        ToolError::TurnedOff { group },
        ToolError::NotPermitted {
            right: Right::Screenshot,
        },
        ToolError::NoImageModel,
        ToolError::Skipped,
        ToolError::InVain { error: message() },
        ToolError::GivenUp {
            of: message(),
            tries: 4,
            kinds: message(),
        },
        ToolError::OutcomeUnknown,
    ];
    for error in failed {
        is_told(&error.to_string());
    }
    for right in [
        Right::Screenshot,
        Right::Search {
            name: message(),
            origin: message(),
        },
        Right::Pages { origins: known() },
        Right::Image {
            description: message(),
            by: message(),
            cost: None,
        },
        Right::Memory(Unsaid::default()),
    ] {
        is_told(&right.to_string());
    }
    for kind in [
        ErrorKind::Validation,
        ErrorKind::NotFound,
        ErrorKind::Timeout,
        ErrorKind::Network,
        ErrorKind::RateLimit,
        ErrorKind::Refused,
        ErrorKind::Empty,
        ErrorKind::Other,
    ] {
        is_told(kind.advice());
    }
    // No field takes this.
    let wrong = json!({ "not": ["so"] });
    let every = all(&Sim::new(1).host(), &Study::here(Retrieval::with(None)));
    let toolbox = Toolbox::new(every.clone(), None, Room::of(None));
    for tool in every.iter() {
        let fields = tool.definition().parameters["properties"].clone();
        let fields = fields.as_object().unwrap().keys().cloned();
        for field in fields.chain(["other".to_owned()]) {
            let mut arguments = tool.definition().examples[1].clone();
            arguments[&field] = wrong.clone();
            match error_of(&toolbox, tool.name(), arguments) {
                error @ ToolError::Invalid { .. } => {
                    if let ToolError::Invalid { expected, .. } = &error {
                        is_told(expected);
                    }
                    is_told(&error.to_string());
                }
                other => panic!("{}.{field}: {other}", tool.name()),
            }
        }
    }
}
