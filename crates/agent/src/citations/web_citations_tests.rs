//! Tests of citations from other pages: their targets, and pages that may not be cited.

use super::*;
use crate::events::Disclaimer;
use futures::FutureExt;
use gloss_reader::retrieval::words_only;
use serde_json::json;

fn cited(ids: &[&str]) -> Vec<Citation> {
    let mut elsewhere = WebSources::default();
    elsewhere.add(&json!({ "pages": [
        {
            "url": "https://tides.example/brest?x=1",
            "title": "Brest",
            "passages": [
                { "id": "w1a1.p4", "text": "The **spring** tide is 7.5 m high. The neap is not." },
                { "id": "w1a1.p9.2", "text": "It is a_b_c." },
            ],
        },
        {
            "url": "https://tides.example/table.pdf",
            "title": "",
            "passages": [{ "id": "w1a2.p3", "text": "Dover, 6.8 m." }],
            "printedPages": { "w1a2.p3": 12 },
        },
    ] }));
    // A result without pages changes nothing.
    elsewhere.add(&json!({ "passages": [] }));
    let ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
    let page_service = PageService::in_process(words_only());
    let citations = elsewhere.cite(&page_service, &ids);
    citations.now_or_never().unwrap().unwrap()
}

#[test]
fn a_passage_from_elsewhere_is_cited_with_its_page_and_where_it_stands() {
    let url = "https://tides.example/brest?x=1#:~:text=";
    for (id, paragraph, quote, link) in [
        (
            "w1a1.p4",
            4,
            "The spring tide is 7.5 m high. The neap is not.",
            "The%20spring%20tide%20is%207.5%20m%20high.%20The%20neap%20is%20not.",
        ),
        ("w1a1.p4.2", 4, "The neap is not.", "The%20neap%20is%20not."),
        ("w1a1.p9.2", 9, "It is a_b_c.", "It%20is%20a_b_c."),
        // Only one sentence of this paragraph was returned.
        ("w1a1.p9", 9, "It is a_b_c.", "It%20is%20a_b_c."),
    ] {
        let [citation] = &cited(&[id])[..] else {
            panic!("{id}");
        };
        assert_eq!(citation.passage, id);
        assert_eq!(citation.paragraph, paragraph, "{id}");
        assert_eq!(citation.quote, quote, "{id}");
        assert_eq!(citation.url, format!("{url}{link}"), "{id}");
        assert_eq!(citation.elsewhere.as_deref(), Some("Brest"), "{id}");
    }
}

#[test]
fn words_that_stand_on_the_page_twice_are_highlighted_where_they_were_given() {
    let mut elsewhere = WebSources::default();
    elsewhere.add(&json!({ "pages": [{
        "url": "https://a.example/",
        "title": "Lamps",
        // The best passage comes first, whatever its position.
        "passages": [
            { "id": "w1a1.p7", "text": "Lit at night. So are all." },
            { "id": "w1a1.p2", "text": "Lit at night." },
        ],
        "textDirectives": { "w1a1.p7.1": "text=Beta.-,Lit%20at%20night." },
    }] }));
    let page_service = PageService::in_process(words_only());
    let ids = ["w1a1.p2", "w1a1.p7.1", "w1a1.p7.2"].map(str::to_owned);
    let cited = elsewhere.cite(&page_service, &ids).now_or_never().unwrap();
    let links = cited.unwrap().into_iter().map(|it| {
        let (_, link) = it.url.split_once(":~:text=").unwrap();
        (it.passage, link.to_owned())
    });
    let links: Vec<(String, String)> = links.collect();
    let expected = [
        ("w1a1.p2", "Lit%20at%20night."),
        ("w1a1.p7.1", "Beta.-,Lit%20at%20night."),
        ("w1a1.p7.2", "So%20are%20all."),
    ];
    assert_eq!(
        links,
        expected.map(|(id, link)| (id.to_owned(), link.to_owned()))
    );
}

#[test]
fn a_result_that_the_person_edited_is_unchecked_and_cited_by_nothing() {
    let page = json!({
        "id": "s1a1",
        "url": "https://tides.example/brest",
        "title": "Brest",
        "passages": [{ "id": "s1a1.p4", "text": "It is 9 m high." }],
        "found": { "relevant": "so", "confidencePercent": 90, "standing": "read" },
    });
    let searched = json!({ "searched": ["tide Brest"], "pages": [page] }).to_string();
    let fetched = json!({ "pages": [page] }).to_string();
    for text in [&*searched, &*fetched, "9 m [[s1a1.p4]]"] {
        let edited = Output::edited(text, None);
        // The value as it is read back from a record.
        let kept = serde_json::to_value(edited).unwrap();
        let mut elsewhere = WebSources::default();
        elsewhere.take(&json::read::<Output>(&kept).unwrap());
        let page_service = PageService::in_process(words_only());
        let ids = ["s1a1.p4".to_owned()];
        let cited = elsewhere.cite(&page_service, &ids);
        assert_eq!(cited.now_or_never().unwrap().unwrap(), [], "{text}");
        let is_search = text == searched;
        assert_eq!(elsewhere.relevant().count(), 0, "{text}");
        let said = elsewhere.research_summary(&[]).and_then(|it| it.disclaimer);
        let expected = is_search.then_some(Disclaimer::Unchecked);
        assert_eq!(said, expected, "{text}");
    }
}

#[test]
fn a_passage_of_a_printed_page_opens_that_page() {
    let citations = cited(&["w1a2.p3", "w1a1.p4"]);
    assert_eq!(citations.len(), 2);
    let printed = citations.iter().find(|it| it.passage == "w1a2.p3").unwrap();
    assert_eq!(printed.url, "https://tides.example/table.pdf#page=12");
    assert_eq!(printed.elsewhere.as_deref(), Some(""));
}

#[test]
fn what_no_result_gave_is_not_cited() {
    let none = [
        "w1a1.p5",
        "w1a1.p4.7",
        "w9a1.p4",
        "p4",
        "w1a1.p",
        "w1a1.p44",
        "w1a2.p4",
    ];
    assert_eq!(cited(&none), []);
}

/// Feature: agent-architecture-upgrade, Property 9: pages that a search found and `web_fetch` then
/// read, under other addresses or after redirects.
#[test]
fn what_was_not_graded_relevant_is_not_cited_by_another_address() {
    let read = |asked: &str, url: &str| {
        let mut elsewhere = WebSources::default();
        let found = |url: &str| json!({ "title": "Lamp", "url": url, "reason": "so" });
        elsewhere.add(&json!({
            "searched": ["lamp"],
            "provider": "SearXNG",
            "pages": [{ "id": "s1a1", "url": "https://good.example/", "title": "Lamp" }],
            "notRelevant": [found("http://www.bad.example/lamp/")],
            "unchecked": [found("https://mute.example/lamp")],
            "advice": "",
        }));
        elsewhere.add(&json!({ "pages": [{
            "id": "w2a1", "url": url, "asked": asked, "title": "Lamp",
            "passages": [{ "id": "w2a1.p4", "text": "The lamp was lit in 1823." }],
        }] }));
        let page_service = PageService::in_process(words_only());
        let ids = ["w2a1.p4".to_owned()];
        let citations = elsewhere.cite(&page_service, &ids);
        citations.now_or_never().unwrap().unwrap().len()
    };
    for (asked, url, cited) in [
        ("https://good.example", "https://good.example/", 1),
        ("https://new.example/a", "https://new.example/a", 1),
        (
            "http://www.bad.example/lamp/",
            "http://www.bad.example/lamp/",
            0,
        ),
        ("https://bad.example/lamp", "https://bad.example/lamp", 0),
        (
            "https://bad.example/lamp#lit",
            "https://bad.example/lamp#lit",
            0,
        ),
        (
            "http://www.bad.example/lamp/",
            "https://elsewhere.example/x",
            0,
        ),
        ("https://short.example/b", "https://www.bad.example/lamp", 0),
        (
            "https://mute.example/lamp/",
            "https://mute.example/lamp/",
            0,
        ),
    ] {
        assert_eq!(read(asked, url), cited, "{asked} {url}");
    }
}
