//! The traffic that a test layer recorded: files with one JSON line for each exchange.

use std::path::PathBuf;

use anyhow::Context;
use serde_json::Value;

use crate::process::output;
use crate::repo::{Repo, files_ending, fresh_folder, read, read_text};
use crate::stamp::Stamp;

pub(crate) struct Traffic {
    pub(crate) folder: PathBuf,
}

impl Traffic {
    pub(crate) fn of(repo: &Repo, layer: &str) -> Traffic {
        Traffic { folder: repo.target.join("traffic").join(layer) }
    }

    /// Removes earlier traffic. The stamp must be set once all tests of the layer have passed; without git
    /// there is none, and the next `coverage` runs the tests again.
    pub(crate) fn begin(&self, repo: &Repo) -> anyhow::Result<Option<Stamp>> {
        fresh_folder(&self.folder)?;
        Ok(self.stamp(repo).ok())
    }

    /// Whether the files as they are now would leave the same traffic.
    pub(crate) fn is_current(&self, repo: &Repo) -> bool {
        self.stamp(repo).is_ok_and(|stamp| stamp.holds())
    }

    /// A stamp of the commit, the changes since, and untracked files.
    fn stamp(&self, repo: &Repo) -> anyhow::Result<Stamp> {
        let git = |args: &[&str]| output(repo.command("git").args(args));
        let mut state = vec![git(&["rev-parse", "HEAD"])?.into_bytes(), git(&["diff", "HEAD"])?.into_bytes()];
        for name in git(&["ls-files", "--others", "--exclude-standard", "-z"])?.split_terminator('\0') {
            state.extend([name.as_bytes().to_owned(), read(&repo.path(name))?]);
        }
        let inputs: Vec<&[u8]> = state.iter().map(Vec::as_slice).collect();
        Ok(Stamp::new(self.folder.join("stamp"), &inputs))
    }

    pub(crate) fn each_line(&self, mut take: impl FnMut(&Value)) -> anyhow::Result<()> {
        for file in files_ending(&self.folder, ".jsonl")? {
            for line in read_text(&file)?.lines().filter(|line| !line.is_empty()) {
                take(&serde_json::from_str(line).with_context(|| format!("reading {}", file.display()))?);
            }
        }
        Ok(())
    }
}
