//! What one run of a test file, a proof or a crate's tests came to.

use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::process::run_shown;
use crate::proof::Found;
use crate::say::Progress;

#[derive(Default, Debug)]
pub(super) struct Attempt {
    pub(super) passed: usize,
    /// Left out by the test itself, or by the name that was asked for.
    pub(super) skipped: usize,
    pub(super) failures: Vec<Failure>,
    /// What it printed.
    pub(super) output: String,
    /// Whether the failure is the subject's fault, whatever the machine did meanwhile.
    pub(super) is_certain: bool,
    /// The tests by name, for `package-test`.
    pub(super) cells: Vec<Value>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    /// The test's name, unless the whole run failed.
    pub(super) test: Option<String>,
    /// What `--name` takes to repeat it.
    pub(super) name: Option<String>,
    pub(super) message: String,
}

impl Failure {
    pub(super) fn of_all(message: impl Into<String>) -> Failure {
        Failure { test: None, name: None, message: message.into() }
    }

    /// Returns the message's first line that says anything.
    pub(super) fn first_line(&self) -> &str {
        self.message.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("it has no message")
    }
}

impl Attempt {
    pub(super) fn failed(message: impl Into<String>) -> Attempt {
        Attempt { failures: vec![Failure::of_all(message)], ..Attempt::default() }
    }

    /// Whether every test passed, and there was one: nothing has passed where nothing ran.
    pub(super) fn has_passed(&self) -> bool {
        self.failures.is_empty() && self.passed + self.skipped > 0
    }

    /// Does something that returns how many tests it was.
    pub(super) fn of_one(work: impl FnOnce() -> anyhow::Result<usize>) -> Attempt {
        let (output, outcome) = recorded(work);
        match outcome {
            Ok(passed) => Attempt { passed, output, ..Attempt::default() },
            Err(error) => Attempt { output, ..Attempt::failed(format!("{error:#}")) },
        }
    }

    pub(super) fn of_proof(run: impl FnOnce() -> anyhow::Result<Found>) -> Attempt {
        let (output, outcome) = recorded(run);
        let attempt = match outcome {
            Ok(found) => match found.must_be_clean() {
                Ok(()) => Attempt { passed: 1, ..Attempt::default() },
                Err(error) => {
                    Attempt { is_certain: found.is_certain(), ..Attempt::failed(error.to_string()) }
                }
            },
            // One that ended without a verdict says why, at best, in the last error that it printed.
            Err(error) => Attempt::failed(match output.lines().rfind(|line| line.contains("Error: ")) {
                Some(line) => format!("{line}\n{error:#}"),
                None => format!("{error:#}"),
            }),
        };
        Attempt { output, ..attempt }
    }

    /// Runs the tests of cargo or of wasm-bindgen's runner.
    pub(super) fn of_cargo(command: &mut Command) -> Attempt {
        let (output, outcome) = recorded(|| run_shown(command, Duration::MAX));
        match outcome {
            Err(error) => Attempt { output, ..Attempt::failed(format!("{error:#}")) },
            Ok((text, outcome)) => Attempt::of_cargo_output(&text, output, outcome),
        }
    }

    pub(super) fn of_cargo_output(text: &str, output: String, outcome: anyhow::Result<()>) -> Attempt {
        let mut failures = failures_in_cargo(text);
        if failures.is_empty()
            && let Err(error) = outcome
        {
            let lines = output.lines().map(str::trim);
            let error_line = lines.into_iter().find(|line| line.starts_with("error"));
            failures.push(Failure::of_all(error_line.map_or_else(|| format!("{error:#}"), str::to_owned)));
        }
        let (passed, skipped) = (counted(text, " passed"), counted(text, " filtered out"));
        Attempt { passed, skipped, failures, output, ..Attempt::default() }
    }
}

/// Does `work`, whose progress is shown, and returns what it was.
fn recorded<T>(work: impl FnOnce() -> T) -> (String, T) {
    let progress = Progress::recorded();
    let outcome = progress.during(work);
    (String::from_utf8_lossy(&progress.take()).into_owned(), outcome)
}

/// Sums up a count in the output of `cargo test` and of wasm-bindgen's runner, over all binaries.
fn counted(output: &str, what: &str) -> usize {
    let results = output.lines().filter_map(|line| line.trim().strip_prefix("test result:"));
    let count = |result: &str| result.split_once(what)?.0.rsplit(' ').next()?.parse::<usize>().ok();
    results.filter_map(count).sum()
}

/// Returns each failed test in the same output, with the first line of its panic.
fn failures_in_cargo(output: &str) -> Vec<Failure> {
    let name = |line: &str| Some(line.trim().strip_prefix("test ")?.split_once(" ... FAIL")?.0.to_owned());
    let message = |test: &str| {
        let (_, said) = output.split_once(&format!("---- {test} "))?;
        let mut lines = said.lines().skip(1).skip_while(|line| !line.contains("panicked at"));
        let place = lines.next()?;
        Some(lines.next().filter(|line| !line.is_empty()).unwrap_or(place).to_owned())
    };
    let failure = |test: String| {
        let message = message(&test).unwrap_or_else(|| "it failed".to_owned());
        Failure { name: Some(test.clone()), test: Some(test), message }
    };
    output.lines().filter_map(name).map(failure).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::anyhow;

    #[test]
    fn the_tests_of_cargo_are_counted_and_named() {
        let text = "running 2 tests\ntest a ... ok\ntest b::c ... FAILED\n\nfailures:\n\n\
            ---- b::c stdout ----\n\nthread 'b::c' (7) panicked at src/b.rs:3:5:\nleft is not right\nnote: x\n\n\
            test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out; finished\n\
            test result: FAILED. 13 passed; 1 failed; 0 ignored\ntest says 99 passed ... ok\n";
        let found = Attempt::of_cargo_output(text, text.to_owned(), Err(anyhow!("exit status: 101")));
        assert_eq!((found.passed, found.skipped), (15, 3));
        let name = Some("b::c".to_owned());
        let failure = Failure { test: name.clone(), name, message: "left is not right".to_owned() };
        assert_eq!(found.failures, [failure]);
        let output = "   Compiling x\nerror[E0425]: no such thing\n".to_owned();
        let found = Attempt::of_cargo_output("", output, Err(anyhow!("exit status: 101")));
        assert_eq!(found.failures, [Failure::of_all("error[E0425]: no such thing")]);
    }

    #[test]
    fn nothing_has_passed_where_no_test_was_run() {
        assert!(!Attempt::default().has_passed());
        assert!(!Attempt::of_cargo_output("", String::new(), Ok(())).has_passed());
        assert!(!Attempt { passed: 1, ..Attempt::failed("it was ended by SIGKILL") }.has_passed());
        assert!(Attempt::of_one(|| Ok(1)).has_passed() && !Attempt::of_one(|| Ok(0)).has_passed());
    }
}
