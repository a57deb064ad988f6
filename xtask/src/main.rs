//! The commands of this repository: `cargo xtask build | run | test | try | replay | tidy | bench`.
//!
//! Example: CI only calls `cargo xtask test`. If a part of that command fails, the last
//! line names the part.
//!
//! If this machine lacks a program that a command needs, the command installs the program or
//! prints its exact name. A program that a lock file can pin is never taken from the PATH. No code
//! of this package is shipped.

mod bench;
mod books;
mod build;
mod chat_samples;
mod e2e;
mod evaluation;
mod licences;
mod lines;
mod papers;
mod process;
mod proof;
mod python;
mod replay;
mod run;
mod setup;
mod test;
mod tidy;
mod try_it;

use std::process::ExitCode;

use anyhow::{Result, bail};
use build::{Profile, Sizes};

const USAGE: &str = "\
cargo xtask run                     see it: build, open a browser with the extension and a sample article
cargo xtask test [--all]            everything CI checks, a sample of the long suites; --all runs these in full
cargo xtask test e2e [NAME] [--debug]  only the end-to-end tests whose file or title contains NAME
cargo xtask build [--sizes|--debug] the unpacked extension, in dist/; --sizes packs its modules as a store would
cargo xtask tidy                    the rules of the house that no compiler knows
cargo xtask try WHAT                summarise, rank, extract, ask: JSON lines in, JSON lines out
cargo xtask replay FILE             an exported run: its timeline, and where this code would do otherwise
cargo xtask bench [NAME|--small]    sizes, times, and how good summaries, retrieval and answers are, beside their peers";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match dispatch(&words) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("\n{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(words: &[&str]) -> Result<ExitCode> {
    match words {
        ["try", rest @ ..] => return try_it::try_it(rest),
        ["replay", file] => return replay::replay(file),
        ["build"] => build::build(Profile::Release, Sizes::Raw),
        ["build", "--sizes"] => build::build(Profile::Release, Sizes::Packed),
        ["build", "--debug"] => build::build(Profile::Quick, Sizes::Raw),
        ["run"] => run::run(),
        ["test"] => test::test(e2e::Length::Short),
        ["test", "--all"] => test::test(e2e::Length::Long),
        ["test", "e2e", rest @ ..] => test::end_to_end(rest),
        ["tidy"] => tidy::tidy(),
        ["bench"] => bench::bench(""),
        ["bench", "--small"] => bench::small(),
        ["bench", name] => bench::bench(name),
        [] | ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        _ => bail!("unknown command: {}\n\n{USAGE}", words.join(" ")),
    }?;
    Ok(ExitCode::SUCCESS)
}
