//! The formats of numbers, sizes, times and addresses on a page.

/// Formats a number with its thousands separated: `2140` -> `"2,140"`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number of bytes: `"34 KB"`, `"3.4 MB"`.
pub fn bytes(bytes: u64) -> String {
    let kilobytes = bytes.div_ceil(1_000);
    if kilobytes < 1_000 {
        return format!("{kilobytes}\u{a0}KB");
    }
    let tenths = bytes / 100_000;
    format!("{}.{}\u{a0}MB", tenths / 10, tenths % 10)
}

/// A duration in the unit in which it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Span {
    /// Seconds, as in `0.3` or `42`.
    Seconds(String),
    /// Whole minutes.
    Minutes(String),
}

/// Converts milliseconds to a duration in seconds or minutes.
pub fn span(ms: u64) -> Span {
    match ms {
        0..10_000 => {
            let tenths = (ms + 50) / 100;
            Span::Seconds(format!("{}.{}", tenths / 10, tenths % 10))
        }
        10_000..120_000 => Span::Seconds((ms / 1000).to_string()),
        _ => Span::Minutes((ms / 60_000).to_string()),
    }
}

/// Returns the reading time of a page with this number of words, in whole minutes. In a page with a
/// Chinese title, `words` counts characters; people read about 400 of them a minute.
pub fn reading_minutes(title: &str, words: u32) -> u64 {
    let a_minute = if is_chinese(title) { 400 } else { 230 };
    u64::from((words + a_minute / 2) / a_minute).max(1)
}

/// Returns true if a title is written in Chinese.
pub fn is_chinese(title: &str) -> bool {
    title
        .chars()
        .any(|letter| ('\u{4e00}'..='\u{9fff}').contains(&letter))
}

/// Finds the dates in a text that look like 2026-11-21, and returns their byte ranges.
pub fn days_in(words: &str) -> Vec<std::ops::Range<usize>> {
    const LENGTH: usize = "2026-11-21".len();
    let is_day = |text: &str| {
        text.chars().enumerate().all(|(at, it)| match at {
            4 | 7 => it == '-',
            _ => it.is_ascii_digit(),
        })
    };
    let mut found: Vec<std::ops::Range<usize>> = Vec::new();
    for (at, _) in words.char_indices() {
        let is_free = found.last().is_none_or(|last| last.end <= at);
        if is_free && words.get(at..at + LENGTH).is_some_and(is_day) {
            found.push(at..at + LENGTH);
        }
    }
    found
}

/// Makes a file name of the first 60 characters of a text. All but letters and digits become
/// spaces.
pub fn file_name(words: &str) -> String {
    let letters = words
        .chars()
        .map(|it| if it.is_alphanumeric() { it } else { ' ' });
    let plain: String = letters.take(60).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the first letter of a host in upper case, which is shown in place of an icon.
pub fn initial(host: &str) -> String {
    host.chars()
        .next()
        .unwrap_or('·')
        .to_uppercase()
        .to_string()
}

/// Returns true if a host means this computer, as `localhost:11434` and `127.0.0.1` do.
pub fn is_own_machine(host: &str) -> bool {
    let name = host.rsplit_once(':').map_or(host, |(name, port)| {
        let is_port = !port.is_empty() && port.chars().all(|digit| digit.is_ascii_digit());
        if is_port { name } else { host }
    });
    let address = name.parse::<std::net::Ipv4Addr>();
    matches!(name, "localhost" | "[::1]")
        || name.ends_with(".localhost")
        || address.is_ok_and(|address| address.is_loopback())
}

/// Returns the address of a page without its fragment. A fragment that begins with `/` or `!`
/// stays, because it is a route of the site.
pub fn without_fragment(url: &str) -> &str {
    let place = url.split_once('#').map(|(_, place)| place);
    if place.is_some_and(|place| place.starts_with(['/', '!'])) {
        url
    } else {
        crate::page::without_place(url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        let cases = [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (1_234_567, "1,234,567"),
        ];
        for (number, text) in cases {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn bytes_are_kilobytes_until_they_are_megabytes() {
        let cases = [(0, "0\u{a0}KB"), (1, "1\u{a0}KB"), (999_000, "999\u{a0}KB")];
        for (number, text) in cases {
            assert_eq!(bytes(number), text);
        }
        assert_eq!(bytes(3_450_000), "3.4\u{a0}MB");
    }

    #[test]
    fn a_span_has_tenths_below_ten_seconds_and_minutes_from_two() {
        let seconds = |text: &str| Span::Seconds(text.to_owned());
        assert_eq!(span(349), seconds("0.3"));
        assert_eq!(span(9_999), seconds("10.0"));
        assert_eq!(span(42_900), seconds("42"));
        assert_eq!(span(180_000), Span::Minutes("3".to_owned()));
    }

    #[test]
    fn a_fragment_belongs_to_the_address_if_it_is_a_route() {
        assert_eq!(
            without_fragment("https://a.example/b#c"),
            "https://a.example/b"
        );
        assert_eq!(
            without_fragment("https://a.example/#/c"),
            "https://a.example/#/c"
        );
    }

    #[test]
    fn reading_takes_a_minute_at_least() {
        assert_eq!(reading_minutes("A page", 10), 1);
        assert_eq!(reading_minutes("A page", 1_150), 5);
        assert_eq!(reading_minutes("网页", 2_000), 5);
    }

    #[test]
    fn days_are_found_wherever_they_are() {
        let words = "told 2026-11-21, until 2027-02-19";
        let days: Vec<&str> = days_in(words).into_iter().map(|at| &words[at]).collect();
        assert_eq!(days, ["2026-11-21", "2027-02-19"]);
        assert!(days_in("26-11-21 — 1234567890").is_empty());
    }

    #[test]
    fn a_file_is_named_by_letters_and_digits() {
        assert_eq!(file_name("What: is/this?  (2026)"), "What is this 2026");
        assert_eq!(file_name(&"a".repeat(99)).len(), 60);
        assert_eq!(
            (initial("example.com").as_str(), initial("").as_str()),
            ("E", "·")
        );
    }

    #[test]
    fn this_computer_has_many_names() {
        let own = [
            "localhost",
            "localhost:11434",
            "127.0.0.1:80",
            "[::1]",
            "a.localhost",
        ];
        assert!(own.into_iter().all(is_own_machine));
        let others = ["example.com", "127.example.com", "localhost.example.com:80"];
        assert!(!others.into_iter().any(is_own_machine));
    }
}
