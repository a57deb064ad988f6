//! The best of what was scored: hits of a search, candidates for a summary.

/// The `most` items with the highest scores, best first, ties in the order of the page.
pub(super) fn best_first(mut scored: Vec<(usize, f64)>, most: usize) -> Vec<(usize, f64)> {
    scored.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scored.truncate(most);
    scored
}
