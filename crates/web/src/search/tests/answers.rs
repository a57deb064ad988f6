//! Tests of responses in the documented format of each provider. Gloss's authors wrote the samples.

use super::*;
use crate::search::{Category, DateRange, Kind};

fn found(engine: ProviderKind, kind: Kind, body: &str) -> Vec<Hit> {
    let sim = says(200, body);
    let query = Query {
        kind,
        ..query("tides")
    };
    search(&sim, engine, query).unwrap()
}

#[test]
fn wikipedia_gives_how_an_article_begins_and_what_matched() {
    let body = include_str!("fixtures/wikipedia.json");
    insta::assert_debug_snapshot!(found(ProviderKind::Wikipedia, Kind::Web, body));
    let files = include_str!("fixtures/wikipedia_files.json");
    insta::assert_debug_snapshot!(found(ProviderKind::Wikipedia, Kind::Image, files));
}

#[test]
fn searxng_gives_what_its_engines_found() {
    let body = include_str!("fixtures/searxng.json");
    insta::assert_debug_snapshot!(found(ProviderKind::Searxng, Kind::Web, body));
}

#[test]
fn brave_gives_each_kind_from_its_own_list() {
    let web = include_str!("fixtures/brave_web.json");
    insta::assert_debug_snapshot!(found(ProviderKind::Brave, Kind::Web, web));
    let news = include_str!("fixtures/brave_news.json");
    insta::assert_debug_snapshot!(found(ProviderKind::Brave, Kind::News, news));
    let images = include_str!("fixtures/brave_images.json");
    insta::assert_debug_snapshot!(found(ProviderKind::Brave, Kind::Image, images));
}

#[test]
fn google_gives_pages_and_pictures_on_pages() {
    let web = include_str!("fixtures/google.json");
    insta::assert_debug_snapshot!(found(ProviderKind::Google, Kind::Web, web));
    let images = include_str!("fixtures/google_images.json");
    insta::assert_debug_snapshot!(found(ProviderKind::Google, Kind::Image, images));
}

#[test]
fn tavily_gives_pages_and_news() {
    let body = include_str!("fixtures/tavily.json");
    insta::assert_debug_snapshot!(found(ProviderKind::Tavily, Kind::News, body));
}

#[test]
fn nothing_found_is_an_empty_list() {
    for engine in ProviderKind::ALL {
        assert_eq!(
            found(engine, Kind::Web, empty(engine)),
            Vec::new(),
            "{engine:?}"
        );
    }
}

#[test]
fn what_is_of_other_domains_or_days_is_left_out_however_it_came() {
    let body = r#"{"results":[
        {"title":"a","url":"https://www.reuters.com/a","publishedDate":"2026-01-15T00:00:00"},
        {"title":"b","url":"https://reuters.com.evil.example/b"},
        {"title":"c","url":"https://reuters.com/c","publishedDate":"2025-01-15T00:00:00"},
        {"title":"d","url":"https://sec.gov/d"}]}"#;
    let sim = says(200, body);
    let narrow = Query {
        category: Some(Category::Finance),
        dates: Some(DateRange::Between {
            from: "2026-01-01".to_owned(),
            to: "2026-01-31".to_owned(),
        }),
        ..query("tides")
    };
    let hits = search(&sim, ProviderKind::Searxng, narrow).unwrap();
    let titles: Vec<&str> = hits.iter().map(|hit| hit.title.as_str()).collect();
    assert_eq!(titles, ["a", "d"]);
}

#[test]
fn no_result_leads_to_a_private_place_or_runs_anything_and_none_comes_twice() {
    let urls = [
        "javascript:alert(1)",
        "data:text/html,x",
        "http://127.0.0.1/admin",
        "http://2130706433/",
        "http://router/",
        "https://user:word@a.example/",
        "not an address",
        "",
        "https://a.example/",
        "HTTPS://A.example",
        "https://b.example/",
    ];
    let results = urls.map(|url| serde_json::json!({"title": "t", "url": url, "thumbnail": url}));
    let body = serde_json::json!({ "results": results }).to_string();
    let hits = found(ProviderKind::Searxng, Kind::Web, &body);
    let told: Vec<_> = hits
        .iter()
        .map(|hit| (hit.url.as_str(), hit.thumbnail.as_deref()))
        .collect();
    let a = "https://a.example/";
    let b = "https://b.example/";
    assert_eq!(told, [(a, Some(a)), (b, Some(b))]);
}

#[test]
fn a_long_result_is_cut_and_one_without_a_title_has_its_site_for_one() {
    let long = "word ".repeat(2_000);
    let body = serde_json::json!({ "results": [
        {"title": long, "url": "https://a.example", "content": long},
        {"url": "https://b.example"},
        {"title": "\u{202e}evil\u{200b}", "url": "https://c.example", "content": "a\nb"},
    ] });
    let hits = found(ProviderKind::Searxng, Kind::Web, &body.to_string());
    assert!(hits[0].title.chars().count() <= 201 && hits[0].snippet.chars().count() <= 1_501);
    assert_eq!(hits[1].title, "b.example");
    assert_eq!(
        (hits[2].title.as_str(), hits[2].snippet.as_str()),
        ("evil", "a b")
    );
}
