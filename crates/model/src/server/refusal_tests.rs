use super::*;

fn refusal(status: u16, body: &str) -> (Fault, Option<Feature>) {
    let refusal = Refusal {
        status,
        headers: &[],
        body: body.as_bytes(),
    };
    (refusal.fault("http://x/y", 0), refusal.refused_feature())
}

/// Messages that real servers sent.
#[test]
fn a_feature_that_is_refused_is_known_by_its_name() {
    let table = [
        (
            400,
            r#"{"error":{"message":"Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported.","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}"#,
            Some(Feature::Temperature),
        ),
        (
            400,
            r#"{"error":{"message":"registry.ollama.ai/library/gemma:2b does not support tools","type":"api_error","param":null,"code":null}}"#,
            Some(Feature::Tools),
        ),
        (
            400,
            r#"{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError","param":null,"code":400}"#,
            Some(Feature::Tools),
        ),
        (
            500,
            r#"{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}"#,
            Some(Feature::Tools),
        ),
        (
            404,
            r#"{"error":{"message":"No endpoints found that support tool use.","code":404}}"#,
            Some(Feature::Tools),
        ),
        (
            422,
            r#"{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted","input":{"include_usage":true}}]}"#,
            Some(Feature::UsageOption),
        ),
        (
            400,
            r#"{"error":"unknown field \"stream_options\""}"#,
            Some(Feature::UsageOption),
        ),
        (
            400,
            r#"{"error":{"message":"Invalid value: 'developer'. Supported values are: 'system', 'assistant', 'user'."}}"#,
            Some(Feature::DeveloperRole),
        ),
        (
            400,
            r#"{"error":{"message":"Streaming is not supported by this model.","param":"stream"}}"#,
            Some(Feature::Stream),
        ),
        (400, r#"{"error":{"message":"bad request"}}"#, None),
        (
            401,
            r#"{"error":{"message":"temperature unsupported"}}"#,
            None,
        ),
    ];
    for (status, body, feature) in table {
        assert_eq!(refusal(status, body).1, feature, "{body}");
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "one table")]
fn refusals_are_told_apart() {
    let said = |text: &str| Some(text.to_owned());
    let table = [
        (
            401,
            r#"{"error":{"message":"Incorrect API key provided"}}"#,
            Fault::BadKey { status: Some(401) },
        ),
        (
            400,
            r#"[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]"#,
            Fault::BadKey { status: Some(400) },
        ),
        (403, "", Fault::Forbidden { said: None }),
        (
            403,
            r#"{"error":"no"}"#,
            Fault::Forbidden { said: said("no") },
        ),
        (
            404,
            r#"{"error":{"message":"model \"qwen3:8b\" not found, try pulling it first","type":"api_error"}}"#,
            Fault::MissingModel,
        ),
        (
            404,
            r#"{"error":{"message":"The model `gpt-9` does not exist or you do not have access to it.","code":"model_not_found"}}"#,
            Fault::MissingModel,
        ),
        (
            404,
            "404 page not found",
            Fault::WrongAddress {
                url: "http://x/y".into(),
                status: 404,
            },
        ),
        (
            404,
            "<html>not found</html>",
            Fault::WrongAddress {
                url: "http://x/y".into(),
                status: 404,
            },
        ),
        (
            405,
            "",
            Fault::WrongAddress {
                url: "http://x/y".into(),
                status: 405,
            },
        ),
        (
            429,
            r#"{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","code":"insufficient_quota"}}"#,
            Fault::QuotaEmpty,
        ),
        (
            402,
            r#"{"error":{"message":"Insufficient credits"}}"#,
            Fault::QuotaEmpty,
        ),
        (
            429,
            r#"{"error":{"message":"Rate limit reached"}}"#,
            Fault::RateLimited {
                retry_after_ms: None,
            },
        ),
        (
            400,
            r#"{"error":{"message":"This model's maximum context length is 8192 tokens.","code":"context_length_exceeded"}}"#,
            Fault::ContextTooLong {
                said: said("This model's maximum context length is 8192 tokens."),
            },
        ),
        (
            400,
            r#"{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}"#,
            Fault::ContextTooLong {
                said: said("the request exceeds the available context size"),
            },
        ),
        (413, "", Fault::ContextTooLong { said: None }),
        (
            400,
            r#"{"message":"no"}"#,
            Fault::Rejected {
                status: Some(400),
                said: said("no"),
            },
        ),
        (
            503,
            r#"{"detail":"loading"}"#,
            Fault::Failing {
                status: Some(503),
                retry_after_ms: None,
                said: said("loading"),
            },
        ),
        (
            408,
            "",
            Fault::Failing {
                status: Some(408),
                retry_after_ms: None,
                said: None,
            },
        ),
        (
            529,
            "",
            Fault::Failing {
                status: Some(529),
                retry_after_ms: None,
                said: None,
            },
        ),
        (308, "", Fault::Redirected),
    ];
    for (status, body, fault) in table {
        assert_eq!(refusal(status, body).0, fault, "{status} {body}");
    }
}

#[test]
fn how_long_to_wait_comes_as_seconds_as_a_date_or_as_milliseconds() {
    type Headers = &'static [(&'static str, &'static str)];
    let table: [(Headers, Option<u64>); 6] = [
        (&[("retry-after", "20")], Some(20_000)),
        (&[("retry-after", "0.5")], Some(500)),
        (
            &[("retry-after", "Thu, 01 Jan 1970 00:00:30 GMT")],
            Some(20_000),
        ),
        (&[("retry-after", "Thu, 01 Jan 1970 00:00:01 GMT")], Some(0)),
        (
            &[("retry-after-ms", "1500"), ("retry-after", "2")],
            Some(1_500),
        ),
        (&[("retry-after", "soon")], None),
    ];
    for (headers, expected) in table {
        let headers: Vec<(String, String)> = headers
            .iter()
            .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
            .collect();
        let refusal = Refusal {
            status: 429,
            headers: &headers,
            body: b"",
        };
        assert_eq!(
            refusal.fault("", 10_000),
            Fault::RateLimited {
                retry_after_ms: expected
            }
        );
    }
}

#[test]
fn a_part_of_a_key_that_gives_it_away_is_blotted_out() {
    let key = "sk-canary-27182818284590452";
    for (text, expected) in [
        (
            "Incorrect API key: sk-canary-27182818284590452.",
            "Incorrect API key: •••.",
        ),
        (
            "No key begins sk-canary-2718281 here",
            "No key begins ••• here",
        ),
        ("It ends in 8284590452", "It ends in •••"),
        ("sk-canary and é sk-canary-27182818", "••• and é •••"),
        ("sk-***0452", "sk-***0452"),
        ("", ""),
    ] {
        assert_eq!(redact_key(text, key), expected, "{text}");
    }
    assert_eq!(redact_key("the key abc", "abc"), "the key •••");
    assert_eq!(redact_key("all of it", ""), "all of it");
}

#[test]
fn a_rate_limit_that_names_the_billing_page_is_a_rate_limit() {
    let body = r#"{"error":{"message":"Rate limit reached for model in organization on tokens per minute (TPM): Limit 6000. Please try again in 7.6s. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing","type":"tokens","code":"rate_limit_exceeded"}}"#;
    let (fault, _) = refusal(429, body);
    assert_eq!(
        fault,
        Fault::RateLimited {
            retry_after_ms: None
        }
    );
    let value: serde_json::Value = serde_json::from_str(body).unwrap();
    let within = within_stream(&value["error"]);
    assert!(matches!(within, Fault::RateLimited { .. }), "{within:?}");
}
