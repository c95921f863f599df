//! Runs other programs, reports their failures, and leaves none of them behind.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};

use crate::say::{Progress, is_terminal};

/// How long a process may take to end by itself once it is asked to.
const GRACE: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(20);

/// A running program with everything it starts, as long as that stays in its process group.
///
/// A shell leads the group. It ends the group as soon as its stdin closes, which dropping this value causes
/// and so does any end of this process: Ctrl-C, SIGTERM, even SIGKILL.
struct Group {
    child: Child,
    guard: Child,
}

/// A first line asks the group to end, end of file kills it. End of file alone means that xtask has died.
const GUARD: &str = "trap '' TERM; read -r _ || orphaned=1; kill -TERM 0
if [ $orphaned ]; then sleep 5; else read -r _; fi; kill -KILL 0";

impl Group {
    fn start(command: &mut Command) -> anyhow::Result<Group> {
        let mut guard = Command::new("sh");
        guard.args(["-c", GUARD]).process_group(0);
        guard.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut guard = guard.spawn().context("cannot start the shell that guards a process")?;
        let leader = i32::try_from(guard.id())?;
        match command.process_group(leader).spawn() {
            Ok(child) => Ok(Group { child, guard }),
            Err(error) => {
                guard.kill().and_then(|()| guard.wait()).context("cannot end a guard")?;
                Err(cannot_start(command, &error))
            }
        }
    }

    /// Returns the program's exit status, or `None` if it still runs after the limit.
    fn wait_up_to(&mut self, limit: Duration) -> anyhow::Result<Option<ExitStatus>> {
        self.watch(limit, || ())
    }

    fn watch(&mut self, limit: Duration, mut watch: impl FnMut()) -> anyhow::Result<Option<ExitStatus>> {
        let start = Instant::now();
        loop {
            let status = self.child.try_wait().context("cannot wait for a process")?;
            if status.is_some() || start.elapsed() > limit {
                return Ok(status);
            }
            watch();
            sleep(POLL);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let mut stdin = self.guard.stdin.take();
        let _ = stdin.as_mut().map(|stdin| stdin.write_all(b"\n"));
        let _ = self.wait_up_to(GRACE);
        drop(stdin);
        let _ = self.guard.wait();
        let _ = self.child.wait();
    }
}

pub(crate) fn output(command: &mut Command) -> anyhow::Result<String> {
    let answer = command.stdin(Stdio::null()).output().map_err(|error| cannot_start(command, &error))?;
    let stderr = String::from_utf8_lossy(&answer.stderr);
    succeeded(command, answer.status).map_err(|error| anyhow!("{error}\n{}", stderr.trim_end()))?;
    String::from_utf8(answer.stdout).with_context(|| format!("`{}` printed no text", described(command)))
}

/// Runs a program with stdout and stderr in `log`, and calls `watch` all the while.
pub(crate) fn run_into(log: &File, command: &mut Command, watch: impl FnMut()) -> anyhow::Result<()> {
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log.try_clone()?);
    let status = Group::start(command)?.watch(Duration::MAX, watch)?;
    status.map_or(Ok(()), |status| succeeded(command, status))
}

/// Runs a program, shows its output among our progress as it comes, and returns its stdout and whether it
/// succeeded. `limit` ends a program that hangs.
pub(crate) fn run_shown(
    command: &mut Command,
    limit: Duration,
) -> anyhow::Result<(String, anyhow::Result<()>)> {
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    // Some programs reopen /dev/stderr, which truncates it where it is a file.
    if !is_terminal() {
        command.stderr(Stdio::piped());
    }
    let mut group = Group::start(command)?;
    let stdout = forward(group.child.stdout.take().context("stdout is not piped")?);
    let stderr = group.child.stderr.take().map(forward);
    let outcome = match group.wait_up_to(limit)? {
        Some(status) => succeeded(command, status),
        None => Err(anyhow!("`{}` was not done after {limit:?}", described(command))),
    };
    // Ends what the program has left running: it holds the output open.
    drop(group);
    if let Some(stderr) = stderr {
        collect(&stderr);
    }
    Ok((collect(&stdout), outcome))
}

/// [`run_shown`] without a limit, for programs whose output alone is of use.
pub(crate) fn shown(command: &mut Command) -> anyhow::Result<String> {
    let (text, outcome) = run_shown(command, Duration::MAX)?;
    outcome.map(|()| text)
}

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

/// Collects a program's output once it has ended. A process that left the group may hold it open: the wait is
/// limited.
fn collect(parts: &Receiver<Vec<u8>>) -> String {
    let start = Instant::now();
    let mut all = Vec::new();
    while let Ok(part) = parts.recv_timeout(GRACE.saturating_sub(start.elapsed())) {
        all.extend(part);
    }
    String::from_utf8_lossy(&all).into_owned()
}

fn described(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(command.get_program());
    let words = [name].into_iter().chain(command.get_args()).map(|word| word.to_string_lossy());
    words.collect::<Vec<_>>().join(" ")
}

fn succeeded(command: &Command, status: ExitStatus) -> anyhow::Result<()> {
    if status.success() { Ok(()) } else { bail!("`{}` failed ({status})", described(command)) }
}

/// Replaces this process, so that stdin, stdout and signals are the person's.
pub(crate) fn replace_this_process(command: &mut Command) -> anyhow::Result<()> {
    let error = command.exec();
    Err(cannot_start(command, &error))
}

fn cannot_start(command: &Command, error: &io::Error) -> anyhow::Error {
    let program = command.get_program().to_string_lossy();
    if error.kind() == io::ErrorKind::NotFound {
        anyhow!("`{program}` is not installed, or not on PATH")
    } else {
        anyhow!("cannot start `{program}`: {error}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader};

    fn sh(script: &str) -> Command {
        let mut sh = Command::new("sh");
        sh.args(["-c", script]);
        sh
    }

    /// Starts a script whose first line of output is the id of a process that it has started.
    fn started(script: &str) -> (Group, String) {
        let mut group = Group::start(sh(script).stdout(Stdio::piped())).unwrap();
        let mut line = String::new();
        BufReader::new(group.child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(is_running(line.trim()));
        (group, line.trim().to_owned())
    }

    fn is_running(process: &str) -> bool {
        let ps = Command::new("ps").args(["-o", "stat=", "-p", process]).output().unwrap();
        !ps.stdout.is_empty() && !ps.stdout.starts_with(b"Z")
    }

    /// Whether a process ends: on a busy machine it does so some time after its signal.
    fn ends(process: &str) -> bool {
        let start = Instant::now();
        while is_running(process) && start.elapsed() < Duration::from_secs(100) {
            sleep(POLL);
        }
        !is_running(process)
    }

    #[test]
    fn dropping_a_group_ends_what_the_program_started() {
        for script in [
            "sleep 600 & echo $!; wait",
            "sleep 600 & echo $!; exit 0",
            "trap '' TERM; sleep 600 & echo $!; while :; do sleep 0.1; done",
        ] {
            let (group, process) = started(script);
            drop(group);
            assert!(ends(&process), "{script}");
        }
    }

    #[test]
    fn a_group_ends_when_xtask_is_killed() {
        let (mut group, process) = started("sleep 600 & echo $!; wait");
        drop(group.guard.stdin.take());
        assert!(ends(&process));
    }

    #[test]
    fn a_failure_names_the_command_and_its_reason() {
        let error = output(&mut sh("echo broken >&2; exit 3")).unwrap_err();
        assert_eq!(error.to_string(), "`sh -c echo broken >&2; exit 3` failed (exit status: 3)\nbroken");
        let error = output(&mut Command::new("no-such-program")).unwrap_err();
        assert!(error.to_string().contains("`no-such-program` is not installed"));
        let (text, outcome) = run_shown(&mut sh("echo one; echo two; exit 4"), Duration::MAX).unwrap();
        assert_eq!(text, "one\ntwo\n");
        assert!(outcome.unwrap_err().to_string().contains("exit status: 4"));
    }

    #[test]
    fn a_program_cannot_truncate_the_file_that_our_stderr_goes_to() {
        shown(&mut sh("echo lost? >&2; echo now > /dev/stderr; test -p /dev/stderr || test -t 2")).unwrap();
    }

    #[test]
    fn a_hanging_program_or_an_escaped_one_is_not_awaited() {
        let start = Instant::now();
        shown(&mut sh("setsid sleep 100 &")).unwrap();
        let (_, outcome) = run_shown(&mut sh("sleep 100 & sleep 100"), Duration::from_millis(200)).unwrap();
        assert!(outcome.unwrap_err().to_string().contains("was not done"));
        assert!(start.elapsed() < Duration::from_secs(90));
    }
}
