//! Steps of a command: what is being done, and how long it took. Several may run at a time.
//!
//! What a step's programs print goes to a log file, whose end is shown when the step fails.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};

use crate::process;
use crate::repo::Repo;
use crate::say::{Progress, is_direct, is_terminal, say, say_part, seconds};

const TAIL_LINES: usize = 40;
/// More of a log than its last lines are long.
const TAIL_BYTES: u64 = 64 * 1024;
/// A longer line would wrap, and could not be overwritten.
const TERMINAL_WIDTH: usize = 78;
const REDRAW_EACH: Duration = Duration::from_millis(500);
/// How often output that is no terminal says what is being done.
const LINE_EACH: Duration = Duration::from_secs(10);

/// The steps that run now, and when they were last shown.
static RUNNING: Mutex<Running> = Mutex::new(Running { steps: Vec::new(), shown: None });

struct Running {
    /// Title, start and log of each.
    steps: Vec<(String, Instant, PathBuf)>,
    shown: Option<Instant>,
}

pub(crate) struct Step {
    title: String,
    log_file: PathBuf,
    log: File,
    start: Instant,
}

impl Repo {
    pub(crate) fn step<T>(
        &self,
        title: &str,
        work: impl FnOnce(&Step) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let name = title.replace(|c: char| !c.is_ascii_alphanumeric() && c != '.', "-");
        let log_file = self.tools().join("logs").join(format!("{name}.log"));
        let log = create_file(&log_file)?;
        let (title, start) = (title.to_owned(), Instant::now());
        let step = Step { title, log_file, log, start };
        step.begin();
        let outcome = work(&step);
        step.finish(outcome.is_ok());
        outcome.context(step.title)
    }
}

/// Does two things at a time. Both are done even if one fails, so that one run reports both failures.
pub(crate) fn both<A, B: Send>(
    one: impl FnOnce() -> anyhow::Result<A>,
    other: impl FnOnce() -> anyhow::Result<B> + Send,
) -> anyhow::Result<(A, B)> {
    let progress = Progress::of_this_thread();
    let (one, other) = thread::scope(|scope| {
        let other = scope.spawn(move || progress.during(other));
        (one(), other.join().unwrap_or_else(|panic| resume_unwind(panic)))
    });
    match (one, other) {
        (Err(one), Err(other)) => Err(anyhow!("{one:#}\n{other:#}")),
        (one, other) => Ok((one?, other?)),
    }
}

impl Step {
    pub(crate) fn run(&self, command: &mut Command) -> anyhow::Result<()> {
        // Has cargo print its progress, `45/120`, into the log.
        command.env("CARGO_TERM_PROGRESS_WHEN", "always").env("CARGO_TERM_PROGRESS_WIDTH", "100");
        process::run_into(&self.log, command, || running().show(false))
    }

    /// Runs a program for its stdout; its stderr goes to the log.
    pub(crate) fn read(&self, command: &mut Command) -> anyhow::Result<String> {
        process::output(command.stderr(self.log.try_clone()?))
    }

    fn begin(&self) {
        if is_direct() {
            let mut running = running();
            if running.steps.is_empty() {
                running.shown = Some(self.start);
            }
            running.steps.push((self.title.clone(), self.start, self.log_file.clone()));
            running.show(true);
        }
    }

    fn finish(&self, is_ok: bool) {
        let time = seconds(self.start.elapsed());
        let end = if is_ok { time } else { format!("failed after {time}") };
        let mut running = running();
        running.steps.retain(|(_, _, log)| *log != self.log_file);
        let erased = if is_terminal() { "\r\x1b[K" } else { "" };
        say(&format!("{erased}{} … {end}", self.title));
        let text = tail(&self.log_file, TAIL_LINES);
        if !is_ok && !text.is_empty() {
            say(&format!("{text}\n(the whole log: {})", self.log_file.display()));
        }
        running.show(true);
    }
}

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Running {
    /// Shows each step's time and progress: on a terminal in one line, elsewhere as a line now and then.
    fn show(&mut self, is_changed: bool) {
        let pause = if is_terminal() { REDRAW_EACH } else { LINE_EACH };
        let is_due = self.shown.is_none_or(|shown| shown.elapsed() >= pause);
        if !is_direct() || self.steps.is_empty() || !(is_due || is_changed && is_terminal()) {
            return;
        }
        self.shown = Some(Instant::now());
        let line = match &self.steps[..] {
            [(title, start, log)] => {
                let last = tail(log, 1);
                let state = count(&last).unwrap_or(last.trim());
                format!("{title} … {} {state}", seconds(start.elapsed()))
            }
            several => {
                let time = several.iter().map(|(_, start, _)| start.elapsed()).max().unwrap_or_default();
                let one = |(title, _, log): &(String, Instant, PathBuf)| {
                    format!("{title} {}", count(&tail(log, 1)).unwrap_or("…"))
                };
                format!("{}: {}", seconds(time), several.iter().map(one).collect::<Vec<_>>().join(", "))
            }
        };
        let line: String = line.chars().filter(|c| !c.is_control()).collect();
        if is_terminal() {
            say_part(&format!("\r\x1b[K{}", line.chars().take(TERMINAL_WIDTH).collect::<String>()));
        } else {
            say(&format!("  {line}"));
        }
    }
}

/// Returns the count in cargo's bar, such as `45/120` in `Building [==> ] 45/120: syn`.
fn count(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("] ")?;
    rest.split(':').next().filter(|count| count.contains('/'))
}

fn create_file(file: &Path) -> anyhow::Result<File> {
    let made = file.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| File::create(file));
    made.with_context(|| format!("cannot write {}", file.display()))
}

/// Returns the last lines of a log. Of what was overwritten, such as cargo's bar, only the last state counts.
fn tail(file: &Path, lines: usize) -> String {
    let mut bytes = Vec::new();
    let _ = File::open(file).and_then(|mut file| {
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(TAIL_BYTES)))?;
        file.read_to_end(&mut bytes)
    });
    let text = String::from_utf8_lossy(&bytes);
    let last_state = |line: &'_ str| line.trim_end().rsplit('\r').next().unwrap_or_default().to_owned();
    let all: Vec<String> = text.trim_end().lines().map(last_state).collect();
    all.get(all.len().saturating_sub(lines)..).unwrap_or_default().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::{scratch, write};

    #[test]
    fn of_overwritten_lines_the_last_state_counts() {
        let log = scratch("progress").join("log");
        let bar = |state: &str| format!("    Building [=>  ] {state}\r");
        write(&log, format!("   Compiling a v1\n{}{}", bar("3/120: b"), bar("45/120: syn(build)"))).unwrap();
        assert_eq!(count(&tail(&log, 1)), Some("45/120"));
        write(&log, "one\nadded [2] packages\n").unwrap();
        assert_eq!((count(&tail(&log, 1)), tail(&log, 2).as_str()), (None, "one\nadded [2] packages"));
    }

    #[test]
    fn two_failures_are_both_reported() {
        let fail = |reason: &str| -> anyhow::Result<()> { Err(anyhow!("{reason}")) };
        assert_eq!(both(|| fail("one"), || fail("other")).unwrap_err().to_string(), "one\nother");
        assert_eq!(both(|| fail("one"), || Ok(2)).unwrap_err().to_string(), "one");
        assert_eq!(both(|| Ok(1), || Ok(2)).unwrap(), (1, 2));
    }
}
