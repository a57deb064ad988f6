//! The summary of a tool result, as one line for a model.
//!
//! Example: the panel shows "Passages found: 4"; a model reads `found: 4`.

use gloss_model::phrase::Phrase;

/// Returns the summary's key and its values, in English.
pub(crate) fn call_summary(Phrase { key, args }: &Phrase) -> String {
    let plain = key.strip_prefix("summary_").unwrap_or(key);
    match args.as_slice() {
        [] => plain.to_owned(),
        args => format!("{plain}: {}", args.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gloss_model::phrase::phrase;

    #[test]
    fn a_summary_is_its_key_and_its_values() {
        let summary = phrase("summary_fetched").with(&1).with(&2);
        assert_eq!(call_summary(&summary), "fetched: 1, 2");
    }
}
