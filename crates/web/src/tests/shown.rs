use super::*;
use gloss_host::{ALL_SITES, Capture};

const EMPTY: &str = "<div id=root></div><script src=/app.js></script>";

/// A simulation in which Gloss may read all sites.
fn everywhere(serve: impl FnMut(&HttpRequest, usize) -> Answer + 'static) -> Sim {
    let sim = world(serve);
    sim.grant(ALL_SITES);
    sim
}

fn application(url: &str) -> Capture {
    let words = "The tide table of the harbour stands here once its script has run. ".repeat(4);
    Capture {
        document: "d".to_owned(),
        url: url.to_owned(),
        title: "Table".to_owned(),
        language: "en".to_owned(),
        html: format!("<html lang=en><main><p>{words}</p></main></html>"),
        selection: None,
        pdf: None,
    }
}

#[test]
fn a_page_that_says_nothing_without_its_scripts_is_shown_in_a_tab_that_is_closed() {
    let sim = everywhere(|_, _| html(EMPTY));
    sim.set_scripted(
        "https://tides.example/app",
        application("https://tides.example/app"),
    );
    let page = fresh(&sim, "/app").unwrap();
    assert!(words(&page).contains("tide table"), "{page:?}");
    assert_eq!(sim.tabs_opened(), (1, 0));
    let elsewhere = everywhere(|_, _| html(EMPTY));
    elsewhere.set_scripted(
        "https://tides.example/app",
        application("http://127.0.0.1/admin"),
    );
    let error = fresh(&elsewhere, "/app").unwrap_err().to_string();
    assert!(error.contains("nothing of it was used"), "{error}");
    assert_eq!(elsewhere.tabs_opened(), (1, 0));
    let silent = everywhere(|_, _| html(EMPTY));
    let error = fresh(&silent, "/app").unwrap_err().to_string();
    assert!(error.contains("shows nothing without scripts"), "{error}");
    assert_eq!(silent.tabs_opened(), (1, 0));
    // Permission for the page's own site is enough.
    let narrow = world(|_, _| html(EMPTY));
    narrow.set_scripted(
        "https://tides.example/app",
        application("https://tides.example/app"),
    );
    let page = fresh(&narrow, "/app").unwrap();
    assert!(words(&page).contains("tide table"), "{page:?}");
    assert_eq!(narrow.tabs_opened(), (1, 0));
    for body in ["<p>Little.</p>", "<p>Little.</p><script></script>"] {
        let sim = everywhere(move |_, _| html(body));
        assert_eq!(words(&fresh(&sim, "/app").unwrap()), "Little.");
        assert_eq!(sim.tabs_opened().1, 0);
    }
}

#[test]
fn a_tab_that_a_killed_worker_left_open_is_closed_by_the_next() {
    for kill_at in 0..60 {
        let sim = everywhere(|_, _| html(EMPTY));
        sim.set_scripted(
            "https://tides.example/app",
            application("https://tides.example/app"),
        );
        let work = |sim: &Sim| {
            let fetcher = fetcher(sim);
            async move {
                let address = fetcher.address("https://tides.example/app").unwrap();
                fetcher.fetch(&address, Freshness::Fresh).await
            }
        };
        let first = sim.life(kill_at, work(&sim));
        let second = sim.life(NEVER, work(&sim)).unwrap();
        assert!(second.is_ok(), "{kill_at}");
        assert_eq!(sim.tabs_opened().1, 0, "{kill_at} {first:?}");
    }
}

#[test]
fn three_pages_that_need_their_scripts_are_shown_side_by_side() {
    let sim = everywhere(|_, _| html(EMPTY));
    let urls = ["/a", "/b", "/c"].map(|path| format!("{SITE}{path}"));
    for url in &urls {
        let little = Capture {
            html: "<main><p>Little.</p></main>".to_owned(),
            ..application(url)
        };
        sim.set_scripted(url, little);
    }
    let fetcher = fetcher(&sim);
    let began_ms = sim.now_ms();
    let pages = urls.iter().map(|url| {
        let fetcher = fetcher.clone();
        async move {
            let address = fetcher.address(url)?;
            fetcher.fetch(&address, Freshness::Fresh).await
        }
    });
    let pages = futures::future::join_all(pages);
    let pages = sim.life(NEVER, pages).expect("nobody kills it");
    for page in pages {
        assert_eq!(words(&page.unwrap()), "Little.");
    }
    let took_ms = sim.now_ms() - began_ms;
    assert!(took_ms < 15_000, "{took_ms}");
    assert_eq!(sim.tabs_opened(), (3, 0));
}

#[test]
fn tabs_beside_each_other_keep_their_rules_whatever_becomes_of_the_others() {
    let paths = ["/a", "/b", "/c", "/d"];
    for given_up_ms in (500..12_000).step_by(500) {
        let sim = everywhere(|_, _| html(EMPTY));
        for (nth, path) in paths.iter().enumerate() {
            // The first page never gets more text; each of the others has its text at once.
            let url = format!("{SITE}{path}");
            let page = application(&url);
            let little = Capture {
                html: "<main><p>Little.</p></main>".to_owned(),
                ..page.clone()
            };
            sim.set_scripted(&url, if nth == 0 { little } else { page });
        }
        let fetcher = fetcher(&sim);
        let reads = paths.iter().enumerate().map(|(nth, path)| {
            let (fetcher, clock) = (fetcher.clone(), sim.host().clock);
            async move {
                clock.sleep(nth as u64 * 400).await;
                let address = fetcher.address(&format!("{SITE}{path}"))?;
                let read = fetcher.fetch(&address, Freshness::Fresh);
                let limit = if nth == 0 { given_up_ms } else { 60_000 };
                let read = within(&*clock, limit, read).await;
                read.unwrap_or(Err(FetchError::Cut))
            }
        });
        let pages = futures::future::join_all(reads);
        let pages = sim.life(NEVER, pages).expect("nobody kills it");
        for page in pages.into_iter().skip(1) {
            let page = page.unwrap_or_else(|error| panic!("{given_up_ms}: {error}"));
            assert!(
                words(&page).contains("tide table"),
                "{given_up_ms} {page:?}"
            );
        }
        assert_eq!(sim.tabs_opened(), (4, 0), "{given_up_ms}");
    }
}

#[test]
fn tabs_that_a_killed_worker_left_open_are_closed_before_the_next_opens_one() {
    for kill_at in (0..160).step_by(3) {
        let sim = everywhere(|_, _| html(EMPTY));
        let urls = ["/a", "/b", "/c"].map(|path| format!("{SITE}{path}"));
        for url in &urls {
            sim.set_scripted(url, application(url));
        }
        let work = |sim: &Sim| {
            let (fetcher, urls) = (fetcher(sim), urls.clone());
            async move {
                let reads = urls.iter().map(async |url| {
                    let address = fetcher.address(url)?;
                    fetcher.fetch(&address, Freshness::Fresh).await
                });
                futures::future::join_all(reads).await
            }
        };
        sim.life(kill_at, work(&sim));
        let pages = sim.life(NEVER, work(&sim)).unwrap();
        assert!(pages.iter().all(Result::is_ok), "{kill_at} {pages:?}");
        assert_eq!(sim.tabs_opened().1, 0, "{kill_at}");
    }
}
