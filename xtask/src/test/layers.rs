//! What each layer needs and runs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, ensure};
use serde_json::Value;

use super::browser;
use super::layer_name::LayerName;
use super::node::{self, passed_in_cargo, passed_in_node, test_files, test_folder};
use super::shop::ShopTests;
use crate::command::run_shown;
use crate::engines::{CHROMIUM, Engines};
use crate::pack::{self, Core, Package};
use crate::proof;
use crate::repo::{Repo, WASM_TARGET, fresh_folder};
use crate::sandbox::{self, Options, Sandbox};
use crate::say::say;
use crate::setup::{Part, headless_chromium, program, try_set_up};
use crate::traffic::Traffic;
use crate::walks::{self, Walks};
use crate::{bench, chaos, forge, fuzz, shop, simulate, size};

const CLIENTS: Part = Part::Python("tests/standard-clients");
const E2E: Part = Part::Npm("tests/e2e");
/// The proofs' seed here, always the same, so that a change fails only for what it broke and not for a case
/// that no earlier run tried. The proofs' own commands, such as `cargo xtask chaos`, take other seeds.
const SEED: u32 = 1;

/// Returns what a layer cannot do without.
pub(super) fn parts(layer: LayerName) -> Vec<Part> {
    let own = match layer {
        LayerName::Sdk | LayerName::Sandbox | LayerName::Xtask | LayerName::Simulate => return Vec::new(),
        LayerName::Clients => return vec![CLIENTS],
        LayerName::Javascript => return vec![Part::Node],
        LayerName::Browser => return vec![Part::Chromedriver, Part::Rust, Part::WasmBindgen, Part::WasmPack],
        LayerName::Size => vec![],
        LayerName::Package => vec![Part::Npm("tests/package"), E2E],
        LayerName::Frontends => vec![Part::Npm("tests/frontends")],
        LayerName::Matrix => vec![Part::Npm("tests/matrix"), Part::Npm("tests/frontends")],
        LayerName::Bench => vec![Part::Npm("tests/bench"), E2E],
        LayerName::Shop | LayerName::Screens | LayerName::Safeguards => vec![Part::Npm("www"), E2E],
        LayerName::Chaos | LayerName::Forge | LayerName::Fuzz => vec![E2E],
    };
    [&pack::PARTS, &[Part::Chromium][..], &own].concat()
}

/// What the layers share.
pub(super) struct Context<'a> {
    pub(super) repo: &'a Repo,
    pub(super) package: Mutex<Option<Package>>,
    /// Each test of the tarball.
    pub(super) cells: Mutex<Vec<Value>>,
}

impl Context<'_> {
    /// Runs one layer, which leaves its traffic there; returns how many tests have passed.
    pub(super) fn run(&self, layer: LayerName, traffic: &Traffic) -> anyhow::Result<usize> {
        let passed = match layer {
            LayerName::Sdk => self.cargo_test("remitkit", Some(traffic)),
            LayerName::Sandbox => self.cargo_test("remitkit-sandbox", Some(traffic)),
            LayerName::Clients => self.clients(),
            LayerName::Xtask => self.cargo_test("xtask", None),
            LayerName::Javascript => test_folder(self.repo, "sandbox/card-form/test"),
            LayerName::Browser => browser::run(self.repo),
            LayerName::Package => self.package(),
            LayerName::Size => self.size(),
            LayerName::Frontends => self.frontends(),
            LayerName::Matrix => self.matrix(),
            LayerName::Bench => self.bench(),
            LayerName::Simulate => self.simulate(),
            LayerName::Chaos => self.chaos(),
            LayerName::Forge => self.forge(),
            LayerName::Fuzz => self.fuzz(),
            LayerName::Shop => self.shop(traffic),
            LayerName::Screens => self.screens(traffic),
            LayerName::Safeguards => self.safeguards(),
        }?;
        ensure!(passed > 0, "no test was run");
        Ok(passed)
    }

    /// The package, built once: what one layer tries, no other may make again meanwhile.
    fn packed(&self) -> anyhow::Result<Package> {
        let mut package = self.package.lock().unwrap_or_else(PoisonError::into_inner);
        if package.is_none() {
            let _lock = self.repo.lock()?;
            *package = Some(pack::build(self.repo, Core::Real)?);
        }
        package.clone().context("there is no package")
    }

    fn build_sandbox(&self) -> anyhow::Result<()> {
        let _lock = self.repo.lock()?;
        sandbox::build(self.repo)
    }

    fn cargo_test(&self, package: &str, traffic: Option<&Traffic>) -> anyhow::Result<usize> {
        let mut cargo = self.repo.cargo();
        cargo.envs(traffic.map(|traffic| ("REMITKIT_TRAFFIC", &traffic.folder)));
        let (text, outcome) = run_shown(cargo.args(["test", "--package", package]), None)?;
        outcome.map(|()| passed_in_cargo(&text))
    }

    fn clients(&self) -> anyhow::Result<usize> {
        self.build_sandbox()?;
        let log = self.repo.target.join("test/clients-sandbox.log");
        let sandbox = Sandbox::start(self.repo, &Options::default(), &log)?;
        let mut python = self.repo.command(program(self.repo, CLIENTS)?);
        python.arg("tests/standard-clients/run.py").arg(sandbox.0.ready.to_string());
        let (text, outcome) = run_shown(&mut python, None)?;
        outcome?;
        sandbox.0.stop()?;
        // In lines such as `ok 3 - what was tested`.
        Ok(text.lines().filter(|line| line.starts_with("ok ")).count())
    }

    fn package(&self) -> anyhow::Result<usize> {
        let repo = self.repo;
        let tarball = self.packed()?.tarball;
        let lock = repo.lock()?;
        sandbox::build(repo)?;
        // Around the program that tests use: how it is installed and found does not depend on how it was
        // optimised.
        let sandbox = sandbox::program(repo);
        let sandbox_packages = repo.step("npm packages of the sandbox", |step| {
            pack::sandbox::pack(repo, step, &sandbox, &repo.target.join("test/package-sandbox"))
        })?;
        drop(lock);
        let mut files = test_files(repo, "tests/package/facade")?;
        files.extend(test_files(repo, "tests/package")?);
        let mut node = Engines::set_up(repo)?.driving(repo, "node");
        node.env("REMITKIT_SANDBOX", sandbox).env("REMITKIT_SANDBOX_PACKAGES", sandbox_packages.folder);
        node.env("REMITKIT_CHROMIUM", headless_chromium(repo)?);
        node.env("REMITKIT_WHOLE_CHROMIUM", program(repo, Part::Chromium)?);
        match try_set_up(repo, Part::Redis) {
            Ok(found) => {
                node.envs(found.first().map(|server| ("REMITKIT_REDIS", server)));
            }
            Err(reason) => say(&format!("without Redis: {reason}")),
        }
        self.package_test(node, &files, &tarball)
    }

    fn size(&self) -> anyhow::Result<usize> {
        let repo = self.repo;
        let tests = test_folder(repo, "tests/size")?;
        let package = self.packed()?;
        let _lock = repo.lock()?;
        Ok(tests + size::check(repo, &package)?)
    }

    fn frontends(&self) -> anyhow::Result<usize> {
        let repo = self.repo;
        let tarball = self.packed()?.tarball;
        let lock = repo.lock()?;
        let page = rust_front_end(repo)?;
        sandbox::build(repo)?;
        drop(lock);
        let mut node = repo.command("node");
        node.env("REMITKIT_LEPTOS_PAGE", page).env("REMITKIT_SANDBOX", sandbox::program(repo));
        node.env("REMITKIT_CHROMIUM", headless_chromium(repo)?);
        self.package_test(node, &test_files(repo, "tests/frontends")?, &tarball)
    }

    fn matrix(&self) -> anyhow::Result<usize> {
        let tarball = self.packed()?.tarball;
        let mut node = self.repo.command("node");
        node.env("REMITKIT_CHROMIUM", program(self.repo, Part::Chromium)?);
        self.package_test(node, &test_files(self.repo, "tests/matrix")?, &tarball)
    }

    /// Tests of the tarball, each of which is kept by its name.
    fn package_test(&self, mut node: Command, files: &[PathBuf], tarball: &Path) -> anyhow::Result<usize> {
        // Much of it waits for others. By itself Node runs one file fewer at a time than there are cores.
        node.arg("--test-concurrency=5");
        node.env("REMITKIT_TARBALL", tarball);
        let (text, outcome) = node::run(&mut node, files)?;
        self.cells.lock().unwrap_or_else(PoisonError::into_inner).extend(node::cells(&text));
        outcome.map(|()| passed_in_node(&text))
    }

    /// The verdicts' own tests, and a run in which no time is judged.
    fn bench(&self) -> anyhow::Result<usize> {
        let repo = self.repo;
        let tests = test_folder(repo, "tests/bench")?;
        bench::smoke(repo, &self.packed()?, &program(repo, Part::Chromium)?, SEED)?.must_be_clean()?;
        Ok(tests + 1)
    }

    /// A run that must be clean, and one without each safeguard, whose absence must be found.
    fn simulate(&self) -> anyhow::Result<usize> {
        let repo = self.repo;
        let lock = repo.lock()?;
        simulate::build(repo, false)?;
        simulate::build(repo, true)?;
        drop(lock);
        let options = simulate::Options { seed: Some(SEED), ..simulate::Options::default() };
        simulate::try_out(repo, &options)?.must_be_clean()?;
        Ok(1 + simulate::without(repo, proof::ALL, &options)?.len())
    }

    /// The verdict's own tests, and one run that must be clean.
    fn chaos(&self) -> anyhow::Result<usize> {
        self.build_sandbox()?;
        let tests = test_folder(self.repo, "tests/chaos")?;
        let options = chaos::Options { transfers: 300, seed: Some(SEED), weakness: None };
        chaos::try_out(self.repo, &self.packed()?, &options)?.must_be_clean()?;
        Ok(tests + 1)
    }

    /// The figures' own tests, and a run in each engine that must be clean.
    fn forge(&self) -> anyhow::Result<usize> {
        self.build_sandbox()?;
        let engines = Engines::set_up(self.repo)?;
        let tests = test_folder(self.repo, "tests/forge")?;
        let repo = self.repo;
        let package = self.packed()?;
        let run = |count, some: &[&str]| {
            let options = forge::Options { count, seed: Some(SEED), weakness: None };
            forge::try_out(repo, &package, &options, &engines, some)?.must_be_clean()
        };
        run(300, &[CHROMIUM])?;
        let others = engines.others();
        if !others.is_empty() {
            run(100, &others)?;
        }
        Ok(tests + 1 + others.len())
    }

    /// The verdicts' own tests, and a run that must be clean.
    fn fuzz(&self) -> anyhow::Result<usize> {
        let repo = self.repo;
        let tests = test_folder(repo, "tests/fuzz")?;
        let options = fuzz::Options { inputs: 20_000, seed: Some(SEED) };
        fuzz::try_out(repo, &self.packed()?, &options)?.must_be_clean()?;
        Ok(tests + 1)
    }

    fn shop(&self, traffic: &Traffic) -> anyhow::Result<usize> {
        let repo = self.repo;
        let tests = self.shop_tests(traffic, false)?;
        let verdicts = test_folder(repo, "tests/walks")?;
        let options = walks::Options { walks: 16, seed: Some(SEED), ..walks::Options::default() };
        let walks = Walks { repo, chromium: &headless_chromium(repo)? };
        walks.run(&options)?.must_be_clean()?;
        Ok(tests + verdicts + 1)
    }

    fn screens(&self, traffic: &Traffic) -> anyhow::Result<usize> {
        fresh_folder(&traffic.folder)?;
        self.shop_tests(traffic, true)
    }

    fn shop_tests(&self, traffic: &Traffic, on_each_screen: bool) -> anyhow::Result<usize> {
        let repo = self.repo;
        let package = self.packed()?;
        let lock = repo.lock()?;
        sandbox::build(repo)?;
        shop::build(repo, &package)?;
        drop(lock);
        let engines = Engines::set_up(repo)?;
        ShopTests { repo, engines: &engines, traffic: &traffic.folder, on_each_screen }.run()
    }

    /// Runs of chaos, forge and walks without one safeguard each, which must be found.
    fn safeguards(&self) -> anyhow::Result<usize> {
        let repo = self.repo;
        let package = self.packed()?;
        let lock = repo.lock()?;
        sandbox::build(repo)?;
        shop::build(repo, &package)?;
        let weakened = pack::build(repo, Core::Weakened)?;
        drop(lock);

        for name in chaos::WEAKNESSES {
            let options = chaos::Options { transfers: 80, seed: None, weakness: Some(name.to_owned()) };
            let run = || chaos::must_have_found(&chaos::try_out(repo, &weakened, &options)?, name);
            // What so few transfers meet is a matter of chance.
            run().or_else(|_| run()).or_else(|_| run())?;
        }
        let engines = Engines::set_up(repo)?;
        for check in forge::CHECKS {
            let options = forge::Options { count: 150, seed: None, weakness: Some(check.to_owned()) };
            let found = forge::try_out(repo, &weakened, &options, &engines, &[CHROMIUM])?;
            forge::must_have_found(&found, check)?;
        }
        let walks = Walks { repo, chromium: &headless_chromium(repo)? };
        for (safeguard, seed) in walks::SOON_FOUND {
            let options = walks::Options { walks: 40, seed: Some(seed), lanes: 2, ..Default::default() };
            walks.without(safeguard, &options)?;
        }
        Ok(chaos::WEAKNESSES.len() + forge::CHECKS.len() + walks::SOON_FOUND.len())
    }
}

/// Builds the example of a front end in Rust, and returns the folder of its module, `example.js`.
fn rust_front_end(repo: &Repo) -> anyhow::Result<PathBuf> {
    let target = repo.target.join("leptos");
    let page = target.join("page");
    repo.step("front end in Rust", |step| {
        let manifest = "examples/leptos/Cargo.toml";
        let mut cargo = repo.cargo();
        cargo.args(["build", "--locked", "--manifest-path", manifest, "--target", WASM_TARGET]);
        step.run(cargo.env("CARGO_TARGET_DIR", &target))?;
        fresh_folder(&page)?;
        let module = target.join(WASM_TARGET).join("debug/remitkit-leptos-example.wasm");
        let mut wasm_bindgen = repo.command(program(repo, Part::WasmBindgen)?);
        wasm_bindgen.args(["--target", "web", "--no-typescript", "--out-name", "example", "--out-dir"]);
        step.run(wasm_bindgen.arg(&page).arg(&module))
            .with_context(|| format!("binding {}", module.display()))
    })?;
    Ok(page)
}
