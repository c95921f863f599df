//! How many tests a runner says have passed: a layer that ran none has not passed.

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
    fn node_counts_in_its_summary() {
        let output = "✔ 5 pass here (1ms)\nℹ tests 7\nℹ pass 6\nℹ fail 1\n";
        assert_eq!(node(output), 6);
        assert_eq!(node("ℹ tests 0\nℹ pass 0\n"), 0);
    }
}
