use super::super::tests::{last_state, outcomes, told};
use super::*;
use crate::options::{Change, OptionsRequest};
use crate::preferences::FieldName::{SearchDay, SearchId, SearchKey, SearchMinute, SearchUrl};
use gloss_host::HttpError;
use gloss_host_sim::{Answer, Sim};
use gloss_web::search::Category;

const CANARY: &str = "canary-27182818";
const HOME: &str = "http://localhost:8080";

fn typed(base_url: &str) -> TypedServer {
    TypedServer {
        base_url: base_url.to_owned(),
        limits: ["10".to_owned(), "200".to_owned()],
        ..TypedServer::default()
    }
}

fn save(engine: ProviderKind, base_url: &str, key: &str) -> OptionsRequest {
    OptionsRequest::SaveSearch {
        engine,
        server: typed(base_url),
        key: TypedKey(key.to_owned()),
    }
}

fn test(engine: ProviderKind, base_url: &str, key: &str) -> OptionsRequest {
    OptionsRequest::TestSearch {
        engine,
        server: typed(base_url),
        key: TypedKey(key.to_owned()),
    }
}

fn answers(status: u16, body: &'static str) -> Sim {
    let sim = Sim::new(1);
    sim.grant(HOME);
    sim.grant("https://api.search.brave.com");
    sim.serve(move |_, _| Answer::status(status).send(body));
    sim
}

const FOUND: &str = r#"{"results":[{"title":"t","url":"https://a.example"}]}"#;

/// The failure's code, and the arguments of its title.
fn failed(outcome: &Outcome) -> (String, Vec<String>) {
    let Outcome::Failed { failure } = outcome else {
        panic!("{outcome:?}");
    };
    (failure.code.clone(), failure.title.args.clone())
}

#[test]
fn a_provider_is_set_with_its_key_which_no_state_and_no_export_holds() {
    let sim = answers(200, FOUND);
    let replies = told(
        &sim,
        vec![
            save(ProviderKind::Searxng, &format!("{HOME}/"), CANARY),
            OptionsRequest::Change {
                change: Change::SearchEngine(ProviderKind::Searxng),
            },
            OptionsRequest::Export,
            test(ProviderKind::Searxng, HOME, ""),
        ],
    );
    let outcomes = outcomes(&replies);
    assert_eq!(outcomes[..2], [&Outcome::Saved, &Outcome::Saved]);
    assert!(
        matches!(outcomes[3], Outcome::Found { results: 1, .. }),
        "{outcomes:?}"
    );
    assert!(!format!("{replies:?}").contains("27182818"));
    let state = last_state(&replies);
    assert_eq!(
        state
            .preferences
            .search
            .server(ProviderKind::Searxng)
            .base_url,
        HOME
    );
    assert_eq!(state.with_key, ["search-searxng"]);
    let sent = &sim.requests()[0].headers;
    assert!(sent.contains(&("authorization".to_owned(), format!("Bearer {CANARY}"))));
    // In the next life, the address changes to another server. The key is removed.
    let moved = told(
        &sim,
        vec![save(ProviderKind::Searxng, "http://localhost:9", "")],
    );
    assert!(last_state(&moved).with_key.is_empty());
    assert!(sim.key_names().is_empty());
}

#[test]
fn what_may_not_stand_is_refused_at_its_field_and_nothing_is_changed_or_sent() {
    let sim = answers(200, FOUND);
    let wrong = TypedServer {
        base_url: format!("https://me:{CANARY}@a.example"),
        id: "x".to_owned(),
        limits: ["61".to_owned(), "many".to_owned()],
    };
    let asks = vec![
        OptionsRequest::SaveSearch {
            engine: ProviderKind::Brave,
            server: wrong.clone(),
            key: TypedKey("a key".to_owned()),
        },
        OptionsRequest::TestSearch {
            engine: ProviderKind::Brave,
            server: wrong,
            key: TypedKey(String::new()),
        },
        save(ProviderKind::Searxng, "", ""),
        save(ProviderKind::Google, "https://www.googleapis.com", CANARY),
        OptionsRequest::Change {
            change: Change::SearchDomains(Category::News, "here".to_owned()),
        },
    ];
    let replies = told(&sim, asks);
    let fields: Vec<Vec<FieldName>> = outcomes(&replies)
        .into_iter()
        .map(|outcome| match outcome {
            Outcome::Refused { problems } => problems.iter().map(|it| it.field).collect(),
            other => panic!("{other:?}"),
        })
        .collect();
    let of_server = [SearchUrl, SearchId, SearchMinute, SearchDay];
    assert_eq!(fields[0], [&of_server[..], &[SearchKey]].concat());
    assert_eq!(fields[1], of_server);
    assert_eq!(fields[2], [SearchUrl]);
    assert_eq!(fields[3], [SearchId]);
    assert_eq!(fields[4], [FieldName::SearchDomains(Category::News)]);
    assert!(last_state(&replies).preferences.search.is_default());
    assert!(sim.requests().is_empty() && sim.key_names().is_empty());
}

#[test]
fn each_failure_has_words_of_its_own() {
    const PAGE: &str = "<html>";
    for (engine, status, body, key, code, args) in [
        (
            ProviderKind::Brave,
            200,
            "{}",
            "",
            "search_bad_key",
            vec!["Brave"],
        ),
        (
            ProviderKind::Brave,
            401,
            "{}",
            CANARY,
            "search_bad_key",
            vec!["Brave"],
        ),
        (
            ProviderKind::Brave,
            404,
            PAGE,
            CANARY,
            "search_foreign",
            vec!["api.search.brave.com", "404"],
        ),
        (
            ProviderKind::Brave,
            200,
            PAGE,
            CANARY,
            "search_foreign",
            vec!["api.search.brave.com", "200"],
        ),
        (
            ProviderKind::Brave,
            500,
            "{}",
            CANARY,
            "search_answered",
            vec!["Brave", "500"],
        ),
        (
            ProviderKind::Brave,
            429,
            "{}",
            CANARY,
            "search_limited",
            vec!["Brave"],
        ),
        (
            ProviderKind::Searxng,
            403,
            PAGE,
            "",
            "search_not_json",
            vec!["SearXNG", "403"],
        ),
        (
            ProviderKind::Searxng,
            401,
            PAGE,
            "",
            "search_bad_key",
            vec!["SearXNG"],
        ),
    ] {
        let sim = answers(status, body);
        let base_url = match engine {
            ProviderKind::Searxng => HOME,
            engine => engine.base_url(),
        };
        let replies = told(&sim, vec![test(engine, base_url, key)]);
        let args = args.into_iter().map(str::to_owned).collect();
        assert_eq!(failed(outcomes(&replies)[0]), (code.to_owned(), args));
        assert!(!format!("{replies:?}").contains("27182818"));
    }
    let sim = answers(200, FOUND);
    let replies = told(
        &sim,
        vec![test(ProviderKind::Tavily, "https://api.tavily.com", CANARY)],
    );
    assert_eq!(failed(outcomes(&replies)[0]).0, "model_not_permitted");
    for (error, code) in [
        (HttpError::Redirected, "search_elsewhere"),
        (
            HttpError::Unreachable {
                message: "Failed to fetch".to_owned(),
            },
            "search_unreachable",
        ),
    ] {
        let sim = answers(200, "");
        sim.serve(move |_, _| Answer::refuse(error.clone()));
        let replies = told(&sim, vec![test(ProviderKind::Searxng, HOME, "")]);
        assert_eq!(failed(outcomes(&replies)[0]).0, code);
    }
}

#[test]
fn a_file_with_settings_of_a_provider_that_may_not_stand_changes_nothing() {
    let sim = answers(200, FOUND);
    let import = |search: &str| OptionsRequest::Import {
        text: format!(
            r#"{{"format":"gloss-preferences","version":1,"preferences":{{"search":{search}}}}}"#
        ),
    };
    let replies = told(
        &sim,
        vec![
            import(r#"{"engine":"brave","servers":{"brave":{"base_url":"https://b.example"}}}"#),
            import(r#"{"servers":{"brave":{"base_url":"https://x?key=1"}}}"#),
            import(r#"{"servers":{"brave":{"per_day":0}}}"#),
            import(r#"{"domains":{"news":["site:x OR y"]}}"#),
            import(r#"{"engine":"nobody"}"#),
        ],
    );
    let outcomes = outcomes(&replies);
    assert_eq!(outcomes[0], &Outcome::Saved);
    for outcome in &outcomes[1..] {
        assert!(matches!(outcome, Outcome::Refused { .. }), "{outcome:?}");
    }
    let search = &last_state(&replies).preferences.search;
    assert_eq!(
        (search.engine, search.server(ProviderKind::Brave).per_day),
        (ProviderKind::Brave, 200)
    );
}
