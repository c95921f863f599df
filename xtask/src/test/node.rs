//! Node's test runner, and how many tests the runners report as passed: a layer without tests has not passed.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::ensure;
use serde_json::{Value, json};

use crate::process::run_shown;
use crate::repo::{Repo, files_ending};

pub(super) fn test_files(repo: &Repo, folder: &str) -> anyhow::Result<Vec<PathBuf>> {
    let files = files_ending(&repo.path(folder), ".test.mjs")?;
    ensure!(!files.is_empty(), "{folder} has no *.test.mjs");
    Ok(files)
}

pub(super) fn test_folder(repo: &Repo, folder: &str) -> anyhow::Result<usize> {
    test(&mut repo.command("node"), &test_files(repo, folder)?)
}

pub(super) fn test(node: &mut Command, files: &[impl AsRef<Path>]) -> anyhow::Result<usize> {
    let (text, outcome) = run(node, files)?;
    outcome.map(|()| passed_in_node(&text))
}

/// As [`test`], but returns the output, even of a run that failed.
pub(super) fn run(
    node: &mut Command,
    files: &[impl AsRef<Path>],
) -> anyhow::Result<(String, anyhow::Result<()>)> {
    node.args(["--test", "--test-reporter=spec"]).args(files.iter().map(AsRef::as_ref));
    run_shown(node, Duration::MAX)
}

/// Counts in the output of `cargo test` and of wasm-bindgen's runner, over all binaries.
pub(super) fn passed_in_cargo(output: &str) -> usize {
    let results = output.lines().filter_map(|line| line.trim().strip_prefix("test result:"));
    let count = |result: &str| result.split_once(" passed")?.0.rsplit(' ').next()?.parse::<usize>().ok();
    results.filter_map(count).sum()
}

pub(super) fn passed_in_node(output: &str) -> usize {
    let counts = output.lines().filter_map(|line| line.trim().strip_prefix("ℹ pass "));
    counts.filter_map(|count| count.trim().parse::<usize>().ok()).sum()
}

/// Returns each test in the output of Node's spec reporter, which repeats the failed ones at its end:
/// `{"name", "ok"}`.
pub(super) fn cells(output: &str) -> Vec<Value> {
    let tests = output.split("✖ failing tests:").next().unwrap_or_default();
    let cell = |line: &str| {
        let (mark, rest) = line.trim_start().split_once(' ')?;
        let name = rest.rsplit_once(" (").map_or(rest, |(name, _)| name);
        ["✔", "✖"].contains(&mark).then(|| json!({ "name": name, "ok": mark == "✔" }))
    };
    tests.lines().filter_map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passed_tests_are_counted_in_the_output_of_each_runner() {
        let cargo = "running 2 tests\ntest a ... ok\n\n\
            test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n\
            test result: FAILED. 13 passed; 1 failed; 0 ignored\n\
            test says 99 passed ... ok\n";
        assert_eq!(passed_in_cargo(cargo), 15);
        let node = "✔ a (b) works (1.2ms)\n✖ c fails (3ms)\n  Error: ✔ x\n▶ suite\n  ✔ nested (2ms)\n\
            ℹ tests 7\nℹ pass 6\nℹ fail 1\n\n✖ failing tests:\n✖ c fails (3ms)\n";
        assert_eq!(passed_in_node(node), 6);
        let cell = |name: &str, ok: bool| json!({ "name": name, "ok": ok });
        assert_eq!(cells(node), [cell("a (b) works", true), cell("c fails", false), cell("nested", true)]);
    }
}
