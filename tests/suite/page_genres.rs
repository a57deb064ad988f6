//! Compares the genres that `Document::genre` finds with labels by hand, as a confusion matrix.
//!
//! The pages are Mozilla's suite (`GLOSS_SUITES`, else `../shared/suites`) and the books in
//! `GLOSS_BOOKS`. If they are missing, the test prints a message.
//!
//! The rules were written with the first half of the labels. The second half is no independent
//! test, because the author knew many of its pages before labelling them. Its share of right
//! genres is therefore too high.

#![allow(clippy::indexing_slicing, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gloss::page::Genre::{self, Article, Listing, Reference, Short};
use gloss::page::read;

#[rustfmt::skip]
const SEEN: &[(Genre, &str)] = &[
    (Article, "ars-1 bbc-1 breitbart buzzfeed-1 cnn gmw qq youth guardian-1 nytimes-1 telegraph \
        seattletimes-1 theverge v8-blog wapo-1 quanta-1 citylab-1 gitlab-blog \
        doc/anarchism/html/secE2 doc/anarchism/html/secC9 doc/anarchism/html/intro"),
    (Reference, "wikipedia wikipedia-2 wikipedia-3 doc/apache2-doc/manual/en/content-negotiation \
        doc/apache2-doc/manual/en/expr doc/apache2-doc/manual/en/mpm doc/git-doc/git-fsck \
        doc/git-doc/git-merge-base doc/postgresql-doc-15/html/app-clusterdb \
        doc/postgresql-doc-15/html/sql-alteropclass doc/python3.11/html/library/uuid \
        doc/python3.11/html/library/abc doc/debian-policy/policy.html/ch-binary \
        doc/debian-handbook/html/zh-CN/sect.apparmor debian-reference/ch10.zh-cn \
        doc/rust-doc/html/book/ch06-02-match"),
    (Listing, "wikipedia-4 firefox-nightly-blog doc/python3.11/html/genindex-D \
        doc/python3.11/html/library/index doc/postgresql-doc-15/html/index \
        doc/debian-handbook/html/zh-CN/index doc/anarchism/html/index debian-reference/index.en"),
    (Short, "invalid-attributes visibility-hidden doc/rust-doc/html/book/title-page \
        doc/debian-handbook/html/zh-CN/sect.pureos doc/postgresql-doc-15/html/install-short"),
];

#[rustfmt::skip]
const UNSEEN: &[(Genre, &str)] = &[
    (Article, "aclu cnet engadget heise herald-sun-1 keep-images la-nacion liberation-1 medium-1 \
        nytimes-3 royal-road salon-1 webmd-1 pixnet yahoo-4 doc/anarchism/html/secJ7 \
        doc/anarchism/html/secC12 doc/anarchism/html/append2"),
    (Reference, "doc/git-doc/git-cat-file doc/git-doc/git-pack-refs doc/git-doc/git-credential-cache \
        doc/postgresql-doc-15/html/app-pgcontroldata doc/postgresql-doc-15/html/sql-createindex \
        doc/python3.11/html/library/asynchat doc/python3.11/html/library/email.contentmanager \
        doc/debian-handbook/html/zh-CN/sect.source-package-structure \
        doc/debian-policy/policy.html/ch-source doc/debian-policy/policy.html/ap-pkg-conffiles \
        doc/apache2-doc/manual/en/env doc/apache2-doc/manual/en/new_features_2_4 \
        debian-reference/ch02.en debian-reference/ch11.zh-cn doc/rust-doc/html/book/ch19-04-advanced-types"),
    (Listing, "nytimes-5 doc/python3.11/html/library/i18n doc/python3.11/html/genindex-N \
        doc/python3.11/html/py-modindex doc/postgresql-doc-15/html/bookindex \
        doc/apache2-doc/manual/en/sitemap doc/debian-policy/policy.html/index"),
    (Short, "tmz-1 remove-aria-hidden doc/git-doc/git-hook \
        doc/debian-handbook/html/zh-CN/sect.contributing"),
];

/// The folder of Mozilla's test pages.
fn suite() -> PathBuf {
    let suites = std::env::var_os("GLOSS_SUITES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/suites"),
        PathBuf::from,
    );
    suites.join("readability/test/test-pages")
}

fn is_of_books(name: &str) -> bool {
    name.contains('/')
}

fn html(name: &str) -> Option<String> {
    let path = if is_of_books(name) {
        Path::new(&std::env::var_os("GLOSS_BOOKS")?).join(format!("usr/share/{name}.html"))
    } else {
        suite().join(name).join("source.html")
    };
    let bytes = std::fs::read(path).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The number of pages that are available, and the number of those with the right genre.
fn judged(half: &str, labels: &[(Genre, &str)]) -> (usize, usize) {
    let (mut all, mut right, mut absent) = (0, 0, 0);
    let mut table: BTreeMap<(Genre, Genre), Vec<&str>> = BTreeMap::new();
    for (genre, names) in labels {
        for name in names.split_whitespace() {
            let Some(html) = html(name) else {
                assert!(is_of_books(name) || !suite().is_dir(), "no {name}");
                absent += 1;
                continue;
            };
            let judged = read(&html, "https://a.example/page").unwrap().genre();
            all += 1;
            right += usize::from(judged == *genre);
            table.entry((*genre, judged)).or_default().push(name);
        }
    }
    println!("{half}: {right} of {all}, {absent} absent");
    for ((genre, judged), names) in table {
        let which = if genre == judged {
            String::new()
        } else {
            names.join(" ")
        };
        println!("  {genre:?} called {judged:?}: {} {which}", names.len());
    }
    (all, right)
}

#[test]
fn kinds_of_real_pages_are_mostly_what_a_reader_calls_them() {
    for (half, labels) in [("seen", SEEN), ("unseen", UNSEEN)] {
        let (all, right) = judged(half, labels);
        assert!(right * 100 >= all * 80, "{half}: {right} of {all}");
    }
}
