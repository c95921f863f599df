//! The record of traffic: one line of JSON an exchange, names without values.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

#[derive(Debug)]
pub(super) struct Traffic(Mutex<File>);

impl Traffic {
    pub(super) fn append_to(path: &Path) -> Result<Self, String> {
        OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .map(|file| Self(Mutex::new(file)))
            .map_err(|error| format!("the record of traffic {} can't be written: {error}", path.display()))
    }

    /// Writes a line at once, so that several sandboxes may share a file.
    pub(super) fn write(&self, line: &Value) {
        let text = format!("{line}\n");
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = file.write_all(text.as_bytes()) {
            eprintln!("remitkit-sandbox: the record of traffic: {error}");
        }
    }
}
