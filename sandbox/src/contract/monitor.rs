use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::Mutex;

use serde::Serialize;
use serde_json::{Value, json};

use crate::config::Config;
use crate::locks::lock;

/// How many violations are kept; further ones are only counted.
const CAPACITY: usize = 200;
const LONGEST_LABEL: usize = 200;

/// A violation of the OpenAPI document. It names the place and the rule, never the value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Violation {
    /// The operationId, or method and route where the document has none.
    pub operation: String,
    /// The status of the reply.
    pub status: u16,
    /// The place: `query amount`, `request /fields/0`, `reply /quote/rate`.
    pub at: String,
    /// What the document requires there.
    pub rule: String,
    /// The running test, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
}

/// Collects the violations and the traffic of one sandbox.
#[derive(Debug)]
pub(crate) struct Monitor {
    pub(super) validates: bool,
    traffic: Option<Mutex<File>>,
    label: Mutex<Option<String>>,
    found: Mutex<Found>,
}

#[derive(Debug, Default)]
struct Found {
    violations: Vec<Violation>,
    total: usize,
    checked: u64,
}

impl Monitor {
    pub(super) fn open(config: &Config) -> Result<Self, String> {
        let traffic = config.traffic.as_ref().map(|path| {
            let file = OpenOptions::new().create(true).append(true).open(path);
            file.map(Mutex::new).map_err(|error| {
                format!("the record of traffic {} can't be written: {error}", path.display())
            })
        });
        let monitor = Self {
            validates: config.contract,
            traffic: traffic.transpose()?,
            label: Mutex::default(),
            found: Mutex::default(),
        };
        monitor.set_label(config.label.clone());
        Ok(monitor)
    }

    pub(super) fn is_on(&self) -> bool {
        self.validates || self.traffic.is_some()
    }

    pub(super) fn set_label(&self, test: Option<String>) {
        *lock(&self.label) = test.map(|test| test.chars().take(LONGEST_LABEL).collect());
    }

    pub(super) fn label(&self) -> Option<String> {
        lock(&self.label).clone()
    }

    /// Appends a line to the traffic file, if there is one. One write per line, so that several sandboxes can
    /// share a file.
    pub(super) fn record(&self, line: impl FnOnce() -> Value) {
        let Some(traffic) = &self.traffic else { return };
        let text = format!("{}\n", line());
        if let Err(error) = lock(traffic).write_all(text.as_bytes()) {
            eprintln!("remitkit-sandbox: the record of traffic: {error}");
        }
    }

    pub(crate) fn violations(&self) -> Vec<Violation> {
        lock(&self.found).violations.clone()
    }

    pub(super) fn summary(&self) -> Value {
        let Found { violations, total, checked } = &*lock(&self.found);
        json!({ "on": self.validates, "checked": checked, "total": total, "violations": violations })
    }

    /// Counts a validated exchange and keeps its violations.
    pub(super) fn add(&self, violations: Vec<Violation>) {
        let mut found = lock(&self.found);
        found.checked += 1;
        found.total += violations.len();
        let room = CAPACITY.saturating_sub(found.violations.len());
        found.violations.extend(violations.into_iter().take(room));
    }
}
