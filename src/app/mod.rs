//! Commands in, events out.

pub mod surface;
