//! The proof of durability: toy runs in the simulator, killed everywhere.

mod kills;
mod poison;
mod reading;
mod stops;
mod toys;
