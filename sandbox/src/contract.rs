//! Validates exchanges against the OpenAPI document, and records them for the coverage report.
//!
//! Both happen below fault injection: an injected fault is no violation. What is kept contains no values
//! except those of the document's own enumerations.

pub(crate) mod coverage;
mod document;
pub(crate) mod exchange;
mod openapi;
pub(crate) mod served;

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::Mutex;

use crate::config::Config;
use crate::endpoint::*;
use crate::locks::lock;
use document::{Violation, document};

/// How many violations are kept; further ones are only counted.
const CAPACITY: usize = 200;
const LONGEST_LABEL: usize = 200;

/// Collects the violations and the traffic of one sandbox.
#[derive(Debug)]
pub(crate) struct Monitor {
    validates: bool,
    traffic: Option<Mutex<File>>,
    label: Mutex<Option<String>>,
    found: Mutex<Found>,
}

#[derive(Debug, Default)]
struct Found {
    violations: Vec<Value>,
    total: usize,
    checked: u64,
}

impl Monitor {
    pub(crate) fn open(config: &Config) -> Result<Self, String> {
        let traffic = config.traffic.as_ref().map(|path| {
            let file = OpenOptions::new().create(true).append(true).open(path);
            file.map(Mutex::new).map_err(|error| {
                format!("the record of traffic {} can't be written: {error}", path.display())
            })
        });
        let (traffic, validates) = (traffic.transpose()?, config.contract);
        let monitor = Self { validates, traffic, label: Mutex::default(), found: Mutex::default() };
        monitor.set_label(config.label.clone());
        if monitor.is_on() {
            document().as_ref().map_err(Clone::clone)?;
        }
        Ok(monitor)
    }

    fn is_on(&self) -> bool {
        self.validates || self.traffic.is_some()
    }

    fn set_label(&self, test: Option<String>) {
        *lock(&self.label) = test.map(|test| test.chars().take(LONGEST_LABEL).collect());
    }

    fn label(&self) -> Option<String> {
        lock(&self.label).clone()
    }

    /// Appends a line to the traffic file, if there is one. One write per line, so that several sandboxes can
    /// share a file.
    fn record(&self, line: impl FnOnce() -> Value) {
        let Some(traffic) = &self.traffic else { return };
        let text = format!("{}\n", line());
        if let Err(error) = lock(traffic).write_all(text.as_bytes()) {
            eprintln!("remitkit-sandbox: the record of traffic: {error}");
        }
    }

    pub(crate) fn violations(&self) -> Vec<Value> {
        lock(&self.found).violations.clone()
    }

    /// Counts a validated exchange and keeps its violations. `operation` is the operationId, or method and
    /// route where the document has none.
    fn add(&self, operation: &str, status: u16, violations: Vec<Violation>) {
        let test = self.label();
        let mut found = lock(&self.found);
        found.checked += 1;
        found.total += violations.len();
        let room = CAPACITY.saturating_sub(found.violations.len());
        found.violations.extend(violations.into_iter().take(room).map(|(at, rule)| {
            json!({ "operation": operation, "status": status, "at": at, "rule": rule, "test": test })
        }));
    }
}

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/sandbox/contract", get(plain(get_violations)))
        .route("/sandbox/label", post(plain(set_label)))
        .route("/sandbox/traffic", post(plain(add_event)))
}

fn get_violations(call: &Call<Anyone>) -> Reply {
    let monitor = &call.app.monitor;
    let Found { violations, total, checked } = &*lock(&monitor.found);
    Ok(json!({ "on": monitor.validates, "checked": checked, "total": total, "violations": violations }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Label {
    test: Option<String>,
}

fn set_label(call: &Call<Anyone>) -> Reply {
    let Label { test } = call.typed()?;
    call.app.monitor.set_label(test);
    Ok(json!({ "test": call.app.monitor.label() }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReceivedEvent {
    event: String,
    test: Option<String>,
}

/// Records an event of the card form that a page received. It is no request, so the page has to report it.
fn add_event(call: &Call<Anyone>) -> Reply {
    let ReceivedEvent { event, test } = call.typed()?;
    let monitor = &call.app.monitor;
    let event: String = event.chars().take(64).collect();
    monitor.record(|| json!({ "test": test.or(monitor.label()), "event": event }));
    Ok(json!({}))
}
