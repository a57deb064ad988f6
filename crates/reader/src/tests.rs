use super::*;
use crate::retrieval::{Comparison, words_only};
use gloss_host::Capture;
use gloss_model::{Message, Purpose, Role, Tools, Transcript};
use gloss_page::read;
use std::cell::Cell;
use std::future::ready;

const PAGE: &str = "<title>Tides</title><article>\
    <p>Old maps show the neap tide as a dotted line. Sailors feared it.</p>\
    <p>The neap tide is a tide just after the first or third quarter of the moon.</p>\
    <p>Boats lie on the mud. The lamp was first lit in 1823.</p></article>";

fn page() -> Rc<Document> {
    Rc::new(read(PAGE, "https://a.example/tides").unwrap())
}

/// Page modules that fail a number of times before they work.
struct Failing {
    inner: InProcessModules,
    times: Cell<u32>,
    asked: Rc<Cell<u32>>,
}

impl PageModules for Failing {
    fn read(&self, html: String, url: String) -> Fut<Result<Rc<Document>, ReadError>> {
        self.inner.read(html, url)
    }

    fn read_document(
        &self,
        bytes: Vec<u8>,
        kind: DocumentKind,
        url: String,
    ) -> Fut<Result<Rc<Document>, ReadError>> {
        self.inner.read_document(bytes, kind, url)
    }

    fn perform(&self, page: Option<Rc<Document>>, task: String) -> Fut<Result<String, ReadError>> {
        self.asked.set(self.asked.get() + 1);
        let Some(left) = self.times.get().checked_sub(1) else {
            return self.inner.perform(page, task);
        };
        self.times.set(left);
        ready(Err(failed("unreachable executed"))).boxed_local()
    }
}

fn failing(times: u32) -> (PageService, Rc<Cell<u32>>) {
    let asked = Rc::new(Cell::new(0));
    let device = Failing {
        inner: InProcessModules::new(words_only()),
        times: Cell::new(times),
        asked: asked.clone(),
    };
    (PageService::new(Rc::new(device)), asked)
}

fn now<T>(work: impl Future<Output = T>) -> T {
    work.now_or_never().expect("everything is at hand")
}

fn question(words: &str, page: Option<Rc<Document>>) -> Request {
    let mut transcript = Transcript::default();
    transcript.push(Message::text(Role::User, words));
    Request {
        purpose: Purpose::Synthesise,
        transcript,
        tools: Tools::None,
        temperature: 0.5,
        page,
        schema: None,
        task: String::new(),
        state: String::new(),
        language: gloss_model::Language::English,
    }
}

#[test]
fn each_task_comes_back_as_what_the_page_itself_gives() {
    let (page_service, page) = (PageService::in_process(words_only()), page());
    let found = now(page_service.find(&page, "when was the lamp lit".to_owned(), 1)).unwrap();
    assert_eq!(found.passages[0].id, "p3");
    assert_eq!(found.share_percent, None);
    let whole = now(page_service.excerpt(&page, 12_000, None)).unwrap();
    let texts = whole.passages.iter().map(|passage| &passage.text);
    assert!(texts.eq(page.paragraphs.iter().map(|paragraph| &paragraph.markdown)));
    assert_eq!(whole.share_percent, Some(100));
    let why = now(page_service.explain(&page, "neap tide".to_owned(), None, 1)).unwrap();
    assert_eq!(why.passages[0].id, "p2.1");
    let ids = ["p3.2", "p9", "nothing", "p1"].map(str::to_owned).to_vec();
    let cited = now(page_service.cite(&page, ids, "https://a.example/tides".to_owned())).unwrap();
    let quotes: Vec<(&str, u32, &str)> = cited
        .iter()
        .map(|cited| (cited.id.as_str(), cited.paragraph, cited.quote.as_str()))
        .collect();
    assert_eq!(
        quotes,
        [
            ("p3.2", 3, "The lamp was first lit in 1823."),
            ("p1", 1, page.paragraphs[0].text.as_str()),
        ]
    );
    assert!(
        cited[0]
            .url
            .starts_with("https://a.example/tides#:~:text=The%20lamp")
    );
}

#[test]
fn a_question_is_answered_as_in_process_with_a_page_and_without() {
    let page_service = PageService::in_process(words_only());
    for page in [Some(page()), None] {
        for words in [
            "When was the lamp lit?",
            "Summarize this page",
            "Who are you?",
        ] {
            let request = question(words, page.clone());
            let expected = match &page {
                Some(page) => ask(page.clone(), words, |_| Vec::new()),
                None => gloss_model::Embedded::reply(&request, &[]),
            };
            let reply: Reply = now(page_service.ask(page.as_ref(), &Task::Answer { request }))
                .expect("it answers");
            assert_eq!(reply, expected, "{words}");
        }
    }
}

#[test]
fn a_focus_finds_what_means_it_and_the_model_is_asked_for_nothing_less() {
    let asked = Rc::new(Cell::new(0));
    let (counted, model) = (asked.clone(), |comparison: Comparison| {
        let near = |text: &String| if text.contains("dollars") { 0.7 } else { 0.0 };
        comparison.texts.iter().map(near).collect::<Vec<f32>>()
    });
    let page_service = PageService::in_process(Rc::new(move |comparison| {
        counted.set(counted.get() + 1);
        ready(model(comparison)).boxed_local()
    }));
    let text = |id: &str, text: &str| PassageData {
        id: id.to_owned(),
        text: text.to_owned(),
        why: None,
    };
    let texts = vec![
        text("p1", "The lamp was first lit in 1823."),
        text("p2", "It comes to five dollars for each of them."),
    ];
    let focus = |page_service: &PageService| {
        now(page_service.focus(texts.clone(), "pricing".to_owned(), 400)).unwrap()
    };
    let found = focus(&page_service);
    let ids: Vec<&str> = found.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids, ["p2"]);
    assert_eq!(asked.get(), 1);
    assert!(focus(&PageService::in_process(words_only())).is_empty());
    now(page_service.condense(texts.clone(), "pricing".to_owned(), 400)).unwrap();
    now(page_service.word_overlap(texts, "pricing".to_owned())).unwrap();
    assert_eq!(asked.get(), 1);
}

#[test]
fn what_fails_once_is_done_again_and_what_fails_twice_is_said() {
    for times in 0..3 {
        let (page_service, asked) = failing(times);
        let found = now(page_service.find(&page(), "lamp".to_owned(), 1));
        assert_eq!(asked.get(), (times + 1).min(2), "{times}");
        assert_eq!(found.is_ok(), times < 2, "{times}");
        if let Err(error) = found {
            assert!(
                error.to_string().contains("unreachable executed"),
                "{error}"
            );
        }
    }
}

#[test]
fn what_is_no_task_and_what_has_no_page_is_an_error_in_words() {
    let here = InProcessModules::new(words_only());
    for task in ["", "{}", r#"{"find":{"query":"tide","most":1}}"#] {
        let done = now(here.perform(None, task.to_owned()));
        assert!(!done.unwrap_err().to_string().is_empty(), "{task}");
    }
}

/// A PDF that the browser tests also read.
const PDF: &[u8] = include_bytes!("../../../tests/e2e/pages/tides.pdf");

#[test]
fn a_passage_of_a_pdf_is_linked_to_by_its_page() {
    let page_service = PageService::in_process(words_only());
    let url = "https://a.example/tides.pdf";
    let capture = Capture {
        document: "1".to_owned(),
        url: url.to_owned(),
        title: "tides.pdf".to_owned(),
        language: String::new(),
        html: "<body></body>".to_owned(),
        selection: None,
        pdf: None,
    };
    let read = |capture: &Capture| now(page_service.extract(capture));
    assert_eq!(read(&capture), Err(ReadError::Empty));
    let cut = read(&capture.clone().with_pdf(&PDF[..PDF.len() / 24]));
    assert!(matches!(cut, Err(ReadError::Document { .. })), "{cut:?}");

    let page = read(&capture.with_pdf(PDF)).unwrap();
    assert_eq!(page.title, "Tides of the channel");
    let ids = vec!["p4.1".to_owned()];
    let cited = page_service.cite(&page, ids, format!("{url}#page=1"));
    let cited = cited.now_or_never().unwrap().unwrap();
    assert_eq!(
        cited[0].quote,
        "A spring tide at Brest is seven metres high."
    );
    assert_eq!(cited[0].url, "https://a.example/tides.pdf#page=2");
}
