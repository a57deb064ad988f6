//! The list of closed sites, and the guard around the tabs.

#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

use gloss_durable::sorted::SortedSet;
use gloss_host::{Capture, CaptureError, ClosedSite, Host, Shot, ShotError, TabId};
use gloss_host_sim::Sim;

const TAB: TabId = TabId(7);

fn page(url: &str) -> Capture {
    Capture {
        document: "1".to_owned(),
        url: url.to_owned(),
        title: String::new(),
        language: String::new(),
        html: "<p>Balance</p>".to_owned(),
        selection: None,
        pdf: None,
    }
}

fn closed(sim: &Sim, sites: &[&str]) -> Host {
    let host = sim.host();
    let sites: SortedSet<String> = sites.iter().map(|it| (*it).to_owned()).collect();
    host.closed_sites.set(sites);
    host
}

fn site(site: &str) -> ClosedSite {
    let site = site.to_owned();
    ClosedSite { site }
}

#[test]
fn a_site_is_named_by_its_host_an_address_or_a_pattern() {
    let sites = Sim::new(1).host().closed_sites;
    for (typed, site) in [
        ("bank.example", Some("bank.example")),
        (" Bank.Example. ", Some("bank.example")),
        ("www.bank.example", Some("bank.example")),
        ("*.bank.example", Some("bank.example")),
        (
            "https://bank.example:8443/log-in?a=b#c",
            Some("bank.example"),
        ),
        ("http://*.bank.example/*", Some("bank.example")),
        ("bank.example:8443", Some("bank.example")),
        ("bücher.example", Some("xn--bcher-kva.example")),
        ("例え.jp", Some("xn--r8jz45g.jp")),
        ("localhost:3000", Some("localhost")),
        ("192.168.0.1", Some("192.168.0.1")),
        ("[::1]:80", Some("[::1]")),
        ("", None),
        ("   ", None),
        ("*", None),
        ("*bank*", None),
        ("bank.*", None),
        ("bank.example, clinic.example", None),
        ("bank.example,clinic.example", None),
        ("my bank", None),
        ("me@bank.example", None),
        ("https://", None),
        ("about:blank", None),
        ("file:///bank.html", None),
    ] {
        assert_eq!(sites.site(typed).as_deref(), site, "{typed}");
    }
}

#[test]
fn a_closed_site_includes_its_subdomains_and_every_way_to_write_it() {
    let host = closed(&Sim::new(1), &["bank.example", "clinic.example"]);
    for url in [
        "https://bank.example/",
        "http://bank.example:8080/a",
        "https://BANK.example./",
        "https://www.bank.example/",
        "https://log.in.bank.example/x",
        "https://user:word@bank.example/",
        "https://b%61nk.example/",
        "blob:https://www.bank.example/0b7f",
        "wss://bank.example/",
    ] {
        assert_eq!(
            host.closed_sites.check(url),
            Err(site("bank.example")),
            "{url}"
        );
    }
    for url in [
        "https://notbank.example/",
        "https://bank.example.org/",
        "https://example/",
        "https://a.example/bank.example",
        "https://a.example/?https://bank.example/",
        "file:///bank.example",
        "about:blank",
        "",
    ] {
        assert_eq!(host.closed_sites.check(url), Ok(()), "{url}");
    }
}

#[test]
fn a_tab_of_a_closed_site_is_neither_captured_nor_pictured() {
    let sim = Sim::new(1);
    let shot = Shot {
        data_url: "data:,".to_owned(),
        width: None,
    };
    sim.set_page(TAB, Ok(page("https://www.bank.example/")));
    sim.set_picture(TAB, Ok(shot.clone()));
    let read = |host: &Host| {
        let tabs = host.tabs.clone();
        let both = async { (tabs.capture(TAB).await, tabs.screenshot(TAB, None).await) };
        sim.life(u64::MAX, both).unwrap()
    };
    let host = closed(&sim, &["bank.example"]);
    let of_bank = || site("bank.example");
    let refused = (
        Err(CaptureError::Closed(of_bank())),
        Err(ShotError::Closed(of_bank())),
    );
    assert!(read(&host) == refused);
    assert_eq!(sim.captures(), 0, "no script was injected");
    // The user removes the site from the list.
    host.closed_sites.set(SortedSet::new());
    let open = (Ok(page("https://www.bank.example/")), Ok(shot));
    assert!(read(&host) == open);
}

#[test]
fn a_tab_that_moves_to_a_closed_site_while_it_is_read_gives_nothing() {
    for tick in 0..12 {
        let sim = Sim::new(tick);
        sim.set_page(TAB, Ok(page("https://a.example/")));
        sim.set_capture_delay(5);
        let moved = sim.clone();
        sim.at_tick(tick, move || {
            moved.set_page(TAB, Ok(page("https://bank.example/")));
        });
        let tabs = closed(&sim, &["bank.example"]).tabs;
        let captured = sim.life(u64::MAX, tabs.capture(TAB)).unwrap();
        let url = captured.map(|it| it.url).ok();
        assert_ne!(url.as_deref(), Some("https://bank.example/"), "{tick}");
    }
    // The picture was taken before the tab moved, or after it: nothing of it is used.
    let sim = Sim::new(1);
    sim.set_page(TAB, Ok(page("https://a.example/")));
    let data_url = "data:,".to_owned();
    let width = None;
    sim.set_picture(TAB, Ok(Shot { data_url, width }));
    let moved = sim.clone();
    sim.at_tick(2, move || {
        moved.set_page(TAB, Ok(page("https://bank.example/")));
    });
    let tabs = closed(&sim, &["bank.example"]).tabs;
    let pictured = sim.life(u64::MAX, tabs.screenshot(TAB, None)).unwrap();
    assert!(pictured == Err(ShotError::Closed(site("bank.example"))));
}
