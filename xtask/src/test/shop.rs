//! The files of tests/e2e, side by side.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context as _, anyhow};

use super::layers::node_test;
use crate::demo::Demo;
use crate::engines::Engines;
use crate::repo::Repo;
use crate::sandbox::Options;

/// How many files run at a time. Each lane has a sandbox and a shop of its own, for a file's faults and the name of its test
/// are the sandbox's alone; more than two would have the pages wait for a small machine.
const LANES: usize = 2;
/// What measures time is alone.
const ALONE: &str = "budget.test.mjs";
/// What needs the other engines, and with them a screen.
const ENGINES: &str = "engines.test.mjs";

pub(super) struct ShopTests<'a> {
    pub(super) repo: &'a Repo,
    pub(super) chromium: &'a Path,
    pub(super) engines: &'a Engines,
    /// Logs and pictures go here.
    pub(super) folder: &'a Path,
    /// Where the traffic is recorded, a file a lane.
    pub(super) traffic: Option<&'a Path>,
}

impl ShopTests<'_> {
    /// Runs the files; returns how many tests have passed.
    pub(super) fn run(&self, files: Vec<PathBuf>) -> anyhow::Result<usize> {
        let (alone, others): (Vec<_>, Vec<_>) = files.into_iter().partition(|file| file.ends_with(ALONE));
        let waiting = Mutex::new(others);
        let passed = thread::scope(|scope| {
            let lanes: Vec<_> = (1..=LANES)
                .map(|number| {
                    let waiting = &waiting;
                    scope.spawn(move || self.lane(&format!("lane-{number}"), waiting))
                })
                .collect();
            let ends = lanes.into_iter().map(|lane| lane.join().map_err(|_| anyhow!("a lane broke off"))?);
            ends.sum::<anyhow::Result<usize>>()
        })?;
        Ok(passed + self.lane("alone", &Mutex::new(alone))?)
    }

    /// Runs files until none is waiting, also where one fails, so that a run tells of all that do.
    fn lane(&self, name: &str, waiting: &Mutex<Vec<PathBuf>>) -> anyhow::Result<usize> {
        let files = || waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let run = || {
            let folder = self.folder.join(name);
            fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
            let traffic = self.traffic.map(|traffic| traffic.join(format!("{name}.jsonl")));
            let options = Options { contract: true, traffic: traffic.as_deref(), ..Options::default() };
            let demo = Demo::start(self.repo, &options, &folder)?;
            let mut passed = Ok(0);
            loop {
                let Some(file) = files().pop() else { break };
                let of_file = self.file(&demo, &file, folder.join("output"));
                passed = passed.and_then(|before| of_file.map(|count| before + count));
            }
            demo.sandbox.must_have_kept_its_contract()?;
            demo.backend.stop()?;
            demo.sandbox.stop()?;
            passed
        };
        run().inspect_err(|_| files().clear())
    }

    fn file(&self, demo: &Demo, file: &Path, output: PathBuf) -> anyhow::Result<usize> {
        let mut node = if file.ends_with(ENGINES) {
            self.engines.driving(self.repo, "node")
        } else {
            self.repo.command("node")
        };
        node.envs(demo.script_env(self.chromium.to_owned(), output)?);
        node_test(&mut node, &[file])
    }
}
