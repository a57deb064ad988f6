//! Failures of model calls, in words: the cause, and what to do.

use crate::events::{Failure, System, SystemCommand, failure};
use gloss_model::phrase::{Phrase, in_units, phrase};
use gloss_model::{Awaited, Fault, ModelError, Server, ServerKind};

/// The value of `OLLAMA_ORIGINS` that makes Ollama accept requests of an extension.
const ORIGINS: &str = "chrome-extension://*";

impl Failure {
    /// Returns the failure of a model call.
    pub fn of_model(error: &ModelError) -> Self {
        match error {
            ModelError::NoPage => failure("page_empty"),
            ModelError::Failed { message } => failure("model_failed").remedy_with(message),
            ModelError::Server { server, fault, .. } => of_fault(server, fault),
        }
    }
}

fn of_fault(server: &Server, fault: &Fault) -> Failure {
    let named = |failure: Failure| failure.title_with(&server.name);
    match fault {
        Fault::BadAddress { url } => named(failure("model_bad_address")).remedy_with(url),
        Fault::NotPermitted { origin } => failure("model_not_permitted").title_with(origin),
        Fault::KeysLocked => failure("model_keys_locked").remedy_with(&server.name),
        Fault::KeyUnreadable { message } => {
            named(failure("model_key_unreadable")).remedy_with(message)
        }
        // A missing key and a wrong key share one code, because the interface offers the same
        // action for both.
        Fault::BadKey { status: None } => Failure {
            code: "model_bad_key".to_owned(),
            ..named(failure("model_no_key"))
        },
        Fault::BadKey {
            status: Some(status),
        } => named(failure("model_bad_key")).title_with(status),
        Fault::Forbidden { said } => named(forbidden(server, said.as_deref())),
        Fault::WrongAddress { url, status } => named(failure("model_wrong_address"))
            .title_with(status)
            .remedy_with(url),
        Fault::MissingModel => named(missing(server)).title_with(&server.model),
        Fault::Redirected => named(failure("model_redirected")),
        Fault::Unreachable => {
            let mut unreachable = named(failure("model_unreachable"));
            if server.kind == ServerKind::Ollama {
                unreachable.remedy = phrase("model_unreachable_ollama_remedy");
            }
            unreachable.remedy_with(&server.origin)
        }
        Fault::QuotaEmpty => named(failure("model_quota_empty")),
        Fault::RateLimited { retry_after_ms } => Failure {
            remedy: in_a_while(*retry_after_ms)
                .unwrap_or_else(|| phrase("model_rate_limited_later_remedy")),
            ..named(failure("model_rate_limited"))
        },
        Fault::ContextTooLong { .. } => failure("model_context_too_long").title_with(&server.model),
        Fault::Rejected { status, said } => {
            let plain = phrase("model_rejected_plain_title");
            quoting(
                coded(named(failure("model_rejected")), *status, plain),
                "model_said_remedy",
                said.as_deref(),
            )
        }
        Fault::Failing {
            status,
            said,
            retry_after_ms,
        } => {
            let plain = phrase("model_failing_plain_title");
            let failing = coded(named(failure("model_failing")), *status, plain);
            // The server's own message is more useful than the advice to wait for a short time.
            match in_a_while(retry_after_ms.filter(|ms| said.is_none() || *ms > 120_000)) {
                Some(remedy) => failing.with_remedy(remedy),
                None => quoting(failing, "model_failed_remedy", said.as_deref()),
            }
        }
        Fault::Unavailable => named(failure("model_unavailable")),
        Fault::DownloadNeeded => named(failure("model_download_needed")),
        Fault::Downloading => named(failure("model_downloading")),
        Fault::TimedOut { awaited, after_ms } => {
            let mut silent = named(failure("model_timed_out"));
            if *awaited == Awaited::NextWord {
                silent.remedy = phrase("model_stalled_remedy");
            }
            silent.title_with(&after_ms.div_ceil(1_000))
        }
        Fault::Nonsense { said } => quoting(
            named(failure("model_nonsense")),
            "model_nonsense_said_remedy",
            said.as_deref(),
        ),
        Fault::Cut => named(failure("model_cut")),
    }
}

/// Adds the HTTP status to the title. Without a status, `plain` becomes the title.
fn coded(failure: Failure, status: Option<u16>, plain: Phrase) -> Failure {
    match status {
        Some(status) => failure.title_with(&status),
        None => Failure {
            title: Phrase {
                args: failure.title.args,
                ..plain
            },
            ..failure
        },
    }
}

/// Returns the advice to retry later, with the wait in seconds, minutes or hours.
fn in_a_while(retry_after_ms: Option<u64>) -> Option<Phrase> {
    let seconds = retry_after_ms?.div_ceil(1_000);
    let units = [
        "model_rate_limited_remedy",
        "model_retry_minutes_remedy",
        "model_retry_hours_remedy",
    ];
    (seconds > 0).then(|| in_units(seconds, units))
}

/// Adds a remedy that quotes the server's message, if there is one.
fn quoting(failure: Failure, remedy: &'static str, said: Option<&str>) -> Failure {
    match said {
        Some(said) => failure.with_remedy(phrase(remedy).with(said.trim_end_matches('.'))),
        None => failure,
    }
}

fn forbidden(server: &Server, said: Option<&str>) -> Failure {
    let refused = failure("model_forbidden");
    if server.kind == ServerKind::Other {
        return quoting(refused, "model_said_remedy", said);
    }
    let command = |system, steps, text| SystemCommand {
        system: Some(system),
        steps: phrase(steps),
        text,
    };
    Failure {
        remedy: phrase("model_forbidden_ollama_remedy").with(&server.name),
        commands: vec![
            command(
                System::MacOs,
                "model_forbidden_ollama_macos",
                format!("launchctl setenv OLLAMA_ORIGINS \"{ORIGINS}\""),
            ),
            command(
                System::Windows,
                "model_forbidden_ollama_windows",
                format!("setx OLLAMA_ORIGINS \"{ORIGINS}\""),
            ),
            command(
                System::Linux,
                "model_forbidden_ollama_linux",
                format!("[Service]\nEnvironment=\"OLLAMA_ORIGINS={ORIGINS}\""),
            ),
        ],
        ..refused
    }
}

fn missing(server: &Server) -> Failure {
    let missing = failure("model_missing");
    if server.kind == ServerKind::Other {
        return missing;
    }
    Failure {
        remedy: phrase("model_missing_ollama_remedy"),
        commands: vec![SystemCommand {
            system: None,
            steps: phrase("model_missing_ollama_steps"),
            text: format!("ollama pull {}", server.model),
        }],
        ..missing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(kind: ServerKind) -> Server {
        Server {
            name: "Name".to_owned(),
            origin: "http://localhost:11434".to_owned(),
            model: "qwen3:8b".to_owned(),
            kind,
        }
    }

    fn all() -> Vec<Fault> {
        let said = || Some("Words.".to_owned());
        vec![
            Fault::BadAddress {
                url: "x".to_owned(),
            },
            Fault::NotPermitted {
                origin: "http://localhost:11434".to_owned(),
            },
            Fault::KeysLocked,
            Fault::KeyUnreadable {
                message: "m".to_owned(),
            },
            Fault::BadKey { status: None },
            Fault::BadKey { status: Some(401) },
            Fault::Forbidden { said: None },
            Fault::Forbidden { said: said() },
            Fault::WrongAddress {
                url: "http://localhost:11434/v1/chat/completions".to_owned(),
                status: 404,
            },
            Fault::MissingModel,
            Fault::Redirected,
            Fault::Unreachable,
            Fault::RateLimited {
                retry_after_ms: None,
            },
            Fault::RateLimited {
                retry_after_ms: Some(1_500),
            },
            Fault::RateLimited {
                retry_after_ms: Some(600_000),
            },
            Fault::Failing {
                status: Some(503),
                retry_after_ms: Some(86_400_000),
                said: None,
            },
            Fault::QuotaEmpty,
            Fault::ContextTooLong { said: said() },
            Fault::Rejected {
                status: None,
                said: None,
            },
            Fault::Rejected {
                status: Some(400),
                said: said(),
            },
            Fault::Failing {
                status: None,
                retry_after_ms: None,
                said: None,
            },
            Fault::Failing {
                status: Some(500),
                retry_after_ms: Some(1_000),
                said: said(),
            },
            Fault::TimedOut {
                awaited: Awaited::Head,
                after_ms: 300_000,
            },
            Fault::TimedOut {
                awaited: Awaited::NextWord,
                after_ms: 60_000,
            },
            Fault::Cut,
            Fault::Unavailable,
            Fault::DownloadNeeded,
            Fault::Downloading,
            Fault::Nonsense { said: None },
            Fault::Nonsense { said: said() },
        ]
    }

    /// Returns the text that a page shows for the phrase.
    fn resolved(messages: &serde_json::Value, phrase: &Phrase) -> String {
        let mut text = messages[&phrase.key]["message"]
            .as_str()
            .unwrap()
            .to_owned();
        for (place, argument) in phrase.args.iter().enumerate() {
            let name = format!("$A{}$", place + 1);
            assert!(text.contains(&name), "{} does not show {name}", phrase.key);
            text = text.replace(&name, argument);
        }
        assert!(!text.contains('$'), "{} wants more: {text}", phrase.key);
        text
    }

    #[test]
    fn every_fault_has_its_words_in_both_languages() {
        for (language, json) in [
            (
                "en",
                include_str!("../../../../extension/_locales/en/messages.json"),
            ),
            (
                "zh_CN",
                include_str!("../../../../extension/_locales/zh_CN/messages.json"),
            ),
        ] {
            let messages: serde_json::Value = serde_json::from_str(json).unwrap();
            let mut told = Vec::new();
            for kind in [ServerKind::Other, ServerKind::Ollama] {
                for fault in all() {
                    let failure = of_fault(&server(kind), &fault);
                    let mut lines = vec![
                        format!("## {}", resolved(&messages, &failure.title)),
                        resolved(&messages, &failure.remedy),
                    ];
                    for command in &failure.commands {
                        let steps = resolved(&messages, &command.steps);
                        lines.push(format!(
                            "{:?}: {steps}\n    {}",
                            command.system, command.text
                        ));
                    }
                    let text = lines.join("\n");
                    if !told.contains(&text) {
                        told.push(text);
                    }
                }
            }
            insta::assert_snapshot!(format!("words_{language}"), told.join("\n\n"));
        }
    }
}
