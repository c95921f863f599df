//! Sets up what a command needs. Each part is looked for first, and installed only where it is missing.

mod requirements;
mod rust;
mod system;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use anyhow::{Context, anyhow, bail};

use crate::process::output;
use crate::repo::{Repo, cargo_home, fresh_folder, locked_version, read, read_text};
use crate::say::say;
use crate::stamp::Stamp;
use crate::steps::{Step, both};
use requirements::{Machine, Needs};
use system::{CHROMIUM_VARIABLE, System, on_path, starts};

/// In the order of set-up: first what other parts need, then what takes long.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// The targets and components of rust-toolchain.toml.
    Rust,
    Chromium,
    /// Chromium without the browser's own interface. A page takes a fifth of the processor time.
    HeadlessShell,
    /// Programs: the browser, then its driver.
    Chromedriver,
    /// Program: the driver, which finds the browser.
    Firefox,
    /// Programs: the driver, which brings its own browser, then the virtual screen.
    WebKit,
    /// Prototype and MooTools, which npm does not have.
    PageLibraries,
    /// Shared by several backends in the package's tests.
    Redis,
    /// What makes the package of a module: wasm-bindgen for browsers alone, and the splitter of modules.
    PackageTools,
    /// The whole wasm-bindgen, and its test runner.
    WasmBindgen,
    WasmPack,
    CargoDeny,
    CargoCyclonedx,
    /// The Python packages of tests/standard-clients, in their own environment.
    Python,
    /// The npm packages that a folder's lock file pins.
    Npm(&'static str),
}

pub(crate) type Programs = Vec<PathBuf>;

/// The parts that this process has looked for, and those that it has set up, or why it could not.
static KNOWN: Mutex<Known> = Mutex::new(Known::new());

type Known = BTreeMap<Part, Arc<OnceLock<Result<Programs, String>>>>;

/// Set where nothing of an earlier run may be there, which proves that set-up works: see .ci/bare.
const BARE: &str = "REMITKIT_BARE";

/// Checks what only the person can install, says what will be set up, and downloads it. What has to be built
/// is left to [`set_up`], so that it can be built beside other things.
pub(crate) fn prepare(repo: &Repo, parts: &[Part]) -> anyhow::Result<()> {
    look_up(repo, parts)?.fetch(repo)
}

/// What a command has to download, after the person was told: what needs none of it can be built meanwhile.
#[must_use]
pub(crate) struct Downloads(Vec<Part>);

impl Downloads {
    pub(crate) fn fetch(self, repo: &Repo) -> anyhow::Result<()> {
        // apt-get runs once at a time.
        let (system, others): (Vec<Part>, Vec<Part>) =
            self.0.iter().partition(|part| part.system().is_some());
        let in_turn = || system.iter().try_for_each(|part| finish(repo, *part).map(drop));
        both(in_turn, || each(repo, &others)).map(drop)
    }
}

/// Looks for the parts, once in this process; checks what only the person can install, and says what will be
/// set up.
pub(crate) fn look_up(repo: &Repo, parts: &[Part]) -> anyhow::Result<Downloads> {
    let mut known = known();
    let parts: BTreeSet<Part> = [&[Part::Rust], parts].concat().into_iter().collect();
    let parts: Vec<Part> = parts.into_iter().filter(|part| !known.contains_key(part)).collect();
    let mut missing = Vec::new();
    for part in &parts {
        match part.find(repo).with_context(|| part.title())? {
            Some(_) if is_bare() && (part.is_built() || part.system().is_none()) => {
                bail!("{} must be set up by this run, as {BARE} is set, but was there before", part.title());
            }
            Some(programs) => drop(known.insert(*part, Arc::new(OnceLock::from(Ok(programs))))),
            None => missing.push(*part),
        }
    }
    requirements::check(&machine(repo), &needs(repo, &parts, &missing)?)?;
    known.extend(missing.iter().map(|part| (*part, Arc::default())));
    if !missing.is_empty() {
        let line = |part: &Part| format!("\n  {:<48}{}", part.title(), part.cost());
        let list = missing.iter().map(line).collect::<String>();
        let is_first = missing.contains(&Part::PackageTools);
        let build = if is_first { "\nThe first build of SDK and sandbox takes another 2 min." } else { "" };
        say(&format!("To be set up, once for this clone:{list}{build}"));
    }
    missing.retain(|part| !part.is_built());
    Ok(Downloads(missing))
}

/// Sets up several parts at a time.
pub(crate) fn set_up_all(repo: &Repo, parts: &[Part]) -> anyhow::Result<()> {
    prepare(repo, parts)?;
    each(repo, parts)
}

fn each(repo: &Repo, parts: &[Part]) -> anyhow::Result<()> {
    let [first, rest @ ..] = parts else { return Ok(()) };
    both(|| finish(repo, *first), || each(repo, rest)).map(drop)
}

/// Sets up a part that a command can do without; returns the reason of a failure.
pub(crate) fn try_set_up(repo: &Repo, part: Part) -> Result<Programs, String> {
    let set_up = || prepare(repo, &[part]).and_then(|()| finish(repo, part));
    set_up().map_err(|error| format!("{error:#}"))
}

fn finish(repo: &Repo, part: Part) -> anyhow::Result<Programs> {
    let slot = Arc::clone(known().entry(part).or_default());
    let install = || {
        let programs = repo.step(&part.title(), |step| {
            part.install(repo, step)?;
            part.find(repo)?.context("it is still missing after it was installed")
        });
        programs.map_err(|error| format!("{error:#}"))
    };
    slot.get_or_init(install).clone().map_err(|reason| anyhow!(reason))
}

fn known() -> MutexGuard<'static, Known> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn is_bare() -> bool {
    std::env::var_os(BARE).is_some()
}

fn machine(repo: &Repo) -> Machine {
    Machine { path: std::env::var_os("PATH").unwrap_or_default(), folder: repo.root.clone() }
}

fn needs(repo: &Repo, parts: &[Part], missing: &[Part]) -> anyhow::Result<Needs> {
    let mut folders = Vec::new();
    if !missing.is_empty() {
        folders.push((repo.target.clone(), 3000, "CARGO_TARGET_DIR"));
        folders.push((cargo_home()?, 500, "CARGO_HOME"));
    }
    if missing.iter().any(|part| matches!(part, Part::Npm(_)))
        && let Ok(cache) = output(repo.command("npm").args(["config", "get", "cache"]))
    {
        folders.push((cache.trim().into(), 500, "npm_config_cache"));
    }
    let system = missing.iter().filter(|part| part.system_is_missing()).filter_map(|part| part.system());
    Ok(Needs {
        rust: rust::listed(repo, "channel")?.concat(),
        rust_parts: [rust::missing_targets(repo)?, rust::missing_components(repo)?].concat(),
        has_rustup: rust::toolchain().is_some() && on_path("rustup").is_some(),
        npm: parts.iter().any(|part| matches!(part, Part::Npm(_))),
        python: missing.contains(&Part::Python),
        packages: system.map(|system| (system.packages.join(" "), system.advice)).collect(),
        folders,
    })
}

pub(crate) fn set_up(repo: &Repo, part: Part) -> anyhow::Result<Programs> {
    try_set_up(repo, part).map_err(|reason| anyhow!(reason))
}

pub(crate) fn program(repo: &Repo, part: Part) -> anyhow::Result<PathBuf> {
    set_up(repo, part)?.into_iter().next().with_context(|| format!("{} has no program", part.title()))
}

/// Returns the browser for tests that open many pages: the one in REMITKIT_CHROMIUM, else the headless shell,
/// else Chromium.
pub(crate) fn headless_chromium(repo: &Repo) -> anyhow::Result<PathBuf> {
    let is_named = std::env::var_os(CHROMIUM_VARIABLE).is_some_and(|value| !value.is_empty());
    let has_shell = !is_named && try_set_up(repo, Part::HeadlessShell).is_ok();
    program(repo, if has_shell { Part::HeadlessShell } else { Part::Chromium })
}

const CLIENTS: &str = "tests/standard-clients";
const WASM_BINDGEN: &str = "xtask/wasm-bindgen-tools";

impl Part {
    fn title(self) -> String {
        match self {
            Part::Rust => "Rust's target and components".to_owned(),
            Part::Chromium => "Chromium".to_owned(),
            Part::HeadlessShell => "Chromium's headless shell".to_owned(),
            Part::Chromedriver => "Chromium and its driver".to_owned(),
            Part::Firefox => "Firefox and its driver".to_owned(),
            Part::WebKit => "WebKit and its driver".to_owned(),
            Part::PageLibraries => "Prototype and MooTools".to_owned(),
            Part::Redis => "Redis".to_owned(),
            Part::PackageTools => "wasm-bindgen".to_owned(),
            Part::WasmBindgen => "wasm-bindgen's test runner".to_owned(),
            Part::WasmPack | Part::CargoDeny | Part::CargoCyclonedx => {
                self.cargo_tool().map(|(name, version)| format!("{name} {version}")).unwrap_or_default()
            }
            Part::Python => format!("Python packages of {CLIENTS}"),
            Part::Npm(folder) => format!("npm packages of {folder}"),
        }
    }

    /// Returns what the system's package manager installs.
    fn system(self) -> Option<System> {
        match self {
            Part::Chromium => Some(system::CHROMIUM),
            Part::Chromedriver => Some(system::CHROMEDRIVER),
            Part::HeadlessShell => Some(system::HEADLESS_SHELL),
            Part::Firefox => Some(system::FIREFOX),
            Part::WebKit => Some(system::WEBKIT),
            Part::PageLibraries => Some(system::PAGE_LIBRARIES),
            Part::Redis => Some(system::REDIS),
            _ => None,
        }
    }

    fn system_is_missing(self) -> bool {
        self.system().is_some_and(|system| system.find().is_none())
    }

    /// Whether it takes a minute of building, which needs no person any more.
    fn is_built(self) -> bool {
        matches!(self, Part::PackageTools | Part::WasmBindgen) || self.cargo_tool().is_some()
    }

    /// Returns what setting it up takes, on two cores.
    fn cost(self) -> String {
        match self {
            Part::Rust => "rustup downloads it, 30 MB".to_owned(),
            Part::Python | Part::Npm(_) => "download, some seconds".to_owned(),
            Part::CargoDeny => "build from source, 2 to 3 min".to_owned(),
            _ if self.is_built() => "build from source, 1 min".to_owned(),
            _ => "apt-get install, 15 to 30 s".to_owned(),
        }
    }

    /// Returns the name and version of what `cargo install` builds from crates.io.
    fn cargo_tool(self) -> Option<(&'static str, &'static str)> {
        match self {
            Part::Firefox => Some(("geckodriver", "0.37.1")),
            Part::WasmPack => Some(("wasm-pack", "0.15.1")),
            Part::CargoDeny => Some(("cargo-deny", "0.20.2")),
            Part::CargoCyclonedx => Some(("cargo-cyclonedx", "0.5.9")),
            _ => None,
        }
    }

    /// Looks for the part; returns `None` where it must be installed.
    fn find(self, repo: &Repo) -> anyhow::Result<Option<Programs>> {
        let programs = self.system().map_or(Some(Programs::new()), System::find);
        let Some(programs) = programs else { return Ok(None) };
        if let Some((name, version)) = self.cargo_tool() {
            return Ok(of_version(repo, &[name], version));
        }
        Ok(match self {
            Part::Rust => {
                let is_whole =
                    rust::missing_targets(repo)?.is_empty() && rust::missing_components(repo)?.is_empty();
                is_whole.then_some(programs)
            }
            Part::PackageTools => of_version(repo, &["wasm-bindgen-web", "wasm-split"], &wasm_bindgen(repo)?),
            Part::WasmBindgen => {
                of_version(repo, &["wasm-bindgen", "wasm-bindgen-test-runner"], &wasm_bindgen(repo)?)
            }
            Part::Python => {
                let python = python_environment(repo).join("bin/python");
                // The Python that the environment was made with may be gone.
                (python_stamp(repo)?.holds() && starts(&python)).then(|| vec![python])
            }
            Part::Npm(folder) => npm_stamp(repo, folder)?.holds().then(Programs::new),
            _ => Some(programs),
        })
    }

    fn install(self, repo: &Repo, step: &Step) -> anyhow::Result<()> {
        if let Some(system) = self.system()
            && self.system_is_missing()
        {
            system.install(step)?;
        }
        if let Some((name, version)) = self.cargo_tool() {
            return cargo_install(repo, step, name, &["--debug", "--version", version, name]);
        }
        match self {
            Part::Rust => rust::install(repo, step).with_context(|| unreachable("rustup")),
            Part::PackageTools => cargo_install(repo, step, "package", &["--debug", "--path", WASM_BINDGEN]),
            Part::WasmBindgen => {
                let bins = ["--bin", "wasm-bindgen", "--bin", "wasm-bindgen-test-runner"];
                let cli = ["--profile", "cli", "--features", "cli", "--path", WASM_BINDGEN];
                cargo_install(repo, step, "cli", &[&bins[..], &cli].concat())
            }
            Part::Npm(folder) => {
                // No scripts: an installed package runs only when we run it.
                let mut npm = repo.command("npm");
                npm.current_dir(repo.path(folder));
                npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
                // By default npm takes minutes to find that there is no network.
                npm.args(["--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"]);
                step.run(&mut npm).with_context(|| unreachable("npm"))?;
                npm_stamp(repo, folder)?.set()
            }
            Part::Python => {
                let environment = python_environment(repo);
                fresh_folder(&environment)?;
                step.run(repo.command("python3").args(["-m", "venv"]).arg(&environment))?;
                // No dependencies: the file pins all of them.
                let mut pip = repo.command(environment.join("bin/python"));
                pip.args(["-m", "pip", "install", "--no-deps", "--no-input", "--disable-pip-version-check"]);
                pip.arg("--requirement").arg(repo.path(CLIENTS).join("requirements.txt"));
                step.run(&mut pip).with_context(|| unreachable("pip"))?;
                python_stamp(repo)?.set()
            }
            _ => Ok(()),
        }
    }
}

fn unreachable(program: &str) -> String {
    format!("cannot download it: check the network, and the proxy or the registry that {program} uses")
}

/// In node_modules, so that the stamp is removed with what it stands for.
fn npm_stamp(repo: &Repo, folder: &str) -> anyhow::Result<Stamp> {
    let folder = repo.path(folder);
    let inputs = [read(&folder.join("package-lock.json"))?, read(&folder.join("package.json"))?];
    Ok(Stamp::new(folder.join("node_modules/.xtask-stamp"), &inputs.each_ref().map(Vec::as_slice)))
}

/// Returns the version of wasm-bindgen that the SDK is built with.
fn wasm_bindgen(repo: &Repo) -> anyhow::Result<String> {
    locked_version(&read_text(&repo.path("Cargo.lock"))?, "wasm-bindgen")
}

fn python_environment(repo: &Repo) -> PathBuf {
    repo.tools().join("python")
}

fn python_stamp(repo: &Repo) -> anyhow::Result<Stamp> {
    let requirements = read(&repo.path(CLIENTS).join("requirements.txt"))?;
    Ok(Stamp::new(python_environment(repo).join("xtask-stamp"), &[&requirements]))
}

/// Builds programs into the tools folder. Unoptimized: they only start others, or run for a second.
/// Several are built at a time, each in a folder `build`.
fn cargo_install(repo: &Repo, step: &Step, build: &str, what: &[&str]) -> anyhow::Result<()> {
    let build = repo.tools().join("build").join(build);
    let mut cargo = repo.cargo();
    cargo.arg("install").args(what).args(["--locked", "--force", "--root"]).arg(repo.tools());
    cargo.env("CARGO_PROFILE_DEV_DEBUG", "0").env_remove("CARGO_BUILD_TARGET");
    step.run(cargo.arg("--target-dir").arg(&build))?;
    fresh_folder(&build)
}

/// Returns programs of one version in one folder, that of this clone's tools or one of PATH: wasm-pack looks
/// for the test runner beside wasm-bindgen.
fn of_version(repo: &Repo, names: &[&str], version: &str) -> Option<Programs> {
    let first = names.first()?;
    let on_path = on_path(first).filter(|_| !is_bare());
    let on_path = on_path.and_then(|program| Some(program.parent()?.to_owned()));
    [repo.tools().join("bin")].into_iter().chain(on_path).find_map(|folder| {
        let programs: Programs = names.iter().map(|name| folder.join(name)).collect();
        let is_right = |program: &PathBuf| {
            let mut command = Command::new(program);
            command.args(first.strip_prefix("cargo-")).arg("--version");
            output(&mut command).is_ok_and(|text| text.split_whitespace().nth(1) == Some(version))
        };
        programs.iter().all(is_right).then_some(programs)
    })
}

/// Returns PATH with the folder of a program in front, so that the tools beside it are found first.
pub(crate) fn path_with(program: &Path) -> anyhow::Result<OsString> {
    let folder = program.parent().map(Path::to_owned);
    let path = std::env::var_os("PATH").unwrap_or_default();
    Ok(std::env::join_paths(folder.into_iter().chain(std::env::split_paths(&path)))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cargo keeps the two lock files apart, so each states the version.
    #[test]
    fn both_lock_files_have_the_same_wasm_bindgen() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let outer = read_text(&root.join("Cargo.lock")).unwrap();
        let tools = read_text(&root.join(WASM_BINDGEN).join("Cargo.lock")).unwrap();
        let version = locked_version(&outer, "wasm-bindgen").unwrap();
        for tool in ["wasm-bindgen-cli", "wasm-bindgen-cli-support"] {
            assert_eq!(version, locked_version(&tools, tool).unwrap());
        }
        assert!(locked_version(&outer, "bindgen").is_err());
    }
}
