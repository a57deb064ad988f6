//! Tests the reading of feeds that the tests build.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests fail by it"
)]

use gloss_documents::{Document, DocumentKind, Kind, read};

fn feed(text: &str) -> Document {
    read(text.as_bytes().to_vec(), DocumentKind::Feed).unwrap()
}

fn told(document: &Document) -> Vec<(Kind, &str, Option<&str>)> {
    let blocks = document.blocks.iter();
    blocks
        .map(|it| (it.kind, it.text.as_str(), it.link.as_deref()))
        .collect()
}

#[test]
fn an_item_of_rss_is_a_heading_that_leads_to_it_and_its_text() {
    let rss = "<?xml version=\"1.0\"?>\n<rss version=\"2.0\" xmlns:content=\"c\" xmlns:media=\"m\"><channel>\
        <title>Harbour &amp; sea</title><link>https://a.example/</link><language>en</language>\
        <image><title>Logo</title></image>\
        <item><title>The tide &amp;amp; the moon</title><link>https://a.example/1</link>\
        <media:title>A picture</media:title><pubDate>Fri, 01 May 2026 08:00:00 GMT</pubDate>\
        <author>A. Keeper</author><description>Short.</description>\
        <content:encoded><![CDATA[<p>It rises <b>twice</b>&nbsp;a day.</p><script>x < 1</script><ul><li>3 &lt; 4</li></ul>]]></content:encoded></item>\
        <item><description>&lt;p&gt;No title.&lt;br/&gt;Two lines.</description></item></channel></rss>";
    let document = feed(rss);
    assert_eq!(
        (document.title.as_str(), document.language.as_str()),
        ("Harbour & sea", "en")
    );
    let expected = [
        (
            Kind::Heading(2),
            "The tide & the moon",
            Some("https://a.example/1"),
        ),
        (
            Kind::Prose,
            "Fri, 01 May 2026 08:00:00 GMT, A. Keeper",
            None,
        ),
        (Kind::Prose, "It rises twice a day.", None),
        (Kind::Prose, "3 < 4", None),
        (Kind::Prose, "No title.", None),
        (Kind::Prose, "Two lines.", None),
    ];
    assert_eq!(told(&document), expected);
}

#[test]
fn an_entry_of_atom_may_be_xhtml() {
    let atom = "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"de\"><title>Hafen</title>\
        <entry><title type=\"html\">Ebbe &lt;i&gt;und&lt;/i&gt; Flut</title>\
        <link rel=\"self\" href=\"https://a.example/self\"/><link href=\"https://a.example/2\"/>\
        <updated>2026-05-01T08:00:00Z</updated><author><name>B</name></author>\
        <content type=\"xhtml\"><div xmlns=\"h\"><p>Sie kommt &amp; geht.</p><p>1 &lt; 2</p></div></content>\
        </entry></feed>";
    let document = feed(atom);
    assert_eq!(
        (document.title.as_str(), document.language.as_str()),
        ("Hafen", "de")
    );
    let expected = [
        (
            Kind::Heading(2),
            "Ebbe und Flut",
            Some("https://a.example/2"),
        ),
        (Kind::Prose, "2026-05-01T08:00:00Z, B", None),
        (Kind::Prose, "Sie kommt & geht.", None),
        (Kind::Prose, "1 < 2", None),
    ];
    assert_eq!(told(&document), expected);
}

#[test]
fn rdf_has_its_items_beside_its_channel() {
    let rdf = "<rdf:RDF xmlns:rdf=\"r\" xmlns:dc=\"d\"><channel><title>News</title></channel>\
        <item><title>One</title><link>https://a.example/3</link><dc:date>2026-05-01</dc:date></item></rdf:RDF>";
    let document = feed(rdf);
    assert_eq!(document.title, "News");
    let expected = [
        (Kind::Heading(2), "One", Some("https://a.example/3")),
        (Kind::Prose, "2026-05-01", None),
    ];
    assert_eq!(told(&document), expected);
}

#[test]
fn what_is_no_feed_says_so_and_nothing_that_is_declared_grows() {
    let fault = |text: &str| {
        let read = read(text.as_bytes().to_vec(), DocumentKind::Feed);
        read.unwrap_err().to_string()
    };
    assert!(fault("<html><body>x</body></html>").contains("not a feed"));
    assert!(fault("").contains("it is incomplete"));
    assert!(fault("<rss><channel><item><title>a</title>").contains("it is incomplete"));
    let laughs = "<!DOCTYPE rss [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>\
        <rss><channel><item><title>Ha &b; ho</title></item></channel></rss>";
    assert_eq!(told(&feed(laughs))[0].1, "Ha ho");
}
