//! The results file of `--json FILE`.

use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use serde_json::{Map, Value, json};

/// What a command found: `{"command", …its own figures, "ok", "seconds", "reason"?}`.
pub(crate) struct Report {
    entries: Map<String, Value>,
}

impl Report {
    pub(crate) fn new(command: &str) -> Self {
        let mut entries = Map::new();
        entries.insert("command".to_owned(), json!(command));
        Report { entries }
    }

    pub(crate) fn set(&mut self, name: &str, value: Value) {
        self.entries.insert(name.to_owned(), value);
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.entries.get(name)
    }

    pub(crate) fn finish(&mut self, failure: Option<&anyhow::Error>, time: Duration) {
        self.set("ok", json!(failure.is_none()));
        self.set("seconds", seconds(time));
        if let Some(error) = failure {
            self.set("reason", json!(format!("{error:#}")));
        }
    }

    pub(crate) fn write(&self, file: &Path) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(&self.entries)?;
        std::fs::write(file, text + "\n").with_context(|| format!("cannot write {}", file.display()))
    }
}

/// One of several parts of a command: `{"name", "ok", "seconds", "reason"?}`.
pub(crate) fn part(name: &str, failure: Option<&anyhow::Error>, time: Duration) -> Map<String, Value> {
    let mut part = Map::new();
    part.insert("name".to_owned(), json!(name));
    part.insert("ok".to_owned(), json!(failure.is_none()));
    part.insert("seconds".to_owned(), seconds(time));
    if let Some(error) = failure {
        part.insert("reason".to_owned(), json!(format!("{error:#}")));
    }
    part
}

/// Seconds as a JSON number with tenths.
fn seconds(time: Duration) -> Value {
    json!((time.as_secs_f64() * 10.0).round() / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_carries_its_reason() {
        let mut report = Report::new("pack");
        report.set("bytes", json!(7));
        let error = anyhow::anyhow!("no room").context("cannot pack");
        report.finish(Some(&error), Duration::from_millis(1_240));
        assert_eq!(
            Value::Object(report.entries),
            json!({
                "command": "pack",
                "bytes": 7,
                "ok": false,
                "seconds": 1.2,
                "reason": "cannot pack: no room",
            })
        );
    }
}
