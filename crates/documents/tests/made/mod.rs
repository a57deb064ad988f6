//! Builds PDF and DOCX files with known text for the tests.
#![allow(dead_code, reason = "each test uses some of it")]

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A line of a page: (distance from the left, distance from the bottom, font size, text).
pub(crate) type Line<'a> = (f32, f32, f32, &'a str);

/// Builds a PDF with these pages. The font is Helvetica and is not embedded. `more` is added to the
/// trailer.
pub(crate) fn pdf_with(pages: &[&[Line]], more: &str) -> Vec<u8> {
    let mut objects = vec!["<< /Type /Catalog /Pages 2 0 R >>".to_owned()];
    let kids = (0..pages.len()).map(|page| format!("{} 0 R", 4 + page * 2));
    let kids: Vec<String> = kids.collect();
    let (kids, count) = (kids.join(" "), pages.len());
    objects.push(format!("<< /Type /Pages /Kids [{kids}] /Count {count} >>"));
    objects.push("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned());
    for lines in pages {
        let mut drawn = String::new();
        for (x, y, size, words) in *lines {
            let words = words
                .replace('\\', "\\\\")
                .replace('(', "\\(")
                .replace(')', "\\)");
            writeln!(drawn, "BT /F1 {size} Tf {x} {y} Td ({words}) Tj ET").unwrap();
        }
        let content = objects.len() + 2;
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {content} 0 R \
             /Resources << /Font << /F1 3 0 R >> >> >>"
        ));
        objects.push(format!(
            "<< /Length {} >>\nstream\n{drawn}endstream",
            drawn.len()
        ));
    }
    written(&objects, more)
}

/// Builds a PDF whose page draws a form. Each form draws the next form twice, `depth` levels deep.
pub(crate) fn forms(depth: usize) -> Vec<u8> {
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R \
         /Resources << /XObject << /F 5 0 R >> >> >>"
            .to_owned(),
        "<< /Length 5 >>\nstream\n/F Do\nendstream".to_owned(),
    ];
    for form in 0..depth {
        objects.push(format!(
            "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 11 \
             /Resources << /XObject << /F {} 0 R >> >> >>\nstream\n/F Do /F Do\nendstream",
            6 + form
        ));
    }
    objects.push(
        "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 0 >>\nstream\n\nendstream"
            .to_owned(),
    );
    written(&objects, "")
}

fn written(objects: &[String], more: &str) -> Vec<u8> {
    let mut file = "%PDF-1.4\n".to_owned();
    let mut places = Vec::new();
    for (number, object) in (1..).zip(objects) {
        places.push(file.len());
        write!(file, "{number} 0 obj\n{object}\nendobj\n").unwrap();
    }
    let table = file.len();
    write!(file, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).unwrap();
    for place in places {
        writeln!(file, "{place:010} 00000 n ").unwrap();
    }
    let size = objects.len() + 1;
    write!(
        file,
        "trailer\n<< /Size {size} /Root 1 0 R {more} >>\nstartxref\n{table}\n%%EOF\n"
    )
    .unwrap();
    file.into_bytes()
}

/// Builds a PDF with these pages.
pub(crate) fn pdf(pages: &[&[Line]]) -> Vec<u8> {
    pdf_with(pages, "")
}

/// Builds a ZIP archive with these files.
pub(crate) fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

const WORDS: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

/// Builds a DOCX with this body, and with the heading styles of a German version of Word.
pub(crate) fn docx(body: &str) -> Vec<u8> {
    let document = format!("<w:document xmlns:w=\"{WORDS}\"><w:body>{body}</w:body></w:document>");
    let style = |id: &str, name: &str, more: &str| {
        format!("<w:style w:styleId=\"{id}\"><w:name w:val=\"{name}\"/>{more}</w:style>")
    };
    let styles = format!(
        "<w:styles xmlns:w=\"{WORDS}\">{}{}{}{}</w:styles>",
        style("Titel", "Title", ""),
        style("berschrift1", "heading 1", ""),
        style("Kapitel", "Kapitel", "<w:basedOn w:val=\"berschrift1\"/>"),
        style("Standard", "Normal", ""),
    );
    let core = "<cp:coreProperties xmlns:cp=\"c\" xmlns:dc=\"d\"><dc:title>Ports &amp; tides</dc:title>\
        <dc:language>en-GB</dc:language></cp:coreProperties>";
    archive(&[
        ("docProps/core.xml", core.as_bytes()),
        ("word/styles.xml", styles.as_bytes()),
        ("word/document.xml", document.as_bytes()),
    ])
}

/// Writes a paragraph of a DOCX; an empty `style` gives a paragraph without style.
pub(crate) fn paragraph(style: &str, text: &str) -> String {
    let style = if style.is_empty() {
        String::new()
    } else {
        format!("<w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr>")
    };
    format!("<w:p>{style}<w:r><w:t>{text}</w:t></w:r></w:p>")
}
