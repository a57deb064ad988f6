//! The service worker's entry point.
fn main() {}
