//! A stamp keeps the inputs of a result beside it, so that the result is not made twice.

use std::fs;
use std::path::PathBuf;

use crate::repo::write;

/// The inputs themselves, not a hash: they are small.
pub(crate) struct Stamp {
    file: PathBuf,
    inputs: Vec<u8>,
}

impl Stamp {
    pub(crate) fn new(file: PathBuf, inputs: &[&[u8]]) -> Self {
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

    /// Removes the stamp before the result is touched, so that an interrupted run leaves none.
    pub(crate) fn clear(&self) {
        let _ = fs::remove_file(&self.file);
    }

    pub(crate) fn set(&self) -> anyhow::Result<()> {
        write(&self.file, &self.inputs)
    }
}
