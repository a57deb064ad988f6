//! Tests of all dialects over the simulated network.

use super::*;

/// The shortest answer in each dialect.
fn well_in(api: Api) -> Answer {
    let body = match api {
        Api::ChatCompletions => return well("Two."),
        Api::Responses => events(&[
            json!({ "type": "response.output_text.delta", "delta": "Two." }),
            json!({ "type": "response.completed", "response": {} }),
        ]),
        Api::Messages => events(&[
            json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "text", "text": "Two." } }),
            json!({ "type": "message_stop" }),
        ]),
        Api::Gemini => event(
            &json!({ "candidates": [{ "content": { "parts": [{ "text": "Two." }] }, "finishReason": "STOP" }] }),
        ),
        Api::Ollama => lines(&[json!({ "message": { "content": "Two." }, "done": true })]),
    };
    Answer::status(200).send(body)
}

/// The shortest answer with its usage: `read` input tokens and `written` output tokens.
fn counted_in(api: Api, read: u32, written: u32) -> Answer {
    let body = match api {
        Api::ChatCompletions => [
            content("Two."),
            finished("stop"),
            event(
                &json!({ "choices": [], "usage": { "prompt_tokens": read, "completion_tokens": written } }),
            ),
            DONE.to_owned(),
        ]
        .concat(),
        Api::Responses => events(&[
            json!({ "type": "response.output_text.delta", "delta": "Two." }),
            json!({ "type": "response.completed", "response": { "usage": { "input_tokens": read, "output_tokens": written } } }),
        ]),
        Api::Messages => events(&[
            json!({ "type": "message_start", "message": { "usage": { "input_tokens": read, "output_tokens": 1 } } }),
            json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "text", "text": "Two." } }),
            json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": { "output_tokens": written } }),
            json!({ "type": "message_stop" }),
        ]),
        Api::Gemini => event(
            &json!({ "candidates": [{ "content": { "parts": [{ "text": "Two." }] }, "finishReason": "STOP" }], "usageMetadata": { "promptTokenCount": read, "candidatesTokenCount": written } }),
        ),
        Api::Ollama => lines(&[
            json!({ "message": { "content": "Two." }, "done": true, "prompt_eval_count": read, "eval_count": written }),
        ]),
    };
    Answer::status(200).send(body)
}

const APIS: [Api; 5] = [
    Api::ChatCompletions,
    Api::Responses,
    Api::Messages,
    Api::Gemini,
    Api::Ollama,
];

#[test]
fn the_sum_of_calls_is_what_the_provider_reports() {
    for api in APIS {
        let (mut read, mut written) = (0, 0);
        let calls = [(11, 3), (1_200, 41), (95_000, 2_048)];
        for (input, output) in calls {
            let profile = Profile { api, ..profile() };
            let (result, requests) = answered(profile, counted_in(api, input, output));
            let usage = result.unwrap().usage;
            read += usage.input_tokens;
            written += usage.output_tokens;
            assert_eq!(requests, 1, "{api:?}");
        }
        assert_eq!((read, written), (96_211, 2_092), "{api:?}");
    }
}

#[test]
fn a_reply_that_breaks_off_says_what_it_had_used() {
    let begun = |input: u32| {
        events(&[
            json!({ "type": "message_start", "message": { "usage": { "input_tokens": input, "output_tokens": 1 } } }),
            json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "text", "text": "" } }),
            json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": "The tide rises because" } }),
        ])
    };
    let failed = |api, body: String| {
        let profile = Profile { api, ..profile() };
        let (result, _) = answered(profile, Answer::status(200).send(body));
        result.unwrap_err()
    };
    let used = |api, body: String| {
        let error = failed(api, body);
        assert_eq!(fault(&Err(error.clone())), &Fault::Cut, "{api:?}");
        error.used()
    };
    // The counts that the server reported are used.
    let counted = used(Api::Messages, begun(1_234));
    assert_eq!(counted.input_tokens, 1_234);
    // Counts that are missing are estimated.
    let estimated = used(Api::ChatCompletions, content("The tide rises because"));
    assert!(estimated.input_tokens > 20, "{estimated:?}");
    assert!((3..12).contains(&estimated.output_tokens), "{estimated:?}");
    // Nothing arrived, so nothing is charged.
    let nothing = failed(Api::ChatCompletions, ": alive\n\n".to_owned());
    assert_eq!(nothing.used(), Usage::default());
}

#[test]
fn the_key_stands_in_its_header_and_nowhere_else() {
    for (api, endpoint, header, value) in [
        (
            Api::ChatCompletions,
            "/chat/completions",
            "authorization",
            format!("Bearer {CANARY}"),
        ),
        (
            Api::Responses,
            "/responses",
            "authorization",
            format!("Bearer {CANARY}"),
        ),
        (Api::Messages, "/messages", "x-api-key", CANARY.to_owned()),
        (
            Api::Gemini,
            "/models/m-1:streamGenerateContent?alt=sse",
            "x-goog-api-key",
            CANARY.to_owned(),
        ),
        (
            Api::Ollama,
            "/api/chat",
            "authorization",
            format!("Bearer {CANARY}"),
        ),
    ] {
        for key in [CANARY, ""] {
            let sim = Sim::new(1);
            sim.serve(move |_, _| well_in(api));
            let model = model(&sim, profile_of(api), key);
            assert_eq!(
                ask(&sim, &model, &request()).0.unwrap().text,
                "Two.",
                "{api:?}"
            );
            let sent = sim.requests().remove(0);
            assert_eq!(sent.url, format!("{ORIGIN}/v1{endpoint}"));
            assert!(!sent.body.unwrap().contains(CANARY));
            let mut headers = sent.headers.into_iter();
            let with_key = headers.by_ref().find(|(_, value)| value.contains(CANARY));
            let expected = (!key.is_empty()).then(|| (header.to_owned(), value.clone()));
            assert_eq!(with_key, expected, "{api:?}");
            assert!(!headers.any(|(_, value)| value.contains(CANARY)));
        }
    }
}

#[test]
fn an_address_that_goes_on_to_the_endpoint_means_the_same() {
    for (api, base, url) in [
        (
            Api::Responses,
            "https://api.openai.com/v1/responses",
            "https://api.openai.com/v1/responses",
        ),
        (
            Api::Messages,
            "https://api.anthropic.com/v1/messages/",
            "https://api.anthropic.com/v1/messages",
        ),
        (
            Api::Gemini,
            "https://generativelanguage.googleapis.com/v1beta/models",
            "https://generativelanguage.googleapis.com/v1beta/models/m:streamGenerateContent?alt=sse",
        ),
        (
            Api::Ollama,
            "http://localhost:11434/api/chat",
            "http://localhost:11434/api/chat",
        ),
        (
            Api::Ollama,
            "http://localhost:11434/api",
            "http://localhost:11434/api/chat",
        ),
        (
            Api::Ollama,
            "http://localhost:11434",
            "http://localhost:11434/api/chat",
        ),
    ] {
        let dialect = dialect_of(api);
        let address = Address::of(base, dialect).unwrap();
        let shape = Shape::of(&profile(), false);
        assert_eq!(address.at(&dialect.endpoint("m", &shape)), url);
    }
}

#[test]
fn a_profile_of_before_speaks_chat_completions() {
    for (api, name) in APIS.into_iter().zip([
        "chat_completions",
        "responses",
        "messages",
        "gemini",
        "ollama",
    ]) {
        assert_eq!(serde_json::to_value(api).unwrap(), name);
    }
    let mut json = serde_json::to_value(profile()).unwrap();
    json.as_object_mut().unwrap().remove("api");
    let read: Profile = serde_json::from_value(json).unwrap();
    assert_eq!(read.api, Api::ChatCompletions);
}

#[test]
#[expect(clippy::too_many_lines, reason = "one table")]
fn each_provider_s_own_errors_are_told_apart() {
    let said = |text: &str| Some(text.to_owned());
    let anthropic = |kind: &str, words: &str| {
        json!({ "type": "error", "error": { "type": kind, "message": words }, "request_id": "req_1" }).to_string()
    };
    let google = |code: u16, status: &str, words: &str, details: Value| {
        json!({ "error": { "code": code, "message": words, "status": status, "details": details } })
            .to_string()
    };
    let exhausted = |quota: &str| {
        google(
            429,
            "RESOURCE_EXHAUSTED",
            "You exceeded your current quota, please check your plan and billing details.",
            json!([
                { "@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{ "quotaId": quota }] },
                { "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34s" },
            ]),
        )
    };
    let openai = |words: &str, code: &str| {
        json!({ "error": { "message": words, "type": "invalid_request_error", "param": null, "code": code } }).to_string()
    };
    let failing = |status, words: &str| Fault::Failing {
        status: Some(status),
        retry_after_ms: None,
        said: said(words),
    };
    let rejected = |words: &str| Fault::Rejected {
        status: Some(400),
        said: said(words),
    };
    let too_long = |words: &str| Fault::ContextTooLong { said: said(words) };
    let bad_key = |status| Fault::BadKey {
        status: Some(status),
    };
    let overlong = "prompt is too long: 210000 tokens > 200000 maximum";
    let count =
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).";
    let anonymous = "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.";
    let abroad = "User location is not supported for the API use.";
    let poor = "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.";
    for (api, status, body, expected) in [
        (
            Api::Messages,
            401,
            anthropic("authentication_error", "invalid x-api-key"),
            bad_key(401),
        ),
        (
            Api::Messages,
            403,
            anthropic("permission_error", "no"),
            Fault::Forbidden { said: said("no") },
        ),
        (
            Api::Messages,
            404,
            anthropic("not_found_error", "model: m-1"),
            Fault::MissingModel,
        ),
        (
            Api::Messages,
            400,
            anthropic("invalid_request_error", poor),
            Fault::QuotaEmpty,
        ),
        (
            Api::Messages,
            402,
            anthropic("billing_error", "no"),
            Fault::QuotaEmpty,
        ),
        (
            Api::Messages,
            400,
            anthropic("invalid_request_error", overlong),
            too_long(overlong),
        ),
        (
            Api::Messages,
            413,
            anthropic("request_too_large", "no"),
            too_long("no"),
        ),
        (
            Api::Messages,
            429,
            anthropic(
                "rate_limit_error",
                "This request would exceed your organization's rate limit of 40,000 input tokens per minute.",
            ),
            Fault::RateLimited {
                retry_after_ms: None,
            },
        ),
        (
            Api::Messages,
            500,
            anthropic("api_error", "Internal server error"),
            failing(500, "Internal server error"),
        ),
        (
            Api::Messages,
            504,
            anthropic("timeout_error", "slow"),
            failing(504, "slow"),
        ),
        (
            Api::Messages,
            529,
            anthropic("overloaded_error", "Overloaded"),
            failing(529, "Overloaded"),
        ),
        (
            Api::Gemini,
            400,
            google(
                400,
                "INVALID_ARGUMENT",
                "API key not valid. Please pass a valid API key.",
                json!([]),
            ),
            bad_key(400),
        ),
        (
            Api::Gemini,
            403,
            google(403, "PERMISSION_DENIED", anonymous, json!([])),
            bad_key(403),
        ),
        (
            Api::Gemini,
            400,
            google(400, "FAILED_PRECONDITION", abroad, json!([])),
            rejected(abroad),
        ),
        (
            Api::Gemini,
            404,
            google(
                404,
                "NOT_FOUND",
                "models/m-1 is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.",
                json!([]),
            ),
            Fault::MissingModel,
        ),
        (
            Api::Gemini,
            400,
            google(400, "INVALID_ARGUMENT", count, json!([])),
            too_long(count),
        ),
        (
            Api::Gemini,
            429,
            exhausted("GenerateRequestsPerDayPerProjectPerModel-FreeTier"),
            Fault::QuotaEmpty,
        ),
        (
            Api::Gemini,
            429,
            exhausted("GenerateRequestsPerMinutePerProjectPerModel-FreeTier"),
            Fault::RateLimited {
                retry_after_ms: Some(34_000),
            },
        ),
        (
            Api::Gemini,
            503,
            google(
                503,
                "UNAVAILABLE",
                "The model is overloaded. Please try again later.",
                json!([]),
            ),
            failing(503, "The model is overloaded. Please try again later."),
        ),
        (
            Api::Responses,
            401,
            openai("Incorrect API key provided: sk-***", "invalid_api_key"),
            bad_key(401),
        ),
        (
            Api::Responses,
            429,
            openai("You exceeded your current quota", "insufficient_quota"),
            Fault::QuotaEmpty,
        ),
        (
            Api::Responses,
            404,
            openai(
                "The model `m-1` does not exist or you do not have access to it.",
                "model_not_found",
            ),
            Fault::MissingModel,
        ),
        (
            Api::Responses,
            400,
            openai(
                "Your input exceeds the context window of this model.",
                "context_length_exceeded",
            ),
            too_long("Your input exceeds the context window of this model."),
        ),
        (
            Api::Ollama,
            404,
            json!({ "error": "model 'm-1' not found" }).to_string(),
            Fault::MissingModel,
        ),
        (
            Api::Ollama,
            403,
            String::new(),
            Fault::Forbidden { said: None },
        ),
        (
            Api::Ollama,
            500,
            json!({ "error": "llama runner process has terminated" }).to_string(),
            failing(500, "llama runner process has terminated"),
        ),
    ] {
        let (result, requests) =
            answered(profile_of(api), Answer::status(status).send(body.clone()));
        assert_eq!((fault(&result), requests), (&expected, 1), "{body}");
    }
    let (result, _) = answered(profile_of(Api::Ollama), Answer::status(403));
    let Err(ModelError::Server { server, .. }) = result else {
        panic!()
    };
    assert_eq!(server.kind, crate::ServerKind::Ollama);
}

#[test]
fn what_a_provider_refuses_is_left_out() {
    for (api, part, words) in [
        (
            Api::Messages,
            "\"output_config\":",
            "output_config.format: Extra inputs are not permitted",
        ),
        (
            Api::Messages,
            "\"thinking\":",
            "messages.1.content.0: Invalid `signature` in `thinking` block",
        ),
        (
            Api::Gemini,
            "\"tools\":",
            "Function calling is not enabled for models/m-1",
        ),
        (
            Api::Gemini,
            "\"responseSchema\":",
            "Unknown name \"responseSchema\" at 'generation_config': Cannot find field.",
        ),
        (
            Api::Gemini,
            "\"thoughtSignature\":",
            "Thought signature is not valid.",
        ),
        (
            Api::Responses,
            "\"include\":",
            "Encrypted content is not supported with this model.",
        ),
        (
            Api::Responses,
            "\"temperature\":",
            "Unsupported parameter: 'temperature' is not supported with this model.",
        ),
        (
            Api::Ollama,
            "\"tools\":",
            "registry.ollama.ai/library/gemma:2b does not support tools",
        ),
    ] {
        let sim = Sim::new(5);
        sim.serve(move |sent, _| {
            if sent.body.as_deref().unwrap_or_default().contains(part) {
                let error = json!({ "error": { "type": "invalid_request_error", "status": "INVALID_ARGUMENT", "message": words } });
                return Answer::status(400).send(error.to_string());
            }
            well_in(api)
        });
        let mut request = requests::rich(api);
        request.schema = Some(Rc::new(Schema {
            name: "grading".to_owned(),
            schema: json!({ "type": "object" }),
        }));
        let model = model(&sim, profile_of(api), CANARY);
        let reply = ask(&sim, &model, &request).0;
        assert_eq!(reply.unwrap().text, "Two.", "{api:?} {part}");
        assert_eq!(sim.requests().len(), 2, "{api:?} {part}");
    }
}

#[test]
fn every_list_of_models_is_read() {
    for (api, url, body, names) in [
        (
            Api::Responses,
            "/models",
            json!({ "data": [{ "id": "a" }, { "id": "b" }] }),
            &["a", "b"][..],
        ),
        (
            Api::Messages,
            "/models?limit=1000",
            json!({ "data": [{ "id": "a", "type": "model", "display_name": "A" }], "has_more": false }),
            &["a"],
        ),
        (
            Api::Gemini,
            "/models?pageSize=1000",
            json!({ "models": [
                { "name": "models/a", "supportedGenerationMethods": ["generateContent", "countTokens"] },
                { "name": "models/e", "supportedGenerationMethods": ["embedContent"] },
            ] }),
            &["a"],
        ),
        (
            Api::Ollama,
            "/api/tags",
            json!({ "models": [{ "name": "qwen3:8b", "model": "qwen3:8b" }] }),
            &["qwen3:8b"],
        ),
    ] {
        let sim = Sim::new(1);
        let listed = body.to_string();
        sim.serve(move |_, _| Answer::status(200).send(listed.clone()));
        let model = model(&sim, profile_of(api), CANARY);
        let read = sim.life(u64::MAX, model.models()).unwrap().unwrap();
        assert_eq!(read, names, "{api:?}");
        assert_eq!(sim.requests()[0].url, format!("{ORIGIN}/v1{url}"));
    }
}

#[test]
#[expect(clippy::needless_pass_by_value, reason = "quickcheck gives values")]
fn any_pieces_of_any_text_say_the_text() {
    fn law(api: u8, texts: Vec<String>, size: u8) -> bool {
        let api = APIS[usize::from(api) % APIS.len()];
        let said = |(at, text): (usize, &String)| match api {
            Api::ChatCompletions => content(text),
            Api::Responses => event(
                &json!({ "type": "response.output_text.delta", "delta": text, "sequence_number": at, "obfuscation": "x".repeat(at % 5) }),
            ),
            Api::Messages => event(
                &json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": text } }),
            ),
            Api::Gemini => event(
                &json!({ "candidates": [{ "content": { "parts": [{ "text": text }] } }], "usageMetadata": { "promptTokenCount": 4, "candidatesTokenCount": at } }),
            ),
            Api::Ollama => format!(
                "{}\n",
                json!({ "created_at": at.to_string(), "message": { "content": text }, "done": false })
            ),
        };
        let body: String = texts.iter().enumerate().map(said).collect();
        let mut decoder = StreamDecoder::of(api);
        for piece in body.as_bytes().chunks(usize::from(size).max(1)) {
            let fed = decoder.feed(piece);
            if fed.is_err() {
                return false;
            }
        }
        !decoder.is_whole() && decoder.content() == texts.concat()
    }
    quickcheck::QuickCheck::new()
        .tests(1_000)
        .quickcheck(law as fn(u8, Vec<String>, u8) -> bool);
}
