//! Every process that is started, so that none is left behind.
//!
//! Each runs in a process group of its own. A group is ended when its owner is dropped, when a signal ends us
//! (`answer_signals`), and, should we be killed outright, by its guard.

use std::collections::BTreeMap;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use crate::say::say;

/// How long a process may take to end by itself once asked to.
pub(crate) const GRACE: Duration = Duration::from_secs(5);
pub(crate) const POLL: Duration = Duration::from_millis(20);

/// The groups, each with its guard.
static RUNNING: Mutex<BTreeMap<Pid, Pid>> = Mutex::new(BTreeMap::new());
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

fn running() -> MutexGuard<'static, BTreeMap<Pid, Pid>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A started program and all that it starts itself, as long as that stays in its process group.
pub(crate) struct Group {
    pub(crate) child: Child,
    guard: Child,
    id: Pid,
}

impl Group {
    pub(crate) fn start(command: &mut Command) -> anyhow::Result<Group> {
        // Held over the start: an interrupt comes before it and prevents it, or after and ends it.
        let mut running = running();
        let mut child = command.process_group(0).spawn().map_err(|error| cannot_start(command, &error))?;
        let id = pid(&child)?;
        let guard = guard(id).inspect_err(|_| end_group(id, || !matches!(child.try_wait(), Ok(None))))?;
        running.insert(id, pid(&guard)?);
        Ok(Group { child, guard, id })
    }

    /// Returns the program's exit status, if it has ended.
    pub(crate) fn try_wait(&mut self) -> anyhow::Result<Option<ExitStatus>> {
        let status = self.child.try_wait();
        park_if_interrupted();
        status.context("cannot wait for a process")
    }

    /// Waits up to `limit`; `None` if the program still runs then.
    pub(crate) fn wait_up_to(&mut self, limit: Duration) -> anyhow::Result<Option<ExitStatus>> {
        let start = Instant::now();
        loop {
            let status = self.try_wait()?;
            if status.is_some() || start.elapsed() > limit {
                return Ok(status);
            }
            sleep(POLL);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        end_group(self.id, || !matches!(self.child.try_wait(), Ok(None)));
        let _ = self.guard.kill().and_then(|()| self.guard.wait());
        running().remove(&self.id);
    }
}

fn pid(child: &Child) -> anyhow::Result<Pid> {
    Ok(Pid::from_raw(i32::try_from(child.id())?))
}

/// Starts a shell that ends the group when its stdin closes, which is when we die.
fn guard(group: Pid) -> anyhow::Result<Child> {
    let script = "read -r _; kill -TERM -$0 && sleep 5 && kill -KILL -$0";
    Command::new("sh")
        .args(["-c", script, &group.to_string()])
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .context("cannot start the shell that guards a process")
}

/// Asks a group to end, and kills what is left of it when its leader has ended or takes too long.
fn end_group(group: Pid, mut has_ended: impl FnMut() -> bool) {
    let _ = killpg(group, Signal::SIGTERM);
    let start = Instant::now();
    while !has_ended() && start.elapsed() < GRACE {
        sleep(POLL);
    }
    let _ = killpg(group, Signal::SIGKILL);
    has_ended();
}

/// On Ctrl-C, SIGTERM and SIGHUP: ends all children, then this process.
pub(crate) fn answer_signals() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        INTERRUPTED.store(true, Ordering::SeqCst);
        say("\nstopping …");
        // Never given back: nothing more may start.
        let running = running();
        for group in running.keys() {
            let _ = killpg(*group, Signal::SIGTERM);
        }
        for (group, guard) in running.iter() {
            let wait = || waitpid(*group, Some(WaitPidFlag::WNOHANG));
            end_group(*group, || !matches!(wait(), Ok(WaitStatus::StillAlive)));
            let _ = killpg(*guard, Signal::SIGKILL);
        }
        std::process::exit(130);
    })
    .context("cannot answer signals")
}

/// After an interrupt, leaves the end of the process to the one who answers it.
pub(crate) fn park_if_interrupted() {
    while INTERRUPTED.load(Ordering::SeqCst) {
        sleep(GRACE);
    }
}

pub(crate) fn cannot_start(command: &Command, error: &std::io::Error) -> anyhow::Error {
    let program = command.get_program().to_string_lossy();
    if error.kind() == std::io::ErrorKind::NotFound {
        anyhow!("`{program}` is not installed, or not on PATH")
    } else {
        anyhow!("cannot start `{program}`: {error}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader};

    /// Starts a script that first prints the id of something it has started itself.
    fn started(script: &str) -> (Group, Pid) {
        let mut group = Group::start(Command::new("sh").args(["-c", script]).stdout(Stdio::piped())).unwrap();
        let mut line = String::new();
        BufReader::new(group.child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        (group, Pid::from_raw(line.trim().parse().unwrap()))
    }

    /// A process that nobody collects is still there as a zombie.
    fn runs(process: Pid) -> bool {
        let ps = Command::new("ps").args(["-o", "stat=", "-p", &process.to_string()]).output().unwrap();
        !ps.stdout.is_empty() && !ps.stdout.starts_with(b"Z")
    }

    fn ends(process: Pid) -> bool {
        let start = Instant::now();
        while runs(process) && start.elapsed() < Duration::from_secs(100) {
            sleep(POLL);
        }
        !runs(process)
    }

    #[test]
    fn ends_what_a_program_has_started() {
        let scripts = [
            "sleep 600 & echo $!; wait",
            "sleep 600 & echo $!; exit 0",
            "trap '' TERM; sleep 600 & echo $!; while :; do sleep 0.1; done",
        ];
        for script in scripts {
            let (group, process) = started(script);
            assert!(runs(process));
            drop(group);
            assert!(ends(process), "{script}");
        }
    }

    #[test]
    fn a_guard_ends_the_group_when_we_are_killed() {
        let (mut group, process) = started("sleep 600 & echo $!; wait");
        assert!(runs(process));
        drop(group.guard.stdin.take());
        assert!(ends(process));
    }
}
