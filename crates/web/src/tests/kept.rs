use super::*;

#[test]
fn a_page_is_kept_for_a_quarter_of_an_hour_over_the_deaths_of_workers() {
    let sim = world(|_, before| html(format!("<p>Number {before}.</p>")));
    let kept = |path: &str| {
        let page = fetch(&sim, &format!("{SITE}{path}"), Freshness::Kept);
        self::words(&page.unwrap())
    };
    assert_eq!(kept("/a"), "Number 0.");
    // Each call runs in a worker of its own.
    assert_eq!(kept("/a"), "Number 0.");
    assert_eq!(kept("/a#part"), "Number 0.", "a fragment is the same page");
    assert_eq!(kept("/b"), "Number 1.");
    assert_eq!(
        self::words(&fresh(&sim, "/a").unwrap()),
        "Number 2.",
        "asked anew"
    );
    assert_eq!(kept("/a"), "Number 2.", "and kept");
    sim.jump_clock(14 * 60_000);
    assert_eq!(kept("/a"), "Number 2.");
    sim.jump_clock(60_000);
    assert_eq!(kept("/a"), "Number 3.");
    sim.jump_clock(-3_600_000);
    assert_eq!(
        kept("/a"),
        "Number 4.",
        "a clock that went back keeps nothing for ever"
    );
    assert_eq!(sim.blob_hashes().len(), 1, "what is old is gone");
}

#[test]
fn no_more_than_twenty_pages_are_kept_and_none_that_is_large() {
    let sim = world(|request, _| match request.url.as_str() {
        "https://tides.example/large" => {
            html(format!("<p>{}</p>", "The sea rises. ".repeat(90_000)))
        }
        url => html(format!("<p>{url}</p>")),
    });
    for number in 0..25 {
        fresh(&sim, &format!("/{number}")).unwrap();
    }
    assert_eq!(sim.blob_hashes().len(), 20);
    fresh(&sim, "/large").unwrap();
    assert_eq!(sim.blob_hashes().len(), 20);
    let asked = sim.requests().len();
    fetch(&sim, "https://tides.example/24", Freshness::Kept).unwrap();
    assert_eq!(sim.requests().len(), asked);
    fetch(&sim, "https://tides.example/0", Freshness::Kept).unwrap();
    assert_eq!(sim.requests().len(), asked + 1);
}

#[test]
fn a_disk_that_refuses_keeps_nothing_and_stops_no_fetch() {
    let sim = world(|_, _| html(PAGE));
    sim.fail_blobs_after(0, gloss_durable::StoreError::Full);
    assert!(fresh(&sim, "/").is_ok());
    assert!(fetch(&sim, "https://tides.example/", Freshness::Kept).is_ok());
    assert_eq!(sim.requests().len(), 2);
}

#[test]
fn a_disk_that_hangs_stops_no_fetch() {
    let sim = world(|_, _| html(PAGE));
    sim.hang_archive();
    assert!(fresh(&sim, "/").is_ok());
    assert!(fetch(&sim, "https://tides.example/", Freshness::Kept).is_ok());
    assert_eq!(sim.requests().len(), 2);
}

#[test]
fn a_kill_while_a_page_is_kept_leaves_it_whole_or_gone() {
    for kill_at in 0..40 {
        let sim = world(|_, before| html(format!("<p>Number {before}.</p>")));
        let work = |sim: &Sim| {
            let fetcher = fetcher(sim);
            async move {
                let address = fetcher.address(SITE).unwrap();
                fetcher.fetch(&address, Freshness::Kept).await
            }
        };
        sim.life(kill_at, work(&sim));
        let page = sim.life(NEVER, work(&sim)).unwrap().unwrap();
        let asked = sim.requests().len();
        assert!((1..=2).contains(&asked), "{kill_at}");
        assert_eq!(words(&page), format!("Number {}.", asked - 1), "{kill_at}");
    }
}
