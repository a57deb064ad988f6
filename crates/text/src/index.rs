//! Ranks the passages of a page by BM25.
//!
//! Example: the question "how do I install it offline?" is compared with the sections of a
//! manual. Each section is indexed together with its headings. Fuzzy and prefix search are not
//! offered, because both found fewer correct sections in tests. An index is neither updated nor
//! stored, because building an index is faster than loading one.

use super::Language;
use super::best_first::best_first;
use super::interner::{Interned, Interner};
use super::terms::Rules;

/// The BM25 parameters for term saturation (`K1`) and length normalisation (`B`), with their usual
/// values.
pub(super) const K1: f32 = 1.2;
const B: f32 = 0.75;

/// The weight of a term in a heading, relative to a term in the text.
const HEADING: f32 = 1.0;

/// The value in `term_of` for a stop word. A stop word has no term.
const NO_TERM: u32 = u32::MAX;

/// A text to index, together with the headings above the text.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// The headings as one text, empty for none. A term in a heading counts as much as in `text`.
    pub heading: &'a str,
    /// The text that hits refer to.
    pub text: &'a str,
}

/// An item that a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The item's index among the indexed items.
    pub item: usize,
    /// The BM25 score; positive, and only comparable with other scores of the same search.
    pub score: f64,
}

/// An inverted index over a page's items.
#[derive(Debug)]
pub struct Index {
    language: Language,
    terms: Interner,
    /// For each term, the end of its postings in `postings`. The postings of a term begin at the
    /// end of the previous term's postings.
    ends: Vec<u32>,
    /// The postings, sorted by term and then by item. A posting is an item and the term's
    /// contribution to the item's score, not yet multiplied by the term's rarity.
    postings: Vec<(u32, f32)>,
    items: usize,
}

impl Index {
    /// Indexes `items`. [`Hit::item`] is an index into `items`.
    pub fn new<'a>(language: Language, items: impl Iterator<Item = Entry<'a>>) -> Self {
        let mut counting = IndexBuilder::new(language);
        for entry in items {
            counting.take(entry.heading, HEADING);
            counting.take(entry.text, 1.0);
            counting.close();
        }
        counting.into_index()
    }

    /// Returns the `k` most relevant items for `query`, best first; ties are in the page's order.
    /// Items that have no term in common with `query` are left out.
    pub fn search(&self, query: &str, k: usize) -> Vec<Hit> {
        let scored = self.scores(query).into_iter().enumerate();
        best_first(scored.filter(|(_, score)| *score > 0.0).collect(), k)
            .into_iter()
            .map(|(item, score)| Hit { item, score })
            .collect()
    }

    /// Returns the score of each item for `query`; 0 for an item that has no term in common with
    /// `query`.
    pub(super) fn scores(&self, query: &str) -> Vec<f64> {
        let mut scores = vec![0.0; self.items];
        for term in self.query_terms(query) {
            let postings = self.postings_of(term);
            let rarity = self.rarity(postings.len());
            for (item, impact) in postings {
                if let Some(score) = scores.get_mut(*item as usize) {
                    *score += rarity * f64::from(*impact);
                }
            }
        }
        scores
    }

    /// Returns the distinct terms of a query that at least one item contains, in ascending order.
    fn query_terms(&self, query: &str) -> Vec<u32> {
        let rules = Rules::of(self.language);
        let mut known = Vec::new();
        rules.each_surface(query, |surface| {
            let term = rules.term(surface);
            known.extend(term.and_then(|term| self.terms.find(&term)));
        });
        known.sort_unstable();
        known.dedup();
        known
    }

    fn postings_of(&self, term: u32) -> &[(u32, f32)] {
        let end_of = |at: usize| self.ends.get(at).map(|end| *end as usize);
        let at = term as usize;
        let start = at.checked_sub(1).map_or(Some(0), end_of);
        match (start, end_of(at)) {
            (Some(start), Some(end)) => self.postings.get(start..end).unwrap_or_default(),
            _ => &[],
        }
    }

    fn rarity(&self, items: usize) -> f64 {
        rarity(items, self.items)
    }
}

/// Returns Lucene's inverse document frequency. It is positive even for a term that every item
/// contains.
pub(super) fn rarity(items: usize, of: usize) -> f64 {
    let (all, some) = (of as f64, items as f64);
    libm::log(1.0 + (all - some + 0.5) / (some + 0.5))
}

/// Returns the frequency at which a term reaches half of its greatest contribution. `length` is the
/// item's number of terms, and `mean` the mean length of all items.
pub(super) fn half_saturation(length: f32, mean: f32) -> f32 {
    K1 * (1.0 - B + B * length / mean)
}

/// An index under construction; it counts the terms of each item.
struct IndexBuilder {
    language: Language,
    rules: Rules,
    /// The words as they are written on the page. `term_of` contains the term of each word.
    surfaces: Interner,
    term_of: Vec<u32>,
    terms: Interner,
    /// The number of items that contain each term.
    spread: Vec<u32>,
    /// The frequency of each term in the current item. `seen` contains the terms of the current
    /// item.
    times: Vec<f32>,
    seen: Vec<u32>,
    /// The terms of all finished items, each with its frequency in the item.
    counts: Vec<(u32, f32)>,
    /// For each finished item: the end of its entries in `counts`, and its length in terms.
    closed: Vec<(usize, f32)>,
    length: f32,
}

impl IndexBuilder {
    fn new(language: Language) -> Self {
        Self {
            language,
            rules: Rules::of(language),
            surfaces: Interner::with_capacity(0),
            term_of: Vec::new(),
            terms: Interner::with_capacity(0),
            spread: Vec::new(),
            times: Vec::new(),
            seen: Vec::new(),
            counts: Vec::new(),
            closed: Vec::new(),
            length: 0.0,
        }
    }

    /// Counts the terms of the current item's text or headings; each occurrence adds `weight`.
    fn take(&mut self, text: &str, weight: f32) {
        let Self {
            rules,
            surfaces,
            term_of,
            terms,
            spread,
            times,
            seen,
            length,
            ..
        } = self;
        rules.each_surface(text, |surface| {
            let term = match surfaces.intern(surface) {
                Interned::Known(surface) => term_of.get(surface as usize).copied(),
                Interned::Fresh(_) => {
                    let term = rules.term(surface).map(|term| match terms.intern(&term) {
                        Interned::Known(term) => term,
                        Interned::Fresh(term) => {
                            spread.push(0);
                            times.push(0.0);
                            term
                        }
                    });
                    term_of.push(term.unwrap_or(NO_TERM));
                    term
                }
            };
            if let Some(count) = term.and_then(|term| times.get_mut(term as usize)) {
                if *count == 0.0 {
                    seen.extend(term);
                }
                *count += weight;
                *length += weight;
            }
        });
    }

    /// Finishes the current item.
    fn close(&mut self) {
        for term in self.seen.drain(..) {
            let at = term as usize;
            if let (Some(times), Some(spread)) = (self.times.get_mut(at), self.spread.get_mut(at)) {
                self.counts.push((term, *times));
                *times = 0.0;
                *spread += 1;
            }
        }
        self.closed.push((self.counts.len(), self.length));
        self.length = 0.0;
    }

    /// Converts counts by item into postings by term.
    fn into_index(self) -> Index {
        let lengths: f32 = self.closed.iter().map(|(_, length)| length).sum();
        let mean = (lengths / self.closed.len().max(1) as f32).max(1.0);
        let mut next = 0;
        // During the loop over the items, the index of each term's next posting. After the loop,
        // the end of each term's postings.
        let mut ends: Vec<u32> = Vec::with_capacity(self.spread.len());
        for spread in &self.spread {
            ends.push(next);
            next += spread;
        }
        let mut postings = vec![(0, 0.0); self.counts.len()];
        let mut from = 0;
        for (item, (to, length)) in (0_u32..).zip(&self.closed) {
            let ballast = half_saturation(*length, mean);
            for (term, times) in self.counts.get(from..*to).unwrap_or_default() {
                let place = ends.get_mut(*term as usize);
                let posting = place.and_then(|place| {
                    *place += 1;
                    postings.get_mut(*place as usize - 1)
                });
                if let Some(posting) = posting {
                    *posting = (item, times * (K1 + 1.0) / (times + ballast));
                }
            }
            from = *to;
        }
        Index {
            language: self.language,
            terms: self.terms,
            ends,
            postings,
            items: self.closed.len(),
        }
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
