//! Numbered steps: what is being done, how far it is, how long it took.
//!
//! What the programs of a step print goes to a log file, and is shown only when the step fails.

use std::cell::Cell;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::children::park_if_interrupted;
use crate::command;
use crate::say::{is_terminal, say, say_part, seconds};

/// How much of a log is read to show its end.
const TAIL_BYTES: i64 = 8192;
const TAIL_LINES: usize = 40;
/// A line of a terminal; longer ones would break and could not be overwritten.
const WIDTH: usize = 78;

pub(crate) struct Steps {
    logs: PathBuf,
    total: usize,
    begun: usize,
}

pub(crate) struct Step {
    head: String,
    log_file: PathBuf,
    log: File,
    start: Instant,
    shown: Cell<Duration>,
    there: Cell<bool>,
}

impl Steps {
    /// Logs go to files in `logs`.
    pub(crate) fn new(logs: PathBuf, total: usize) -> Self {
        Steps { logs, total, begun: 0 }
    }

    pub(crate) fn run<T>(
        &mut self,
        title: &str,
        work: impl FnOnce(&Step) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        self.begun += 1;
        std::fs::create_dir_all(&self.logs)
            .with_context(|| format!("cannot make {}", self.logs.display()))?;
        let log_file = self.logs.join(format!("{}.log", file_name(title)));
        let log = File::create(&log_file).with_context(|| format!("cannot write {}", log_file.display()))?;
        let step = Step {
            head: format!("[{}/{}] {title} …", self.begun, self.total),
            log_file,
            log,
            start: Instant::now(),
            shown: Cell::new(Duration::ZERO),
            there: Cell::new(false),
        };
        say_part(&format!("{} ", step.head));
        let outcome = work(&step);
        step.finish(outcome.is_ok());
        outcome.with_context(|| title.to_owned())
    }
}

impl Step {
    /// To be called when there was nothing to do.
    pub(crate) fn there(&self) {
        self.there.set(true);
    }

    pub(crate) fn run(&self, command: &mut Command) -> anyhow::Result<()> {
        command::run_into(&self.log, command, || self.redraw())
    }

    /// Runs a program for its stdout; its stderr goes to the log.
    pub(crate) fn read(&self, command: &mut Command) -> anyhow::Result<String> {
        command.stderr(self.log.try_clone()?);
        command::output(command)
    }

    /// On a terminal: the time, and the last line of the log.
    fn redraw(&self) {
        let elapsed = self.start.elapsed();
        if !is_terminal() || elapsed < self.shown.get() + Duration::from_millis(500) {
            return;
        }
        self.shown.set(elapsed);
        let last = tail(&self.log_file, 1).unwrap_or_default();
        let line = format!("{} {}  {}", self.head, seconds(elapsed), last.trim());
        let line: String = line.chars().filter(|c| !c.is_control()).take(WIDTH).collect();
        say_part(&format!("\r\x1b[K{line}"));
    }

    fn finish(&self, ok: bool) {
        park_if_interrupted();
        let end = match (ok, self.there.get()) {
            (true, true) => "there".to_owned(),
            (true, false) => seconds(self.start.elapsed()),
            (false, _) => format!("failed after {}", seconds(self.start.elapsed())),
        };
        if is_terminal() {
            say(&format!("\r\x1b[K{} {end}", self.head));
        } else {
            say(&end);
        }
        if !ok
            && let Ok(text) = tail(&self.log_file, TAIL_LINES)
            && !text.is_empty()
        {
            say(&format!("{text}\n(all of it: {})", self.log_file.display()));
        }
    }
}

/// The last lines of a file.
pub(crate) fn tail(file: &Path, lines: usize) -> anyhow::Result<String> {
    let mut file = File::open(file)?;
    let length = i64::try_from(file.metadata()?.len())?;
    file.seek(SeekFrom::End(-length.min(TAIL_BYTES)))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let all: Vec<&str> = text.trim_end().lines().collect();
    let skipped = all.len().saturating_sub(lines);
    Ok(all.into_iter().skip(skipped).collect::<Vec<_>>().join("\n"))
}

fn file_name(title: &str) -> String {
    title.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::scratch;

    #[test]
    fn the_end_of_a_log_is_shown() {
        let folder = scratch("tail");
        let file = folder.join("log");
        std::fs::write(&file, "one\ntwo\nthree\n").unwrap();
        assert_eq!(tail(&file, 2).unwrap(), "two\nthree");
        assert_eq!(tail(&file, 9).unwrap(), "one\ntwo\nthree");
        std::fs::write(&file, "x".repeat(20_000) + "\nlast").unwrap();
        assert_eq!(tail(&file, 1).unwrap(), "last");
        std::fs::write(&file, "").unwrap();
        assert_eq!(tail(&file, 1).unwrap(), "");
    }

    #[test]
    fn a_failed_step_names_itself_and_keeps_its_log() {
        let logs = scratch("steps");
        let mut steps = Steps::new(logs.to_path_buf(), 2);
        let value = steps.run("first", |step| {
            step.there();
            Ok(7)
        });
        assert_eq!(value.unwrap(), 7);
        let error = steps
            .run("second thing 1.0", |step| step.run(Command::new("sh").args(["-c", "echo why; exit 1"])))
            .unwrap_err();
        assert!(format!("{error:#}").starts_with("second thing 1.0: `sh -c"));
        let log = std::fs::read_to_string(logs.join("second-thing-1.0.log")).unwrap();
        assert_eq!(log, "why\n");
    }
}
