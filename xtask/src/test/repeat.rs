//! Runs what failed once more, when nothing else runs, and says what that means.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::attempt::{Attempt, Failure};
use super::history::History;
use super::layer_name::LayerName;
use super::units::Failed;
use super::verdict::{Second, Verdict, judge};
use crate::repo::{Repo, write};
use crate::say::say;

/// More failures than this are no accident, and to repeat them would take too long.
const MOST: usize = 12;
/// So much is shown of an output; a file has all of it.
const SHOWN_LINES: usize = 30;
const SHOWN_FAILURES: usize = 5;

/// A failure with what became of it.
pub(super) struct Judged {
    pub(super) layer: LayerName,
    pub(super) verdict: Verdict,
    /// The tests by name, as they passed or failed at last.
    pub(super) cells: Vec<Value>,
    unit: String,
    failures: Vec<Failure>,
    /// The end of each run's output, and the file that has all of it.
    outputs: Vec<(String, PathBuf)>,
}

/// Repeats and judges each failure.
pub(super) fn repeat(repo: &Repo, failed: Vec<Failed<'_>>, history: &History) -> anyhow::Result<Vec<Judged>> {
    let are_too_many = failed.iter().filter(|failed| failed.again.is_some()).count() > MOST;
    let judged = failed.into_iter().map(|Failed { layer, unit, first, again }| {
        let second = again.as_ref().filter(|_| !are_too_many).map(|again| {
            say(&format!("\n── {}: {unit} once more, alone ──\n", layer.name()));
            again()
        });
        let how = match (&second, &again) {
            (Some(second), _) => Second::Run(second),
            (None, Some(_)) => Second::TooMany,
            (None, None) => Second::NeverExcused,
        };
        let verdict = judge(how, history.runs_since(layer, &unit));
        if verdict.passed_alone() {
            history.add(layer, &unit, &first.failures)?;
        }
        let mut outputs = vec![kept_output(repo, layer, &unit, "first", &first)?];
        let mut cells = first.cells;
        if let Some(second) = second {
            let second = second.unwrap_or_else(|error| Attempt::failed(format!("{error:#}")));
            outputs.push(kept_output(repo, layer, &unit, "second", &second)?);
            cells = second.cells;
        }
        Ok(Judged { layer, verdict, cells, unit, failures: first.failures, outputs })
    });
    judged.collect()
}

/// Writes an attempt's output to a file; returns the part that is worth showing, and the file.
fn kept_output(
    repo: &Repo,
    layer: LayerName,
    unit: &str,
    which: &str,
    attempt: &Attempt,
) -> anyhow::Result<(String, PathBuf)> {
    let folder = repo.target.join("test/failures").join(layer.name());
    fs::create_dir_all(&folder)?;
    let name = unit.replace(|c: char| !c.is_ascii_alphanumeric() && c != '.', "-");
    let file = folder.join(format!("{name}-{which}.log"));
    let messages = attempt.failures.iter().filter(|failure| failure.test.is_none());
    let messages: String = messages.map(|failure| format!("{}\n", failure.message)).collect();
    let all = format!("{}\n{messages}", attempt.output.trim_end());
    write(&file, &all)?;
    Ok((relevant(&all), file))
}

/// Returns the failures of Node's spec reporter, or else the last lines.
fn relevant(output: &str) -> String {
    let lines: Vec<&str> = output.trim().lines().collect();
    let last = lines.len().saturating_sub(SHOWN_LINES);
    let start = lines.iter().position(|line| line.contains("✖ failing tests:")).unwrap_or(last);
    lines.iter().skip(start).take(SHOWN_LINES).map(|line| format!("    | {line}\n")).collect()
}

impl Judged {
    /// Describes it for the person: the tests, both outputs, and the commands that repeat it.
    pub(super) fn described(&self) -> String {
        let mut text = format!("\n{}  {}\n", self.layer.name(), self.unit);
        for failure in self.failures.iter().take(SHOWN_FAILURES) {
            let test = failure.test.as_deref().unwrap_or("the whole of it");
            text += &format!("  {test}\n    {}\n", failure.first_line());
            text += &format!("    to repeat it: {}\n", self.command(failure));
        }
        if self.failures.len() > SHOWN_FAILURES {
            text += &format!("  and {} others\n", self.failures.len() - SHOWN_FAILURES);
        }
        text += &format!("  {}\n", self.verdict.reason());
        for ((shown, file), which) in self.outputs.iter().zip(["first", "second"]) {
            text += &format!("  the {which} output: {}\n{shown}", file.display());
        }
        text
    }

    pub(super) fn entry(&self) -> Value {
        let failure = |failure: &Failure| {
            let command = self.command(failure);
            json!({ "test": failure.test, "message": failure.first_line(), "command": command })
        };
        let outputs: Vec<&PathBuf> = self.outputs.iter().map(|(_, file)| file).collect();
        json!({
            "layer": self.layer.name(), "file": self.unit, "outputs": outputs,
            "tests": self.failures.iter().map(failure).collect::<Vec<_>>(),
            "verdict": self.verdict.reason(),
        })
    }

    fn command(&self, failure: &Failure) -> String {
        let layer = self.layer.name();
        let mut command = format!("cargo xtask test {layer}");
        // The tests of a crate are a unit without a file.
        if self.unit != layer {
            let file = self.unit.split(" in ").next().unwrap_or_default();
            command += &format!(" --file {}", quoted(file));
        }
        if let Some(name) = &failure.name {
            command += &format!(" --name {}", quoted(name));
        }
        command
    }
}

/// Quotes a word for a shell, where it needs that.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-:=".contains(c);
    if word.chars().all(is_plain) {
        word.to_owned()
    } else if word.contains(['"', '$', '`', '\\', '!']) {
        format!("'{}'", word.replace('\'', r"'\''"))
    } else {
        format!("\"{word}\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::scratch;
    use std::cell::Cell;

    fn repo(name: &str) -> Repo {
        Repo { target: scratch(name), ..Repo::find().unwrap() }
    }

    fn failure(test: &str) -> Failure {
        Failure { test: Some(test.to_owned()), name: Some(test.to_owned()), message: "late\nvery".to_owned() }
    }

    fn failed(again: Option<fn() -> anyhow::Result<Attempt>>) -> Failed<'static> {
        let output = "✔ a\nℹ fail 1\n\n✖ failing tests:\n✖ saved \"it\"\n  late\n".to_owned();
        let first = Attempt { failures: vec![failure("saved \"it\"")], output, ..Attempt::default() };
        let unit = "tests/e2e/saved.test.mjs".to_owned();
        let again: Option<super::super::units::Again<'_>> = again.map(|again| Box::new(again) as _);
        Failed { layer: LayerName::Shop, unit, first, again }
    }

    /// Lets some runs of the layer pass, and another one fail.
    fn judged(repo: &Repo, passing: usize, again: Option<fn() -> anyhow::Result<Attempt>>) -> Judged {
        let mut history = History::of(repo).unwrap();
        history.count(std::iter::repeat_n(LayerName::Shop, passing + 1)).unwrap();
        repeat(repo, vec![failed(again)], &history).unwrap().pop().unwrap()
    }

    fn passing() -> anyhow::Result<Attempt> {
        Ok(Attempt { passed: 1, output: "✔ saved".to_owned(), ..Attempt::default() })
    }

    #[test]
    fn what_passes_alone_is_unstable_and_the_second_time_within_twenty_runs_fails() {
        let repo = repo("unstable");
        let found = judged(&repo, 0, Some(passing));
        assert_eq!(found.verdict, Verdict::Unstable);
        let command = "cargo xtask test shop --file tests/e2e/saved.test.mjs --name 'saved \"it\"'";
        let text = found.described();
        for part in ["saved \"it\"\n    late\n", command, "| ✖ failing tests:", "| ✔ saved", "second.log"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("| ✔ a"));
        assert_eq!(found.entry()["tests"][0]["command"], command);
        assert_eq!(judged(&repo, 18, Some(passing)).verdict, Verdict::UnstableAgain { runs_ago: 19 });
        assert_eq!(judged(&repo, 19, Some(passing)).verdict, Verdict::Unstable);
    }

    #[test]
    fn what_fails_again_or_cannot_be_repeated_fails_and_is_not_recorded() {
        let repo = repo("broken");
        let verdict = |again| judged(&repo, 0, again).verdict;
        assert_eq!(verdict(None), Verdict::Certain);
        assert_eq!(verdict(Some(|| Ok(Attempt::failed("another reason")))), Verdict::Failed);
        assert_eq!(verdict(Some(|| anyhow::bail!("no browser"))), Verdict::NotRepeated);
        assert_eq!(verdict(Some(passing)), Verdict::Unstable);
    }

    #[test]
    fn many_failures_are_not_repeated() {
        thread_local! { static REPEATED: Cell<usize> = const { Cell::new(0) } }
        let again = || {
            REPEATED.set(REPEATED.get() + 1);
            passing()
        };
        let repo = repo("many");
        let history = History::of(&repo).unwrap();
        let all = (0..=MOST).map(|_| failed(Some(again))).collect();
        let found = repeat(&repo, all, &history).unwrap();
        assert!(found.iter().all(|one| one.verdict == Verdict::OneOfMany));
        assert_eq!(REPEATED.get(), 0);
    }

    #[test]
    fn words_are_quoted_as_a_shell_needs_it() {
        assert_eq!(quoted("tests/e2e/saved.test.mjs"), "tests/e2e/saved.test.mjs");
        assert_eq!(quoted("a saved account"), "\"a saved account\"");
        assert_eq!(quoted("it's $5"), r"'it'\''s $5'");
    }
}
