//! Gloss: a reading assistant whose one agent lives in a Chrome service worker
//! and survives its death.
//!
//! The modules are layers; each imports only what stands below it
//! (`cargo xtask tidy` checks). From the top: [`app`], [`agent`], [`tools`],
//! [`model`], [`durable`], [`host`], and at the bottom the pure [`page`] and
//! [`text`]. ARCHITECTURE.md is the map.

pub mod page;
pub mod text;
