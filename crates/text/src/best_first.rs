//! Selects the items with the highest scores, such as search hits and a summary's sentences.

use std::cmp::Ordering;

/// Returns the `most` items with the highest scores, best first; ties are in the order of the page.
pub(super) fn best_first(mut scored: Vec<(usize, f64)>, most: usize) -> Vec<(usize, f64)> {
    // Callers often want eight of a thousand items. Sorting only these eight is faster.
    if most < scored.len() {
        scored.select_nth_unstable_by(most, better_first);
        scored.truncate(most);
    }
    scored.sort_unstable_by(better_first);
    scored
}

fn better_first(a: &(usize, f64), b: &(usize, f64)) -> Ordering {
    b.1.total_cmp(&a.1).then(a.0.cmp(&b.0))
}
