//! What each layer runs.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};

use super::browser::BrowserTests;
use super::context::{Context, TEST_FILE};
use super::shop::ShopTests;
use super::{LayerName, counts};
use crate::bench::Bench;
use crate::chaos::{self, Chaos, Weakness};
use crate::command::run_shown;
use crate::coverage::Record;
use crate::engines::Engine;
use crate::forge::{self, Check, Forge};
use crate::fuzz::{self, Fuzz};
use crate::pack::{self};
use crate::repo::{files_ending, fresh_folder};
use crate::rust_front_end;
use crate::sandbox::{self, Options, Sandbox};
use crate::say::say;
use crate::shop;
use crate::simulate::{self, Build, Simulation};
use crate::size;
use crate::walks::{self, Walks};

impl Context<'_> {
    /// Runs one layer; returns how many tests have passed.
    pub(super) fn run(&mut self, layer: LayerName, record: Option<&Record>) -> anyhow::Result<usize> {
        let passed = match layer {
            LayerName::Sdk => self.cargo_test("remitkit", record),
            LayerName::Sandbox => self.cargo_test("remitkit-sandbox", record),
            LayerName::Clients => self.clients(),
            LayerName::Xtask => self.cargo_test("xtask", None),
            LayerName::Javascript => self.javascript(),
            LayerName::Browser => self.browser(),
            LayerName::Package => self.package(),
            LayerName::Size => self.size(),
            LayerName::Frontends => self.frontends(),
            LayerName::Matrix => self.matrix(),
            LayerName::Bench => self.bench(),
            LayerName::Simulate => self.simulate(),
            LayerName::Chaos => self.chaos(),
            LayerName::Forge => self.forge(),
            LayerName::Fuzz => self.fuzz(),
            LayerName::Shop => self.shop(record),
        }?;
        if passed == 0 {
            bail!("no test was run");
        }
        Ok(passed)
    }

    fn cargo_test(&self, package: &str, record: Option<&Record>) -> anyhow::Result<usize> {
        let mut cargo = self.repo.cargo();
        if let Some(record) = record {
            cargo.env("REMITKIT_TRAFFIC", &record.folder);
        }
        let (text, outcome) = run_shown(cargo.args(["test", "--package", package]), None)?;
        outcome.map(|()| counts::cargo(&text))
    }

    fn clients(&self) -> anyhow::Result<usize> {
        let mut steps = self.repo.steps(1);
        sandbox::build(self.repo, &mut steps)?;
        let log = self.repo.target.join("test/clients-sandbox.log");
        let sandbox = Sandbox::start(self.repo, &Options::default(), &log)?;
        let mut python = self.repo.command(&self.python);
        python.arg("tests/standard-clients/run.py").arg(sandbox.announced().to_string());
        let (text, outcome) = run_shown(&mut python, None)?;
        outcome?;
        sandbox.stop()?;
        Ok(counts::tap(&text))
    }

    fn javascript(&self) -> anyhow::Result<usize> {
        let mut files = self.test_files("sandbox/card-form/test")?;
        files.extend(files_ending(&self.repo.path("pkg-template/test"), TEST_FILE)?);
        node_test(&mut self.repo.command("node"), &files)
    }

    fn browser(&self) -> anyhow::Result<usize> {
        let bin = self.wasm_bindgen.parent().context("wasm-bindgen lies in no folder")?;
        let engines = self.engines()?;
        engines.say_what_is_missing();
        BrowserTests { repo: self.repo, bin, wasm_pack: &self.wasm_pack, driver: &self.driver, engines }.run()
    }

    fn package(&mut self) -> anyhow::Result<usize> {
        let repo = self.repo;
        let tarball = self.packed()?.tarball.clone();
        let lock = repo.lock()?;
        let mut steps = repo.steps(2);
        sandbox::build(repo, &mut steps)?;
        // Around the program that tests use: how it is installed and found does not depend on how it was optimised.
        let program = sandbox::program(repo);
        let sandbox_packages = steps.run("npm packages of the sandbox", |step| {
            pack::sandbox::pack(repo, step, &program, &repo.target.join("test/package-sandbox"))
        })?;
        drop(lock);
        let mut files = self.test_files("tests/package/facade")?;
        files.extend(self.test_files("tests/package")?);
        let redis = self.redis.clone();
        let mut places = vec![
            ("REMITKIT_TARBALL", tarball.as_path()),
            ("REMITKIT_SANDBOX", program.as_path()),
            ("REMITKIT_SANDBOX_PACKAGES", sandbox_packages.folder.as_path()),
        ];
        match &redis {
            Ok(found) => places.extend(found.first().map(|server| ("REMITKIT_REDIS", server.as_path()))),
            Err(reason) => say(&format!("without Redis: {reason}")),
        }
        let engines = self.engines()?;
        engines.say_what_is_missing();
        let node = engines.driving(repo, "node");
        self.package_test(node, &files, &places)
    }

    fn size(&mut self) -> anyhow::Result<usize> {
        let repo = self.repo;
        let package = self.packed()?;
        let _lock = repo.lock()?;
        size::check(repo, package)
    }

    fn frontends(&mut self) -> anyhow::Result<usize> {
        let tarball = self.packed()?.tarball.clone();
        let lock = self.repo.lock()?;
        let mut steps = self.repo.steps(rust_front_end::BUILD_STEPS + 1);
        let page = rust_front_end::build(self.repo, &mut steps, &self.wasm_bindgen)?;
        sandbox::build(self.repo, &mut steps)?;
        drop(lock);
        let files = self.test_files("tests/frontends")?;
        let node = self.repo.command("node");
        let program = sandbox::program(self.repo);
        let places =
            [("REMITKIT_TARBALL", &tarball), ("REMITKIT_LEPTOS_PAGE", &page), ("REMITKIT_SANDBOX", &program)];
        self.package_test(node, &files, &places.map(|(name, place)| (name, place.as_path())))
    }

    fn matrix(&mut self) -> anyhow::Result<usize> {
        let tarball = self.packed()?.tarball.clone();
        let files = self.test_files("tests/matrix")?;
        self.package_test(self.repo.command("node"), &files, &[("REMITKIT_TARBALL", &tarball)])
    }

    /// Tests of the tarball, each of which is kept by its name.
    fn package_test(
        &mut self,
        mut node: Command,
        files: &[PathBuf],
        places: &[(&str, &Path)],
    ) -> anyhow::Result<usize> {
        // Much of it waits for others. By itself Node runs one file fewer at a time than there are cores.
        node.arg("--test-concurrency=5");
        node.env("REMITKIT_CHROMIUM", &self.chromium).envs(places.iter().copied());
        let (text, outcome) = run_node_test(&mut node, files)?;
        self.cells.extend(counts::node_cells(&text));
        outcome.map(|()| counts::node(&text))
    }

    /// The verdicts' own tests, and a run in which no time is judged.
    fn bench(&mut self) -> anyhow::Result<usize> {
        let package = self.packed()?.folder.clone();
        let tests = node_test(&mut self.repo.command("node"), &self.test_files("tests/bench")?)?;
        Bench { repo: self.repo, package: &package }.smoke(&self.chromium)?.must_be_clean()?;
        Ok(tests + 1)
    }

    /// A run that must be clean, and one without each safeguard, whose absence must be found.
    fn simulate(&self) -> anyhow::Result<usize> {
        let repo = self.repo;
        let mut steps = repo.steps(2);
        let lock = repo.lock()?;
        Build::Real.make(repo, &mut steps)?;
        Build::Weakened.make(repo, &mut steps)?;
        drop(lock);
        // The same histories each time: others are for `cargo xtask simulate`.
        let options = simulate::Options { seed: Some(1), ..simulate::Options::default() };
        Simulation { repo, build: Build::Real }.run(&options)?.must_be_clean()?;
        Ok(1 + simulate::table(repo, &options)?.len())
    }

    /// The verdict's own tests, one run that must be clean, and one with each weakness, which must be found.
    fn chaos(&mut self) -> anyhow::Result<usize> {
        let repo = self.repo;
        let chromium = self.chromium.clone();
        let package = self.packed()?.folder.clone();
        let weakened = self.weakened()?;

        let tests = node_test(&mut repo.command("node"), &self.test_files("tests/chaos")?)?;
        let pages = Chaos { repo, chromium: &chromium };
        pages.run(&package, &chaos::Options::default())?.must_be_clean()?;
        for weakness in Weakness::ALL {
            let options = chaos::Options { transfers: 80, seed: None, weakness: Some(weakness) };
            let run = || chaos::must_have_found(&pages.run(&weakened.folder, &options)?, weakness);
            // What so few transfers meet is a matter of chance.
            run().or_else(|_| run()).or_else(|_| run())?;
        }
        Ok(tests + 1 + Weakness::ALL.len())
    }

    /// The figures' own tests, a run in each engine that must be clean, and one without each check, which must not.
    fn forge(&mut self) -> anyhow::Result<usize> {
        let repo = self.repo;
        let package = self.packed()?.folder.clone();
        let weakened = self.weakened()?;

        let engines = self.engines()?;
        engines.say_what_is_missing();
        let tests = node_test(&mut repo.command("node"), &self.test_files("tests/forge")?)?;
        let forge = Forge { repo, engines };
        forge.run(&package, &forge::Options::default(), &[Engine::Chromium])?.must_be_clean()?;
        let others = engines.others();
        if !others.is_empty() {
            let options = forge::Options { count: 100, ..forge::Options::default() };
            forge.run(&package, &options, &others)?.must_be_clean()?;
        }
        for check in Check::ALL {
            let options = forge::Options { count: 150, seed: None, weakness: Some(check) };
            forge::must_have_found(&forge.run(&weakened.folder, &options, &[Engine::Chromium])?, check)?;
        }
        Ok(tests + 1 + others.len() + Check::ALL.len())
    }

    /// The verdicts' own tests, and a run that must be clean.
    fn fuzz(&mut self) -> anyhow::Result<usize> {
        let tarball = self.packed()?.tarball.clone();
        let tests = node_test(&mut self.repo.command("node"), &self.test_files("tests/fuzz")?)?;
        let fuzz = Fuzz { repo: self.repo, chromium: &self.chromium };
        fuzz.run(&tarball, &fuzz::Options::default())?.must_be_clean()?;
        Ok(tests + 1)
    }

    fn shop(&mut self, record: Option<&Record>) -> anyhow::Result<usize> {
        let repo = self.repo;
        let chromium = self.chromium.clone();
        let package = self.packed()?;
        let lock = repo.lock()?;
        let mut steps = repo.steps(1 + shop::BUILD_STEPS);
        sandbox::build(repo, &mut steps)?;
        shop::build(repo, &mut steps, package)?;
        drop(lock);

        let folder = repo.target.join("test/e2e");
        fresh_folder(&folder)?;
        let files = self.test_files("tests/e2e")?;
        let engines = self.engines()?;
        engines.say_what_is_missing();
        let traffic = record.map(|record| record.folder.as_path());
        let tests = ShopTests { repo, chromium: &chromium, engines, folder: &folder, traffic }.run(files)?;
        let verdicts = node_test(&mut repo.command("node"), &self.test_files("tests/walks")?)?;
        // The same walks each time: others are for `cargo xtask walks`.
        let options = walks::Options { walks: 16, seed: Some(1), ..walks::Options::default() };
        Walks { repo, chromium: &chromium }.run(&options)?.must_be_clean()?;
        Ok(tests + verdicts + 1)
    }
}

/// `node` with the test files; what is already set on it goes before them.
pub(super) fn node_test(node: &mut Command, files: &[impl AsRef<Path>]) -> anyhow::Result<usize> {
    let (text, outcome) = run_node_test(node, files)?;
    outcome.map(|()| counts::node(&text))
}

fn run_node_test(
    node: &mut Command,
    files: &[impl AsRef<Path>],
) -> anyhow::Result<(String, anyhow::Result<()>)> {
    node.args(["--test", "--test-reporter=spec"]).args(files.iter().map(AsRef::as_ref));
    run_shown(node, None)
}
