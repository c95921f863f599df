//! Running other programs and saying plainly when one of them fails.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};

use crate::children::{GRACE, Group, POLL, cannot_start};
use crate::say::{Progress, is_terminal};

/// Returns what a quick question to a program answers on stdout.
pub(crate) fn output(command: &mut Command) -> anyhow::Result<String> {
    let answer = command.stdin(Stdio::null()).output().map_err(|error| cannot_start(command, &error))?;
    if !answer.status.success() {
        let stderr = String::from_utf8_lossy(&answer.stderr);
        bail!("{}\n{}", failure(command, answer.status), stderr.trim_end());
    }
    String::from_utf8(answer.stdout).with_context(|| format!("`{}` answered no text", described(command)))
}

/// Runs to the end with stdout and stderr in `log`; `watch` is called all the while.
pub(crate) fn run_into(log: &File, command: &mut Command, mut watch: impl FnMut()) -> anyhow::Result<()> {
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log.try_clone()?);
    let mut group = Group::start(command)?;
    loop {
        if let Some(status) = group.try_wait()? {
            return finished(command, status);
        }
        watch();
        sleep(POLL);
    }
}

/// Runs with its output shown as it comes, stdout among our progress, and returns that stdout. `limit` ends a
/// program that hangs.
pub(crate) fn run_shown(
    command: &mut Command,
    limit: Option<Duration>,
) -> anyhow::Result<(String, anyhow::Result<()>)> {
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    // Some programs open /dev/stderr again, which empties it where it is a file.
    if !is_terminal() {
        command.stderr(Stdio::piped());
    }
    let mut group = Group::start(command)?;
    let stdout = forward(group.child.stdout.take().context("stdout is not piped")?);
    let stderr = group.child.stderr.take().map(forward);
    let outcome = match group.wait_up_to(limit.unwrap_or(Duration::MAX))? {
        Some(status) => finished(command, status),
        None => Err(anyhow!("`{}` was not done after {:?}", described(command), limit.unwrap_or_default())),
    };
    // What the program left running and holds its output open ends here.
    drop(group);
    if let Some(stderr) = stderr {
        collect(&stderr);
    }
    Ok((collect(&stdout), outcome))
}

/// Shows output as it comes, and passes it on.
fn forward(mut output: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, parts) = channel();
    let progress = Progress::of_this_thread();
    spawn(move || {
        let mut chunk = [0; 8192];
        while let Ok(length @ 1..) = output.read(&mut chunk) {
            let part = chunk.get(..length).unwrap_or_default();
            progress.write(part);
            let _ = sender.send(part.to_vec());
        }
    });
    parts
}

/// Returns all of it, once the program has ended. A process that left the group may still hold it open: don't
/// wait for ever.
fn collect(parts: &Receiver<Vec<u8>>) -> String {
    let start = Instant::now();
    let mut all = Vec::new();
    while let Ok(part) = parts.recv_timeout(GRACE.saturating_sub(start.elapsed())) {
        all.extend(part);
    }
    String::from_utf8_lossy(&all).into_owned()
}

/// Returns the command as a person would type it.
pub(crate) fn described(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(command.get_program());
    let words: Vec<_> =
        [name].into_iter().chain(command.get_args()).map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}

fn finished(command: &Command, status: ExitStatus) -> anyhow::Result<()> {
    if status.success() { Ok(()) } else { Err(anyhow!(failure(command, status))) }
}

fn failure(command: &Command, status: ExitStatus) -> String {
    format!("`{}` failed ({status})", described(command))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(script: &str, limit: Option<Duration>) -> (String, anyhow::Result<()>) {
        run_shown(Command::new("sh").args(["-c", script]), limit).unwrap()
    }

    #[test]
    fn a_failure_says_what_failed_and_why() {
        let error = output(Command::new("sh").args(["-c", "echo broken >&2; exit 3"])).unwrap_err();
        assert_eq!(error.to_string(), "`sh -c echo broken >&2; exit 3` failed (exit status: 3)\nbroken");
        let error = output(&mut Command::new("no-such-program")).unwrap_err();
        assert!(error.to_string().contains("`no-such-program` is not installed"));
    }

    #[test]
    fn shown_output_comes_back_whole() {
        let (text, outcome) = shown("echo one; echo two; exit 4", None);
        assert_eq!(text, "one\ntwo\n");
        assert!(outcome.unwrap_err().to_string().contains("exit status: 4"));
    }

    #[test]
    fn a_program_cannot_empty_the_file_that_our_output_goes_to() {
        let script = "echo lost? >&2; echo now > /dev/stderr; test -p /dev/stderr || test -t 2";
        shown(script, None).1.unwrap();
    }

    #[test]
    fn does_not_wait_for_what_left_the_group_or_hangs() {
        let start = Instant::now();
        shown("setsid sleep 30 &", None).1.unwrap();
        let (_, outcome) = shown("sleep 60 & sleep 60", Some(Duration::from_millis(200)));
        assert!(outcome.unwrap_err().to_string().contains("was not done"));
        assert!(start.elapsed() < Duration::from_secs(25));
    }
}
