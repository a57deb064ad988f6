//! Passwords, keys and tokens, by how they look; `told` has them by how they are called, `opened`
//! by what they open.

use super::opened::opens_something;
use super::told::{ABSTRACT, NEAR, OTHER_THINGS, named, tells_one};

/// How a phrase of words is called that opens a wallet.
const PHRASES: [&str; 11] = [
    "mnemonic",
    "seed",
    "seeds",
    "seed phrase",
    "recovery phrase",
    "recovery words",
    "backup phrase",
    "secret phrase",
    "wallet",
    "wallet phrase",
    "助记词",
];

/// The fewest words that such a phrase has (BIP-39).
const PHRASE_WORDS: usize = 12;

/// How tokens of known makers begin.
const BEGINNINGS: [&str; 18] = [
    "sk-",
    "sk_live_",
    "sk_test_",
    "rk_live_",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "AKIA",
    "ASIA",
    "AIza",
    "eyJ",
    "hf_",
    "npm_",
    "pypi-",
];

pub(super) fn has_secret(text: &str) -> bool {
    let lower = text.to_lowercase();
    text.contains("-----BEGIN")
        || tells_one(&lower)
        || opens_something(text, &lower)
        || is_phrase(&lower)
        || is_login(&lower)
        || is_in_address(text)
        || pieces(text).any(is_token)
        || words(text).any(is_base64)
}

/// A name and a password before the host of an address: `https://ada:hunter2@a.example`.
fn is_in_address(text: &str) -> bool {
    text.match_indices("://").any(|(at, mark)| {
        let after = text.get(at + mark.len()..).unwrap_or_default();
        let before_host: String = after
            .chars()
            .take(NEAR)
            .take_while(|it| !it.is_whitespace() && !matches!(it, '/' | '?' | '#' | '"'))
            .collect();
        let user = before_host.rsplit_once('@').map(|(user, _)| user);
        let password = user.and_then(|user| user.split_once(':'));
        password.is_some_and(|(_, password)| !password.is_empty())
    })
}

/// The words that open a wallet, behind what they are called: twelve or more in a row, each as
/// long as those of the list are (BIP-39), which is no prose.
fn is_phrase(lower: &str) -> bool {
    let is_of_list = |word: &str| {
        (3..=8).contains(&word.len()) && word.bytes().all(|it| it.is_ascii_lowercase())
    };
    named(lower, &PHRASES).any(|after| {
        let near = after.chars().take(NEAR).collect::<String>();
        let words =
            near.split(|it: char| it.is_whitespace() || matches!(it, ',' | ':' | '"' | '='));
        let mut row = 0;
        words
            .filter(|word| !word.is_empty())
            .take(PHRASE_WORDS + 4)
            .any(|word| {
                row = if is_of_list(word) { row + 1 } else { 0 };
                row >= PHRASE_WORDS
            })
    })
}

/// Who logs in, and with what: "login ada / pass swordfish".
fn is_login(lower: &str) -> bool {
    const LOGINS: [&str; 6] = [
        "login",
        "username",
        "user name",
        "user id",
        "account",
        "账号",
    ];
    const WITH: [&str; 4] = ["pass", "pw", "pwd", "password"];
    const APART: [&str; 7] = ["/", ",", ";", "|", "&", "and", "-"];
    const THROUGH: [&str; 10] = [
        "the", "through", "by", "along", "over", "it", "to", "my", "their", "tests",
    ];
    named(lower, &LOGINS).any(|after| {
        let near: String = after.chars().take(NEAR).collect();
        let mut spaced = String::with_capacity(near.len());
        for letter in near.chars() {
            match letter {
                ',' | ';' | '/' | '|' => spaced.extend([' ', letter, ' ']),
                ':' | '=' => spaced.push(' '),
                letter => spaced.push(letter),
            }
        }
        let words: Vec<&str> = spaced.split_whitespace().take(8).collect();
        words.windows(3).any(|row| {
            let [apart, with, what] = row else {
                return false;
            };
            APART.contains(apart)
                && WITH.contains(with)
                && [
                    ABSTRACT.as_slice(),
                    OTHER_THINGS.as_slice(),
                    THROUGH.as_slice(),
                ]
                .iter()
                .all(|them| !them.contains(what))
        })
    })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| {
        it.is_whitespace() || matches!(it, '"' | '\'' | '`' | ',' | ';' | '(' | ')')
    })
}

/// The fewest letters of a key in base 64: AWS's have as many.
const KEY: usize = 40;

/// A key in base 64, which has marks within: letters of both cases in no order, and no path.
fn is_base64(word: &str) -> bool {
    let of_key = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'+' | b'/' | b'=');
    // What names it may stand before it: `secret=wJalr…`.
    let word =
        word.split_once([':', '=']).map_or(
            word,
            |(name, value)| {
                if value.len() >= KEY { value } else { name }
            },
        );
    if word.len() < KEY || !word.bytes().all(of_key) {
        return false;
    }
    let pairs = word.as_bytes().windows(2);
    let rises = pairs
        .filter(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()));
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    digits >= 1 && rises.count() >= 4
}

fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| {
        it.is_whitespace()
            || matches!(
                it,
                '"' | '\'' | '`' | ',' | ';' | '(' | ')' | '/' | '?' | '&' | '='
            )
    })
}

/// What a machine made and no person would say: long, of letters and figures mixed.
fn is_token(piece: &str) -> bool {
    let piece = piece.trim_matches(|it: char| !it.is_alphanumeric());
    let known = BEGINNINGS.iter().any(|begins| piece.starts_with(begins));
    if !piece.is_ascii() {
        return false;
    }
    let count = |is: fn(&char) -> bool| piece.chars().filter(is).count();
    let digits = count(char::is_ascii_digit);
    let (upper, lower) = (
        count(char::is_ascii_uppercase),
        count(char::is_ascii_lowercase),
    );
    // Makers put a word before it: `dop_v1_…`.
    let bare = piece.rsplit('_').next().unwrap_or_default();
    let hex = bare.len() >= 32 && bare.chars().all(|it| it.is_ascii_hexdigit());
    let mixed = piece.len() >= 20 && digits >= 3 && upper >= 3 && lower >= 3;
    (known && piece.len() >= 16) || hex || mixed
}
