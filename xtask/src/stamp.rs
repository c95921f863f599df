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

    /// To be called before the result is touched: an interruption must not leave an old stamp.
    pub(crate) fn clear(&self) -> anyhow::Result<()> {
        match fs::remove_file(&self.file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("cannot remove {}", self.file.display()))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn set(&self) -> anyhow::Result<()> {
        fs::write(&self.file, &self.inputs).with_context(|| format!("cannot write {}", self.file.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::scratch;

    fn stamp(folder: &std::path::Path, inputs: &[&str]) -> Stamp {
        Stamp::new(folder.join("stamp"), inputs.iter().map(|input| input.as_bytes()))
    }

    #[test]
    fn it_holds_for_the_same_inputs_alone() {
        let folder = scratch("stamp");
        let first = stamp(&folder, &["lock", "1.0"]);
        assert!(!first.holds());
        first.set().unwrap();
        assert!(first.holds());
        assert!(!stamp(&folder, &["lock", "1.1"]).holds());
        assert!(!stamp(&folder, &["lock1", ".0"]).holds());
        first.clear().unwrap();
        first.clear().unwrap();
        assert!(!first.holds());
    }
}
