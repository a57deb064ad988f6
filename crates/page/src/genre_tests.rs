//! Tests the genres of small pages.

use super::Genre::{self, Article, Discussion, Listing, Reference, Short};
use crate::{Document, read};

fn page(body: &str) -> Document {
    read(
        &format!("<html><body><main>{body}</main></body></html>"),
        "https://a.example/x",
    )
    .unwrap()
}

fn each(count: u32, body: impl Fn(u32) -> String) -> String {
    (1..=count).map(body).collect::<Vec<_>>().concat()
}

const TOLD: &str = "<p>The keeper rowed out at dawn to look at the gauge, and the sea lay \
    flat under a low sky. He wrote down the height of the water, and nobody asked him why.</p>";

fn post(line: &str, says: &str) -> String {
    format!(
        "<div><p>{line}</p><p>{says} Nobody in the harbour has ever seen it otherwise.</p></div>"
    )
}

#[test]
fn the_shape_of_a_page_tells_its_kind() {
    let thread = [
        post(
            "asked Feb 6, 2014 at 20:37",
            "How does one read a tide table for a small port?",
        ),
        post(
            "answered Feb 7, 2014 at 08:12",
            "Look up the standard port and add the difference.",
        ),
        post(
            "ben · 3 hours ago",
            "The difference is printed at the foot of the page.",
        ),
        post(
            "#4",
            "Do not forget the summer time, which the table leaves out.",
        ),
    ]
    .concat();
    let index = each(19, |n| {
        format!("<li><a href='/{n}'>Harbour number {n}</a></li>")
    });
    let manual = each(4, |n| {
        format!("<h2>{n}.2 Gauges</h2>{TOLD}<pre>gauge --read {n}</pre>")
    });
    let cases: [(Genre, String); 5] = [
        (Article, format!("<h1>The gauge</h1>{}", TOLD.repeat(8))),
        (Reference, manual),
        (Discussion, thread),
        (Listing, format!("<p>All harbours.</p><ul>{index}</ul>")),
        (Short, format!("<h1>The gauge</h1>{TOLD}")),
    ];
    for (genre, body) in cases {
        assert_eq!(page(&body).genre(), genre, "{body}");
    }
}

#[test]
fn a_list_of_articles_with_dates_is_no_discussion() {
    let teasers = each(8, |n| {
        format!("<h2><a href='/{n}'>News of the port, part {n}</a></h2><p>May {n}, 2021</p>")
    });
    assert_eq!(page(&teasers).genre(), Listing);
}

#[test]
fn the_longest_list_is_what_a_page_lists() {
    let menu = "<ul><li><a href=/a>Home</a></li><li><a href=/b>About</a></li></ul>";
    let entries = each(8, |n| format!("<li>Port {n}, with a light</li>"));
    let body = format!("{menu}{}<ul>{entries}</ul>", TOLD.repeat(9));
    let page = page(&body);
    let listed = page.entries();
    assert_eq!(listed.len(), 8);
    assert_eq!(listed[0].text, "Port 1, with a light");
}
