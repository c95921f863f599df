//! What a person reads: progress on stderr, results on stdout, so that results can be piped.

use std::cell::RefCell;
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

thread_local! {
    static PROGRESS: RefCell<Progress> = RefCell::default();
}

/// Where a thread's progress goes: to stderr, or aside, so that what runs side by side can be shown one after
/// the other. A thread that is started begins with stderr.
#[derive(Clone, Default)]
pub(crate) struct Progress(Option<Arc<Mutex<Vec<u8>>>>);

impl Progress {
    pub(crate) fn aside() -> Progress {
        Progress(Some(Arc::default()))
    }

    pub(crate) fn of_this_thread() -> Progress {
        PROGRESS.with_borrow(Clone::clone)
    }

    /// What this thread says during `work` goes there.
    pub(crate) fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = PROGRESS.replace(self.clone());
        let outcome = work();
        PROGRESS.set(before);
        outcome
    }

    /// A reader that went away is no reason to stop.
    pub(crate) fn write(&self, bytes: &[u8]) {
        match &self.0 {
            Some(kept) => kept.lock().unwrap_or_else(PoisonError::into_inner).extend(bytes),
            None => {
                let mut stderr = io::stderr();
                let _ = stderr.write_all(bytes).and_then(|()| stderr.flush());
            }
        }
    }

    /// Returns what was kept, and keeps it no longer.
    pub(crate) fn take(&self) -> Vec<u8> {
        let kept = self.0.as_ref();
        kept.map(|kept| std::mem::take(&mut *kept.lock().unwrap_or_else(PoisonError::into_inner)))
            .unwrap_or_default()
    }
}

/// Prints a line of progress.
pub(crate) fn say(line: &str) {
    say_part(&format!("{line}\n"));
}

/// Prints progress without an end of line.
pub(crate) fn say_part(text: &str) {
    PROGRESS.with_borrow(|progress| progress.write(text.as_bytes()));
}

/// Prints a line that the command was called for.
pub(crate) fn result(line: &str) {
    let mut stdout = io::stdout();
    let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
}

/// Whether this thread's progress is read on a terminal, as it comes.
pub(crate) fn is_terminal() -> bool {
    PROGRESS.with_borrow(|progress| progress.0.is_none()) && io::stderr().is_terminal()
}

/// `0.4 s`, `52 s`, `3 min 05 s`.
pub(crate) fn seconds(time: Duration) -> String {
    match time.as_secs() {
        0..10 => format!("{:.1} s", time.as_secs_f64()),
        whole @ 10..60 => format!("{whole} s"),
        whole => format!("{} min {:02} s", whole / 60, whole % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_aside_waits_until_it_is_taken() {
        let progress = Progress::aside();
        let inner = progress.during(|| {
            say("one");
            assert!(!is_terminal());
            Progress::of_this_thread()
        });
        std::thread::spawn(move || inner.during(|| say_part("two"))).join().unwrap();
        assert_eq!(progress.take(), b"one\ntwo");
        assert!(progress.take().is_empty() && Progress::of_this_thread().0.is_none());
    }
}
