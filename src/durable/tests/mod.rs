//! The proof of durability: toy runs in the simulator, killed everywhere.

mod kills;
mod stops;
mod toys;
