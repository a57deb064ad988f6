//! Gloss: a reading assistant for Chrome whose one agent lives in a service
//! worker and survives its death.
//!
//! The modules are layers, each importing only what stands below it
//! (`cargo xtask tidy` checks): [`app`], [`agent`], [`tools`], [`rag`], [`prompts`], [`search`], [`web`],
//! [`memory`], [`context`],
//! [`study`], [`model`], [`retrieval`], [`durable`], [`host`], and at the bottom the pure [`page`], [`text`],
//! [`markdown`] and [`phrase`]. ARCHITECTURE.md is the map.

pub use gloss_markdown as markdown;
pub use gloss_page as page;
pub use gloss_text as text;

pub mod agent;
pub mod app;
pub mod context;
pub mod durable;
pub mod host;
pub mod json;
pub mod memory;
pub mod model;
pub mod phrase;
pub mod prompts;
pub mod rag;
pub mod retrieval;
pub mod search;
pub mod sorted;
pub mod study;
pub mod tools;
pub mod web;
