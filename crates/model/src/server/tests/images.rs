//! Tests of image models: the request in each form, the parsed response, and every refusal.

use super::*;
use crate::{A_PICTURE, GeneratedImage, ImageModel};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR and so on";

fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// A response of `OpenAI`'s API.
fn openai(bytes: &[u8]) -> Answer {
    let made = json!({
        "created": 1_761_000_000, "background": "opaque", "output_format": "png",
        "quality": "medium", "size": "1024x1024",
        "data": [{ "b64_json": base64(bytes) }],
        "usage": {
            "input_tokens": 13, "input_tokens_details": { "image_tokens": 0, "text_tokens": 13 },
            "output_tokens": 1_056, "total_tokens": 1_069,
        },
    });
    Answer::status(200).send(made.to_string())
}

fn refusal(status: u16, code: &str, message: &str) -> Answer {
    let error =
        json!({ "error": { "message": message, "code": code, "type": "x", "param": null } });
    Answer::status(status).send(error.to_string())
}

fn image_model(api: Api, model: &str) -> Profile {
    Profile {
        model: model.to_owned(),
        ..profile_of(api)
    }
}

fn paint(sim: &Sim, profile: Profile) -> Result<GeneratedImage, ModelError> {
    let model = model(sim, profile, CANARY);
    let painted = model.paint("A red fox".to_owned());
    sim.life(u64::MAX, painted).unwrap()
}

/// The image or the error for a server with this response. Also returns the requests that the
/// server received.
fn painted(
    profile: Profile,
    answer: Answer,
) -> (Result<GeneratedImage, ModelError>, Vec<HttpRequest>) {
    let sim = Sim::new(1);
    sim.serve(move |_, _| answer.clone());
    (paint(&sim, profile), sim.requests())
}

fn body(request: &HttpRequest) -> Value {
    serde_json::from_str(request.body.as_ref().unwrap()).unwrap()
}

#[test]
fn openais_models_are_asked_for_a_middling_quality_and_give_bytes() {
    for api in [Api::ChatCompletions, Api::Responses] {
        let (made, asked) = painted(image_model(api, "gpt-image-2"), openai(PNG));
        let made = made.unwrap();
        assert_eq!(made.image.media_type, "image/png");
        assert_eq!(made.image.base64, base64(PNG));
        let used = (made.usage.input_tokens, made.usage.output_tokens);
        assert_eq!(used, (13, 1_056));
        assert_eq!(asked.len(), 1);
        assert_eq!(asked[0].url, format!("{ORIGIN}/v1/images/generations"));
        let sent =
            json!({ "model": "gpt-image-2", "prompt": "A red fox", "n": 1, "quality": "medium" });
        assert_eq!(body(&asked[0]), sent);
        let key = ("authorization".to_owned(), format!("Bearer {CANARY}"));
        assert!(asked[0].headers.contains(&key));
    }
}

#[test]
fn gemini_is_asked_in_its_own_form() {
    let answer = json!({
        "candidates": [{ "content": { "role": "model", "parts": [
            { "text": "Here is a red fox." },
            { "inlineData": { "mimeType": "image/jpeg", "data": base64(b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01") } },
        ] }, "finishReason": "STOP" }],
        "usageMetadata": { "promptTokenCount": 4, "candidatesTokenCount": 1_290, "totalTokenCount": 1_294 },
        "modelVersion": "gemini-2.5-flash-image",
    });
    let profile = image_model(Api::Gemini, "gemini-2.5-flash-image");
    let (made, asked) = painted(profile, Answer::status(200).send(answer.to_string()));
    let made = made.unwrap();
    assert_eq!(made.image.media_type, "image/jpeg");
    assert_eq!(made.usage.output_tokens, 1_290);
    let url = format!("{ORIGIN}/v1/models/gemini-2.5-flash-image:generateContent");
    assert_eq!(asked[0].url, url);
    let modalities = &body(&asked[0])["generationConfig"]["responseModalities"];
    assert_eq!(*modalities, json!(["TEXT", "IMAGE"]));
}

#[test]
fn openrouter_is_asked_for_images_in_a_chat() {
    let in_chat = |model: &str| Profile {
        base_url: "https://openrouter.ai/api/v1".to_owned(),
        ..image_model(Api::ChatCompletions, model)
    };
    let url = format!("data:image/png;base64,{}", base64(PNG));
    let answer = json!({
        "id": "gen-1", "object": "chat.completion", "model": "google/gemini-2.5-flash-image",
        "choices": [{ "index": 0, "finish_reason": "stop", "message": {
            "role": "assistant", "content": "Here is a red fox.",
            "images": [{ "type": "image_url", "image_url": { "url": url }, "index": 0 }],
        } }],
        "usage": { "prompt_tokens": 5, "completion_tokens": 1_299, "total_tokens": 1_304 },
    });
    let sim = Sim::new(1);
    sim.grant("https://openrouter.ai");
    sim.serve(move |request, _| {
        let sent = body(request);
        // The server's response for a model that returns no text.
        if sent["model"] == "black-forest-labs/flux.2-pro" && sent["modalities"] != json!(["image"])
        {
            let said =
                "No endpoints found that support the requested output modalities: image, text";
            return Answer::status(404)
                .send(json!({ "error": { "message": said, "code": 404 } }).to_string());
        }
        Answer::status(200).send(answer.to_string())
    });
    let made = paint(&sim, in_chat("google/gemini-2.5-flash-image")).unwrap();
    assert_eq!(made.image.base64, base64(PNG));
    let used = (made.usage.input_tokens, made.usage.output_tokens);
    assert_eq!(used, (5, 1_299));
    let asked = sim.requests();
    assert_eq!(asked.len(), 1);
    assert_eq!(
        asked[0].url,
        "https://openrouter.ai/api/v1/chat/completions"
    );
    let sent = json!({
        "model": "google/gemini-2.5-flash-image",
        "messages": [{ "role": "user", "content": "A red fox" }],
        "modalities": ["image", "text"],
    });
    assert_eq!(body(&asked[0]), sent);
    assert!(paint(&sim, in_chat("black-forest-labs/flux.2-pro")).is_ok());
    let asked = sim.requests();
    assert_eq!(asked.len(), 3);
    assert_eq!(body(&asked[2])["modalities"], json!(["image"]));
}

#[test]
fn other_servers_are_asked_for_bytes_and_again_without_where_they_refuse_to_be() {
    let sim = Sim::new(1);
    sim.serve(|request, _| {
        if body(request).get("response_format").is_some() {
            refusal(
                400,
                "unknown_parameter",
                "Unknown parameter: 'response_format'.",
            )
        } else {
            openai(PNG)
        }
    });
    assert!(paint(&sim, image_model(Api::ChatCompletions, "flux-2")).is_ok());
    let asked: Vec<Value> = sim.requests().iter().map(body).collect();
    assert_eq!(asked.len(), 2);
    assert_eq!(asked[0]["response_format"], "b64_json");
    assert_eq!(asked[1].get("response_format"), None);
}

#[test]
fn an_image_at_an_address_is_fetched_without_the_key_and_from_no_private_network() {
    for (url, is_fetched) in [
        (format!("{ORIGIN}/made/1.png"), true),
        ("https://images.example/1.png".to_owned(), true),
        ("http://images.example/1.png".to_owned(), false),
        ("https://192.168.1.1/1.png".to_owned(), false),
        ("https://2130706433/1.png".to_owned(), false),
        ("https://127.1/1.png".to_owned(), false),
        ("https://0.0.0.0/1.png".to_owned(), false),
        ("https://[::ffff:10.0.0.1]/1.png".to_owned(), false),
        ("https://nas.lan/1.png".to_owned(), false),
        ("https://localhost/1.png".to_owned(), false),
        ("https://a:b@images.example/1.png".to_owned(), false),
        (format!("{ORIGIN}.evil.example/1.png"), true),
        ("file:///etc/passwd".to_owned(), false),
    ] {
        let sim = Sim::new(1);
        sim.grant("https://images.example");
        sim.grant("https://api.example.evil.example");
        let there = url.clone();
        sim.serve(move |request, _| match request.method {
            Method::Post => {
                let made = json!({ "data": [{ "url": there }] });
                Answer::status(200).send(made.to_string())
            }
            Method::Get => Answer::status(200).send(PNG),
        });
        let made = paint(&sim, image_model(Api::ChatCompletions, "flux-2"));
        assert_eq!(made.is_ok(), is_fetched, "{url}: {made:?}");
        let asked = sim.requests();
        assert_eq!(asked.len(), if is_fetched { 2 } else { 1 }, "{url}");
        if let Some(fetched) = asked.get(1) {
            assert!(!format!("{:?}", fetched.headers).contains(CANARY));
            assert_eq!(fetched.url, url);
            assert_eq!(made.unwrap().image.base64, base64(PNG));
        }
    }
}

#[test]
fn each_refusal_is_told_in_words_and_none_has_the_key() {
    let blocked = json!({ "promptFeedback": { "blockReason": "PROHIBITED_CONTENT" } });
    let large = Answer::status(200).send(vec![b'a'; (16 << 20) + 1]);
    let policy = "Your request was rejected by the safety system.";
    let table = [
        (
            "policy",
            Api::ChatCompletions,
            refusal(400, "moderation_blocked", policy),
            policy,
        ),
        (
            "policy of Gemini",
            Api::Gemini,
            Answer::status(200).send(blocked.to_string()),
            "PROHIBITED_CONTENT",
        ),
        (
            "key",
            Api::ChatCompletions,
            refusal(
                401,
                "invalid_api_key",
                &format!("Incorrect API key: {CANARY}"),
            ),
            "the key was not accepted (401)",
        ),
        (
            "verification",
            Api::Responses,
            refusal(403, "x", &format!("Verify {CANARY} first.")),
            "refused (403): Verify ••• first.",
        ),
        (
            "rate",
            Api::ChatCompletions,
            refusal(429, "rate_limit_exceeded", "Slow down."),
            "too many requests (429)",
        ),
        (
            "quota",
            Api::ChatCompletions,
            refusal(
                400,
                "billing_hard_limit_reached",
                "Billing hard limit has been reached.",
            ),
            "no quota left",
        ),
        (
            "model",
            Api::ChatCompletions,
            refusal(404, "model_not_found", "The model m-1 does not exist."),
            "no model of this name",
        ),
        (
            "no image",
            Api::ChatCompletions,
            Answer::status(200).send(r#"{"data":[]}"#),
            "it contains no image",
        ),
        ("too large", Api::ChatCompletions, large, "more than 16 MB"),
        (
            "not an image",
            Api::ChatCompletions,
            openai(b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
            "neither PNG nor JPEG nor WebP",
        ),
        (
            "a page",
            Api::ChatCompletions,
            Answer::status(200).send("<html>Log in"),
            "unexpected response: <html>Log in",
        ),
        (
            "cut",
            Api::ChatCompletions,
            Answer::status(200).send("{\"data\"").cut(),
            "the answer is incomplete",
        ),
    ];
    for (name, api, answer, words) in table {
        let (made, asked) = painted(image_model(api, "m-1"), answer);
        let error = made.unwrap_err();
        let said = error.to_string();
        assert!(
            said.starts_with("Example: ") && said.contains(words),
            "{name}: {said}"
        );
        assert!(!format!("{error:?}").contains(CANARY), "{name}");
        assert_eq!(asked.len(), 1, "{name}");
    }
}

#[test]
fn nothing_is_sent_to_a_server_that_was_not_allowed() {
    let sim = Sim::new(1);
    let host = sim.host();
    let hosted = ServerModel {
        profile: Rc::new(image_model(Api::ChatCompletions, "gpt-image-2")),
        http: host.http,
        web: host.web,
        grants: host.grants,
        secrets: Rc::new(Keys::default()),
        clock: host.clock,
    };
    let painted = sim
        .life(u64::MAX, hosted.paint("A fox".to_owned()))
        .unwrap();
    assert_eq!(painted.unwrap_err().origin_needed(), Some(ORIGIN));
    assert!(sim.requests().is_empty());
}

#[test]
fn what_may_have_been_made_stays_charged() {
    let there = json!({ "data": [{ "url": "https://192.168.1.1/1.png" }] });
    let cut = Answer::status(200).send("{").cut();
    let silent = Answer::status(200).head_after(10_000_000);
    let refused = refusal(400, "moderation_blocked", "No.");
    for (answer, used, open) in [
        (cut, A_PICTURE, true),
        (silent, A_PICTURE, true),
        (
            Answer::status(200).send(there.to_string()),
            A_PICTURE,
            false,
        ),
        (refused, Usage::default(), false),
    ] {
        let (made, _) = painted(image_model(Api::ChatCompletions, "flux-2"), answer);
        let error = made.unwrap_err();
        assert_eq!((error.used(), error.leaves_open()), (used, open), "{error}");
    }
}

#[test]
fn a_server_that_says_nothing_is_given_up_after_three_minutes() {
    let silent = Answer::status(200).head_after(10_000_000);
    let (made, _) = painted(image_model(Api::ChatCompletions, "gpt-image-2"), silent);
    assert!(
        made.unwrap_err()
            .to_string()
            .contains("no response for 180 s")
    );
}
