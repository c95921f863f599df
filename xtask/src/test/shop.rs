//! The files of tests/e2e, side by side.

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

/// How many files run at a time. Each lane has a sandbox and a shop of its own, for a file's faults and the
/// name of its test are the sandbox's alone; more than two would have the pages wait for a small machine.
const LANES: usize = 2;
/// What measures time is alone.
const ALONE: &str = "budget.test.mjs";
/// What needs the other engines, and with them a screen.
const ENGINES: &str = "engines.test.mjs";

/// What is looked at on several screens.
const SCREENS: [&str; 4] =
    ["layout.test.mjs", "methods.test.mjs", "shifts.test.mjs", "workbench-picker.test.mjs"];

pub(super) struct ShopTests<'a> {
    pub(super) repo: &'a Repo,
    pub(super) engines: &'a Engines,
    /// Where the traffic is recorded, a file a lane.
    pub(super) traffic: &'a Path,
    /// Whether to run the files of `SCREENS` alone, on each screen instead of a choice.
    pub(super) on_each_screen: bool,
}

impl ShopTests<'_> {
    /// Runs the files; returns how many tests have passed. Logs and pictures go to target/test/e2e.
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
            let ends = lanes.into_iter().map(|lane| lane.join().map_err(|_| anyhow!("a lane broke off"))?);
            ends.sum::<anyhow::Result<usize>>()
        })?;
        Ok(passed + self.lane("alone", &Mutex::new(alone))?)
    }

    /// Runs files until none is waiting, also where one fails, so that a run tells of all that do.
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
            self.engines.driving(self.repo, "node")
        } else {
            self.repo.command("node")
        };
        let chromium = headless_chromium(self.repo)?;
        if self.on_each_screen {
            command.env("ON_EACH_SCREEN", "1");
        }
        node::test(command.envs(demo.script_env(chromium, output)?), &[file])
    }
}
