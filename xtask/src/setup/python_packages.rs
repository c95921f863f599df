//! The Python packages of one folder, as its requirements.txt pins them, in an environment of their own.

use std::path::PathBuf;

use anyhow::{Context, bail};

use super::{Found, Part, version_numbers};
use crate::command::output;
use crate::repo::{Repo, fresh_folder, read};
use crate::stamp::Stamp;
use crate::steps::Step;

const OLDEST: [u32; 2] = [3, 10];
const PYTHON: &str = "python3";

pub(crate) struct PythonPackages {
    folder: &'static str,
}

impl PythonPackages {
    pub(crate) const fn of(folder: &'static str) -> Self {
        PythonPackages { folder }
    }

    fn requirements(&self, repo: &Repo) -> PathBuf {
        repo.path(self.folder).join("requirements.txt")
    }

    fn environment(&self, repo: &Repo) -> PathBuf {
        repo.tools().join("python").join(self.folder.replace('/', "-"))
    }

    fn python(&self, repo: &Repo) -> PathBuf {
        self.environment(repo).join("bin/python")
    }

    /// Inside the environment, so that it goes when that goes.
    fn stamp(&self, repo: &Repo) -> anyhow::Result<Stamp> {
        let requirements = read(&self.requirements(repo))?;
        Ok(Stamp::new(self.environment(repo).join("xtask-stamp"), [requirements.as_slice()]))
    }
}

impl Part for PythonPackages {
    fn title(&self) -> String {
        format!("Python packages of {}", self.folder)
    }

    fn found(&self, repo: &Repo) -> anyhow::Result<Option<Found>> {
        let python = self.python(repo);
        let holds = self.stamp(repo)?.holds();
        // The Python that it was made with may be gone.
        let works = holds && output(repo.command(&python).arg("--version")).is_ok();
        Ok(works.then(|| vec![python]))
    }

    fn make(&self, repo: &Repo, step: &Step) -> anyhow::Result<()> {
        let [major, minor] = OLDEST;
        let advice = || format!("install Python {major}.{minor} or newer with its module venv");
        let version = output(repo.command(PYTHON).arg("--version")).with_context(advice)?;
        if version_numbers(&version)? < OLDEST {
            bail!("this is {}: {}", version.trim(), advice());
        }
        let environment = self.environment(repo);
        fresh_folder(&environment)?;
        step.run(repo.command(PYTHON).args(["-m", "venv"]).arg(&environment)).with_context(advice)?;
        // No dependencies: the file pins all of them.
        step.run(
            repo.command(self.python(repo))
                .args(["-m", "pip", "install", "--no-deps", "--no-input", "--disable-pip-version-check"])
                .arg("--requirement")
                .arg(self.requirements(repo)),
        )?;
        self.stamp(repo)?.set()
    }
}
