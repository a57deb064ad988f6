//! `cargo xtask bench answers`: how often the on-device model's quotes hold the answer.
//!
//! The measuring is `evaluation/answers/main.rs`, a native program that asks through what
//! the product asks; this fetches what it reads and starts it.

use anyhow::Result;

use crate::books;
use crate::build::embeddings;
use crate::process::{command, run, target_folder};

/// Builds and measures; `words` go to the program.
///
/// # Errors
/// When less is answered or refused than is promised.
pub(crate) fn bench(words: &[&str]) -> Result<()> {
    books::fetch_shelf();
    // The profile of the tests: what they compiled is there, and it is fast.
    let build = ["build", "--locked", "--profile", "test", "--example", "answers"];
    run(&mut crate::process::cargo(build))?;
    let mut program = command(target_folder().join("debug/examples/answers"), words);
    match embeddings::fetch() {
        Ok(folder) => {
            program.env("GLOSS_EMBEDDINGS", folder.join("embeddings.bin"));
        }
        Err(error) => println!("by words alone, without embeddings: {error:#}"),
    }
    run(&mut program)
}
