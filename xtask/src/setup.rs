//! Installs the programs that a new machine lacks: the wasm target, the npm packages of
//! `tests/e2e`, Chromium, and a virtual screen.
//!
//! Example: on Debian, `cargo xtask run` as root prepares a fresh clone of this
//! repository. The command installs only what is missing. Without the right to install, the
//! command prints what to install, and stops. The user has to install Rust and Node.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::process::{cargo, command, e2e_folder, on_path, output, run};

/// The target of all wasm modules.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";

/// Debian's own binary. It is preferred to the wrapper in `/usr/bin`, because the wrapper loads
/// another extension.
const CHROMIUM: &str = "/usr/lib/chromium/chromium";
/// Without this file, Chromium's interface is always English. Tests that need it in Chinese report
/// this, and are skipped.
const CHINESE: &str = "/usr/lib/chromium/locales/zh-CN.pak";
const DEBIAN_PACKAGES: [&str; 3] = ["chromium", "chromium-l10n", "fonts-noto-cjk"];
/// The programs of a virtual screen, and the packages that contain them.
const SCREEN: [(&str, &str); 2] = [("Xvfb", "xvfb"), ("xdotool", "xdotool")];
/// The command that installs the program that checks licences and sources of dependencies.
const CARGO_DENY: &str = "install --locked cargo-deny --version 0.20.2";
const CHROMIUM_NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Installs everything that a build needs.
///
/// # Errors
/// Returns an error that says what the user has to install.
pub(crate) fn for_build() -> Result<()> {
    wasm_target()?;
    node_packages()
}

/// Returns the browser in which the tests run. It is installed if it is missing and this user may
/// install packages.
///
/// # Errors
/// Returns an error that says what the user has to install.
pub(crate) fn chromium() -> Result<PathBuf> {
    let wanted = match find_chromium() {
        None => &DEBIAN_PACKAGES[..],
        Some(found) if found == Path::new(CHROMIUM) && !Path::new(CHINESE).is_file() => {
            &["chromium-l10n"]
        }
        Some(found) => return Ok(found),
    };
    if may_install() {
        install(wanted)?;
    }
    find_chromium().context(
        "Chromium is missing. Install it with the system's package manager \
         (Debian: sudo apt-get install chromium chromium-l10n), \
         or name one: GLOSS_CHROMIUM=/path/to/chromium",
    )
}

/// Starts a virtual screen with a mouse and a keyboard, because Chrome's own menus can't be used
/// in any other way. Missing programs are installed if this user may install packages. Without the
/// programs, the tests that use context menus report this, and are skipped.
pub(crate) fn screen() {
    let missing: Vec<&str> = SCREEN
        .into_iter()
        .filter(|(program, _)| on_path(program).is_none())
        .map(|(_, package)| package)
        .collect();
    if missing.is_empty() || !may_install() {
        return;
    }
    if let Err(error) = install(&missing) {
        println!("no screen for the right-clicks: {error:#}");
    }
}

/// Installs `cargo deny`, if it is missing.
///
/// # Errors
/// Returns an error if it can't be installed.
pub(crate) fn cargo_deny() -> Result<()> {
    if output(&mut cargo(["deny", "--version"])).is_some() {
        return Ok(());
    }
    run(&mut cargo(CARGO_DENY.split(' '))).context("cargo-deny is missing")
}

fn install(packages: &[&str]) -> Result<()> {
    println!("installing with apt-get: {}", packages.join(" "));
    run(&mut command("apt-get", ["update", "--quiet"]))?;
    let mut install = command("apt-get", ["install", "--quiet", "--yes"]);
    install.arg("--no-install-recommends").args(packages);
    run(install.env("DEBIAN_FRONTEND", "noninteractive"))
}

fn may_install() -> bool {
    let is_root = output(&mut command("id", ["-u"])).as_deref() == Some("0");
    is_root && on_path("apt-get").is_some()
}

fn find_chromium() -> Option<PathBuf> {
    let named = std::env::var_os("GLOSS_CHROMIUM").map(PathBuf::from);
    named
        .into_iter()
        .chain([PathBuf::from(CHROMIUM)])
        .find(|file| file.is_file())
        .or_else(|| CHROMIUM_NAMES.iter().find_map(|name| on_path(name)))
}

fn wasm_target() -> Result<()> {
    let sysroot = output(&mut command("rustc", ["--print", "sysroot"]))
        .context("rustc is missing. Install Rust from https://rustup.rs")?;
    if Path::new(&sysroot).join("lib/rustlib").join(WASM).is_dir() {
        return Ok(());
    }
    if on_path("rustup").is_none() {
        bail!("the Rust target {WASM} is missing, and rustup too: install it as this Rust was");
    }
    run(&mut command("rustup", ["target", "add", WASM]))
}

fn node_packages() -> Result<()> {
    let version = output(&mut command("node", ["--version"])).unwrap_or_default();
    let major = version
        .trim_start_matches('v')
        .split('.')
        .next()
        .and_then(|n| n.parse().ok());
    if major.is_none_or(|major: u32| major < 20) || on_path("npm").is_none() {
        bail!("Node 20 or newer with npm is needed (found: {version:?}); see https://nodejs.org");
    }
    let folder = e2e_folder();
    let lock = std::fs::read(folder.join("package-lock.json"))?;
    let stamp = folder.join("node_modules/.installed-lock.json");
    if std::fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    let arguments = "ci --ignore-scripts --no-audit --no-fund --loglevel=error";
    run(command("npm", arguments.split(' ')).current_dir(&folder))?;
    std::fs::write(stamp, lock)?;
    Ok(())
}
