//! The project's commands: `cargo xtask build | run | test | bench | …`.
fn main() {}
