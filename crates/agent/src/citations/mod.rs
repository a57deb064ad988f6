//! The citations of an answer, and which of its links may be pressed.

pub(crate) mod links;
pub(crate) mod research;
pub(crate) mod resolve;
pub(crate) mod web_citations;

pub(crate) use links::pressable;
pub(crate) use web_citations::WebSources;
