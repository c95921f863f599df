//! The traffic that a layer of tests left: files of one line of JSON an exchange.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::Value;

use crate::command;
use crate::repo::{self, Repo, files_ending, fresh_folder};
use crate::stamp::Stamp;
use crate::test::LayerName;

pub(crate) struct Record {
    pub(crate) folder: PathBuf,
}

impl Record {
    /// The layers that talk to a sandbox whose traffic is recorded.
    pub(crate) const LAYERS: [LayerName; 3] = [LayerName::Sdk, LayerName::Sandbox, LayerName::Shop];

    /// Where a layer's traffic is; `None` for a layer that leaves none.
    pub(crate) fn of(repo: &Repo, layer: LayerName) -> Option<Record> {
        let folder = || repo.target.join("traffic").join(layer.name());
        Record::LAYERS.contains(&layer).then(|| Record { folder: folder() })
    }

    /// Forgets what was recorded before. The stamp is to be set when all tests of the layer have passed; without
    /// git there is none, and the next measure runs the tests again.
    pub(crate) fn begin(&self, repo: &Repo) -> anyhow::Result<Option<Stamp>> {
        fresh_folder(&self.folder)?;
        Ok(self.stamp(repo).ok())
    }

    /// Whether it is what the tests of the files as they are now would leave.
    pub(crate) fn is_current(&self, repo: &Repo) -> bool {
        self.stamp(repo).is_ok_and(|stamp| stamp.holds())
    }

    fn stamp(&self, repo: &Repo) -> anyhow::Result<Stamp> {
        let state = tree(repo)?;
        Ok(Stamp::new(self.folder.join("stamp"), state.iter().map(Vec::as_slice)))
    }

    pub(crate) fn each_line(&self, mut take: impl FnMut(&Value)) -> anyhow::Result<()> {
        for file in files_ending(&self.folder, ".jsonl")? {
            read(&file, &mut take).with_context(|| format!("reading {}", file.display()))?;
        }
        Ok(())
    }
}

fn read(file: &Path, take: &mut impl FnMut(&Value)) -> anyhow::Result<()> {
    for line in BufReader::new(File::open(file)?).lines() {
        let line = line?;
        if !line.is_empty() {
            take(&serde_json::from_str(&line)?);
        }
    }
    Ok(())
}

/// The commit, what was changed since, and the files that git does not know yet.
fn tree(repo: &Repo) -> anyhow::Result<Vec<Vec<u8>>> {
    let git = |args: &[&str]| command::output(repo.command("git").args(args));
    let mut state = vec![git(&["rev-parse", "HEAD"])?.into_bytes(), git(&["diff", "HEAD"])?.into_bytes()];
    for name in git(&["ls-files", "--others", "--exclude-standard", "-z"])?.split('\0') {
        if !name.is_empty() {
            state.push(name.as_bytes().to_owned());
            state.push(repo::read(&repo.path(name))?);
        }
    }
    Ok(state)
}
