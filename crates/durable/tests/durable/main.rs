//! Tests of durability: toy runs in the simulator, killed everywhere.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "tests")]

mod bodies;
mod filing;
mod forks;
mod kills;
mod letters;
mod limits;
mod poison;
mod reading;
mod replay;
mod shape;
mod stops;
mod telling;
mod timers;
mod toys;
