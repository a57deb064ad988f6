use super::super::Language;
use super::super::index::{Entry, Index};
use super::*;

/// Builds an `embeddings.bin` with these tokens. Each row contains the token's index in the first
/// dimension and `spread` in the second.
fn packed(tokens: &[&str], spread: i8) -> Vec<u8> {
    let mut bytes = b"glossemb".to_vec();
    let texts = tokens.concat();
    for number in [1, tokens.len(), DIMENSIONS, texts.len()] {
        bytes.extend(u32::try_from(number).unwrap().to_le_bytes());
    }
    bytes.extend(
        tokens
            .iter()
            .map(|token| u8::try_from(token.len()).unwrap()),
    );
    bytes.extend(texts.as_bytes());
    bytes.extend(0.5_f32.to_le_bytes().repeat(tokens.len()));
    for place in 0..tokens.len() {
        let mut row = [0; DIMENSIONS];
        row[0] = i8::try_from(place % 100).unwrap();
        row[1] = spread;
        bytes.extend(row.map(i8::cast_unsigned));
    }
    bytes
}

/// Returns the real embeddings; `None` unless `cargo xtask test` provides them.
fn real() -> Option<Embeddings> {
    let Some(path) = std::env::var_os("GLOSS_EMBEDDINGS") else {
        println!("skipped: no embeddings (GLOSS_EMBEDDINGS names no file)");
        return None;
    };
    Some(Embeddings::parse(&std::fs::read(path).unwrap()).unwrap())
}

#[test]
fn bytes_that_are_no_embeddings_say_why() {
    let whole = packed(&["▁a", "b"], 1);
    let with = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        Embeddings::parse(&bytes).unwrap_err()
    };
    assert!(Embeddings::parse(&whole).is_ok());
    assert_eq!(Embeddings::parse(b"{}").unwrap_err(), LoadError::Magic);
    assert_eq!(with(0, b'x'), LoadError::Magic);
    assert_eq!(with(8, 2), LoadError::Version(2));
    assert_eq!(with(16, 65), LoadError::Dimensions(65));
    // Byte 24 is the first token's length, and byte 26 belongs to its text.
    assert!(matches!(with(24, 2), LoadError::Damaged(_)));
    assert!(matches!(with(26, 0xff), LoadError::Damaged("not UTF-8")));
    let twice = packed(&["a", "a"], 1);
    assert_eq!(
        Embeddings::parse(&twice).unwrap_err(),
        LoadError::Damaged("a token comes twice")
    );
    let more = [&whole[..], &[0]].concat();
    assert!(Embeddings::parse(&more).is_err());
    for end in 0..whole.len() {
        assert!(Embeddings::parse(&whole[..end]).is_err(), "{end} bytes");
    }
}

#[test]
fn a_text_is_the_mean_of_its_tokens() {
    // Characters never have an id below 259.
    let filler: Vec<String> = (0..259).map(|n| format!("<{n}>")).collect();
    let mut tokens: Vec<&str> = filler.iter().map(String::as_str).collect();
    tokens.extend(["▁a", "ab", "▁", "a", "b"]);
    let embeddings = Embeddings::parse(&packed(&tokens, 2)).unwrap();
    let ids = |word: &str| {
        let mut ids = Vec::new();
        embeddings.each_token(word, |token| ids.push(token));
        ids
    };
    assert_eq!(ids("ab"), [259, 263]);
    assert_eq!(ids("bab"), [261, 263, 260]);
    // "x" has no token, so its byte is used.
    assert_eq!(ids("x"), [261, 3 + 0x78]);
    let mean = embeddings.vector("  ab\tab ");
    assert_eq!(mean.0[..3], [(59.0 + 63.0) / 4.0, 1.0, 0.0]);
    assert_eq!(embeddings.vector(" "), Vector::default());
    assert!(Vector::default().cosine(&mean).abs() < f32::EPSILON);
    assert!((mean.cosine(&mean) - 1.0).abs() < 1e-6);
}

/// The expected ids are those of `wordllama` 0.4.0.post1 on `PyPI` (from its `tokenizers` file,
/// without the special tokens).
#[test]
#[rustfmt::skip]
fn tokens_are_those_of_the_reference() {
    let Some(embeddings) = real() else { return };
    for (text, expected) in [
        ("How do I install it offline?", &[1128, 437, 306, 2601, 372, 1283, 1220, 29973][..]),
        ("The quick brown fox jumps over the lazy dog.",
            &[450, 4996, 17354, 1701, 29916, 432, 17204, 975, 278, 17366, 11203, 29889]),
        ("internationalisation", &[6121, 4371]),
        ("PostgreSQL's pg_dump --format=custom",
            &[4918, 7979, 4176, 29915, 29879, 23822, 29918, 15070, 1192, 4830, 29922, 6341]),
        ("naïve café Ångström", &[1055, 30085, 345, 274, 28059, 11260, 865, 25961]),
        ("全文检索 is found", &[29871, 30753, 30333, 233, 166, 131, 31836, 338, 1476]),
        ("emoji 🦀 and \u{307}", &[953, 29877, 2397, 29871, 243, 162, 169, 131, 322, 29871, 207, 138]),
        ("a", &[263]),
        ("3.14159 and 1,000",
            &[29871, 29941, 29889, 29896, 29946, 29896, 29945, 29929, 322, 29871, 29896, 29892, 29900, 29900, 29900]),
        ("uncharacteristically antidisestablishmentarianism",
            &[443, 18609, 391, 1711, 3677, 333, 275, 342, 370, 1674, 358, 13956, 1608]),
        ("no <0x0A> here", &[694, 529, 29900, 29916, 29900, 29909, 29958, 1244]),
        ("e\u{301} ﬁ \u{ad}", &[321, 30103, 29871, 31017, 29871, 30191]),
    ] {
        let mut found = Vec::new();
        for word in text.split_whitespace() {
            embeddings.each_token(word, |token| found.push(token));
        }
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn what_means_much_the_same_lies_close() {
    let Some(embeddings) = real() else { return };
    let cosine = |one: &str, other: &str| embeddings.vector(one).cosine(&embeddings.vector(other));
    let asked = "how can I keep strangers out of my computer";
    let near = cosine(
        asked,
        "access control and authentication of users on the machine",
    );
    let far = cosine(asked, "the painter mixed blue and yellow on his palette");
    assert!(near > far + 0.1, "{near} {far}");
}

#[test]
fn a_word_of_a_megabyte_is_embedded_in_pieces() {
    let Some(embeddings) = real() else { return };
    let word = "antidisestablishment".repeat(50_000);
    assert!(embeddings.add_word(&word, &mut Vector::default()) > 100_000.0);
}

const PAGE: &[&str] = &[
    "roses and gates",
    "Burglars, and what burglars dread",
    "the intruder fled",
    "a gate of iron, a key of iron, and roses",
];

fn entries(texts: &'static [&'static str]) -> impl Iterator<Item = Entry<'static>> {
    texts.iter().map(|text| Entry {
        heading: "House",
        text,
    })
}

#[test]
fn a_word_is_covered_by_one_that_means_the_same() {
    let words = [
        ("Burglars", 0),
        ("burglars", 0),
        ("intruders", 0),
        ("key", 1),
    ];
    let embeddings = Embeddings::parse(&sample(&words)).unwrap();
    let space = Space::new(&embeddings, entries(PAGE));
    let covered = |query: &str| -> Vec<usize> {
        let found = space.coverage(query).into_iter().enumerate();
        found
            .filter_map(|(at, score)| (score > 0.0).then_some(at))
            .collect()
    };
    // "intruders" has no embedding in the sample, but has the same stem as "intruder".
    assert_eq!(covered("intruders?"), [1, 2]);
    assert_eq!(covered("keys"), [3]);
    assert_eq!(covered("What of the zebra?"), []);
    let key = |query: &str| space.coverage(query)[3].to_bits();
    assert_eq!(key("the key, keys and a key"), key("key"));
    // A word that matches nothing still counts as part of the question.
    assert!(space.coverage("key zebra")[3] < space.coverage("key")[3]);
    let empty = Space::new(&embeddings, entries(&[]));
    assert!(empty.coverage("key").is_empty());
}

#[test]
fn words_that_lie_apart_are_covered_as_an_index_covers_them() {
    let embeddings = Embeddings::parse(&sample(&[])).unwrap();
    let space = Space::new(&embeddings, entries(PAGE));
    let index = Index::new(Language::English, entries(PAGE));
    for query in [
        "iron gates",
        "Do burglars dread roses?",
        "house",
        "zebra",
        "",
    ] {
        let pairs = space.coverage(query).into_iter().zip(index.coverage(query));
        for (space, index) in pairs {
            assert!((space - index).abs() < 1e-6, "{query}: {space} {index}");
        }
    }
}

#[test]
fn a_section_in_other_words_is_covered() {
    let Some(embeddings) = real() else { return };
    let texts = &[
        "The painter mixed blue and yellow.",
        "What the physician says of large vehicles.",
        "Roses are cut in the spring.",
    ];
    let space = Space::new(&embeddings, entries(texts));
    let found = space.coverage("huge cars of a doctor");
    assert!(found[1] > 2.0 * found[0].max(found[2]), "{found:?}");
}
