//! What watches the exchanges of one sandbox, and what it keeps of them.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use super::violations::Violations;
use crate::config::Config;

/// The longest name of a test.
const LONGEST: usize = 200;

#[derive(Debug)]
pub(crate) struct Watch {
    pub(super) checks: bool,
    traffic: Option<Mutex<File>>,
    /// The name of the test that runs.
    label: Mutex<Option<String>>,
    pub(crate) violations: Violations,
}

impl Watch {
    pub(crate) fn open(config: &Config) -> Result<Self, String> {
        let file = |path| OpenOptions::new().create(true).append(true).open(path);
        let traffic = config.traffic.as_ref().map(|path| {
            file(path).map_err(|error| {
                format!("the record of traffic {} can't be written: {error}", path.display())
            })
        });
        let watch = Self {
            checks: config.contract,
            traffic: traffic.transpose()?.map(Mutex::new),
            label: Mutex::default(),
            violations: Violations::default(),
        };
        watch.set_label(config.label.clone());
        Ok(watch)
    }

    pub(super) fn is_on(&self) -> bool {
        self.checks || self.traffic.is_some()
    }

    pub(super) fn set_label(&self, test: Option<String>) {
        let test = test.map(|test| test.chars().take(LONGEST).collect());
        *self.label.lock().unwrap_or_else(PoisonError::into_inner) = test;
    }

    pub(super) fn label(&self) -> Option<String> {
        self.label.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Adds a line to the record of traffic, where there is one: names without values. The line is written at
    /// once, so that several sandboxes may share a file.
    pub(super) fn record(&self, line: impl FnOnce() -> Value) {
        let Some(traffic) = &self.traffic else { return };
        let text = format!("{}\n", line());
        let mut file = traffic.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = file.write_all(text.as_bytes()) {
            eprintln!("remitkit-sandbox: the record of traffic: {error}");
        }
    }
}
