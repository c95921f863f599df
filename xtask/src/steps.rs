//! Steps of a command: what is being done, and how long it took.
//!
//! What a step's programs print goes to a log file, whose end is shown when the step fails.

use std::cell::Cell;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::process;
use crate::repo::Repo;
use crate::say::{is_terminal, say, say_part, seconds};

const TAIL_LINES: usize = 40;
/// A longer line would wrap, and could not be overwritten.
const TERMINAL_WIDTH: usize = 78;

pub(crate) struct Step {
    head: String,
    log_file: PathBuf,
    log: File,
    start: Instant,
    shown: Cell<Duration>,
    is_up_to_date: Cell<bool>,
}

impl Repo {
    pub(crate) fn step<T>(
        &self,
        title: &str,
        work: impl FnOnce(&Step) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let name = title.replace(|c: char| !c.is_ascii_alphanumeric() && c != '.', "-");
        let log_file = self.tools().join("logs").join(format!("{name}.log"));
        let step = Step {
            head: format!("{title} …"),
            log: create_file(&log_file)?,
            log_file,
            start: Instant::now(),
            shown: Cell::default(),
            is_up_to_date: Cell::default(),
        };
        say_part(&format!("{} ", step.head));
        let outcome = work(&step);
        step.finish(outcome.is_ok());
        outcome.with_context(|| title.to_owned())
    }
}

impl Step {
    pub(crate) fn is_up_to_date(&self) {
        self.is_up_to_date.set(true);
    }

    pub(crate) fn run(&self, command: &mut Command) -> anyhow::Result<()> {
        process::run_into(&self.log, command, || self.redraw())
    }

    /// Runs a program for its stdout; its stderr goes to the log.
    pub(crate) fn read(&self, command: &mut Command) -> anyhow::Result<String> {
        process::output(command.stderr(self.log.try_clone()?))
    }

    /// Shows the time and the last line of the log, on a terminal.
    fn redraw(&self) {
        let elapsed = self.start.elapsed();
        if !is_terminal() || elapsed < self.shown.get() + Duration::from_millis(500) {
            return;
        }
        self.shown.set(elapsed);
        let line = format!("{} {}  {}", self.head, seconds(elapsed), tail(&self.log_file, 1).trim());
        let line: String = line.chars().filter(|c| !c.is_control()).take(TERMINAL_WIDTH).collect();
        say_part(&format!("\r\x1b[K{line}"));
    }

    fn finish(&self, is_ok: bool) {
        let time = seconds(self.start.elapsed());
        let end = match (is_ok, self.is_up_to_date.get()) {
            (true, true) => "there".to_owned(),
            (true, false) => time,
            (false, _) => format!("failed after {time}"),
        };
        let overwritten = if is_terminal() { format!("\r\x1b[K{} ", self.head) } else { String::new() };
        say(&format!("{overwritten}{end}"));
        let text = tail(&self.log_file, TAIL_LINES);
        if !is_ok && !text.is_empty() {
            say(&format!("{text}\n(the whole log: {})", self.log_file.display()));
        }
    }
}

fn create_file(file: &Path) -> anyhow::Result<File> {
    let made = file.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| File::create(file));
    made.with_context(|| format!("cannot write {}", file.display()))
}

fn tail(file: &Path, lines: usize) -> String {
    let bytes = fs::read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let all: Vec<&str> = text.trim_end().lines().collect();
    all.get(all.len().saturating_sub(lines)..).unwrap_or_default().join("\n")
}
