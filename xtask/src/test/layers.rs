//! What each layer needs and runs.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;

use super::attempt::Attempt;
use super::layer_name::LayerName;
use super::node::test_files;
use super::units::{Nature, Units};
use super::{browser, seeds, traffic_folder};
use crate::engines::{CHROMIUM, Engines};
use crate::pack::{self, Core, Package};
use crate::process::{output, shown};
use crate::proof::{self, Seed};
use crate::repo::{Repo, WASM_TARGET, copy, fresh_folder};
use crate::report::Report;
use crate::sandbox;
use crate::say::say;
use crate::setup::{Part, headless_chromium, path_with, program, try_set_up};
use crate::{bench, chaos, demo, forge, forms, fuzz, shop, simulate, size, walks};

const E2E: Part = Part::Npm("tests/e2e");

/// The number of test files that run at a time. With more, pages would time out on a small machine.
const LANES: usize = 2;
/// More than cores: much of each of these files is waiting.
const PACKAGE_LANES: usize = 5;
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
        LayerName::Frontends => {
            vec![Part::WasmBindgen, Part::WasmPack, Part::Npm("tests/frontends"), Part::Npm("tests/package")]
        }
        LayerName::Matrix => vec![Part::Npm("tests/matrix"), Part::Npm("tests/frontends")],
        LayerName::Bench => vec![Part::Npm("tests/bench"), E2E],
        LayerName::Shop | LayerName::Screens | LayerName::Safeguards => vec![Part::Npm("www"), E2E],
        LayerName::HostilePages => vec![Part::Npm("tests/hostile-pages"), Part::Npm("tests/package"), E2E],
        LayerName::Forms => forms::PARTS.to_vec(),
        LayerName::Chaos | LayerName::Forge | LayerName::Fuzz => vec![E2E],
    };
    [&pack::PARTS, &[Part::Chromium][..], &own].concat()
}

pub(super) struct Context<'a> {
    pub(super) repo: &'a Repo,
    pub(super) package: Mutex<Option<Package>>,
}

impl Context<'_> {
    /// Runs one layer, which may record its traffic.
    pub(super) fn run<'c>(&'c self, layer: LayerName, units: &mut Units<'c>) -> anyhow::Result<()> {
        let traffic = traffic_folder(self.repo, layer);
        fresh_folder(&traffic)?;
        match layer {
            LayerName::Sdk => self.crate_tests(units, "remitkit", Nature::Deterministic, traffic),
            LayerName::Sandbox => self.crate_tests(units, "remitkit-sandbox", Nature::Timed, traffic),
            LayerName::Clients => self.clients(units),
            LayerName::Xtask => self.crate_tests(units, "xtask", Nature::Timed, traffic),
            LayerName::SetUp => units
                .proof("set-up", Nature::Deterministic, || Ok(Attempt::of_one(|| set_up_a_copy(self.repo)))),
            LayerName::Javascript => self.plain_files(units, "sandbox/card-form/test"),
            LayerName::Browser => browser::run(self.repo, units),
            LayerName::Package => self.package(units),
            LayerName::Size => self.size(units),
            LayerName::Frontends => self.frontends(units),
            LayerName::Matrix => self.matrix(units),
            LayerName::Bench => self.bench(units),
            LayerName::Simulate => self.simulate(units),
            LayerName::Chaos => self.chaos(units),
            LayerName::Forge => self.forge(units),
            LayerName::Forms => self.forms(units),
            LayerName::HostilePages => self.hostile_pages(units),
            LayerName::Fuzz => self.fuzz(units),
            LayerName::Shop => self.shop(units, traffic),
            LayerName::Screens => self.shop_tests(units, traffic, true),
            LayerName::Safeguards => {
                units.proof("safeguards", Nature::Deterministic, || Ok(Attempt::of_one(|| self.safeguards())))
            }
        }?;
        units.must_have_run()
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

    fn crate_tests<'c>(
        &'c self,
        units: &mut Units<'c>,
        package: &'static str,
        nature: Nature,
        traffic: PathBuf,
    ) -> anyhow::Result<()> {
        let name = units.test_name();
        units.unit(&units.layer_name(), nature, move || {
            let mut cargo = self.repo.cargo();
            cargo.args(["test", "--package", package]).args(name);
            cargo.env("REMITKIT_TRAFFIC", &traffic).envs(seeds::SETTINGS);
            Ok(Attempt::of_cargo(&mut cargo))
        })
    }

    /// Runs test files that need nothing but Node, and meet no real time.
    fn plain_files<'c>(&'c self, units: &mut Units<'c>, folder: &str) -> anyhow::Result<()> {
        let files = test_files(self.repo, folder)?;
        units.files(files, LANES, Nature::Deterministic, || Ok(self.repo.command("node")))
    }

    fn clients<'c>(&'c self, units: &mut Units<'c>) -> anyhow::Result<()> {
        units.proof("tests/standard-clients/run.py", Nature::Timed, || {
            self.build_sandbox()?;
            let mut python = self.repo.command(program(self.repo, Part::Python)?);
            python.arg("tests/standard-clients/run.py").arg(sandbox::program(self.repo));
            Ok(Attempt::of_one(|| {
                let text = shown(&mut python)?;
                // Lines such as `ok 3 - what was tested`.
                Ok(text.lines().filter(|line| line.starts_with("ok ")).count())
            }))
        })
    }

    fn package<'c>(&'c self, units: &mut Units<'c>) -> anyhow::Result<()> {
        let mut files = test_files(self.repo, "tests/package/facade")?;
        files.extend(test_files(self.repo, "tests/package")?);
        units.files(files, PACKAGE_LANES, Nature::Timed, || self.node_of_package())
    }

    fn node_of_package(&self) -> anyhow::Result<Command> {
        let repo = self.repo;
        let tarball = self.packed()?.tarball;
        let lock = repo.lock()?;
        sandbox::build(repo)?;
        // Around the unoptimized program: optimization does not change how it is installed and found.
        let sandbox = sandbox::program(repo);
        let sandbox_packages = repo.step("npm packages of the sandbox", |step| {
            pack::sandbox::pack(repo, step, &sandbox, &repo.target.join("test/package-sandbox"))
        })?;
        drop(lock);
        let mut node = Engines::set_up(repo)?.node_with_drivers(repo);
        node.env("REMITKIT_SANDBOX", sandbox).env("REMITKIT_SANDBOX_PACKAGES", sandbox_packages.folder);
        node.env("REMITKIT_CHROMIUM", headless_chromium(repo)?).env("REMITKIT_TARBALL", tarball);
        node.env("REMITKIT_WHOLE_CHROMIUM", program(repo, Part::Chromium)?);
        match try_set_up(repo, Part::Redis) {
            Ok(found) => {
                node.envs(found.first().map(|server| ("REMITKIT_REDIS", server)));
            }
            Err(reason) => say(&format!("without Redis: {reason}")),
        }
        Ok(node)
    }

    fn size<'c>(&'c self, units: &mut Units<'c>) -> anyhow::Result<()> {
        self.plain_files(units, "tests/size")?;
        units.proof("size", Nature::Deterministic, || {
            let package = self.packed()?;
            Ok(Attempt::of_one(|| {
                let _lock = self.repo.lock()?;
                size::check(self.repo, &package)
            }))
        })
    }

    fn frontends<'c>(&'c self, units: &mut Units<'c>) -> anyhow::Result<()> {
        let repo = self.repo;
        units.files(test_files(repo, "tests/frontends")?, PACKAGE_LANES, Nature::Timed, || {
            let tarball = self.packed()?.tarball;
            self.build_sandbox()?;
            let pages = [build_leptos_example(repo, &[])?, build_leptos_example(repo, &["remitkit/js"])?];
            let module = build_with_wasm_pack(repo)?;
            let mut node = repo.command("node");
            let [page, page_with_js] = pages;
            node.env("REMITKIT_LEPTOS_PAGE", page).env("REMITKIT_LEPTOS_PAGE_WITH_JS", page_with_js);
            node.env("REMITKIT_WASM_PACK", module);
            node.env("REMITKIT_SANDBOX", sandbox::program(repo));
            node.env("REMITKIT_CHROMIUM", headless_chromium(repo)?).env("REMITKIT_TARBALL", tarball);
            Ok(node)
        })
    }

    fn matrix<'c>(&'c self, units: &mut Units<'c>) -> anyhow::Result<()> {
        let repo = self.repo;
        units.files(test_files(repo, "tests/matrix")?, PACKAGE_LANES, Nature::Timed, || {
            let mut node = repo.command("node");
            node.env("REMITKIT_TARBALL", self.packed()?.tarball);
            node.env("REMITKIT_CHROMIUM", program(repo, Part::Chromium)?);
            Ok(node)
        })
    }

    fn bench<'c>(&'c self, units: &mut Units<'c>) -> anyhow::Result<()> {
        self.plain_files(units, "tests/bench")?;
        units.proof("tests/bench/run.mjs", Nature::Deterministic, || {
            let package = self.packed()?;
            Ok(Attempt::of_proof(|| bench::smoke(self.repo, &package, seeds::of_proofs())))
        })
    }

    /// Runs it once, and once without each safeguard, which it must notice.
    fn simulate<'c>(&'c self, units: &mut Units<'c>) -> anyhow::Result<()> {
        let repo = self.repo;
        units.proof("simulate", Nature::Deterministic, || {
            simulate::build(repo, true)?;
            let options = simulate::Options { seed: seeds::of_proofs(), ..simulate::Options::default() };
            Ok(Attempt::of_one(|| {
                simulate::try_out(repo, &options)?.must_be_clean()?;
                Ok(1 + simulate::run_without(repo, proof::ALL, &options)?.len())
            }))
        })
    }

    fn chaos<'c>(&'c self, units: &mut Units<'c>) -> anyhow::Result<()> {
        self.plain_files(units, "tests/chaos")?;
        units.proof("tests/chaos/run.mjs", Nature::Timed, || {
            self.build_sandbox()?;
            let package = self.packed()?;
            let options = chaos::Options { transfers: 300, seed: seeds::of_proofs(), weakness: None };
            Ok(Attempt::of_proof(|| chaos::try_out(self.repo, &package, &options)))
        })
    }

    fn forge<'c>(&'c self, units: &mut Units<'c>) -> anyhow::Result<()> {
        self.plain_files(units, "tests/forge")?;
        let others = Engines::set_up(self.repo)?.all().split_off(1);
        for (count, some) in [(300, vec![CHROMIUM]), (100, others)] {
            if some.is_empty() {
                continue;
            }
            let unit = format!("tests/forge/run.mjs in {}", some.join(" and "));
            units.proof(&unit, Nature::Timed, move || {
                let (engines, package) = (Engines::set_up(self.repo)?, self.packed()?);
                let options = forge::Options { count, seed: seeds::of_proofs(), weakness: None };
                Ok(Attempt::of_proof(|| forge::try_out(self.repo, &package, &options, &engines, &some)))
            })?;
        }
        Ok(())
    }

    fn forms<'c>(&'c self, units: &mut Units<'c>) -> anyhow::Result<()> {
        for engine in Engines::set_up(self.repo)?.all() {
            units.proof(&format!("tests/forms/run.mjs in {engine}"), Nature::Timed, move || {
                let (engines, package) = (Engines::set_up(self.repo)?, self.packed()?);
                let options = forms::Options { steps: 300, seed: seeds::of_proofs(), without: None };
                Ok(Attempt::of_proof(|| forms::try_out(self.repo, &package, &options, &engines, &[engine])))
            })?;
        }
        Ok(())
    }

    /// Pages of libraries that only Debian packages are skipped elsewhere.
    fn hostile_pages<'c>(&'c self, units: &mut Units<'c>) -> anyhow::Result<()> {
        let repo = self.repo;
        units.files(test_files(repo, "tests/hostile-pages")?, LANES, Nature::Timed, || {
            let tarball = self.packed()?.tarball;
            self.build_sandbox()?;
            if let Err(reason) = try_set_up(repo, Part::PageLibraries) {
                say(&format!("without Prototype and MooTools: {reason}"));
            }
            let mut node = Engines::set_up(repo)?.node_with_drivers(repo);
            node.env("REMITKIT_SANDBOX", sandbox::program(repo)).env("REMITKIT_TARBALL", tarball);
            node.env("REMITKIT_CHROMIUM", headless_chromium(repo)?);
            Ok(node)
        })
    }

    fn fuzz<'c>(&'c self, units: &mut Units<'c>) -> anyhow::Result<()> {
        self.plain_files(units, "tests/fuzz")?;
        units.proof("tests/fuzz/run.mjs", Nature::Deterministic, || {
            let package = self.packed()?;
            let options = fuzz::Options { inputs: 20_000, seed: seeds::of_proofs() };
            Ok(Attempt::of_proof(|| fuzz::try_out(self.repo, &package, &options)))
        })
    }

    fn shop<'c>(&'c self, units: &mut Units<'c>, traffic: PathBuf) -> anyhow::Result<()> {
        self.shop_tests(units, traffic, false)?;
        self.plain_files(units, "tests/walks")?;
        units.proof("tests/walks/run.mjs", Nature::Timed, || {
            self.build_shop()?;
            let options = walks::Options::short(16, seeds::of_proofs(), 8);
            Ok(Attempt::of_proof(|| walks::try_out(self.repo, &options)))
        })?;
        units.proof("tests/e2e/demo-check.mjs", Nature::Timed, || {
            self.build_shop()?;
            Ok(Attempt::of_one(|| demo::check_built(self.repo, &mut Report::default()).map(|()| 1)))
        })
    }

    /// Runs the files of tests/e2e, or those of `SCREENS` on each screen. Pictures go to target/test/e2e.
    fn shop_tests<'c>(
        &'c self,
        units: &mut Units<'c>,
        traffic: PathBuf,
        on_each_screen: bool,
    ) -> anyhow::Result<()> {
        let repo = self.repo;
        let output = repo.target.join("test/e2e");
        fresh_folder(&output)?;
        let mut files = test_files(repo, "tests/e2e")?;
        files.retain(|file| !on_each_screen || SCREENS.iter().any(|name| file.ends_with(name)));
        let (alone, others): (Vec<_>, Vec<_>) = files.into_iter().partition(|file| file.ends_with(ALONE));
        for files in [others, alone] {
            let (output, traffic) = (output.clone(), traffic.clone());
            units.files(files, LANES, Nature::Timed, move || {
                self.build_shop()?;
                let mut node = Engines::set_up(repo)?.node_with_drivers(repo);
                node.env("SANDBOX", sandbox::program(repo)).env("CHROMIUM", headless_chromium(repo)?);
                node.env("OUTPUT_DIR", &output).env("TRAFFIC_DIR", &traffic);
                node.envs(on_each_screen.then_some(("ON_EACH_SCREEN", "1")));
                Ok(node)
            })?;
        }
        Ok(())
    }

    /// Runs chaos, forge, forms and walks without one safeguard each, which they must notice.
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
        for safeguard in forms::SAFEGUARDS {
            let options = forms::Options { steps: 1_000, seed: Seed::default(), without: None };
            forms::notices(repo, &self.packed()?, &engines, safeguard, &options)?;
        }
        for (safeguard, seed) in walks::SOON_NOTICED {
            walks::run_without(repo, safeguard, &walks::Options::short(40, Seed::of(seed), 2))?;
        }
        let others = forms::SAFEGUARDS.len() + walks::SOON_NOTICED.len();
        Ok(chaos::SAFEGUARDS.len() + forge::CHECKS.len() + others)
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

/// Builds the Leptos example with these features; returns the folder of its module, `example.js`.
fn build_leptos_example(repo: &Repo, features: &[&str]) -> anyhow::Result<PathBuf> {
    let _lock = repo.lock()?;
    let target = repo.target.join("leptos");
    let page = target.join(if features.is_empty() { "page" } else { "page-with-features" });
    repo.step("front end in Rust", |step| {
        let manifest = "examples/leptos/Cargo.toml";
        let mut cargo = repo.cargo();
        cargo.args(["build", "--locked", "--manifest-path", manifest, "--target", WASM_TARGET]);
        cargo.arg("--features").arg(features.join(","));
        step.run(cargo.env("CARGO_TARGET_DIR", &target))?;
        fresh_folder(&page)?;
        let module = target.join(WASM_TARGET).join("debug/remitkit-leptos-example.wasm");
        let mut wasm_bindgen = repo.command(program(repo, Part::WasmBindgen)?);
        wasm_bindgen.args(["--target", "web", "--no-typescript", "--out-name", "example", "--out-dir"]);
        step.run(wasm_bindgen.arg(&page).arg(&module))
    })?;
    Ok(page)
}

/// Builds the module as a reader would; returns the folder of its scripts. Not optimized: for that, wasm-pack
/// would download a program.
fn build_with_wasm_pack(repo: &Repo) -> anyhow::Result<PathBuf> {
    let _lock = repo.lock()?;
    let folder = repo.target.join("wasm-pack");
    repo.step("module by wasm-pack", |step| {
        fresh_folder(&folder)?;
        let mut wasm_pack = repo.command(program(repo, Part::WasmPack)?);
        wasm_pack.env("PATH", path_with(&program(repo, Part::WasmBindgen)?)?);
        wasm_pack.args(["build", "--dev", "--target", "web", "--out-dir"]).arg(&folder);
        step.run(wasm_pack.args(["--", "--features", "js"]))
    })?;
    Ok(folder)
}
