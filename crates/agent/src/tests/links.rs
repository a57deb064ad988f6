//! Tests of the links in an answer that can be clicked.

use super::toys::{ReplyWith as _, says};
use super::world::{RunResult, TAB, World, page};
use crate::Event;
use gloss_host::Capture;
use gloss_markdown::{self as markdown, Block, Inline, LinkOrigin};
use gloss_model::Purpose::Reason;

/// Returns the blocks of this answer on a page at `url`: as streamed, and at the end.
fn shown(url: &str, answer: &str) -> [Vec<Block>; 2] {
    let world = World::scripted(vec![(Reason, says(answer).sure(0.9))]);
    let at = Capture {
        url: url.to_owned(),
        ..page()
    };
    world.sim.set_page(TAB, Ok(at));
    let ran = world.run();
    [streamed(&ran), ran.answer().blocks]
}

fn streamed(ran: &RunResult) -> Vec<Block> {
    let mut shown = Vec::new();
    for event in &ran.events {
        if let Event::AnswerGrew { frozen, tail } = event {
            shown.truncate(*frozen);
            shown.extend_from_slice(tail);
        }
    }
    shown
}

fn pressable(blocks: &[Block]) -> Vec<String> {
    let [Block::Paragraph { inlines }] = blocks else {
        panic!("{blocks:?}");
    };
    let links = inlines.iter().filter_map(|inline| match inline {
        Inline::Link { url, .. } => Some(url.clone()),
        _ => None,
    });
    links.collect()
}

#[test]
fn a_link_to_a_private_host_is_text_unless_the_page_stands_there() {
    let public = "https://coastlines.example/tides";
    for (page, url, is_link) in [
        (public, "https://a.example/x", true),
        (public, "http://coastlines.example:8080/x", true),
        (public, "https://bücher.example/", true),
        (public, "https://例え.中国/", true),
        (public, "http://8.8.8.8/", true),
        (public, "http://[2606:4700::1111]/", true),
        (public, "mailto:ada@printer.local", true),
        (public, "http://192.168.0.1/reboot?now=1", false),
        (public, "HTTP://127.0.0.1:8080/", false),
        (public, "http://localhost/", false),
        (public, "http:localhost", false),
        (public, "https:\\\\router/", false),
        (public, "http://a@printer.local./", false),
        (public, "http://[::1]/", false),
        (public, "http://2130706433/", false),
        (public, "http://0x7f.1/", false),
        (public, "http://127.1/", false),
        (public, "http://127.0.0.1./", false),
        (public, "http://0177.0.0.1/", false),
        (public, "http://１２７.０.０.１/", false),
        (public, "http://127。0。0。1/", false),
        (public, "http://printer.ｌｏｃａｌ/", false),
        (public, "http://%6c%6fcalhost/", false),
        (public, "http://%31%32%37.0.0.1/", false),
        (public, "http://127.0.0.1.nip.io/", false),
        (public, "http:///", false),
        (
            "http://192.168.0.1/status",
            "http://192.168.0.1/reboot",
            true,
        ),
        ("http://192.168.0.1/status", "http://192.168.0.2/", false),
        (
            "http://127.0.0.1:41234/page",
            "http://127.0.0.1:8080/",
            true,
        ),
        ("http://wiki/page", "https://WIKI/other", true),
        ("http://wiki/page", "http://wiki2/other", false),
        ("http://wiki/page", "http://wiki@router/", false),
        ("http://[::1]:80/", "http://[::1]/x", true),
    ] {
        let expected: &[&str] = if is_link { &[url] } else { &[] };
        let answer = format!("See [the **status**](<{url}>) there.");
        for blocks in shown(page, &answer) {
            assert_eq!(pressable(&blocks), expected, "{page} {url}");
            let words = markdown::plain(&blocks);
            assert!(words.starts_with("See the status"), "{words}");
        }
    }
}

/// A page makes the model put a secret into an address. All of the address is shown, unless it is
/// literally one that Gloss knows.
#[test]
fn only_an_address_that_gloss_knows_is_shown_by_its_host_alone() {
    let link = "https://harbour.example/times?day=3#noon";
    let answers: Vec<(&str, LinkOrigin)> = vec![
        ("https://asked.example/x?y=1", LinkOrigin::Known),
        ("https://asked.example/x?y=1#secret", LinkOrigin::Model),
        ("https://asked.example/x?y=secret", LinkOrigin::Model),
        (link, LinkOrigin::Known),
        (
            "https://harbour.example/times?day=secret",
            LinkOrigin::Model,
        ),
        ("https://evil.example/secret", LinkOrigin::Model),
        ("mailto:ada@evil.example", LinkOrigin::Model),
    ];
    for (url, expected) in answers {
        let mut world =
            World::scripted(vec![(Reason, says(&format!("See [it]({url})")).sure(0.9))]);
        world.goal = crate::Goal::Ask {
            question: "What does https://asked.example/x?y=1 say?".to_owned(),
        };
        let mut at = page();
        let linked = format!(
            "<p>The harbour keeps <a href=\"{link}\">the times</a> of the tide.</p></article>"
        );
        at.html = at.html.replace("</article>", &linked);
        world.sim.set_page(TAB, Ok(at));
        let blocks = world.run().answer().blocks;
        let Some(Block::Paragraph { inlines }) = blocks.first() else {
            panic!("{blocks:?}");
        };
        let origins: Vec<LinkOrigin> = inlines
            .iter()
            .filter_map(|inline| match inline {
                Inline::Link { origin, .. } => Some(*origin),
                _ => None,
            })
            .collect();
        assert_eq!(origins, [expected], "{url}");
    }
}
