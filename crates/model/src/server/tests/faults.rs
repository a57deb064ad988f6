//! Tests of all faults, over the simulated network.

use super::*;
use crate::{Awaited, ServerKind};

#[test]
#[expect(clippy::too_many_lines, reason = "one table")]
fn each_failure_is_told_apart_and_asked_for_once() {
    let said = |text: &str| Some(text.to_owned());
    let json_error = |message: &str| json!({ "error": { "message": message } }).to_string();
    let unreachable = HttpError::Unreachable {
        message: "Failed to fetch".to_owned(),
    };
    let table: [(&str, Answer, Fault, bool); 17] = [
        (
            "bad key",
            Answer::status(401).send(json_error("Incorrect API key")),
            Fault::BadKey { status: Some(401) },
            false,
        ),
        (
            "forbidden",
            Answer::status(403),
            Fault::Forbidden { said: None },
            false,
        ),
        (
            "wrong address",
            Answer::status(404).send("404 page not found"),
            Fault::WrongAddress {
                url: format!("{ORIGIN}/v1/chat/completions"),
                status: 404,
            },
            false,
        ),
        (
            "missing model",
            Answer::status(404).send(json_error("model \"m-1\" not found")),
            Fault::MissingModel,
            false,
        ),
        (
            "refused connection",
            Answer::refuse(unreachable),
            Fault::Unreachable,
            false,
        ),
        (
            "redirected",
            Answer::refuse(HttpError::Redirected),
            Fault::Redirected,
            false,
        ),
        (
            "not permitted after all",
            Answer::refuse(HttpError::NotPermitted {
                origin: "x".to_owned(),
            }),
            Fault::NotPermitted {
                origin: ORIGIN.to_owned(),
            },
            false,
        ),
        (
            "rate",
            Answer::status(429).header("retry-after", "7"),
            Fault::RateLimited {
                retry_after_ms: Some(7_000),
            },
            true,
        ),
        (
            "quota",
            Answer::status(429).send(r#"{"error":{"code":"insufficient_quota"}}"#),
            Fault::QuotaEmpty,
            false,
        ),
        (
            "too late",
            Answer::status(408),
            Fault::Failing {
                status: Some(408),
                retry_after_ms: None,
                said: None,
            },
            true,
        ),
        (
            "server error",
            Answer::status(500).send(json_error("boom")),
            Fault::Failing {
                status: Some(500),
                retry_after_ms: None,
                said: said("boom"),
            },
            true,
        ),
        (
            "overloaded",
            Answer::status(503).header("retry-after", "1"),
            Fault::Failing {
                status: Some(503),
                retry_after_ms: Some(1_000),
                said: None,
            },
            true,
        ),
        (
            "too long",
            Answer::status(400).send(json_error("maximum context length")),
            Fault::ContextTooLong {
                said: said("maximum context length"),
            },
            false,
        ),
        (
            "another",
            Answer::status(400).send(json_error("no")),
            Fault::Rejected {
                status: Some(400),
                said: said("no"),
            },
            false,
        ),
        (
            "a page to log in",
            Answer::status(200).send("<html>\n<title>Log in"),
            Fault::Nonsense {
                said: said("<html> <title>Log in"),
            },
            false,
        ),
        (
            "cut by abort",
            Answer::status(200).send(content("Two")).cut(),
            Fault::Cut,
            true,
        ),
        (
            "cut by a clean end",
            Answer::status(200).send(content("Two")),
            Fault::Cut,
            true,
        ),
    ];
    for (name, answer, expected, retryable) in table {
        let (result, requests) = answered(profile(), answer);
        assert_eq!(fault(&result), &expected, "{name}");
        assert_eq!(requests, 1, "{name}");
        let error = result.unwrap_err();
        assert_eq!(error.is_retryable(), retryable, "{name}");
        assert_eq!(error.retry_after_ms(), expected.retry_after_ms(), "{name}");
        let ModelError::Server {
            server, partial, ..
        } = &error
        else {
            panic!()
        };
        assert_eq!(
            (server.name.as_str(), server.origin.as_str(), server.kind),
            ("Example", ORIGIN, ServerKind::Other)
        );
        assert_eq!(
            partial,
            if expected == Fault::Cut { "Two" } else { "" },
            "{name}"
        );
        // An error that was recorded in a journal is read back unchanged.
        let json = serde_json::to_string(&error).unwrap();
        assert_eq!(
            serde_json::from_str::<ModelError>(&json).unwrap(),
            error,
            "{name}"
        );
    }
}

#[test]
fn without_permission_nothing_is_sent() {
    let sim = Sim::new(1);
    sim.serve(|_, _| well("Two."));
    let model = model(&sim, profile(), CANARY);
    sim.revoke(ORIGIN);
    let (result, _) = ask(&sim, &model, &request());
    assert_eq!(
        fault(&result),
        &Fault::NotPermitted {
            origin: ORIGIN.to_owned()
        }
    );
    assert_eq!(sim.requests().len(), 0);
    sim.grant(ORIGIN);
    assert_eq!(ask(&sim, &model, &request()).0.unwrap().text, "Two.");
}

#[test]
fn an_address_or_a_key_that_cannot_be_one_is_sent_nowhere() {
    let sim = Sim::new(1);
    let nowhere = Profile {
        base_url: "localhost".to_owned(),
        ..profile()
    };
    let (result, _) = ask(&sim, &model(&sim, nowhere, ""), &request());
    assert_eq!(
        fault(&result),
        &Fault::BadAddress {
            url: "localhost".to_owned()
        }
    );
    for key in ["密钥", "sk-a\nb", "sk a"] {
        let (result, _) = ask(&sim, &model(&sim, profile(), key), &request());
        assert_eq!(fault(&result), &Fault::BadKey { status: None });
        assert!(!format!("{result:?}").contains(key));
    }
    let mut unreadable = model(&sim, profile(), CANARY);
    unreadable.secrets = Rc::new(Keys(RefCell::default(), Some(StoreError::Full)));
    let (result, _) = ask(&sim, &unreadable, &request());
    assert!(matches!(fault(&result), Fault::KeyUnreadable { .. }));
    assert_eq!(sim.requests().len(), 0);
}

#[test]
fn a_key_that_was_given_for_another_server_is_not_sent() {
    // After the run began, the profile got another server and a new key.
    for (given_for, sent) in [
        (ORIGIN, true),
        ("https://new.example", false),
        ("http://api.example", false),
        ("https://api.example:444", false),
    ] {
        let sim = Sim::new(1);
        sim.serve(|_, _| well("Two."));
        let mut model = model(&sim, profile(), "");
        let vault = sim.host().secrets;
        model.secrets = vault.clone();
        let kept = vault.put("p1", given_for, Secret::new(CANARY));
        sim.life(u64::MAX, kept).unwrap().unwrap();
        ask(&sim, &model, &request()).0.unwrap();
        let headers = format!("{:?}", sim.requests()[0].headers);
        assert_eq!(headers.contains(CANARY), sent, "{given_for}");
    }
}

#[test]
fn ollama_is_known_for_its_own_remedies() {
    for (name, answer, expected) in [
        ("403", Answer::status(403), Fault::Forbidden { said: None }),
        (
            "404",
            Answer::status(404).send(
                r#"{"error":{"message":"model \"qwen3:8b\" not found, try pulling it first"}}"#,
            ),
            Fault::MissingModel,
        ),
    ] {
        let (result, _) = answered(ollama(), answer);
        assert_eq!(fault(&result), &expected, "{name}");
        let Err(ModelError::Server { server, .. }) = result else {
            panic!()
        };
        assert_eq!(
            (server.kind, server.model.as_str()),
            (ServerKind::Ollama, "qwen3:8b")
        );
    }
}

#[test]
fn a_key_that_a_server_echoes_is_blotted_out() {
    let long = "x".repeat(300);
    for status in [200, 400, 401, 403, 404, 413, 429, 500] {
        for body in [
            json!({ "error": { "message": format!("{CANARY} is no key; Bearer {CANARY}"), "param": CANARY } }).to_string(),
            json!({ "error": format!("{}{CANARY}{long}", "y".repeat(195)) }).to_string(),
            format!("plain {CANARY} {long}"),
            format!("data: {}\n\n", json!({ "error": { "message": CANARY } })),
        ] {
            let (result, _) = answered(profile(), Answer::status(status).send(body));
            let error = result.unwrap_err();
            let stored = serde_json::to_string(&error).unwrap();
            let told = format!("{error:?} {error} {stored}");
            assert!(!told.contains("canary"), "{told}");
            let told = format!("{error} {stored}");
            let quoted = told.split('"').map(|part| part.chars().count()).max().unwrap_or_default();
            assert!(quoted <= 201 + 60, "{quoted}: {told}");
        }
    }
}

#[test]
fn silence_has_its_limits() {
    let minutes = |minutes: u64| minutes * 60_000;
    let late = |ms| Answer::status(200).head_after(ms);
    let table = [
        (
            "a head after 2 min",
            late(minutes(2)).send(content("Two.")).send(DONE),
            None,
        ),
        (
            "a first word after 4 min",
            late(0).wait(minutes(4)).send(content("Two.")).send(DONE),
            None,
        ),
        (
            "signs of life",
            late(0)
                .send(": still here\n\n")
                .wait(minutes(2))
                .send(": still here\n\n")
                .wait(minutes(2))
                .send(content("Two."))
                .send(DONE),
            None,
        ),
        (
            "a head after 6 min",
            late(minutes(6)).send(DONE),
            Some((Awaited::Head, 300_000)),
        ),
        (
            "a first word after 6 min",
            late(0).wait(minutes(6)).send(DONE),
            Some((Awaited::FirstWord, 300_000)),
        ),
        (
            "a next word after 50 s",
            late(0)
                .send(content("Two"))
                .wait(50_000)
                .send(content("."))
                .send(DONE),
            None,
        ),
        (
            "a next word after 70 s",
            late(0).send(content("Two")).wait(70_000).send(DONE),
            Some((Awaited::NextWord, 60_000)),
        ),
    ];
    for (name, answer, expected) in table {
        let (result, requests) = answered(profile(), answer);
        assert_eq!(requests, 1, "{name}");
        match expected {
            None => assert_eq!(result.unwrap().text, "Two.", "{name}"),
            Some((awaited, after_ms)) => {
                assert_eq!(
                    fault(&result),
                    &Fault::TimedOut { awaited, after_ms },
                    "{name}"
                );
                let again = result.unwrap_err().is_retryable();
                assert_eq!(again, awaited == Awaited::NextWord, "{name}");
            }
        }
    }
}
