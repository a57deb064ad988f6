//! Gloss is a Chrome extension that answers questions about web pages. Its agent runs in a service
//! worker, and a run continues after Chrome stops that worker.
//!
//! This package contains the extension's wasm modules (`src/bin`). Their code is in the crates
//! under `crates/`. This file re-exports these crates for the modules and for the tests in
//! `tests/`. ARCHITECTURE.md describes the crates.

pub use gloss_agent as agent;
pub use gloss_app as app;
pub use gloss_context as context;
pub use gloss_durable::{self as durable, json};
pub use gloss_host as host;
#[cfg(target_arch = "wasm32")]
pub use gloss_host_browser as host_browser;
#[cfg(feature = "sim")]
pub use gloss_host_sim as host_sim;
pub use gloss_markdown as markdown;
pub use gloss_memory as memory;
pub use gloss_model::{self as model, phrase, prompts};
pub use gloss_page as page;
pub use gloss_reader::{self as page_service, retrieval};
pub use gloss_text as text;
pub use gloss_tools as tools;
pub use gloss_web::{self as web, rag, search};

#[cfg(not(target_arch = "wasm32"))]
pub mod sentence_model;
pub mod ui;
