//! What a person reads: progress on stderr, results on stdout, so that results can be piped.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

/// A line of progress. A reader that went away is no reason to stop.
pub(crate) fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Progress without an end of line.
pub(crate) fn say_part(text: &str) {
    let mut stderr = io::stderr();
    let _ = stderr.write_all(text.as_bytes());
    let _ = stderr.flush();
}

/// A line that the command was called for.
pub(crate) fn result(line: &str) {
    let mut stdout = io::stdout();
    let _ = writeln!(stdout, "{line}");
    let _ = stdout.flush();
}

pub(crate) fn is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// `0.4 s`, `52 s`, `3 min 05 s`.
pub(crate) fn seconds(time: Duration) -> String {
    let whole = time.as_secs();
    if whole >= 60 {
        format!("{} min {:02} s", whole / 60, whole % 60)
    } else if whole >= 10 {
        format!("{whole} s")
    } else {
        format!("{:.1} s", time.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short_to_read() {
        assert_eq!(seconds(Duration::from_millis(420)), "0.4 s");
        assert_eq!(seconds(Duration::from_millis(52_400)), "52 s");
        assert_eq!(seconds(Duration::from_secs(185)), "3 min 05 s");
    }
}
