//! Tests of responses that no provider documents, and of the providers' refusals.

use super::*;
use crate::search::Kind;
use gloss_host::HttpError;

#[test]
fn whatever_comes_instead_of_results_is_an_error_in_words_or_no_result() {
    let bodies = [
        "",
        "null",
        "7",
        "\"ok\"",
        "[]",
        "{}",
        "<!DOCTYPE html><title>Sign in</title>",
        r#"{"results""#,
        r#"{"results":[{"title":"a","url":"https"#,
        r#"{"results":7,"web":7,"items":"x","query":7}"#,
        r#"{"results":{"0":1},"web":{"results":{}},"items":{},"query":{"pages":{}}}"#,
        "\u{feff}{}",
    ];
    for engine in ProviderKind::ALL {
        for body in bodies {
            let found = search(&says(200, body), engine, query("tides"));
            match found {
                Ok(hits) => assert!(hits.is_empty(), "{engine:?} {body}"),
                Err(SearchError::Answered {
                    status, message, ..
                }) => {
                    assert!(status == 200 && !message.is_empty(), "{engine:?} {body}");
                }
                Err(error) => panic!("{engine:?} {body}: {error:?}"),
            }
        }
    }
}

#[test]
fn a_result_of_wrong_types_is_left_out_and_the_others_stay() {
    let odd = r#"7, null, "x", [], {}, {"url":7}, {"link":[]}, {"title":{},"url":null},
        {"title":7,"url":"https://a.example","link":"https://a.example","content":[],"snippet":1,
         "description":{},"date":3,"page_age":1,"publishedDate":[],"published_date":{},
         "thumbnail":7,"pagemap":[],"canonicalurl":"https://a.example","index":"x"}"#;
    let bodies = [
        (
            ProviderKind::Wikipedia,
            format!(r#"{{"batchcomplete":1,"query":{{"search":7,"pages":[{odd}]}}}}"#),
        ),
        (ProviderKind::Searxng, format!(r#"{{"results":[{odd}]}}"#)),
        (
            ProviderKind::Brave,
            format!(r#"{{"web":{{"results":[{odd}]}}}}"#),
        ),
        (ProviderKind::Google, format!(r#"{{"items":[{odd}]}}"#)),
        (ProviderKind::Tavily, format!(r#"{{"results":[{odd}]}}"#)),
    ];
    for (engine, body) in bodies {
        let hits = search(&says(200, &body), engine, query("tides")).unwrap();
        let [hit] = &hits[..] else {
            panic!("{engine:?}: {hits:?}");
        };
        assert_eq!(
            (hit.url.as_str(), hit.title.as_str()),
            ("https://a.example/", "a.example")
        );
    }
}

#[test]
fn an_answer_that_is_huge_or_slow_or_breaks_off_is_given_up() {
    let huge = world(|_, _| {
        let answer = Answer::status(200).send("{\"results\":[\"");
        (0..40).fold(answer, |answer, _| answer.send("x".repeat(64 << 10)))
    });
    let error = search(&huge, ProviderKind::Searxng, query("x")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "SearXNG answered with an error (200): larger than 2 MB"
    );
    assert_eq!(huge.abandoned_requests(), 1);
    let slow = world(|_, _| Answer::status(200).head_after(60_000));
    let error = search(&slow, ProviderKind::Searxng, query("x")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "SearXNG does not respond: nothing received within 15 s"
    );
    assert!(error.wait_ms().is_some());
    let dripping = world(|_, _| {
        let answer = Answer::status(200);
        (0..100).fold(answer, |answer, _| answer.send(" ").wait(1_000))
    });
    let error = search(&dripping, ProviderKind::Searxng, query("x")).unwrap_err();
    assert!(matches!(error, SearchError::Unreachable { .. }));
    let cut = world(|_, _| Answer::status(200).send("{\"results\":[").cut());
    let error = search(&cut, ProviderKind::Searxng, query("x")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "SearXNG does not respond: the response is incomplete"
    );
}

/// Each refusal in its documented form, and the error that it becomes.
#[test]
#[expect(clippy::too_many_lines, reason = "one table, a row a refusal")]
fn each_refusal_says_what_it_is() {
    const HTML: &str = "<html><title>403 Forbidden</title></html>";
    for (engine, status, body, words) in [
        (
            ProviderKind::Brave,
            422,
            r#"{"type":"ErrorResponse","error":{"code":"SUBSCRIPTION_TOKEN_INVALID","detail":"The provided subscription token is invalid."}}"#,
            "Brave refused the key, or requires one",
        ),
        (
            ProviderKind::Brave,
            401,
            "{}",
            "Brave refused the key, or requires one",
        ),
        (
            ProviderKind::Brave,
            403,
            HTML,
            "Brave refused the key, or requires one",
        ),
        (
            ProviderKind::Brave,
            422,
            r#"{"error":{"code":"VALIDATION","detail":"Unable to validate request parameter(s)"}}"#,
            "Brave answered with an error (422): Unable to validate request parameter(s)",
        ),
        (
            ProviderKind::Brave,
            429,
            r#"{"error":{"code":"RATE_LIMITED"}}"#,
            "too many searches: the next one is possible in 60 s",
        ),
        (
            ProviderKind::Brave,
            500,
            "",
            "Brave answered with an error (500): no JSON",
        ),
        (
            ProviderKind::Google,
            400,
            r#"{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","errors":[{"reason":"badRequest"}],"details":[{"reason":"API_KEY_INVALID"}]}}"#,
            "Google Custom Search refused the key, or requires one",
        ),
        (
            ProviderKind::Google,
            403,
            r#"{"error":{"code":403,"message":"Custom Search API has not been used in project 7 before or it is disabled.","errors":[{"reason":"accessNotConfigured"}]}}"#,
            "Google Custom Search answered with an error (403): Custom Search API has not been used in project 7 before or it is disabled.",
        ),
        (
            ProviderKind::Google,
            403,
            r#"{"error":{"code":403,"message":"This project does not have the access to Custom Search JSON API.","errors":[{"reason":"forbidden"}],"status":"PERMISSION_DENIED"}}"#,
            "Google Custom Search answered with an error (403): This project does not have the access to Custom Search JSON API.",
        ),
        (
            ProviderKind::Google,
            400,
            r#"{"error":{"code":400,"message":"Request contains an invalid argument.","errors":[{"reason":"badRequest"}]}}"#,
            "Google Custom Search answered with an error (400): Request contains an invalid argument.",
        ),
        (
            ProviderKind::Google,
            429,
            r#"{"error":{"code":429,"message":"Quota exceeded for quota metric 'Queries' and limit 'Queries per day'","errors":[{"reason":"rateLimitExceeded"}]}}"#,
            "Google Custom Search answered with an error (429): Quota exceeded for quota metric 'Queries' and limit 'Queries per day'",
        ),
        (
            ProviderKind::Google,
            429,
            r#"{"error":{"code":429,"message":"Queries per minute","errors":[{"reason":"rateLimitExceeded"}]}}"#,
            "too many searches: the next one is possible in 60 s",
        ),
        (
            ProviderKind::Tavily,
            401,
            r#"{"detail":{"error":"Unauthorized: missing or invalid API key."}}"#,
            "Tavily refused the key, or requires one",
        ),
        (
            ProviderKind::Tavily,
            432,
            r#"{"detail":{"error":"This request exceeds your plan's set usage limit."}}"#,
            "Tavily answered with an error (432): This request exceeds your plan's set usage limit.",
        ),
        (
            ProviderKind::Tavily,
            429,
            r#"{"detail":{"error":"Too many requests"}}"#,
            "too many searches: the next one is possible in 60 s",
        ),
        (
            ProviderKind::Searxng,
            403,
            HTML,
            "SearXNG answered with an error (403): a web page, not JSON",
        ),
        (
            ProviderKind::Searxng,
            401,
            HTML,
            "SearXNG refused the key, or requires one",
        ),
        (
            ProviderKind::Searxng,
            429,
            "Too Many Requests",
            "too many searches: the next one is possible in 60 s",
        ),
        (
            ProviderKind::Searxng,
            200,
            HTML,
            "SearXNG answered with an error (200): a web page, not JSON",
        ),
        (
            ProviderKind::Searxng,
            404,
            r#"{"error":"Not Found"}"#,
            "SearXNG answered with an error (404): Not Found",
        ),
        (
            ProviderKind::Searxng,
            200,
            r#"{"results":[],"unresponsive_engines":[["google","timeout"],["bing","access denied"]]}"#,
            "SearXNG answered with an error (200): none of its engines responds: google (timeout), bing (access denied)",
        ),
        (
            ProviderKind::Wikipedia,
            200,
            r#"{"error":{"code":"ratelimited","info":"You've exceeded your rate limit."}}"#,
            "too many searches: the next one is possible in 60 s",
        ),
        (
            ProviderKind::Wikipedia,
            200,
            r#"{"error":{"code":"badvalue","info":"Unrecognized value for parameter \"prop\""}}"#,
            "Wikipedia answered with an error (200): Unrecognized value for parameter \"prop\"",
        ),
        (
            ProviderKind::Wikipedia,
            403,
            HTML,
            "Wikipedia answered with an error (403): a web page, not JSON",
        ),
        (
            ProviderKind::Wikipedia,
            404,
            HTML,
            "Wikipedia answered with an error (404): a web page, not JSON",
        ),
    ] {
        let error = search(&says(status, body), engine, query("tides")).unwrap_err();
        assert_eq!(error.to_string(), words, "{engine:?} {status} {body}");
    }
}

#[test]
fn who_limits_says_when_it_frees() {
    let sim = world(|_, _| Answer::status(429).header("retry-after", "7").send("{}"));
    let error = search(&sim, ProviderKind::Brave, query("x")).unwrap_err();
    assert_eq!(error, SearchError::RateLimited { seconds: 7 });
}

#[test]
fn no_error_holds_a_key_or_an_address() {
    let url = |engine: ProviderKind| format!("{}/customsearch/v1?key={KEY}&q=x", engine.base_url());
    for engine in [
        ProviderKind::Searxng,
        ProviderKind::Brave,
        ProviderKind::Google,
        ProviderKind::Tavily,
    ] {
        let echo = format!("no: {KEY} / {} / can\u{200b}ary-27182818", url(engine));
        let bodies = [
            serde_json::json!({"error": {"message": echo, "detail": echo}, "detail": {"error": echo}}),
            serde_json::json!({"message": echo}),
            serde_json::json!({"results": [], "unresponsive_engines": [[echo, echo]]}),
        ];
        for (status, body) in [(400, &bodies[0]), (500, &bodies[1]), (200, &bodies[2])] {
            let told = match search(&says(status, &body.to_string()), engine, query("x")) {
                Ok(_) => continue,
                Err(error) => format!(
                    "{error} {error:?} {}",
                    serde_json::to_string(&error).unwrap()
                ),
            };
            assert!(!told.contains("27182818"), "{engine:?}: {told}");
        }
        let there = url(engine);
        let sim = world(move |request, _| {
            Answer::refuse(HttpError::Unreachable {
                message: format!("Failed to fetch {} {there}", request.url),
            })
        });
        let error = search(&sim, engine, query("x")).unwrap_err();
        assert!(!error.to_string().contains("27182818"), "{error}");
        let sim = world(|request, _| {
            Answer::refuse(HttpError::BadUrl {
                url: request.url.clone(),
            })
        });
        let error = search(&sim, engine, query("x")).unwrap_err();
        assert!(!error.to_string().contains("27182818"), "{error}");
    }
}

#[test]
fn what_a_provider_has_not_is_said() {
    for engine in ProviderKind::ALL {
        for kind in [Kind::Web, Kind::Image, Kind::Video, Kind::News] {
            let query = Query {
                kind,
                ..query("tides")
            };
            let found = search(&says(200, empty(engine)), engine, query);
            assert_eq!(found.is_ok(), engine.has(kind), "{engine:?} {kind:?}");
        }
    }
    for (engine, kind, words) in [
        (ProviderKind::Wikipedia, Kind::News, "Wikipedia has no news"),
        (
            ProviderKind::Google,
            Kind::News,
            "Google Custom Search has no news",
        ),
        (
            ProviderKind::Google,
            Kind::Video,
            "Google Custom Search has no videos",
        ),
        (ProviderKind::Tavily, Kind::Image, "Tavily has no pictures"),
        (ProviderKind::Tavily, Kind::Video, "Tavily has no videos"),
    ] {
        let sim = says(200, "{}");
        let query = Query {
            kind,
            ..query("tides")
        };
        assert_eq!(search(&sim, engine, query).unwrap_err().to_string(), words);
        assert!(sim.requests().is_empty());
    }
}

#[test]
fn a_server_that_sends_on_is_not_followed() {
    let sim = world(|_, _| Answer::refuse(HttpError::Redirected));
    let error = search(&sim, ProviderKind::Searxng, query("x")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "SearXNG is not ready: its base URL redirects to another address"
    );
}

/// A settings file names any server as "Wikipedia". The user has permitted only Wikipedia itself.
#[test]
fn another_server_is_not_searched_as_wikipedia_without_permission() {
    for (base, is_asked) in [
        ("https://de.wikipedia.org", false),
        ("https://wikipedia.org", false),
        ("http://en.wikipedia.org", true),
        ("https://evil.example", true),
        ("https://wikipedia.org.evil.example", true),
        ("https://notwikipedia.org", true),
    ] {
        let mut settings = settings(ProviderKind::Wikipedia);
        let server = Server {
            base_url: base.to_owned(),
            ..Server::of(ProviderKind::Wikipedia)
        };
        settings.servers.insert(ProviderKind::Wikipedia, server);
        let sim = says(200, r#"{"batchcomplete":1}"#);
        let found = search_with(&sim, settings, query("tides"));
        let refused = matches!(found, Err(SearchError::NotPermitted { .. }));
        assert_eq!(refused, is_asked, "{base}: {found:?}");
    }
}
