//! What a person reads: progress on stderr, results on stdout, so that results can be piped.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

/// Prints a line of progress. A reader that went away is no reason to stop.
pub(crate) fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints progress without an end of line.
pub(crate) fn say_part(text: &str) {
    let mut stderr = io::stderr();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

/// Prints a line that the command was called for.
pub(crate) fn result(line: &str) {
    let mut stdout = io::stdout();
    let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
}

pub(crate) fn is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// `0.4 s`, `52 s`, `3 min 05 s`.
pub(crate) fn seconds(time: Duration) -> String {
    match time.as_secs() {
        0..10 => format!("{:.1} s", time.as_secs_f64()),
        whole @ 10..60 => format!("{whole} s"),
        whole => format!("{} min {:02} s", whole / 60, whole % 60),
    }
}
