//! A model that did not answer, in words: who refused what, why, and what to do.

use crate::events::{Failure, System, SystemCommand, failure};
use gloss_model::phrase::{Phrase, in_units, phrase};
use gloss_model::{Awaited, Fault, ModelError, Server, ServerKind};

/// What Ollama is to be told, so that it answers an extension.
const ORIGINS: &str = "chrome-extension://*";

impl Failure {
    /// A model that did not answer.
    pub fn of_model(error: &ModelError) -> Self {
        match error {
            ModelError::NoPage => failure("page_empty"),
            ModelError::Failed { message } => Self::told(
                "model_failed",
                phrase("model_failed_title"),
                phrase("model_failed_remedy").with(message),
            ),
            ModelError::Server { server, fault, .. } => of_fault(server, fault),
        }
    }

    fn told(code: &str, title: Phrase, remedy: Phrase) -> Self {
        Self {
            code: code.to_owned(),
            title,
            remedy,
            recoverable: true,
            commands: Vec::new(),
        }
    }

    fn with_commands(self, commands: Vec<SystemCommand>) -> Self {
        Self { commands, ..self }
    }
}

#[expect(clippy::too_many_lines, reason = "one arm a fault, all of them here")]
fn of_fault(server: &Server, fault: &Fault) -> Failure {
    let named = |title: &'static str| phrase(title).with(&server.name);
    let coded = |with: &'static str, without: &'static str, status: Option<u16>| match status {
        Some(status) => named(with).with(&status),
        None => named(without),
    };
    match fault {
        Fault::BadAddress { url } => Failure::told(
            "model_bad_address",
            named("model_bad_address_title"),
            phrase("model_bad_address_remedy").with(url),
        ),
        Fault::NotPermitted { origin } => Failure::told(
            "model_not_permitted",
            phrase("model_not_permitted_title").with(origin),
            phrase("model_not_permitted_remedy"),
        ),
        Fault::KeysLocked => Failure::told(
            "model_keys_locked",
            phrase("model_keys_locked_title"),
            phrase("model_keys_locked_remedy").with(&server.name),
        ),
        Fault::KeyUnreadable { message } => Failure::told(
            "model_key_unreadable",
            named("model_key_unreadable_title"),
            phrase("model_key_unreadable_remedy").with(message),
        ),
        Fault::BadKey { status: None } => Failure::told(
            "model_bad_key",
            named("model_no_key_title"),
            phrase("model_no_key_remedy"),
        ),
        Fault::BadKey {
            status: Some(status),
        } => Failure::told(
            "model_bad_key",
            named("model_bad_key_title").with(status),
            phrase("model_bad_key_remedy"),
        ),
        Fault::Forbidden { said } => forbidden(server, said.as_deref()),
        Fault::WrongAddress { url, status } => Failure::told(
            "model_wrong_address",
            named("model_wrong_address_title").with(status),
            phrase("model_wrong_address_remedy").with(url),
        ),
        Fault::MissingModel => missing(server),
        Fault::Redirected => Failure::told(
            "model_redirected",
            named("model_redirected_title"),
            phrase("model_redirected_remedy"),
        ),
        Fault::Unreachable => Failure::told(
            "model_unreachable",
            named("model_unreachable_title"),
            match server.kind {
                ServerKind::Ollama => phrase("model_unreachable_ollama_remedy"),
                ServerKind::Other => phrase("model_unreachable_remedy"),
            }
            .with(&server.origin),
        ),
        Fault::QuotaEmpty => Failure::told(
            "model_quota_empty",
            named("model_quota_empty_title"),
            phrase("model_quota_empty_remedy"),
        ),
        Fault::RateLimited { retry_after_ms } => Failure::told(
            "model_rate_limited",
            named("model_rate_limited_title"),
            in_a_while(*retry_after_ms)
                .unwrap_or_else(|| phrase("model_rate_limited_later_remedy")),
        ),
        Fault::ContextTooLong { .. } => Failure::told(
            "model_context_too_long",
            phrase("model_context_too_long_title").with(&server.model),
            phrase("model_context_too_long_remedy"),
        ),
        Fault::Rejected { status, said } => Failure::told(
            "model_rejected",
            coded(
                "model_rejected_title",
                "model_rejected_plain_title",
                *status,
            ),
            quoting(
                "model_said_remedy",
                "model_rejected_remedy",
                said.as_deref(),
            ),
        ),
        Fault::Failing {
            status,
            said,
            retry_after_ms,
        } => Failure::told(
            "model_failing",
            coded("model_failing_title", "model_failing_plain_title", *status),
            // Its words are worth more than a wait that is soon over.
            in_a_while(retry_after_ms.filter(|ms| said.is_none() || *ms > 120_000)).unwrap_or_else(
                || {
                    quoting(
                        "model_failed_remedy",
                        "model_failing_remedy",
                        said.as_deref(),
                    )
                },
            ),
        ),
        Fault::Unavailable => Failure::told(
            "model_unavailable",
            named("model_unavailable_title"),
            phrase("model_unavailable_remedy"),
        ),
        Fault::DownloadNeeded => Failure::told(
            "model_download_needed",
            named("model_download_needed_title"),
            phrase("model_download_needed_remedy"),
        ),
        Fault::Downloading => Failure::told(
            "model_downloading",
            named("model_downloading_title"),
            phrase("model_downloading_remedy"),
        ),
        Fault::TimedOut { awaited, after_ms } => Failure::told(
            "model_timed_out",
            named("model_timed_out_title").with(&after_ms.div_ceil(1_000)),
            match awaited {
                Awaited::Head | Awaited::FirstWord => phrase("model_timed_out_remedy"),
                Awaited::NextWord => phrase("model_stalled_remedy"),
            },
        ),
        Fault::Nonsense { said } => Failure::told(
            "model_nonsense",
            named("model_nonsense_title"),
            quoting(
                "model_nonsense_said_remedy",
                "model_nonsense_remedy",
                said.as_deref(),
            ),
        ),
        Fault::Cut => Failure::told(
            "model_cut",
            named("model_cut_title"),
            phrase("model_cut_remedy"),
        ),
    }
}

/// When to try again, in the unit that people would say it in.
fn in_a_while(retry_after_ms: Option<u64>) -> Option<Phrase> {
    let seconds = retry_after_ms?.div_ceil(1_000);
    let units = [
        "model_rate_limited_remedy",
        "model_retry_minutes_remedy",
        "model_retry_hours_remedy",
    ];
    (seconds > 0).then(|| in_units(seconds, units))
}

fn quoting(with: &'static str, without: &'static str, said: Option<&str>) -> Phrase {
    match said {
        Some(said) => phrase(with).with(said.trim_end_matches('.')),
        None => phrase(without),
    }
}

fn forbidden(server: &Server, said: Option<&str>) -> Failure {
    let title = phrase("model_forbidden_title").with(&server.name);
    let told = |remedy| Failure::told("model_forbidden", title, remedy);
    match server.kind {
        ServerKind::Ollama => told(phrase("model_forbidden_ollama_remedy").with(&server.name))
            .with_commands(vec![
                SystemCommand {
                    system: Some(System::MacOs),
                    steps: phrase("model_forbidden_ollama_macos"),
                    text: format!("launchctl setenv OLLAMA_ORIGINS \"{ORIGINS}\""),
                },
                SystemCommand {
                    system: Some(System::Windows),
                    steps: phrase("model_forbidden_ollama_windows"),
                    text: format!("setx OLLAMA_ORIGINS \"{ORIGINS}\""),
                },
                SystemCommand {
                    system: Some(System::Linux),
                    steps: phrase("model_forbidden_ollama_linux"),
                    text: format!("[Service]\nEnvironment=\"OLLAMA_ORIGINS={ORIGINS}\""),
                },
            ]),
        ServerKind::Other => told(quoting("model_said_remedy", "model_forbidden_remedy", said)),
    }
}

fn missing(server: &Server) -> Failure {
    let title = phrase("model_missing_title")
        .with(&server.name)
        .with(&server.model);
    let told = |remedy| Failure::told("model_missing", title, remedy);
    match server.kind {
        ServerKind::Ollama => {
            told(phrase("model_missing_ollama_remedy")).with_commands(vec![SystemCommand {
                system: None,
                steps: phrase("model_missing_ollama_steps"),
                text: format!("ollama pull {}", server.model),
            }])
        }
        ServerKind::Other => told(phrase("model_missing_remedy")),
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

    /// As a page resolves it.
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
