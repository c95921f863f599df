//! The traffic that a layer of tests left: files of one line of JSON an exchange.

use std::path::PathBuf;

use anyhow::Context;
use serde_json::Value;

use crate::command::output;
use crate::repo::{Repo, files_ending, fresh_folder, read, read_text};
use crate::stamp::Stamp;

pub(crate) struct Traffic {
    pub(crate) folder: PathBuf,
}

impl Traffic {
    pub(crate) fn of(repo: &Repo, layer: &str) -> Traffic {
        Traffic { folder: repo.target.join("traffic").join(layer) }
    }

    /// Forgets what was recorded before. The stamp is to be set when all tests of the layer have passed;
    /// without git there is none, and the next measure runs the tests again.
    pub(crate) fn begin(&self, repo: &Repo) -> anyhow::Result<Option<Stamp>> {
        fresh_folder(&self.folder)?;
        Ok(self.stamp(repo).ok())
    }

    /// Whether it is what the tests of the files as they are now would leave.
    pub(crate) fn is_current(&self, repo: &Repo) -> bool {
        self.stamp(repo).is_ok_and(|stamp| stamp.holds())
    }

    /// Of the commit, what was changed since, and the files that git does not know yet.
    fn stamp(&self, repo: &Repo) -> anyhow::Result<Stamp> {
        let git = |args: &[&str]| output(repo.command("git").args(args));
        let mut state = vec![git(&["rev-parse", "HEAD"])?.into_bytes(), git(&["diff", "HEAD"])?.into_bytes()];
        for name in git(&["ls-files", "--others", "--exclude-standard", "-z"])?.split_terminator('\0') {
            state.push(name.as_bytes().to_owned());
            state.push(read(&repo.path(name))?);
        }
        Ok(Stamp::new(self.folder.join("stamp"), state.iter().map(Vec::as_slice)))
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
