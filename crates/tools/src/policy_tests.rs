//! Tests of the policy of provenance.

use super::*;

fn page() -> Provenance {
    Provenance::of(Origin::Page(String::new()))
}

#[test]
fn the_page_about_security_shows_the_table() {
    let word = |decision: &Decision| match decision {
        Goes => "goes",
        Asks => "asks",
        Refused => "refused",
    };
    let head = format!("| to | {} |", COLUMNS.join(" | "));
    let rows = TABLE.iter().map(|(to, cells)| {
        let cells: Vec<&str> = cells.iter().map(word).collect();
        format!("| {} | {} |", to.name(), cells.join(" | "))
    });
    let rows: Vec<String> = rows.collect();
    let shown = include_str!("../../../docs/security.md");
    let shown: Vec<&str> = shown.lines().filter(|it| it.starts_with("| ")).collect();
    assert_eq!(shown.first().copied(), Some(head.as_str()));
    // Another table shows what `cargo xtask bench injection` measures.
    assert_eq!(
        shown.get(1..=rows.len()),
        Some(&rows.iter().map(String::as_str).collect::<Vec<_>>()[..])
    );
}

#[test]
fn the_strictest_origin_decides() {
    for (provenance, decision) in [
        (Provenance::default(), Goes),
        (Provenance::of(Origin::User).and(Origin::Model), Goes),
        (Provenance::of(Origin::Memory).and(Origin::Gloss), Goes),
        (page().and(Origin::User), Asks),
        (Provenance::of(Origin::Document), Asks),
        (Provenance::of(Origin::SearchResult), Asks),
        (Provenance::of(Origin::Tool("any".to_owned())), Asks),
        (
            Provenance::of(Origin::Fetched("a.example".to_owned())),
            Asks,
        ),
    ] {
        assert_eq!(
            Destination::FetchAddress.decide(&provenance),
            decision,
            "{provenance:?}"
        );
    }
    assert_eq!(Destination::SearchOperators.decide(&page()), Refused);
}

#[test]
fn an_address_goes_only_as_the_user_wrote_it() {
    let words = [
        "Read https://tides.example/brest, please (and https://a.example/x).",
        "And https://c.example? 读“https://d.example/潮汐”。 <https://e.example/y>",
        "https://f.example/go?next=https://evil.example/in https://g.example/a_(b)",
    ];
    let words = words.map(str::to_owned);
    let relevant = ["https://b.example/y?z=1".to_owned()];
    let policy = Policy::new(page(), &words, None, relevant);
    for (address, goes) in [
        ("https://tides.example/brest", true),
        ("https://a.example/x", true),
        ("https://b.example/y?z=1", true),
        ("https://tides.example/bre", false),
        ("https://tides.example/", false),
        ("https://b.example/y?z=12", false),
        ("https://b.example/y", false),
        ("https://evil.example/", false),
        ("https://c.example/", true),
        ("https://c.example", true),
        ("https://d.example/潮汐", true),
        ("https://e.example/y#part", true),
        ("https://evil.example/in", false),
        ("https://g.example/a_(b)", true),
    ] {
        assert_eq!(policy.takes(address), goes, "{address}");
    }
}

#[test]
fn a_query_goes_in_the_users_own_words_alone() {
    let said = ["When is high water at Hilbre Island? 希尔布雷岛的退潮时间".to_owned()];
    let policy = Policy::new(page(), &said, None, []);
    for (query, goes) in [
        ("high water Hilbre", true),
        ("HILBRE: high-water", true),
        ("high water Hoylake", false),
        ("hilbreisland", false),
        ("退潮时间", true),
        ("希尔布雷岛 退潮", true),
        ("退潮岛", false),
        ("site:hilbre water", false),
        // Repetitions could spell a secret.
        ("water high water", false),
        ("high|site:hilbre", false),
        ("ＳＩＴＥ：hilbre", false),
    ] {
        assert_eq!(policy.may_search(query), goes, "{query}");
    }
    let free = Policy::new(Provenance::of(Origin::User), &said, None, []);
    assert!(free.may_search("site:any words"));
    assert_eq!(free.without_operators("site:any words"), "site:any words");
}

#[test]
fn the_calls_of_a_step_share_what_a_site_has_left() {
    let calls = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
    let left = |used: usize, calls: Vec<String>| {
        let fetched = [("h".to_owned(), used)].into_iter().collect();
        let policy = Policy::new(page(), &[], None, []).limited(fetched, calls.clone());
        let each = calls.iter().map(|call| policy.fetches_left(call, "h"));
        each.collect::<Vec<_>>()
    };
    assert_eq!(left(0, calls[..1].to_vec()), [3]);
    assert_eq!(left(0, calls[..2].to_vec()), [2, 1]);
    assert_eq!(left(0, calls.clone()), [1, 1, 1, 0]);
    assert_eq!(left(2, calls.clone()), [1, 0, 0, 0]);
    assert_eq!(left(9, calls), [0, 0, 0, 0]);
}

#[test]
fn two_days_narrow_a_search_only_as_the_user_wrote_them() {
    let between = |from: &str| DateRange::Between {
        from: from.to_owned(),
        to: "2026-01-31".to_owned(),
    };
    let said = ["News of 2026-01-01 to 2026-01-31?".to_owned()];
    let policy = Policy::new(page(), &said, None, []);
    assert!(policy.may_narrow(&DateRange::Week));
    assert!(policy.may_narrow(&between("2026-01-01")));
    assert!(!policy.may_narrow(&between("1987-03-12")));
    let free = Policy::new(Provenance::of(Origin::User), &said, None, []);
    assert!(free.may_narrow(&between("1987-03-12")));
}

#[test]
fn a_rewritten_query_gets_no_operator_from_the_results() {
    let said = ["Tides, site:gov.uk please".to_owned()];
    // Before the search, nothing untrusted was read.
    let policy = Policy::new(Provenance::of(Origin::User), &said, None, []);
    for (rewritten, keeps) in [
        ("tide tables", true),
        ("site:gov.uk tide", true),
        ("tide -site:shop.example", true),
        ("site:evil.example tide", false),
    ] {
        let first = "tide -site:shop.example";
        assert_eq!(
            policy.keeps_operators(rewritten, first),
            keeps,
            "{rewritten}"
        );
    }
}
