//! Every process that is started, so that none is left behind.
//!
//! Each runs in a process group of its own. A group is ended when its owner is dropped, when a
//! signal ends us (`answer_signals`), and, should we be killed outright, by the guard process.

use std::collections::BTreeSet;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::Context;
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::Pid;

use crate::command;
use crate::say::say;

/// How long a process may take to end by itself once asked to.
pub(crate) const GRACE: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(20);

static RUNNING: Mutex<Running> = Mutex::new(Running { groups: BTreeSet::new(), guard: None });
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

struct Running {
    groups: BTreeSet<i32>,
    /// Reads from its stdin which groups there are.
    guard: Option<Child>,
}

impl Running {
    fn tell_guard(&mut self, change: char, group: i32) -> anyhow::Result<()> {
        if self.guard.is_none() {
            self.guard = Some(start_guard()?);
        }
        let guard = self.guard.as_mut().and_then(|guard| guard.stdin.as_mut());
        writeln!(guard.context("the guard process has no stdin")?, "{change}{group}")
            .context("the guard process is gone")
    }

    /// Lets the guard go, and waits for it.
    fn dismiss_guard(&mut self) {
        if let Some(mut guard) = self.guard.take() {
            drop(guard.stdin.take());
            let _ = guard.wait();
        }
    }
}

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

fn start_guard() -> anyhow::Result<Child> {
    guard_command()
        .context("cannot find the guard's program")?
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .context("cannot start the guard process")
}

#[cfg(not(test))]
fn guard_command() -> std::io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(crate::cli::GUARD);
    Ok(command)
}

/// The program of the unit tests knows no commands; `tests/guard.rs` tries the real one.
#[cfg(test)]
#[allow(clippy::unnecessary_wraps, reason = "it stands in for one that can fail")]
fn guard_command() -> std::io::Result<Command> {
    Ok(Command::new("cat"))
}

/// A started program and all that it starts itself, as long as that stays in its process group.
pub(crate) struct Group {
    child: Child,
    id: i32,
}

impl Group {
    pub(crate) fn start(command: &mut Command) -> anyhow::Result<Group> {
        // Held over the start: an interrupt comes before it and prevents it, or after and ends it.
        let mut running = running();
        let child =
            command.process_group(0).spawn().map_err(|error| command::cannot_start(command, &error))?;
        let id = i32::try_from(child.id()).context("a process id beyond the system's range")?;
        let group = Group { child, id };
        running.groups.insert(id);
        let told = running.tell_guard('+', id);
        drop(running);
        told.map(|()| group)
    }

    pub(crate) fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    pub(crate) fn take_stdout(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    pub(crate) fn take_stderr(&mut self) -> Option<ChildStderr> {
        self.child.stderr.take()
    }

    /// The program's exit status, if it has ended.
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
        let child = &mut self.child;
        end_groups(&BTreeSet::from([self.id]), || {
            let _ = child.try_wait();
        });
        let mut running = running();
        running.groups.remove(&self.id);
        let _ = running.tell_guard('-', self.id);
    }
}

/// Asks the groups to end, waits, and kills what is left. `reap` collects ended children.
pub(crate) fn end_groups(groups: &BTreeSet<i32>, mut reap: impl FnMut()) {
    reap();
    let mut left: Vec<Pid> = groups.iter().copied().map(Pid::from_raw).collect();
    left.retain(|group| is_alive(*group));
    for group in &left {
        let _ = killpg(*group, Signal::SIGTERM);
    }
    let start = Instant::now();
    while !left.is_empty() && start.elapsed() < GRACE {
        sleep(POLL);
        reap();
        left.retain(|group| is_alive(*group));
    }
    for group in &left {
        let _ = killpg(*group, Signal::SIGKILL);
    }
    // What a kill has ended is a zombie until it is collected.
    if !left.is_empty() {
        sleep(POLL);
        reap();
    }
}

/// Whether any process of the group still runs; ended ones that nobody collected do not count.
fn is_alive(group: Pid) -> bool {
    killpg(group, None).is_ok() && has_running_member(group)
}

#[cfg(target_os = "linux")]
fn has_running_member(group: Pid) -> bool {
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return true;
    };
    processes
        .filter_map(|process| std::fs::read_to_string(process.ok()?.path().join("stat")).ok())
        .any(|stat| state_and_group(&stat).is_some_and(|(state, id)| id == group.as_raw() && state != "Z"))
}

#[cfg(not(target_os = "linux"))]
fn has_running_member(_: Pid) -> bool {
    true
}

/// State and process group in a line of /proc/<pid>/stat: `pid (name) state parent group …`, where
/// the name may hold blanks and brackets.
#[cfg(target_os = "linux")]
fn state_and_group(stat: &str) -> Option<(&str, i32)> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    let state = fields.next()?;
    let group = fields.nth(1)?.parse().ok()?;
    Some((state, group))
}

/// On Ctrl-C, SIGTERM and SIGHUP: ends all children, then this process.
pub(crate) fn answer_signals() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        INTERRUPTED.store(true, Ordering::SeqCst);
        say("\nstopping …");
        // Never given back: nothing more may start.
        let mut running = running();
        let groups = running.groups.clone();
        end_groups(&groups, || {
            for group in &groups {
                let _ = waitpid(Pid::from_raw(*group), Some(WaitPidFlag::WNOHANG));
            }
        });
        running.dismiss_guard();
        std::process::exit(130);
    })
    .context("cannot answer signals")
}

/// To be called last of all.
pub(crate) fn dismiss_guard() {
    running().dismiss_guard();
}

/// After an interrupt, leaves the end of the process to the one who answers it.
pub(crate) fn park_if_interrupted() {
    while INTERRUPTED.load(Ordering::SeqCst) {
        sleep(GRACE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started(script: &str) -> Group {
        Group::start(Command::new("sh").args(["-c", script]).stdout(Stdio::piped())).unwrap()
    }

    #[test]
    fn what_a_program_started_ends_with_it() {
        let group = started("sleep 60 & sleep 60 & wait");
        let id = Pid::from_raw(group.id);
        assert!(is_alive(id));
        drop(group);
        assert!(!is_alive(id));
        assert!(!running().groups.contains(&id.as_raw()));
    }

    #[test]
    fn what_ignores_the_request_is_killed() {
        let mut group = started("trap '' TERM; echo ready; while :; do sleep 0.1; done");
        let mut ready = [0_u8; 5];
        std::io::Read::read_exact(&mut group.take_stdout().unwrap(), &mut ready).unwrap();
        let id = Pid::from_raw(group.id);
        drop(group);
        assert!(!is_alive(id));
    }

    #[test]
    fn a_leftover_of_an_ended_program_is_ended() {
        let mut group = started("sleep 60 & exit 0");
        assert!(group.wait_up_to(GRACE).unwrap().unwrap().success());
        let id = Pid::from_raw(group.id);
        assert!(is_alive(id));
        drop(group);
        assert!(!is_alive(id));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_name_may_hold_anything() {
        assert_eq!(state_and_group("7 (a) b (c)) S 1 42 42 0"), Some(("S", 42)));
        assert_eq!(state_and_group("7 (cat"), None);
    }
}
