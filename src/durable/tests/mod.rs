//! The proof of durability: toy runs in the simulator, killed everywhere.

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
