//! The files of tests/e2e, in parallel.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::anyhow;

use super::node;
use crate::demo::Demo;
use crate::engines::Engines;
use crate::repo::{Repo, fresh_folder};
use crate::sandbox::Options;
use crate::say::Progress;
use crate::setup::headless_chromium;

/// The number of files that run at a time. Each lane has its own sandbox and shop, as faults and the name of
/// the running test are the sandbox's state. With more lanes, pages would time out on a small machine.
const LANES: usize = 2;
/// Measures time, so it runs alone.
const ALONE: &str = "budget.test.mjs";
/// Needs the other engines, and with them a screen.
const ENGINES: &str = "engines.test.mjs";
/// Run on several screens.
const SCREENS: [&str; 3] = ["layout.test.mjs", "shifts.test.mjs", "workbench-picker.test.mjs"];

pub(super) struct ShopTests<'a> {
    pub(super) repo: &'a Repo,
    pub(super) engines: &'a Engines,
    /// The folder for the recorded traffic, a file for each lane.
    pub(super) traffic: &'a Path,
    /// Whether to run the files of `SCREENS` alone, on each screen instead of a selection.
    pub(super) on_each_screen: bool,
}

impl ShopTests<'_> {
    /// Runs the files; returns how many tests passed. Logs and pictures go to target/test/e2e.
    pub(super) fn run(&self) -> anyhow::Result<usize> {
        fresh_folder(&self.repo.target.join("test/e2e"))?;
        let mut files = node::test_files(self.repo, "tests/e2e")?;
        if self.on_each_screen {
            files.retain(|file| SCREENS.iter().any(|name| file.ends_with(name)));
        }
        let (alone, others): (Vec<_>, Vec<_>) = files.into_iter().partition(|file| file.ends_with(ALONE));
        let waiting = Mutex::new(others);
        let progress = Progress::of_this_thread();
        let passed = thread::scope(|scope| {
            let lane = |number| {
                let (waiting, progress) = (&waiting, &progress);
                scope.spawn(move || progress.during(|| self.lane(&format!("lane-{number}"), waiting)))
            };
            let lanes: Vec<_> = (1..=LANES).map(lane).collect();
            let ends = lanes.into_iter().map(|lane| lane.join().map_err(|_| anyhow!("a lane panicked"))?);
            ends.sum::<anyhow::Result<usize>>()
        })?;
        Ok(passed + self.lane("alone", &Mutex::new(alone))?)
    }

    /// Runs files until none is waiting. A failed file stops no other, so that one run reports all failures.
    fn lane(&self, name: &str, waiting: &Mutex<Vec<PathBuf>>) -> anyhow::Result<usize> {
        let files = || waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let run = || {
            let folder = self.repo.target.join("test/e2e").join(name);
            let traffic = self.traffic.join(format!("{name}.jsonl"));
            let options = Options { contract: true, traffic: Some(&traffic), ..Options::default() };
            let demo = Demo::start(self.repo, &options, &folder)?;
            let mut passed = Ok(0);
            loop {
                let Some(file) = files().pop() else { break };
                let of_file = self.file(&demo, &file, folder.join("output"));
                passed = passed.and_then(|before| of_file.map(|count| before + count));
            }
            demo.sandbox.must_have_kept_its_contract()?;
            demo.stop()?;
            passed
        };
        run().inspect_err(|_| files().clear())
    }

    fn file(&self, demo: &Demo, file: &Path, output: PathBuf) -> anyhow::Result<usize> {
        let mut command = if file.ends_with(ENGINES) {
            self.engines.node_with_drivers(self.repo)
        } else {
            self.repo.command("node")
        };
        command.envs(self.on_each_screen.then_some(("ON_EACH_SCREEN", "1")));
        let chromium = headless_chromium(self.repo)?;
        node::test(command.envs(demo.script_env(chromium, output)?), &[file])
    }
}
