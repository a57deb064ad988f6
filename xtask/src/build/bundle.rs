//! Joins the worker's scripts into one file. A worker that starts needs about 1 ms for each file
//! that it imports (measured with `cargo xtask bench coldStart`).

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Replaces each `import * as name from "./file.js";` in `worker_boot.js` by the content of that
/// file.
///
/// # Errors
/// Returns an error if a file is missing.
pub(super) fn bundle(dist: &Path) -> Result<()> {
    let path = dist.join("worker_boot.js");
    let boot = fs::read_to_string(&path)?;
    let mut script = String::new();
    for line in boot.lines() {
        if let Some((name, file)) = imported(line) {
            let module = fs::read_to_string(dist.join(file)).with_context(|| file.to_owned())?;
            script += &wrapped(name, &module);
        } else {
            script += line;
            script += "\n";
        }
    }
    Ok(fs::write(path, script)?)
}

fn imported(line: &str) -> Option<(&str, &str)> {
    let (name, file) = line
        .strip_prefix("import * as ")?
        .split_once(" from \"./")?;
    Some((name, file.strip_suffix("\";")?))
}

/// Wraps a module of wasm-bindgen in a constant named `name`. Such a module exports with `export
/// function`, `export class` and one last line.
fn wrapped(name: &str, module: &str) -> String {
    const LAST: &str = "export { initSync, __wbg_init as default };";
    let mut exports = vec!["initSync", "default: __wbg_init"];
    let mut body = String::new();
    for line in module.lines().filter(|line| *line != LAST) {
        let exported = ["function ", "class "].iter().find_map(|kind| {
            let named = line.strip_prefix("export ")?.strip_prefix(kind)?;
            named.split(['(', ' ', '{']).next()
        });
        exports.extend(exported);
        body += line.strip_prefix("export ").unwrap_or(line);
        body += "\n";
    }
    let exports = exports.join(", ");
    format!("const {name} = (() => {{\n{body}return {{ {exports} }};\n}})();\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_is_replaced_by_the_module() {
        let line = r#"import * as glue from "./worker/worker.js";"#;
        assert_eq!(imported(line), Some(("glue", "worker/worker.js")));
        assert_eq!(imported("const a = 1;"), None);
        let module = "export class Core {\n}\nexport function read (a) {\n}\n\
            export { initSync, __wbg_init as default };\n";
        assert_eq!(
            wrapped("glue", module),
            "const glue = (() => {\nclass Core {\n}\nfunction read (a) {\n}\n\
            return { initSync, default: __wbg_init, Core, read };\n})();\n"
        );
    }
}
