//! Tests of the requests that are sent to providers.

use super::*;
use crate::search::{Category, DateRange, Kind};
use gloss_host::Method;

/// The single request that a query causes, as one line: method, address, headers, body.
fn sent(engine: ProviderKind, query: Query) -> String {
    let sim = says(200, empty(engine));
    search(&sim, engine, query).unwrap();
    let [request] = &sim.requests()[..] else {
        panic!("one request");
    };
    let method = match request.method {
        Method::Get => "GET",
        Method::Post => "POST",
    };
    let headers = request
        .headers
        .iter()
        .map(|(name, value)| format!("\n{name}: {value}"));
    let body = request.body.as_ref().map(|body| format!("\n{body}"));
    let rest: String = headers.chain(body).collect();
    format!("{method} {}{rest}", request.url)
}

fn between() -> DateRange {
    DateRange::Between {
        from: "2026-01-01".to_owned(),
        to: "2026-01-31".to_owned(),
    }
}

/// The snapshot contains every kind of request to each provider.
#[test]
fn each_provider_is_asked_in_its_own_form() {
    let tides = || query("spring tides & moon");
    let asked = [
        tides(),
        Query {
            language: "zh-CN".to_owned(),
            text: "大潮".to_owned(),
            ..Query::default()
        },
        Query {
            category: Some(Category::Government),
            ..tides()
        },
        Query {
            dates: Some(DateRange::Week),
            kind: Kind::News,
            ..tides()
        },
        Query {
            dates: Some(between()),
            ..tides()
        },
        Query {
            kind: Kind::Image,
            ..tides()
        },
        Query {
            kind: Kind::Video,
            dates: Some(DateRange::Year),
            ..tides()
        },
    ];
    for engine in ProviderKind::ALL {
        let forms = asked.iter().map(|query| {
            let sim = says(200, empty(engine));
            match search(&sim, engine, query.clone()) {
                Ok(_) => sent(engine, query.clone()),
                Err(error) => format!("({error})"),
            }
        });
        let forms = forms.collect::<Vec<_>>().join("\n\n");
        insta::assert_snapshot!(format!("asked_{}", engine.key_name()), forms);
    }
}

#[test]
fn every_range_of_dates_has_its_parameter() {
    for (range, brave, google, tavily, searxng) in [
        (
            DateRange::Day,
            "freshness=pd",
            "dateRestrict=d1",
            r#""time_range":"day""#,
            "time_range=day",
        ),
        (
            DateRange::Week,
            "freshness=pw",
            "dateRestrict=w1",
            r#""time_range":"week""#,
            "time_range=week",
        ),
        (
            DateRange::Month,
            "freshness=pm",
            "dateRestrict=m1",
            r#""time_range":"month""#,
            "time_range=month",
        ),
        (
            DateRange::Year,
            "freshness=py",
            "dateRestrict=y1",
            r#""time_range":"year""#,
            "time_range=year",
        ),
        (
            between(),
            "freshness=2026-01-01to2026-01-31",
            "sort=date%3Ar%3A20260101%3A20260131",
            r#""end_date":"2026-01-31""#,
            "time_range=year",
        ),
    ] {
        for (engine, expected) in [
            (ProviderKind::Brave, brave),
            (ProviderKind::Google, google),
            (ProviderKind::Tavily, tavily),
            (ProviderKind::Searxng, searxng),
        ] {
            let asked = sent(
                engine,
                Query {
                    dates: Some(range.clone()),
                    ..query("tides")
                },
            );
            assert!(asked.contains(expected), "{engine:?} {range:?}: {asked}");
        }
    }
}

#[test]
fn each_category_narrows_to_its_domains_as_the_person_has_them() {
    for category in Category::ALL {
        let mut set = settings(ProviderKind::Tavily);
        for own in [false, true] {
            if own {
                set.domains
                    .set(category, "own.example, *.example.org")
                    .unwrap();
            }
            let domains = set.domains.of(category);
            for engine in [
                ProviderKind::Searxng,
                ProviderKind::Brave,
                ProviderKind::Google,
                ProviderKind::Tavily,
            ] {
                let sim = says(200, empty(engine));
                let settings = Settings {
                    domains: set.domains.clone(),
                    ..settings(engine)
                };
                let narrow = Query {
                    category: Some(category),
                    ..query("tides")
                };
                search_with(&sim, settings, narrow).unwrap();
                let request = sim.requests().remove(0);
                let told = format!("{} {:?}", request.url, request.body);
                for domain in &domains {
                    let plain = domain.trim_start_matches("*.");
                    assert!(told.contains(plain), "{engine:?} {category:?}: {told}");
                }
            }
        }
    }
}

#[test]
fn a_query_is_one_line_of_two_hundred_characters_and_an_empty_one_is_not_sent() {
    let long = format!("  {}\n\u{202e}x", "潮".repeat(300));
    assert!(
        sent(ProviderKind::Tavily, query(&long)).contains(&format!("\"{}\"", "潮".repeat(200)))
    );
    let sim = says(200, empty(ProviderKind::Brave));
    assert_eq!(
        search(&sim, ProviderKind::Brave, query(" \n ")),
        Ok(Vec::new())
    );
    assert!(sim.requests().is_empty());
}

#[test]
fn a_day_that_is_none_and_a_setting_that_is_missing_are_said_before_anything_is_sent() {
    let sim = says(200, "{}");
    let wrong_day = Query {
        dates: Some(DateRange::Between {
            from: "2026-02-30".to_owned(),
            to: "2026-03-01".to_owned(),
        }),
        ..query("tides")
    };
    let error = search(&sim, ProviderKind::Brave, wrong_day).unwrap_err();
    assert_eq!(error.to_string(), "Brave has no day 2026-02-30");
    let unset = |engine, server: Server| {
        let mut settings = settings(engine);
        settings.servers.insert(engine, server);
        search_with(&sim, settings, query("tides"))
            .unwrap_err()
            .to_string()
    };
    let none = Server::default;
    assert_eq!(
        unset(ProviderKind::Searxng, none()),
        "SearXNG is not ready: its base URL is not set"
    );
    let odd = Server {
        base_url: format!("https://x.example?key={KEY}"),
        ..none()
    };
    assert_eq!(
        unset(ProviderKind::Searxng, odd),
        "SearXNG is not ready: its base URL is not an address"
    );
    assert_eq!(
        unset(ProviderKind::Google, Server::of(ProviderKind::Google)),
        "Google Custom Search is not ready: its search engine ID is not set"
    );
    let elsewhere = Server {
        base_url: "https://other.example".to_owned(),
        ..none()
    };
    assert_eq!(
        unset(ProviderKind::Brave, elsewhere.clone()),
        "Gloss isn't allowed to connect to https://other.example yet"
    );
    sim.grant("https://other.example");
    assert_eq!(
        unset(ProviderKind::Brave, elsewhere),
        "Brave refused the key, or requires one",
        "a key is for its origin alone"
    );
    assert!(sim.requests().is_empty());
}

#[test]
fn locked_keys_are_no_wrong_keys() {
    let sim = says(200, empty(ProviderKind::Brave));
    let vault = sim.host().secrets;
    sim.life(NEVER, async move {
        let passphrase = Secret::new("correct horse");
        vault
            .keep(gloss_host::KeyStorage::Sealed, &passphrase)
            .await
            .unwrap();
        vault.lock().await.unwrap();
    });
    let error = search(&sim, ProviderKind::Brave, query("tides")).unwrap_err();
    assert_eq!(error.to_string(), "Brave is not ready: the keys are locked");
    assert!(error.wait_ms().is_none());
}
