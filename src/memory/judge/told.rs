//! Secrets by how they are called: "the password of my laptop is …", "… is my password".
//!
//! Driving example: "uses hunter2 as the Wi-Fi password" says one before its name, "the PIN
//! for the debit card is 4821" behind it; "uses a password manager" says none.

/// How secrets are called.
const NAMES: [&str; 36] = [
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
    // As Germans, French, Spaniards, Portuguese, Italians, Dutch and Russians say.
    "passwort",
    "kennwort",
    "mot de passe",
    "contraseña",
    "contrasena",
    "senha",
    "parola d'ordine",
    "wachtwoord",
    "пароль",
];

/// Those of them that are other things as well: far from what they may name, only figures tell.
const AMBIGUOUS: [&str; 4] = ["pin", "bearer", "credentials", "otp"];

/// Those of scripts without blanks; of Japanese and Korean, too.
const NAMES_IN_CHINESE: [&str; 13] = [
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
    "パスワード",
    "비밀번호",
];

/// What stands between such a name and what it is.
pub(super) const IS: [&str; 10] = ["is", "are", "=", ":", "was", "ist", "est", "es", "é", "è"];
pub(super) const IS_IN_CHINESE: [&str; 20] = [
    "设置为",
    "设置成",
    "改成了",
    "改为了",
    "换成了",
    "设为",
    "设成",
    "改成",
    "改为",
    "换成",
    "定为",
    "就是",
    "叫做",
    "叫",
    "是",
    "为",
    "：",
    ":",
    "=",
    "は",
];
const IS_IN_KOREAN: [&str; 2] = ["는", "은"];

/// What may stand before that.
const ADVERBS_IN_CHINESE: [&str; 8] = ["已经", "现在", "后来", "最近", "一直", "已", "刚", "都"];

/// What stands between a secret and such a name behind it.
const AS_IN_CHINESE: [&str; 10] = [
    "作为",
    "当作",
    "当做",
    "用作",
    "设为",
    "设成",
    "设置为",
    "当",
    "做",
    "是",
];

/// What makes another thing of a password: a program, a rule.
pub(super) const OTHER_THINGS: [&str; 12] = [
    "manager",
    "managers",
    "generator",
    "generators",
    "policy",
    "policies",
    "strength",
    "hashing",
    "protection",
    "security",
    "app",
    "vault",
];

/// What is said of a password that does not say it.
pub(super) const ABSTRACT: [&str; 27] = [
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
    "changed",
    "lost",
    "reset",
    "long",
    "short",
    "strong",
    "weak",
    "unique",
    "different",
    "secure",
    "shared",
    "written",
    "required",
];

/// What a password is called, said or asked with, and is none.
const NO_SECRETS: [&str; 22] = [
    "this",
    "that",
    "it",
    "they",
    "them",
    "these",
    "here",
    "there",
    "what",
    "which",
    "who",
    "known",
    "well",
    "far",
    "soon",
    "same",
    "such",
    "fingerprint",
    "fingerprints",
    "face",
    "passkey",
    "passkeys",
];

/// Whose it is, before its name.
pub(super) const WHOSE: [&str; 9] = [
    "my", "the", "their", "our", "his", "her", "a", "an", "user's",
];

/// What goes on behind the name where a secret stands before it.
const GOES_ON: [&str; 9] = ["for", "of", "to", "at", "on", "in", "and", "too", "there"];

/// Where another clause begins.
pub(super) const CLAUSES: [&str; 9] = [
    "which", "who", "because", "if", "when", "while", "but", "so", "and",
];

/// How far behind its name a secret is looked for, in characters.
pub(super) const NEAR: usize = 200;

/// The most words between a name and the verb: "of the account for the boat is".
const BETWEEN: usize = 8;

/// Whether a text in small letters names a secret and tells it, before or behind.
pub(super) fn tells_one(lower: &str) -> bool {
    let named = NAMES.iter().any(|name| {
        whole(lower, name)
            .any(|(before, after)| follows(name, after) || goes_before(name, before, after))
    });
    named
        || NAMES_IN_CHINESE.iter().any(|name| {
            around(lower, name).any(|(before, after)| {
                follows_in_chinese(after) || goes_before_in_chinese(before, after)
            })
        })
}

/// What stands behind each of these names, where it is a word.
pub(super) fn named<'a>(lower: &'a str, names: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    let behind = move |name: &&'a str| whole(lower, name).map(|(_, after)| after);
    names.iter().flat_map(behind)
}

/// What stands before and behind a name, wherever it is a word.
fn whole<'a>(lower: &'a str, name: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    around(lower, name).filter(move |(before, after)| {
        let next = after.chars().next();
        let of_word = |it: char| it.is_alphanumeric() && name.is_ascii();
        !before.chars().next_back().is_some_and(of_word)
            && !next.is_some_and(|it| of_word(it) || it == '-' && name.is_ascii())
    })
}

pub(super) fn around<'a>(
    lower: &'a str,
    name: &'a str,
) -> impl Iterator<Item = (&'a str, &'a str)> {
    let places = lower.match_indices(name);
    places.filter_map(move |(at, _)| Some((lower.get(..at)?, lower.get(at + name.len()..)?)))
}

/// Whether what follows a secret's name tells it: "for GitHub is hunter2".
fn follows(name: &str, after: &str) -> bool {
    let near: String = after.chars().take(NEAR).collect();
    let spaced = near.replace([':', '='], " : ");
    let words: Vec<&str> = spaced.split_whitespace().take(BETWEEN + 2).collect();
    if words
        .first()
        .is_some_and(|word| OTHER_THINGS.contains(word))
    {
        return false;
    }
    let verb = words.iter().position(|word| IS.contains(word));
    let told = verb.and_then(|at| Some((at, *words.get(at + 1)?)));
    let is_told = told.is_some_and(|(at, word)| {
        let between = words.iter().take(at);
        let is_near = at <= 3 && !between.clone().any(|word| CLAUSES.contains(word));
        let is_far = at <= BETWEEN
            && !between.clone().any(|word| ends_clause(word))
            && may_tell_from_afar(name, word);
        (is_near || is_far) && !ABSTRACT.contains(&word)
    });
    is_told || words.first().is_some_and(|word| begins_as_code(word))
}

fn ends_clause(word: &str) -> bool {
    CLAUSES.contains(&word) || word.ends_with([',', ';', '.', '!', '?', '，', '。'])
}

fn may_tell_from_afar(name: &str, word: &str) -> bool {
    !AMBIGUOUS.contains(&name) || word.bytes().any(|it| it.is_ascii_digit())
}

/// Whether what precedes a secret's name tells it: "hunter2 is my", "uses hunter2 as the Wi-Fi".
fn goes_before(name: &str, before: &str, after: &str) -> bool {
    let ends = after.chars().next().is_none_or(|it| !it.is_whitespace());
    let next = after.split_whitespace().next();
    if !ends && next.is_some_and(|word| !GOES_ON.contains(&word)) {
        return false;
    }
    let start = before
        .char_indices()
        .rev()
        .nth(NEAR)
        .map_or(0, |(at, _)| at);
    let near = before.get(start..).unwrap_or_default();
    // Back over what kind it is: "uses hunter2 as the home Wi-Fi ".
    let mut words = near.split_whitespace().rev();
    let joint = words
        .by_ref()
        .take(5)
        .find(|word| ends_clause(word) || matches!(*word, "is" | "was" | "as"));
    let is_owned = |kind: &str| {
        WHOSE
            .iter()
            .any(|whose| kind.split_whitespace().any(|it| it == *whose))
    };
    let kind = joint
        .and_then(|joint| near.rsplit_once(joint))
        .map(|(_, kind)| kind);
    let joins = match joint {
        Some("is" | "was") => kind.is_some_and(is_owned),
        Some("as") => true,
        Some(_) | None => false,
    };
    let word = words.next().unwrap_or_default();
    let word = word.trim_matches(|it: char| !it.is_alphanumeric());
    joins
        && word.len() >= 3
        && !ABSTRACT.contains(&word)
        && !NO_SECRETS.contains(&word)
        && may_tell_from_afar(name, word)
}

fn follows_in_chinese(after: &str) -> bool {
    let mut after = after.trim_start();
    for adverb in ADVERBS_IN_CHINESE {
        after = after.strip_prefix(adverb).unwrap_or(after).trim_start();
    }
    let mut verbs = IS_IN_CHINESE.iter().chain(&IS_IN_KOREAN);
    let told = verbs
        .find_map(|is| after.strip_prefix(is))
        .map(str::trim_start);
    let said = told.is_some_and(|it| it.chars().next().is_some_and(|it| it.is_ascii_graphic()));
    said || begins_as_code(after)
}

/// Whether what precedes the name tells it: 用 hunter2 作为, hunter2 是我的.
fn goes_before_in_chinese(before: &str, after: &str) -> bool {
    // What goes on makes another thing of it: 密码管理器.
    if after.chars().next().is_some_and(char::is_alphanumeric) {
        return false;
    }
    // The last ten letters hold whose it is and what of: 作为我的邮箱.
    let start = before.char_indices().rev().nth(9).map_or(0, |(at, _)| at);
    let near = before.get(start..).unwrap_or_default();
    AS_IN_CHINESE.iter().any(|joint| {
        near.rfind(joint).is_some_and(|at| {
            let secret = before.get(..start + at).unwrap_or_default().trim_end();
            let word = secret
                .rsplit(|it: char| !it.is_ascii_graphic())
                .next()
                .unwrap_or_default();
            word.len() >= 3
        })
    })
}

/// Four figures or more, or letters and figures mixed: `hunter2`.
fn begins_as_code(word: &str) -> bool {
    let code: Vec<char> = word
        .trim_start()
        .chars()
        .take_while(char::is_ascii_graphic)
        .collect();
    let digits = code.iter().filter(|it| it.is_ascii_digit()).count();
    digits >= 4 || (digits >= 1 && code.len() >= 5 && code.iter().any(char::is_ascii_alphabetic))
}
