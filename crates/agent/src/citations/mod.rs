//! The citations of an answer, and the check of its links.

pub(crate) mod links;
pub(crate) mod research;
pub(crate) mod resolve;
pub(crate) mod web_citations;

pub(crate) use links::pressable;
pub(crate) use web_citations::WebSources;
