//! Tests that any bytes give a document or a fault, within the limits.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests fail by it"
)]

mod made;

use gloss_documents::{DocumentKind, Fault, read};
use quickcheck::quickcheck;

/// A valid document of each kind.
fn whole() -> [(DocumentKind, Vec<u8>); 3] {
    let lines: Vec<made::Line> = (0..20)
        .map(|line| {
            (
                72.0,
                780.0 - 20.0 * line as f32,
                11.0,
                "The water rises twice a day.",
            )
        })
        .collect();
    let body = [
        made::paragraph("berschrift1", "The tide"),
        made::paragraph("", "It rises twice a day."),
    ];
    let feed = "<rss><channel><title>Sea</title><item><title>Tide</title>\
        <description>&lt;p&gt;It rises &amp;amp; falls.</description></item></channel></rss>";
    [
        (DocumentKind::Pdf, made::pdf(&[&lines, &lines])),
        (DocumentKind::Docx, made::docx(&body.concat())),
        (DocumentKind::Feed, feed.as_bytes().to_vec()),
    ]
}

fn holds(bytes: Vec<u8>, kind: DocumentKind) -> bool {
    match read(bytes, kind) {
        Ok(document) => !document.blocks.is_empty(),
        Err(Fault::Damaged { message }) => message.len() < 400,
        Err(_) => true,
    }
}

#[test]
fn a_document_that_is_cut_off_is_damaged_or_says_what_it_still_has() {
    for (kind, bytes) in whole() {
        assert!(read(bytes.clone(), kind).is_ok(), "{kind:?}");
        for part in 0..24 {
            let cut = bytes[..bytes.len() * part / 24].to_vec();
            assert!(holds(cut, kind), "{kind:?} {part}");
        }
    }
}

#[test]
fn a_manual_that_is_cut_off_or_flipped_ends_well() {
    let Some(books) = std::env::var_os("GLOSS_BOOKS") else {
        println!("skipped: GLOSS_BOOKS names no folder of manuals");
        return;
    };
    let name = "usr/share/doc/debian-history/docs/project-history.en.pdf";
    let Ok(bytes) = std::fs::read(std::path::Path::new(&books).join(name)) else {
        println!("skipped: there is no {name}");
        return;
    };
    for part in 0..24 {
        let at = bytes.len() * part / 24;
        assert!(holds(bytes[..at].to_vec(), DocumentKind::Pdf), "{part}");
        let mut flipped = bytes.clone();
        for bit in 0..64 {
            flipped[(at + bit * 97) % bytes.len()] ^= 1 << (bit % 8);
        }
        assert!(holds(flipped, DocumentKind::Pdf), "{part}");
    }
}

quickcheck! {
    fn no_flipped_bits_do_harm(flips: Vec<(usize, u8)>) -> bool {
        whole().into_iter().all(|(kind, mut bytes)| {
            for (place, mask) in &flips {
                let place = place % bytes.len();
                bytes[place] ^= mask;
            }
            holds(bytes, kind)
        })
    }

    fn no_bytes_do_harm(bytes: Vec<u8>) -> bool {
        [DocumentKind::Pdf, DocumentKind::Docx, DocumentKind::Feed]
            .into_iter()
            .all(|kind| holds(bytes.clone(), kind))
    }
}

#[test]
fn forms_within_forms_end() {
    let drawn = read(made::forms(40), DocumentKind::Pdf);
    assert!(matches!(drawn, Err(Fault::Damaged { .. })), "{drawn:?}");
}

#[test]
fn marks_without_an_end_take_no_longer_for_each() {
    for mark in ["<b", "&", "<", "<!--"] {
        let text = format!(
            "<rss><channel><item><description><![CDATA[{}]]></description></item></channel></rss>",
            mark.repeat(300_000)
        );
        // This would take hours if each `<` or `&` searched to the end of the text.
        let _ = read(text.into_bytes(), DocumentKind::Feed);
    }
}
