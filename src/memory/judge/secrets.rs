//! Passwords, keys and tokens, by how they are called and by how they look.

/// How secrets are called.
const NAMES: [&str; 27] = [
    "password",
    "pass word",
    "pwd",
    "login secret",
    "passwd",
    "passphrase",
    "passcode",
    "pin code",
    "pin",
    "secret key",
    "api key",
    "apikey",
    "access token",
    "auth token",
    "bearer",
    "private key",
    "recovery phrase",
    "seed phrase",
    "recovery code",
    "one-time code",
    "otp",
    "cvv",
    "cvc",
    "security code",
    "secret question",
    "credentials",
    "login code",
];
const NAMES_IN_CHINESE: [&str; 11] = [
    "密码",
    "口令",
    "密钥",
    "令牌",
    "验证码",
    "助记词",
    "私钥",
    "安全码",
    "支付码",
    "恢复码",
    "动态码",
];

/// What stands between such a name and what it is.
const IS: [&str; 5] = ["is", "are", "=", ":", "was"];
const IS_IN_CHINESE: [char; 5] = ['是', '为', '：', ':', '='];

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
    text.contains("-----BEGIN") || is_named(&text.to_lowercase()) || pieces(text).any(is_token)
}

/// A name, a word that says what it is, and that.
fn is_named(lower: &str) -> bool {
    let chinese = NAMES_IN_CHINESE.iter().any(|name| {
        lower.split(name).skip(1).any(|after| {
            let after = after.trim_start();
            let told = after.strip_prefix(IS_IN_CHINESE).map(str::trim_start);
            let said =
                told.is_some_and(|it| it.chars().next().is_some_and(|it| it.is_ascii_graphic()));
            said || begins_as_code(after)
        })
    });
    chinese
        || NAMES.iter().any(|name| {
            lower.match_indices(name).any(|(at, _)| {
                let before = lower.get(..at).and_then(|it| it.chars().next_back());
                let after = lower.get(at + name.len()..).unwrap_or_default();
                let whole = before.is_none_or(|it| !it.is_alphanumeric())
                    && after
                        .chars()
                        .next()
                        .is_none_or(|it| !it.is_alphanumeric() && it != '-');
                whole && tells(after)
            })
        })
}

/// How far behind its name a secret is looked for, in characters.
const NEAR: usize = 200;

/// Whether what follows a secret's name tells it, within three words: "for GitHub is hunter2".
fn tells(after: &str) -> bool {
    let near: String = after.chars().take(NEAR).collect();
    let spaced = near.replace([':', '='], " : ");
    let words: Vec<&str> = spaced.split_whitespace().take(6).collect();
    let verb = words.iter().position(|word| IS.contains(word));
    let told = verb.filter(|at| *at <= 3).and_then(|at| words.get(at + 1));
    told.is_some_and(|word| !ABSTRACT.contains(word))
        || words.first().is_some_and(|word| begins_as_code(word))
}

/// What is said of a password that does not say it.
const ABSTRACT: [&str; 14] = [
    "stored",
    "kept",
    "too",
    "not",
    "never",
    "always",
    "hard",
    "easy",
    "important",
    "safe",
    "managed",
    "in",
    "on",
    "a",
];

/// Four figures or more, or letters and figures mixed.
fn begins_as_code(word: &str) -> bool {
    let code: Vec<char> = word
        .trim_start()
        .chars()
        .take_while(char::is_ascii_graphic)
        .collect();
    let digits = code.iter().filter(|it| it.is_ascii_digit()).count();
    digits >= 4 || (digits >= 2 && code.len() >= 6 && code.iter().any(char::is_ascii_alphabetic))
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
    let hex = piece.len() >= 32 && piece.chars().all(|it| it.is_ascii_hexdigit());
    let mixed = piece.len() >= 20 && digits >= 3 && upper >= 3 && lower >= 3;
    (known && piece.len() >= 16) || hex || mixed
}
