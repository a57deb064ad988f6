//! What an answer cites, and which of its links may be pressed.

pub(in crate::agent) mod links;
pub(in crate::agent) mod research;
pub(in crate::agent) mod resolve;
pub(in crate::agent) mod web_citations;

pub(in crate::agent) use links::pressable;
pub(in crate::agent) use web_citations::WebSources;
