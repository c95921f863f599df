//! Test files of Node: each in a process of its own, with a result of its own (`files.mjs`).

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use super::attempt::{Attempt, Failure};
use super::seeds;
use crate::process::run_shown;
use crate::repo::{Repo, files_ending, read_text};

/// How long a file may take: one that hangs must not keep the run from its end.
const FILE_LIMIT: Duration = Duration::from_secs(1_200);

pub(super) struct Files<'a> {
    pub(super) names: Vec<&'a str>,
    /// How many run at a time.
    pub(super) lanes: usize,
    /// Leaves out the tests whose name lacks this.
    pub(super) test: Option<&'a str>,
}

/// Returns the test files of a folder, as the repository names them.
pub(super) fn test_files(repo: &Repo, folder: &str) -> anyhow::Result<Vec<String>> {
    let files = files_ending(&repo.path(folder), ".test.mjs")?;
    ensure!(!files.is_empty(), "{folder} has no *.test.mjs");
    let names = files.iter().filter_map(|file| file.file_name());
    Ok(names.map(|name| format!("{folder}/{}", name.display())).collect())
}

impl Files<'_> {
    /// Runs the files with the environment of `node`; returns what each came to.
    pub(super) fn run(&self, repo: &Repo, node: &mut Command) -> anyhow::Result<BTreeMap<String, Attempt>> {
        self.run_within(FILE_LIMIT, repo, node)
    }

    fn run_within(
        &self,
        limit: Duration,
        repo: &Repo,
        node: &mut Command,
    ) -> anyhow::Result<BTreeMap<String, Attempt>> {
        let first = self.names.first().context("there is no test file to run")?.replace('/', "-");
        let folder = repo.target.join("test");
        fs::create_dir_all(&folder)?;
        let results = folder.join(format!("{first}-{}.jsonl", std::process::id()));
        node.arg(repo.path("xtask/src/test/files.mjs")).arg("--results").arg(&results);
        node.args(["--lanes", &self.lanes.to_string(), "--seconds", &limit.as_secs_f64().to_string()]);
        node.args(self.test.iter().flat_map(|test| ["--name", test])).arg("--").args(&self.names);
        node.envs(seeds::SETTINGS);
        let (_, outcome) = run_shown(node, Duration::MAX)?;
        let lines = read_text(&results).unwrap_or_default();
        let _ = fs::remove_file(&results);
        let reason = outcome.err().map_or_else(|| "its run has ended".to_owned(), |error| error.to_string());
        let missing = || Attempt::failed(format!("it has no result: {reason}"));
        let mut found: BTreeMap<String, Attempt> =
            self.names.iter().map(|name| ((*name).to_owned(), missing())).collect();
        for result in lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            found.insert(result["file"].as_str().unwrap_or_default().to_owned(), attempt(&result));
        }
        Ok(found)
    }
}

/// Reads a file's result as `files.mjs` writes it.
fn attempt(result: &Value) -> Attempt {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut attempt = Attempt { output: text(&result["output"]), ..Attempt::default() };
    for test in result["tests"].as_array().into_iter().flatten() {
        let state = test["state"].as_str().unwrap_or_default();
        match state {
            "passed" => attempt.passed += 1,
            "skipped" => attempt.skipped += 1,
            // One without a message failed for a subtest, which is listed, too.
            _ if test["message"].is_null() => (),
            _ => {
                let names = test["within"].as_array().into_iter().flatten().chain([&test["name"]]);
                let names: Vec<String> = names.map(text).collect();
                let test_name = Some(names.join(" > ").replace(char::is_control, " "));
                // A name that cannot be typed is not offered.
                let name = names.first().filter(|name| !name.contains(char::is_control)).cloned();
                attempt.failures.push(Failure { test: test_name, name, message: text(&test["message"]) });
            }
        }
        if state != "skipped" {
            attempt.cells.push(json!({ "name": test["name"], "ok": state == "passed" }));
        }
    }
    // A file that cannot be parsed, or that dies, has a reason in its output at best.
    if let Some(end) = result["end"].as_str().filter(|_| attempt.failures.is_empty()) {
        let is_error = |line: &&str| line.contains("Error: ") || line.contains("Error [");
        let error = attempt.output.lines().find(is_error);
        attempt.failures.push(Failure::of_all(error.map_or(end, str::trim)));
    }
    attempt
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::{scratch, write};

    const HEAD: &str = "import { test } from 'node:test';\n";

    /// Runs the file with this text; returns its attempt.
    fn run(name: &str, text: &str, test: Option<&str>) -> Attempt {
        let found = Repo::find().unwrap();
        let repo = Repo { target: scratch(name), ..found };
        let file = repo.target.join("it.test.mjs").display().to_string();
        write(file.as_ref(), format!("{HEAD}{text}")).unwrap();
        let files = Files { names: vec![&file], lanes: 2, test };
        // Colors are no part of a message.
        let mut node = repo.command("node");
        node.env("FORCE_COLOR", "1");
        let limit = Duration::from_secs(if name == "hanging" { 2 } else { 60 });
        files.run_within(limit, &repo, &mut node).unwrap().remove(&file).unwrap()
    }

    #[test]
    fn a_file_has_the_failures_of_its_own_tests() {
        let text = "const failing = (name) => test(name, () => { throw new RangeError('too far\\nby one'); });\n\
            test('whole', () => {}); failing('first (1)'); test('left out', { skip: true }, () => {});\n\
            test('outer', async (t) => { await t.test('inner', () => { throw 'text'; }); });\n";
        let found = run("failing", text, None);
        let failures: Vec<(Option<&str>, &str)> =
            found.failures.iter().map(|failure| (failure.test.as_deref(), failure.first_line())).collect();
        assert_eq!(failures, [(Some("first (1)"), "RangeError: too far"), (Some("outer > inner"), "text")]);
        assert_eq!((found.passed, found.skipped), (1, 1));
        assert!(found.output.contains("✖ first (1)") && !found.output.contains('\u{1b}'));
        let cells = json!([{ "name": "whole", "ok": true }, { "name": "first (1)", "ok": false },
            { "name": "inner", "ok": false }, { "name": "outer", "ok": false }]);
        assert_eq!(Value::from(found.cells), cells);
        let found = run("by-name", text, Some("first (1)"));
        assert_eq!((found.passed, found.failures.len()), (0, 1));
    }

    #[test]
    fn a_file_that_ends_otherwise_has_not_passed() {
        let hanging = "test('x', () => new Promise((done) => setTimeout(done, 1e6)));";
        for (name, text, message) in [
            ("syntax", "const x = ;", "SyntaxError: Unexpected token ';'"),
            ("imports", "import './missing.mjs';", "Error [ERR_MODULE_NOT_FOUND]: Cannot find module"),
            ("dying", "test('x', () => {}); test('y', () => process.kill(process.pid, 9));", "SIGKILL"),
            ("leaving", "test('x', () => {}); test('y', () => process.exit(3));", "it exited with 3"),
            ("hanging", hanging, "it was not done after 2 s"),
        ] {
            let found = run(name, text, None);
            let line = found.failures.first().map(Failure::first_line).unwrap_or_default();
            assert!(line.contains(message), "{name}: {line}");
            assert!(!found.has_passed(), "{name}");
        }
        assert!(!run("empty", "", None).has_passed());
    }

    #[test]
    fn a_file_without_a_result_has_not_passed() {
        let repo = Repo { target: scratch("no-result"), ..Repo::find().unwrap() };
        let files = Files { names: vec!["a.test.mjs"], lanes: 1, test: None };
        let found = files.run(&repo, &mut repo.command("false")).unwrap();
        let attempt = found.get("a.test.mjs").unwrap();
        assert!(attempt.failures[0].message.contains("it has no result: `false"), "{attempt:?}");
    }
}
