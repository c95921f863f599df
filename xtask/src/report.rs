//! The results file of `--json FILE`.

use std::time::Duration;

use serde_json::{Map, Value};

/// A command's results: `{"command", …its own figures, "ok", "seconds", "reason"?}`.
#[derive(Default)]
pub(crate) struct Report(Map<String, Value>);

impl Report {
    pub(crate) fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.0.insert(name.to_owned(), value.into());
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// Sets `ok`, `seconds` with tenths, and the `reason` of a failure.
    pub(crate) fn finish(&mut self, failure: Option<&anyhow::Error>, time: Duration) {
        self.set("ok", failure.is_none());
        self.set("seconds", (time.as_secs_f64() * 10.0).round() / 10.0);
        if let Some(error) = failure {
            self.set("reason", format!("{error:#}"));
        }
    }
}

/// Returns the results of a command's part: `{"name", …, "ok", "seconds", "reason"?}`.
pub(crate) fn part(name: &str, failure: Option<&anyhow::Error>, time: Duration) -> Report {
    let mut part = Report::default();
    part.set("name", name);
    part.finish(failure, time);
    part
}

impl From<Report> for Value {
    fn from(Report(members): Report) -> Value {
        Value::Object(members)
    }
}
