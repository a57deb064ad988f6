//! Restricts a query to domains, in the syntax that search engines share: `tides (site:a OR
//! site:b)`.

/// A provider's limits on a query.
#[derive(Clone, Copy)]
pub(super) struct QueryLimits {
    /// The maximum number of characters.
    pub(super) characters: usize,
    /// The maximum number of words.
    pub(super) words: usize,
}

/// Adds the first domains to a query, as many as the provider's limits allow. Because some domains
/// may be left out, the domains of the results are checked again later.
pub(super) fn narrowed(text: &str, domains: &[String], room: QueryLimits) -> String {
    let words = |text: &str| text.split_whitespace().count();
    let mut sites = String::new();
    for domain in domains {
        // Search engines read `site:gov` as every domain that ends in `.gov`.
        let domain = domain.strip_prefix("*.").unwrap_or(domain);
        let joint = if sites.is_empty() { "" } else { " OR " };
        let longer = format!("{sites}{joint}site:{domain}");
        let fits = text.chars().count() + longer.len() + 3 <= room.characters
            && words(text) + words(&longer) <= room.words;
        if !fits {
            break;
        }
        sites = longer;
    }
    match (sites.is_empty(), sites.contains(" OR ")) {
        (true, _) => text.to_owned(),
        (false, false) => format!("{text} {sites}"),
        (false, true) => format!("{text} ({sites})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_names_the_domains_that_there_is_room_for() {
        let domains = ["*.gov", "who.int", "un.org"].map(str::to_owned);
        let of = |domains: &[String], characters, words| {
            narrowed("sea level", domains, QueryLimits { characters, words })
        };
        assert_eq!(
            of(&domains, 400, 50),
            "sea level (site:gov OR site:who.int OR site:un.org)"
        );
        assert_eq!(of(&domains, 40, 50), "sea level (site:gov OR site:who.int)");
        assert_eq!(of(&domains, 400, 4), "sea level site:gov");
        assert_eq!(of(&domains, 10, 50), "sea level");
        assert_eq!(of(&[], 400, 50), "sea level");
    }
}
