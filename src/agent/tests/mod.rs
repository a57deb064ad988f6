//! The loop, proven with a scripted model on the simulator.

mod aid;
mod bounds;
mod budgets;
mod context;
mod conversation;
mod cycles;
mod events;
mod gate;
mod images;
mod kept;
mod memory;
mod order;
mod pauses;
mod prompts;
mod properties;
mod reflexion;
mod retries;
mod room;
mod search;
mod switches;
mod tools;
mod toys;
mod trajectory;
mod world;
