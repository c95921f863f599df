//! The licences of what is built into the SDK, the sandbox and these commands.

use anyhow::Context;
use serde_json::Value;
use spdx::Expression;

use crate::repo::{Repo, WASM_TARGET};
use crate::steps::Step;

/// Licences that ask for no more than their text being kept.
const ALLOWED: [&str; 13] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

pub(super) fn problems(repo: &Repo, step: &Step) -> anyhow::Result<Vec<String>> {
    let host = crate::command::output(repo.command("rustc").args(["--print", "host-tuple"]))?;
    let platforms = [host.trim(), WASM_TARGET];
    let mut problems = Vec::new();
    for manifest in ["Cargo.toml", "xtask/wasm-bindgen-tools/Cargo.toml"] {
        let mut cargo = repo.cargo();
        cargo.args(["metadata", "--all-features", "--format-version", "1", "--manifest-path"]);
        cargo.arg(repo.path(manifest));
        for platform in platforms {
            cargo.args(["--filter-platform", platform]);
        }
        let metadata: Value = serde_json::from_str(&step.read(&mut cargo)?)?;
        let packages =
            metadata.get("packages").and_then(Value::as_array).context("cargo metadata lists no packages")?;
        problems.extend(packages.iter().filter_map(problem));
    }
    Ok(problems)
}

fn problem(package: &Value) -> Option<String> {
    let text = |key: &str| package.get(key).and_then(Value::as_str);
    let name = format!("{} {}", text("name").unwrap_or("?"), text("version").unwrap_or("?"));
    match text("license") {
        None => Some(format!("{name} states no licence")),
        Some(licence) if is_allowed(licence) => None,
        Some(licence) => Some(format!("{name} is under {licence}")),
    }
}

/// Whether the expression can be met with allowed licences alone.
fn is_allowed(licence: &str) -> bool {
    // Old crates write a slash where `OR` is meant.
    Expression::parse(&licence.replace('/', " OR ")).is_ok_and(|expression| {
        expression.evaluate(|requirement| ALLOWED.contains(&requirement.to_string().as_str()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn one_allowed_choice_suffices() {
        for licence in [
            "MIT",
            "MIT/Apache-2.0",
            "GPL-3.0-only OR MIT",
            "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
        ] {
            assert!(is_allowed(licence), "{licence}");
        }
    }

    #[test]
    fn every_part_must_be_allowed() {
        for licence in
            ["GPL-3.0-only", "MIT AND LGPL-2.1-only", "MIT WITH Classpath-exception-2.0", "as you like", ""]
        {
            assert!(!is_allowed(licence), "{licence}");
        }
    }

    #[test]
    fn a_problem_names_the_package() {
        let package = json!({"name": "x", "version": "1.0.0", "license": "AGPL-3.0-only"});
        assert_eq!(problem(&package).unwrap(), "x 1.0.0 is under AGPL-3.0-only");
        let package = json!({"name": "x", "version": "1.0.0", "license": null});
        assert_eq!(problem(&package).unwrap(), "x 1.0.0 states no licence");
    }
}
