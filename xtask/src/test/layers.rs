//! What each layer needs and runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, ensure};
use serde_json::Value;

use super::browser;
use super::layer_name::LayerName;
use super::node::{self, passed_in_cargo, passed_in_node, test_files, test_folder};
use super::traffic_folder;
use crate::engines::{CHROMIUM, Engines};
use crate::pack::{self, Core, Package};
use crate::process::{output, shown};
use crate::proof::{self, Seed};
use crate::repo::{Repo, WASM_TARGET, copy, fresh_folder};
use crate::report::Report;
use crate::sandbox;
use crate::say::say;
use crate::setup::{Part, headless_chromium, program, try_set_up};
use crate::{bench, chaos, demo, forge, fuzz, shop, simulate, size, walks};

const E2E: Part = Part::Npm("tests/e2e");
/// The seed of the proofs here, always the same, so that a change fails only for what it broke. The proofs'
/// own commands, such as `cargo xtask chaos`, take random seeds.
const SEED: u32 = 1;

/// The number of files of tests/e2e that run at a time. With more, pages would time out on a small machine.
const LANES: usize = 2;
/// Measures time, so it runs alone.
const ALONE: &str = "budget.test.mjs";
/// Run on several screens.
const SCREENS: [&str; 3] = ["layout.test.mjs", "shifts.test.mjs", "workbench-picker.test.mjs"];

pub(super) fn parts(layer: LayerName) -> Vec<Part> {
    let own = match layer {
        LayerName::Sdk | LayerName::Sandbox | LayerName::Xtask | LayerName::SetUp | LayerName::Simulate => {
            return Vec::new();
        }
        LayerName::Clients => return vec![Part::Python],
        LayerName::Javascript => return vec![pack::NODE_TOOLS],
        LayerName::Browser => return vec![Part::Chromedriver, Part::WasmBindgen, Part::WasmPack],
        LayerName::Size => vec![],
        LayerName::Package => vec![Part::Npm("tests/package"), E2E],
        LayerName::Frontends => vec![Part::WasmBindgen, Part::Npm("tests/frontends")],
        LayerName::Matrix => vec![Part::Npm("tests/matrix"), Part::Npm("tests/frontends")],
        LayerName::Bench => vec![Part::Npm("tests/bench"), E2E],
        LayerName::Shop | LayerName::Screens | LayerName::Safeguards => vec![Part::Npm("www"), E2E],
        LayerName::HostilePages => vec![Part::Npm("tests/hostile-pages"), Part::Npm("tests/package"), E2E],
        LayerName::Chaos | LayerName::Forge | LayerName::Fuzz => vec![E2E],
    };
    [&pack::PARTS, &[Part::Chromium][..], &own].concat()
}

pub(super) struct Context<'a> {
    pub(super) repo: &'a Repo,
    pub(super) package: Mutex<Option<Package>>,
    pub(super) cells: Mutex<Vec<Value>>,
}

impl Context<'_> {
    /// Runs one layer, which may record its traffic; returns how many tests passed.
    pub(super) fn run(&self, layer: LayerName) -> anyhow::Result<usize> {
        let traffic = traffic_folder(self.repo, layer);
        fresh_folder(&traffic)?;
        let passed = match layer {
            LayerName::Sdk => self.cargo_test("remitkit", &traffic),
            LayerName::Sandbox => self.cargo_test("remitkit-sandbox", &traffic),
            LayerName::Clients => self.clients(),
            LayerName::Xtask => self.cargo_test("xtask", &traffic),
            LayerName::SetUp => set_up_a_copy(self.repo),
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
            LayerName::HostilePages => self.hostile_pages(),
            LayerName::Fuzz => self.fuzz(),
            LayerName::Shop => self.shop(&traffic),
            LayerName::Screens => self.shop_tests(&traffic, true),
            LayerName::Safeguards => self.safeguards(),
        }?;
        ensure!(passed > 0, "no test was run");
        Ok(passed)
    }

    /// Returns the package. It is built once: no layer may rebuild what another one is testing.
    fn packed(&self) -> anyhow::Result<Package> {
        let mut package = self.package.lock().unwrap_or_else(PoisonError::into_inner);
        if package.is_none() {
            let _lock = self.repo.lock()?;
            *package = Some(pack::build(self.repo, Core::Published)?);
        }
        package.clone().context("there is no package")
    }

    fn build_sandbox(&self) -> anyhow::Result<()> {
        let _lock = self.repo.lock()?;
        sandbox::build(self.repo)
    }

    fn build_shop(&self) -> anyhow::Result<Package> {
        let package = self.packed()?;
        let _lock = self.repo.lock()?;
        sandbox::build(self.repo)?;
        shop::build(self.repo, &package)?;
        Ok(package)
    }

    fn cargo_test(&self, package: &str, traffic: &Path) -> anyhow::Result<usize> {
        let mut cargo = self.repo.cargo();
        cargo.args(["test", "--package", package]).env("REMITKIT_TRAFFIC", traffic);
        Ok(passed_in_cargo(&shown(&mut cargo)?))
    }

    fn clients(&self) -> anyhow::Result<usize> {
        self.build_sandbox()?;
        let mut python = self.repo.command(program(self.repo, Part::Python)?);
        python.arg("tests/standard-clients/run.py").arg(sandbox::program(self.repo));
        let text = shown(&mut python)?;
        // Lines such as `ok 3 - what was tested`.
        Ok(text.lines().filter(|line| line.starts_with("ok ")).count())
    }

    fn package(&self) -> anyhow::Result<usize> {
        let repo = self.repo;
        let tarball = self.packed()?.tarball;
        let lock = repo.lock()?;
        sandbox::build(repo)?;
        // Around the unoptimised program: optimisation does not change how it is installed and found.
        let sandbox = sandbox::program(repo);
        let sandbox_packages = repo.step("npm packages of the sandbox", |step| {
            pack::sandbox::pack(repo, step, &sandbox, &repo.target.join("test/package-sandbox"))
        })?;
        drop(lock);
        let mut files = test_files(repo, "tests/package/facade")?;
        files.extend(test_files(repo, "tests/package")?);
        let mut node = Engines::set_up(repo)?.node_with_drivers(repo);
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
        self.build_sandbox()?;
        let page = build_leptos_example(repo)?;
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

    fn package_test(&self, mut node: Command, files: &[PathBuf], tarball: &Path) -> anyhow::Result<usize> {
        // More files at a time than cores, which is Node's default: much of each is waiting.
        node.arg("--test-concurrency=5").env("REMITKIT_TARBALL", tarball);
        let (text, outcome) = node::run(&mut node, files)?;
        self.cells.lock().unwrap_or_else(PoisonError::into_inner).extend(node::cells(&text));
        outcome.map(|()| passed_in_node(&text))
    }

    fn bench(&self) -> anyhow::Result<usize> {
        let repo = self.repo;
        let tests = test_folder(repo, "tests/bench")?;
        bench::smoke(repo, &self.packed()?, Seed::of(SEED))?.must_be_clean()?;
        Ok(tests + 1)
    }

    /// Runs it once, and once without each safeguard, which it must notice.
    fn simulate(&self) -> anyhow::Result<usize> {
        let repo = self.repo;
        simulate::build(repo, true)?;
        let options = simulate::Options { seed: Seed::of(SEED), ..simulate::Options::default() };
        simulate::try_out(repo, &options)?.must_be_clean()?;
        Ok(1 + simulate::run_without(repo, proof::ALL, &options)?.len())
    }

    fn chaos(&self) -> anyhow::Result<usize> {
        self.build_sandbox()?;
        let tests = test_folder(self.repo, "tests/chaos")?;
        let options = chaos::Options { transfers: 300, seed: Seed::of(SEED), weakness: None };
        chaos::try_out(self.repo, &self.packed()?, &options)?.must_be_clean()?;
        Ok(tests + 1)
    }

    fn forge(&self) -> anyhow::Result<usize> {
        let engines = Engines::set_up(self.repo)?;
        let tests = test_folder(self.repo, "tests/forge")?;
        let package = self.packed()?;
        let run = |count, some: &[&str]| {
            let options = forge::Options { count, seed: Seed::of(SEED), weakness: None };
            forge::try_out(self.repo, &package, &options, &engines, some)?.must_be_clean()
        };
        run(300, &[CHROMIUM])?;
        let others = engines.all().split_off(1);
        if !others.is_empty() {
            run(100, &others)?;
        }
        Ok(tests + 1 + others.len())
    }

    /// Pages of libraries that only Debian packages are skipped elsewhere.
    fn hostile_pages(&self) -> anyhow::Result<usize> {
        let repo = self.repo;
        let tarball = self.packed()?.tarball;
        self.build_sandbox()?;
        if let Err(reason) = try_set_up(repo, Part::PageLibraries) {
            say(&format!("without Prototype and MooTools: {reason}"));
        }
        let mut node = Engines::set_up(repo)?.node_with_drivers(repo);
        node.env("REMITKIT_SANDBOX", sandbox::program(repo)).env("REMITKIT_TARBALL", tarball);
        node.env("REMITKIT_CHROMIUM", headless_chromium(repo)?);
        node::test(&mut node, &test_files(repo, "tests/hostile-pages")?)
    }

    fn fuzz(&self) -> anyhow::Result<usize> {
        let tests = test_folder(self.repo, "tests/fuzz")?;
        let options = fuzz::Options { inputs: 20_000, seed: Seed::of(SEED) };
        fuzz::try_out(self.repo, &self.packed()?, &options)?.must_be_clean()?;
        Ok(tests + 1)
    }

    fn shop(&self, traffic: &Path) -> anyhow::Result<usize> {
        let tests = self.shop_tests(traffic, false)? + test_folder(self.repo, "tests/walks")?;
        walks::try_out(self.repo, &walks::Options::short(16, Seed::of(SEED), 8))?.must_be_clean()?;
        demo::check_built(self.repo, &mut Report::default())?;
        Ok(tests + 2)
    }

    /// Runs the files of tests/e2e, or those of `SCREENS` on each screen. Pictures go to target/test/e2e.
    fn shop_tests(&self, traffic: &Path, on_each_screen: bool) -> anyhow::Result<usize> {
        self.build_shop()?;
        let repo = self.repo;
        let engines = Engines::set_up(repo)?;
        let output = repo.target.join("test/e2e");
        fresh_folder(&output)?;
        let mut files = test_files(repo, "tests/e2e")?;
        files.retain(|file| !on_each_screen || SCREENS.iter().any(|name| file.ends_with(name)));
        let (alone, others): (Vec<_>, Vec<_>) = files.into_iter().partition(|file| file.ends_with(ALONE));
        let run = |files: &[PathBuf]| {
            let mut node = engines.node_with_drivers(repo);
            node.arg(format!("--test-concurrency={LANES}")).env("SANDBOX", sandbox::program(repo));
            node.env("CHROMIUM", headless_chromium(repo)?);
            node.env("OUTPUT_DIR", &output).env("TRAFFIC_DIR", traffic);
            node.envs(on_each_screen.then_some(("ON_EACH_SCREEN", "1")));
            node::test(&mut node, files)
        };
        let passed = run(&others);
        let measured = if alone.is_empty() { 0 } else { run(&alone)? };
        Ok(passed? + measured)
    }

    /// Runs chaos, forge and walks without one safeguard each, which they must notice.
    fn safeguards(&self) -> anyhow::Result<usize> {
        let repo = self.repo;
        self.build_shop()?;
        let lock = repo.lock()?;
        let package = pack::build(repo, Core::OptionalSafeguards)?;
        drop(lock);

        for name in chaos::SAFEGUARDS {
            let weakness = Some(name.to_owned());
            let options = chaos::Options { transfers: 80, seed: Seed::default(), weakness };
            let run = || chaos::try_out(repo, &package, &options)?.must_have_noticed(name);
            // So few transfers meet a given fault by chance.
            run().or_else(|_| run()).or_else(|_| run())?;
        }
        let engines = Engines::set_up(repo)?;
        for check in forge::CHECKS {
            let weakness = Some(check.to_owned());
            let options = forge::Options { count: 150, seed: Seed::default(), weakness };
            forge::try_out(repo, &package, &options, &engines, &[CHROMIUM])?.must_have_noticed(check)?;
        }
        for (safeguard, seed) in walks::SOON_NOTICED {
            walks::run_without(repo, safeguard, &walks::Options::short(40, Seed::of(seed), 2))?;
        }
        Ok(chaos::SAFEGUARDS.len() + forge::CHECKS.len() + walks::SOON_NOTICED.len())
    }
}

/// Drives the demo in a copy of this repository, where nothing was set up before.
fn set_up_a_copy(repo: &Repo) -> anyhow::Result<usize> {
    let folder = repo.target.join("set-up");
    fresh_folder(&folder)?;
    let clone = folder.join("clone");
    let listed =
        output(repo.command("git").args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]))?;
    for name in listed.split_terminator('\0').filter(|name| repo.path(name).is_file()) {
        let file = clone.join(name);
        fs::create_dir_all(file.parent().unwrap_or(&clone))?;
        copy(&repo.path(name), &file)?;
    }
    let mut bare = repo.command(clone.join(".ci/bare"));
    bare.arg(folder.join("machine")).args(["cargo", "xtask", "demo", "--check"]);
    shown(bare.current_dir(&clone).env("CARGO_TARGET_DIR", clone.join("target")))?;
    Ok(1)
}

/// Builds the Leptos example; returns the folder of its module, `example.js`.
fn build_leptos_example(repo: &Repo) -> anyhow::Result<PathBuf> {
    let _lock = repo.lock()?;
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
    })?;
    Ok(page)
}
