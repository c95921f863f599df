//! Setting up what a command needs. Each part is looked for first, and made only where it is missing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, anyhow, bail};

use crate::command::output;
use crate::repo::{Repo, WASM_TARGET, fresh_folder, locked_version, read, read_text};
use crate::stamp::Stamp;
use crate::steps::Step;

/// In the order in which several are set up: first what the person may have to install, then what takes long.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    Node,
    Chromium,
    /// Chromium without the browser's own interface. A page costs it a fifth of the processor time.
    HeadlessShell,
    /// Found: the browser, then its driver.
    Chromedriver,
    /// Found: the driver, which finds the browser itself.
    Firefox,
    /// Found: the driver, which brings a browser of its own, then what gives it a screen.
    WebKit,
    /// Through which backends share tokens in the package's tests.
    Redis,
    /// The standard library for WebAssembly, its source, rustfmt and clippy.
    Rust,
    /// At the very version that Cargo.lock names, its test runner, and the program that cuts the module into
    /// files.
    WasmBindgen,
    WasmPack,
    CargoDeny,
    CargoCyclonedx,
    /// The Python packages of a folder, as its requirements.txt pins them, in an environment of their own.
    Python(&'static str),
    /// The npm packages of a folder, as its lock file has them.
    Npm(&'static str),
}

/// Where the programs of a part lie, if it has any.
pub(crate) type Found = Vec<PathBuf>;

/// What was set up before by this process, or why that failed.
static KNOWN: Mutex<BTreeMap<Part, Result<Found, String>>> = Mutex::new(BTreeMap::new());

/// Sees to it that `part` is there. What a command can do without may fail: the reason comes back.
pub(crate) fn try_set_up(repo: &Repo, part: Part) -> Result<Found, String> {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let found = known.entry(part).or_insert_with(|| {
        let found = repo.step(&part.title(), |step| {
            if let Some(found) = part.found(repo)? {
                step.there();
                return Ok(found);
            }
            part.make(repo, step)?;
            part.found(repo)?.context("it is still missing after it was set up")
        });
        found.map_err(|error| format!("{error:#}"))
    });
    found.clone()
}

pub(crate) fn set_up(repo: &Repo, part: Part) -> anyhow::Result<Found> {
    try_set_up(repo, part).map_err(|reason| anyhow!(reason))
}

/// As [`set_up`] for a part of which one program is wanted.
pub(crate) fn program(repo: &Repo, part: Part) -> anyhow::Result<PathBuf> {
    set_up(repo, part)?.into_iter().next().with_context(|| format!("{} has no program", part.title()))
}

/// Returns the browser for tests that open many pages: what the person names, else the headless shell, else
/// Chromium itself.
pub(crate) fn headless_chromium(repo: &Repo) -> anyhow::Result<PathBuf> {
    let is_named = std::env::var_os("REMITKIT_CHROMIUM").is_some_and(|value| !value.is_empty());
    let part = if is_named || try_set_up(repo, Part::HeadlessShell).is_err() {
        Part::Chromium
    } else {
        Part::HeadlessShell
    };
    program(repo, part)
}

const BROWSERS: [&str; 7] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
];
const HEADLESS_SHELL: &str = "chromium-headless-shell";
const CHROMIUM_ADVICE: &str = "install Chromium with its chromedriver (Debian: `apt-get install chromium \
    chromium-driver`, Fedora: `dnf install chromium chromedriver`, macOS: `brew install --cask \
    chromium chromedriver`), or name yours in REMITKIT_CHROMIUM and REMITKIT_CHROMEDRIVER";
const WASM_BINDGEN: &str = "xtask/wasm-bindgen-tools";
const WASM_BINDGEN_PROGRAMS: [&str; 3] = ["wasm-bindgen", "wasm-bindgen-test-runner", "wasm-split"];

impl Part {
    fn title(self) -> String {
        match self {
            Part::Node => "Node.js 20.10 or newer, with npm".to_owned(),
            Part::Chromium => "Chromium".to_owned(),
            Part::HeadlessShell => "Chromium's headless shell".to_owned(),
            Part::Chromedriver => "Chromium and its driver".to_owned(),
            Part::Firefox => "Firefox and its driver".to_owned(),
            Part::WebKit => "WebKit and its driver".to_owned(),
            Part::Redis => "Redis".to_owned(),
            Part::Rust => format!("Rust's {WASM_TARGET}, library source, rustfmt and clippy"),
            Part::WasmBindgen => "wasm-bindgen".to_owned(),
            Part::Python(folder) => format!("Python packages of {folder}"),
            Part::Npm(folder) => format!("npm packages of {folder}"),
            Part::WasmPack | Part::CargoDeny | Part::CargoCyclonedx => {
                self.cargo_tool().map(|(name, version)| format!("{name} {version}")).unwrap_or_default()
            }
        }
    }

    /// What is built from crates.io.
    fn cargo_tool(self) -> Option<(&'static str, &'static str)> {
        match self {
            Part::Firefox => Some(("geckodriver", "0.37.1")),
            Part::WasmPack => Some(("wasm-pack", "0.15.1")),
            Part::CargoDeny => Some(("cargo-deny", "0.20.2")),
            Part::CargoCyclonedx => Some(("cargo-cyclonedx", "0.5.9")),
            _ => None,
        }
    }

    /// Looks for it; `None` where it must be made.
    fn found(self, repo: &Repo) -> anyhow::Result<Option<Found>> {
        let programs = |names: &[&str]| names.iter().map(|name| on_path(name)).collect::<Option<Found>>();
        Ok(match self {
            Part::Node => {
                must_be_new(
                    "node",
                    [20, 10],
                    "install Node.js 20.10 or newer, with npm, and put both on PATH",
                )?;
                Some(Found::new())
            }
            Part::Chromium => named_or("REMITKIT_CHROMIUM", &BROWSERS).map(|browser| vec![browser]),
            Part::Chromedriver => {
                let browser = named_or("REMITKIT_CHROMIUM", &BROWSERS);
                let driver = named_or("REMITKIT_CHROMEDRIVER", &["chromedriver"]);
                let Some((browser, driver)) = browser.zip(driver) else { return Ok(None) };
                let ([ours, _], [its, _]) = (version(&browser)?, version(&driver)?);
                if ours != its {
                    bail!(
                        "{} is version {ours}, but its driver is for {its}: {CHROMIUM_ADVICE}",
                        browser.display()
                    );
                }
                Some(vec![browser, driver])
            }
            Part::HeadlessShell => programs(&[HEADLESS_SHELL]),
            Part::WebKit => programs(&["WebKitWebDriver", "xvfb-run"]),
            Part::Redis => programs(&["redis-server"]),
            Part::Firefox if firefox().is_none() => None,
            Part::Firefox | Part::WasmPack | Part::CargoDeny | Part::CargoCyclonedx => {
                let tool = self.cargo_tool();
                tool.and_then(|(name, version)| of_version(repo, &[name], version))
            }
            Part::WasmBindgen => {
                let version = locked_version(&read_text(&repo.path("Cargo.lock"))?, "wasm-bindgen")?;
                of_version(repo, &WASM_BINDGEN_PROGRAMS, &version)
            }
            Part::Rust => {
                let sysroot = repo.sysroot()?;
                let target = format!("lib/rustlib/{WASM_TARGET}/lib");
                let parts =
                    [&target, "lib/rustlib/src/rust/library/Cargo.lock", "bin/rustfmt", "bin/cargo-clippy"];
                parts.iter().all(|part| sysroot.join(part).exists()).then(Found::new)
            }
            Part::Npm(folder) => npm_stamp(repo, folder)?.holds().then(Found::new),
            Part::Python(folder) => {
                let python = python_environment(repo, folder).join("bin/python");
                // The Python that it was made with may be gone.
                (python_stamp(repo, folder)?.holds() && version(&python).is_ok()).then(|| vec![python])
            }
        })
    }

    /// Makes it, or says what the person must install.
    fn make(self, repo: &Repo, step: &Step) -> anyhow::Result<()> {
        match self {
            Part::Node => Ok(()),
            Part::Chromium => apt(step, &["chromium"], CHROMIUM_ADVICE),
            Part::HeadlessShell => apt(step, &[HEADLESS_SHELL], "install Chromium's headless shell"),
            Part::Chromedriver => apt(step, &["chromium", "chromium-driver"], CHROMIUM_ADVICE),
            Part::WebKit => apt(
                step,
                &["webkit2gtk-driver", "xvfb", "xauth"],
                "install WebKitGTK's driver and a virtual screen",
            ),
            Part::Redis => apt(
                step,
                &["redis-server"],
                "install Redis (Fedora: `dnf install redis`, macOS: `brew install redis`)",
            ),
            Part::Firefox if firefox().is_none() => {
                apt(step, &["firefox-esr"], "install Firefox")?;
                self.make(repo, step)
            }
            Part::Firefox | Part::WasmPack | Part::CargoDeny | Part::CargoCyclonedx => {
                let (name, version) = self.cargo_tool().context("it is no tool of cargo's")?;
                cargo_install(repo, step, &[name, "--version", version])
            }
            Part::WasmBindgen => cargo_install(repo, step, &["--path", WASM_BINDGEN]),
            Part::Rust => {
                let advice =
                    "install them as your Rust was installed, or install Rust through https://rustup.rs";
                step.run(repo.command("rustup").args(["component", "add", "rustfmt", "clippy", "rust-src"]))
                    .and_then(|()| step.run(repo.command("rustup").args(["target", "add", WASM_TARGET])))
                    .context(advice)
            }
            Part::Npm(folder) => {
                // No scripts: what is installed here is run only when we run it.
                let mut npm = repo.command("npm");
                npm.current_dir(repo.path(folder));
                step.run(npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]))?;
                npm_stamp(repo, folder)?.set()
            }
            Part::Python(folder) => {
                let advice = "install Python 3.10 or newer with its module venv";
                must_be_new("python3", [3, 10], advice)?;
                let environment = python_environment(repo, folder);
                fresh_folder(&environment)?;
                step.run(repo.command("python3").args(["-m", "venv"]).arg(&environment)).context(advice)?;
                // No dependencies: the file pins all of them.
                let mut pip = repo.command(environment.join("bin/python"));
                pip.args(["-m", "pip", "install", "--no-deps", "--no-input", "--disable-pip-version-check"]);
                step.run(pip.arg("--requirement").arg(repo.path(folder).join("requirements.txt")))?;
                python_stamp(repo, folder)?.set()
            }
        }
    }
}

/// Inside node_modules, so that it goes when they go.
fn npm_stamp(repo: &Repo, folder: &str) -> anyhow::Result<Stamp> {
    let folder = repo.path(folder);
    let inputs = [read(&folder.join("package-lock.json"))?, read(&folder.join("package.json"))?];
    Ok(Stamp::new(folder.join("node_modules/.xtask-stamp"), inputs.iter().map(Vec::as_slice)))
}

fn python_environment(repo: &Repo, folder: &str) -> PathBuf {
    repo.tools().join("python").join(folder.replace('/', "-"))
}

fn python_stamp(repo: &Repo, folder: &str) -> anyhow::Result<Stamp> {
    let requirements = read(&repo.path(folder).join("requirements.txt"))?;
    Ok(Stamp::new(python_environment(repo, folder).join("xtask-stamp"), [requirements.as_slice()]))
}

/// Builds a program of crates.io or of ours into the tools folder, unoptimised: it only starts others, or
/// runs for a second.
fn cargo_install(repo: &Repo, step: &Step, what: &[&str]) -> anyhow::Result<()> {
    let build = repo.tools().join("build");
    let mut cargo = repo.cargo();
    cargo.arg("install").args(what).args(["--locked", "--debug", "--force", "--root"]).arg(repo.tools());
    cargo.env("CARGO_PROFILE_DEV_DEBUG", "0").env_remove("CARGO_BUILD_TARGET");
    step.run(cargo.arg("--target-dir").arg(&build))?;
    fresh_folder(&build)
}

/// Returns programs of one version that lie side by side: those of this clone, else those on PATH. wasm-pack
/// looks for the test runner beside wasm-bindgen.
fn of_version(repo: &Repo, names: &[&str], version: &str) -> Option<Found> {
    let first = names.first()?;
    let on_path = on_path(first).and_then(|program| Some(program.parent()?.to_owned()));
    [repo.tools().join("bin")].into_iter().chain(on_path).find_map(|folder| {
        let programs: Found = names.iter().map(|name| folder.join(name)).collect();
        let is_right = |program: &PathBuf| {
            let subcommand = first.strip_prefix("cargo-");
            let mut command = Command::new(program);
            output(command.args(subcommand).arg("--version"))
                .is_ok_and(|text| text.split_whitespace().nth(1) == Some(version))
        };
        programs.iter().all(is_right).then_some(programs)
    })
}

/// Installs packages of a Debian-like system, where that needs no password.
fn apt(step: &Step, packages: &[&str], advice: &str) -> anyhow::Result<()> {
    let sudo: &[&str] = if nix::unistd::geteuid().is_root() { &[] } else { &["sudo", "-n"] };
    let apt_get = |args: &[&str]| {
        let words = [sudo, &["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"], args].concat();
        let mut words = words.into_iter();
        let mut command = Command::new(words.next().unwrap_or_default());
        step.run(command.args(words))
    };
    let install = [&["install", "--yes", "--no-install-recommends"], packages].concat();
    apt_get(&["update"])
        .and_then(|()| apt_get(&install))
        .with_context(|| format!("{advice} (Debian: `apt-get install {}`)", packages.join(" ")))
}

fn firefox() -> Option<PathBuf> {
    ["firefox", "firefox-esr"]
        .iter()
        .filter_map(|name| on_path(name))
        .find(|program| version(program).is_ok())
}

/// Returns what the variable names, else the first of the names that starts: some systems have a placeholder
/// of that name which only tells how to install the real one.
fn named_or(variable: &str, names: &[&str]) -> Option<PathBuf> {
    match std::env::var_os(variable).filter(|value| !value.is_empty()) {
        Some(named) => Some(named.into()),
        None => names.iter().filter_map(|name| on_path(name)).find(|program| version(program).is_ok()),
    }
}

/// Looks for a program in the folders of PATH.
fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

fn must_be_new(program: &str, oldest: [u32; 2], advice: &str) -> anyhow::Result<()> {
    let found = version(Path::new(program)).with_context(|| advice.to_owned())?;
    if found < oldest {
        bail!("this is {program} {}.{}: {advice}", found[0], found[1]);
    }
    Ok(())
}

/// Returns major and minor of what `--version` prints.
fn version(program: &Path) -> anyhow::Result<[u32; 2]> {
    version_in(&output(Command::new(program).arg("--version"))?)
}

fn version_in(text: &str) -> anyhow::Result<[u32; 2]> {
    let number = text.split(|c: char| !c.is_ascii_digit() && c != '.').find(|word| word.contains('.'));
    let mut numbers = number.into_iter().flat_map(|number| number.split('.')).map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => Ok([major, minor]),
        _ => bail!("no version in `{}`", text.trim()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_from_what_programs_print() {
        assert_eq!(version_in("v20.20.2\n").unwrap(), [20, 20]);
        assert_eq!(version_in("Chromium 156.0.7000.1 built on Debian 12").unwrap(), [156, 0]);
        assert!(version_in("unknown\n").is_err());
    }

    /// The versions are stated twice, in lock files that cargo keeps apart.
    #[test]
    fn both_lock_files_have_the_same_wasm_bindgen() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let outer = read_text(&root.join("Cargo.lock")).unwrap();
        let tools = read_text(&root.join(WASM_BINDGEN).join("Cargo.lock")).unwrap();
        let version = locked_version(&outer, "wasm-bindgen").unwrap();
        assert_eq!(version, locked_version(&tools, "wasm-bindgen-cli").unwrap());
    }
}
