//! A layer's tests in units, each of which is run, repeated and kept by itself: a test file, a proof, the
//! tests of a crate.

use std::process::Command;
use std::sync::Arc;

use serde_json::Value;

use super::attempt::{Attempt, Failure};
use super::kept::Kept;
use super::layer_name::LayerName;
use super::node::Files;
use crate::repo::Repo;

/// Which tests of a layer are run, to repeat one.
#[derive(clap::Args, Clone, Default)]
pub(crate) struct Selection {
    /// Runs this file of the layer alone, once
    #[arg(long, value_name = "FILE", requires = "layers")]
    file: Option<String>,
    /// Runs the tests whose names contain this text, once
    #[arg(long, value_name = "TEXT", requires = "layers")]
    name: Option<String>,
}

impl Selection {
    pub(super) fn is_whole(&self) -> bool {
        self.file.is_none() && self.name.is_none()
    }

    /// Whether a unit takes part: `tests/fetch.rs in firefox` is of the file `tests/fetch.rs`.
    fn takes(&self, repo: &Repo, unit: &str) -> bool {
        let Some(file) = &self.file else { return true };
        let root = format!("{}/", repo.root.display());
        let file = file.strip_prefix(&root).unwrap_or(file).trim_start_matches("./");
        unit == file || unit.starts_with(&format!("{file} in "))
    }
}

/// Whether a failure may be due to something else than what is tested.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Nature {
    /// It does the same each time.
    Deterministic,
    /// It meets real time: browsers, processes, sockets.
    Timed,
}

/// Runs a unit once more.
pub(super) type Again<'c> = Box<dyn Fn() -> anyhow::Result<Attempt> + Send + 'c>;

pub(super) struct Failed<'c> {
    pub(super) layer: LayerName,
    pub(super) unit: String,
    pub(super) first: Attempt,
    /// None where nothing excuses a failure.
    pub(super) again: Option<Again<'c>>,
}

pub(super) struct Units<'c> {
    repo: &'c Repo,
    layer: LayerName,
    selection: &'c Selection,
    kept: &'c Kept,
    pub(super) passed: usize,
    /// How many of the passed tests an earlier run has tried.
    pub(super) from_before: usize,
    pub(super) failed: Vec<Failed<'c>>,
    pub(super) cells: Vec<Value>,
    /// The units that this run has tried and that passed, with how many tests.
    pub(super) clean: Vec<(String, usize)>,
    /// All that the layer has, run or not.
    names: Vec<String>,
}

impl<'c> Units<'c> {
    pub(super) fn new(repo: &'c Repo, layer: LayerName, selection: &'c Selection, kept: &'c Kept) -> Self {
        let (failed, cells, clean, names) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Units { repo, layer, selection, kept, passed: 0, from_before: 0, failed, cells, clean, names }
    }

    /// Runs test files with what `node` sets up, which has the environment of the layer.
    pub(super) fn files(
        &mut self,
        files: Vec<String>,
        lanes: usize,
        nature: Nature,
        node: impl Fn() -> anyhow::Result<Command> + Send + Sync + 'c,
    ) -> anyhow::Result<()> {
        let (repo, selection) = (self.repo, self.selection);
        let files: Vec<String> = files.into_iter().filter(|file| self.is_wanted(file)).collect();
        if files.is_empty() {
            return Ok(());
        }
        let node = Arc::new(node);
        let names = files.iter().map(String::as_str).collect();
        let found = Files { names, lanes, test: selection.name.as_deref() }.run(repo, &mut node()?)?;
        for (file, attempt) in found {
            let (node, unit) = (Arc::clone(&node), file.clone());
            let again: Again<'c> = Box::new(move || {
                let alone = Files { names: vec![&unit], lanes: 1, test: None };
                let mut found = alone.run(repo, &mut node()?)?;
                Ok(found.remove(&unit).unwrap_or_default())
            });
            self.end(file, attempt, nature, again);
        }
        Ok(())
    }

    /// Runs a unit other than a test file. That `run` fails means that it could not begin, which nothing
    /// excuses.
    pub(super) fn unit(
        &mut self,
        unit: &str,
        nature: Nature,
        run: impl Fn() -> anyhow::Result<Attempt> + Send + 'c,
    ) -> anyhow::Result<()> {
        if self.is_wanted(unit) {
            let attempt = run()?;
            self.end(unit.to_owned(), attempt, nature, Box::new(run));
        }
        Ok(())
    }

    /// As [`Units::unit`], of something without names of tests, which `--name` leaves out.
    pub(super) fn proof(
        &mut self,
        unit: &str,
        nature: Nature,
        run: impl Fn() -> anyhow::Result<Attempt> + Send + 'c,
    ) -> anyhow::Result<()> {
        if self.selection.name.is_some() {
            self.names.push(unit.to_owned());
            return Ok(());
        }
        self.unit(unit, nature, run)
    }

    pub(super) fn layer_name(&self) -> String {
        self.layer.name()
    }

    /// Returns the part of a test's name that was asked for.
    pub(super) fn test_name(&self) -> Option<&'c str> {
        self.selection.name.as_deref()
    }

    /// Whether a unit is to be run: it was asked for, and no earlier run's result is kept.
    fn is_wanted(&mut self, unit: &str) -> bool {
        self.names.push(unit.to_owned());
        if !self.selection.takes(self.repo, unit) {
            return false;
        }
        let kept = self.kept.passed(self.layer, unit);
        self.passed += kept.unwrap_or(0);
        self.from_before += kept.unwrap_or(0);
        kept.is_none()
    }

    fn end(&mut self, unit: String, mut attempt: Attempt, nature: Nature, again: Again<'c>) {
        self.passed += attempt.passed;
        if attempt.has_passed() {
            self.cells.append(&mut attempt.cells);
            self.clean.push((unit, attempt.passed));
            return;
        }
        if attempt.failures.is_empty() {
            attempt.failures.push(Failure::of_all("no test was run"));
        }
        let is_excusable = nature == Nature::Timed && !attempt.is_certain && self.selection.is_whole();
        let again = is_excusable.then_some(again);
        self.failed.push(Failed { layer: self.layer, unit, first: attempt, again });
    }

    /// Fails if nothing was run, and says what could have been.
    pub(super) fn must_have_run(&self) -> anyhow::Result<()> {
        if self.passed > 0 || !self.failed.is_empty() {
            return Ok(());
        }
        let layer = self.layer.name();
        let names = self.names.join("\n  ");
        anyhow::bail!(match (&self.selection.file, &self.selection.name) {
            (Some(file), _) if !self.names.iter().any(|unit| self.selection.takes(self.repo, unit)) => {
                format!("{layer} has no file {file}; --file takes one of\n  {names}")
            }
            (_, Some(name)) => format!(
                "{layer} has no test whose name contains {name:?}; --name takes a part of a name as the \
                 output shows it, of a test with tests in it the outer one's"
            ),
            _ => "no test was run".to_owned(),
        })
    }
}
