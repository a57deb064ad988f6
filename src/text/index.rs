//! BM25 over the passages of a page.
//!
//! Driving example: "how do I install it offline?" over the sections of a
//! manual, each with its headings. Deliberately without fuzzy or prefix search
//! (they lower recall), without updates and without persistence: building it is
//! faster than loading it.

use super::best_first::best_first;
use std::collections::BTreeMap;

use super::{Language, terms};

/// How fast a term's repetition saturates, and how much length counts: the
/// usual values of the literature.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// A text to be found, and the headings it stands under (empty for none).
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// The headings above it; their terms count like the text's own.
    pub heading: &'a str,
    /// What is read.
    pub text: &'a str,
}

/// A found item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Its position among the indexed items.
    pub item: usize,
    /// The BM25 score; positive, comparable within one search only.
    pub score: f64,
}

/// An inverted index over a page's items.
#[derive(Debug)]
pub struct Index {
    language: Language,
    /// Term to the items that have it, with the times they do.
    postings: BTreeMap<String, Vec<(usize, f64)>>,
    /// The length of each item, in terms.
    lengths: Vec<f64>,
    mean_length: f64,
}

impl Index {
    /// Indexes `items`; a hit names them by their position here.
    pub fn new<'a>(language: Language, items: impl Iterator<Item = Entry<'a>>) -> Self {
        let mut postings: BTreeMap<String, Vec<(usize, f64)>> = BTreeMap::new();
        let mut lengths = Vec::new();
        for (item, entry) in items.enumerate() {
            let mut length = 0.0;
            let heading = terms(entry.heading, language);
            for term in terms(entry.text, language).into_iter().chain(heading) {
                length += 1.0;
                let list = postings.entry(term).or_default();
                match list.last_mut() {
                    Some((last, times)) if *last == item => *times += 1.0,
                    _ => list.push((item, 1.0)),
                }
            }
            lengths.push(length);
        }
        let mean_length = lengths.iter().sum::<f64>() / (lengths.len().max(1) as f64);
        Self {
            language,
            postings,
            lengths,
            mean_length,
        }
    }

    /// The `k` items that bear most on `query`, best first, ties in the order of
    /// the page. An item that shares no term with it is no hit.
    pub fn search(&self, query: &str, k: usize) -> Vec<Hit> {
        let mut wanted = terms(query, self.language);
        wanted.sort_unstable();
        wanted.dedup();
        let mut scores = vec![0.0; self.lengths.len()];
        for list in wanted.iter().filter_map(|term| self.postings.get(term)) {
            let rarity = self.rarity(list.len());
            for &(item, times) in list {
                if let (Some(score), Some(length)) = (scores.get_mut(item), self.lengths.get(item))
                {
                    *score += rarity * self.weight(times, *length);
                }
            }
        }
        let scored = scores.into_iter().enumerate();
        best_first(scored.filter(|(_, score)| *score > 0.0).collect(), k)
            .into_iter()
            .map(|(item, score)| Hit { item, score })
            .collect()
    }

    /// Lucene's inverse document frequency: positive even for a term in every item.
    fn rarity(&self, items: usize) -> f64 {
        let (all, some) = (self.lengths.len() as f64, items as f64);
        libm::log(1.0 + (all - some + 0.5) / (some + 0.5))
    }

    fn weight(&self, times: f64, length: f64) -> f64 {
        let relative = length / self.mean_length.max(1.0);
        times * (K1 + 1.0) / (times + K1 * (1.0 - B + B * relative))
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::super::Language::{Chinese, English};
    use super::{Entry, Hit, Index};

    fn index(language: super::Language, texts: &[(&'static str, &'static str)]) -> Index {
        let entry = |(heading, text): &(&'static str, &'static str)| Entry { heading, text };
        Index::new(language, texts.iter().map(entry))
    }

    fn items(hits: &[Hit]) -> Vec<usize> {
        hits.iter().map(|hit| hit.item).collect()
    }

    const PAGE: &[(&str, &str)] = &[
        ("Introduction", "Gloss reads pages for you."),
        ("Installing", "Download the archive and unpack it."),
        (
            "Installing",
            "On a machine that is offline, copy the archive first.",
        ),
        (
            "Pages",
            "A page is read once. Pages that change are read again.",
        ),
    ];

    #[test]
    fn the_item_with_the_rarer_terms_comes_first() {
        let index = index(English, PAGE);
        for (query, found) in [
            ("How do I install it offline?", &[2, 1][..]),
            ("reading pages", &[3, 0]),
            ("ARCHIVES", &[1, 2]),
            ("zebra", &[]),
            ("the of and", &[]),
            ("", &[]),
        ] {
            assert_eq!(items(&index.search(query, 9)), found, "{query}");
        }
        assert_eq!(items(&index.search("offline installing", 1)), [2]);
    }

    #[test]
    fn chinese_is_found_without_spaces() {
        let page = [
            ("安装", "下载软件包并解压缩。"),
            ("网络", "配置防火墙和路由器。"),
            ("检索", "使用 apt 检索软件包。"),
        ];
        let index = index(Chinese, &page);
        assert_eq!(items(&index.search("怎么配置防火墙？", 3)), [1]);
        assert_eq!(items(&index.search("apt检索", 1)), [2]);
    }

    #[test]
    fn ties_go_to_the_order_of_the_page_and_an_empty_page_has_no_hits() {
        let same = index(
            English,
            &[("", "cat"), ("", "dog"), ("", "cat"), ("", "cat")],
        );
        assert_eq!(items(&same.search("cat", 9)), [0, 2, 3]);
        assert_eq!(index(English, &[]).search("cat", 9), []);
    }

    quickcheck! {
        fn hits_are_ranked_positive_and_share_a_term(words: Vec<u8>, query: u8, k: u8) -> bool {
            const WORDS: &[&str] = &["cat", "dog", "bird", "cat dog", "dog dog dog bird"];
            let pick = |seed: u8| WORDS.get(usize::from(seed) % WORDS.len()).copied().unwrap_or("");
            let texts: Vec<&str> = words.iter().map(|seed| pick(*seed)).collect();
            let entries = texts.iter().map(|text| Entry { heading: "", text });
            let (k, query) = (usize::from(k), pick(query));
            let hits = Index::new(English, entries).search(query, k);
            hits.len() <= k
                && hits.iter().all(|hit| {
                    let text = texts.get(hit.item).copied().unwrap_or("");
                    hit.score > 0.0 && query.split(' ').any(|word| text.contains(word))
                })
                && hits.is_sorted_by(|a, b| {
                    a.score > b.score || a.score.total_cmp(&b.score).is_eq() && a.item < b.item
                })
        }
    }
}
