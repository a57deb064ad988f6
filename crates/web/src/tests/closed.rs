//! Sites that the user closed.

use super::*;
use gloss_host::ClosedSite;

/// Reads a page with a list of closed sites.
fn read(sim: &Sim, url: &str, sites: &[&str]) -> Result<Page, FetchError> {
    let host = sim.host();
    let sites = sites.iter().map(|it| (*it).to_owned());
    host.closed_sites.set(sites.collect());
    let fetcher = Fetcher::new(&host, &PageService::in_process(words_only()));
    let work = async {
        let address = fetcher.address(url)?;
        fetcher.fetch(&address, Freshness::Kept).await
    };
    sim.life(NEVER, work).unwrap()
}

fn refused(site: &str) -> FetchError {
    let site = site.to_owned();
    FetchError::Refused(Refusal::Closed(ClosedSite { site }))
}

#[test]
fn a_closed_site_is_not_asked_and_its_cached_page_is_not_read() {
    let sim = world(|_, _| html(PAGE));
    assert!(read(&sim, SITE, &[]).is_ok());
    assert_eq!(sim.requests().len(), 1);
    let error = read(&sim, SITE, &["tides.example"]).unwrap_err();
    assert_eq!(error, refused("tides.example"));
    let told = "tides.example is on the user's list of sites that are never read";
    assert_eq!(error.to_string(), told);
    assert_eq!(error.wait_ms(1), None, "a retry is useless");
    assert_eq!(sim.requests().len(), 1);
    // The cached page was not deleted.
    assert!(read(&sim, SITE, &[]).is_ok());
    assert_eq!(sim.requests().len(), 1);
}

#[test]
fn nothing_is_used_of_a_closed_site_to_which_another_redirects() {
    let sim = world(|request, _| match request.url.as_str() {
        "https://bank.example/" => html("<p>The balance is 7.</p>"),
        _ => Answer::status(302).header("location", "https://bank.example/"),
    });
    sim.grant("https://bank.example");
    let url = "https://tides.example/out";
    assert_eq!(
        read(&sim, url, &["bank.example"]),
        Err(refused("bank.example"))
    );
    assert!(read(&sim, url, &[]).is_ok());
}

#[test]
fn an_article_is_not_read_from_the_open_form_of_a_closed_wikipedia() {
    let sim = Sim::new(3);
    let url = "https://en.wikipedia.org/wiki/Tide";
    assert_eq!(
        read(&sim, url, &["wikipedia.org"]),
        Err(refused("wikipedia.org"))
    );
    assert!(sim.requests().is_empty());
}

#[test]
fn a_page_whose_scripts_lead_to_a_closed_site_is_not_read_in_its_tab() {
    let sim = world(|_, _| html("<div id=root></div><script src=app.js></script>"));
    let page = gloss_host::Capture {
        document: "1".to_owned(),
        url: "https://bank.example/".to_owned(),
        title: String::new(),
        language: String::new(),
        html: "<main><p>The balance is 7.</p></main>".repeat(20),
        selection: None,
        pdf: None,
    };
    sim.set_scripted("https://tides.example/", page);
    let failed = read(&sim, "https://tides.example/", &["bank.example"]);
    assert!(failed.is_err(), "{failed:?}");
    assert_eq!(sim.tabs_opened(), (1, 0));
    assert!(read(&sim, "https://tides.example/", &[]).is_ok());
}
