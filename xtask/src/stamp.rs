//! A stamp: what a result was made from, kept beside it, so that it is not made twice.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;

/// The inputs themselves are kept, not a hash: they are small, and equal is then equal.
pub(crate) struct Stamp {
    file: PathBuf,
    inputs: Vec<u8>,
}

impl Stamp {
    pub(crate) fn new<'a>(file: PathBuf, inputs: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut all = Vec::new();
        for input in inputs {
            all.extend_from_slice(&(input.len() as u64).to_le_bytes());
            all.extend_from_slice(input);
        }
        Stamp { file, inputs: all }
    }

    pub(crate) fn holds(&self) -> bool {
        fs::read(&self.file).is_ok_and(|kept| kept == self.inputs)
    }

    /// Forgets an old result before it is touched: an interruption must not leave its stamp.
    pub(crate) fn clear(&self) {
        let _ = fs::remove_file(&self.file);
    }

    pub(crate) fn set(&self) -> anyhow::Result<()> {
        fs::write(&self.file, &self.inputs).with_context(|| format!("cannot write {}", self.file.display()))
    }
}
