//! Recognises the numbers of cards, identity documents and accounts by their format and check
//! digits.
//!
//! Example: `4111 1111 1111 1111` has the check digit of a card number. The formats of most
//! countries' identity numbers are not implemented. Such numbers are recognised by the words before
//! them, such as "passport".

/// Returns the numbers in a text, each as groups of digits. Groups belong to the same number if
/// only separators are between them: `"4111-1111"` -> `["4111", "1111"]`.
fn numbers(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let is_joint = |it: char| matches!(it, ' ' | '-' | '.' | '/' | '_' | '‑' | '–' | '—');
    let rows = text.split(move |it: char| !it.is_ascii_digit() && !is_joint(it));
    rows.map(move |row| row.split(is_joint).filter(|it| !it.is_empty()).collect())
}

/// The maximum number of digits of a card number.
const CARD: usize = 19;

/// The maximum length of an IBAN, in characters.
const IBAN: usize = 34;

pub(super) fn has_card(text: &str) -> bool {
    numbers(text).any(|groups| any_joined(&groups, CARD, is_card))
}

/// Joins consecutive pieces up to `most` bytes. Returns true if `is` accepts one of the joined
/// texts.
fn any_joined(pieces: &[&str], most: usize, is: fn(&str) -> bool) -> bool {
    (0..pieces.len()).any(|from| {
        let mut joined = String::new();
        for piece in pieces.iter().skip(from) {
            joined.push_str(piece);
            // This limit keeps the time linear in the length of the text.
            if joined.len() > most {
                return false;
            }
            if is(&joined) {
                return true;
            }
        }
        false
    })
}

fn is_card(digits: &str) -> bool {
    let first = digits.chars().next().unwrap_or_default();
    let alike = digits.chars().all(|it| it == first);
    (13..=CARD).contains(&digits.len()) && matches!(first, '2'..='6') && !alike && is_luhn(digits)
}

/// Checks the check digit of a card number (ISO/IEC 7812-1).
fn is_luhn(digits: &str) -> bool {
    let digits = digits.chars().rev().filter_map(|it| it.to_digit(10));
    let sum: u32 = digits
        .enumerate()
        .map(|(place, digit)| match (place % 2, digit * 2) {
            (0, _) => digit,
            (_, double) if double > 9 => double - 9,
            (_, double) => double,
        })
        .sum();
    sum.is_multiple_of(10)
}

/// Returns true if a text contains the number of an identity document or an account.
pub(super) fn has_identity(text: &str) -> bool {
    let is_ssn_in = |groups: Vec<&str>| groups.windows(3).any(is_ssn);
    numbers(text).any(is_ssn_in)
        || text
            .split(|it: char| !it.is_ascii_alphanumeric())
            .any(|word| is_resident_id(&word.to_ascii_uppercase()))
        || is_iban_in(text)
        || is_named(&text.to_lowercase())
}

/// Returns true for a social security number of the United States. Numbers that were never assigned
/// are excluded.
fn is_ssn(groups: &[&str]) -> bool {
    let [area, group, serial] = *groups else {
        return false;
    };
    let is_formed = (area.len(), group.len(), serial.len()) == (3, 2, 4);
    let is_given = area != "000" && area != "666" && !area.starts_with('9');
    is_formed && is_given && group != "00" && serial != "0000"
}

/// Returns true for a Chinese resident identity number (GB 11643-1999), which contains a date of
/// birth and a check character.
fn is_resident_id(word: &str) -> bool {
    const WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    const CHECKS: &[u8; 11] = b"10X98765432";
    if word.len() != 18 {
        return false;
    }
    let digits = word.chars().take(17).map(|it| it.to_digit(10));
    let Some(digits) = digits.collect::<Option<Vec<u32>>>() else {
        return false;
    };
    let number = |from: usize, to: usize| word.get(from..to).and_then(|it| it.parse::<u32>().ok());
    let born = number(6, 10).is_some_and(|year| (1900..2100).contains(&year))
        && number(10, 12).is_some_and(|month| (1..=12).contains(&month))
        && number(12, 14).is_some_and(|day| (1..=31).contains(&day));
    let sum: u32 = digits
        .iter()
        .zip(WEIGHTS)
        .map(|(digit, weight)| digit * weight)
        .sum();
    born && CHECKS.get(sum as usize % 11) == word.as_bytes().last()
}

/// Returns true if a text contains an IBAN: two letters, two check digits, and a remainder of 1
/// modulo 97.
fn is_iban_in(text: &str) -> bool {
    let pieces = text.split(|it: char| !it.is_ascii_alphanumeric());
    let pieces: Vec<&str> = pieces.filter(|piece| !piece.is_empty()).collect();
    any_joined(&pieces, IBAN, is_iban)
}

fn is_iban(text: &str) -> bool {
    let text = text.to_ascii_uppercase();
    let (Some(country), Some(check)) = (text.get(..2), text.get(2..4)) else {
        return false;
    };
    let is_formed = country.chars().all(|it| it.is_ascii_uppercase())
        && check.chars().all(|it| it.is_ascii_digit());
    if !is_formed || !(15..=IBAN).contains(&text.len()) {
        return false;
    }
    let turned = text.chars().skip(4).chain(text.chars().take(4));
    let rest = turned
        .filter_map(|it| it.to_digit(36))
        .fold(0_u32, |rest, digit| {
            let times = if digit > 9 { 100 } else { 10 };
            (rest * times + digit) % 97
        });
    rest == 1
}

/// Names of identity and account numbers. If enough digits follow such a name, they count as a
/// number.
const NAMES: &str = "social security|ssn|passport|national id|id card|identity number|id number|\
    driver's licen|driving licen|tax id|national insurance|ni number|ni no|nhs number|nhs no|\
    aadhaar|cpf|dni|codice fiscale|bank account|account number|身份证|护照|社保|驾驶证|驾照|\
    银行卡|银行账号|信用卡";

fn is_named(lower: &str) -> bool {
    NAMES.split('|').any(|name| {
        lower.match_indices(name).any(|(at, _)| {
            let before = lower.get(..at).and_then(|it| it.chars().next_back());
            let after = lower.get(at + name.len()..).unwrap_or_default();
            let near = after.chars().take(40);
            !before.is_some_and(|it| it.is_ascii_alphanumeric())
                && near.filter(char::is_ascii_digit).count() >= 6
        })
    })
}
