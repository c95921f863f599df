//! The tests that run the wasm in the engines themselves: `wasm-pack test`, in each engine that is there.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde_json::json;

use super::counts;
use crate::command::run_shown;
use crate::engines::{Engine, Engines};
use crate::repo::Repo;
use crate::say::say;
use crate::setup;

/// What they need.
pub(super) struct BrowserTests<'a> {
    pub(super) repo: &'a Repo,
    /// The folder of wasm-bindgen and its runner.
    pub(super) bin: &'a Path,
    pub(super) wasm_pack: &'a Path,
    /// Chromium's.
    pub(super) driver: &'a Path,
    pub(super) engines: &'a Engines,
}

impl BrowserTests<'_> {
    /// Runs them in each engine; returns how many have passed in all of them together.
    pub(super) fn run(&self) -> anyhow::Result<usize> {
        let mut passed = self.run_in(Engine::Chromium)?;
        for engine in self.engines.others() {
            passed += self.run_in(engine)?;
        }
        Ok(passed)
    }

    fn run_in(&self, engine: Engine) -> anyhow::Result<usize> {
        let (browser, driver_option) = match engine {
            Engine::Chromium => ("--chrome", "--chromedriver"),
            Engine::Firefox => ("--firefox", "--geckodriver"),
            Engine::WebKit => ("--safari", "--safaridriver"),
        };
        let driver = match engine {
            Engine::Chromium => self.driver,
            other => self.engines.program(other).context("an engine without a driver")?,
        };
        say(&format!("\nin {}:", engine.name()));
        let mut wasm_pack = self.engines.command(self.repo, self.wasm_pack);
        if engine == Engine::Chromium {
            wasm_pack.env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", self.capabilities()?);
        }
        let (text, outcome) = run_shown(
            wasm_pack
                .args(["test", "--headless", browser, driver_option])
                .arg(driver)
                .env("PATH", setup::path_with(self.bin)?),
            None,
        )?;
        outcome?;
        match counts::cargo(&text) {
            0 => bail!("no test was run in {}", engine.name()),
            passed => Ok(passed),
        }
    }

    /// Tells the driver which browser to use.
    fn capabilities(&self) -> anyhow::Result<PathBuf> {
        let file = self.repo.tools().join("webdriver.json");
        let capabilities =
            json!({ "goog:chromeOptions": { "binary": self.engines.program(Engine::Chromium) } });
        fs::write(&file, capabilities.to_string())
            .with_context(|| format!("cannot write {}", file.display()))?;
        Ok(file)
    }
}
