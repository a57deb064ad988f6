//! Tests that counts and cached results survive the end of a worker.

use super::*;

fn numbered() -> Sim {
    world(|_, before| {
        let body = format!(r#"{{"results":[{{"title":"{before}","url":"https://a.example"}}]}}"#);
        Answer::status(200).send(body)
    })
}

fn title(found: Result<Vec<Hit>, SearchError>) -> String {
    found.unwrap().remove(0).title
}

fn fresh(sim: &Sim, query: Query) -> Result<Vec<Hit>, SearchError> {
    let desk = SearchService::new(&sim.host());
    let provider = desk.provider(settings(ProviderKind::Searxng));
    let search = async move { provider.search(query, 5, true).await };
    sim.life(NEVER, search).unwrap()
}

#[test]
fn what_was_had_within_the_hour_is_given_again_unless_it_is_to_be_fresh() {
    let sim = numbered();
    let kept = |text: &str| title(search(&sim, ProviderKind::Searxng, query(text)));
    assert_eq!(kept("tides"), "0");
    assert_eq!(kept("tides"), "0", "in another life, too");
    assert_eq!(kept(" tides\n"), "0", "as it is sent");
    assert_eq!(kept("moon"), "1");
    assert_eq!(title(fresh(&sim, query("tides"))), "2");
    assert_eq!(kept("tides"), "2");
    let mut narrow = settings(ProviderKind::Searxng);
    narrow
        .domains
        .set(crate::search::Category::News, "a.example")
        .unwrap();
    let news = Query {
        category: Some(crate::search::Category::News),
        ..query("tides")
    };
    assert_eq!(title(search_with(&sim, narrow.clone(), news.clone())), "3");
    narrow
        .domains
        .set(crate::search::Category::News, "a.example b.example")
        .unwrap();
    assert_eq!(
        title(search_with(&sim, narrow, news)),
        "4",
        "among other domains"
    );
    sim.jump_clock(3_590_000);
    assert_eq!(kept("moon"), "1");
    sim.jump_clock(60_000);
    assert_eq!(kept("moon"), "5");
    sim.jump_clock(-9_000_000);
    assert_eq!(
        kept("moon"),
        "6",
        "a clock that went back keeps nothing for ever"
    );
}

#[test]
fn an_error_is_not_kept_and_what_is_kept_has_a_bound() {
    let sim = world(|_, before| match before {
        0 => Answer::status(500),
        _ => Answer::status(200).send(
            serde_json::json!({"results": (0..5).map(|n| serde_json::json!({
                "title": "t", "url": format!("https://a.example/{n}"), "content": "潮 ".repeat(700),
            })).collect::<Vec<_>>()})
            .to_string(),
        ),
    });
    let mut settings = settings(ProviderKind::Searxng);
    settings
        .servers
        .get_mut(&ProviderKind::Searxng)
        .unwrap()
        .per_minute = 60;
    let ask = |text: String| search_with(&sim, settings.clone(), query(&text));
    assert!(ask("0".to_owned()).is_err());
    for number in 0..40 {
        ask(number.to_string()).unwrap();
    }
    let store = sim.host().store;
    let kept = sim.life(
        NEVER,
        async move { store.text(crate::search::SEARCHED).await },
    );
    let kept = kept.unwrap().unwrap().unwrap();
    assert!(kept.len() <= 200_000, "{}", kept.len());
    let asked = sim.requests().len();
    ask("39".to_owned()).unwrap();
    assert_eq!(sim.requests().len(), asked);
    ask("0".to_owned()).unwrap();
    assert_eq!(sim.requests().len(), asked + 1);
}

#[test]
fn the_eleventh_search_of_a_minute_waits_in_whichever_life_and_kept_ones_do_not_count() {
    let sim = numbered();
    for number in 0..10 {
        let text = number.to_string();
        search(&sim, ProviderKind::Searxng, query(&text)).unwrap();
        search(&sim, ProviderKind::Searxng, query(&text)).unwrap();
    }
    let refused = search(&sim, ProviderKind::Searxng, query("more")).unwrap_err();
    let SearchError::RateLimited { seconds } = refused else {
        panic!("{refused:?}");
    };
    assert!((1..=60).contains(&seconds));
    assert_eq!(sim.requests().len(), 10);
    assert!(refused.wait_ms().is_none());
    assert!(
        search(&sim, ProviderKind::Wikipedia, query("x"))
            .unwrap_err()
            .to_string()
            .contains("Wikipedia")
    );
    sim.jump_clock(i64::try_from(seconds).unwrap() * 1_000);
    assert!(search(&sim, ProviderKind::Searxng, query("more")).is_ok());
}

#[test]
fn two_searches_at_once_are_two() {
    let sim = numbered();
    let mut settings = settings(ProviderKind::Searxng);
    settings
        .servers
        .get_mut(&ProviderKind::Searxng)
        .unwrap()
        .per_minute = 1;
    let desk = SearchService::new(&sim.host());
    let both = sim.life(NEVER, async move {
        let provider = desk.provider(settings);
        let one = provider.search(query("a"), 5, false);
        futures::future::join(one, provider.search(query("b"), 5, false)).await
    });
    let (one, other) = both.unwrap();
    assert!(
        one.is_ok() != other.is_ok(),
        "one of them was over the limit"
    );
}

#[test]
fn a_kill_anywhere_repeats_no_more_than_the_search_in_flight() {
    for kill_at in 0..60 {
        let sim = numbered();
        let work = |sim: &Sim| {
            let desk = SearchService::new(&sim.host());
            async move {
                let provider = desk.provider(settings(ProviderKind::Searxng));
                provider.search(query("tides"), 5, false).await
            }
        };
        sim.life(kill_at, work(&sim));
        let hits = sim.life(NEVER, work(&sim)).unwrap().unwrap();
        let asked = sim.requests().len();
        assert!((1..=2).contains(&asked), "{kill_at}");
        assert_eq!(hits[0].title, (asked - 1).to_string(), "{kill_at}");
    }
}
