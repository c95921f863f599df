//! What a person reads: progress on stderr, results on stdout so that they can be piped.

use std::cell::RefCell;
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

thread_local! {
    static PROGRESS: RefCell<Progress> = RefCell::default();
}

/// Where a thread's progress goes: to stderr, or into a buffer, so that work done in parallel is shown one
/// after the other. A new thread starts with stderr.
#[derive(Clone, Default)]
pub(crate) struct Progress {
    buffer: Option<Arc<Mutex<Vec<u8>>>>,
    /// Where what is buffered is also shown.
    onward: Option<Arc<Progress>>,
}

impl Progress {
    pub(crate) fn buffered() -> Progress {
        Progress { buffer: Some(Arc::default()), onward: None }
    }

    /// Buffers what this thread's progress shows all the same.
    pub(crate) fn recorded() -> Progress {
        Progress { onward: Some(Arc::new(Progress::of_this_thread())), ..Progress::buffered() }
    }

    pub(crate) fn of_this_thread() -> Progress {
        PROGRESS.with_borrow(Clone::clone)
    }

    /// Runs `work` with this thread's progress redirected here.
    pub(crate) fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = PROGRESS.replace(self.clone());
        let outcome = work();
        PROGRESS.set(before);
        outcome
    }

    /// Writes, and ignores a reader that went away: that is no reason to stop.
    pub(crate) fn write(&self, bytes: &[u8]) {
        if let Some(buffer) = &self.buffer {
            buffer.lock().unwrap_or_else(PoisonError::into_inner).extend(bytes);
        } else {
            let mut stderr = io::stderr();
            let _ = stderr.write_all(bytes).and_then(|()| stderr.flush());
        }
        if let Some(onward) = &self.onward {
            onward.write(bytes);
        }
    }

    pub(crate) fn take(&self) -> Vec<u8> {
        let buffer = self.buffer.as_ref().map(|buffer| buffer.lock().unwrap_or_else(PoisonError::into_inner));
        buffer.map(|mut buffer| std::mem::take(&mut *buffer)).unwrap_or_default()
    }
}

pub(crate) fn say(line: &str) {
    say_part(&format!("{line}\n"));
}

pub(crate) fn say_part(text: &str) {
    PROGRESS.with_borrow(|progress| progress.write(text.as_bytes()));
}

/// Prints a line that the command was called for.
pub(crate) fn result(line: &str) {
    let mut stdout = io::stdout();
    let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
}

/// Whether this thread's progress is shown as it is written.
pub(crate) fn is_direct() -> bool {
    PROGRESS.with_borrow(|progress| progress.buffer.is_none())
}

pub(crate) fn is_terminal() -> bool {
    is_direct() && io::stderr().is_terminal()
}

/// Formats a duration: `0.4 s`, `52 s`, `3 min 05 s`.
pub(crate) fn seconds(time: Duration) -> String {
    match time.as_secs() {
        0..10 => format!("{:.1} s", time.as_secs_f64()),
        whole @ 10..60 => format!("{whole} s"),
        whole => format!("{} min {:02} s", whole / 60, whole % 60),
    }
}
