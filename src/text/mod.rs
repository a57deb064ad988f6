//! Pure functions on natural language: sentences, terms, ranking, summaries.
