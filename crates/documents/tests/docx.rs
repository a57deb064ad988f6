//! Tests the reading of DOCX files that the tests build.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests fail by it"
)]

mod made;

use gloss_documents::{Document, DocumentKind, Fault, Kind, read};
use made::{archive, docx, paragraph};

fn told(document: &Document) -> Vec<(Kind, &str)> {
    let blocks = document.blocks.iter();
    blocks.map(|it| (it.kind, it.text.as_str())).collect()
}

#[test]
fn headings_items_and_tables_are_told_by_their_styles() {
    let cell = |text: &str| format!("<w:tc>{}</w:tc>", paragraph("", text));
    let row = |cells: [&str; 2]| format!("<w:tr>{}</w:tr>", cells.map(cell).concat());
    let body = [
        paragraph("Titel", "Of ports"),
        paragraph("Kapitel", "The tide"),
        paragraph("Standard", "It &lt;rises&gt;  twice&#160;a day."),
        "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"2\"/></w:numPr></w:pPr>\
            <w:r><w:t>One</w:t><w:tab/><w:t>item</w:t></w:r></w:p>"
            .to_owned(),
        format!(
            "<w:tbl>{}{}</w:tbl>",
            row(["Port", "Depth"]),
            row(["Brest", "7 m"])
        ),
        "<w:p><w:r><w:t>Kept</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>\
            <mc:AlternateContent><mc:Choice><w:r><w:t> once</w:t></w:r></mc:Choice>\
            <mc:Fallback><w:r><w:t> once</w:t></w:r></mc:Fallback></mc:AlternateContent></w:p>"
            .to_owned(),
        paragraph("", " "),
    ];
    let document = read(docx(&body.concat()), DocumentKind::Docx).unwrap();
    assert_eq!(document.title, "Ports & tides");
    assert_eq!(document.language, "en-GB");
    let expected = [
        (Kind::Heading(1), "Of ports"),
        (Kind::Heading(1), "The tide"),
        (Kind::Prose, "It <rises> twice a day."),
        (Kind::Item, "One item"),
        (Kind::Table, "Port\tDepth\nBrest\t7 m"),
        (Kind::Prose, "Kept once"),
    ];
    assert_eq!(told(&document), expected);
}

#[test]
fn what_is_no_document_says_why() {
    let fault = |bytes: Vec<u8>| read(bytes, DocumentKind::Docx).unwrap_err().to_string();
    assert!(fault(b"Hello".to_vec()).contains("not a complete archive"));
    assert!(fault(archive(&[("a.txt", b"a")])).contains("no word/document.xml"));
    assert!(
        fault(archive(&[("word/document.xml", b"<w:document><w:p>")])).contains("it is incomplete")
    );
    assert!(fault(archive(&[("word/document.xml", b"<a><b></a>")])).contains("XML is broken"));
    let compound = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
    assert!(fault(compound.to_vec()).contains(".doc"));
    let name = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes);
    let locked: Vec<u8> = compound.into_iter().chain(name).collect();
    assert_eq!(read(locked, DocumentKind::Docx), Err(Fault::Locked));
    assert_eq!(read(docx(""), DocumentKind::Docx), Err(Fault::Empty));
}

#[test]
fn bombs_go_off_in_words() {
    let huge = [b"<w:document>".to_vec(), vec![b' '; 97 << 20]].concat();
    let packed = archive(&[("word/document.xml", &huge)]);
    assert!(packed.len() < 1 << 20);
    let fault = read(packed, DocumentKind::Docx).unwrap_err().to_string();
    assert!(fault.contains("unpacks to more than 96 MB"), "{fault}");
    let deep = ["<a>".repeat(5_000), "</a>".repeat(5_000)].concat();
    let fault = read(docx(&deep), DocumentKind::Docx)
        .unwrap_err()
        .to_string();
    assert!(fault.contains("nested too deeply"), "{fault}");
    // The paragraphs that fit are kept, and `is_cut` is set.
    let many = paragraph("", &"word ".repeat(200)).repeat(10_000);
    let document = read(docx(&many), DocumentKind::Docx).unwrap();
    let bytes: usize = document.blocks.iter().map(|it| it.text.len()).sum();
    assert!(document.is_cut && bytes <= gloss_documents::MOST_TEXT_BYTES);
}
