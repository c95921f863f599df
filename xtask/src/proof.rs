//! What the long proofs have in common: a script that ends with one line of figures and leaves them in a
//! file, and a seed.

use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{bail, ensure};
use serde_json::{Map, Value, json};

use crate::command::{self, run_shown};
use crate::repo::read_json;
use crate::report::Report;
use crate::say;

/// What a run has found.
#[derive(Default)]
pub(crate) struct Found {
    /// Its figures in one line.
    pub(crate) line: String,
    pub(crate) figures: Map<String, Value>,
    pub(crate) is_clean: bool,
    pub(crate) folder: PathBuf,
}

impl Found {
    /// Runs the script of a proof, which leaves `figures.json` in `folder` and ends with a line that begins
    /// with the proof's name.
    pub(crate) fn run(
        proof: &str,
        script: &mut Command,
        limit: Duration,
        folder: &Path,
    ) -> anyhow::Result<Found> {
        let (text, outcome) = run_shown(script, Some(limit))?;
        let begins = format!("{proof}: ");
        let Some(line) = text.lines().last().filter(|line| line.starts_with(&begins)) else {
            outcome?;
            bail!("the run came to no figures");
        };
        let figures = read_json(&folder.join("figures.json"))?;
        let mut figures = figures.as_object().cloned().unwrap_or_default();
        // The exit status may be that of the screen: some say it themselves.
        let is_clean = figures.remove("clean").map_or(outcome.is_ok(), |clean| clean == json!(true));
        Ok(Found { line: line.to_owned(), figures, is_clean, folder: folder.to_owned() })
    }

    /// Tells the figures, and fails unless all is as it has to be.
    pub(crate) fn tell(&self, report: &mut Report) -> anyhow::Result<()> {
        for (name, figure) in &self.figures {
            report.set(name, figure.clone());
        }
        say::result(&self.line);
        self.must_be_clean()
    }

    pub(crate) fn must_be_clean(&self) -> anyhow::Result<()> {
        ensure!(
            self.is_clean,
            "not everything that has to be zero is; the files in {} say more",
            self.folder.display()
        );
        Ok(())
    }

    /// Fails if a run did not notice what was left out.
    pub(crate) fn must_have_found(&self, left_out: &str, is_found: bool) -> anyhow::Result<()> {
        ensure!(is_found, "that `{left_out}` is left out was not found: {}", self.line);
        Ok(())
    }

    /// After how much of a run a missing safeguard was found.
    pub(crate) fn found_after(&self) -> Option<u64> {
        self.figures.get("foundAfter")?.as_u64()
    }

    /// The rules that were broken.
    fn rules(&self) -> Vec<&str> {
        let rules = self.figures.get("rules").and_then(Value::as_array);
        rules.into_iter().flatten().filter_map(|rule| rule.get("rule")?.as_str()).collect()
    }
}

/// What every safeguard in turn is called where one is named.
pub(crate) const ALL: &str = "all";

/// Runs without the safeguard that is named, or without each of `known` in turn, and says after how much of a
/// run that was found. Returns a row each, `{"safeguard", "foundAfter", "rules"}`; fails where one was not found.
pub(crate) fn without(
    named: &str,
    known: &mut Command,
    run: impl Fn(&str) -> anyhow::Result<Found>,
) -> anyhow::Result<Vec<Value>> {
    let names = if named == ALL { command::output(known)? } else { named.to_owned() };
    let (mut rows, mut lines, mut outcome) = (Vec::new(), Vec::new(), Ok(()));
    for safeguard in names.lines() {
        let found = run(safeguard)?;
        let after = found.found_after();
        outcome = outcome.and(found.must_have_found(safeguard, after.is_some()));
        let shown = after.map_or("never".to_owned(), |after| after.to_string());
        lines.push(format!("{safeguard:>16} {shown:>7}  {}", found.rules().join("; ")));
        rows.push(json!({ "safeguard": safeguard, "foundAfter": after, "rules": found.rules() }));
    }
    lines.iter().for_each(|line| say::result(line));
    outcome.map(|()| rows)
}

/// What everything random in a run comes from, where the person names nothing.
pub(crate) fn any_seed() -> u32 {
    let [a, b, c, d, ..] = RandomState::new().hash_one(0_u8).to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}
