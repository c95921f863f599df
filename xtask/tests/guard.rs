//! The guard process, as it is when its parent has been killed.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

fn sleeper() -> Child {
    Command::new("sh").args(["-c", "sleep 60 & wait"]).process_group(0).spawn().unwrap()
}

fn ended_within(child: &mut Child, limit: Duration) -> bool {
    let start = Instant::now();
    while start.elapsed() < limit {
        if child.try_wait().unwrap().is_some() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

#[test]
fn what_is_left_when_the_parent_dies_is_ended() {
    let mut left = sleeper();
    let mut finished = sleeper();
    let mut guard = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .arg("__guard")
        .process_group(0)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = guard.stdin.take().unwrap();
    writeln!(lines, "+{}\n+{}\n-{}", left.id(), finished.id(), finished.id()).unwrap();
    assert!(!ended_within(&mut left, Duration::from_millis(200)));

    drop(lines);
    assert!(ended_within(&mut left, Duration::from_secs(20)));
    assert!(ended_within(&mut guard, Duration::from_secs(20)));
    assert!(!ended_within(&mut finished, Duration::from_millis(100)));

    let group = Pid::from_raw(i32::try_from(finished.id()).unwrap());
    killpg(group, Signal::SIGKILL).unwrap();
    finished.wait().unwrap();
}
