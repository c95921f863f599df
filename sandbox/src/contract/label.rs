//! The name of the test that runs.

use std::sync::{Mutex, PoisonError};

const LONGEST: usize = 200;

#[derive(Debug, Default)]
pub(super) struct Label(Mutex<Option<String>>);

impl Label {
    pub(super) fn new(test: Option<String>) -> Self {
        let label = Self::default();
        label.set(test);
        label
    }

    pub(super) fn set(&self, test: Option<String>) {
        let test = test.map(|test| test.chars().take(LONGEST).collect());
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = test;
    }

    pub(super) fn get(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
