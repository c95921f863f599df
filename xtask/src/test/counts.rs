//! How many tests a runner says have passed: a layer that ran none has not passed.

use serde_json::{Value, json};

/// In the output of `cargo test` and of wasm-bindgen's runner, over all its binaries.
pub(super) fn cargo(output: &str) -> usize {
    output
        .lines()
        .filter_map(|line| line.trim().strip_prefix("test result:"))
        .filter_map(|result| {
            let (before, _) = result.split_once(" passed")?;
            before.rsplit(' ').next()?.parse::<usize>().ok()
        })
        .sum()
}

/// In the output of `node --test` with its spec reporter.
pub(super) fn node(output: &str) -> usize {
    output
        .lines()
        .filter_map(|line| line.trim().strip_prefix("ℹ pass "))
        .filter_map(|count| count.trim().parse::<usize>().ok())
        .sum()
}

/// One test of Node's runner.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cell {
    name: String,
    is_ok: bool,
}

impl Cell {
    /// `{"name", "ok"}`.
    pub(super) fn entry(&self) -> Value {
        json!({ "name": self.name, "ok": self.is_ok })
    }
}

/// Each test in the output of `node --test` with its spec reporter, which names those that failed once more at its end.
pub(super) fn node_cells(output: &str) -> Vec<Cell> {
    let end = output.find("✖ failing tests:").unwrap_or(output.len());
    let tests = output.get(..end).unwrap_or_default();
    tests
        .lines()
        .filter_map(|line| {
            let line = line.trim_start();
            let (mark, rest) = line.split_once(' ')?;
            let is_ok = match mark {
                "✔" => true,
                "✖" => false,
                _ => return None,
            };
            let name = rest.rsplit_once(" (").map_or(rest, |(name, _)| name);
            Some(Cell { name: name.to_owned(), is_ok })
        })
        .collect()
}

/// In lines such as `ok 3 - what was tested`.
pub(super) fn tap(output: &str) -> usize {
    output.lines().filter(|line| line.starts_with("ok ")).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_binaries_of_cargo_count() {
        let output = "running 2 tests\ntest a ... ok\n\n\
            test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n\
            test result: FAILED. 13 passed; 1 failed; 0 ignored\n\
            test says 99 passed ... ok\n";
        assert_eq!(cargo(output), 15);
        assert_eq!(cargo("no tests to run!\n"), 0);
    }

    #[test]
    fn tap_counts_what_is_ok() {
        assert_eq!(tap("ok 1 - a\n  2 generated\nok 2 - b\nnot ok 3 - c\n"), 2);
    }

    #[test]
    fn node_names_each_test_once() {
        let output = "✔ a (b) works (1.2ms)\n✖ c fails (3ms)\n  Error: ✔ x\n▶ suite\n  ✔ nested (2ms)\n\n✖ failing tests:\n✖ c fails (3ms)\n";
        let cell = |name: &str, is_ok| Cell { name: name.to_owned(), is_ok };
        assert_eq!(
            node_cells(output),
            [cell("a (b) works", true), cell("c fails", false), cell("nested", true)]
        );
    }

    #[test]
    fn node_counts_in_its_summary() {
        let output = "✔ 5 pass here (1ms)\nℹ tests 7\nℹ pass 6\nℹ fail 1\n";
        assert_eq!(node(output), 6);
        assert_eq!(node("ℹ tests 0\nℹ pass 0\n"), 0);
    }
}
