//! Secrets by what they open, where nobody calls them one: a Wi-Fi, a lock, an account.
//!
//! Driving example: "unlocks the phone with 4821" and "has hunter2 for Wi-Fi" tell one, "unlocks
//! the phone with a fingerprint" and "has 3 routers for Wi-Fi" do not. Words alone are no secret
//! here: only what looks like a code is, and no model of a device, measure, year or address does.

use super::told::{CLAUSES, IS, IS_IN_CHINESE, WHOSE, around};

/// How wireless networks are called.
const NETWORKS: [&str; 4] = ["wi-fi", "wifi", "wlan", "hotspot"];

/// What is said of them that is no password.
const OF_NETWORKS: [&str; 10] = [
    "router", "routers", "speed", "standard", "adapter", "card", "chip", "provider", "name", "ssid",
];

/// What is opened with a code.
const THINGS: [&str; 30] = [
    "phone", "iphone", "tablet", "ipad", "laptop", "computer", "pc", "mac", "screen", "device",
    "watch", "door", "gate", "garage", "house", "home", "office", "flat", "car", "bike", "safe",
    "vault", "locker", "lock", "padlock", "suitcase", "cabinet", "drawer", "alarm", "sim",
];

const OPENS: [&str; 9] = [
    "unlock",
    "unlocks",
    "unlocked",
    "unlocking",
    "open",
    "opens",
    "opened",
    "disarm",
    "disarms",
];

/// Codes, by what they are of.
const CODES: [&str; 13] = [
    "door", "gate", "alarm", "garage", "entry", "access", "unlock", "lock", "locker", "keypad",
    "safe", "lift", "elevator",
];

const SIGNS: [&str; 8] = [
    "sign", "signs", "signed", "signing", "log", "logs", "logged", "logging",
];

/// Ways to sign in that look like codes.
const MEANS: [&str; 8] = [
    "oauth2", "fido2", "saml2", "auth0", "web3", "x509", "x.509", "sha256",
];

/// How what looks like a code begins, and is a device or a standard.
const PRODUCTS: [&str; 16] = [
    "iphone", "ipad", "ipados", "ios", "macos", "windows", "android", "galaxy", "pixel", "yubikey",
    "fritz", "wifi", "wi-fi", "802.11", "wpa", "http",
];

const UNITS: [&str; 17] = [
    "hz", "khz", "mhz", "ghz", "kb", "mb", "gb", "tb", "kbit", "mbit", "gbit", "mbps", "gbps",
    "eur", "usd", "gbp", "",
];

/// Before a number that is no code: a year, a port, a price.
const OF_NUMBERS: [&str; 9] = [
    "since", "in", "from", "until", "by", "at", "port", "on", "about",
];

/// What is opened in Chinese, and what tells a code behind it besides what tells a password.
const OPENED_IN_CHINESE: [&str; 16] = [
    "wifi",
    "wi-fi",
    "无线网",
    "无线网络",
    "热点",
    "解锁",
    "开锁",
    "锁屏",
    "门锁",
    "门禁",
    "保险柜",
    "保险箱",
    "储物柜",
    "组合",
    "登录",
    "登陆",
];
const WITH_IN_CHINESE: [&str; 5] = ["用的是", "输入", "用", "靠", "输"];

/// What a code stands before in Chinese: 用4821解锁.
const OPENS_IN_CHINESE: [&str; 9] = [
    "解锁",
    "开锁",
    "开门",
    "登录",
    "登陆",
    "连wifi",
    "连wi-fi",
    "连无线",
    "连热点",
];

/// What makes a number of figures: 2023年.
const COUNTED: &str = "年月日号元块个台只次米点版型款代层楼路室岁人";

/// How far a code is from what it opens, in words.
const FAR: usize = 8;

/// The longest code, in characters.
const LONGEST: usize = 40;

/// Whether a text tells what opens something.
pub(super) fn opens_something(text: &str, lower: &str) -> bool {
    let (spaced, lower_spaced) = (spaced(text), spaced(lower));
    // Their blanks are the same.
    let words: Vec<Word> = (spaced
        .split_whitespace()
        .zip(lower_spaced.split_whitespace()))
    .map(|(written, lower)| Word { written, lower })
    .collect();
    let told = (0..words.len()).any(|at| {
        of_network(&words, at)
            || of_lock(&words, at)
            || of_account(&words, at)
            || is_called_so(&words, at)
    });
    told || in_chinese(lower)
}

/// A word, as it was written and in small letters.
#[derive(Clone, Copy, Default)]
struct Word<'a> {
    written: &'a str,
    lower: &'a str,
}

impl<'a> Word<'a> {
    /// Without what stands around it.
    fn bare(self) -> &'a str {
        bare(self.lower)
    }

    fn is(self, any_of: &[&str]) -> bool {
        any_of.contains(&self.bare())
    }

    /// "and" goes on: "with ada and hunter2".
    fn ends_clause(self) -> bool {
        self.lower != "and" && CLAUSES.contains(&self.lower)
            || self.lower.ends_with(['.', ';', '!', '?'])
    }

    /// As a network's key: a model of a device is written in capitals.
    fn is_key(self) -> bool {
        let figures = figures(self.bare());
        match kind(self.lower) {
            Some(Code::Mixed) => bare(self.written).contains(|it: char| it.is_ascii_lowercase()),
            Some(Code::Figures) => figures >= 8,
            None => false,
        }
    }
}

fn bare(word: &str) -> &str {
    word.trim_matches(|it: char| !it.is_alphanumeric())
}

fn figures(word: &str) -> usize {
    word.bytes().filter(u8::is_ascii_digit).count()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Code {
    /// Figures alone: 4821, 12-34-56.
    Figures,
    /// Letters, too: hunter2.
    Mixed,
}

/// Whether a word in small letters is like a code, and which.
fn kind(word: &str) -> Option<Code> {
    let word = bare(word);
    if word.len() > LONGEST || !word.is_ascii() || word.contains('@') {
        return None;
    }
    let figures = figures(word);
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    let unit = word.trim_start_matches(|it: char| it.is_ascii_digit() || matches!(it, '.' | ','));
    let is_known = MEANS.contains(&word)
        || letters > 0 && UNITS.contains(&unit.split('/').next().unwrap_or_default())
        || PRODUCTS.iter().any(|product| word.starts_with(product));
    match (figures, letters) {
        (4..=12, 0) if !word.contains([',', ':']) => Some(Code::Figures),
        (1.., 1..) if word.len() >= 5 && !is_known => Some(Code::Mixed),
        _ => None,
    }
}

/// A text whose marks that tell something stand alone.
fn spaced(text: &str) -> String {
    text.replace([':', '=', '：'], " : ").replace(" / ", " ")
}

fn word<'a>(words: &[Word<'a>], at: Option<usize>) -> Word<'a> {
    at.and_then(|at| words.get(at)).copied().unwrap_or_default()
}

/// The words behind this one, up to the clause's end.
fn behind<'a, 'b>(
    words: &'b [Word<'a>],
    at: usize,
) -> impl Iterator<Item = (usize, Word<'a>)> + 'b {
    let far = words.iter().copied().enumerate().skip(at + 1).take(FAR);
    let mut is_over = false;
    far.take_while(move |(_, word)| {
        let goes_on = !is_over;
        is_over = word.ends_clause();
        goes_on
    })
}

/// What these words behind a place lead to: "at home: hunter2".
fn led_to<'a>(words: &[Word<'a>], at: usize, by: &[&str]) -> Option<(usize, Word<'a>)> {
    let (at, _) = behind(words, at).find(|(_, word)| by.contains(&word.lower))?;
    Some((at + 1, words.get(at + 1).copied()?))
}

/// "Wi-Fi at home: hunter2", "has hunter2 for the home Wi-Fi".
fn of_network(words: &[Word], at: usize) -> bool {
    if !word(words, Some(at)).is(&NETWORKS) {
        return false;
    }
    let told = led_to(words, at, &IS).is_some_and(|(told, key)| {
        let mut between = words.iter().take(told).skip(at + 1);
        key.is_key() && !between.any(|word| word.is(&OF_NETWORKS))
    });
    let kinds = [
        "home", "house", "guest", "office", "work", "flat", "family", "5g",
    ];
    let is_of_it = |word: &Word| word.is(&WHOSE) || word.is(&kinds);
    let back = words.iter().take(at).rev().take(FAR);
    let kinds = back.take_while(|word| is_of_it(word)).count();
    let joint = at.checked_sub(kinds + 1);
    let joins = word(words, joint).is(&["for", "as", "on"]);
    let key = joint.and_then(|joint| joint.checked_sub(1));
    let article = key.and_then(|key| key.checked_sub(1));
    told || joins
        && word(words, key).is_key()
        && !word(words, article).is(&["a", "an", "the", "this"])
}

/// "unlocks the phone with 4821", "4821 opens the safe".
fn of_lock(words: &[Word], at: usize) -> bool {
    if !word(words, Some(at)).is(&OPENS) {
        return false;
    }
    let mut thing = behind(words, at).filter(|(_, word)| word.is(&THINGS));
    let Some((thing, _)) = thing.next() else {
        return false;
    };
    let before = at.checked_sub(1);
    let is_subject = kind(word(words, before).lower).is_some() && thing <= at + 3;
    let with = led_to(words, thing, &["with", "using", "by", "typing", "entering"]);
    let told = with.and_then(|(at, first)| {
        let leads = [
            "typing", "entering", "code", "pin", "the", "number", "his", "her", "their",
        ];
        let skipped = words.iter().skip(at).take(3);
        let skipped = skipped.take_while(|word| word.is(&leads)).count();
        kind(words.get(at + skipped).unwrap_or(&first).lower)
    });
    is_subject || told.is_some()
}

/// "signs in with ada / hunter2".
fn of_account(words: &[Word], at: usize) -> bool {
    let signs = word(words, Some(at)).is(&SIGNS)
        && word(words, Some(at + 1)).is(&["in", "on", "into", "onto"])
        || word(words, Some(at)).is(&["login", "logins", "logon"]);
    if !signs {
        return false;
    }
    let Some((from, _)) = led_to(words, at, &["with", "as", "using"]) else {
        return false;
    };
    // Who is named first is no secret: "as ada99 / hunter2".
    let skipped = usize::from(word(words, from.checked_sub(1)).lower == "as");
    let told = behind(words, from - 1).skip(skipped).take(5);
    let mut told = told.filter(|(at, it)| match kind(it.lower) {
        Some(Code::Mixed) => true,
        // "with 5000 others" counts.
        Some(Code::Figures) => {
            let ends = words.get(at + 1).is_none() || it.lower.ends_with([',', '.', ';']);
            ends && !word(words, at.checked_sub(1)).is(&OF_NUMBERS)
        }
        None => false,
    });
    told.next().is_some()
}

/// "locker combination is 12-34-56", "the door code: 4821".
fn is_called_so(words: &[Word], at: usize) -> bool {
    let this = word(words, Some(at));
    let is_combination = this.is(&["combination", "combo", "keycode"]);
    let is_code = this.is(&["code"]) && word(words, at.checked_sub(1)).is(&CODES);
    if !is_combination && !is_code {
        return false;
    }
    let tells = |word: Word| match kind(word.lower) {
        Some(Code::Figures) => true,
        Some(Code::Mixed) => is_code,
        None => false,
    };
    tells(word(words, Some(at + 1))) || led_to(words, at, &IS).is_some_and(|(_, it)| tells(it))
}

/// 家里WiFi是hunter2，手机解锁是4821，用4821解锁手机.
fn in_chinese(lower: &str) -> bool {
    let follows = OPENED_IN_CHINESE
        .iter()
        .any(|name| around(lower, name).any(|(_, after)| follows_in_chinese(name, after)));
    follows
        || OPENS_IN_CHINESE
            .iter()
            .any(|name| around(lower, name).any(|(before, _)| goes_before_in_chinese(before)))
}

fn follows_in_chinese(name: &str, after: &str) -> bool {
    let is_chinese = |it: char| ('一'..='鿿').contains(&it);
    let after = after.trim_start();
    // 手机解锁是, but not "wifi is", which the English rules judge.
    let mut verbs = WITH_IN_CHINESE.iter().chain(&IS_IN_CHINESE);
    let Some(told) = verbs.find_map(|verb| after.strip_prefix(verb)) else {
        return false;
    };
    let near: String = told.trim_start().chars().take(LONGEST).collect();
    let mut rest = near.as_str();
    for _ in 0..3 {
        let end = rest
            .find(|it: char| !it.is_ascii_graphic())
            .unwrap_or(rest.len());
        let (run, behind) = rest.split_at(end);
        let counted = behind.starts_with(|it: char| COUNTED.contains(it));
        let tells = match kind(run) {
            Some(Code::Mixed) => name.is_ascii() || !counted,
            Some(Code::Figures) => !counted && (!name.is_ascii() || figures(run) >= 8),
            None => false,
        };
        if tells {
            return true;
        }
        rest = behind.trim_start();
        if rest.starts_with(is_chinese) {
            return false;
        }
    }
    false
}

fn goes_before_in_chinese(before: &str) -> bool {
    let before = before.trim_end();
    let start = before
        .char_indices()
        .rev()
        .nth(LONGEST)
        .map_or(0, |(at, _)| at);
    let near = before.get(start..).unwrap_or_default();
    let from = near
        .char_indices()
        .rev()
        .find(|(_, it)| !it.is_ascii_graphic())
        .map_or(0, |(at, it)| at + it.len_utf8());
    let (lead, run) = near.split_at(from);
    let leads = lead.trim_end().ends_with(['用', '入', '以', '输', '/']);
    leads && kind(run).is_some()
}
