//! The loop, proven with a scripted model on the simulator.

mod bounds;
mod budgets;
mod conversation;
mod cycles;
mod events;
mod gate;
mod order;
mod pauses;
mod prompts;
mod properties;
mod retries;
mod tools;
mod toys;
mod trajectory;
mod world;
