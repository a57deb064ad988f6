//! The pages' entry point.
fn main() {}
