//! The browsers' engines. Chromium must be there; the others take part where they are there, and it is said where they are not.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Map, Value, json};

use crate::repo::Repo;
use crate::say::say;
use crate::setup::{self, Browser, Firefox, Found, WebKit};
use crate::steps::Steps;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Engine {
    Chromium,
    Firefox,
    WebKit,
}

impl Engine {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Engine::Chromium => "chromium",
            Engine::Firefox => "firefox",
            Engine::WebKit => "webkit",
        }
    }
}

/// The engines of this machine.
pub(crate) struct Engines {
    chromium: PathBuf,
    /// The driver, or why there is none.
    firefox: Result<Found, String>,
    /// The driver and what gives it a screen, or why there is none.
    webkit: Result<Found, String>,
}

impl Engines {
    /// How many steps the others than Chromium take.
    pub(crate) const OTHERS: usize = 2;
    pub(crate) const SET_UP_STEPS: usize = 1 + Engines::OTHERS;

    pub(crate) fn set_up(repo: &Repo, steps: &mut Steps) -> anyhow::Result<Engines> {
        let chromium = setup::set_up_program(repo, steps, &Browser { with_driver: false })?;
        Engines::beside(chromium, repo, steps)
    }

    /// Sets up the others, where it can be done.
    pub(crate) fn beside(chromium: PathBuf, repo: &Repo, steps: &mut Steps) -> anyhow::Result<Engines> {
        Ok(Engines {
            chromium,
            firefox: setup::set_up_if_possible(repo, steps, &Firefox)?,
            webkit: setup::set_up_if_possible(repo, steps, &WebKit)?,
        })
    }

    /// The engines but Chromium that are there.
    pub(crate) fn others(&self) -> Vec<Engine> {
        [Engine::Firefox, Engine::WebKit].into_iter().filter(|other| self.program(*other).is_some()).collect()
    }

    /// Chromium itself, or the driver of another engine.
    pub(crate) fn program(&self, engine: Engine) -> Option<&Path> {
        match engine {
            Engine::Chromium => Some(&self.chromium),
            Engine::Firefox => self.firefox.as_ref().ok()?.first().map(PathBuf::as_path),
            Engine::WebKit => self.webkit.as_ref().ok()?.first().map(PathBuf::as_path),
        }
    }

    /// `program` run in the repository's root, with a screen if WebKit is there: it shows itself even to nobody.
    pub(crate) fn command(&self, repo: &Repo, program: impl AsRef<Path>) -> Command {
        match self.webkit.as_ref().ok().and_then(|found| found.get(1)) {
            None => repo.command(program.as_ref()),
            Some(screen) => {
                let mut command = repo.command(screen);
                command.arg("--auto-servernum").arg(program.as_ref());
                command
            }
        }
    }

    /// [`command`](Self::command) with the driver of each engine but Chromium in the environment, such as `FIREFOX_DRIVER`.
    pub(crate) fn driving(&self, repo: &Repo, program: impl AsRef<Path>) -> Command {
        let mut command = self.command(repo, program);
        for engine in self.others() {
            command.envs(
                self.program(engine)
                    .map(|driver| (format!("{}_DRIVER", engine.name().to_uppercase()), driver)),
            );
        }
        command
    }

    /// The names of the engines that are missing, each with the reason.
    pub(crate) fn missing(&self) -> Map<String, Value> {
        [(Engine::Firefox, &self.firefox), (Engine::WebKit, &self.webkit)]
            .into_iter()
            .filter_map(|(engine, found)| Some((engine.name().to_owned(), json!(found.as_ref().err()?))))
            .collect()
    }

    pub(crate) fn say_what_is_missing(&self) {
        for (engine, reason) in self.missing() {
            say(&format!("without {engine}: {}", reason.as_str().unwrap_or_default()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::described;

    fn engines(webkit: Result<Found, String>) -> Engines {
        Engines { chromium: "/chromium".into(), firefox: Err("no right to install it".to_owned()), webkit }
    }

    #[test]
    fn what_is_missing_is_said_with_its_reason() {
        let engines = engines(Ok(vec!["/driver".into(), "/screen".into()]));
        assert_eq!(engines.others(), [Engine::WebKit]);
        assert_eq!(Value::Object(engines.missing()), json!({ "firefox": "no right to install it" }));
        let programs = [Engine::Chromium, Engine::Firefox, Engine::WebKit].map(|one| engines.program(one));
        assert_eq!(programs, [Some(Path::new("/chromium")), None, Some(Path::new("/driver"))]);
    }

    #[test]
    fn there_is_a_screen_where_webkit_is() {
        let repo =
            Repo { root: ".".into(), target: "target".into(), version: "1.0.0".to_owned(), address: None };
        let line = |webkit| described(&engines(webkit).command(&repo, "node"));
        assert_eq!(line(Ok(vec!["/driver".into(), "/screen".into()])), "screen --auto-servernum node");
        assert_eq!(line(Err(String::new())), "node");
    }
}
