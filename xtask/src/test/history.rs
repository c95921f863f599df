//! How often each layer was run whole, and which of its files were unstable in which run. A fresh clone has
//! none.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use serde_json::{Map, Value, json};

use super::attempt::Failure;
use super::layer_name::LayerName;
use crate::process::output;
use crate::repo::{Repo, read_json, read_text, write};

pub(super) struct History {
    /// Lines `{"commit", "layer", "file", "test", "message", "time", "run"}`.
    unstable: PathBuf,
    /// The number of runs of each layer.
    counts: PathBuf,
    runs: Map<String, Value>,
    commit: String,
    time: String,
}

impl History {
    pub(super) fn of(repo: &Repo) -> anyhow::Result<History> {
        let folder = repo.target.join("test");
        fs::create_dir_all(&folder)?;
        let describe = ["describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"];
        let commit = output(repo.command("git").args(describe))?.trim().to_owned();
        let time = output(repo.command("date").args(["-u", "+%FT%TZ"]))?.trim().to_owned();
        let counts = folder.join("runs.json");
        let runs = read_json(&counts).ok().and_then(|runs| runs.as_object().cloned()).unwrap_or_default();
        Ok(History { unstable: folder.join("unstable.jsonl"), counts, runs, commit, time })
    }

    /// Counts a run of each of these layers.
    pub(super) fn count(&mut self, layers: impl Iterator<Item = LayerName>) -> anyhow::Result<()> {
        for layer in layers {
            self.runs.insert(layer.name(), (self.run(layer) + 1).into());
        }
        write(&self.counts, Value::from(self.runs.clone()).to_string())
    }

    /// Returns the number of a layer's run.
    fn run(&self, layer: LayerName) -> u64 {
        self.runs.get(&layer.name()).and_then(Value::as_u64).unwrap_or(0)
    }

    /// Returns how many runs of the layer ago a unit was last unstable.
    pub(super) fn runs_since(&self, layer: LayerName, unit: &str) -> Option<u64> {
        let text = read_text(&self.unstable).unwrap_or_default();
        // A line may be broken off.
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let own = lines.filter(|line| line["layer"] == layer.name() && line["file"] == unit);
        own.filter_map(|line| self.run(layer).checked_sub(line["run"].as_u64()?)).min()
    }

    pub(super) fn add(&self, layer: LayerName, unit: &str, failures: &[Failure]) -> anyhow::Result<()> {
        let mut lines = String::new();
        for failure in failures {
            let line = json!({
                "commit": self.commit, "layer": layer.name(), "file": unit, "test": failure.test,
                "message": failure.first_line(), "time": self.time, "run": self.run(layer),
            });
            lines += &format!("{line}\n");
        }
        let file = OpenOptions::new().create(true).append(true).open(&self.unstable);
        let written = file.and_then(|mut file| file.write_all(lines.as_bytes()));
        written.with_context(|| format!("cannot write {}", self.unstable.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::scratch;

    #[test]
    fn the_runs_since_a_file_was_unstable_are_those_of_its_layer() {
        const SHOP: LayerName = LayerName::Shop;
        let target = scratch("history");
        let history = || History::of(&Repo { target: target.clone(), ..Repo::find().unwrap() }).unwrap();
        let count = |layer| history().count([layer].into_iter()).unwrap();
        let since = |layer, unit| history().runs_since(layer, unit);
        let failures = [Failure::of_all("late\nby 2 s")];
        count(SHOP);
        assert_eq!(since(SHOP, "a"), None);
        history().add(SHOP, "a", &failures).unwrap();
        let kept = read_text(&target.join("test/unstable.jsonl")).unwrap();
        write(&target.join("test/unstable.jsonl"), format!("{kept}{{\"layer\":\"shop\",\"fi\n")).unwrap();
        count(LayerName::Package);
        count(SHOP);
        assert_eq!(
            (since(SHOP, "a"), since(SHOP, "b"), since(LayerName::Package, "a")),
            (Some(1), None, None)
        );
        history().add(SHOP, "a", &failures).unwrap();
        count(SHOP);
        count(SHOP);
        assert_eq!(since(SHOP, "a"), Some(2));
        let line: Value = serde_json::from_str(kept.trim()).unwrap();
        assert_eq!((&line["message"], &line["test"]), (&json!("late"), &Value::Null));
        assert!(line["commit"].as_str().unwrap().len() >= 40);
    }
}
