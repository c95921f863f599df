//! Running other programs and saying plainly when one of them fails.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};

use crate::children::{GRACE, Group};
use crate::say::is_terminal;

const POLL: Duration = Duration::from_millis(50);

/// What a quick question to a program answers on stdout.
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

/// Runs with its output shown as it comes, stdout among our progress, and returns that stdout.
/// `limit` ends a program that hangs.
pub(crate) fn run_shown(
    command: &mut Command,
    limit: Option<Duration>,
) -> anyhow::Result<(String, anyhow::Result<()>)> {
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    // Some programs open /dev/stderr anew, which empties it where it is a file.
    if !is_terminal() {
        command.stderr(Stdio::piped());
    }
    let mut group = Group::start(command)?;
    let stdout = Forwarded::begin(group.take_stdout().context("stdout is not piped")?);
    let stderr = group.take_stderr().map(Forwarded::begin);
    let start = Instant::now();
    let outcome = loop {
        if let Some(status) = group.try_wait()? {
            break finished(command, status);
        }
        if let Some(limit) = limit.filter(|limit| start.elapsed() > *limit) {
            break Err(anyhow!("`{}` was not done after {} s", described(command), limit.as_secs()));
        }
        sleep(POLL);
    };
    // What the program left running and holds its output open ends here.
    drop(group);
    if let Some(stderr) = stderr {
        stderr.end();
    }
    Ok((stdout.end(), outcome))
}

/// Output on its way to our progress, and kept.
struct Forwarded {
    kept: Arc<Mutex<Vec<u8>>>,
    thread: JoinHandle<()>,
}

impl Forwarded {
    fn begin(mut output: impl Read + Send + 'static) -> Forwarded {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let keep = Arc::clone(&kept);
        let thread = std::thread::spawn(move || {
            let mut chunk = [0_u8; 8192];
            while let Ok(length) = output.read(&mut chunk) {
                let Some(part) = chunk.get(..length).filter(|part| !part.is_empty()) else {
                    break;
                };
                let mut stderr = std::io::stderr();
                let _ = stderr.write_all(part);
                let _ = stderr.flush();
                keep.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(part);
            }
        });
        Forwarded { kept, thread }
    }

    /// All of it, once the program has ended. Something that got away may still hold it open: no
    /// reason to wait for ever.
    fn end(self) -> String {
        let start = Instant::now();
        while !self.thread.is_finished() && start.elapsed() < GRACE {
            sleep(POLL);
        }
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&kept).into_owned()
    }
}

/// The command as a person would type it.
pub(crate) fn described(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let mut line = program.file_name().unwrap_or(command.get_program()).to_string_lossy().into_owned();
    for argument in command.get_args() {
        line.push(' ');
        line.push_str(&argument.to_string_lossy());
    }
    line
}

pub(crate) fn cannot_start(command: &Command, error: &std::io::Error) -> anyhow::Error {
    let program = command.get_program().to_string_lossy();
    if error.kind() == std::io::ErrorKind::NotFound {
        anyhow!("`{program}` is not installed, or not on PATH")
    } else {
        anyhow!("cannot start `{program}`: {error}")
    }
}

fn finished(command: &Command, status: ExitStatus) -> anyhow::Result<()> {
    if status.success() { Ok(()) } else { Err(anyhow!("{}", failure(command, status))) }
}

fn failure(command: &Command, status: ExitStatus) -> String {
    format!("`{}` failed ({status})", described(command))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_says_what_failed_and_why() {
        let error = output(Command::new("sh").args(["-c", "echo broken >&2; exit 3"])).unwrap_err();
        let text = format!("{error:#}");
        assert!(text.contains("sh -c"), "{text}");
        assert!(text.contains("exit status: 3"), "{text}");
        assert!(text.ends_with("broken"), "{text}");
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = output(&mut Command::new("no-such-program")).unwrap_err();
        assert!(error.to_string().contains("`no-such-program` is not installed"));
    }

    #[test]
    fn shown_output_comes_back_whole() {
        let (text, outcome) =
            run_shown(Command::new("sh").args(["-c", "echo one; echo two; exit 4"]), None).unwrap();
        assert_eq!(text, "one\ntwo\n");
        assert!(outcome.unwrap_err().to_string().contains("exit status: 4"));
    }

    /// As seen with a test run whose output went to a file.
    #[test]
    fn a_program_cannot_empty_the_file_that_our_output_goes_to() {
        let script = "echo lost? >&2; echo now > /dev/stderr; test -p /dev/stderr || test -t 2";
        let (_, outcome) = run_shown(Command::new("sh").args(["-c", script]), None).unwrap();
        outcome.unwrap();
    }

    #[test]
    fn what_got_away_is_not_waited_for() {
        let start = Instant::now();
        let script = "setsid sleep 30 & echo $!";
        let (text, outcome) = run_shown(Command::new("sh").args(["-c", script]), None).unwrap();
        outcome.unwrap();
        assert!(start.elapsed() < Duration::from_secs(25));
        let away = nix::unistd::Pid::from_raw(text.trim().parse().unwrap());
        nix::sys::signal::kill(away, nix::sys::signal::Signal::SIGKILL).unwrap();
    }

    #[test]
    fn a_program_that_hangs_is_ended_with_what_it_started() {
        let start = Instant::now();
        let script = "sleep 60 & sleep 60";
        let limit = Duration::from_millis(200);
        let (_, outcome) = run_shown(Command::new("sh").args(["-c", script]), Some(limit)).unwrap();
        assert!(outcome.unwrap_err().to_string().contains("was not done"));
        assert!(start.elapsed() < Duration::from_secs(20));
    }
}
