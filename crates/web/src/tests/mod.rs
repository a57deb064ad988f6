use super::*;
use gloss_host::{HttpError, HttpRequest};
use gloss_host_sim::{Answer, Sim};
use gloss_reader::retrieval::words_only;

mod closed;
mod kept;
mod shown;

const NEVER: u64 = u64::MAX;
const SITE: &str = "https://tides.example";

const PAGE: &str =
    "<html lang=en><title>Tides</title><main><h1>Tides</h1><p>The lamp was lit in 1823.</p></main>";

fn html(body: impl AsRef<[u8]>) -> Answer {
    Answer::status(200)
        .header("content-type", "text/html; charset=utf-8")
        .send(body)
}

/// A simulated web with one site, which Gloss may read.
fn world(serve: impl FnMut(&HttpRequest, usize) -> Answer + 'static) -> Sim {
    let sim = Sim::new(3);
    sim.grant(SITE);
    sim.serve(serve);
    sim
}

fn fetcher(sim: &Sim) -> Fetcher {
    Fetcher::new(&sim.host(), &PageService::in_process(words_only()))
}

fn fetch(sim: &Sim, url: &str, freshness: Freshness) -> Result<Page, FetchError> {
    let fetcher = fetcher(sim);
    let work = async {
        let address = fetcher.address(url)?;
        fetcher.fetch(&address, freshness).await
    };
    sim.life(NEVER, work).expect("nobody kills it")
}

fn fresh(sim: &Sim, path: &str) -> Result<Page, FetchError> {
    fetch(sim, &format!("{SITE}{path}"), Freshness::Fresh)
}

fn words(page: &Page) -> String {
    let texts = page.document.paragraphs.iter().map(|it| it.text.as_str());
    texts.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_page_is_read_and_its_fragment_is_not_sent() {
    let sim = world(|_, _| html(PAGE));
    let page = fresh(&sim, "/brest#neaps").unwrap();
    assert!(words(&page).contains("1823"), "{page:?}");
    let [request] = &sim.requests()[..] else {
        panic!("one request");
    };
    assert_eq!(request.url, "https://tides.example/brest");
    assert!(request.headers.iter().all(|(name, _)| name == "accept"));
}

#[test]
fn what_a_server_says_may_work_later_is_asked_for_again_within_the_time() {
    for (answers, asked, outcome) in [
        (vec![(429, None), (200, None)], 2, Ok(())),
        (vec![(403, None), (503, None), (200, None)], 3, Ok(())),
        (vec![(500, None); 4], 3, Err("the server returned 500")),
        (vec![(429, Some("5")), (200, None)], 2, Ok(())),
        (
            vec![(429, Some("600")), (200, None)],
            1,
            Err("too many requests"),
        ),
        (
            vec![(404, None), (200, None)],
            1,
            Err("there is no such page"),
        ),
        (vec![(401, None), (200, None)], 1, Err("signing in")),
    ] {
        let said = format!("{answers:?}");
        let sim = world(move |_, before| {
            let (status, retry_after) = answers.get(before).copied().unwrap_or((200, None));
            let answer = match status {
                200 => html(PAGE),
                status => Answer::status(status),
            };
            match retry_after {
                Some(wait) => answer.header("retry-after", wait),
                None => answer,
            }
        });
        let before_ms = sim.now_ms();
        let fetched = fresh(&sim, "/");
        assert_eq!(sim.requests().len(), asked, "{said}");
        match outcome {
            Ok(()) => assert!(fetched.is_ok(), "{said} {fetched:?}"),
            Err(words) => {
                let error = fetched.unwrap_err().to_string();
                assert!(error.contains(words), "{said} {error}");
            }
        }
        assert!(sim.now_ms() - before_ms <= MOST_MS, "{said}");
    }
}

#[test]
fn an_article_of_wikipedia_is_read_without_leave_and_by_its_open_form() {
    let sim = Sim::new(3);
    sim.serve(|request, _| {
        assert!(request.url.contains("origin=*"), "{}", request.url);
        let article = r#"{"parse": {"title": "Tide", "text": "<p>The lamp was lit in 1823.</p>"}}"#;
        let missing = r#"{"error": {"code": "missingtitle"}}"#;
        let exists = request.url.ends_with("page=Tide");
        Answer::status(200)
            .header("content-type", "application/json; charset=utf-8")
            .header("access-control-allow-origin", "*")
            .send(if exists { article } else { missing })
    });
    let url = "https://en.wikipedia.org/wiki/Tide";
    let page = fetch(&sim, url, Freshness::Kept).unwrap();
    assert_eq!(page.url, url);
    assert_eq!(page.document.title, "Tide");
    assert!(words(&page).contains("1823"), "{page:?}");
    fetch(&sim, url, Freshness::Kept).unwrap();
    assert_eq!(sim.requests().len(), 1);
    let none = fetch(&sim, "https://en.wikipedia.org/wiki/Tyde", Freshness::Kept);
    assert!(
        matches!(none, Err(FetchError::Status { status: 404, .. })),
        "{none:?}"
    );
    let other = fetch(&sim, "https://en.wikipedia.org/", Freshness::Kept);
    assert!(
        matches!(other, Err(FetchError::NotPermitted { .. })),
        "{other:?}"
    );
}

#[test]
fn a_wait_that_was_asked_for_is_kept() {
    let sim = world(|_, before| match before {
        0 => Answer::status(429).header("retry-after", "5"),
        _ => html(PAGE),
    });
    let before_ms = sim.now_ms();
    fresh(&sim, "/").unwrap();
    assert!(sim.now_ms() - before_ms >= 5_000);
}

#[test]
fn redirects_are_followed_where_gloss_may_read_and_what_comes_from_a_private_place_is_not_used() {
    for (location, outcome) in [
        ("/there", Ok("https://tides.example/there")),
        ("https://other.example/", Err("redirects to another site")),
        ("http://127.0.0.2/secret", Err("nothing of it was used")),
        ("http://0x7f.2/secret", Err("nothing of it was used")),
        (
            "http://[::ffff:127.0.0.2]/secret",
            Err("nothing of it was used"),
        ),
        (
            "http://user:word@tides.example/",
            Err("redirects to another site"),
        ),
    ] {
        let sim = world(move |request, _| {
            if request.url == "https://tides.example/" {
                Answer::status(302).header("location", location)
            } else {
                html("<p>A secret of the router.</p>")
            }
        });
        // These addresses are refused even if the user has granted access to them, as to a server
        // of their own.
        sim.grant("http://127.0.0.2");
        sim.grant("http://[::ffff:7f00:2]");
        match (fresh(&sim, "/"), outcome) {
            (Ok(page), Ok(url)) => assert_eq!(page.url, url),
            (Err(error), Err(words)) => {
                assert!(error.to_string().contains(words), "{location} {error}");
            }
            (fetched, _) => panic!("{location} {fetched:?}"),
        }
    }
}

#[test]
fn what_comes_of_a_redirect_is_read_with_the_persons_word_alone_however_open_the_site_is() {
    let sim = world(|request, _| {
        if request.url == "https://tides.example/" {
            Answer::status(302).header("location", "https://open.example/x")
        } else {
            html(PAGE).header("access-control-allow-origin", "*")
        }
    });
    let origin = "https://open.example".to_owned();
    assert_eq!(fresh(&sim, "/"), Err(FetchError::NotPermitted { origin }));
    sim.grant("https://open.example");
    assert_eq!(fresh(&sim, "/").unwrap().url, "https://open.example/x");
}

#[test]
fn a_feed_in_another_encoding_is_read_in_it() {
    let feed = |head: &str| {
        let mut bytes = head.as_bytes().to_vec();
        bytes.extend(b"<rss><channel><title>\xb3\xb1</title><item><title>\xb3\xb1\xcf\xab</title></item></channel></rss>");
        bytes
    };
    for (declared, head) in [
        (
            "application/rss+xml",
            "<?xml version=\"1.0\" encoding=\"GB2312\"?>",
        ),
        (
            "application/rss+xml; charset=gbk",
            "<?xml version=\"1.0\"?>",
        ),
        ("text/xml; charset=gbk", ""),
    ] {
        let body = feed(head);
        let sim = world(move |_, _| {
            Answer::status(200)
                .header("content-type", declared)
                .send(&body)
        });
        let page = fresh(&sim, "/").unwrap();
        assert_eq!(page.document.title, "潮", "{declared}");
        assert!(self::words(&page).contains("潮汐"), "{declared}");
    }
}

#[test]
fn a_site_that_sends_on_for_ever_is_left() {
    let sim = world(|request, _| {
        let next = format!("{}x", request.url);
        Answer::status(301).header("location", &next)
    });
    assert!(matches!(
        fresh(&sim, "/"),
        Err(FetchError::Unreachable { .. })
    ));
    // Each page is requested twice, because a site that does not respond gets one retry.
    assert_eq!(sim.requests().len(), 2 * 21);
}

#[test]
fn a_document_may_be_larger_than_a_page_by_what_it_begins_with() {
    let too_large = |megabytes| Some(FetchError::TooLarge { megabytes });
    for (declared, path, begins, megabytes, expected) in [
        ("application/pdf", "/a", "%PDF-1.7\n", 6, None),
        ("application/octet-stream", "/a", "%PDF-1.7\n", 19, None),
        ("text/html", "/a", "%PDF-1.7\n", 19, None),
        ("", "/a.docx", "PK\u{3}\u{4}", 19, None),
        ("application/pdf", "/a", "%PDF-1.7\n", 20, too_large(20)),
        ("", "/a.docx", "PK\u{3}\u{4}", 20, too_large(20)),
        // The limit of a page applies to a false content type, to an archive, and to a page.
        ("application/pdf", "/a.pdf", "<p>", 6, too_large(5)),
        ("application/zip", "/a.zip", "PK\u{3}\u{4}", 6, too_large(5)),
        ("text/html", "/a", "<p>", 6, too_large(5)),
    ] {
        let sim = world(move |_, _| {
            let piece = vec![b' '; 1024 * 1024];
            let answer = Answer::status(200)
                .header("content-type", declared)
                .send(begins);
            (0..megabytes).fold(answer, |answer, _| answer.send(&piece))
        });
        let failed = fresh(&sim, path).expect_err("no text");
        let said = matches!(failed, FetchError::TooLarge { .. }).then_some(failed);
        assert_eq!(said, expected, "{declared} {begins} {megabytes}");
    }
}

#[test]
fn what_is_too_large_too_slow_or_cut_is_left_and_said() {
    let large = world(|_, _| {
        let piece = vec![b'a'; 1024 * 1024];
        (0..9).fold(html("<p>"), |answer, _| answer.send(&piece))
    });
    let too_large = |megabytes| Err(FetchError::TooLarge { megabytes });
    assert_eq!(fresh(&large, "/"), too_large(5));
    assert_eq!(large.abandoned_requests(), 1, "the rest is not downloaded");
    let slow = world(|_, _| html("<p>").wait(MOST_MS * 2).send("late"));
    let before_ms = slow.now_ms();
    assert!(matches!(
        fresh(&slow, "/"),
        Err(FetchError::TimedOut { .. })
    ));
    assert!(slow.now_ms() - before_ms <= MOST_MS + 1_000);
    assert_eq!(slow.abandoned_requests(), 1);
    let cut = world(|_, _| html("<p>A be").cut());
    assert_eq!(fresh(&cut, "/"), Err(FetchError::Cut));
    assert_eq!(cut.requests().len(), 3);
    let nobody = Sim::new(1);
    nobody.grant(SITE);
    assert!(matches!(
        fresh(&nobody, "/"),
        Err(FetchError::Unreachable { .. })
    ));
}

#[test]
fn a_site_that_does_not_answer_is_asked_once_more() {
    let refused = || {
        Answer::refuse(HttpError::Unreachable {
            message: "refused".to_owned(),
        })
    };
    for (failures, asked, is_read) in [(1, 2, true), (2, 2, false)] {
        let sim = world(move |_, before| {
            if before < failures {
                refused()
            } else {
                html(PAGE)
            }
        });
        let before_ms = sim.now_ms();
        assert_eq!(fresh(&sim, "/").is_ok(), is_read, "{failures}");
        assert_eq!(sim.requests().len(), asked, "{failures}");
        assert!(sim.now_ms() - before_ms >= 1_000, "{failures}");
    }
}

#[test]
fn a_wait_that_was_asked_for_by_a_date_is_kept() {
    // The simulator's clock starts on Tue, 14 Nov 2023 22:13:20 GMT.
    let sim = world(|_, before| match before {
        0 => Answer::status(503).header("retry-after", "Tue, 14 Nov 2023 22:13:26 GMT"),
        _ => html(PAGE),
    });
    let before_ms = sim.now_ms();
    assert!(before_ms < 1_700_000_001_000, "{before_ms}");
    fresh(&sim, "/").unwrap();
    assert!(sim.now_ms() >= 1_700_000_006_000, "{}", sim.now_ms());
    assert!(sim.now_ms() - before_ms < 8_000);
}

#[test]
fn what_the_person_did_not_allow_is_not_asked_for() {
    let sim = world(|_, _| html(PAGE));
    let error = fetch(&sim, "https://other.example/", Freshness::Kept).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the user has not allowed Gloss to read https://other.example"
    );
    assert!(sim.requests().is_empty());
    let lacking = |url: &str| {
        let fetcher = fetcher(&sim);
        let address = fetcher.address(url).unwrap();
        sim.life(NEVER, async { fetcher.lacking(&address).await })
            .unwrap()
    };
    assert_eq!(lacking("https://tides.example/x"), Vec::<String>::new());
    assert_eq!(
        lacking("http://tides.example/x"),
        [
            "http://tides.example",
            "http://www.tides.example",
            "https://www.tides.example"
        ]
    );
    assert_eq!(
        lacking("http://docs.b.example/x"),
        ["http://docs.b.example", "https://docs.b.example"]
    );
    assert_eq!(
        lacking("http://b.example:8080/x"),
        ["http://b.example:8080"]
    );
    assert_eq!(
        lacking("https://b.example/x"),
        ["https://b.example", "https://www.b.example"]
    );
}

#[test]
fn what_has_no_words_is_said_to_be_what_it_is() {
    for (declared, body, words) in [
        ("image/png", &b"\x89PNG"[..], "it is image/png"),
        ("application/zip", b"PK\x03\x04..", "it is application/zip"),
        ("text/html", b"<p></p>", "no text"),
    ] {
        let sim = world(move |_, _| {
            Answer::status(200)
                .header("content-type", declared)
                .send(body)
        });
        let error = fresh(&sim, "/").unwrap_err().to_string();
        assert!(error.contains(words), "{declared} {error}");
    }
}

#[test]
fn each_kind_of_text_is_read() {
    for (path, declared, body, words) in [
        (
            "/a",
            "text/html; charset=gbk",
            &b"<p>\xb3\xb1\xcf\xab"[..],
            "潮汐",
        ),
        (
            "/b",
            "text/html",
            b"<meta charset=shift_jis><p>\x92\xaa",
            "潮",
        ),
        (
            "/c.md",
            "text/plain",
            b"# Tides\n\nThe sea.",
            "Tides\nThe sea.",
        ),
        (
            "/d.csv",
            "text/csv",
            b"port,height\nBrest,7",
            "port: Brest; height: 7",
        ),
        (
            "/e",
            "application/json",
            b"{\"port\":\"Brest\"}",
            "{\"port\":\"Brest\"}",
        ),
        ("/f.txt", "text/plain", b"One.\n\nTwo.", "One.\nTwo."),
    ] {
        let sim = world(move |_, _| {
            Answer::status(200)
                .header("content-type", declared)
                .send(body)
        });
        assert_eq!(self::words(&fresh(&sim, path).unwrap()), words, "{path}");
    }
}
