//! Recognises passwords, keys and tokens, by their form and by the words before them.
//!
//! Example: "the password for GitHub is hunter2" contains a password, "uses a password
//! manager" doesn't. Secrets that look like ordinary words and have no name such as "password"
//! before them are not recognised.

/// The names of secrets, in English, Chinese and some European languages.
const SECRET_NAMES: &str = "password|passwd|pwd|passphrase|passcode|pin|secret key|api key|\
    apikey|access token|private key|recovery code|security code|cvv|cvc|passwort|kennwort|\
    mot de passe|contraseña|senha|密码|口令|密钥|令牌|验证码|私钥|安全码|パスワード";

/// Words and signs that connect the name of a secret with the secret, as in "password is".
const CONNECTORS: &str = "设置为|改成了|设为|改成|改为|是|为|は|：|:|=| is ";

/// Words that form another expression with the name of a secret, such as "password manager".
const OTHER_THINGS: &str = "manager managers generator generators policy policies strength app";

/// Words that may follow a connector but are no secrets, such as "the password is stored".
const NON_SECRET_WORDS: &str = "stored kept not never always hard easy important safe in on a \
    the changed lost long strong unique";

/// Words that begin another clause. A connector after such a word does not refer to the name before
/// it.
const CLAUSES: [&str; 6] = ["and", "but", "which", "because", "if", "when"];

/// The number of characters after the name of a secret that are searched for the secret itself.
const NEAR: usize = 200;

/// The maximum number of words between a name and a connector, as in "password for the bank is".
const BETWEEN: usize = 4;

/// Returns true if a text in lower case contains the name of a secret and the secret, as in "the
/// pin: 4821".
fn is_told(lower: &str) -> bool {
    named(lower, SECRET_NAMES).any(|after| {
        let near: String = after.chars().take(NEAR).collect();
        let spaced = CONNECTORS
            .split('|')
            .fold(near, |text, is| text.replace(is, " = "));
        let words: Vec<&str> = spaced.split_whitespace().take(BETWEEN + 2).collect();
        let first = words.first().copied().unwrap_or_default();
        let is_at = words.iter().position(|word| *word == "=");
        let between = words.iter().take(is_at.unwrap_or_default());
        let told = is_at.and_then(|at| words.get(at + 1));
        let is_secret = told.is_some_and(|word| {
            let bare = word.trim_matches(|it: char| !it.is_alphanumeric());
            word.starts_with(|it: char| it.is_ascii_graphic()) && !is_listed(NON_SECRET_WORDS, bare)
        });
        let mut ends = between.filter(|word| CLAUSES.contains(word));
        !is_listed(OTHER_THINGS, first) && (is_code(first) || is_secret && ends.next().is_none())
    })
}

/// Returns true if a list of words, separated by spaces, contains a word.
fn is_listed(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}

/// Returns true for a word with at least four digits, or with letters and digits such as `hunter2`.
fn is_code(word: &str) -> bool {
    let code = word.chars().take_while(char::is_ascii_graphic);
    let code: Vec<char> = code.collect();
    let digits = code.iter().filter(|it| it.is_ascii_digit()).count();
    digits >= 4 || (digits >= 1 && code.len() >= 5 && code.iter().any(char::is_ascii_alphabetic))
}

/// Returns the rest of the text after each of these names that occurs as a whole word.
fn named<'a>(lower: &'a str, names: &'a str) -> impl Iterator<Item = &'a str> {
    names.split('|').flat_map(move |name| {
        lower.match_indices(name).filter_map(move |(at, _)| {
            let (before, after) = (lower.get(..at)?, lower.get(at + name.len()..)?);
            let of_word = |it: char| name.is_ascii() && (it.is_alphanumeric() || it == '-');
            (!before.ends_with(of_word) && !after.starts_with(of_word)).then_some(after)
        })
    })
}

/// The prefixes of tokens of well-known providers.
const TOKEN_PREFIXES: &str = "sk- sk_live_ sk_test_ rk_live_ ghp_ gho_ ghs_ github_pat_ glpat- \
    xoxb- xoxp- AKIA ASIA AIza eyJ hf_ npm_ pypi-";

pub(super) fn has_secret(text: &str) -> bool {
    let lower = text.to_lowercase();
    text.contains("-----BEGIN")
        || is_told(&lower)
        || is_in_address(text)
        || pieces(text).any(is_token)
}

/// Returns true if an address contains a user name and a password, as in
/// `https://ada:hunter2@a.example`.
fn is_in_address(text: &str) -> bool {
    text.split("://").skip(1).any(|after| {
        let ends = |it: char| it.is_whitespace() || matches!(it, '/' | '?' | '#' | '"');
        let before_path = after.split(ends).next().unwrap_or_default();
        let user = before_path.rsplit_once('@').map(|(user, _)| user);
        let password = user.and_then(|user| user.split_once(':'));
        password.is_some_and(|(_, password)| !password.is_empty())
    })
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

/// Returns true for a token that a machine generated: it is long, and has a known prefix, is
/// hexadecimal, or mixes letters and digits.
fn is_token(piece: &str) -> bool {
    let piece = piece.trim_matches(|it: char| !it.is_alphanumeric());
    let mut prefixes = TOKEN_PREFIXES.split_whitespace();
    let known = prefixes.any(|begins| piece.starts_with(begins));
    if !piece.is_ascii() {
        return false;
    }
    let count = |is: fn(&char) -> bool| piece.chars().filter(is).count();
    let digits = count(char::is_ascii_digit);
    let (upper, lower) = (
        count(char::is_ascii_uppercase),
        count(char::is_ascii_lowercase),
    );
    // Some providers put a prefix before a hexadecimal token, such as `dop_v1_…`.
    let bare = piece.rsplit('_').next().unwrap_or_default();
    let hex = bare.len() >= 32 && bare.chars().all(|it| it.is_ascii_hexdigit());
    let mixed = piece.len() >= 20 && digits >= 3 && upper >= 3 && lower >= 3;
    (known && piece.len() >= 16) || hex || mixed
}
