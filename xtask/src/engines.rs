//! The browser engines of this machine. Chromium is required; the others take part where they are installed.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;
use serde_json::{Map, Value};

use crate::repo::Repo;
use crate::say::say;
use crate::setup::{Part, program, try_set_up};

pub(crate) const CHROMIUM: &str = "chromium";

pub(crate) struct Engines {
    /// Chromium itself first, then the driver of each other engine.
    found: Vec<(&'static str, PathBuf)>,
    pub(crate) missing: Map<String, Value>,
    /// The virtual screen that WebKit needs: it has no headless mode.
    screen: Option<PathBuf>,
}

impl Engines {
    pub(crate) fn set_up(repo: &Repo) -> anyhow::Result<Engines> {
        let found = vec![(CHROMIUM, program(repo, Part::Chromium)?)];
        let mut engines = Engines { found, missing: Map::new(), screen: None };
        for (name, part) in [("firefox", Part::Firefox), ("webkit", Part::WebKit)] {
            match try_set_up(repo, part) {
                Ok(programs) => {
                    engines.found.extend(programs.first().map(|driver| (name, driver.clone())));
                    engines.screen = programs.into_iter().nth(1);
                }
                Err(reason) => {
                    say(&format!("without {name}: {reason}"));
                    engines.missing.insert(name.to_owned(), reason.into());
                }
            }
        }
        Ok(engines)
    }

    pub(crate) fn all(&self) -> Vec<&'static str> {
        self.found.iter().map(|(name, _)| *name).collect()
    }

    pub(crate) fn program(&self, engine: &str) -> anyhow::Result<&Path> {
        let found = self.found.iter().find(|(name, _)| *name == engine);
        found.map(|(_, program)| program.as_path()).with_context(|| format!("{engine} is missing"))
    }

    /// Returns `program` to be run in the repository's root, with a screen if WebKit is there.
    pub(crate) fn command(&self, repo: &Repo, program: impl AsRef<Path>) -> Command {
        let Some(screen) = &self.screen else { return repo.command(program.as_ref()) };
        let mut command = repo.command(screen);
        command.arg("--auto-servernum").arg(program.as_ref());
        command
    }

    /// Returns Node with each engine's driver in its environment, such as `FIREFOX_DRIVER`.
    pub(crate) fn node_with_drivers(&self, repo: &Repo) -> Command {
        let mut command = self.command(repo, "node");
        for (name, driver) in self.found.iter().skip(1) {
            command.env(format!("{}_DRIVER", name.to_uppercase()), driver);
        }
        command
    }

    /// Adds `--<engine> <program>` for each of `engines`, and `--missing <engine>` for each missing one.
    pub(crate) fn add_args(&self, command: &mut Command, engines: &[&str]) -> anyhow::Result<()> {
        for engine in engines {
            command.arg(format!("--{engine}")).arg(self.program(engine)?);
        }
        for engine in self.missing.keys() {
            command.args(["--missing", engine]);
        }
        Ok(())
    }
}
