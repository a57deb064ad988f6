//! Numbers of cards, of persons and of accounts, by their form and their check digits.

/// The digits of a text as they stand together: figures with single blanks, dots or dashes
/// between, as people write long numbers.
fn numbers(text: &str) -> Vec<Vec<String>> {
    joined(text, |between| {
        let mut marks = between.chars();
        marks.next().is_some_and(joins) && marks.next().is_none()
    })
}

fn joins(letter: char) -> bool {
    matches!(letter, ' ' | '-' | '.' | '/' | '_' | '‑' | '–' | '—')
}

/// The same with a comma or a point in the middle, too, and blanks beside one mark, as people
/// write the numbers of cards: `4111 - 1111 - …`.
fn loosely(text: &str) -> Vec<Vec<String>> {
    joined(text, |between| {
        let of_card = |it: char| joins(it) || matches!(it, ',' | '，' | '·' | '•');
        let marks = between.chars().filter(|it| *it != ' ').count();
        between.chars().count() <= 3 && marks <= 1 && between.chars().all(of_card)
    })
}

/// The digits of a text in groups, those together where what stands between is a joint.
fn joined(text: &str, is_joint: fn(&str) -> bool) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = Vec::new();
    let mut between = String::new();
    let mut is_within = false;
    for letter in text.chars() {
        if !letter.is_ascii_digit() {
            // What is longer joins nothing, however long.
            if between.len() < 16 {
                between.push(letter);
            }
            is_within = false;
            continue;
        }
        if all.is_empty() || !is_within && !is_joint(&between) {
            all.push(Vec::new());
        }
        if let Some(number) = all.last_mut() {
            match number.last_mut() {
                Some(group) if is_within => group.push(letter),
                _ => number.push(letter.to_string()),
            }
        }
        is_within = true;
        between.clear();
    }
    all
}

/// Whether groups are years or thousands: "2015, 2016, 2017", "4,500,000,000,000".
fn are_counted(groups: &[&str]) -> bool {
    let is_year = |it: &&str| it.len() == 4 && (it.starts_with("19") || it.starts_with("20"));
    let thousands = groups.iter().skip(1).all(|it| it.len() == 3);
    groups.len() > 1 && (thousands || groups.iter().all(is_year))
}

/// The longest number of a card, in digits.
const CARD: usize = 19;

/// The longest IBAN, in letters and digits.
const IBAN: usize = 34;

/// The number of a payment card: 13 to 19 digits that begin as cards' do, by Luhn.
pub(super) fn has_card(text: &str) -> bool {
    let tightly = numbers(text);
    let tightly = tightly.iter().map(|groups| texts(groups));
    let loosely = loosely(text);
    let loosely = loosely.iter().map(|groups| texts(groups));
    let uncounted = loosely.filter(|groups| !are_counted(groups));
    let mut all = tightly.chain(uncounted);
    all.any(|groups| any_joined(&groups, CARD, is_card))
}

fn texts(groups: &[String]) -> Vec<&str> {
    groups.iter().map(String::as_str).collect()
}

/// Whether some of these that follow one another are it, joined to no more than `most` bytes.
fn any_joined(pieces: &[&str], most: usize, is: fn(&str) -> bool) -> bool {
    (0..pieces.len()).any(|from| {
        let mut joined = String::new();
        for piece in pieces.iter().skip(from) {
            joined.push_str(piece);
            // A long text costs no more than its length.
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

/// The check digit of cards (ISO/IEC 7812-1).
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

/// A number by which a state or a bank knows a person.
pub(super) fn has_identity(text: &str) -> bool {
    let grouped = numbers(text);
    let groups = |form: &[usize], is: fn(&str) -> bool| {
        grouped.iter().any(|groups| {
            groups.windows(form.len()).any(|window| {
                let fits = window
                    .iter()
                    .zip(form)
                    .all(|(it, length)| it.len() == *length);
                fits && is(&window.concat())
            })
        })
    };
    let lower = text.to_lowercase();
    groups(&[3, 2, 4], is_ssn)
        || (is_of_health(&lower) && (groups(&[3, 3, 4], is_nhs) || groups(&[10], is_nhs)))
        || has_spaced_insurance(text)
        || groups(&[3, 3, 3, 2], is_cpf)
        || words(text).any(|word| is_resident_id(&word) || is_lettered(&word))
        || is_iban_in(text)
        || is_named(&lower)
}

/// The words of a text, letters and digits alone, in capitals.
fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|it: char| !it.is_ascii_alphanumeric());
    let long = words.filter(|word| word.len() >= 8);
    long.map(str::to_ascii_uppercase)
}

/// A US social security number: no area 000, 666 or from 900, no group 00, no serial 0000.
fn is_ssn(digits: &str) -> bool {
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default();
    let area = part(0, 3);
    area != "000"
        && area != "666"
        && !area.starts_with('9')
        && part(3, 5) != "00"
        && part(5, 9) != "0000"
}

/// A Brazilian CPF, by its two check digits.
fn is_cpf(digits: &str) -> bool {
    let digits: Vec<u32> = digits.chars().filter_map(|it| it.to_digit(10)).collect();
    let check = |many: usize| {
        let weighted = digits.iter().take(many).enumerate();
        let sum: u32 = weighted
            .map(|(at, digit)| digit * (many as u32 + 1 - at as u32))
            .sum();
        digits.get(many) == Some(&((sum * 10 % 11) % 10))
    };
    check(9) && check(10)
}

/// Whether a text speaks of who has such numbers: an American telephone number looks alike.
fn is_of_health(lower: &str) -> bool {
    let mut words = lower.split(|it: char| !it.is_ascii_alphanumeric());
    words.any(|word| matches!(word, "nhs" | "health" | "patient" | "gp" | "hospital"))
}

/// A number of the British health service: ten digits, the last a check modulo 11.
fn is_nhs(digits: &str) -> bool {
    let digits: Vec<u32> = digits.chars().filter_map(|it| it.to_digit(10)).collect();
    let weighted = digits.iter().take(9).zip((2..=10).rev());
    let sum: u32 = weighted.map(|(digit, weight)| digit * weight).sum();
    let alike = digits.iter().all(|it| digits.first() == Some(it));
    !alike && digits.get(9) == Some(&((11 - sum % 11) % 11))
}

/// A British national insurance number as it is written on the card: `AB 12 34 56 C`.
fn has_spaced_insurance(text: &str) -> bool {
    let pieces = text.split(|it: char| !it.is_ascii_alphanumeric());
    let pieces: Vec<&str> = pieces.filter(|piece| !piece.is_empty()).collect();
    let is = |row: &[&str], form: &[usize]| {
        let fits = row.iter().zip(form).all(|(it, length)| it.len() == *length);
        fits && is_lettered(&row.concat())
    };
    pieces.windows(5).any(|row| is(row, &[2, 2, 2, 2, 1]))
        || pieces.windows(3).any(|row| is(row, &[2, 6, 1]))
}

/// A Chinese resident identity number (GB 11643-1999): a date of birth and a check letter.
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

/// Numbers with letters in places of their own: a British national insurance number, a
/// Spanish DNI or NIE by its check letter, an Italian codice fiscale.
fn is_lettered(word: &str) -> bool {
    let form: String = word
        .chars()
        .map(|it| if it.is_ascii_digit() { '9' } else { 'A' })
        .collect();
    match form.as_str() {
        "AA999999A" => {
            let mut letters = word.chars();
            let first = letters.next().is_some_and(|it| !"DFIQUV".contains(it));
            let second = letters.next().is_some_and(|it| !"DFIOQUV".contains(it));
            first && second && word.ends_with(['A', 'B', 'C', 'D'])
        }
        "99999999A" | "A9999999A" => is_dni(word),
        "AAAAAA99A99A999A" => true,
        _ => false,
    }
}

fn is_dni(word: &str) -> bool {
    const CHECKS: &[u8; 23] = b"TRWAGMYFPDXBNJZSQVHLCKE";
    let foreign = match word.chars().next() {
        Some('X') => word.replacen('X', "0", 1),
        Some('Y') => word.replacen('Y', "1", 1),
        Some('Z') => word.replacen('Z', "2", 1),
        Some(_) | None => word.to_owned(),
    };
    let number = foreign.get(..8).and_then(|it| it.parse::<usize>().ok());
    number.is_some_and(|number| CHECKS.get(number % 23) == word.as_bytes().last())
}

/// An IBAN: two letters, two check digits, and the whole 1 modulo 97.
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

/// How such numbers are called; what follows has digits enough to be one.
const NAMES: [&str; 26] = [
    "social security",
    "ssn",
    "passport",
    "national id",
    "id card",
    "identity number",
    "id number",
    "driver's licen",
    "driving licen",
    "tax id",
    "national insurance",
    "ni number",
    "ni no",
    "nhs number",
    "nhs no",
    "aadhaar",
    "bank account",
    "account number",
    "身份证",
    "护照",
    "社保",
    "驾驶证",
    "驾照",
    "银行卡",
    "银行账号",
    "信用卡",
];

fn is_named(lower: &str) -> bool {
    NAMES.iter().any(|name| {
        lower.match_indices(name).any(|(at, _)| {
            let before = lower.get(..at).and_then(|it| it.chars().next_back());
            let after = lower.get(at + name.len()..).unwrap_or_default();
            let near = after.chars().take(40);
            !before.is_some_and(|it| it.is_ascii_alphanumeric())
                && near.filter(char::is_ascii_digit).count() >= 6
        })
    })
}
